// What a filter of a rule may compare: the interpreter and the emitted atom, run in the real sandbox, keep the same records.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createSandbox } from "../../../../sandbox/index.ts";
import type { Sandbox } from "../../../../sandbox/types.ts";
import { emitAtomA } from "../../../../src/author/offline/program/emit.ts";
import { interpret } from "../../../../src/author/offline/program/interpret.ts";
import type { GroupFilter, LineRule } from "../../../../src/author/offline/program/ir.ts";
import type { ParsedItem } from "../../../../src/contract/atoms.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
});
afterAll(async () => {
  await sandbox.close();
});

const LINES = [
  "kiln1 from=7 to=7 at=2031-04-05T09:59:59 v1.9.12 /srv/clay",
  "kiln2 from=7 to=12 at=2031-04-05T10:00:00 v1.10.2 /usr/glaze",
  "kiln3 from=12 to=7 at=2031-04-06T23:15:00 v2.0 /usr/Clay",
  "kiln4 from=none to=0 at=never v? -",
];

const RULE: LineRule = {
  kind: "line",
  alternatives: [
    {
      pattern:
        "^(?<kiln>\\S+) from=(?<from>\\S+) to=(?<to>\\S+) at=(?<at>\\S+) v(?<version>\\S+) (?<path>\\S+)$",
      projection: { value: { from: "group", group: "kiln" }, fields: [] },
      example: LINES[0] ?? "",
    },
  ],
  unless: [],
  filters: [],
};

const CLOCK = "(?<cut>\\d{2}:\\d{2}:\\d{2})";
const TABLE: [string, GroupFilter, string][] = [
  ["a time of day before", { group: "at", equals: ["10:00"], match: "before", cut: CLOCK }, "1"],
  ["a time of day since", { group: "at", equals: ["10:00"], match: "since", cut: CLOCK }, "23"],
  ["a moment until", { group: "at", equals: ["2031-04-05T10:00:00"], match: "until" }, "12"],
  ["a moment after", { group: "at", equals: ["2031-04-05T10:00:00"], match: "after" }, "3"],
  ["a version before", { group: "version", equals: ["1.10"], match: "before" }, "1"],
  [
    "not before: what has no numbers, too",
    { group: "version", equals: ["1.10"], match: "before", negate: true },
    "234",
  ],
  ["two groups in order", { group: "from", equals: [], than: "to", match: "before" }, "2"],
  ["two groups alike", { group: "from", equals: [], than: "to" }, "1"],
  ["two groups that differ", { group: "from", equals: [], than: "to", negate: true }, "234"],
  [
    "one of several conditions",
    {
      group: "path",
      equals: ["/srv/"],
      match: "prefix",
      or: [{ group: "to", equals: ["0"], match: "number" }],
    },
    "14",
  ],
  [
    "one of several that are turned",
    {
      group: "path",
      equals: ["/usr/"],
      match: "prefix",
      negate: true,
      or: [{ group: "from", equals: ["7"], match: "number", negate: true }],
    },
    "134",
  ],
  [
    "one of several groups, or another condition",
    {
      group: "from",
      also: ["to"],
      equals: ["10"],
      match: "above",
      or: [{ group: "path", equals: ["^/s"], match: "like", fold: true }],
    },
    "123",
  ],
  ["a piece of a text", { group: "path", equals: ["clay"], fold: true, cut: "^/usr/(?<cut>.*)$" }, "3"],
];

for (const [name, filter, kilns] of TABLE)
  test(`${name}: interpreter and atom agree`, async () => {
    const program = { title: "Kilns", rules: [{ ...RULE, filters: [filter] }] };
    const text = LINES.join("\n");
    const own = interpret(program, text).map((one) => one.value);
    expect(own).toEqual([...kilns].map((one) => `kiln${one}`));
    const session = await sandbox.open({ name: "atom_a.js", source: emitAtomA(program) });
    const outcome = await session.call("extract_context", [text, "kilns.log"]);
    await session.close();
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect((outcome.value as unknown as ParsedItem[]).map((one) => one.value)).toEqual(own);
  });
