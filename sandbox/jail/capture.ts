// Keeps one output stream in a file with a bound: the beginning goes to the file as it comes, the end is held in
// memory and follows behind a line that says how much there was. Nothing is lost in between without being said.
import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { cutMark } from "../../src/core/limits.ts";

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** A captured stream. */
export interface Captured {
  path: string;
  /** Bytes that the command wrote, as far as they were read. */
  totalBytes: number;
  /** The middle was left out: the file holds the beginning, a line that says so, and the end. */
  truncated: boolean;
}

export class Capture {
  private readonly path: string;
  private readonly fd: number;
  private readonly headBytes: number;
  private readonly tailBytes: number;
  private total = 0;
  private tail: Uint8Array[] = [];
  private held = 0;

  /** Half of `bytes` is for the beginning, half for the end. The file has its name when it is complete. */
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
    this.held += rest.byteLength;
    for (let first = this.tail[0]; first !== undefined; first = this.tail[0]) {
      if (this.held - first.byteLength < this.tailBytes) break;
      this.held -= first.byteLength;
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
