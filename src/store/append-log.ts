// JSON lines that only grow: the journal and the stored model replies. A crash can tear the last line; opening
// repairs that by cutting it off, so that the next line does not stick to half of the one before.
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

/** One open file of JSON lines. Writing is synchronous, so lines keep the order of the calls. */
export class AppendLog {
  private fd: number | undefined;
  /** Bytes of the open file; nobody else writes to it. */
  private size = 0;
  private closed = false;
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Appends one line; with `flush` it is on the disk when this returns. Throws kind `store`, also for a log that
   * was closed: another process may own the file by then. */
  append(value: unknown, flush = false): void {
    this.throwIfClosed();
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    try {
      if (this.fd === undefined) {
        this.fd = openRepaired(this.path);
        this.size = fstatSync(this.fd).size;
      }
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at);
      } catch (error) {
        ftruncateSync(this.fd, this.size); // half a line would make the next one unreadable
        throw error;
      }
      this.size += bytes.length;
      if (flush) fdatasyncSync(this.fd);
    } catch (error) {
      throw storeError(error, this.path);
    }
  }

  /** Appends one line, at once; resolves when it is on the disk. Other work goes on while the disk is busy, and
   * lines of several files are flushed side by side. Rejects with kind `store`. */
  async appendFlushed(value: unknown): Promise<void> {
    this.append(value);
    await this.flush();
  }

  /** Resolves when everything appended so far is on the disk. */
  async flush(): Promise<void> {
    this.throwIfClosed();
    if (this.fd === undefined) return;
    try {
      await flushData(this.fd);
    } catch (error) {
      throw storeError(error, this.path);
    }
  }

  /** Final: the file is not opened again through this log. */
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

/** A write that came after the end of the run it belongs to. */
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

/** Bytes up to and with the last line feed, found from the end without reading the whole file. */
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
  /** 1-based numbers of lines in the middle that are no JSON object: damage, not a torn end. */
  damaged: number[];
  /** The last line had no end: the writer was killed. */
  torn: boolean;
}

/** Reads a file of JSON lines; a missing file has none. */
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
  lines.pop(); // after the last line feed: nothing, or the torn line
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    try {
      const value: unknown = JSON.parse(line);
      if (!isJsonObject(value)) throw new Error("no object");
      result.values.push(value);
    } catch {
      result.damaged.push(index + 1);
    }
  });
  return result;
}
