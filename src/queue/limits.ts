// Limits of a whole fleet: calls at once per endpoint, and cost and tokens of a submission. The database decides, with
// its clock: the row of the endpoint is locked while a place is taken, and a place that its worker no longer renews ends.
import { systemClock } from "../core/clock.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { EnteredCall, SharedCall, SharedLimits, Spending } from "../llm/shared-limits.ts";
import type { Query } from "../store/postgres/database.ts";
import type { Queue } from "./queue.ts";

/** A place that is not renewed ends after this many seconds: its worker died or is stopped. */
const PLACE_SECONDS = 60;
/** Between two looks for a free place, milliseconds. */
const LOOK_MS = { first: 20, longest: 500 };

export interface FleetLimitsOptions {
  queue: Queue;
  submission: string;
  worker: string;
  /** Throws kind `store` when the subject's job was taken over; asked within the transaction that takes the place. */
  hold(subject: string, query: Query): Promise<void>;
}

export class FleetLimits implements SharedLimits {
  private readonly o: FleetLimitsOptions;
  /** Endpoints that have a row. */
  private readonly known = new Set<string>();

  constructor(options: FleetLimitsOptions) {
    this.o = options;
  }

  async enter(call: SharedCall): Promise<EnteredCall> {
    const id = crypto.randomUUID();
    for (let wait = LOOK_MS.first; ; wait = Math.min(LOOK_MS.longest, wait * 2)) {
      call.signal.throwIfAborted();
      const pause = await this.o.queue.db.transaction((query) => this.tryEnter(query, id, call));
      // Only a committed row counts: a lost connection rolls the insertion back.
      this.known.add(call.endpoint);
      if (pause === undefined)
        return { leave: (spent, pauseMs) => this.leave(id, call.endpoint, spent, pauseMs) };
      await systemClock.sleep(Math.max(pause, wait * (0.5 + Math.random())), call.signal);
    }
  }

  /** Takes a place, or returns how long to wait at least, in milliseconds. The row of the endpoint is locked by a
   * statement of its own, so that the next one sees every place taken before. */
  private async tryEnter(query: Query, id: string, call: SharedCall): Promise<number | undefined> {
    const { submission, worker } = this.o;
    const { endpoint: url, maxCalls, reserve, subject } = call;
    if (subject !== undefined) await this.o.hold(subject, query);
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
      [id, url, submission, worker, Math.round(reserve.tokens), reserve.costUsd, PLACE_SECONDS, maxCalls],
    );
    if (row === undefined)
      throw new AtomsmithError("store", `submission ${submission} is gone`, { where: submission });
    if (row.entered) return undefined;
    throwIfUsedUp(row);
    return 0;
  }

  /** Never throws: the reply is there, and a place that was not given back ends by itself. A place whose time is over keeps
   * its row until it is paid for; without one this is the repetition of a commit whose answer was lost. */
  private async leave(id: string, url: string, spent: Spending, pauseMs: number | undefined): Promise<void> {
    const { queue, submission } = this.o;
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

function throwIfUsedUp({ max_cost, max_tokens, cost, tokens }: Budget): void {
  if (max_tokens !== null && (tokens ?? 0) >= max_tokens)
    throw usedUp(`${tokens} tokens of ${max_tokens} tokens`);
  if (max_cost !== null && (cost ?? 0) >= max_cost) {
    throw usedUp(`$${(cost ?? 0).toFixed(4)} of $${max_cost.toFixed(4)}`);
  }
}

function usedUp(how: string): AtomsmithError {
  return new AtomsmithError("budget", `the budget of this run is used up: ${how}`, {
    hint: "Finished work is kept. Raise the limit and run the same command again to continue.",
  });
}
