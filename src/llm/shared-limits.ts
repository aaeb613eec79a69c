// Limits shared by several processes: concurrent calls per endpoint, and cost and tokens of their common work. They
// apply in addition to the ledgers and limiters of each process.

/** Usage of one call. */
export interface Spending {
  tokens: number;
  costUsd: number;
}

export interface SharedCall {
  /** Subject of the calling loop. */
  subject: string | undefined;
  /** Base URL of the server. */
  endpoint: string;
  /** Maximum concurrent calls of all processes. */
  maxCalls: number;
  /** Minimum usage of the call: its input. */
  reserve: Spending;
  signal: AbortSignal;
}

export interface SharedLimits {
  /** Resolves when the call may be made. Throws kind `budget` when the budget is exhausted, kind `store` when this process
   * no longer owns the subject. */
  enter(call: SharedCall): Promise<EnteredCall>;
}

export interface EnteredCall {
  /** Ends the call with its usage; `pauseMs`: the server asked all callers to wait. */
  leave(spent: Spending, pauseMs?: number): Promise<void>;
}
