// Expressions that would try for hours are told from those that only look busy.
import { expect, test } from "bun:test";
import { isTooFree } from "../../../src/author/offline/templates/effort.ts";

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
