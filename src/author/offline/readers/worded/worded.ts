// Pages in prose over single lines: which lines of the log have the words of the page, and which part of them is
// which, going by all of these lines together. A second reading beside `readers/described.ts`, made another way: it
// starts from the words, the other one from the form of the lines.

import type { Group, Hint, Page } from "../../page/page.ts";
import { type Assignment, assign } from "../../parts/assign.ts";
import type { Span } from "../../parts/spans.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { LineRule, Projection, Source } from "../../program/ir.ts";
import { isTooFree, withoutCommas } from "../../templates/effort.ts";
import { filtersOnParts } from "../part-filters.ts";
import { expressionsOf, type Found } from "./compose.ts";
import { enriched } from "./enrich.ts";
import { judge } from "./judge.ts";
import { isFragment, type LineSet, lineSetsOf, unwantedCodes } from "./linesets.ts";
import { type Carried, find, regexOf } from "./recipes.ts";
import { type Sample, sampleOf } from "./sample.ts";
import { vocabularyOf } from "./vocabulary.ts";
import { weigherOf } from "./weigh.ts";

export interface WordedCandidate {
  rule: LineRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** A set of lines with the parts found in it. */
export interface SetReading {
  set: LineSet;
  /** The line whose parts were told apart. */
  line: string;
  assignment: Assignment;
  carried: Map<Hint, Carried>;
  sample: Sample;
  score: number;
  rule: LineRule;
  /** Indices of the lines that the rule takes. */
  hits: number[];
}

/** The page shows no whole line: no example, or only pieces of lines. */
export function isProse(group: Group, lines: readonly string[]): boolean {
  return group.examples.every(
    (one) => one.mark !== "block" && one.lines.length === 1 && isFragment(one.lines[0] ?? "", lines),
  );
}

export function wordedGroup(group: Group, page: Page, lines: readonly string[]): WordedCandidate | undefined {
  if (group.value === undefined) return undefined;
  const told = enriched(group, page, lines);
  const readings = readingsOf(told, page, lines);
  const [best] = readings;
  if (best === undefined) return undefined;
  return judge(best, readings.slice(1), told, page, lines);
}

/** The readings of all sets, the best first. */
export function readingsOf(group: Group, page: Page, lines: readonly string[]): SetReading[] {
  return lineSetsOf(group, page, lines)
    .map((set, index) => readingOf(set, index < 3 ? 2 : 1, group, page, lines))
    .filter((one) => one !== undefined)
    .sort((a, b) => b.score - a.score);
}

/** Longer lines have too many parts to try: they are left to readers that know their structure. */
const LONGEST = 700;

/** The best reading of a set of lines: the parts of one of its lines, found in all of them. */
function readingOf(
  set: LineSet,
  tried: number,
  group: Group,
  page: Page,
  lines: readonly string[],
): SetReading | undefined {
  const own = set.indices.map((index) => lines[index] ?? "");
  const sample = sampleOf(own);
  let best: SetReading | undefined;
  const typical = typicalLines(sample.lines).filter((line) => line.length <= LONGEST);
  for (const line of typical.slice(0, tried)) {
    const one = onLine(line, set, sample, group, page, lines);
    if (one !== undefined && (best === undefined || one.score > best.score)) best = one;
  }
  return best;
}

function onLine(
  line: string,
  set: LineSet,
  sample: Sample,
  group: Group,
  page: Page,
  lines: readonly string[],
): SetReading | undefined {
  const { weigh, carriedBy } = weigherOf(line, group.value, sample, vocabularyOf(page));
  const assignment = assign(line, group.value, group.fields, page.lists, undefined, [], undefined, weigh);
  const carried = new Map<Hint, Carried>();
  for (const { hint, span } of assignment.placed) {
    const one = carriedBy(hint, span);
    if (one === undefined) return undefined;
    carried.set(hint, one);
  }
  const built = ruleOf(set, assignment, carried, group, page, lines);
  if (built === undefined) return undefined;
  const lost = 1 - built.hits.filter((hit) => set.indices.includes(hit)).length / set.indices.length;
  const missing = assignment.missing.filter((hint) => !hint.optional).length;
  const score = assignment.score + Math.min(14, set.score) - 6 * lost - 2 * missing;
  return { set, line, assignment, carried, sample, score, ...built };
}

/** Lines of the most common forms. */
export function typicalLines(lines: readonly string[]): string[] {
  const forms = new Map<string, { line: string; count: number }>();
  for (const line of lines) {
    const form = line.replace(/[\w.@-]+/g, "w").replace(/\s+/g, " ");
    const known = forms.get(form);
    if (known === undefined) forms.set(form, { line, count: 1 });
    else known.count += 1;
  }
  return [...forms.values()].sort((a, b) => b.count - a.count).map((one) => one.line);
}

/** The rule of a reading: the first expression that reads the lines of the set as the recipes do. */
function ruleOf(
  set: LineSet,
  assignment: Assignment,
  carried: ReadonlyMap<Hint, Carried>,
  group: Group,
  page: Page,
  lines: readonly string[],
): { rule: LineRule; hits: number[] } | undefined {
  const own = set.indices.map((index) => lines[index] ?? "");
  const parts: Found[] = [];
  const names = new Map<Hint, string>();
  for (const [hint, { recipe }] of carried) {
    const name = groupName(hint, parts.length, new Set(names.values()));
    names.set(hint, name);
    const regex = regexOf(recipe);
    parts.push({ group: name, hint, recipe, spans: own.map((text) => find(regex, text)) });
  }
  if (parts.length === 0) return undefined;
  // Lines in which a required part is not found are no records.
  const complete = own.flatMap((_, at) =>
    parts.every((part) => part.hint.optional || part.spans[at] !== undefined) ? [at] : [],
  );
  if (complete.length === 0) return undefined;
  const kept = parts.map((part) => ({ ...part, spans: complete.map((at) => part.spans[at]) }));
  const texts = complete.map((at) => own[at] ?? "");
  const sourceOf = (hint: Hint): Source | undefined => {
    const name = names.get(hint);
    if (name === undefined) return undefined;
    return hint.basename ? { from: "group", group: name, op: "basename" } : { from: "group", group: name };
  };
  const value = group.value === undefined || group.value.wholeLine ? undefined : sourceOf(group.value);
  if (value === undefined && group.value?.wholeLine !== true) return undefined;
  const projection: Projection = {
    value: value ?? { from: "line" },
    fields: group.fields.flatMap((hint) => {
      const source = sourceOf(hint);
      return source === undefined || assignment.missing.includes(hint) ? [] : [{ name: hint.name, source }];
    }),
  };
  const unless = unwantedCodes(page, lines);
  for (const free of expressionsOf(thinned(kept), thin(texts), set.anchors)) {
    const pattern = withoutCommas(free);
    if (isTooFree(pattern, lines)) continue;
    const regex = new RegExp(pattern);
    if (!texts.every((text, at) => readsAs(regex, text, kept, at))) continue;
    const rule: LineRule = {
      kind: "line",
      alternatives: [{ pattern, projection, example: texts[0] ?? "" }],
      unless,
      filters: [],
    };
    rule.filters = filtersOnParts(projection, group, page, pattern, texts);
    const hits = interpretRule(rule, lines).map((one) => one.line - 1);
    return hits.length === 0 ? undefined : { rule, hits };
  }
  return undefined;
}

const MOST = 160;

function thin<T>(list: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(list.length / MOST));
  return list.filter((_, index) => index % step === 0);
}

function thinned(parts: readonly Found[]): Found[] {
  return parts.map((part) => ({ ...part, spans: thin(part.spans) }));
}

/** Does the expression take the same parts from a line as the recipes? */
function readsAs(regex: RegExp, text: string, parts: readonly Found[], at: number): boolean {
  const groups = regex.exec(text)?.groups;
  if (groups === undefined) return false;
  return parts.every((part) => {
    const span: Span | undefined = part.spans[at];
    return (groups[part.group] ?? "") === (span === undefined ? "" : text.slice(span.start, span.end));
  });
}

function groupName(hint: Hint, index: number, taken: ReadonlySet<string>): string {
  let name = /^[A-Za-z]\w*$/.test(hint.name) ? hint.name : `part_${index + 1}`;
  while (taken.has(name)) name += "_2";
  return name;
}
