// Which column of a table is which part of the page: names, what the page says about the column, lists of columns in
// their order, texts shown for a part. All of it counts together; the best columns for all parts together win.

import { similarity, stem, wordsOf } from "../../page/names.ts";
import type { Group, Hint, Listed, Page } from "../../page/page.ts";
import { MARKS } from "../../program/interpret.ts";
import { ofName } from "./column-names.ts";
import type { Column } from "./gaps.ts";
import { type Inside, piecesOf, sharedCells, wideCells } from "./shared-cells.ts";
import { byBorder, byLetters, byRest } from "./told-columns.ts";

export interface Matched {
  /** Parts that share the cells of a column. */
  inside: Inside[];
  /** Hint of each column. */
  hints: (Hint | undefined)[];
  /** Evidence for each column's hint, 0 to about 1.5. */
  scores: number[];
  doubts: string[];
}

/** Evidence below this is none. */
const LEAST = 0.5;
/** Another column this near is as likely. */
const MARGIN = 0.08;

type Scores = number[][];

/** The best columns for the wanted parts. */
export function matchColumns(
  columns: readonly Column[],
  hints: readonly Hint[],
  page: Page,
  group: Group,
): Matched {
  const scores: Scores = hints.map((hint) => columns.map((column) => ofName(hint, column)));
  byOnlyWord(scores, columns, hints);
  byOrdinal(scores, columns, hints);
  const lists = [...page.lists, ...page.lists.flatMap(asList)];
  byList(scores, columns, hints, lists);
  byOrder(scores, columns, hints, lists);
  byShown(scores, columns, hints, group);
  byKind(scores, columns, hints);
  byRest(scores, columns, hints);
  byBorder(scores, columns, hints);
  byLetters(scores, columns, hints);
  byPlainName(scores, columns);
  byKey(scores, columns, hints, page);
  const inside = sharedCells(scores, columns, hints);
  const taken = best(scores, columns.length);
  for (const one of wideCells(taken, columns, hints, inside)) {
    inside.push(one);
    taken[hints.indexOf(one.hint)] = -1;
  }
  inside.push(...piecesOf(taken, columns, hints, inside));
  const result: Matched = {
    hints: columns.map(() => undefined),
    scores: columns.map(() => 0),
    doubts: [],
    inside,
  };
  hints.forEach((hint, row) => {
    const at = taken[row] ?? -1;
    if (at < 0) return;
    result.hints[at] = hint;
    result.scores[at] = scores[row]?.[at] ?? 0;
    const rival = columns.findIndex((_, other) => {
      const near = (scores[row]?.[other] ?? 0) >= (scores[row]?.[at] ?? 0) - MARGIN;
      // Of two columns of one name either could be each part.
      const isOpen = !taken.includes(other) || columns[other]?.name === columns[at]?.name;
      return other !== at && isOpen && near && differs(columns[at], columns[other]);
    });
    if (rival >= 0)
      result.doubts.push(
        `two columns could be ${hint.name}: ${columns[at]?.name ?? ""} and ${columns[rival]?.name ?? ""}`,
      );
  });
  return result;
}

/** The parts that the page names beside its example, in their order. */
function asList({ order }: Listed): Listed[] {
  if (order === undefined) return [];
  const names = order.items.map(({ name }) => name);
  return [{ names, texts: order.items.map(({ text }) => text), context: "" }];
}

function differs(one: Column | undefined, other: Column | undefined): boolean {
  return one?.texts.join("\n") !== other?.texts.join("\n");
}

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
  " ",
);
const ORDINAL = new RegExp(`\\b(?:the |in the )?(${ORDINALS.join("|")}|last) column\\b`, "i");
const AT_END =
  /\brest of (?:the|its) (?:line|row)\b|\bbehind the last column\b|\b(?:at|on) the (?:right )?end of (?:the|its|each) (?:row|line)\b|\blast column\b/i;
const AT_START = /\b(?:at the (?:start|beginning|front) of|in front of) (?:the|its|each) (?:row|line)\b/i;

