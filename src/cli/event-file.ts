// `--events FILE|-`: every event as a JSON line, written at once so that a reader sees all events even after a crash.
// Opened before anything else runs, so the file always exists.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { type Redact, redactDeep } from "../core/redact/index.ts";
import type { Io } from "./io.ts";

export interface EventSink {
  write(event: Event): void;
  /** Set when an event could not be written; the stream is incomplete then. */
  readonly problem: AtomsmithError | undefined;
  close(): void;
}

/** Opens the sink; `mask` is applied to every text of an event before it becomes JSON, so that every line is JSON. A file that cannot be opened is a `store` error. */
export function openEventSink(target: string, io: Io, mask: Redact): EventSink {
  if (target === "-") {
    return {
      write: (event) => io.stdout.write(line(event, mask)),
      problem: undefined,
      close: () => {},
    };
  }
  return new FileSink(resolve(io.cwd, target), mask);
}

function line(event: Event, mask: Redact): string {
  return `${JSON.stringify(redactDeep(event, mask))}\n`;
}

class FileSink implements EventSink {
  problem: AtomsmithError | undefined;
  private readonly path: string;
  private readonly mask: Redact;
  private fd: number | undefined;

  constructor(path: string, mask: Redact) {
    this.path = path;
    this.mask = mask;
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.fd = openSync(path, "w");
    } catch (error) {
      throw this.wrap(error);
    }
  }

  write(event: Event): void {
    if (this.fd === undefined || this.problem) return;
    try {
      const bytes = Buffer.from(line(event, this.mask));
      for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at);
    } catch (error) {
      this.problem = this.wrap(error);
    }
  }

  close(): void {
    if (this.fd === undefined) return;
    try {
      closeSync(this.fd);
    } catch (error) {
      this.problem ??= this.wrap(error);
    }
    this.fd = undefined;
  }

  private wrap(error: unknown): AtomsmithError {
    const reason = toAtomsmithError(error).message;
    return new AtomsmithError("store", `cannot write the events file ${this.path}: ${reason}`, {
      where: this.path,
      hint: "free disk space or choose another file with --events",
      cause: error,
    });
  }
}
