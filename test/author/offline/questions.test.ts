// Where the examples are ambiguous the author asks, with the line and its readings, and writes nothing.
import { describe, expect, test } from "bun:test";
import { createOfflineAuthor } from "../../../src/author/offline/index.ts";
import type { GivenUp, LogicDraft } from "../../../src/author/types.ts";
import type { ParsedItem } from "../../../src/contract/atoms.ts";
import { readExample, type WorkedExample } from "../../../src/spec/example.ts";
import type { LogicSlice } from "../../../src/spec/types.ts";
import {
  drafted,
  ex,
  type LogFiles,
  one,
  type Page,
  parse,
  runAtom,
  withLogs,
} from "../../support/offline.ts";

async function questionOf(
  files: LogFiles,
  examples: readonly WorkedExample[],
  page?: Page,
): Promise<GivenUp> {
  const outcome = await parse(files, examples, page);
  if (outcome.kind !== "gave_up") throw new Error(`no question:\n${outcome.reasoning}`);
  expect(outcome.questions.length).toBeGreaterThan(0);
  return outcome;
}

/** The blocks of a question, as a reviewer would paste them. */
function blocksOf({ blocks = [] }: GivenUp): WorkedExample[] {
  return blocks.map(({ content }) => {
    const reading = readExample(content);
    if (!reading.ok) throw new Error(`${reading.message}\n${content}`);
    return reading.example;
  });
}

const LOG = [
  "10:00:01 store: disk sda1 is full",
  "10:00:02 sweeper: cache flushed",
  "10:00:03 store: disk sdb1 is full",
  "10:00:04 sweeper: nothing to do",
  "10:00:05 store: disk sdd1 is full",
].join("\n");
const FULL = [
  one("10:00:01 store: disk sda1 is full", "sda1"),
  one("10:00:03 store: disk sdb1 is full", "sdb1"),
];
const SWAPPED = "10:00:04 store: volume sdc1 is full";

describe("a line that differs from the examples in one word", () => {
  const files = { "disk.log": LOG.replace("10:00:04 sweeper: nothing to do", SWAPPED) };

  test("the question shows the file, the line and both readings", async () => {
    const question = await questionOf(files, FULL);
    expect(question.reasons.join()).toContain("disk.log:4");
    const [record, none] = blocksOf(question);
    expect(record?.text).toBe(SWAPPED);
    expect(record?.records.map(({ value }) => value.text)).toEqual(["sdc1"]);
    expect(none).toEqual({ text: SWAPPED, records: [] });
  });

  test("either answer leads to a program that follows it", async () => {
    const blocks = blocksOf(await questionOf(files, FULL));
    const lines = await Promise.all(
      blocks.map(async (block) => {
        const { atom_a } = drafted(await parse(files, [...FULL, block]));
        return runAtom(atom_a, files["disk.log"], "disk.log").map(({ line_number }) => line_number);
      }),
    );
    expect(lines).toEqual([
      [1, 3, 4, 5],
      [1, 3, 5],
    ]);
  });
});

test("both readings are shown when texts occur twice in a line", async () => {
  const log = ["move 7 7 done", "move 8 8 done", "move 3 5 done"].join("\n");
  const question = await questionOf({ "moves.log": log }, [
    one("move 7 7 done", "7"),
    one("move 8 8 done", "8"),
  ]);
  expect(question.reasons.join()).toContain("moves.log:3");
  const values = blocksOf(question).map(({ records }) => records.map(({ value }) => value.text));
  expect(values.sort()).toEqual([["3"], ["5"]]);
});