/** "uncovered" for "Uncovered Line #s": the only heading that has the words of the name. */
function byOnlyWord(scores: Scores, columns: readonly Column[], hints: readonly Hint[]): void {
  hints.forEach((hint, row) => {
    const own = scores[row];
    if (own === undefined || Math.max(...own) >= LEAST) return;
    const words = wordsOf(hint.name.replace(/_/g, " ")).filter((word) => word.length > 2);
    if (words.length === 0) return;
    const having = columns.flatMap(({ name }, at) => {
      const heading = /[=[\]{}]|\d{3}/.test(name) || name.length > 60 ? [] : wordsOf(name).map(stem);
      return words.every((word) => heading.includes(stem(word))) ? [at] : [];
    });
    const [at] = having;
    if (having.length === 1 && at !== undefined) own[at] = 0.6;
  });
}

/** "the command (last column)", "second column", "the device at the end of the row". */
function byOrdinal(scores: Scores, columns: readonly Column[], hints: readonly Hint[]): void {
  hints.forEach((hint, row) => {
    const own = scores[row];
    if (own === undefined) return;
    const said = ORDINAL.exec(hint.description)?.[1]?.toLowerCase();
    const at = AT_END.test(hint.description)
      ? columns.length - 1
      : AT_START.test(hint.description)
        ? 0
        : said === undefined
          ? -1
          : said === "last"
            ? columns.length - 1
            : ORDINALS.indexOf(said);
    if (at < 0 || at >= columns.length) return;
    columns.forEach((_, index) => {
      own[index] = index === at ? Math.max(1.2, own[index] ?? 0) : 0.5 * (own[index] ?? 0);
    });
  });
}

/** "**value**: the package", and the first column is just called "Name". */
function byPlainName(scores: Scores, columns: readonly Column[]): void {
  const [own, ...others] = scores;
  const named = columns.flatMap(({ name }, at) => (/^names?$/i.test(name.trim()) ? [at] : []));
  const [at] = named;
  if (own === undefined || at === undefined || named.length > 1 || Math.max(...own) >= LEAST) return;
  if (others.every((one) => (one[at] ?? 0) < LEAST)) own[at] = 0.7;
}

/** "Lists every package pin": of several columns that may be the pin the first one, where no text comes twice. */
function byKey(scores: Scores, columns: readonly Column[], hints: readonly Hint[], page: Page): void {
  const texts = (columns[0]?.texts ?? []).filter((text) => text !== "");
  if (texts.length < 2 || new Set(texts).size < texts.length) return;
  hints.forEach((hint, row) => {
    const own = scores[row];
    const first = own?.[0] ?? 0;
    if (own === undefined || first < LEAST || Math.max(...own) > first + MARGIN) return;
    const noun = hint.name.split("_").at(-1) ?? "";
    const each = new RegExp(`\\b(?:every|each|one|an?) (?:[a-z]+ ){0,2}${noun}\\b`, "i");
    if (/^[a-z]{2,}$/.test(noun) && each.test(page.prose)) own[0] = Math.max(...own) + 0.1;
  });
}

/** The page lists as many columns as there are: each stands for the one at its place. */
function byList(
  scores: Scores,
  columns: readonly Column[],
  hints: readonly Hint[],
  lists: readonly Listed[],
): void {
  const named = columns.flatMap((column, index) => (column.name === "" ? [] : [index]));
  for (const list of lists) {
    const firsts = /\bfirst (?:\w+ )?columns?\b/i.test(list.context) && list.names.length < columns.length;
    const places = firsts
      ? list.names.map((_, index) => index)
      : list.names.length === columns.length
        ? columns.map((_, index) => index)
        : list.names.length === named.length
          ? named
          : undefined;
    if (places === undefined) continue;
    // The names in the list have to fit the columns by and large.
    const fitting = places.filter(
      (at, index) => similarity(list.names[index] ?? "", columns[at]?.name ?? "") >= LEAST,
    ).length;
    if (fitting < places.length * 0.5) continue;
    hints.forEach((hint, row) => {
      const said = wordsOf(hint.description);
      // "mtu (the configured one)" is "configured" in "configured and operational MTU".
      const likes = list.names.map((name) =>
        Math.max(similarity(hint.name, name), wordsOf(name).every((word) => said.includes(word)) ? 0.9 : 0),
      );
      const most = Math.max(...likes);
      const at = places[likes.indexOf(most)];
      const own = scores[row];
      if (most < 0.6 || likes.filter((one) => one === most).length > 1) return;
      // "The first columns are ..." says the place itself.
      if (at !== undefined && own !== undefined) own[at] = (own[at] ?? 0) + (firsts ? 0.8 : 0.4) * most;
    });
  }
}

