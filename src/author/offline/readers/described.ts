// Pages that describe a record in prose, without an example line: families of lines of the log are tried as if the
// page had shown one of their lines, with the fields that such a line lacks looked for around it. The reading that
// fits the page's names, order and kinds best is proposed; how far the next one is behind says how sure it is.

import { tokenize } from "../logs/tokens.ts";
import { makeHint } from "../page/make-hint.ts";
import { fieldName, similarity } from "../page/names.ts";
import type { FieldRule, Group, Hint, Page } from "../page/page.ts";
import { type Assignment, assign } from "../parts/assign.ts";
import type { Above, BlockRule, LineRule, Projection } from "../program/ir.ts";
import { judge, overlapsOf, wordsIn } from "./described-doubts.ts";
import { type Family, familiesOf, variationOf } from "./families.ts";
import { type LineCandidate, lineCandidate } from "./lines.ts";
import { filtersOnParts } from "./part-filters.ts";
import { namedSection } from "./sections.ts";
import { type Place, placesOf } from "./surroundings.ts";
import { narrowed } from "./tight.ts";
import { withWords } from "./word-conditions.ts";

export interface DescribedCandidate {
  rule: LineRule | BlockRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** A family taken for the records, and where the fields that its lines lack stand. */
export interface Reading {
  family: Family;
  overlap: number;
  assignment: Assignment;
  places: Place[];
  score: number;
}

const MAX_TRIED = 28;

export function describedGroup(
  group: Group,
  page: Page,
  all: readonly string[],
): DescribedCandidate | undefined {
  const { value } = group;
  if (value === undefined) return undefined;
  const section = namedSection(page, all);
  const inside = new Set(section?.inside ?? []);
  const lines = section === undefined ? all : all.map((line, index) => (inside.has(index) ? line : ""));
  const separator = page.lists.find((list) => list.separated !== undefined)?.separated?.by;
  const families = conditioned(familiesOf(lines, separator), page, lines);
  const overlaps = overlapsOf(families, lines, page, group);
  const ranked = [...families].sort(
    (a, b) => rankOf(b, overlaps.get(b) ?? 0) - rankOf(a, overlaps.get(a) ?? 0),
  );
  const readings = ranked
    .slice(0, MAX_TRIED)
    .map((family) => readingOf(group, page, lines, families, family, overlaps.get(family) ?? 0))
    .sort((a, b) => b.score - a.score);
  const built = readings.slice(0, 4).flatMap((reading) => {
    const one = build(reading, group, page, lines);
    if (one?.rule.kind === "line" && section !== undefined) one.rule.scope = section.scope;
    return one === undefined || (section !== undefined && one.rule.kind === "block") ? [] : [one];
  });
  const [first] = built;
  if (first === undefined) return undefined;
  if (first.rule.kind === "line") addShorter(first.rule, first, readings, group, page, lines);
  const hits = new Set(first.hits);
  const rival = readings.find(
    (one) =>
      one !== first.reading &&
      one.family.indices.filter((index) => hits.has(index)).length < one.family.indices.length * 0.5,
  );
  return judge(first, rival, group, lines);
}

/** Families without the lines that break a condition of the page, where others of them fulfil it. */
function conditioned(families: readonly Family[], page: Page, lines: readonly string[]): Family[] {
  const rules = page.rules.filter((rule) => !rule.negate && rule.match === undefined);
  if (rules.length === 0) return [...families];
  return families.map((family) => {
    const indices = family.indices.filter((index) => hasAll(lines[index] ?? "", rules));
    const [first] = indices;
    if (first === undefined || indices.length === family.indices.length) return family;
    const example = hasAll(family.example, rules) ? family.example : (lines[first] ?? "");
    return { ...family, indices, example };
  });
}

function hasAll(line: string, rules: readonly FieldRule[]): boolean {
  return rules.every((rule) => rule.equals.some((text) => hasToken(line, text)));
}

function hasToken(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    if (!/\w/.test(line.charAt(at - 1)) && !/\w/.test(line.charAt(at + text.length))) return true;
  }
  return false;
}

function rankOf(family: Family, overlap: number): number {
  return overlap + Math.min(3, Math.log2(family.indices.length + 1) * 0.6);
}

