// Stored model replies, `agent_turns.jsonl`. A reply is flushed before anything acts on it; after a crash the same
// request is answered from here at no cost. The model layer defines the content of a line; here it is a JSON object.
import { rename } from "node:fs/promises";
import type { JsonObject } from "../core/json.ts";
import { AppendLog, closedError, readLines } from "./append-log.ts";
import { storeError } from "./atomic.ts";
import type { Turns } from "./types.ts";

export class TurnFile implements Turns {
  private log: AppendLog;
  private closed = false;
  private readonly lines: JsonObject[];
  /** Numbers of unreadable lines; their replies are requested again. */
  readonly damaged: number[];

  private readonly check: () => void;

  private constructor(path: string, lines: JsonObject[], damaged: number[], check: () => void) {
    this.log = new AppendLog(path);
    this.check = check;
    this.lines = lines;
    this.damaged = damaged;
  }

  /** @param check throws when this process may no longer write */
  static async open(path: string, check: () => void = () => undefined): Promise<TurnFile> {
    const { values, damaged } = await readLines(path);
    return new TurnFile(path, values, damaged, check);
  }

  /** In the order they were stored. */
  all(): readonly JsonObject[] {
    return this.lines;
  }

  /** Resolves when the turn is on disk. Rejects with kind `store`, also after `close`; the turn is then not stored. */
  async append(turn: JsonObject): Promise<void> {
    if (!this.closed) this.check();
    await this.log.appendFlushed(turn);
    this.lines.push(turn);
  }

  /** Starts an empty log; the earlier replies are kept in `agent_turns.previous.jsonl`. */
  async setAside(): Promise<void> {
    const { path } = this.log;
    if (this.closed) throw closedError(path);
    this.check();
    this.log.close();
    this.lines.length = 0;
    this.log = new AppendLog(path);
    try {
      await rename(path, path.replace(/\.jsonl$/, ".previous.jsonl"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storeError(error, path);
    }
  }

  /** Closes the log for writing; the turns read stay available. */
  close(): void {
    this.closed = true;
    this.log.close();
  }
}
