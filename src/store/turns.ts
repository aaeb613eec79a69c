// Stored model replies, `agent_turns.jsonl`. A reply counts as stored once its line is flushed, before anything
// acts on it; after a crash the same request is answered from here and costs nothing.
import { rename } from "node:fs/promises";
import { AtomsmithError } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import { AppendLog, readLines } from "./append-log.ts";
import { storeError } from "./atomic.ts";

/** One exchange with a model. `key` is made by the caller of stage, iteration, index and request hash. */
export type StoredTurn = { key: string } & { [name: string]: JsonValue };

/** What the model layer needs of the store. */
export interface TurnLog {
  /** The reply stored under the key, or undefined. */
  findTurn(key: string): StoredTurn | undefined;
  /** Flushed to the disk before it returns. Throws kind `store`. */
  appendTurn(turn: StoredTurn): void;
}

export class FileTurnLog implements TurnLog {
  private readonly turns = new Map<string, StoredTurn>();
  private readonly log: AppendLog;
  /** Lines that could not be read; their replies will be asked for again. */
  readonly damaged: number[];

  private constructor(path: string, values: StoredTurn[], damaged: number[]) {
    this.log = new AppendLog(path);
    this.damaged = damaged;
    for (const turn of values) this.turns.set(turn.key, turn);
  }

  static async open(path: string): Promise<FileTurnLog> {
    const { values, damaged } = await readLines(path);
    return new FileTurnLog(
      path,
      values.filter((value): value is StoredTurn => typeof value["key"] === "string"),
      damaged,
    );
  }

  findTurn(key: string): StoredTurn | undefined {
    return this.turns.get(key);
  }

  appendTurn(turn: StoredTurn): void {
    this.log.append(turn, true);
    this.turns.set(turn.key, turn);
  }

  /** In the order they were stored. */
  all(): StoredTurn[] {
    return [...this.turns.values()];
  }

  /** Starts an empty log; the replies so far stay readable in `agent_turns.previous.jsonl`. */
  async setAside(): Promise<void> {
    this.log.close();
    this.turns.clear();
    try {
      await rename(this.log.path, this.log.path.replace(/\.jsonl$/, ".previous.jsonl"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storeError(error, this.log.path);
    }
  }

  close(): void {
    this.log.close();
  }
}

/** For authors that run without a store (tests, `doctor`): replies live as long as the process. */
export function memoryTurnLog(): TurnLog {
  const turns = new Map<string, StoredTurn>();
  return {
    findTurn: (key) => turns.get(key),
    appendTurn: (turn) => {
      if (turn.key === "") throw new AtomsmithError("internal", "a stored turn needs a key");
      turns.set(turn.key, turn);
    },
  };
}
