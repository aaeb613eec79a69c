// Captures one output stream to a file of bounded size: the beginning is written at once, the end is held in memory
// and appended after a line that states the full size. Anything left out in between is reported.
import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { cutMark } from "../../src/core/limits.ts";

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** A captured stream. */
export interface Captured {
  path: string;
  /** Bytes read from the command. */
  totalBytes: number;
  /** The middle was cut: the file holds the beginning, a line that says so, and the end. */
  truncated: boolean;
}

export class Capture {
  private readonly path: string;
  private readonly fd: number;
  private readonly headBytes: number;
  private readonly tailBytes: number;
  private total = 0;
  private tail: Uint8Array[] = [];
  private tailSize = 0;

  /** Keeps half of `bytes` for the beginning and half for the end. The file gets its final name when complete. */
  constructor(path: string, bytes: number) {
    this.path = path;
    this.fd = openSync(`${path}.partial`, O_CREAT | O_TRUNC | O_WRONLY | (O_NOFOLLOW ?? 0), 0o600);
    this.headBytes = Math.ceil(bytes / 2);
    this.tailBytes = bytes - this.headBytes;
  }

  get totalBytes(): number {
    return this.total;
  }

  add(chunk: Uint8Array): void {
    const room = Math.max(0, this.headBytes - this.total);
    this.total += chunk.byteLength;
    if (room > 0) writeAll(this.fd, chunk.subarray(0, room));
    if (chunk.byteLength <= room) return;
    const rest = chunk.slice(room);
    this.tail.push(rest);
    this.tailSize += rest.byteLength;
    for (let first = this.tail[0]; first !== undefined; first = this.tail[0]) {
      if (this.tailSize - first.byteLength < this.tailBytes) break;
      this.tailSize -= first.byteLength;
      this.tail.shift();
    }
  }

  /** Completes the file. */
  finish(): Captured {
    const tail = Buffer.concat(this.tail);
    const kept = tail.subarray(Math.max(0, tail.byteLength - this.tailBytes));
    const truncated = this.total > this.headBytes + kept.byteLength;
    if (truncated) writeAll(this.fd, Buffer.from(`\n${cutMark(this.total)}\n`));
    writeAll(this.fd, kept);
    fsyncSync(this.fd);
    closeSync(this.fd);
    renameSync(`${this.path}.partial`, this.path);
    return { path: this.path, totalBytes: this.total, truncated };
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.byteLength) done += writeSync(fd, bytes, done);
}
