// Lines that what the page says rules out, before any part of them is known: they lack the text that wanted lines have,
// or have one that only unwanted lines have. Such lines are no near misses.

import { escapeRegex } from "../escape.ts";
import type { Claim } from "../page/claims.ts";
import { isMark } from "../page/mark-words.ts";
import { similarity } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";

/** Texts shorter than this stand anywhere in a line by chance. */
const LONG = 3;

/** Does the page rule a line out? Judged on the page's examples: one that is wanted must not be ruled out. */
export function ruledOutLines(page: Page, group: Group): (line: string) => boolean {
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  if (examples.length === 0) return () => false;
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  const tests = page.claims.flatMap((claim) => [
    ...lineTests(claim, examples),
    ...(lacksPart(claim, hints) ? [hasEmpty] : []),
  ]);
  const fits = tests.filter((one) => !examples.some(one));
  return (line) => fits.some((one) => one(line));
}

/** "Denials without a user name are not wanted": a part of the records that the unwanted ones lack. */
function lacksPart(claim: Claim, hints: readonly Hint[]): boolean {
  return (
    !claim.wanted &&
    claim.tests.some(
      (test) =>
        test.how === "blank" && !test.negate && hints.some(({ name }) => similarity(name, test.of) >= 0.5),
    )
  );
}

/** Quotes or brackets with nothing in them. */
function hasEmpty(line: string): boolean {
  return /(?<![\w'"])(?:''|""|\[\]|<>|\(\))(?!['"\w])/.test(line);
}

function lineTests(claim: Claim, examples: readonly string[]): ((line: string) => boolean)[] {
  if (!claim.whole) return [];
  return claim.tests.flatMap((test) => {
    // "The name does not begin with a tilde."
    if (test.how === "prefix" && claim.wanted === test.negate && test.texts.every(isMark))
      return [(line: string) => test.texts.some((text) => line.trimStart().startsWith(text))];
    // "A code that begins with MSB does not count": a line with such a word.
    if ((test.how === "prefix" || test.how === "suffix") && claim.wanted === test.negate) {
      if (test.plain || !test.texts.every((text) => text.length >= LONG && /[^a-z]/.test(text))) return [];
      const edges = test.texts.map((text) =>
        test.how === "prefix"
          ? wordIn(text, true)
          : new RegExp(`${escapeRegex(text)}${/\w$/.test(text) ? "(?![\\w-])" : "(?!\\S)"}`),
      );
      return [(line: string) => edges.some((one) => one.test(line))];
    }
    // A line without the text has no part that begins or ends with it.
    const isEdge = (test.how === "suffix" || test.how === "prefix") && claim.wanted !== test.negate;
    const isText =
      isEdge ||
      test.how === "is" ||
      test.how === "contains" ||
      (test.how === "amount" && test.relation === "=");
    if (!isText || test.plain || test.texts.length === 0 || test.over !== undefined) return [];
    if (claim.wanted !== test.negate) {
      // Every example has one of the texts: at the same place, where it is short, and so have others the other texts.
      const own = examples.map((line) => test.texts.find((text) => inPlace(text, line) !== undefined));
      if (own.some((text) => text === undefined)) return [];
      const known = own.flatMap((text = "", index) =>
        test.texts.flatMap((one) => inPlace(text, examples[index] ?? "", one) ?? []),
      );
      const others = test.texts.filter((text) => text.length >= LONG).map((text) => wordIn(text));
      return [(line: string) => ![...known, ...others].some((one) => one.test(line))];
    }
    const long = test.texts.filter((text) => text.length >= LONG && !/^\d{1,3}$/.test(text));
    if (long.length < test.texts.length) return [];
    const having = long.map((text) => wordIn(text));
    return [(line: string) => having.some((one) => one.test(line))];
  });
}

/** The text as a word of its own, or as the beginning of one. */
export function wordIn(text: string, begins = false): RegExp {
  const body = escapeRegex(text).replace(/\s+/g, "\\s+");
  return new RegExp(
    `${/^\w/.test(text) ? "(?<![\\w-])" : ""}${body}${/\w$/.test(text) && !begins ? "(?![\\w-])" : ""}`,
  );
}

/** The expression for a text of an example, or for another one in its place: with the marks beside it, where it is short. */
export function inPlace(text: string, line: string, instead = text): RegExp | undefined {
  const regex = wordIn(text);
  const match = regex.exec(line);
  if (match === null) return undefined;
  if (text.length >= LONG) return instead === text ? regex : wordIn(instead);
  if (new RegExp(regex.source, "g")[Symbol.replace](line, "\u0000").split("\u0000").length > 2) {
    // "[5]" stands out where "(5)" and "5:" do not.
    const marked = new RegExp(`[[<({"']${escapeRegex(text)}[\\])>}"']`).exec(line)?.[0];
    return marked === undefined
      ? undefined
      : new RegExp(escapeRegex(`${marked.charAt(0)}${instead}${marked.slice(-1)}`));
  }
  const before = line.charAt(match.index - 1);
  const after = line.charAt(match.index + match[0].length);
  const edge = (mark: string, end: string): string =>
    mark === "" ? end : /\s/.test(mark) ? `(?:${end}|\\s)` : escapeRegex(mark);
  return new RegExp(`${edge(before, "^")}${escapeRegex(instead)}${edge(after, "$")}`);
}
