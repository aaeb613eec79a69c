// Text of a document, read by a separate process: in the jail where the machine has one, without network, able to read
// one file, with limits on time, memory and output. Whatever a file does to that process, this one keeps running.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type CommandResult, runCommand } from "../../sandbox/command.ts";
import { embeddedScript } from "../core/embedded-script.ts";
import { AtomsmithError } from "../core/errors.ts";
import { MAX_ANSWER_BYTES, MAX_FILE_BYTES, PARSE_MEMORY_MB, PARSE_MS } from "./limits.ts";
import { DOCUMENT_FLAG } from "./parse/flag.ts";
import { type DocumentText, parsedSchema } from "./types.ts";

export interface ExtractOptions {
  signal?: AbortSignal;
  /** Wall clock, in milliseconds. */
  timeMs?: number;
  /** Memory, in MiB. */
  memoryMb?: number;
}

/** What the parser process needs of the system: libraries, and what the runtime asks of the kernel. */
const SYSTEM = ["/usr", "/lib", "/lib64", "/proc", "/sys/fs/cgroup", "/etc/ld.so.cache"];

/** Reads a document. Throws kind `usage` for one that cannot be read, with the reason, and kind `interrupted`. */
export async function extractDocument(path: string, options: ExtractOptions = {}): Promise<DocumentText> {
  const file = checked(path);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-document-")));
  try {
    const stdout = join(base, "answer.json");
    const { timeMs = PARSE_MS, memoryMb = PARSE_MEMORY_MB } = options;
    const result = await runCommand({
      argv: [...parserCommand(), DOCUMENT_FLAG, file],
      cwd: base,
      readable: readablePaths(file, base),
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

/** This program in its role as parser: the executable, or the sources of a checkout. */
function parserCommand(): string[] {
  const sources =
    embeddedScript("documents") === undefined ? [join(import.meta.dirname, "parse/entry.ts")] : [];
  return [process.execPath, ...sources];
}

function readablePaths(file: string, base: string): string[] {
  const sources =
    embeddedScript("documents") === undefined ? [realpathSync(join(import.meta.dirname, "../.."))] : [];
  return [...SYSTEM, file, base, ...sources].filter(
    (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  );
}

function answer(path: string, { exit }: CommandResult, stdout: string): DocumentText {
  if ("reason" in exit && exit.reason === "cancelled") {
    throw new AtomsmithError("interrupted", `reading ${basename(path)} was interrupted`);
  }
  if ("reason" in exit) throw unreadable(path, `reading it was stopped: ${exit.message}`);
  // No words of the process itself: what a dying one prints can be the document's.
  const parsed = parsedSchema.safeParse(readJson(stdout));
  if (!parsed.success) {
    const how = "signal" in exit ? exit.signal : `code ${exit.code}`;
    throw unreadable(
      path,
      `its reader ended with ${how} and no text: the file is damaged or takes too much memory`,
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