function readingOf(
  group: Group,
  page: Page,
  lines: readonly string[],
  families: readonly Family[],
  family: Family,
  overlap: number,
): Reading {
  const varies = variationOf(family, lines);
  const read = (fields: readonly Hint[]): Assignment =>
    assign(
      family.example,
      group.value,
      [...fields, ...helpersOf(group, page)],
      page.lists,
      varies,
      wordsIn(group),
    );
  let assignment = read(group.fields);
  const places: Place[] = [];
  for (const hint of group.fields) {
    const own = assignment.placed.find((one) => one.hint === hint);
    if (own !== undefined && own.score >= 2.5) continue;
    const others = families.filter((one) => one !== family);
    const [place] = placesOf(hint, family.indices, others, lines, "");
    if (place !== undefined && place.score > (own?.score ?? -1) + 1) places.push(place);
  }
  if (places.length > 0) {
    assignment = read(group.fields.filter((hint) => places.every((place) => place.hint !== hint)));
  }
  const around = places.reduce((sum, place) => sum + Math.min(6, place.score), 0);
  const count = Math.min(1.5, Math.log10(family.indices.length));
  const missing = assignment.missing.filter((hint) => !hint.optional).length;
  return {
    family,
    overlap,
    assignment,
    places,
    score: assignment.score + around + Math.min(4, overlap) + count - 2 * missing,
  };
}

/** Lines between the records that have all but the optional parts are records, too. */
function addShorter(
  rule: LineRule,
  first: Built,
  readings: readonly Reading[],
  group: Group,
  page: Page,
  lines: readonly string[],
): void {
  const required = group.fields.filter((hint) => !hint.optional);
  if (required.length === group.fields.length) return;
  const taken = new Set(first.hits);
  for (const reading of readings) {
    const open = reading.family.indices.filter((index) => !taken.has(index));
    const beside = open.filter((index) => taken.has(index - 1) || taken.has(index + 1));
    if (open.length === 0 || beside.length < open.length * 0.6 || reading.places.length > 0) continue;
    const short = readingOf({ ...group, fields: required }, page, lines, [], reading.family, reading.overlap);
    const weakest = Math.min(...short.assignment.placed.map((one) => one.score));
    if (short.assignment.missing.length > 0 || weakest < 0) continue;
    const built = build({ ...short, places: [] }, { ...group, fields: required }, page, lines);
    if (built?.rule.kind !== "line" || built.hits.length === 0) continue;
    const known = rule.alternatives.map((one) => new RegExp(one.pattern));
    const fresh = built.hits.filter((hit) => known.every((regex) => !regex.test(lines[hit] ?? "")));
    const near = fresh.filter((hit) => taken.has(hit - 1) || taken.has(hit + 1));
    if (fresh.length === 0 || near.length < fresh.length * 0.6) continue;
    rule.alternatives.push(...built.rule.alternatives.slice(0, 1));
    for (const hit of fresh) taken.add(hit);
  }
}

export interface Built {
  reading: Reading;
  candidate: LineCandidate;
  hits: number[];
  rule: LineRule | BlockRule;
  lost: Hint[];
}

function build(reading: Reading, group: Group, page: Page, lines: readonly string[]): Built | undefined {
  const away = new Set(reading.places.map((place) => place.hint));
  const helpers = helpersOf(group, page);
  const candidate = lineCandidate({
    example: reading.family.example,
    value: group.value,
    fields: [...group.fields, ...helpers].filter((hint) => !away.has(hint)),
    lists: page.lists,
    constants: new Map(),
    lines,
    stems: page.stems,
    real: true,
    unwanted: page.unwanted,
    unwantedStems: page.unwantedStems,
    varies: variationOf(reading.family, lines),
    loose: looseTokens(reading, group, lines),
    words: wordsIn(group),
  });
  if (candidate === undefined) return undefined;
  const separator = page.lists.find((list) => list.separated !== undefined)?.separated?.by;
  if (separator !== undefined) {
    // Parts between separators may have blanks in other lines.
    const { alternative } = candidate;
    alternative.pattern = alternative.pattern.replaceAll(`[^\\s${separator}]`, `[^${separator}]`);
  }
  keepToFamily(candidate, reading.family, lines);
  const above = surrounding(reading, "above", page, lines);
  const below = surrounding(reading, "below", page, lines);
  const lost = reading.places
    .map((place) => place.hint)
    .filter((hint) => !above.found.has(hint) && !below.found.has(hint));
  const projection = (base: Projection): Projection => ({
    ...base,
    fields: group.fields.flatMap((hint) => {
      const own = base.fields.find((field) => field.name === hint.name);
      if (own !== undefined) return [own];
      const source = above.found.get(hint) ?? below.found.get(hint);
      return source === undefined
        ? []
        : [{ name: hint.name, source: { from: "group" as const, group: source } }];
    }),
  });
  const texts = candidate.hits.map((hit) => lines[hit] ?? "");
  const filters = filtersOnParts(
    candidate.alternative.projection,
    group,
    page,
    candidate.alternative.pattern,
    texts,
  );
  const heads = above.lines.length === 0 ? {} : { above: above.lines };
  const { alternative } = candidate;
  if (below.lines.length > 0) {
    const { value } = alternative.projection;
    const rule: BlockRule = {
      kind: "block",
      start: alternative.pattern,
      startExample: alternative.example,
      keys: [],
      keyLine: "",
      inner: below.lines,
      ...heads,
      ends: "start",
      lineOf: "start",
      valueGroup: value.from === "group" ? value.group : "",
      filters,
      required: value.from === "group" ? [value.group] : [],
      projection: projection(alternative.projection),
    };
    return { reading, candidate, hits: candidate.hits, rule, lost };
  }
  const rule: LineRule = {
    kind: "line",
    alternatives: [alternative, ...candidate.variants].map((one) =>
      withWords({ ...one, projection: projection(one.projection) }, page, lines),
    ),
    unless: [],
    filters,
    ...heads,
  };
  return { reading, candidate, hits: candidate.hits, rule, lost };
}