/** The page names some of the columns in their order: names between two columns of the same name stand for those between
 * them, where they are as many; names behind the last one for those that follow. */
function byOrder(
  scores: Scores,
  columns: readonly Column[],
  hints: readonly Hint[],
  lists: readonly Listed[],
): void {
  for (const { names, context } of lists) {
    // The list of the fields has them in any order.
    if (names.length < 3 || /\bfields?\b/i.test(context)) continue;
    const anchors = anchorsOf(names, columns);
    if (anchors.length < Math.max(1, names.length * 0.3)) continue;
    const places = new Map<number, { at: number; sure: boolean }>();
    const borders = [{ name: -1, at: -1 }, ...anchors];
    for (const [index, left] of borders.entries()) {
      const right = borders[index + 1];
      const open = (right?.name ?? names.length) - left.name - 1;
      const free = (right?.at ?? columns.length) - left.at - 1;
      if (open <= 0 || (right !== undefined && open !== free) || open > free) continue;
      for (let step = 1; step <= open; step += 1)
        places.set(left.name + step, { at: left.at + step, sure: open === free });
    }
    hints.forEach((hint, row) => {
      const own = scores[row];
      if (own === undefined || Math.max(...own) >= 0.75) return;
      const spoken = hint.name.replace(/_/g, " ");
      const likes = names.map((name) =>
        name.toLowerCase().startsWith(`${spoken} `) ? 0.85 : similarity(hint.name, name),
      );
      const most = Math.max(...likes);
      const place = places.get(likes.indexOf(most));
      if (most < 0.6 || place === undefined || (!place.sure && Math.max(...own) >= LEAST)) return;
      if (!mayBe(hint, columns[place.at]?.texts ?? [])) return;
      own[place.at] = Math.max(own[place.at] ?? 0, place.sure ? 0.9 : 0.7);
    });
  }
}

/** Names of the list that a column has as well, both in their order. */
function anchorsOf(names: readonly string[], columns: readonly Column[]): { name: number; at: number }[] {
  const anchors: { name: number; at: number }[] = [];
  names.forEach((name, index) => {
    const from = (anchors.at(-1)?.at ?? -1) + 1;
    const likes = columns.map((column, at) =>
      at < from || column.name === "" ? 0 : similarity(name, column.name),
    );
    const most = Math.max(...likes);
    if (most >= 0.7) anchors.push({ name: index, at: likes.indexOf(most) });
  });
  return anchors;
}

/** Are the texts what the part is said to be, as far as that can be told? */
function mayBe(hint: Hint, texts: readonly string[]): boolean {
  const filled = texts.filter((text) => !/^-*$/.test(text));
  if (filled.length === 0) return hint.optional;
  if (hint.kind === "number") return filled.some((text) => /\d/.test(text));
  if (hint.kind === "address")
    return (
      filled.filter((text) => /^[\w*-]+(?:[.:][\w*-]*)+(?:\/\d+)?$|^localhost$/.test(text)).length >=
      filled.length * 0.5
    );
  if (hint.kind === "path") return filled.some((text) => /[/\\.]/.test(text));
  return true;
}

/** An example row of as many pieces as columns: the text shown for a part stands in its column. */
function byShown(scores: Scores, columns: readonly Column[], hints: readonly Hint[], group: Group): void {
  for (const line of group.examples.flatMap((one) => one.lines)) {
    const pieces = [/\s{2,}/, /\s+/]
      .map((gap) => line.trim().split(gap))
      .find((one) => one.length === columns.length);
    if (pieces === undefined || !isRowOf(pieces, columns)) continue;
    hints.forEach((hint, row) => {
      const own = scores[row];
      const at = pieces.flatMap((piece, index) =>
        hint.literals.includes(piece) || hint.literals.includes(piece.replace(MARKS, "")) ? [index] : [],
      );
      const [place] = at;
      if (own !== undefined && at.length === 1 && place !== undefined) own[place] = (own[place] ?? 0) + 0.8;
    });
  }
}

