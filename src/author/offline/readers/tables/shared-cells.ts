// Columns whose cells have several of the wanted parts.

import { escapeRegex } from "../../escape.ts";
import { similarity, wordsOf } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import { partByHeading, partOfCell, saysPart } from "./cell-parts.ts";
import type { Column } from "./gaps.ts";

/** A part inside the cells of a column: the group `part` of the expression. */
export interface Inside {
  hint: Hint;
  at: number;
  pattern: string;
}

/** Parts whose column has another part as well: the heading names both, or the page says where in the cell each stands. */
export function sharedCells(
  scores: number[][],
  columns: readonly Column[],
  hints: readonly Hint[],
): Inside[] {
  const found: (Inside & { row: number })[] = [];
  columns.forEach((column, at) => {
    const own = hints.flatMap((hint, row) => {
      const byName = partByHeading(hint, column.name, column.texts);
      const named = saysColumn(hint, column) && saysPart(hint);
      // What the page says about the place is surer than the names of the heading.
      const place = named || byName !== undefined ? partOfCell(hint, column.texts) : undefined;
      const told = place ?? byName;
      return told === undefined && !named ? [] : [{ hint, at, row, pattern: told, byName }];
    });
    const alone = own.length < 2 && own[0]?.byName === undefined;
    if (alone || own.every((one) => one.pattern === undefined)) return;
    for (const one of own) {
      const other = own.find((two) => two !== one && two.pattern !== undefined);
      const pattern = one.pattern ?? restOfCell(other?.pattern ?? "");
      if (pattern !== undefined && !found.some(({ row }) => row === one.row))
        found.push({ hint: one.hint, at, row: one.row, pattern });
    }
  });
  for (const { row } of found) scores[row] = columns.map(() => 0);
  return found.map(({ hint, at, pattern }) => ({ hint, at, pattern }));
}

/** "State" above `active sync   /dev/vda1`: cells of two texts set apart by a wide gap, and one part that no column has. */
export function wideCells(
  taken: readonly number[],
  columns: readonly Column[],
  hints: readonly Hint[],
  found: readonly Inside[],
): Inside[] {
  const open = hints.flatMap((hint, row) =>
    (taken[row] ?? -1) < 0 && !found.some((one) => one.hint === hint) ? [row] : [],
  );
  const [rest] = open;
  const told = rest === undefined || open.length > 1 ? undefined : hints[rest];
  // "The name without the state in parentheses": what stands in them behind the name is the state.
  const whole = told === undefined ? -1 : hints.findIndex((hint) => hint !== told && isWithout(hint, told));
  const column = taken[whole] ?? -1;
  const named = hints[whole];
  if (told !== undefined && named !== undefined && column >= 0)
    return [
      { hint: named, at: column, pattern: "^(?<part>.*?)(?:\\s*\\([^()]*\\))?$" },
      { hint: told, at: column, pattern: "\\((?<part>[^()]*)\\)$" },
    ];
  if (open.length !== 1 || rest === undefined) return [];
  for (const [at, { name, texts }] of columns.entries()) {
    const filled = texts.filter((text) => text !== "");
    const wide = filled.filter((text) => /^\S+(?: \S+)* {2,}\S+(?: \S+)*$/.test(text)).length;
    const single = filled.filter((text) => !/\S {2,}\S/.test(text)).length;
    if (name === "" || wide < 0.5 * filled.length || wide === 0 || wide + single < filled.length) continue;
    const [own, other] = [hints[taken.indexOf(at)], hints[rest]];
    if (own === undefined || other === undefined) continue;
    // The heading stands above the first of the two texts, and names it.
    const [front = name] = name.split(/ {2,}/);
    const [isOwn, isOther] = [similarity(own.name, front), similarity(other.name, front)];
    if (Math.max(isOwn, isOther) < 0.9) continue;
    const isSwapped = isOther > isOwn;
    const [first, second] = isSwapped ? [other, own] : [own, other];
    return [
      { hint: first, at, pattern: "^(?<part>\\S+(?: \\S+)*)" },
      { hint: second, at, pattern: "^\\S+(?: \\S+)*\\s{2,}(?<part>\\S.*)$" },
    ];
  }
  return [];
}

