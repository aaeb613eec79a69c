// Writes the files of a run below OUT/RUN_ID, atomically and with secrets masked.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Redact, redactDeep } from "../../core/redact/index.ts";
import { readTextIfAny, writeFileAtomic } from "../../store/atomic.ts";
import { type RunSummary, runSummarySchema } from "./schemas.ts";

export const SUMMARY_FILE = "run_summary.json";

export class Artifacts {
  /** Absolute path of OUT/RUN_ID. */
  readonly dir: string;
  private readonly redact: Redact;

  constructor(dir: string, redact: Redact) {
    this.dir = dir;
    this.redact = redact;
  }

  /** Path of a file of an attempt, relative to the folder of the run. */
  static inAttempt(attempt: number, name: string): string {
    return `attempt_${attempt}/${name}`;
  }

  /** Removes the files of an attempt that starts over. */
  async clearAttempt(attempt: number): Promise<void> {
    await rm(join(this.dir, `attempt_${attempt}`), { recursive: true, force: true });
  }

  async text(path: string, text: string): Promise<void> {
    await writeFileAtomic(join(this.dir, path), this.redact(text), { flush: false });
  }

  async json(path: string, value: unknown): Promise<void> {
    const text = `${JSON.stringify(redactDeep(value, this.redact), null, 2)}\n`;
    await writeFileAtomic(join(this.dir, path), text, { flush: false });
  }
}

/** The summary of a finished run; undefined if the run is not finished. */
export async function readSummary(runDir: string): Promise<RunSummary | undefined> {
  const text = await readTextIfAny(join(runDir, SUMMARY_FILE));
  if (text === undefined) return undefined;
  return runSummarySchema.parse(JSON.parse(text));
}
