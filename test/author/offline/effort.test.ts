// Expressions that would try for hours are told from those that only look busy.
import { expect, test } from "bun:test";
import { isTooFree, withoutCommas } from "../../../src/author/offline/templates/effort.ts";

const LONG = [`<Box>${' <Item Name="k">v</Item>'.repeat(60)}</Box>`];

test("many gaps that may end anywhere on a long line", () => {
  const pattern = String.raw`^<Box>.*?\S+.*?<(?<a>[^>]+)>.*?\S+.*?<(?<b>[^>]+)>.*?\S+.*?<(?<c>[^>]+)>$`;
  expect(isTooFree(pattern, LONG)).toBe(true);
  expect(isTooFree(pattern, ["<Box> <A>x</A> </Box>"])).toBe(false);
});

test("gaps that fixed text ends, and gaps in look-aheads, do not multiply", () => {
  expect(isTooFree(`^<Box>.*?Name="one">.*?Name="two">.*?Name="three">.*?</Box>$`, LONG)).toBe(false);
  const ahead = ["a", "b", "c", "d", "e"].map((name) => String.raw`(?=.*?(?<${name}>\S+) .*?\S+)`).join("");
  expect(isTooFree(`^${ahead}.*?<`, LONG)).toBe(false);
});

test("numbers that may hold commas, between commas", () => {
  const row = Array.from({ length: 60 }, (_, index) => String(index)).join(",");
  const pattern = `^(?<a>\\w+)${String.raw`,[-+]?\d[\d.,]*`.repeat(58)},x$`;
  expect(isTooFree(pattern, [row])).toBe(true);
  const strict = withoutCommas(pattern);
  expect(isTooFree(strict, [row])).toBe(false);
  expect(new RegExp(strict).test(row)).toBe(false);
  expect(new RegExp(strict.replace(",x$", "")).test(row)).toBe(true);
  expect(withoutCommas(String.raw`^\d[\d.,]*, total$`)).toBe(String.raw`^\d[\d.,]*, total$`);
});

test("any number of words is a gap as well", () => {
  const words = String.raw`(?:\s+\S+)*?\s+\S+`.repeat(6);
  expect(isTooFree(`^a${words}z$`, [`a ${"b ".repeat(200)}`])).toBe(true);
});
