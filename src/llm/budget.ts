// Cost and tokens spent by the run and by each subject of a loop, and their limits. A limit stops new calls, never a
// running one, so no paid reply is lost. Prices come from the configuration only.
import type { Config } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import { type AgentTurn, addUsage, NO_USAGE, type UsageTotal } from "./turns.ts";
import type { ChatReply, Usage } from "./types.ts";

export type Prices = Config["llm"]["prices"];

/** Price of a model: the entry with its exact name, else the longest matching entry that ends in `*`. */
export function priceOf(model: string, prices: Prices): Prices[string] | undefined {
  const exact = prices[model];
  if (exact) return exact;
  const candidates = Object.keys(prices)
    .filter((name) => name.endsWith("*") && model.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return candidates[0] === undefined ? undefined : prices[candidates[0]];
}

/** Cost of a reply in US dollars; null when the model has no price. Cached input without its own price costs as much as
 * other input. */
export function costOf(usage: Usage, model: string, prices: Prices): number | null {
  const price = priceOf(model, prices);
  if (!price) return null;
  const uncached = Math.max(0, usage.input_tokens - usage.cached_tokens);
  const cached = usage.cached_tokens * (price.cached_input ?? price.input);
  return (uncached * price.input + cached + usage.output_tokens * price.output) / 1e6;
}

/** Cost of stored turns at current prices, which may include a model that had no price at the time of the call. If the
 * model named in the reply has no price, that of the configured model is used.
 * @param configuredModel the configured model of a role */
export function usageOfTurns(
  turns: readonly AgentTurn[],
  prices: Prices,
  configuredModel: (role: string) => string | undefined,
): UsageTotal {
  return turns.reduce((total, { role, reply }) => {
    const model = configuredModel(role);
    const cost =
      costOf(reply.usage, reply.model, prices) ??
      (model === undefined ? null : costOf(reply.usage, model, prices)) ??
      reply.cost_usd;
    return addUsage(total, { usage: reply.usage, cost_usd: cost });
  }, NO_USAGE);
}

export interface BudgetLimits {
  tokens: number | undefined;
  costUsd: number | undefined;
}

/** Spending of one scope (the run, or one subject of a loop), including the minimum cost of its running calls. */
export class Ledger {
  private total: UsageTotal;
  private readonly byRole = new Map<string, UsageTotal>();
  private runningTokens = 0;
  private runningCost = 0;
  private announced = false;
  private readonly scope: string;
  private readonly limits: BudgetLimits;
  private readonly emit: Emit;
  private readonly subject: string | undefined;

  /** @param scope `run`, or the name of the subject's loop */
  constructor(
    scope: string,
    limits: BudgetLimits,
    emit: Emit,
    options: { subject?: string; spent?: UsageTotal } = {},
  ) {
    this.scope = scope;
    this.limits = limits;
    this.emit = emit;
    this.subject = options.subject;
    this.total = options.spent ?? NO_USAGE;
  }

  spent(): UsageTotal {
    return this.total;
  }

  spentByRole(): Record<string, UsageTotal> {
    return Object.fromEntries(this.byRole);
  }

  /** The exhausted limit, if any: no new call and no new item may start. */
  exhausted(): { what: "tokens" | "cost_usd"; used: number; limit: number } | undefined {
    const { tokens, costUsd } = this.limits;
    const usedTokens = this.total.input_tokens + this.total.output_tokens + this.runningTokens;
    if (tokens !== undefined && usedTokens >= tokens) {
      return { what: "tokens", used: usedTokens, limit: tokens };
    }
    const usedCost = this.total.known_cost_usd + this.runningCost;
    if (costUsd !== undefined && usedCost >= costUsd) {
      return { what: "cost_usd", used: usedCost, limit: costUsd };
    }
    return undefined;
  }

  /** Throws a `budget` error when a limit is exhausted. */
  check(): void {
    const exceeded = this.exhausted();
    if (!exceeded) return;
    if (!this.announced) this.emit({ type: "budget", scope: this.scope, ...exceeded });
    this.announced = true;
    const amount = (value: number): string =>
      exceeded.what === "tokens" ? `${Math.round(value)} tokens` : `$${value.toFixed(4)}`;
    const whose = this.subject === undefined ? `this ${this.scope}` : `${this.scope} ${this.subject}`;
    throw new AtomsmithError(
      "budget",
      `the budget of ${whose} is exhausted: ${amount(exceeded.used)} of ${amount(exceeded.limit)}`,
      {
        ...(this.subject === undefined ? {} : { where: this.subject }),
        hint: "Finished work is kept. Raise the limit and run the same command again to continue.",
      },
    );
  }

  /** Counts the input of a call as spent while it runs. Returns the function that ends the reservation. */
  reserve(inputTokens: number, costUsd: number): () => void {
    this.runningTokens += inputTokens;
    this.runningCost += costUsd;
    return () => {
      this.runningTokens -= inputTokens;
      this.runningCost -= costUsd;
    };
  }

  add(role: string, reply: Pick<ChatReply, "usage" | "cost_usd">): void {
    this.total = addUsage(this.total, reply);
    this.byRole.set(role, addUsage(this.byRole.get(role) ?? NO_USAGE, reply));
  }
}
