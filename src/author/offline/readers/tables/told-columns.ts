// Columns told by what the page says of a part, not by their names: the text behind the last heading, a word that stands in
// the cells.

import type { Hint } from "../../page/page.ts";
import { quotedBorder } from "./cell-parts.ts";
import type { Column } from "./gaps.ts";

/** Evidence below this is none. */
const LEAST = 0.5;

const REST =
  /\brest of (?:the|its|each) (?:line|row)\b|\b(?:behind|after|following|follows) (?:the |all |these )?(?:last|counters?|columns?|numbers|destination|figures|cells|others)\b|\bremarks?\b|\ball (?:that|what) (?:follows|stands behind|comes after)\b|\bfree text\b/i;

/** What stands behind the last heading: the part that the page says is the rest of the row. */
export function byRest(scores: number[][], columns: readonly Column[], hints: readonly Hint[]): void {
  const at = columns.length - 1;
  if (at < 2 || columns[at]?.name !== "") return;
  hints.forEach((hint, row) => {
    const own = scores[row];
    if (own === undefined || !REST.test(hint.description) || Math.max(...own) >= 1) return;
    columns.forEach((_, index) => {
      own[index] = index === at ? 1 : 0.4 * (own[index] ?? 0);
    });
  });
}

/** "The terminal, behind `on`": the only column where this word stands in the cells. */
export function byBorder(scores: number[][], columns: readonly Column[], hints: readonly Hint[]): void {
  hints.forEach((hint, row) => {
    const own = scores[row];
    const word = quotedBorder(hint);
    if (own === undefined || word === undefined || Math.max(...own) >= LEAST) return;
    const regex = new RegExp(`\\b${word}\\b`);
    const having = columns.flatMap(({ texts }, at) => {
      const filled = texts.filter((text) => text !== "");
      return filled.length > 0 && filled.filter((text) => regex.test(text)).length >= 0.5 * filled.length
        ? [at]
        : [];
    });
    const [at] = having;
    if (having.length === 1 && at !== undefined) own[at] = 0.7;
  });
}

/** "st" for the stratum: a heading of few letters that begins like one part alone, which no other
 * heading is like. */
export function byLetters(scores: number[][], columns: readonly Column[], hints: readonly Hint[]): void {
  const open = hints.flatMap((_, row) => (Math.max(...(scores[row] ?? [])) < LEAST ? [row] : []));
  const free = columns.flatMap(({ name }, at) =>
    /^[A-Za-z]{2,3}$/.test(name.trim()) && scores.every((own) => (own[at] ?? 0) < LEAST) ? [at] : [],
  );
  const begins = (row: number, at: number): boolean =>
    (hints[row]?.name ?? "").toLowerCase().startsWith((columns[at]?.name ?? "-").trim().toLowerCase());
  for (const row of open) {
    const own = free.filter((at) => begins(row, at));
    const longest = own.filter((at) =>
      own.every((other) => (columns[other]?.name.length ?? 0) <= (columns[at]?.name.length ?? 0)),
    );
    const [at] = longest;
    const others = open.filter((other) => at !== undefined && begins(other, at));
    const score = scores[row];
    if (at === undefined || longest.length > 1 || others.length > 1 || score === undefined) continue;
    score[at] = 0.6;
  }
}
