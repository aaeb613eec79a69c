// Texts made from an atom's own expressions: for any expression they are made in bounded time and have bounded length.
import { expect, test } from "bun:test";
import { expansionOf, stringsOf } from "../../src/gates/probes.ts";

const SEED = 7;

test("an expression longer than any short text still gives texts", () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join("\\s+");
  const source = `^${words}\\s+(?<value>\\S+)$`;
  const texts = stringsOf({ source, flags: "", fromText: false, line: 1 }, SEED);
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toMatch(new RegExp(source));
});

test("an expression whose texts would fill the memory gives none", () => {
  for (const source of ["(?:(?:a{999}){999}){999}", "((((((a+)+)+)+)+)+)+", "(?:x{2,900}y){800}"]) {
    expect(expansionOf(source)).toBeGreaterThan(4_000);
    expect(stringsOf({ source, flags: "", fromText: false, line: 1 }, SEED)).toEqual([]);
  }
});

test("the length of the texts is counted by branches, classes and turns", () => {
  expect(expansionOf("abc")).toBe(3);
  expect(expansionOf("a|bcd|ef")).toBe(3);
  expect(expansionOf("[a-z\\]]{4}\\d")).toBe(5);
  expect(expansionOf("(?:ab){3}(?<n>c)?")).toBe(7);
  expect(expansionOf("a{2,5}")).toBe(5);
});