/** "`type`, the part after the last dot": parts that no column has and that are pieces of the first part, the value. */
export function piecesOf(
  taken: readonly number[],
  columns: readonly Column[],
  hints: readonly Hint[],
  found: readonly Inside[],
): Inside[] {
  const at = taken[0] ?? -1;
  const texts = (columns[at]?.texts ?? []).filter((text) => text !== "");
  if (at < 0 || texts.length < 2) return [];
  return hints.flatMap((hint, row): Inside[] => {
    if (row === 0 || (taken[row] ?? -1) >= 0 || found.some((one) => one.hint === hint)) return [];
    const listed = listedPiece(hint, texts);
    if (listed !== undefined) return [{ hint, at, pattern: listed }];
    const isEnd = /\b(?:extension|suffix|ending)\b/i.test(hint.description);
    const pattern = partOfCell(hint, texts) ?? (isEnd ? "^.*\\.(?<part>[^.\\s]+)$" : undefined);
    // Behind a mark of the cell, not behind a word of the line.
    const isWorded = /[A-Za-z]{2}/.test(pattern?.replace("(?<part>", "") ?? "");
    if (pattern === undefined || isWorded || !(isEnd || saysPart(hint))) return [];
    const regex = new RegExp(pattern);
    return texts.every((text) => regex.test(text)) ? [{ hint, at, pattern }] : [];
  });
}

const PIECE =
  /\b(?:part|piece|end|start|beginning|prefix|suffix|ending|behind|first|last|middle) (?:of|in) (?:the|its|that|this|each) (?:whole )?([a-z]+)\b|\b(?:in|from|of) (?:the|its) (?:name|value)\b/i;

/** "`side` (LEFT or RIGHT, the last part of the name)": one of few texts that the page lists is a piece of every cell. */
function listedPiece({ choices, description }: Hint, texts: readonly string[]): string | undefined {
  if (choices.length < 2 || !PIECE.test(description)) return undefined;
  const longest = [...choices].sort((a, b) => b.length - a.length);
  const pattern = `(?<![A-Za-z0-9])(?<part>${longest.map(escapeRegex).join("|")})(?![A-Za-z0-9])`;
  const counts = texts.map((text) => [...text.matchAll(new RegExp(pattern, "g"))].length);
  return counts.every((count) => count === 1) ? pattern : undefined;
}

function isWithout(hint: Hint, other: Hint): boolean {
  const name = other.name.replace(/_/g, "[_ ]");
  return new RegExp(
    `\\b(?:without|before|in front of) (?:the |its )?${name}\\b[^.;]*\\b(?:parenthes[ei]s|(?:round )?brackets)`,
    "i",
  ).test(hint.description);
}

/** What a pattern for one side of a mark leaves: the other side. */
function restOfCell(pattern: string): string | undefined {
  const sides: [RegExp, string][] = [
    [/^\^\.\*\?(.+)\(\?<part>\.\*\)\$$/, "^(?<part>.*?)$1"],
    [/^\^\.\*(?!\?)(.+)\(\?<part>\.\*\)\$$/, "^(?<part>.*)$1"],
    [/^\^\(\?<part>\.\*\?\)(.+)$/, "^.*?$1(?<part>.*)$"],
    [/^\^\(\?<part>\.\*\)(.+)$/, "^.*$1(?<part>.*)$"],
  ];
  const side = sides.find(([form]) => form.test(pattern));
  return side === undefined ? undefined : pattern.replace(side[0], side[1].replace(/\$$/, "$$$$"));
}

/** Does what the page says of a part have the whole name of a column? */
function saysColumn(hint: Hint, column: Column): boolean {
  const own = wordsOf(column.name);
  const said = wordsOf(`${hint.name.replace(/_/g, " ")} ${hint.description}`);
  return own.length > 0 && own.every((word) => word.length > 1 && said.includes(word));
}