describe("examples that contradict each other", () => {
  test("a line that is both a record and not", async () => {
    const question = await questionOf({ "disk.log": LOG }, [
      one("10:00:01 store: disk sda1 is full", "sda1"),
      one("10:00:01 store: disk sda1 is full"),
    ]);
    expect(question.reasons.join()).toContain("disk sda1 is full");
    expect(question.blocks ?? []).toEqual([]);
  });

  test("a line with two values", async () => {
    const question = await questionOf({ "disk.log": LOG }, [
      one("10:00:01 store: disk sda1 is full", "sda1"),
      one("10:00:01 store: disk sda1 is full", "store"),
    ]);
    expect(question.reasons.join()).toContain("disk sda1 is full");
  });

  test("a text that is not in the example", async () => {
    const question = await questionOf({ "disk.log": LOG }, [
      one("10:00:01 store: disk sda1 is full", "sdz9"),
    ]);
    expect(question.reasons.join()).toContain("10:00:01 store: disk sda1 is full");
    expect(question.reasons.join()).toContain("does not contain");
  });
});

describe("examples that exclude lines", () => {
  test("all similar lines are excluded", async () => {
    const log = [
      "job build took 12 s on node a1",
      "job lint took 3 s on host b2",
      "job docs took 41 s on node a1",
      "job pack took 9 s on host b2",
      "job test took 80 s on host b7",
    ].join("\n");
    const examples = [
      one("job build took 12 s on node a1", "build", { seconds: "12" }),
      one("job lint took 3 s on host b2"),
    ];
    const { atom_a } = drafted(await parse({ "run.log": log }, examples));
    expect(runAtom(atom_a, log, "run.log").map(({ value }) => value)).toEqual(["build", "docs"]);
  });

  test("an excluded line that differs in one of a few texts leads to a choice", async () => {
    const rows = ["a.c fail 3", "b.c pass 9", "c.c fail 12", "d.c pass 1", "e.c fail 7"];
    const log = rows.map((row) => `case ${row}`).join("\n");
    const examples = [
      one("case a.c fail 3", "a.c", { state: "fail" }),
      one("case c.c fail 12", "c.c", { state: "fail" }),
      one("case b.c pass 9"),
    ];
    const { atom_a } = drafted(await parse({ "run.log": log }, examples));
    expect(runAtom(atom_a, log, "run.log").map(({ value }) => value)).toEqual(["a.c", "c.c", "e.c"]);
  });
});

describe("missing material", () => {
  test("without examples the question lists kinds of lines by frequency and an empty block", async () => {
    const { lines = [], ...question } = await questionOf({ "disk.log": LOG }, []);
    expect(lines[0]).toMatchObject({ file: "disk.log", line: 1, count: 3 });
    expect(lines.map(({ text }) => text)).toContain("10:00:02 sweeper: cache flushed");
    expect(blocksOf(question)[0]?.records[0]?.value.text).toBe("");
    expect(question.candidates).toEqual([]);
  });

  test("examples that only exclude lines lead to the same question", async () => {
    const question = await questionOf({ "disk.log": LOG }, [one("10:00:02 sweeper: cache flushed")]);
    expect(question.lines?.[0]).toMatchObject({ line: 1, count: 3 });
  });

  test("without a log of section 4.1 and without a found example, each file is shown with its first line", async () => {
    const files = { "a/one.txt": "\n\nfirst line\n", "two.txt": "second\n" };
    const question = await questionOf(files, [one("nowhere 1", "1")], { section_4_1: "`*.rpt`" });
    expect(question.reasons.join()).toContain("*.rpt");
    expect(question.lines).toEqual([
      { file: "a/one.txt", line: 3, text: "first line" },
      { file: "two.txt", line: 1, text: "second" },
    ]);
  });

  test("an empty folder leads to a question too", async () => {
    expect((await questionOf({}, FULL)).lines).toEqual([]);
  });

  test("a log not named in section 4.1 is found by an example", async () => {
    const outcome = drafted(await parse({ "deep/er/x.out": LOG }, FULL));
    expect(outcome.input_files?.join()).toContain("deep/er/x.out");
  });

  test("an example that is in no log still describes records, with letters and digits varied", async () => {
    const { atom_a } = drafted(
      await parse({ "disk.log": LOG }, [one("11:22:33 store: disk xyz9 is full", "xyz9")]),
    );
    expect(runAtom(atom_a, LOG, "disk.log").map(({ value }) => value)).toEqual(["sda1", "sdb1", "sdd1"]);
  });
});

