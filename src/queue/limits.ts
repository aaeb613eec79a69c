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

  constructor(options: FleetLimitsOptions) {
    this.o = options;
  }

  async enter(call: SharedCall): Promise<EnteredCall> {
    const id = crypto.randomUUID();
    for (let wait = LOOK_MS.first; ; wait = Math.min(LOOK_MS.longest, wait * 2)) {
      call.signal.throwIfAborted();
      const pause = await this.o.queue.db.transaction((query) => this.tryEnter(query, id, call));
      if (pause === undefined)
        return { leave: (spent, pauseMs) => this.leave(id, call.endpoint, spent, pauseMs) };
      await systemClock.sleep(Math.max(pause, wait * (0.5 + Math.random())), call.signal);
    }
  }

  /** Takes a place, or returns how long to wait at least, in milliseconds. */
  private async tryEnter(query: Query, id: string, call: SharedCall): Promise<number | undefined> {
    const { submission, worker } = this.o;
    if (call.subject !== undefined) await this.o.hold(call.subject, query);
    await query("INSERT INTO atomsmith.endpoint (url) VALUES ($1) ON CONFLICT DO NOTHING", [call.endpoint]);
    const [endpoint] = await query<{ pause_ms: number }>(
      `SELECT greatest(0, extract(epoch FROM paused_until - clock_timestamp()) * 1000)::float8 AS pause_ms
       FROM atomsmith.endpoint WHERE url = $1 FOR UPDATE`,
      [call.endpoint],
    );
    if ((endpoint?.pause_ms ?? 0) > 0) return endpoint?.pause_ms;
    const [running] = await query<{ calls: number }>(
      "SELECT count(*)::int AS calls FROM atomsmith.call WHERE url = $1 AND until > clock_timestamp() AND id <> $2",
      [call.endpoint, id],
    );
    if ((running?.calls ?? 0) >= call.maxCalls) return 0;
    await this.checkBudget(query);
    await query(
      `INSERT INTO atomsmith.call (id, url, submission, worker, tokens, cost_usd, until)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 second') ON CONFLICT DO NOTHING`,
      [
        id,
        call.endpoint,
        submission,
        worker,
        Math.round(call.reserve.tokens),
        call.reserve.costUsd,
        PLACE_SECONDS,
      ],
    );
    return undefined;
  }

  /** What has been spent, and what the running calls cost at least. */
  private async checkBudget(query: Query): Promise<void> {
    const [row] = await query<Record<"max_cost" | "max_tokens" | "cost" | "tokens", number | null>>(
      `SELECT max_cost_usd AS max_cost, max_tokens::float8 AS max_tokens,
         s.cost_usd + coalesce(sum(c.cost_usd), 0) AS cost, (s.tokens + coalesce(sum(c.tokens), 0))::float8 AS tokens
       FROM atomsmith.submission AS s LEFT JOIN atomsmith.call AS c ON c.submission = s.id AND c.until > clock_timestamp()
       WHERE s.id = $1 GROUP BY s.id`,
      [this.o.submission],
    );
    if (row === undefined) return;
    const { max_cost, max_tokens, cost, tokens } = row;
    if (max_tokens !== null && (tokens ?? 0) >= max_tokens)
      throw usedUp(`${tokens} tokens of ${max_tokens} tokens`);
    if (max_cost !== null && (cost ?? 0) >= max_cost) {
      throw usedUp(`$${(cost ?? 0).toFixed(4)} of $${max_cost.toFixed(4)}`);
    }
  }

  /** Never throws: the reply is there, and a place that was not given back ends by itself. */
  private async leave(
    id: string,
    endpoint: string,
    spent: Spending,
    pauseMs: number | undefined,
  ): Promise<void> {
    const { queue, submission } = this.o;
    await queue.db
      .transaction(async (query) => {
        const left = await query("DELETE FROM atomsmith.call WHERE id = $1 RETURNING id", [id]);
        // Gone already: a commit whose answer was lost. A place that ended by time keeps its row until it is paid for.
        if (left.length > 0) {
          await query(
            "UPDATE atomsmith.submission SET cost_usd = cost_usd + $2, tokens = tokens + $3 WHERE id = $1",
            [submission, spent.costUsd, Math.round(spent.tokens)],
          );
        }
        if (pauseMs !== undefined) {
          await query(
            "UPDATE atomsmith.endpoint SET paused_until = greatest(paused_until, clock_timestamp() + $2 * interval '1 millisecond') WHERE url = $1",
            [endpoint, pauseMs],
          );
        }
      })
      .catch(() => undefined);
  }
}

function usedUp(how: string): AtomsmithError {
  return new AtomsmithError("budget", `the budget of this run is used up: ${how}`, {
    hint: "Finished work is kept. Raise the limit and run the same command again to continue.",
  });
}
