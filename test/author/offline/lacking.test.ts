// What records have although the page says that some lack it, and what they lack although all have it.
import { expect, test } from "bun:test";
import { lackings } from "../../../src/author/offline/doubts/lacking.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

function doubtsOf(pattern: string, fields: string[], prose: string, lines: string[]): string[] {
  const page = readPage(prose, "");
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  const projection = {
    value: { from: "group" as const, group: "name" },
    fields: fields.map((name) => ({ name, source: { from: "group" as const, group: name } })),
  };
  const rule: LineRule = {
    kind: "line",
    alternatives: [{ pattern, projection, example: "" }],
    unless: [],
    filters: [],
  };
  return lackings(rule, group, page, lines);
}

const FERRIES = ["ada at 4 [mail]", "bea at 7", "cleo at 9 [cars]"];
const PAGE = "Ferries.\n\n- **value**: the name.\n- **Fields**: `pier`, `load` (in brackets, often absent).";

test("a part that may be missing is required, and lines without it are not read", () => {
  const strict = "^(?<name>\\w+) at (?<pier>\\d+) \\[(?<load>\\w+)\\]";
  const [doubt] = doubtsOf(strict, ["pier", "load"], PAGE, FERRIES);
  expect(doubt).toContain("load may be missing");
  expect(doubt).toContain("bea at 7");
  const free = "^(?<name>\\w+) at (?<pier>\\d+)(?: \\[(?<load>\\w+)\\])?";
  expect(doubtsOf(free, ["pier", "load"], PAGE, FERRIES)).toEqual([]);
  expect(doubtsOf(strict, ["pier", "load"], PAGE, [FERRIES[0] ?? ""])).toEqual([]);
});

test("half of a pair of brackets in a value", () => {
  const page = "Mail.\n\n- **value**: the address.";
  expect(doubtsOf("for <?(?<name>\\S+)$", [], page, ["sent for <a@b>", "sent for c@d"]).join()).toContain(
    "a@b>",
  );
  expect(doubtsOf("for <?(?<name>[^>\\s]+)>?$", [], page, ["sent for <a@b>"])).toEqual([]);
});

test("a number without a digit", () => {
  const page = "Rules.\n\n- **value**: the number of the rule.";
  expect(doubtsOf("^rule (?<name>\\S+)", [], page, ["rule chain=in", "rule 4"]).join()).toContain("chain=in");
  expect(doubtsOf("^rule (?<name>\\S+)", [], page, ["rule 3", "rule 4"])).toEqual([]);
});