describe("the logic", () => {
  const logic = (
    check: string | null,
    records: readonly ParsedItem[],
    examples: readonly WorkedExample[] = [],
  ) =>
    withLogs({ "disk.log": LOG }, examples, (context): Promise<LogicDraft | GivenUp> => {
      const slice: LogicSlice = {
        item_id: "OFF-1",
        section_2: "Needs `sda1` and `sdb1`.",
        section_3: "But not `sdc1`.",
        section_4_2: "",
        check,
      };
      const summary = { records: 0, files: 1, fields: {}, value_shapes: [], input_files: ["disk.log"] };
      return createOfflineAuthor().agentB(slice, "", summary, {
        ...context,
        records: async () => [...records],
      });
    });

  test("without a check block the question contains one filled with texts in backticks", async () => {
    const outcome = await logic(null, []);
    if (outcome.kind !== "gave_up") throw new Error("no question");
    expect(outcome.blocks?.[0]?.kind).toBe("check");
    expect(outcome.blocks?.[0]?.content).toContain("value: 2");
    expect(outcome.blocks?.[0]?.content).toContain("- sdc1");
  });

  test("a pattern found in a line but in no record is asked about, unless an example decides", async () => {
    const check = "requirements: {value: 1, pattern_items: [cache flushed]}\nwaivers: {value: N/A}";
    const outcome = await logic(check, []);
    if (outcome.kind !== "gave_up") throw new Error("no question");
    expect(outcome.reasons.join()).toContain("disk.log:2");
    expect(blocksOf(outcome).map(({ records }) => records.length)).toEqual([1, 0]);
    expect((await logic(check, [], [one("10:00:02 sweeper: cache flushed")])).kind).toBe("draft");
  });

  test("a finding of a gate is shown to the reviewer", async () => {
    const outcome = await withLogs({ "disk.log": LOG }, FULL, (context) =>
      createOfflineAuthor().reflectA(
        { item_id: "OFF-1", section_1: "", section_4_1: "", examples: FULL, witnesses: [] },
        {
          atom_a: "",
          errors: [{ gate: "gate4_evidence", atom: "atom_a", code: "x", message: "off by one" }],
          log_summary: "",
        } as never,
        context,
      ),
    );
    if (outcome.kind !== "gave_up") throw new Error("no question");
    expect(outcome.reasons).toContain("off by one");
  });

  test("hints are not read, and the question states this", async () => {
    const outcome = await withLogs({ "disk.log": LOG }, [], (context) =>
      createOfflineAuthor().agentA(
        { item_id: "OFF-1", section_1: "", section_4_1: "`*.log`", examples: [], witnesses: [] },
        { ...context, hints: ["take the disks"] },
      ),
    );
    if (outcome.kind !== "gave_up") throw new Error("no question");
    expect(outcome.reasons.join(" ")).toContain("hint was not read");
  });
});

test("an undecided record of several lines is shown with all its lines", async () => {
  const block = (kind: string, name: string, size: string): string => `${kind} cell ${name}\n  size ${size}`;
  const log = [block("open", "u1", "4"), block("open", "u2", "7"), block("stuck", "u3", "9")].join("\n\n");
  const question = await questionOf({ "cells.log": log }, [
    ex(`${block("open", "u1", "4")}\n---\nvalue: u1\nsize: 4`),
    ex(`${block("open", "u2", "7")}\n---\nvalue: u2\nsize: 7`),
  ]);
  expect(blocksOf(question)[0]?.text).toBe(block("stuck", "u3", "9"));
  expect(blocksOf(question)[0]?.records[0]?.fields.get("size")?.text).toBe("9");
});
