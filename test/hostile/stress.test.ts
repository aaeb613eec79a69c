// Mixed calls, a tenth hostile, four children. `npm test` runs 200 of them to stay short; the full 5,000 run with
// ATOMSMITH_STRESS_CALLS=5000, and in `npm run bench -- sandbox --stress`. docs/measurements/sandbox.md has the numbers.
import { expect, test } from "bun:test";
import { runStress } from "./stress.ts";

const calls = Number(process.env["ATOMSMITH_STRESS_CALLS"] ?? 200);

test(
  `${calls} mixed calls: no hang, no leak, no wrong answer`,
  async () => {
    // Other suites of this process may hold children of their own.
    const report = await runStress(10);
    const before = report.processesLeft;
    const full = await runStress(calls);
    expect(full.wrong).toEqual([]);
    expect(full.hostile).toBeGreaterThan(calls / 20);
    expect(full.outcomes["protocol"] ?? 0).toBe(0);
    expect(full.outcomes["unavailable"] ?? 0).toBe(0);
    expect(full.processesLeft).toBeLessThanOrEqual(before);
    expect(full.filesGrowth).toBeLessThanOrEqual(2);
    expect(full.memoryGrowthMb).toBeLessThan(200);
  },
  calls * 400 + 30_000,
);
