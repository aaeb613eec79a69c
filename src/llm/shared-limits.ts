// Limits that hold over several processes: calls at once per endpoint, cost and tokens of what they work on together.
// The ledgers and limiters of one process stay in force beside them.

/** What one call uses. */
export interface Spending {
  tokens: number;
  costUsd: number;
}

export interface SharedCall {
  /** The subject of the loop that calls. */
  subject: string | undefined;
  /** Base URL of the server. */
  endpoint: string;
  /** Calls at once, over all processes. */
  maxCalls: number;
  /** The least that the call costs: its input. */
  reserve: Spending;
  signal: AbortSignal;
}

export interface SharedLimits {
  /** Resolves when the call may be made. Throws kind `budget` when the budget is used up, kind `store` when the subject is
   * no longer this process's. */
  enter(call: SharedCall): Promise<EnteredCall>;
}

export interface EnteredCall {
  /** Ends the call with what it used; `pauseMs`: the server asked all callers to wait. */
  leave(spent: Spending, pauseMs?: number): Promise<void>;
}
