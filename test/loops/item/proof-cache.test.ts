// Sources shared by items of a run are proved once per seed, and only successful proofs are cached.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createSandbox } from "../../../sandbox/index.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { AtomSources } from "../../../src/contract/atoms.ts";
import { type GateInput, ProofCache, runGates } from "../../../src/gates/index.ts";
import { GOOD_A, GOOD_B, GOOD_C, GOOD_CONFIG, LOG, WRONG_B } from "./scripted.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
});
afterAll(() => sandbox.close());

const input = (over: Partial<AtomSources>, seed = 7): GateInput => ({
  itemId: "CLK-1",
  sources: { atom_a: GOOD_A, atom_b: GOOD_B, atom_c: GOOD_C, config: GOOD_CONFIG, ...over },
  logs: [
    {
      path: join("/logs", "clocks.rpt"),
      text: LOG,
      sha256: "",
      bytes: LOG.length,
      encoding: "utf-8",
      compressed: false,
    },
  ],
  searchRoot: "/logs",
  seed,
});

/** Runs the gates and counts the calls that reach the sandbox. */
async function run(
  what: GateInput,
  proofs: ProofCache,
): Promise<{ valid: boolean; gates: object; calls: number }> {
  let calls = 0;
  const counting: Sandbox = {
    ...sandbox,
    info: sandbox.info,
    close: () => sandbox.close(),
    open: async (program) => {
      const session = await sandbox.open(program);
      return {
        call: (fn, args, options) => {
          calls += 1;
          return session.call(fn, args, options);
        },
        callMany: (fn, lists, options) => {
          calls += lists.length;
          return session.callMany(fn, lists, options);
        },
        close: () => session.close(),
      };
    },
  };
  const services = { sandbox: counting, emit: () => {}, signal: new AbortController().signal, proofs };
  const { valid, gates } = await runGates(what, services);
  return { valid, gates, calls };
}

test("a second item with the same sources has the same verdict with a third of the calls", async () => {
  const proofs = new ProofCache();
  const first = await run(input({}), proofs);
  const second = await run(input({}), proofs);
  expect(first.valid).toBe(true);
  expect([second.valid, second.gates]).toEqual([first.valid, first.gates]);
  expect(second.calls).toBeLessThan(first.calls / 3);
  // Another seed needs another proof.
  const other = await run(input({}, 8), proofs);
  expect(other.calls).toBeGreaterThan(first.calls / 2);
}, 30_000);

test("failed proofs are not cached, and a proof of one source does not count for another", async () => {
  const proofs = new ProofCache();
  await run(input({}), proofs);
  for (let n = 0; n < 2; n++) {
    const wrong = await run(input({ atom_b: WRONG_B }), proofs);
    expect([wrong.valid, (wrong.gates as Record<string, boolean>)["gate2_alternatives"]]).toEqual([
      false,
      false,
    ]);
  }
  const changed = await run(
    input({ atom_c: `${GOOD_C.replace("is_match: true", "is_match: false")}` }),
    proofs,
  );
  expect(changed.valid).toBe(false);
}, 30_000);
