// Pages that say that a line has several records, and a rule that takes one from each.

import { expect, test } from "bun:test";
import { several } from "../../../src/author/offline/doubts/several.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

const RULE: LineRule = {
  kind: "line",
  alternatives: [
    {
      pattern: "^(?<row>\\w+): (?<crate>\\w+)",
      projection: {
        value: { from: "group", group: "crate" },
        fields: [{ name: "row", source: { from: "group", group: "row" } }],
      },
      example: "",
    },
  ],
  unless: [],
  filters: [],
};

function doubts(said: string): string[] {
  const page = readPage(
    `Broken crates of each row.\n\n- **value**: the crate.\n- **Fields**: \`row\`.\n- ${said}`,
    "`x.log`",
  );
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  return several([RULE], group, page);
}

test("a line may have several records", () => {
  for (const said of [
    "One item for each broken crate; a line may have several.",
    "A line can name several of them, each is an item.",
    "Each line lists more than one crate.",
    "The same line may hold two or more broken crates.",
    "There may be several crates on one line.",
  ])
    expect({ said, doubts: doubts(said).length }).toEqual({ said, doubts: 1 });
});

test("what else a line may have several of", () => {
  for (const said of [
    "A line may have several blanks behind the colon.",
    "A line may have several; only the first is wanted.",
    "One source line may carry several remarks.",
    "A line may not have several.",
  ])
    expect({ said, doubts: doubts(said) }).toEqual({ said, doubts: [] });
});
