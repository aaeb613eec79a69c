// For every line of the block that has parts or has to be there: the expression that the lines of the log follow, by the
// words in front of its parts, by the lines that stand in its place, or by its likeness as a whole.

import { escapeRegex } from "../../escape.ts";
import type { Group, Page } from "../../page/page.ts";
import type { Slot } from "../../templates/template.ts";
import type { Wanted } from "./conditions.ts";
import type { Put } from "./distribute.ts";
import { isToldByNumber, readsMore } from "./following.ts";
import { formLine } from "./form-line.ts";
import { withFronts } from "./fronts.ts";
import { type KeyedLine, keyedLine } from "./keyed-line.ts";
import { learnedLine } from "./learned-line.ts";
import {
  byFollowing,
  byLikeness,
  byName,
  byPlace,
  byTitle,
  type FoundLine,
  inList,
  slotsOf,
  sourcesOf,
} from "./line-ways.ts";
import { withMissed } from "./missed-starts.ts";
import { withOptionalEnd } from "./optional-end.ts";
import { aboveDeeper, aboveNext, belowLast } from "./places.ts";
import { keepShallow } from "./shallow-heads.ts";
import type { Shown } from "./shown.ts";
import { anyCase, anyLevel, spokenTail } from "./spoken-words.ts";

/** The lines of the block by their index. */
export function findLines(
  group: Group,
  page: Page,
  lines: readonly string[],
  shown: Shown,
  puts: readonly Put[],
  anchor: number,
  wanted: readonly Wanted[],
): Map<number, FoundLine> {
  const found = new Map<number, FoundLine>();
  const used = [...new Set([anchor, ...puts.map((put) => put.line)])].sort((a, b) => a - b);
  const own = (at: number): Put[] => puts.filter((put) => put.line === at);
  for (const at of used) {
    const one = withWords(shown, at, slotsOf(own(at), group), page, lines, wanted);
    if (one !== undefined) found.set(at, one);
  }
  const keyed = new Map([...found].map(([at, one]) => [at, one.hits]));
  const hasParts = (at: number): boolean => own(at).length > 0;
  const named = found.get(anchor);
  if (named !== undefined && !wanted.some((one) => one.line === anchor)) {
    const others = new Map([...keyed].filter(([at]) => at !== anchor));
    const hung = aboveDeeper(shown, anchor, others, lines);
    const wider = byPlace(shown.lines[anchor] ?? "", slotsOf(own(anchor), group), lines, hung);
    if (wider !== undefined && isWider(wider, named)) found.set(anchor, wider);
  }
  for (const at of used) {
    if (found.has(at)) continue;
    const text = shown.lines[at] ?? "";
    const slots = slotsOf(own(at), group);
    const like = byLikeness(group, page, lines, text, own(at));
    const titled = at > anchor ? byTitle(text, slots, lines, shown, at, hasParts) : undefined;
    const below = at > anchor ? byFollowing(text, slots, lines, shown, at, found.get(at - 1)) : undefined;
    const listed = at === anchor ? inList(text, slots, lines, shown, at, found) : undefined;
    const alone = below !== undefined && !/[A-Za-z]{2}/.test(fixedText(text, slots));
    const known = titled ?? (alone ? below : undefined);
    const one =
      known ?? inPlace({ text, slots, lines, shown, at, keyed }, listed, like) ?? like ?? below ?? listed;
    if (one !== undefined) found.set(at, one);
  }
  addTold(found, { used, anchor, own }, shown, group, lines);
  if (own(anchor).length === 0) withOpening(found, anchor, shown, lines);
  byForms(found, anchor, (at) => slotsOf(own(at), group), shown, lines);
  const isAsked = wanted.some((one) => one.line === anchor);
  addMissed(isAsked ? undefined : found, anchor, slotsOf(own(anchor), group), shown, group, lines);
  keepShallow(found, anchor, shown.lines, lines);
  withFronts(found, lines);
  for (const at of used) withOptionalEnd(found.get(at), slotsOf(own(at), group), lines);
  return found;
}

/** A line told by a name behind a number, or by the words in front of its parts. */
function withWords(
  { lines: block, labels }: Shown,
  at: number,
  slots: readonly Slot[],
  page: Page,
  lines: readonly string[],
  wanted: readonly Wanted[],
): FoundLine | undefined {
  const text = wanted.find((one) => one.line === at)?.text ?? "";
  return byName(slots, labels[at], lines) ?? byWords(block[at] ?? "", slots, page, lines, text);
}

/** A line of a record that has no parts and was told by nothing but its place is told by its first word. */
function withOpening(
  found: Map<number, FoundLine>,
  anchor: number,
  shown: Shown,
  lines: readonly string[],
): void {
  const bare = found.get(anchor);
  if (bare === undefined || wordsOf(bare.pattern).length > 0) return;
  const opened = byOpening(shown.lines[anchor] ?? "", lines);
  if (opened !== undefined) found.set(anchor, opened);
}

