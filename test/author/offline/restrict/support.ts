// A small log with one rule for its lines, and what a sentence of the page leaves of its records.

import { makeHint } from "../../../../src/author/offline/page/make-hint.ts";
import type { Group, Page } from "../../../../src/author/offline/page/page.ts";
import { statementsOf } from "../../../../src/author/offline/page/text.ts";
import { interpretRule } from "../../../../src/author/offline/program/interpret.ts";
import type { LineRule } from "../../../../src/author/offline/program/ir.ts";
import { restrain } from "../../../../src/author/offline/restrict/index.ts";

/** A rule whose fields are groups of the same name. */
export function lineRule(
  pattern: string,
  value: string,
  fields: readonly string[],
  example: string | undefined,
): LineRule {
  return {
    kind: "line",
    alternatives: [
      {
        pattern,
        projection: {
          value: { from: "group", group: value },
          fields: fields.map((name) => ({ name, source: { from: "group", group: name } })),
        },
        example: example ?? "",
      },
    ],
    unless: [],
    filters: [],
  };
}

/** The hints of a value and its fields, with what the page says of a field. */
export function hintsOf(
  value: string,
  fields: readonly string[],
  described: Readonly<Record<string, string>> = {},
): Group {
  return {
    value: makeHint(value, ""),
    fields: fields.map((name) => makeHint(name, described[name] ?? "")),
    examples: [],
  } as unknown as Group;
}

/** The first letters of the values that the text of a page leaves, or "doubt". */
export function lettersLeft(text: string, rule: LineRule, group: Group, lines: readonly string[]): string {
  const page = {
    ...{ statements: statementsOf(text), sourceStatements: [], places: [], claims: [], files: [] },
    ...{ unwanted: [], rules: [], wishes: [], lists: [] },
  } as unknown as Page;
  const { rules, doubts } = restrain([rule], group, page, lines, new Set());
  if (doubts.length > 0) return "doubt";
  return rules
    .flatMap((one) => interpretRule(one, lines))
    .map(({ value }) => value.charAt(0))
    .join("");
}
