// The mutation suite: no correct set is rejected, and a wrong set of every kind is caught by a gate that
// names the part at fault. The whole suite is `npm run bench -- gates`.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { AtomSources } from "../../src/contract/atoms.ts";
import type { GateReport } from "../../src/contract/gates.ts";
import { ProofCache, runGates } from "../../src/gates/index.ts";
import type { LoadedText } from "../../src/logio/text.ts";
import type { ItemSpec, WorkedExample } from "../../src/spec/index.ts";
import { pagesOf } from "../mutation/pages.ts";
import { type CorrectSet, correctSets, type WrongSet, wrongSets } from "../mutation/suite.ts";
import { sharedSandbox } from "../support/sandbox.ts";

setDefaultTimeout(90_000);
const correct = correctSets();
const wrong = wrongSets(correct);

/** As in a batch: an Atom B or C that many sets share is proved once. The bench proves it for each set. */
const proofs = new ProofCache();

async function validate(
  { declarations }: CorrectSet,
  sources: AtomSources,
  logs: LoadedText[],
  examples: readonly WorkedExample[],
  spec?: ItemSpec,
): Promise<GateReport> {
  const { signal } = new AbortController();
  const services = { sandbox: await sharedSandbox(), emit: () => {}, signal, proofs };
  return runGates(
    {
      itemId: "SUITE-1",
      sources,
      logs,
      examples,
      declarations,
      searchRoot: "/",
      seed: 20_260_101,
      ...(spec && { spec }),
    },
    services,
  );
}

/** One wrong set per kind of fault, so that a test run stays short. */
function chosen(): WrongSet[] {
  const seen = new Set<string>();
  return wrong.filter((set) => {
    const isNew = !seen.has(set.fault);
    seen.add(set.fault);
    return isNew;
  });
}

test("the suite is large enough, and every wrong set has a unique name", () => {
  expect(correct.length).toBeGreaterThanOrEqual(15);
  expect(wrong.length).toBeGreaterThanOrEqual(150);
  expect(new Set(wrong.map((set) => set.name)).size).toBe(wrong.length);
});

/** Sets of which every record is independent of other lines. */
const LINE_LOCAL = new Set([
  "audit-mark",
  "dont-use-cells",
  "file-list",
  "flow-steps",
  "json-lines",
  "report-references",
  "sign-off-labels",
  "spare-cells",
  "tool-versions",
  "unicode-parts",
  "whole-line-warnings",
]);

describe("correct sets are accepted, and called line-local only where it is true", () => {
  for (const set of correct) {
    test(`${set.name}: ${set.style}`, async () => {
      const report = await validate(set, set.sources, set.logs, set.examples);
      expect(report.errors).toEqual([]);
      expect(report.gates.gate4_examples).toBe(set.examples.length === 0 ? null : true);
      expect(report.facts.line_local === true).toBe(LINE_LOCAL.has(set.name));
    });
  }
});

test("a field that follows a heading is a question to the author of Atom A, not an error", async () => {
  const set = correct.find(({ name }) => name === "seat-pools");
  if (set === undefined) throw new Error("seat-pools is missing");
  const report = await validate(set, set.sources, set.logs, set.examples);
  const asked = report.suspicions.filter(({ code }) => code === "field_follows");
  expect(asked.map(({ atom }) => atom)).toEqual(["atom_a", "atom_a"]);
  expect(report.errors).toEqual([]);
});

describe("with pages that say the same in different words", () => {
  // One page for each set keeps a test run short; the bench runs all of them.
  for (const [i, set] of correct.entries()) {
    const pages = pagesOf(set);
    const page = pages[i % pages.length];
    if (page === undefined) continue;
    test(`${set.name}, page ${page.name}`, async () => {
      const { declarations, spec } = page;
      const report = await validate({ ...set, declarations }, set.sources, set.logs, set.examples, spec);
      expect(report.errors).toEqual([]);
    });
  }
});

describe("wrong sets are rejected", () => {
  for (const set of chosen()) {
    test(`${set.fault}: ${set.name}`, async () => {
      const report = await validate(set.base, set.sources, set.logs, set.base.examples);
      expect(report.valid).toBe(false);
      const changed = (["atom_a", "atom_b", "atom_c", "config"] as const).filter(
        (p) => set.sources[p] !== set.base.sources[p],
      );
      const blamed = new Set(report.errors.map((error) => error.atom));
      // A wrong `expect` shows in what Atom A finds; everything else is blamed on the part that was changed.
      if (set.fault !== "config_meaning") expect(changed.some((part) => blamed.has(part))).toBe(true);
    });
  }
});

describe("what only the gate of witnesses shows", () => {
  const codes: Record<string, string> = {
    "the witness occurs in no log": "witness_missing",
    "the witness occurs in one of two logs": "witness_missing",
    "the witness does not compile": "witness_invalid",
    "the witness matches any line": "witness_in_other_text",
    "the witness occurs in the message of a shell": "witness_in_other_text",
    "the witness repeats in the middle": "witness_before_end",
    "a record is the witness": "witness_is_record",
  };
  const sets = wrong.filter(({ fault }) => fault.startsWith("witness"));
  test("every rule has a wrong set", () => {
    expect(sets.map(({ name, base }) => name.slice(base.name.length + 2)).sort()).toEqual(
      Object.keys(codes).sort(),
    );
  });
  for (const set of sets) {
    test(set.name, async () => {
      const report = await validate(set.base, set.sources, set.logs, set.base.examples);
      const code = codes[set.name.slice(set.base.name.length + 2)];
      expect(
        report.errors.map((error) => [error.gate, error.atom, error.code as string | undefined]),
      ).toEqual([["gate4_witness", "config", code]]);
    });
  }
});

describe("what only the worked examples show", () => {
  for (const set of wrong.filter(({ fault }) => fault === "example")) {
    test(set.name, async () => {
      expect((await validate(set.base, set.sources, set.logs, [])).errors).toEqual([]);
      const report = await validate(set.base, set.sources, set.logs, set.base.examples);
      expect(report.errors.map(({ gate, atom, code }) => [gate, atom, code])).toContainEqual([
        "gate4_examples",
        "atom_a",
        "example_differs",
      ]);
    });
  }
});
