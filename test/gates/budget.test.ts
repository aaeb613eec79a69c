// The gates of one set end within their budget with any atom, and report which atom used it.
import { describe, expect, test } from "bun:test";
import { runGates } from "../../src/gates/index.ts";
import { sharedSandbox } from "../support/sandbox.ts";
import { codes, VERSIONS, VERSIONS_LOG } from "./helpers.ts";

const WORK = "for (let i = 0, x = 0; i < 4e8; i++) x += i;";

async function within(budgetMs: number, parts: Partial<typeof VERSIONS>) {
  const started = performance.now();
  const report = await runGates(
    { itemId: "T", sources: { ...VERSIONS, ...parts }, logs: [VERSIONS_LOG], searchRoot: "/logs", seed: 1 },
    { sandbox: await sharedSandbox(), emit: () => {}, signal: new AbortController().signal, budgetMs },
  );
  return { report, ms: performance.now() - started };
}

describe("a budget of time", () => {
  test("an Atom B that answers slowly costs the budget and is named with its input", async () => {
    const slow = VERSIONS.atom_b.replace(/(function validate_logic\([^{]*\{)/, `$1 ${WORK}`);
    const { report, ms } = await within(3_000, { atom_b: slow });
    expect(ms).toBeLessThan(12_000);
    const spent = report.errors.find(({ code }) => code === "budget_spent");
    expect(spent).toMatchObject({ gate: "gate4_scaling", atom: "atom_b" });
    expect(spent?.example).toBeDefined();
  });

  test("a slow Atom A is named", async () => {
    const slow = VERSIONS.atom_a.replace("const items = [];", `const items = []; ${WORK}`);
    const { report } = await within(3_000, { atom_a: slow });
    expect(codes(report)).toContain("gate4_scaling budget_spent");
    expect(report.errors.find(({ code }) => code === "budget_spent")?.atom).toBe("atom_a");
  });

  test("a budget that is too small for a right set: the time is named, and no decision of the code", async () => {
    const found = new Set<string>();
    for (const ms of [10, 40, 80, 120, 160, 200]) {
      const { report } = await within(ms, {});
      for (const { code } of report.errors) found.add(code);
    }
    expect([...found]).toEqual(["budget_spent"]);
    const { report } = await within(0, {});
    expect(report.errors[0]?.message).toContain("execution.gate_budget");
  });

  test("a right set has time enough", async () => {
    expect((await within(60_000, {})).report.errors).toEqual([]);
  });
});
