// Lists that name the parts of a line in their order: how they are worded, and which part of the line each name gets.
import { expect, test } from "bun:test";
import type { Page } from "../../../src/author/offline/page/page.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { assign } from "../../../src/author/offline/parts/assign.ts";

function pageOf(...statements: string[]): Page {
  return readPage(statements.map((one) => `- ${one}`).join("\n"), "");
}

/** The text of the line that the value and each field get. */
function partsOf(page: Page): Record<string, string> {
  const [group] = page.groups;
  const line = group?.examples[0]?.lines[0] ?? "";
  const { placed } = assign(line, group?.value, group?.fields ?? [], page.lists);
  return Object.fromEntries(placed.map(({ hint, span }) => [hint.name, line.slice(span.start, span.end)]));
}

const LINE = "`17 ab12 west 4 9 0 east`";
const REST = ["**value**: the berth", "**Fields**: `number`, `draught`, `quay`"];
const WANTED = { berth: "west", number: "17", draught: "9", quay: "east" };

const WORDINGS: string[][] = [
  [`${LINE}: number, token, berth, lines, draught, spare, quay.`],
  [`${LINE} - number, token, berth, lines, draught, spare and quay.`],
  [`${LINE} (number, token, berth, lines, draught, spare, quay)`],
  [`${LINE}, i.e. number, token, berth, lines, draught, spare, quay.`],
  [`Number, token, berth, lines, draught, spare, quay: ${LINE}`],
  [`A row has the number, the token, the berth, the lines, the draught, a spare one and the quay: ${LINE}`],
  [`${LINE}`, "Columns: number, token, berth, lines, draught, spare, quay."],
  [`${LINE}`, "The columns are number, token, berth, lines, draught, spare and quay."],
  [`${LINE}`, "From left to right: number, token, berth, lines, draught, spare, quay."],
  [
    `${LINE}`,
    "Number, token, berth, lines, draught, spare and quay, in this order, are separated by blanks.",
  ],
  [`${LINE}`, "The first columns are number, token, berth, lines and draught, the last one is the quay."],
  [`${LINE}: number, then token, then berth, followed by lines, draught, spare, quay.`],
];

test.each(WORDINGS.map((one) => [one]))("parts named in their order: %p", (statements) => {
  expect(partsOf(pageOf(...statements, ...REST))).toEqual(WANTED);
});

test("marks and words between the names, several parts under one name, a list that is cut off", () => {
  expect(
    partsOf(
      pageOf(
        "`some thing.run:    kiln program, old`: name of the file, colon, kind.",
        "**value**: the name of the file",
        "**Fields**: `kind`",
      ),
    ),
  ).toEqual({ name: "some thing.run", kind: "kiln program, old" });
  expect(
    partsOf(
      pageOf(
        "`oak 3 5 8 tall 2201 9 0`: tree, three heights, stand, number; more follow.",
        "**value**: the stand",
        "**Fields**: `tree`, `number`",
      ),
    ),
  ).toEqual({ stand: "tall", tree: "oak", number: "2201" });
});

test("a condition, a sentence about the lines or a list of texts is no list of parts", () => {
  const page = pageOf(
    "`17 ab12 west 4`",
    "Lines with four columns describe a berth, lines with nine describe a ship, and others a quay.",
    "Only open, closed or broken berths are wanted.",
    ...REST,
  );
  expect(page.lists.filter(({ order }) => order !== undefined)).toEqual([]);
});
