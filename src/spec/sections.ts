// Finds the sections of an ItemSpec among the headings of a page, and splits the text at them.
import type { Outline, OutlineEntry } from "./outline.ts";
import {
  isOutsideOutline,
  numberOf,
  SUB_KEYS,
  type SubKey,
  type TitleKey,
  TOP_KEYS,
  type TopKey,
  titleScore,
} from "./titles.ts";
import type { SectionKey, SpecHeading, SpecSection } from "./types.ts";

export interface Sections {
  sections: Record<SectionKey, SpecSection | undefined>;
  headings: SpecHeading[];
  /** Sections that two headings match equally well. */
  duplicates: { key: TitleKey; lines: number[] }[];
  /** Headings that end a section but belong to none. */
  outside: OutlineEntry[];
  /** Lines of each section, 1-based, inclusive. */
  ranges: { key: SectionKey; from: number; to: number }[];
}

interface Claim {
  entry: OutlineEntry;
  /** Higher is more certain: real headings before candidates, titles before words, words before numbers. */
  rank: number;
}

type Placed = Map<OutlineEntry, TitleKey>;

/** Finds the sections.
 * @param text the source of the outline, with LF line ends */
export function findSections(outline: Outline, text: string): Sections {
  const duplicates: Sections["duplicates"] = [];
  const placed: Placed = new Map();
  const title = outline.entries.find((entry) => entry.real && entry.depth === 1 && topScore(entry) === 0);
  const entries = outline.entries.filter((entry) => entry !== title);

  const place = <K extends TitleKey>(keys: K[], claimsOf: (key: K) => Claim[]) => {
    for (const key of keys) {
      const { chosen, rivals } = choose(claimsOf(key).filter((claim) => !placed.has(claim.entry)));
      if (rivals.length > 1) duplicates.push({ key, lines: rivals.map((rival) => rival.line) });
      if (chosen !== undefined) placed.set(chosen, key);
    }
  };

  place(TOP_KEYS, (key) => wordClaims(entries, key));
  const shift = numberShift(placed);
  const topByNumber = (key: TopKey) => (has(placed, key) ? [] : numberClaims(entries, Number(key) + shift));
  place(TOP_KEYS, topByNumber);

  const guide = rangeOfGuide(entries, placed);
  place(SUB_KEYS, (key) => wordClaims(guide, key));
  place(SUB_KEYS, (key) => (has(placed, key) ? [] : subNumberClaims(guide, key)));

  return { ...splitText(outline, placed, text), duplicates };
}

function has(placed: Placed, key: TitleKey): boolean {
  return [...placed.values()].includes(key);
}

function topScore(entry: OutlineEntry): number {
  return Math.max(...TOP_KEYS.map((key) => titleScore(entry.text, key)));
}

/** Headings whose words name the section. A candidate without a number must have the exact title. */
function wordClaims(entries: OutlineEntry[], key: TitleKey): Claim[] {
  return entries.flatMap((entry) => {
    const score = titleScore(entry.text, key);
    const numbered = numberOf(entry.text) !== undefined;
    if (score === 0 || (!entry.real && !numbered && score < 2)) return [];
    return [{ entry, rank: (entry.real ? 10 : 0) + score * 3 + (numbered ? 1 : 0) }];
  });
}

/** Headings with a plain number (`3.`) whose words name no other section. */
function numberClaims(entries: OutlineEntry[], number: number): Claim[] {
  return entries.flatMap((entry) => {
    const parts = numberOf(entry.text)?.parts;
    if (parts?.length !== 1 || parts[0] !== number || isOutsideOutline(entry.text)) return [];
    return [{ entry, rank: entry.real ? 1 : 0 }];
  });
}

/** `5.2` or `2.` below the guide means 4.2, regardless of the number of the guide itself. */
function subNumberClaims(entries: OutlineEntry[], key: SubKey): Claim[] {
  const wanted = Number(key.slice(2));
  return entries.flatMap((entry) => {
    const parts = numberOf(entry.text)?.parts ?? [];
    if (parts.length > 2 || parts.length === 0 || parts.at(-1) !== wanted) return [];
    return [{ entry, rank: (entry.real ? 2 : 0) + (parts.length === 2 ? 1 : 0) }];
  });
}

