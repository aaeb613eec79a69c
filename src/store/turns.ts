// Stored model replies, `agent_turns.jsonl`. A reply counts as stored once its line is flushed, before anything
// acts on it; after a crash the same request is answered from here and costs nothing. What stands in a line is
// the business of the model layer; here it is an object of JSON.
import { rename } from "node:fs/promises";
import type { JsonObject } from "../core/json.ts";
import { AppendLog, closedError, readLines } from "./append-log.ts";
import { storeError } from "./atomic.ts";

export class TurnFile {
  private log: AppendLog;
  private closed = false;
  private readonly lines: JsonObject[];
  /** Numbers of lines that could not be read; their replies will be asked for again. */
  readonly damaged: number[];

  private constructor(path: string, lines: JsonObject[], damaged: number[]) {
    this.log = new AppendLog(path);
    this.lines = lines;
    this.damaged = damaged;
  }

  static async open(path: string): Promise<TurnFile> {
    const { values, damaged } = await readLines(path);
    return new TurnFile(path, values, damaged);
  }

  /** In the order they were stored. */
  all(): readonly JsonObject[] {
    return this.lines;
  }

  /** Resolves when the turn is on the disk. Rejects with kind `store`, also after `close`; then nothing of the line counts. */
  async append(turn: JsonObject): Promise<void> {
    await this.log.appendFlushed(turn);
    this.lines.push(turn);
  }

  /** Starts an empty log; the replies stored before stay readable in `agent_turns.previous.jsonl`. */
  async setAside(): Promise<void> {
    const { path } = this.log;
    if (this.closed) throw closedError(path);
    this.log.close();
    this.lines.length = 0;
    this.log = new AppendLog(path);
    try {
      await rename(path, path.replace(/\.jsonl$/, ".previous.jsonl"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storeError(error, path);
    }
  }

  /** Nothing can be appended any more; what was read stays readable. */
  close(): void {
    this.closed = true;
    this.log.close();
  }
}
