// Prices, spent tokens and cost limits.
import { describe, expect, test } from "bun:test";
import { AtomsmithError } from "../../src/core/errors.ts";
import type { EventBody } from "../../src/core/events.ts";
import { costOf, Ledger, priceOf, usageOfTurns } from "../../src/llm/budget.ts";
import type { AgentTurn } from "../../src/llm/turns.ts";
import { llmConfig, servicesFor } from "../support/llm.ts";

describe("costs and budgets", () => {
  test("an unpriced call does not disable the cost limit, and stored turns are priced again", () => {
    const limits = { tokens: undefined, costUsd: 1 };
    const usage = { input_tokens: 1e6, cached_tokens: 0, output_tokens: 0 };
    const ledger = new Ledger("item", limits, () => {}, { subject: "A-1" });
    ledger.add("agent_a", { usage, cost_usd: null });
    ledger.add("agent_a", { usage, cost_usd: 1.5 });
    expect(ledger.spent()).toMatchObject({ cost_usd: null, known_cost_usd: 1.5 });
    expect(ledger.exhausted()).toMatchObject({ what: "cost_usd", used: 1.5 });

    const turn = { role: "agent_a", reply: { usage, cost_usd: null, model: "m-2026-01-01" } } as AgentTurn;
    const prices = { m: { input: 2, output: 2 } };
    expect(usageOfTurns([turn, turn], prices, () => "m")).toMatchObject({ cost_usd: 4, known_cost_usd: 4 });
    expect(usageOfTurns([turn], prices, () => undefined)).toMatchObject({ cost_usd: null });
  });

  const reply = (input: number, output: number, cost: number | null) => ({
    usage: { input_tokens: input, cached_tokens: 0, output_tokens: output },
    cost_usd: cost,
  });

  test("the exact name of a model wins over a prefix, a longer prefix over a shorter one", () => {
    const prices = {
      "*": { input: 1, output: 1 },
      "m-*": { input: 2, output: 2 },
      "m-1": { input: 3, output: 3 },
    };
    expect(priceOf("m-1", prices)?.input).toBe(3);
    expect(priceOf("m-2", prices)?.input).toBe(2);
    expect(priceOf("x", prices)?.input).toBe(1);
    expect(priceOf("x", {})).toBeUndefined();
  });

  test("cached input without its own price costs as much as other input", () => {
    const usage = { input_tokens: 1_000_000, cached_tokens: 400_000, output_tokens: 0 };
    expect(costOf(usage, "m", { m: { input: 5, output: 1 } })).toBe(5);
    expect(costOf(usage, "m", { m: { input: 5, cached_input: 1, output: 1 } })).toBeCloseTo(3.4);
  });

  test("the token limit stops the next call with exit code 5 and is reported once", () => {
    const events: EventBody[] = [];
    const ledger = new Ledger("run", { tokens: 100, costUsd: undefined }, (event) => events.push(event));
    ledger.add("agent_a", reply(50, 30, null));
    ledger.check();
    ledger.add("agent_a", reply(10, 10, null));
    for (let i = 0; i < 2; i += 1) {
      try {
        ledger.check();
        throw new Error("not stopped");
      } catch (error) {
        expect(error).toBeInstanceOf(AtomsmithError);
        expect((error as AtomsmithError).exitCode).toBe(5);
      }
    }
    expect(events).toEqual([{ type: "budget", scope: "run", what: "tokens", used: 100, limit: 100 }]);
  });

  test("running calls count with their input", () => {
    const ledger = new Ledger("run", { tokens: undefined, costUsd: 1 }, () => undefined);
    const release = ledger.reserve(1000, 1.5);
    expect(ledger.exhausted()?.what).toBe("cost_usd");
    release();
    expect(ledger.exhausted()).toBeUndefined();
  });

  test("one unknown price makes the total unknown", () => {
    const ledger = new Ledger("item", { tokens: undefined, costUsd: undefined }, () => undefined);
    ledger.add("agent_a", reply(1, 1, 0.5));
    ledger.add("agent_b", reply(1, 1, null));
    expect(ledger.spent().cost_usd).toBeNull();
    expect(ledger.spentByRole()["agent_a"]?.cost_usd).toBe(0.5);
  });

  test("a cost limit without a price is an error at the start", () => {
    for (const limit of ["max_cost_usd", "max_cost_usd_per_item"]) {
      const config = llmConfig("http://127.0.0.1:9", { llm: { [limit]: 1 } });
      expect(() => servicesFor(config)).toThrow(/price of test-model is unknown/);
    }
  });
});