/** Has an example line numbers in the columns of numbers? Else it is another line than a row. */
function isRowOf(pieces: readonly string[], columns: readonly Column[]): boolean {
  const isNumber = (text: string): boolean => /^[-+]?\d/.test(text);
  return columns.every(({ texts }, index) => {
    const filled = texts.filter((text) => text !== "");
    return filled.length === 0 || !filled.every(isNumber) || isNumber(pieces[index] ?? "");
  });
}

/** Columns without a heading: told by what stands in them. */
function byKind(scores: Scores, columns: readonly Column[], hints: readonly Hint[]): void {
  hints.forEach((hint, row) => {
    const own = scores[row];
    if (own === undefined || Math.max(...own) >= LEAST) return;
    const open = columns.flatMap((column, index) =>
      column.name === "" && fits(hint, column.texts) ? [index] : [],
    );
    const [at] = open;
    if (open.length === 1 && at !== undefined) own[at] = 0.7;
    if (open.length === 0 && /^address(?:es)?$/.test(hint.name))
      own[onlyAddresses(columns, scores, row)] = 0.7;
    if (open.length > 0 || !/\bpath\b/i.test(`${hint.name} ${hint.description}`)) return;
    // The only column of paths, whatever its heading.
    const paths = columns.flatMap(({ texts }, index) => {
      const filled = texts.filter((text) => text !== "");
      return filled.length > 0 && filled.filter((text) => /^\/\S/.test(text)).length >= 0.6 * filled.length
        ? [index]
        : [];
    });
    const [path] = paths;
    const free = scores.every((other, number) => number === row || (other[path ?? -1] ?? 0) < 0.9);
    if (paths.length === 1 && path !== undefined && free) own[path] = 0.6;
  });
}

/** The only column of addresses that no other part is taken from, or -1. */
function onlyAddresses(columns: readonly Column[], scores: Scores, row: number): number {
  const having = columns.flatMap(({ texts }, at) => {
    const filled = texts.filter((text) => text !== "");
    const found = filled.filter((text) =>
      /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,})(?:[:/]\d+)?$/i.test(text),
    );
    return filled.length > 0 && found.length >= 0.8 * filled.length ? [at] : [];
  });
  const [at = -1] = having;
  return having.length === 1 && scores.every((own, other) => other === row || (own[at] ?? 0) < 0.9) ? at : -1;
}

/** Are all texts of the kind that the part is said to be? */
function fits(hint: Hint, texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== "");
  if (filled.length === 0) return false;
  const said = `${hint.name} ${hint.description}`;
  if (/\bpercent|%|\bshare\b/i.test(said)) return filled.every((text) => /^[\d.]+%$/.test(text));
  if (/time|clock/i.test(said)) return filled.every((text) => /^\d\d?:\d\d(?::\d\d)?/.test(text));
  if (/\bdevice|path|file\b/i.test(said)) return filled.every((text) => /^\/\S/.test(text));
  if (hint.kind === "number") return filled.every((text) => /^[-+]?\d[\d.,]*$/.test(text));
  return false;
}

/** The columns of all parts together with the most evidence; -1 for none. */
function best(scores: Scores, columns: number): number[] {
  let states: { taken: number[]; score: number }[] = [{ taken: [], score: 0 }];
  for (const own of scores) {
    states = states
      .flatMap(({ taken, score }) => [
        { taken: [...taken, -1], score },
        ...Array.from({ length: columns }, (_, at) => at)
          .filter((at) => (own[at] ?? 0) >= LEAST && !taken.includes(at))
          .map((at) => ({ taken: [...taken, at], score: score + (own[at] ?? 0) ** 2 })),
      ])
      .sort((a, b) => b.score - a.score)
      .slice(0, 64);
  }
  return states[0]?.taken ?? scores.map(() => -1);
}
