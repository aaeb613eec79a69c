// Limits of a whole fleet: concurrent calls per endpoint, and cost and tokens of a submission. They are enforced by
// the database with its clock: the row of the endpoint is locked while a slot is acquired, and a slot that its worker
// does not renew expires.
import { systemClock } from "../core/clock.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { EnteredCall, SharedCall, SharedLimits, Spending } from "../llm/shared-limits.ts";
import type { Query } from "../store/postgres/database.ts";
import type { Queue } from "./queue.ts";

/** A slot expires after this many seconds without renewal: its worker died or is stopped. */
const SLOT_SECONDS = 60;
/** Interval between attempts to acquire a slot, milliseconds. */
const RETRY_MS = { first: 20, longest: 500 };

export interface FleetLimitsOptions {
  queue: Queue;
  submission: string;
  worker: string;
  /** Throws kind `store` when the subject's job was taken over; called within the transaction that acquires the
   * slot. */
  hold(subject: string, query: Query): Promise<void>;
}

export class FleetLimits implements SharedLimits {
  private readonly options: FleetLimitsOptions;
  /** Endpoints with a committed row. */
  private readonly known = new Set<string>();

  constructor(options: FleetLimitsOptions) {
    this.options = options;
  }

  async enter(call: SharedCall): Promise<EnteredCall> {
    const id = crypto.randomUUID();
    for (let wait = RETRY_MS.first; ; wait = Math.min(RETRY_MS.longest, wait * 2)) {
      call.signal.throwIfAborted();
      const pause = await this.options.queue.db.transaction((query) => this.tryEnter(query, id, call));
      // Only after the commit: a lost connection rolls the insertion back.
      this.known.add(call.endpoint);
      if (pause === undefined)
        return { leave: (spent, pauseMs) => this.leave(id, call.endpoint, spent, pauseMs) };
      await systemClock.sleep(Math.max(pause, wait * (0.5 + Math.random())), call.signal);
    }
  }

  /** Acquires a slot, or returns the minimum time to wait in milliseconds. The row of the endpoint is locked by a
   * separate statement, so that the next one sees all slots acquired before. */
  private async tryEnter(query: Query, id: string, call: SharedCall): Promise<number | undefined> {
    const { submission, worker } = this.options;
    const { endpoint: url, maxCalls, reserve, subject } = call;
    if (subject !== undefined) await this.options.hold(subject, query);
    if (!this.known.has(url)) {
      await query("INSERT INTO atomsmith.endpoint (url) VALUES ($1) ON CONFLICT DO NOTHING", [url]);
    }
    const [endpoint] = await query<{ pause_ms: number }>(
      `SELECT greatest(0, extract(epoch FROM paused_until - clock_timestamp()) * 1000)::float8 AS pause_ms
       FROM atomsmith.endpoint WHERE url = $1 FOR UPDATE`,
      [url],
    );
    if ((endpoint?.pause_ms ?? 0) > 0) return endpoint?.pause_ms;
    const [row] = await query<Budget & { entered: boolean }>(
      `WITH calls AS (SELECT * FROM atomsmith.call WHERE until > clock_timestamp() AND id <> $1),
       budget AS (
         SELECT max_cost_usd AS max_cost, max_tokens::float8 AS max_tokens,
           s.cost_usd + coalesce((SELECT sum(cost_usd) FROM calls WHERE submission = s.id), 0) AS cost,
           (s.tokens + coalesce((SELECT sum(tokens) FROM calls WHERE submission = s.id), 0))::float8 AS tokens
         FROM atomsmith.submission AS s WHERE s.id = $3),
       entered AS (
         INSERT INTO atomsmith.call (id, url, submission, worker, tokens, cost_usd, until)
         SELECT $1::uuid, $2, $3::uuid, $4, $5::bigint, $6::float8, clock_timestamp() + $7 * interval '1 second' FROM budget
         WHERE (SELECT count(*) FROM calls WHERE url = $2) < $8
           AND coalesce(cost < max_cost, true) AND coalesce(tokens < max_tokens, true)
         ON CONFLICT (id) DO UPDATE SET until = excluded.until RETURNING id)
       SELECT budget.*, EXISTS (SELECT FROM entered) AS entered FROM budget`,
      [id, url, submission, worker, Math.round(reserve.tokens), reserve.costUsd, SLOT_SECONDS, maxCalls],
    );
    if (row === undefined)
      throw new AtomsmithError("store", `submission ${submission} no longer exists`, { where: submission });
    if (row.entered) return undefined;
    throwIfExhausted(row);
    return 0;
  }

  /** Releases a slot. Never throws: the reply was received, and an unreleased slot expires. An expired slot keeps its
   * row until its cost is recorded; without a row, this call repeats a commit whose answer was lost. */
  private async leave(id: string, url: string, spent: Spending, pauseMs: number | undefined): Promise<void> {
    const { queue, submission } = this.options;
    await queue.db
      .query(
        `WITH ended AS (DELETE FROM atomsmith.call WHERE id = $1 RETURNING id),
         paused AS (
           UPDATE atomsmith.endpoint SET paused_until =
             greatest(paused_until, clock_timestamp() + $6::float8 * interval '1 millisecond')
           WHERE url = $5 AND $6::float8 IS NOT NULL)
         UPDATE atomsmith.submission SET cost_usd = cost_usd + $3, tokens = tokens + $4
         WHERE id = $2 AND EXISTS (SELECT FROM ended)`,
        [id, submission, spent.costUsd, Math.round(spent.tokens), url, pauseMs ?? null],
      )
      .catch(() => undefined);
  }
}

type Budget = Record<"max_cost" | "max_tokens" | "cost" | "tokens", number | null>;

function throwIfExhausted({ max_cost, max_tokens, cost, tokens }: Budget): void {
  if (max_tokens !== null && (tokens ?? 0) >= max_tokens)
    throw budgetError(`${tokens} tokens of ${max_tokens} tokens`);
  if (max_cost !== null && (cost ?? 0) >= max_cost) {
    throw budgetError(`$${(cost ?? 0).toFixed(4)} of $${max_cost.toFixed(4)}`);
  }
}

function budgetError(how: string): AtomsmithError {
  return new AtomsmithError("budget", `the budget of this run is exhausted: ${how}`, {
    hint: "Finished work is kept. Raise the limit and run the same command again to continue.",
  });
}
