// What a careful reader does about a doubt: texts that a part is not are refused, readings that only cut a text are no rivals,
// numbers are read whole, and what the page's own example has is not ruled out.
import { expect, test } from "bun:test";
import { signsOf } from "../../../src/author/offline/doubts/seen/index.ts";
import { vetoes } from "../../../src/author/offline/doubts/vetoes.ts";
import { makeHint } from "../../../src/author/offline/page/make-hint.ts";
import { type Group, readPage } from "../../../src/author/offline/page/page.ts";
import { assign } from "../../../src/author/offline/parts/assign.ts";
import { isRival } from "../../../src/author/offline/parts/rivals.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";
import { withoutWrong } from "../../../src/author/offline/readers/second-look.ts";

function groupOf(page: string): Group {
  const [group] = readPage(page, "").groups;
  if (group === undefined) throw new Error("the page names no record");
  return group;
}

function ruleOf(pattern: string, fields: string[]): LineRule {
  const projection = {
    value: { from: "group" as const, group: "value" },
    fields: fields.map((name) => ({ name, source: { from: "group" as const, group: name } })),
  };
  return { kind: "line", alternatives: [{ pattern, projection, example: "" }], unless: [], filters: [] };
}

test("a part whose records are no texts for it is something else in the example", () => {
  const shown = "kc W5: [src/p.k 24/36] late";
  const group = groupOf(`Hints.\n\n- \`${shown}\`\n- **value**: the code.\n- **Fields**: \`line\`.`);
  const rule = ruleOf("^\\w+ (?<value>\\w+): \\[(?<line>\\S+)", ["line"]);
  const lines = ["kc W7: [src/a.k 3/4] late", "kc W9: [src/b.k 5/6] late"];
  const refused = withoutWrong(group, signsOf([rule], group, lines));
  expect(refused?.fields[0]?.refused).toEqual(["src/p.k"]);
  expect(refused?.value).toEqual(group.value);
  const placed = assign(shown, refused?.value, refused?.fields ?? [], []).placed;
  const line = placed.find(({ hint }) => hint.name === "line");
  expect(shown.slice(line?.span.start, line?.span.end)).not.toBe("src/p.k");
  // What the page shows for the part is the part, whatever an expression makes of it in other lines.
  const shownGroup = groupOf(
    `Hints.\n\n- \`${shown}\`\n- **value**: the code.\n- **Fields**: \`line\` (\`src/p.k\`).`,
  );
  expect(withoutWrong(shownGroup, signsOf([rule], shownGroup, lines))).toBeUndefined();
  // Nothing odd: the part stays what it is.
  expect(withoutWrong(group, [])).toBeUndefined();
});

const LINE = 'login of "ann@hill.example" at 10:20:30 via https://hill.example/in to gate';

function rival(best: string, other: string, description = ""): boolean {
  const span = (text: string): { start: number; end: number } => {
    const start = LINE.indexOf(text);
    return { start, end: start + text.length };
  };
  return isRival(LINE, makeHint("part", description), span(best), span(other));
}

test("a piece of a link, a time or an account is no rival of the whole", () => {
  expect(rival("https://hill.example/in", "https")).toBe(false);
  expect(rival("ann@hill.example", "ann")).toBe(false);
  expect(rival("10:20:30", "10")).toBe(false);
  expect(rival("10:20:30", "10:20:30 via")).toBe(false);
  expect(rival("ann@hill.example", "ann", "without the final dot")).toBe(false);
  const span = (text: string): { start: number; end: number } => ({
    start: LINE.indexOf(text),
    end: LINE.indexOf(text) + text.length,
  });
  const link = makeHint("link", "as written");
  expect(isRival(LINE, link, span("https://hill.example/in"), span("gate"))).toBe(false);
  const label = "Maker: Alto  Stand: B4 Serial No: 7";
  const at = label.indexOf("B4");
  const words = { start: at, end: at + "B4 Serial No".length };
  expect(isRival(label, makeHint("stand", ""), { start: at, end: at + 2 }, words)).toBe(false);
  // Unless the page asks for a piece.
  expect(rival("ann@hill.example", "ann", "the part before the at sign")).toBe(true);
  expect(rival("gate", "ann@hill.example")).toBe(true);
});

test("what the page's own example has is not ruled out by naming it", () => {
  const page = readPage(
    "Loads.\n\n- `run.k:8: $readx: end 16 is outside of 'rom'`\n- **value**: the memory.\n- Whatever else is said about `$readx` and `$ready` is ignored.\n- Lines with `harmless` are not wanted.",
    "",
  );
  expect(page.unwanted).toEqual(["harmless"]);
});

test("a text that the page shows for a part is no heading", () => {
  const page = groupOf(
    "Tests.\n\n- **value**: the test.\n- **Fields**: `suite` (first word in the brackets, AlphaTests).",
  );
  const rule = ruleOf("\\[(?<suite>\\w+) (?<value>\\w+)\\]", ["suite"]);
  expect(vetoes(rule, page, ["ran [AlphaTests test_a]", "ran [AlphaTests test_b]"])).toEqual([]);
});

test("texts that a page shows without quotes", () => {
  expect(makeHint("kind", "the kind of hint, e.g. LateArrival").literals).toEqual(["LateArrival"]);
  expect(makeHint("suite", "(first word in the brackets, AlphaTests)").literals).toEqual(["AlphaTests"]);
  expect(makeHint("task", "($readx, the dollar sign belongs to it)").literals).toEqual(["$readx"]);
  expect(makeHint("bound", "(which of the two ends, Start or Finish)").choices).toEqual(["Start", "Finish"]);
  expect(makeHint("kind", "the kind of hint, e.g. arrival").literals).toEqual([]);
  expect(makeHint("kind", "(that is one of WIDE GAP, NARROW GAP, NO GAP)").choices).toEqual([
    "WIDE GAP",
    "NARROW GAP",
    "NO GAP",
  ]);
});
