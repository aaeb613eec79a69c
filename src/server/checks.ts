// Results of the checks that the server ran: `result.json` of their jobs, read on demand, the newest cached.
import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import type { CheckDocument, CheckResult, ResultItem } from "../contract/results.ts";
import { AtomsmithError } from "../core/errors.ts";
import { refusal } from "./http/problem.ts";
import type { Jobs } from "./jobs/jobs.ts";

/** Cached documents and bytes of each; checks in the trend of an item and bytes of each. */
const LIMITS = { held: 3, bytes: 512 * 2 ** 20, trend: 12, trendBytes: 32 * 2 ** 20 };

export interface CheckRun {
  results: CheckResult[];
  byItem: ReadonlyMap<string, CheckResult>;
  comparison: unknown;
}

export class Checks {
  private readonly jobs: Jobs;
  private readonly held = new Map<string, Promise<CheckRun>>();
  /** Outcomes of the newest checks by item, for those that were read. */
  private readonly outcomes = new Map<string, { id: string; outcome: string; at: string }[]>();

  /** Checks whose outcomes were read. */
  private readonly seen = new Set<string>();

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** Throws a 404 for a job that is not a check or has no result. */
  async get(id: string): Promise<CheckRun> {
    const job = this.jobs.need(id);
    if (job.kind !== "check") throw refusal(404, `job ${id} is not a check`);
    if (!this.jobs.isOver(id)) throw refusal(409, `check ${id} is still running`);
    const known = this.held.get(id);
    if (known !== undefined) return known;
    const reading = this.read(id, job.finished_at ?? "");
    this.held.set(id, reading);
    reading.catch(() => this.held.delete(id));
    const [oldest] = this.held.keys();
    if (this.held.size > LIMITS.held && oldest !== undefined) this.held.delete(oldest);
    return reading;
  }

  /** Outcomes of an item in the newest checks, newest first. Each check is read once for it. */
  async of(itemId: string): Promise<{ id: string; outcome: string; at: string }[]> {
    const newest = this.jobs.list().filter(({ kind, state }) => kind === "check" && state === "finished");
    for (const { id, finished_at } of newest.slice(0, LIMITS.trend)) {
      if (this.seen.has(id)) continue;
      this.seen.add(id);
      const small = (await stat(this.jobs.filePath(id, "result.json")).catch(() => undefined))?.size ?? 0;
      if (small <= LIMITS.trendBytes) await this.read(id, finished_at ?? "").catch(() => undefined);
    }
    return this.outcomes.get(itemId) ?? [];
  }

  private async read(id: string, at: string): Promise<CheckRun> {
    const path = this.jobs.filePath(id, "result.json");
    const { size } = await stat(path);
    if (size > LIMITS.bytes) {
      throw new AtomsmithError("limit", `the result of check ${id} is too large to show (${size} bytes)`);
    }
    const document = z
      .looseObject({ results: z.array(z.looseObject({ item_id: z.string() })) })
      .safeParse(parse(await readFile(path, "utf8"))).data;
    if (document === undefined) throw refusal(404, `check ${id} has no results; see its messages`);
    const results = document.results as unknown as CheckResult[];
    for (const { item_id, outcome } of results) {
      const list = (this.outcomes.get(item_id) ?? []).filter((change) => change.id !== id);
      this.outcomes.set(
        item_id,
        [{ id, outcome, at }, ...list].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, 20),
      );
    }
    return {
      results,
      byItem: new Map(results.map((result) => [result.item_id, result])),
      comparison: document["comparison"] ?? null,
    };
  }
}

/** Logs that a result names. */
export function logsOf(result: CheckResult): string[] {
  const { result: document, diagnostics, parsed_items = [], input_files } = result;
  return [
    ...input_files,
    ...diagnostics.flatMap(({ file }) => file ?? []),
    ...parsed_items.map(({ source_file }) => source_file),
    ...(document === null ? [] : entriesOf(document).map(({ source_file }) => source_file)),
  ].filter((path) => path !== "");
}

function entriesOf(document: CheckDocument): ResultItem[] {
  const { found_items, missing_items, extra_items = [], waived = [] } = document;
  return [...found_items, ...missing_items, ...extra_items, ...waived].flatMap((entry) =>
    "source_file" in entry ? entry : [],
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
