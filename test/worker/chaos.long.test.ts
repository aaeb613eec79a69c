// Three workers under chaos leave what one machine leaves, and buy no reply twice beyond those under way. The bench
// `npm run bench -- worker` runs the same with 1,000 items. A seed is printed; ATOMSMITH_SEED repeats a run.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { removeProjects } from "../loops/item/scripted.ts";
import { chaos, contentOf } from "./chaos.ts";

const LONG = process.env["ATOMSMITH_LONG_TESTS"] === "1";
const SEED = Number(process.env["ATOMSMITH_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const ITEMS = LONG ? 200 : 24;
const CONCURRENCY = 3;

afterAll(removeProjects);

test(
  `${ITEMS} items on three workers under chaos end as on one machine (ATOMSMITH_SEED=${SEED})`,
  async () => {
    process.stderr.write(`chaos: ATOMSMITH_SEED=${SEED}\n`);
    const run = await chaos({
      items: ITEMS,
      workers: 3,
      concurrency: CONCURRENCY,
      seed: SEED,
      every: [600, 1_800],
      ...(LONG ? {} : { most: 6 }),
      replyMs: 80,
      compare: true,
    });
    expect([run.ended.code, run.ended.stderr, run.errors]).toEqual([
      0,
      expect.any(String),
      expect.any(String),
    ]);
    expect(run.states).toEqual({ done: ITEMS });
    expect(Math.min(run.kills, run.stops, run.restarts)).toBeGreaterThan(0);

    const { project, single } = run;
    expect([single?.ended.code, single?.ended.stderr]).toEqual([0, expect.any(String)]);
    const out = (name: string): string => join(project.root, name, "out");
    expect(contentOf(out("fleet"))).toEqual(contentOf(out("alone")));
    // Each disturbance can cost the replies that were under way, and none besides.
    const underWay = (run.kills + run.stops) * CONCURRENCY + run.restarts * 3 * CONCURRENCY;
    expect(run.requests).toBeLessThanOrEqual((single?.requests ?? 0) + underWay);
    expect(run.errors + run.ended.stdout + run.ended.stderr).not.toContain("not-to-be-shown");
  },
  LONG ? 900_000 : 120_000,
);
