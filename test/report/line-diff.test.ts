import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines } from "../../src/report/line-diff.ts";

const signs = { same: " ", added: "+", removed: "-" } as const;
const show = (before: string, after: string): string[] =>
  diffLines(before, after).map((line) => `${signs[line.change]}${line.text}`);

test("kept, removed and added lines are marked", () => {
  expect(show("a\nb\nc\n", "a\nx\nc\n")).toEqual([" a", "-b", "+x", " c"]);
  expect(show("", "a\n")).toEqual(["+a"]);
  expect(show("a\nb", "")).toEqual(["-a", "-b"]);
  expect(show("same\n", "same\n")).toEqual([" same"]);
});

test("both sides can be restored from the difference, whatever the texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "", "d d"), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const text = (all: string[]): string => all.map((line) => `${line}\n`).join("");
      const diff = diffLines(text(before), text(after));
      const side = (gone: "added" | "removed"): string[] =>
        diff.filter((line) => line.change !== gone).map((line) => line.text);
      expect(side("added")).toEqual(before);
      expect(side("removed")).toEqual(after);
    }),
    { numRuns: 300 },
  );
});

test("texts over the limit are shown as replaced, without delay", () => {
  const big = (mark: string): string => Array.from({ length: 5000 }, (_, n) => `${mark}${n}`).join("\n");
  const diff = diffLines(big("a"), big("b"));
  expect(diff).toHaveLength(10_000);
});
