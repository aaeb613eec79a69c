// The ways in which a line of the block is found in the log: by a name behind a number, by the line above it, by the lines that
// stand in its place, by its list or title, by its likeness as a whole.

import type { Group, Hint, Page } from "../../page/page.ts";
import type { Scope, Source } from "../../program/ir.ts";
import type { Slot } from "../../templates/template.ts";
import type { Put } from "./distribute.ts";
import { followingLine } from "./following.ts";
import { numberLine } from "./keyed-line.ts";
import { learnedLine } from "./learned-line.ts";
import { likeLine } from "./like-line.ts";
import { listingOf, titleAbove } from "./places.ts";
import type { Label, Shown } from "./shown.ts";

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

/** A line told by the one right above it. */
export function byFollowing(
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

export function slotsOf(puts: readonly Put[], group: Group): Slot[] {
  return puts.map((put) => ({ group: groupName(put.hint, group), hint: put.hint, span: put.span }));
}

export function sourcesOf(slots: readonly Slot[]): Map<Hint, Source> {
  return new Map(
    slots.map((slot) => [
      slot.hint,
      { from: "group", group: slot.group, ...(slot.hint.basename ? { op: "basename" as const } : {}) },
    ]),
  );
}

/** A number with its name behind it. */
export function byName(
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

export function byPlace(
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

export function inList(
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
export function byTitle(
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

export function byLikeness(
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