/** A line without parts, told by the word that it begins with. */
function byOpening(text: string, lines: readonly string[]): FoundLine | undefined {
  const lead = /^\s*([^\p{L}\p{N}\s]*\s*)([A-Za-z]{3,})(?![\w-])/u.exec(text);
  if (lead === null) return undefined;
  const mark = (lead[1] ?? "").trim();
  const pattern = `^\\s*${mark === "" ? "" : `${escapeRegex(mark)}\\s*`}${lead[2] ?? ""}(?![\\w-])`;
  const regex = new RegExp(pattern);
  const hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  if (hits.length === 0) return undefined;
  const example = lines[hits[0] ?? 0] ?? text;
  return { pattern, hits, example, sources: new Map(), doubts: [], sure: true };
}

/** Lines above that of the record whose expression fits that line as well are told by their form. */
function byForms(
  found: Map<number, FoundLine>,
  anchor: number,
  slots: (at: number) => Slot[],
  shown: Shown,
  lines: readonly string[],
): void {
  const main = found.get(anchor);
  if (main === undefined) return;
  for (const [at, one] of found) {
    // Rulers are no text above records.
    const ruled = at < anchor && one.hits.some((hit) => !/[\p{L}\p{N}]/u.test(lines[hit] ?? ""));
    if (ruled && one.pattern.startsWith("^")) {
      one.pattern = one.pattern.replace("^", "^(?=.*\\w)");
      one.hits = one.hits.filter((hit) => /\w/.test(lines[hit] ?? ""));
      one.example = lines[one.hits[0] ?? 0] ?? one.example;
    }
    const regex = new RegExp(one.pattern);
    const both = main.hits.filter((hit) => regex.test(lines[hit] ?? "")).length;
    if (at >= anchor || both < main.hits.length * 0.2) continue;
    const others = [...found].flatMap(([line, { pattern }]) => (line === at ? [] : [new RegExp(pattern)]));
    const form = formLine(shown.lines[at] ?? "", slots(at), others, lines);
    if (form === undefined) continue;
    const example = lines[form.hits[0] ?? 0] ?? "";
    found.set(at, { ...form, example, sources: sourcesOf(slots(at)), doubts: [], sure: true });
  }
}

/** Lines that the page numbers, whatever stands on them. */
function addTold(
  found: Map<number, FoundLine>,
  { used, anchor, own }: { used: readonly number[]; anchor: number; own: (at: number) => Put[] },
  shown: Shown,
  group: Group,
  lines: readonly string[],
): void {
  for (const at of used) {
    if (at <= anchor || !isToldByNumber(own(at).map(({ hint }) => hint))) continue;
    const above = found.get(at - 1);
    const below = byFollowing(shown.lines[at] ?? "", slotsOf(own(at), group), lines, shown, at, above);
    if (below !== undefined && readsMore(below, found.get(at), above)) found.set(at, below);
  }
}

/** The line of the record with those of its kind that are built otherwise. */
function addMissed(
  found: Map<number, FoundLine> | undefined,
  anchor: number,
  slots: readonly Slot[],
  shown: Shown,
  group: Group,
  lines: readonly string[],
): void {
  const main = found?.get(anchor);
  const below = [...(found ?? [])].filter(([at]) => at > anchor).map(([, one]) => one);
  const more =
    main === undefined
      ? undefined
      : withMissed(shown.lines[anchor] ?? "", slots, main, below, lines, group.value);
  if (more !== undefined) found?.set(anchor, more);
}

/** What stands on a line beside its parts. */
function fixedText(line: string, slots: readonly Slot[]): string {
  return [...slots]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((text, { span }) => text.slice(0, span.start) + text.slice(span.end), line);
}

interface Free {
  text: string;
  slots: readonly Slot[];
  lines: readonly string[];
  shown: Shown;
  at: number;
  keyed: ReadonlyMap<number, readonly number[]>;
}

/** A line without words in front of its parts: what the deeper lines hang on, an item of a list, or a line beside those
 * that were found. */
function inPlace(
  { text, slots, lines, shown, at, keyed }: Free,
  listed: FoundLine | undefined,
  like: FoundLine | undefined,
): FoundLine | undefined {
  const hung = aboveDeeper(shown, at, keyed, lines);
  if (hung.length > 0) return likelier(text, slots, byPlace(text, slots, lines, hung), like);
  if (listed !== undefined && (like === undefined || isBetter(listed, like) || covers(listed, like)))
    return listed;
  const beside =
    withWord(byPlace(text, slots, lines, aboveNext(shown, at, keyed, lines))) ??
    withWord(byPlace(text, slots, lines, belowLast(shown, at, keyed, lines)));
  return likelier(text, slots, beside, like);
}

/** Are all lines that are like the example items of the list? */
function covers(listed: FoundLine, like: FoundLine): boolean {
  const items = new Set(listed.hits);
  return like.hits.every((hit) => items.has(hit));
}

