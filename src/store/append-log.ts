// Append-only JSON lines: the journal and the stored model replies. A crash can leave a torn last line; opening the
// file cuts it off, so that the next line starts cleanly.
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { AtomsmithError } from "../core/errors.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { storeError } from "./atomic.ts";

const flushData = promisify(fdatasync);

/** One open file of JSON lines. Writes are synchronous, so lines keep the order of the calls. */
export class AppendLog {
  private fd: number | undefined;
  /** Size of the open file; this process is its only writer. */
  private size = 0;
  private closed = false;
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Appends one line; with `flush` it is on disk when this returns. Throws kind `store`, also after `close`: another
   * process may own the file by then. */
  append(value: unknown, flush = false): void {
    this.throwIfClosed();
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    try {
      if (this.fd === undefined) {
        this.fd = openRepaired(this.path);
        this.size = fstatSync(this.fd).size;
      }
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(this.fd, bytes, written);
      } catch (error) {
        ftruncateSync(this.fd, this.size); // a partial line would corrupt the next one
        throw error;
      }
      this.size += bytes.length;
      if (flush) fdatasyncSync(this.fd);
    } catch (error) {
      throw storeError(error, this.path);
    }
  }

  /** Appends one line immediately; resolves when it is on disk. The flush does not block the event loop, and several
   * files are flushed in parallel. Rejects with kind `store`. */
  async appendFlushed(value: unknown): Promise<void> {
    this.append(value);
    await this.flush();
  }

  /** Resolves when everything appended so far is on disk. */
  async flush(): Promise<void> {
    this.throwIfClosed();
    if (this.fd === undefined) return;
    try {
      await flushData(this.fd);
    } catch (error) {
      throw storeError(error, this.path);
    }
  }

  /** Closes the file for good; later writes throw. */
  close(): void {
    this.closed = true;
    if (this.fd === undefined) return;
    closeSync(this.fd);
    this.fd = undefined;
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.path);
  }
}

/** The error of a write after the end of its run. */
export function closedError(path: string): AtomsmithError {
  return new AtomsmithError("store", `${path} is closed: the run that wrote it has ended`, { where: path });
}

/** Opens for appending and cuts off a torn last line. */
function openRepaired(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "a+", 0o644);
  const size = fstatSync(fd).size;
  const keep = lengthOfWholeLines(fd, size);
  if (keep < size) ftruncateSync(fd, keep);
  return fd;
}

/** Length up to and including the last line feed, searched backwards from the end. */
function lengthOfWholeLines(fd: number, size: number): number {
  const block = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const read = readSync(fd, block, 0, end - start, start);
    const at = block.subarray(0, read).lastIndexOf(10);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

export interface LinesRead {
  values: JsonObject[];
  /** 1-based numbers of complete lines that are not JSON objects: damage, not a torn end. */
  damaged: number[];
  /** The last line is incomplete: the writer was killed. */
  torn: boolean;
}

/** Reads a file of JSON lines; a missing file counts as empty. */
export async function readLines(path: string): Promise<LinesRead> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { values: [], damaged: [], torn: false };
    throw storeError(error, path);
  }
  const result: LinesRead = { values: [], damaged: [], torn: text !== "" && !text.endsWith("\n") };
  const lines = text.split("\n");
  lines.pop(); // what follows the last line feed: empty, or the torn line
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    try {
      const value: unknown = JSON.parse(line);
      if (!isJsonObject(value)) throw new Error("not an object");
      result.values.push(value);
    } catch {
      result.damaged.push(index + 1);
    }
  });
  return result;
}