/** Parts that only a condition of the page needs: named in a list of the page, but neither value nor field. */
function helpersOf(group: Group, page: Page): Hint[] {
  const known = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  return page.rules.flatMap((rule) => {
    if (rule.name === "" || known.some((hint) => similarity(hint.name, rule.name) >= 0.9)) return [];
    const listed = page.lists.some((list) => list.names.some((name) => similarity(name, rule.name) >= 0.95));
    return listed ? [makeHint(fieldName(rule.name), `(${rule.name})`)] : [];
  });
}

/** Offsets of the words of the example that differ among the lines of its family, or that the page lists as parts of
 * their own. */
function looseTokens(reading: Reading, group: Group, lines: readonly string[]): ReadonlySet<number> {
  const { family, assignment } = reading;
  // Words of the line that the page quotes stay.
  const words = wordsIn(group).flatMap((text) => {
    const at = family.example.indexOf(text);
    return at < 0 ? [] : [{ start: at, end: at + text.length }];
  });
  const varies = variationOf(family, lines);
  const loose = new Set<number>();
  for (const token of tokenize(family.example)) {
    if (token.kind === "space" || token.kind === "punct") continue;
    if (words.some((one) => token.start >= one.start && token.end <= one.end)) continue;
    const listed = assignment.others.some(({ span }) => token.start >= span.start && token.end <= span.end);
    if (listed || varies(token) === true) loose.add(token.start);
  }
  return loose;
}

/** The expression of the candidate without lines of other families, as far as its parts can be narrowed. */
function keepToFamily(candidate: LineCandidate, family: Family, lines: readonly string[]): void {
  const inside = new Set(family.indices);
  const own = family.indices.map((index) => lines[index] ?? "");
  const others = lines.filter((_, index) => !inside.has(index));
  candidate.alternative.pattern = narrowed(candidate.alternative.pattern, own, others);
  const regex = new RegExp(candidate.alternative.pattern);
  candidate.hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
}

/** The expressions of the lines above or below, one for each family, and the groups of the hints. */
function surrounding(
  reading: Reading,
  side: Place["side"],
  page: Page,
  lines: readonly string[],
): { lines: Above[]; found: Map<Hint, string> } {
  const found = new Map<Hint, string>();
  const result: Above[] = [];
  const places = reading.places.filter((place) => place.side === side);
  for (const family of new Set(places.map((place) => place.family))) {
    const fields = places.filter((place) => place.family === family).map((place) => place.hint);
    const candidate = lineCandidate({
      example: family.example,
      value: undefined,
      fields,
      lists: [],
      constants: new Map(),
      lines: family.indices.map((index) => lines[index] ?? ""),
      stems: page.stems,
      real: true,
      varies: variationOf(family, lines),
    });
    if (candidate === undefined) continue;
    const { pattern, projection } = candidate.alternative;
    for (const hint of fields) {
      const source = projection.fields.find((field) => field.name === hint.name)?.source;
      if (source?.from === "group") found.set(hint, source.group);
    }
    const inside = new Set(family.indices);
    const own = family.indices.map((index) => lines[index] ?? "");
    const others = lines.filter((_, index) => !inside.has(index));
    result.push({ pattern: narrowed(pattern, own, others, true), example: family.example });
  }
  return { lines: result, found };
}
