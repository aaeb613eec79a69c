// For every line of the block that has parts or has to be there: the expression that the lines of the log follow, by the
// words in front of its parts, by the lines that stand in its place, or by its likeness as a whole.

import type { Group, Hint, Page } from "../../page/page.ts";
import type { Scope, Source } from "../../program/ir.ts";
import type { Slot } from "../../templates/template.ts";
import type { Wanted } from "./conditions.ts";
import type { Put } from "./distribute.ts";
import { followingLine, isToldByNumber, readsMore } from "./following.ts";
import { formLine } from "./form-line.ts";
import { withFronts } from "./fronts.ts";
import { type KeyedLine, keyedLine, numberLine } from "./keyed-line.ts";
import { learnedLine } from "./learned-line.ts";
import { likeLine } from "./like-line.ts";
import { withMissed } from "./missed-starts.ts";
import { aboveDeeper, aboveNext, belowLast, listingOf, titleAbove } from "./places.ts";
import type { Label, Shown } from "./shown.ts";
import { anyCase, anyLevel, spokenTail } from "./spoken-words.ts";

export interface FoundLine {
  pattern: string;
  /** A line of the log that it matches. */
  example: string;
  hits: number[];
  sources: ReadonlyMap<Hint, Source>;
  doubts: string[];
  /** Lines that begin with the same words and are not read. */
  unread?: string[];
  /** Only below this title. */
  scope?: Scope;
  /** Only right below such a line. */
  after?: string;
  /** It stands right below the line above it in every record. */
  follows?: boolean;
  /** It was found by words in front of its parts, or learned from the lines in its place. */
  sure: boolean;
}

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
    const text = wanted.find((one) => one.line === at)?.text ?? "";
    const slots = slotsOf(own(at), group);
    const one =
      byName(slots, shown.labels[at], lines) ?? byWords(shown.lines[at] ?? "", slots, page, lines, text);
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
  byForms(found, anchor, (at) => slotsOf(own(at), group), shown, lines);
  if (!wanted.some((one) => one.line === anchor))
    addMissed(found, anchor, slotsOf(own(anchor), group), shown, group, lines);
  withFronts(found, lines);
  return found;
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
  found: Map<number, FoundLine>,
  anchor: number,
  slots: readonly Slot[],
  shown: Shown,
  group: Group,
  lines: readonly string[],
): void {
  const main = found.get(anchor);
  const below = [...found].filter(([at]) => at > anchor).map(([, one]) => one);
  const more =
    main === undefined
      ? undefined
      : withMissed(shown.lines[anchor] ?? "", slots, main, below, lines, group.value);
  if (more !== undefined) found.set(anchor, more);
}

/** What stands on a line beside its parts. */
function fixedText(line: string, slots: readonly Slot[]): string {
  return [...slots]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((text, { span }) => text.slice(0, span.start) + text.slice(span.end), line);
}

