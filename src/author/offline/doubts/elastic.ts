// Lines that a rule does not read for one piece of it alone (`stretches.ts`). Each piece is let go by itself; what is read
// then and not ruled out is kept out by it. Where the lines themselves show that they are records like the others, the
// rule is made wider (`readers/stretched.ts`), else it is a doubt.

import { ruledOutLines } from "../conditions/exclusions.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, LineRule } from "../program/ir.ts";
import { toldApart } from "../readers/told-apart.ts";
import { isTooFree } from "../templates/effort.ts";
import { isRecordLike } from "./record-like.ts";
import { GAP, isWord, type Kind, type Stretched, stretchedFrom } from "./stretches.ts";
import { unitsOf, withoutAhead } from "./units.ts";

const LONGEST = 500;
/** Fixed words that a line may lack. */
const LACKING = 3;
/** The same, as a share of them, for lines with another text in the place of several words. */
const LACKING_TEXT = 0.6;
/** Lines that are tried at most. */
const MOST = 400;

/** So many times more lines than are read anyway may be kept out. */
const MANY: Partial<Record<Kind, number>> = { run: 5, text: 20 };

/** What is no doubt where the lines are not surely records. */
const NEW: ReadonlySet<string> = new Set(["more", "remark", "front", "lead"]);

/** Doubts about lines that one piece of the rule keeps out. */
export function elastic(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  const found = keptOut(rule, group, page, lines);
  if (found === undefined || (found.isNew && !found.sure)) return [];
  const { what, read } = found;
  return [`${read.length} lines are not read for ${what} alone, e.g. ${read[0]?.trim() ?? ""}`];
}

/** Lines that one piece of an alternative keeps out, and the expression without it. */
export interface KeptOut extends Pick<Stretched, "what" | "kind" | "pattern"> {
  /** Which alternative. */
  at: number;
  read: string[];
  /** The lines are records as far as their texts tell. */
  sure: boolean;
  isNew: boolean;
}

/** A piece of a rule that alone keeps lines out which the page does not rule out: the first one where the lines are
 * surely records, else the first one. */
export function keptOut(
  rule: LineRule,
  group: Group,
  page: Page,
  lines: readonly string[],
): KeptOut | undefined {
  const taken = interpretRule({ ...rule, filters: [] }, lines);
  if (taken.length === 0) return undefined;
  const near = nearLines(rule, group, page, lines, new Set(taken.map((one) => one.content)));
  if (near.size === 0) return undefined;
  // A part of the file is told by lines that are no records.
  const all = rule.scope === undefined && rule.above === undefined ? [...near.keys()] : lines;
  let first: KeptOut | undefined;
  for (const [at, one] of rule.alternatives.entries()) {
    for (const stretched of stretchedFrom(one, page)) {
      const { what, kind, gone, pattern } = stretched;
      if (isTooFree(pattern, [...near.keys()])) continue;
      const found = interpretRule({ ...rule, alternatives: [{ ...one, pattern }] }, all);
      const read = readBy(stretched, found, near);
      if (read.length === 0 || read.length > Math.max(3, taken.length) * (MANY[kind] ?? 1)) continue;
      const kept = {
        what,
        kind,
        at,
        pattern: pattern.replace(`?<${GAP}>`, "?:"),
        read: read.map(({ content }) => content),
        sure: isRecordLike(stretched, one, { group, page, taken, read }),
        isNew: NEW.has(kind) || (kind === "text" && gone > 1) || (kind === "run" && gone === 0),
      };
      if (kept.sure) return kept;
      first = first === undefined || (first.isNew && !kept.isNew) ? kept : first;
    }
  }
  return first;
}

/** Lines with most fixed words of a rule that it does not read and the page does not rule out, and how many they lack. */
function nearLines(
  rule: LineRule,
  group: Group,
  page: Page,
  lines: readonly string[],
  taken: ReadonlySet<string>,
): Map<string, number> {
  const isOut = exclusions(group, page, taken);
  const words = new Set(rule.alternatives.flatMap(({ pattern }) => fixedWords(pattern)));
  const most = Math.max(LACKING, Math.ceil(words.size * LACKING_TEXT));
  const near = lines
    .filter(
      (line) =>
        line.length <= LONGEST &&
        line.trim() !== "" &&
        !taken.has(line) &&
        !rule.unless.some((text) => line.includes(text)),
    )
    .map((line) => ({ line, lacking: words.size - shared(line, words) }))
    .filter(({ line, lacking }) => (lacking <= most || words.size > 3) && !isOut(line))
    .filter(({ lacking }) => lacking < Math.max(1.5, words.size) || words.size > 3)
    .sort((a, b) => a.lacking - b.lacking)
    .slice(0, MOST);
  return new Map(near.map(({ line, lacking }) => [line, lacking]));
}

/** What an expression reads of the lines that are near. */
function readBy(
  { kind, part, pattern, byMarks, gone, left }: Stretched,
  found: readonly Extracted[],
  near: ReadonlyMap<string, number>,
): Extracted[] {
  const most =
    kind === "text" && gone > 1 ? Math.max(LACKING, Math.ceil((gone + left) * LACKING_TEXT)) : LACKING;
  return found.filter(({ content }) => {
    const lacking = near.get(content);
    if (lacking === undefined || (lacking > most && !byMarks)) return false;
    return kind !== "words" || part === undefined || isPhrase(pattern, part, content);
  });
}

export function exclusions(group: Group, page: Page, taken: ReadonlySet<string>): (line: string) => boolean {
  const ruledOut = ruledOutLines(page, group);
  const apart = toldApart(page, group);
  const own = new Set([...taken].slice(0, MOST).flatMap((line) => wordsOf(line).map(stem)));
  const stems = new Set([...page.unwantedStems].filter((one) => !own.has(one)));
  return (line) =>
    ruledOut(line) ||
    apart(line) ||
    page.unwanted.some((text) => line.includes(text)) ||
    wordsOf(line).some((word) => stems.has(stem(word)));
}

function fixedWords(pattern: string): string[] {
  const units = unitsOf(withoutAhead(pattern).rest) ?? [];
  return units.filter(isWord).map(({ text }) => text);
}

function shared(line: string, words: ReadonlySet<string>): number {
  return [...words].filter((word) => line.includes(word)).length;
}

/** Is the text of the group some words? */
function isPhrase(pattern: string, group: string, line: string): boolean {
  const text = new RegExp(pattern).exec(line)?.groups?.[group] ?? "";
  return /^[A-Za-z][\w()'/.:,-]*(?: [A-Za-z(][\w()'/.:,-]*){1,4}$/.test(text);
}
