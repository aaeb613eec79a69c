import { expect, test } from "bun:test";
import { editDistance, suggest } from "../../src/core/suggest.ts";

test("the distance counts insertions, deletions, replacements and swaps of neighbours", () => {
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("check", "chekc")).toBe(1);
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("same", "same")).toBe(0);
});

test("only near words are suggested", () => {
  const known = ["generate", "batch", "check", "validate"];
  expect(suggest("genrate", known)).toBe("generate");
  expect(suggest("CHECK", known)).toBe("check");
  expect(suggest("gen", known)).toBe("generate");
  expect(suggest("xyzzy", known)).toBeUndefined();
  expect(suggest("9", ["1", "2"])).toBeUndefined();
  expect(suggest("", known)).toBeUndefined();
});
