// Which line the page counts a record by, in the wordings that people use for it.

import { expect, test } from "bun:test";
import { recordLines } from "../../../src/author/offline/page/record-line.ts";
import { statementsOf } from "../../../src/author/offline/page/text.ts";

/** What is told, `^` and what stands before it for words that only point to a line; `v` where the page speaks of the value. */
function toldIn(text: string): string {
  return recordLines(statementsOf(text))
    .map(
      (one) => (one.told === "" ? `^${(one.points ?? [])[0] ?? ""}` : one.told) + (one.ofValue ? " v" : ""),
    )
    .join(" | ");
}

const WORDINGS: [string, string][] = [
  ["Line number: the header line.", "the header line"],
  ["The line number is that of the pool line.", "the pool line"],
  ["Line: the settings, not the headline.", "the settings"],
  ["The item is reported at the `zone:` line.", "the `zone:` line"],
  ["A record sits on the line that names the layer.", "the line that names the layer"],
  ['An item belongs to the line with "Begin:".', 'the line with "Begin:"'],
  ["Records are counted at the first line of the block.", "the first line of the block"],
  ["The item has the number of this first line.", "this first line"],
  ["Use the line with the user as the line of the item.", "the line with the user"],
  ["Take the heading for the line.", "the heading"],
  ["The heading is the line to report.", "The heading"],
  ["The second line is the record.", "The second line"],
  ["The line of the error counts.", "The line of the error"],
  ["One item per metric line; more is not needed.", "metric line"],
  ["One record per `Node` line, reported there.", "`Node` line"],
  ["Each status line received is an item, and it is at that line.", "status line"],
  ["Its line is the header.", "the header"],
  ["The record's line is that of the result.", "the result"],
  ["- **value**: the pin; its line is the line of the item.", "^value: the pin; v"],
  ["- **value**: the name, `x` here; the item is reported at this line.", "^value: the name, `x` here; v"],
  ["- Value: the ID. Its line is the record's line.", "^Value: the ID. v"],
  ["- Value: the word behind `Unit`; report this line.", "^Value: the word behind `Unit`; v"],
  ["Count each record by its Device line.", "its Device line"],
  ["Report the line of the heading `Unit #4`.", "the heading `Unit #4`"],
  // Not about the line of a record.
  ["An item is shown on one line.", ""],
  ["Every line is an item.", ""],
  ["A line is an item if it has both keys.", ""],
  ["That line is not another record.", ""],
  ["- **Fields**: `count`, given at the end of the line.", ""],
  ["The last line counts the items.", ""],
];

for (const [text, told] of WORDINGS) {
  test(text, () => {
    expect(toldIn(text)).toBe(told);
  });
}
