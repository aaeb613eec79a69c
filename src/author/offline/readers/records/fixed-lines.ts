// Lines of a block that the log has word for word, and none like it with another word: a title or a heading row above what is
// meant. No part of a record stands on them.

import { likeness } from "../../page/names.ts";
import type { Example, Group, Hint } from "../../page/page.ts";

/** Indices of the lines that are titles or heading rows; never all of them. */
export function fixedLines(
  shown: readonly string[],
  hints: readonly Hint[],
  log: readonly string[],
): ReadonlySet<number> {
  const found = new Set<number>();
  shown.forEach((line, at) => {
    if (at < shown.length - 1 && isFixed(line, hints, log)) found.add(at);
  });
  return found;
}

/** The group without the titles and heading rows of its blocks; a row alone is an example of its own. */
export function withoutFixed(group: Group, log: readonly string[]): Group {
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  let isLess = false;
  const examples = group.examples.map((one): Example => {
    if (one.mark !== "block" || one.lines.length < 2) return one;
    const fixed = fixedLines(one.lines, hints, log);
    const lines = one.lines.filter((_, at) => !fixed.has(at));
    if (lines.length === one.lines.length) return one;
    isLess = true;
    const rows = lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
    return rows.length === 1 ? { ...one, lines: rows, mark: "code" } : { ...one, lines };
  });
  return isLess ? { ...group, examples } : group;
}

function isFixed(line: string, hints: readonly Hint[], log: readonly string[]): boolean {
  const text = plain(line);
  // "(um^2)" is a unit.
  const bare = text.replace(/\([^()]*\)/g, "");
  if (!/[A-Za-z]{3}/.test(text) || /\d|[:=]\s*\S/.test(bare)) return false;
  if (hints.some((hint) => isShown(hint, text)) || !log.some((one) => plain(one) === text)) return false;
  const cells = cellsOf(line);
  if (cells.length > 1)
    return !log.some((one) => plain(one) !== text && isLike(cells, cellsOf(one), cells.length));
  const words = text.split(" ");
  // "Module top": a name and its text.
  const isNamed = words.some((_, at) => {
    const lead = words.slice(0, at + 1).join(" ");
    return at < words.length - 1 && hints.some((hint) => likeness(hint, lead) >= 0.75);
  });
  if (isNamed) return false;
  const indent = line.search(/\S/);
  if (words.length === 1) {
    if (!text.endsWith(":")) return false;
    return !log.some(
      (one) => one.search(/\S/) === indent && /^[^\s:]+:$/.test(one.trim()) && plain(one) !== text,
    );
  }
  return !log.some((one) => {
    const own = plain(one).split(" ");
    return (
      plain(one) !== text && Math.abs(own.length - words.length) <= 2 && isLike(words, own, words.length)
    );
  });
}

/** Do two lines begin or end with the same piece, and have as many? */
function isLike(pieces: readonly string[], others: readonly string[], count: number): boolean {
  if (others.length < 2) return false;
  const isFirst = pieces[0] === others[0];
  const isLast = pieces.at(-1) === others.at(-1);
  return others.length === count ? isFirst || isLast : isFirst && isLast;
}

function isShown({ literals, choices }: Hint, text: string): boolean {
  return [...literals, ...choices].some((one) => {
    const own = one.trim();
    const at = own === "" ? -1 : text.indexOf(own);
    return at >= 0 && !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + own.length));
  });
}

function cellsOf(line: string): string[] {
  return line.trim().split(/\t+|\s{2,}/);
}

function plain(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}
