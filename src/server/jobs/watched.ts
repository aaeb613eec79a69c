// A job whose command is running: its events are read as they are written, published to all clients, and summarized.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorDocumentSchema } from "../../contract/documents.ts";
import type { Hub } from "../events/hub.ts";
import { linesAfter } from "../events/tail.ts";
import type { Items } from "../items/items.ts";
import type { CommandFlags, ProgramRunner } from "../program.ts";
import { addUsage, type Job, type JobUsage, usageSchema } from "./record.ts";

/** Poll interval for the events of a running command, milliseconds. */
const POLL_MS = 150;
/** Maximum size of a document that is searched for an error. */
const MAX_DOCUMENT_BYTES = 64 * 2 ** 20;
/** Characters of stderr that are shown when the document is missing. */
const LAST_WORDS = 2_000;

const eventSchema = z.looseObject({
  type: z.string(),
  loop: z.string().nullable().optional(),
  subject: z.string().nullable().optional(),
});
const progressSchema = z.object({ what: z.string(), done: z.number(), total: z.number().nullable() });
const callSchema = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable(),
});
const finishedSchema = z.object({ totals: z.record(z.string(), z.number()) });

/** Events that may change the state of an item. */
const ITEM_STEPS = new Set(["item_started", "item_finished", "checkpoint"]);

/** The command of a job. */
export interface JobCall {
  words: readonly string[];
  flags: CommandFlags;
  env: Readonly<Record<string, string>>;
}

export interface JobEnd {
  exit: number;
  totals: Record<string, number>;
  usage: JobUsage;
  message: string | null;
}

export class WatchedJob {
  readonly ended: Promise<JobEnd>;
  progress: Job["progress"] = null;
  usage: JobUsage = usageSchema.parse(undefined);
  private totals: Record<string, number> = {};
  private readonly child: Bun.Subprocess<"ignore">;
  private readonly folder: string;
  private readonly id: string;
  private readonly hub: Hub;
  private readonly items: Items;
  private over = false;

  constructor(
    id: string,
    folder: string,
    hub: Hub,
    items: Items,
    run: ProgramRunner,
    { words, ...call }: JobCall,
  ) {
    this.id = id;
    this.folder = folder;
    this.hub = hub;
    this.items = items;
    const files = {
      stdout: join(folder, "result.json"),
      stderr: join(folder, "messages.txt"),
      events: join(folder, "events.jsonl"),
    };
    this.child = run.spawn(words, files, call);
    this.ended = this.watch();
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves when the command has ended. */
  async stop(graceMs: number): Promise<void> {
    if (this.over) return;
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), graceMs);
    await this.child.exited;
    clearTimeout(timer);
    await this.ended.catch(() => undefined);
  }

  private async watch(): Promise<JobEnd> {
    let at = 0;
    const read = async (): Promise<void> => {
      for (;;) {
        const { lines } = await linesAfter(join(this.folder, "events.jsonl"), at);
        if (lines.length === 0) return;
        for (const { text } of lines) this.take(text);
        at = lines.at(-1)?.end ?? at;
      }
    };
    while (this.child.exitCode === null && this.child.signalCode === null) {
      await read();
      await Promise.race([this.child.exited, Bun.sleep(POLL_MS)]);
    }
    await read();
    this.over = true;
    const exit = this.child.exitCode ?? 130;
    return { exit, totals: this.totals, usage: this.usage, message: await this.lastWords(exit) };
  }

  private take(line: string): void {
    let event: z.infer<typeof eventSchema>;
    try {
      event = eventSchema.parse(JSON.parse(line));
    } catch {
      return; // a line that was torn by a killed process
    }
    if (event.type === "progress") this.progress = progressSchema.safeParse(event).data ?? this.progress;
    const call = event.type === "model_call_finished" ? callSchema.safeParse(event).data : undefined;
    if (call !== undefined) this.usage = addUsage(this.usage, { calls: 1, ...call });
    if (event.type === "run_finished") this.totals = finishedSchema.safeParse(event).data?.totals ?? {};
    // Streamed replies are too many for all clients; the stream of the job has them.
    if (event.type !== "model_delta") this.hub.publish({ ...event, job: this.id });
    if (ITEM_STEPS.has(event.type) && event.loop === "item" && typeof event.subject === "string") {
      this.items.touch(event.subject);
    }
  }

  /** Why it failed. */
  private async lastWords(exit: number): Promise<string | null> {
    if ([0, 3, 7, 8, 130].includes(exit)) return null;
    const path = join(this.folder, "result.json");
    const size = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (size > 0 && size < MAX_DOCUMENT_BYTES) {
      try {
        const document = errorDocumentSchema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
        if (document !== undefined)
          return [document.error.message, document.error.hint].filter(Boolean).join(". ");
      } catch {
        // Truncated by a killed process: its messages say more.
      }
    }
    const messages = await readFile(join(this.folder, "messages.txt"), "utf8").catch(() => "");
    return messages.trim().slice(-LAST_WORDS) || `the command ended with exit code ${exit}`;
  }
}