/** The most certain claim; among equals, the shallowest heading; among equals of equal depth (`rivals`), the first. */
function choose(claims: Claim[]): { chosen: OutlineEntry | undefined; rivals: OutlineEntry[] } {
  const best = Math.max(...claims.map((claim) => claim.rank));
  const candidates = claims.filter((claim) => claim.rank === best).map((claim) => claim.entry);
  const depth = Math.min(...candidates.map((entry) => entry.depth));
  const rivals = candidates.filter((entry) => entry.depth === depth);
  return { chosen: rivals[0], rivals };
}

/** The offset of the numbers of the page from those of the outline, if all sections found by words have the same. */
function numberShift(placed: Placed): number {
  const shifts = new Set<number>();
  for (const [entry, key] of placed) {
    const parts = numberOf(entry.text)?.parts;
    if (parts?.length === 1) shifts.add((parts[0] ?? 0) - Number(key));
  }
  return shifts.size === 1 ? ([...shifts][0] ?? 0) : 0;
}

/** Headings below the implementation guide; on a page without it, those below no other section. */
function rangeOfGuide(entries: OutlineEntry[], placed: Placed): OutlineEntry[] {
  const guide = entries.find((entry) => placed.get(entry) === "4");
  const tops = entries.filter((entry) => placed.has(entry));
  if (guide !== undefined) {
    const end = entries.find(
      (entry) =>
        entry.line > guide.line &&
        (placed.has(entry) || (entry.real && entry.depth < guide.depth) || endsGuide(entry, guide)),
    );
    return entries.filter(
      (entry) => entry.line > guide.line && entry.line < (end?.line ?? Number.MAX_SAFE_INTEGER),
    );
  }
  const depth = Math.min(6, ...tops.map((entry) => entry.depth));
  return entries.filter((entry) => {
    if (placed.has(entry)) return false;
    const parts = numberOf(entry.text)?.parts;
    return entry.depth <= depth || (parts?.length === 2 && parts[0] === 4);
  });
}

/** Whether a heading at the level of the guide is not one of its parts. */
function endsGuide(entry: OutlineEntry, guide: OutlineEntry): boolean {
  if (!entry.real || entry.depth !== guide.depth) return false;
  if (SUB_KEYS.some((key) => titleScore(entry.text, key) > 0)) return false;
  return !isPartOf(entry, guide);
}

/** Whether the heading is numbered as a part of the other, like `1.2` of `1`. */
function isPartOf(entry: OutlineEntry, section: OutlineEntry): boolean {
  const inner = numberOf(entry.text)?.parts ?? [];
  const outer = numberOf(section.text)?.parts ?? [];
  return outer.length > 0 && inner.length > outer.length && outer.every((part, i) => inner[i] === part);
}

function splitText(outline: Outline, placed: Placed, text: string): Omit<Sections, "duplicates"> {
  const lines = text.split("\n");
  const sections: Sections["sections"] = {
    "1": undefined,
    "2": undefined,
    "3": undefined,
    "4.1": undefined,
    "4.2": undefined,
    "4.3": undefined,
  };
  const outside = new Set<OutlineEntry>();
  const ranges: Sections["ranges"] = [];
  for (const [entry, key] of placed) {
    if (key === "4") continue;
    const end = outline.entries.find((other) => other.line > entry.line && endsSection(other, entry, placed));
    if (end?.real && !placed.has(end)) outside.add(end);
    const to = end === undefined ? lines.length : end.line - 1;
    const body = lines.slice(entry.bodyLine - 1, to);
    ranges.push({ key, from: entry.bodyLine, to });
    sections[key] = { key, heading: entry.text, line: entry.line, text: trimBlankLines(body) };
  }
  const headings: SpecHeading[] = outline.entries
    .filter((entry) => entry.real || placed.has(entry))
    .map((entry) => {
      const key = placed.get(entry);
      return {
        depth: entry.depth,
        text: entry.text,
        line: entry.line,
        ...(key === undefined ? {} : { key }),
      };
    });
  return { sections, headings, outside: [...outside], ranges };
}

function endsSection(other: OutlineEntry, section: OutlineEntry, placed: Placed): boolean {
  if (placed.has(other)) return true;
  return other.real && section.depth >= other.depth && !isPartOf(other, section);
}

function trimBlankLines(lines: string[]): string {
  let from = 0;
  let to = lines.length;
  while (from < to && (lines[from] ?? "").trim() === "") from += 1;
  while (to > from && (lines[to - 1] ?? "").trim() === "") to -= 1;
  return lines.slice(from, to).join("\n");
}
