// Extracts the text of a document in a separate process: in the jail if the machine supports it, without network, able to
// read only that file, with limits of time, memory and output. A crash of that process does not affect this one.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type CommandResult, runCommand } from "../../sandbox/command.ts";
import { ownProcess } from "../../sandbox/own-process.ts";
import { AtomsmithError } from "../core/errors.ts";
import { MAX_ANSWER_BYTES, MAX_FILE_BYTES, PARSE_MEMORY_MB, PARSE_MS } from "./limits.ts";
import { DOCUMENT_FLAG } from "./parse/flag.ts";
import { type DocumentText, parsedSchema } from "./types.ts";

export interface ExtractOptions {
  signal?: AbortSignal;
  /** Maximum time, milliseconds. */
  timeMs?: number;
  /** Maximum memory, MiB. */
  memoryMb?: number;
}

const PARSER = { flag: DOCUMENT_FLAG, source: join(import.meta.dirname, "parse/entry.ts") };

/** Reads a document. Throws kind `usage`, with the reason, for one that cannot be read, and kind `interrupted`. */
export async function extractDocument(path: string, options: ExtractOptions = {}): Promise<DocumentText> {
  const file = checked(path);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-document-")));
  try {
    const stdout = join(base, "answer.json");
    const { argv, readable } = ownProcess(PARSER);
    const { timeMs = PARSE_MS, memoryMb = PARSE_MEMORY_MB } = options;
    const result = await runCommand({
      argv: [...argv, file],
      cwd: base,
      readable: [...readable, file, base],
      writable: [],
      privateTmp: true,
      network: false,
      limits: {
        timeMs,
        memoryMb,
        outputBytes: MAX_ANSWER_BYTES,
        stopBytes: MAX_ANSWER_BYTES,
        processes: 4,
      },
      stdout,
      stderr: join(base, "errors.txt"),
      jail: "preferred",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return answer(file, result, stdout);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function checked(path: string): string {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined || !info.isFile()) throw unreadable(path, "no such file");
  if (info.size > MAX_FILE_BYTES) {
    throw unreadable(path, `it has ${info.size} bytes; the limit is ${MAX_FILE_BYTES}`);
  }
  return realpathSync(path);
}

function answer(path: string, { exit }: CommandResult, stdout: string): DocumentText {
  if ("reason" in exit && exit.reason === "cancelled") {
    throw new AtomsmithError("interrupted", `reading ${basename(path)} was interrupted`);
  }
  if ("reason" in exit) throw unreadable(path, `reading it was stopped: ${exit.message}`);
  // The output of the process is not shown: it may be text of the document.
  const parsed = parsedSchema.safeParse(readJson(stdout));
  if (!parsed.success) {
    const how = "signal" in exit ? exit.signal : `code ${exit.code}`;
    throw unreadable(
      path,
      `its parser ended with ${how} and no text: the file is damaged or needs too much memory`,
    );
  }
  if ("error" in parsed.data) throw unreadable(path, parsed.data.error);
  return parsed.data.document;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function unreadable(path: string, reason: string): AtomsmithError {
  return new AtomsmithError("usage", `cannot read the document ${basename(path)}: ${reason}`, {
    where: path,
  });
}
