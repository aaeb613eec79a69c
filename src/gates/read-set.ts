// Reads the four files of an atom set from an untrusted folder: they may be missing, empty, huge, binary or devices. A
// problem is a finding of the first gate that uses the file.

import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ATOM_FILES, ATOM_PARTS, type AtomPart, type AtomSources } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import type { KnownFinding } from "../contract/gates.ts";

/** Largest file that is read, in bytes. */
export const MAX_FILE_BYTES = 1024 * 1024;

export interface SetReading {
  sources: AtomSources;
  problems: KnownFinding[];
}

/** Never throws for anything inside the folder. */
export async function readSetFiles(dir: string): Promise<SetReading> {
  const sources: AtomSources = { atom_a: "", atom_b: "", atom_c: "", config: "" };
  const problems: KnownFinding[] = [];
  for (const part of ATOM_PARTS) {
    const reading = await readPart(join(dir, ATOM_FILES[part]));
    if (reading.ok) sources[part] = reading.text;
    else problems.push(findingOf(part, reading.code, reading.message));
  }
  return { sources, problems };
}

type PartReading = { ok: true; text: string } | { ok: false; code: FindingCode; message: string };

async function readPart(path: string): Promise<PartReading> {
  const no = (code: FindingCode, message: string): PartReading => ({ ok: false, code, message });
  let file: Awaited<ReturnType<typeof open>> | undefined;
  try {
    const target = await realpath(path);
    // Opening a pipe would wait for a writer, so the type is checked first.
    const info = await Bun.file(target).stat();
    if (!info.isFile()) return no("not_a_file", "is not a regular file");
    file = await open(target, "r");
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES)
      return no("file_too_large", `has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
    const bytes = await file.readFile();
    if (bytes.includes(0)) return no("not_text", "contains NUL bytes and is not text");
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return no("file_empty", "is empty");
    return { ok: true, text };
  } catch (error) {
    if (error instanceof TypeError) return no("not_text", "is not valid UTF-8 text");
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT") return no("file_missing", "is missing");
    return no(
      "file_unreadable",
      `cannot be read (${code || (error instanceof Error ? error.message : "unknown")})`,
    );
  } finally {
    await file?.close();
  }
}

function findingOf(part: AtomPart, code: FindingCode, what: string): KnownFinding {
  const gate = part === "config" ? "config_schema" : "gate1_syntax";
  return { gate, atom: part, code, message: `${ATOM_FILES[part]} ${what}.` };
}