/** Does the list have lines that are not like the example, or are lines like the example no items of it? */
function isBetter(listed: FoundLine, like: FoundLine): boolean {
  if (wordsOf(like.pattern).length > 0) return false;
  const items = new Set(listed.hits);
  const inside = like.hits.filter((hit) => items.has(hit)).length;
  return inside < items.size || inside < like.hits.length;
}

/** What was learned from the lines in the place, unless the lines that are like the example are more of them. */
function likelier(
  line: string,
  slots: readonly Slot[],
  placed: FoundLine | undefined,
  like: FoundLine | undefined,
): FoundLine | undefined {
  if (placed === undefined || like === undefined) return placed;
  return /[A-Za-z]{2}/.test(fixedText(line, slots)) && like.hits.length > placed.hits.length ? like : placed;
}

/** Lines that only stand close to others have to have a word of their own. */
function withWord(found: FoundLine | undefined): FoundLine | undefined {
  return found !== undefined && wordsOf(found.pattern).length > 0 ? found : undefined;
}

function wordsOf(pattern: string): string[] {
  return pattern.replace(/\(\?<\w+>|\\[a-zA-Z]/g, " ").match(/[A-Za-z]{2,}/g) ?? [];
}

/** The words in front may be others in the log ("Wired port", "Wireless port"), as long as one of them stays. */
function isWider(wider: FoundLine, named: FoundLine): boolean {
  const known = new Set(wider.hits);
  const kept = new Set(wordsOf(named.pattern));
  const words = new Set(wordsOf(wider.pattern));
  // Marks in capitals tell records apart.
  if ([...kept].some((word) => /^[A-Z]{3,}$/.test(word) && !words.has(word))) return false;
  return (
    wider.hits.length > named.hits.length &&
    named.hits.every((hit) => known.has(hit)) &&
    [...words].some((word) => kept.has(word))
  );
}

function byWords(
  line: string,
  slots: readonly Slot[],
  page: Page,
  lines: readonly string[],
  wanted: string,
): FoundLine | undefined {
  const end = Math.max(0, ...slots.map(({ span }) => span.end));
  const asked = line.indexOf(wanted, end) < 0 ? "" : wanted;
  const tail = asked === "" ? spokenTail(line.slice(end), page) : asked;
  const quoted = (text: string): boolean => page.statements.some((one) => one.text.includes(`\`${text}\``));
  const found = keyedLine(line, slots, lines, tail, quoted, anyLevel(page), anyCase(page));
  if (found === undefined) return undefined;
  const { pattern, hits } =
    found.missed.length > 0 && wanted === "" ? wider(line, slots, lines, found) : found;
  return {
    pattern,
    hits,
    example: lines[hits[0] ?? 0] ?? line,
    sources: sourcesOf(slots),
    doubts: [],
    unread: wanted === "" && tail === "" ? unreadLines(pattern, found, page, lines) : [],
    sure: true,
  };
}

/** Lines as deep and with the same words in front that the expression does not read, and the page does not rule out. */
function unreadLines(pattern: string, found: KeyedLine, page: Page, lines: readonly string[]): string[] {
  const regex = new RegExp(pattern);
  const depths = new Set(found.hits.map((hit) => (lines[hit] ?? "").search(/\S/)));
  return found.missed.filter(
    (text) =>
      depths.has(text.search(/\S/)) && !regex.test(text) && !page.unwanted.some((one) => text.includes(one)),
  );
}

/** What all lines with the same words in front have in common, where that reads more of them and the others as before. */
function wider(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  found: KeyedLine,
): Pick<KeyedLine, "pattern" | "hits"> {
  const read = found.hits.map((hit) => lines[hit] ?? "");
  const depths = new Set(read.map((text) => text.search(/\S/)));
  const alike = found.missed.filter((text) => depths.has(text.search(/\S/)));
  if (alike.length === 0) return found;
  const learned = learnedLine(line, slots, [...read, ...alike]);
  if (learned === undefined) return found;
  const [strict, wide] = [new RegExp(found.pattern), new RegExp(learned)];
  const same = read.every((text) => {
    const [one, other] = [strict.exec(text)?.groups ?? {}, wide.exec(text)?.groups];
    return other !== undefined && Object.entries(one).every(([name, part]) => other[name] === part);
  });
  // The further texts are of the same kind: with digits where all others have some.
  const kept = [...slots].every(({ group }) => {
    const texts = (all: readonly string[]): string[] =>
      all.flatMap((text) => wide.exec(text)?.groups?.[group]?.trim() ?? []);
    return !texts(read).every((text) => /\d/.test(text)) || texts(alike).every((text) => /\d/.test(text));
  });
  if (!same || !kept) return found;
  return { pattern: learned, hits: lines.flatMap((text, index) => (wide.test(text) ? [index] : [])) };
}