/** A line told by the one right above it. */
function byFollowing(
  text: string,
  slots: readonly Slot[],
  lines: readonly string[],
  shown: Shown,
  at: number,
  above: FoundLine | undefined,
): FoundLine | undefined {
  const found = followingLine(shown, at, slots, above, lines);
  if (found === undefined) return undefined;
  const example = lines[found.hits[0] ?? 0] ?? text;
  return { ...found, example, sources: sourcesOf(slots), doubts: [], sure: true, follows: true };
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

function slotsOf(puts: readonly Put[], group: Group): Slot[] {
  return puts.map((put) => ({ group: groupName(put.hint, group), hint: put.hint, span: put.span }));
}

function sourcesOf(slots: readonly Slot[]): Map<Hint, Source> {
  return new Map(
    slots.map((slot) => [
      slot.hint,
      { from: "group", group: slot.group, ...(slot.hint.basename ? { op: "basename" as const } : {}) },
    ]),
  );
}

/** A number with its name behind it. */
function byName(
  slots: readonly Slot[],
  label: Label | undefined,
  lines: readonly string[],
): FoundLine | undefined {
  const [slot] = slots;
  if (slot === undefined || slots.length > 1 || label?.to !== slot.span.end) return undefined;
  const found = numberLine(slot, label.name, lines);
  if (found === undefined) return undefined;
  const example = lines[found.hits[0] ?? 0] ?? "";
  return { ...found, example, sources: sourcesOf(slots), doubts: [], sure: true };
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

function byPlace(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  own: readonly number[],
): FoundLine | undefined {
  if (own.length === 0) return undefined;
  const pattern = learnedLine(
    line,
    slots,
    own.map((index) => lines[index] ?? ""),
  );
  if (pattern === undefined) return undefined;
  const regex = new RegExp(pattern);
  const hits = lines.flatMap((text, index) => (regex.test(text) ? [index] : []));
  return {
    pattern,
    hits,
    example: lines[own[0] ?? 0] ?? line,
    sources: sourcesOf(slots),
    doubts: [],
    sure: true,
  };
}

function inList(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  shown: Shown,
  at: number,
  known: ReadonlyMap<number, FoundLine>,
): FoundLine | undefined {
  const listing = listingOf(shown, at, known, lines);
  if (listing === undefined) return undefined;
  for (const items of [listing.all, listing.items]) {
    const found = byPlace(line, slots, lines, items);
    if (found !== undefined) return { ...found, hits: items, scope: listing.scope };
  }
  return undefined;
}

/** A text on the line below its title: "Port:", and below it the port. */
function byTitle(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  shown: Shown,
  at: number,
  hasParts: (line: number) => boolean,
): FoundLine | undefined {
  const title = titleAbove(shown, at, hasParts, lines);
  if (title === undefined) return undefined;
  const found = byPlace(line, slots, lines, title.below);
  return found === undefined ? undefined : { ...found, hits: title.below, after: title.pattern };
}

function byLikeness(
  group: Group,
  page: Page,
  lines: readonly string[],
  text: string,
  puts: readonly Put[],
): FoundLine | undefined {
  const candidate = likeLine(group, page, lines, text, puts);
  if (candidate === undefined) return undefined;
  const { projection, example } = candidate.alternative;
  const pattern = closedAtEnd(candidate.alternative.pattern, text, puts, lines);
  const sources = new Map<Hint, Source>();
  for (const { hint } of puts) {
    const source =
      hint === group.value
        ? projection.value
        : projection.fields.find((field) => field.name === hint.name)?.source;
    if (source !== undefined) sources.set(hint, source);
  }
  return { pattern, example, hits: candidate.hits, sources, doubts: candidate.doubts, sure: false };
}

/** Where nothing but signs stands behind the last part of the example, so it is in the log, if the lines have it. */
function closedAtEnd(pattern: string, text: string, puts: readonly Put[], lines: readonly string[]): string {
  const last = Math.max(0, ...puts.map(({ span }) => span.end));
  if (!/^[^\w\s]+\s*$/.test(text.slice(last)) || pattern.endsWith("$")) return pattern;
  const closed = `${pattern}\\s*$`;
  const [open, ended] = [pattern, closed].map((source) => {
    const regex = new RegExp(source);
    return lines.filter((line) => regex.test(line)).length;
  });
  return (ended ?? 0) >= (open ?? 0) * 0.95 ? closed : pattern;
}

/** The name of the group of a part, the same in all expressions of a record. */
export function groupName(hint: Hint, group: Group): string {
  const wish = hint === group.value && !/^[a-z]\w*$/.test(hint.name) ? "value" : hint.name;
  const taken = hint === group.value && group.fields.some((field) => field.name === wish);
  return /^[A-Za-z_]\w*$/.test(wish) && !taken
    ? wish
    : `part_${[group.value, ...group.fields].indexOf(hint) + 1}`;
}
