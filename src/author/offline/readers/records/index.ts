// Records of several lines as the page shows them in a block: each value and field stands on one of its lines. The line
// that the page numbers records by is the anchor; the lines above it hold for what follows, those below it belong to
// the record up to the next anchor.

import type { Group, Page } from "../../page/page.ts";
import type { Span } from "../../parts/spans.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { Above, BlockRule, Extracted, Inner, LineRule, Projection, Source } from "../../program/ir.ts";
import { labelOf } from "../families.ts";
import { isHeadingRow } from "../tables/headers.ts";
import { blockCues } from "./block-cues.ts";
import {
  CONDITION,
  conditionsOf,
  excludedLines,
  type Wanted,
  wantedLine,
  wantedTexts,
} from "./conditions.ts";
import { type Distribution, distribute } from "./distribute.ts";
import { type FurtherLine, withFurtherForms } from "./further-forms.ts";
import { judge } from "./judge.ts";
import { itemCue } from "./line-cues.ts";
import { type FoundLine, slotsOf } from "./line-ways.ts";
import { findLines } from "./lines-found.ts";
import { numberedBy } from "./numbered.ts";
import { withOneLiners } from "./one-liners.ts";
import { type RowEvidence, rowEvidence } from "./row-evidence.ts";
import { settled } from "./settle.ts";
import { type Shown, shownLines } from "./shown.ts";
import { withoutStrangers } from "./strangers.ts";

export interface RecordCandidate {
  rule: LineRule | BlockRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** How the block is read. */
export interface Reading {
  group: Group;
  page: Page;
  lines: readonly string[];
  shown: Shown;
  distribution: Distribution;
  /** The line of the block that records are numbered by. */
  anchor: number;
  found: ReadonlyMap<number, FoundLine>;
  main: FoundLine;
  wanted: readonly Wanted[];
  /** What the page calls the line of a record, where the block has none that is surely meant. */
  unread: string | undefined;
}

const TOGETHER =
  /\b(?:two|three|four|five|several) lines\b(?! (?:further|below|down|later|above|after|before|on))|\blines? belong together\b|\bbelow it\b/i;

/** The rule for records like the block of the page, or undefined when one line of it has all parts. */
export function recordGroup(group: Group, page: Page, lines: readonly string[]): RecordCandidate | undefined {
  const reading = readBlock(group, page, lines);
  if (reading === undefined) return undefined;
  const rule = ruleOf(reading);
  return rule === undefined || interpretRule(rule, lines).length === 0 ? undefined : judge(rule, reading);
}

const readings = new WeakMap<Group, { page: Page; lines: readonly string[]; reading: Reading | undefined }>();

/** How the block of the page is read, or undefined where it has none or one line of it has all parts. */
export function readBlock(group: Group, page: Page, lines: readonly string[]): Reading | undefined {
  const known = readings.get(group);
  if (known?.page === page && known.lines === lines) return known.reading;
  const reading = read(group, page, lines);
  readings.set(group, { page, lines, reading });
  return reading;
}

function read(group: Group, page: Page, lines: readonly string[]): Reading | undefined {
  const { value } = group;
  const shown = shownLines(group, page, lines);
  if (value === undefined || value.wholeLine || shown.lines.length < 2) return undefined;
  const hints = [value, ...group.fields];
  const heads = (line: string, at: number): boolean =>
    isHeadingRow(line, hints) && labelOf(line) === undefined && isRow(line, shown.lines[at + 1]);
  if (shown.lines.some(heads)) return undefined;
  const item = itemCue(group, page, shown);
  const around = blockCues(page, hints, shown.lines, shown.fixed);
  const orders = page.lists.flatMap((list) => list.order ?? []);
  const evidence = (spans: readonly (readonly Span[])[]): RowEvidence | undefined =>
    rowEvidence(shown.lines, hints, orders, lines, spans);
  const first = distribute(hints, shown, item, -1, around, evidence);
  const lineOf = (puts: Distribution): number => puts.puts.find((put) => put.hint === value)?.line ?? -1;
  const numbered = numberedBy(page, shown, first.puts, lineOf(first));
  const told = numbered.line;
  const at = (line: number | undefined): Counted | undefined => {
    const drawn = line === undefined ? first : distribute(hints, shown, item, line, around, evidence);
    const distribution = settled(drawn, shown, page.lists, lines);
    const anchor = line ?? lineOf(distribution);
    if (lineOf(distribution) < 0) return undefined;
    const wanted = [
      ...wantedTexts(page, shown.lines, distribution.puts),
      ...below(page, shown, distribution, anchor, lines),
    ];
    const found = findLines(group, page, lines, shown, distribution.puts, anchor, wanted);
    return { distribution, anchor, wanted, found };
  };
  const plain = at(told);
  const many =
    plain === undefined || (numbered.unread ?? numbered.weak) === undefined
      ? undefined
      : manyBelow(plain, group);
  const counted = many === undefined ? plain : at(many);
  if (counted === undefined) return undefined;
  const { distribution, anchor, wanted, found } = counted;
  const main = inAnyList(found.get(anchor), shown, lines);
  if (main === undefined || main.hits.length === 0) return undefined;
  found.set(anchor, main);
  // All parts on one line, and nothing else of the block that matters: other readers do that.
  const used = new Set(distribution.puts.map((put) => put.line));
  if (used.size < 2 && main.scope === undefined && wanted.every((one) => one.line === anchor))
    return undefined;
  return {
    group,
    page,
    lines,
    shown,
    distribution,
    anchor,
    found,
    main,
    wanted,
    unread: many === undefined ? numbered.unread : undefined,
  };
}

interface Counted extends Pick<Reading, "distribution" | "anchor" | "wanted"> {
  found: Map<number, FoundLine>;
}

/** "That of the finding", where the value is the file above several findings: the line with the fields, of which the log
 * has more than of the one with the value. */
function manyBelow({ distribution, anchor, found }: Counted, group: Group): number | undefined {
  const own = found.get(anchor)?.hits.length ?? 0;
  const lineOf = (hint: Group["fields"][number]): number | undefined =>
    distribution.puts.find((put) => put.hint === hint)?.line;
  const lines = new Set(group.fields.flatMap((hint) => (hint.optional ? [] : [lineOf(hint)])));
  const [line] = lines;
  if (lines.size !== 1 || line === undefined || line <= anchor) return undefined;
  return (found.get(line)?.hits.length ?? 0) > own * 1.3 ? line : undefined;
}

/** Items of a list with words of their own are items wherever they stand, unless the page names the title of the list. */
function inAnyList(
  main: FoundLine | undefined,
  shown: Shown,
  lines: readonly string[],
): FoundLine | undefined {
  if (main?.scope === undefined || shown.titles.size > 0 || shown.fixed.size > 0) return main;
  const fixed = main.pattern.replace(/\(\?<\w+>|\\[A-Za-z]|\[[^\]]*\]/g, " ").match(/[A-Za-z]{3,}/g) ?? [];
  const groups = (main.pattern.match(/\(\?</g) ?? []).length;
  if (groups < 2 || fixed.length < 2) return main;
  const regex = new RegExp(main.pattern);
  const hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  if (hits.length <= main.hits.length) return main;
  const { scope: _scope, ...free } = main;
  return { ...free, hits };
}

/** Has the line below a heading row as many parts? */
function isRow(heading: string, row: string | undefined): boolean {
  return (row ?? "").trim().split(/\s+/).length >= heading.trim().split(/\s+/).length;
}

/** The text right below the only line with parts, where the page says that both belong together. */
function below(
  page: Page,
  shown: Shown,
  { puts }: Distribution,
  anchor: number,
  lines: readonly string[],
): Wanted[] {
  const text = shown.lines[anchor + 1]?.trim() ?? "";
  const hasParts = puts.some((put) => put.line === anchor + 1);
  if (
    hasParts ||
    puts.some((put) => put.line !== anchor) ||
    !TOGETHER.test(page.prose) ||
    text.split(/\s+/).length < 2
  )
    return [];
  return lines.some((line) => line.trim() === text) ? [{ line: anchor + 1, text }] : [];
}

function ruleOf(reading: Reading): LineRule | BlockRule | undefined {
  const { group, page, shown, found, main, anchor, distribution, wanted } = reading;
  const value = group.value === undefined ? undefined : sourceOf(reading, group.value);
  if (value === undefined) return undefined;
  const projection: Projection = {
    value,
    fields: group.fields.flatMap((hint) => {
      const source = sourceOf(reading, hint);
      return source === undefined ? [] : [{ name: hint.name, source }];
    }),
  };
  const groups = new Map(
    distribution.puts.flatMap(({ hint }) => {
      const source = sourceOf(reading, hint);
      return source?.from === "group" ? [[hint, source.group] as const] : [];
    }),
  );
  const conditions = conditionsOf(page, shown.lines, distribution.puts, groups);
  const above: Above[] = [];
  const inner: Inner[] = [];
  for (const [at, { pattern, example, after }] of [...found].sort((a, b) => a[0] - b[0])) {
    if (at < anchor) {
      const clears = groupsIn(pattern);
      for (const outer of above) outer.clears = [...(outer.clears ?? []), ...clears];
      above.push({ pattern, example });
    }
    if (at > anchor) inner.push({ pattern, example, ...(after === undefined ? {} : { after }) });
  }
  const keyed = new Set(conditions.keys.map((one) => one.line));
  const excluded = excludedLines(page, shown.lines, reading.lines, found, anchor);
  const conditional = wanted.find((one) => one.line > anchor && !found.has(one.line) && !keyed.has(one.line));
  if (conditional !== undefined) {
    const text = shown.lines[conditional.line] ?? "";
    inner.push({ pattern: wantedLine(text, conditional), example: text.trim() });
  }
  inner.push(...excluded.inner);
  for (const { line, pattern } of conditions.keys)
    (line < anchor ? above : inner).push({ pattern, example: (shown.lines[line] ?? "").trim() });
  const heads = above.length === 0 ? {} : { above };
  if (inner.length === 0) {
    return {
      kind: "line",
      alternatives: [{ pattern: main.pattern, projection, example: main.example }],
      unless: unlessTexts(reading),
      ...(main.scope === undefined ? {} : { scope: main.scope }),
      ...heads,
      filters: conditions.filters,
    };
  }
  const valueGroup = value.from === "group" ? value.group : "";
  const rule: BlockRule = {
    kind: "block",
    start: main.pattern,
    startExample: main.example,
    keys: [],
    keyLine: "",
    inner,
    ...heads,
    ends: "start",
    lineOf: "start",
    valueGroup,
    filters: [...conditions.filters, ...conditions.keys.map((one) => one.filter), ...excluded.filters],
    required: [
      ...(valueGroup === "" ? [] : [valueGroup]),
      ...(conditional === undefined ? [] : [CONDITION]),
      ...markedGroups(reading),
      ...followingGroups(reading),
    ],
    projection,
  };
  const needed = new Set(group.fields.flatMap((hint) => (hint.optional ? [] : [hint.name])));
  const ended = ending(rule, reading.lines, hangsOn(shown.lines, anchor), needed);
  const further = [...found].flatMap(([at, one]): FurtherLine[] => {
    const slots = slotsOf(
      distribution.puts.filter((put) => put.line === at),
      group,
    );
    return at <= anchor || one.after !== undefined
      ? []
      : [{ text: shown.lines[at] ?? "", slots, found: one }];
  });
  const fuller = withOneLiners(withFurtherForms(ended, further, reading.lines), reading.lines);
  return withoutStrangers(fuller, needed, reading.lines);
}

/** Are all lines below a line of the block deeper than it? */
function hangsOn(shown: readonly string[], first: number): boolean {
  const below = shown.slice(first + 1);
  const depth = (shown[first] ?? "").search(/\S/);
  return below.length > 0 && below.every((line) => line.search(/\S/) > depth);
}

/** Texts that the page calls not wanted and that some of the lines have, but not the one that the page shows. */
function unlessTexts({ page, main, lines, shown, anchor }: Reading): string[] {
  return page.unwanted.filter(
    (text) =>
      !(shown.lines[anchor] ?? "").includes(text) &&
      main.hits.some((hit) => (lines[hit] ?? "").includes(text)),
  );
}

function groupsIn(pattern: string): string[] {
  return [...pattern.matchAll(/\(\?<(\w+)>/g)].map((match) => match[1] ?? "");
}

/** Where the text of a hint comes from. */
function sourceOf({ found, distribution }: Reading, hint: Group["fields"][number]): Source | undefined {
  const put = distribution.puts.find((one) => one.hint === hint);
  return put === undefined ? undefined : found.get(put.line)?.sources.get(hint);
}

/** Groups on lines below the anchor that have a text that the page asks for: without them there is no record. */
function markedGroups({ wanted, anchor, distribution, found }: Reading): string[] {
  return distribution.puts.flatMap((put) => {
    const source = found.get(put.line)?.sources.get(put.hint);
    const marked = put.line > anchor && wanted.some((one) => one.line === put.line);
    return marked && source?.from === "group" ? [source.group] : [];
  });
}

/** Groups of the line right below the anchor: a line without it is no record like the block. */
function followingGroups({ anchor, distribution, found }: Reading): string[] {
  const next = found.get(anchor + 1);
  if (next?.follows !== true) return [];
  return distribution.puts.flatMap((put) => {
    const source = put.line === anchor + 1 && !put.hint.optional ? next.sources.get(put.hint) : undefined;
    return source?.from === "group" ? [source.group] : [];
  });
}

/** The nearest end that cuts no record: at a line no deeper than the first one where all others of the block are
 * deeper, at a blank line, or only at the next start. No record is cut either where all that are complete stay so. */
export function ending(
  rule: BlockRule,
  lines: readonly string[],
  hung: boolean,
  needed: ReadonlySet<string> = new Set(),
): BlockRule {
  const read = (ends: BlockRule["ends"]): { filled: number; complete: number } => {
    const records = interpretRule({ ...rule, ends, filters: [] }, lines);
    const isComplete = ({ fields }: Extracted): boolean =>
      [...needed].every((name) => fields[name] !== undefined);
    return {
      filled: records.reduce((sum, record) => sum + Object.keys(record.fields).length, 0),
      complete: needed.size === 0 ? 0 : records.filter(isComplete).length,
    };
  };
  const ways: BlockRule["ends"][] = hung ? ["dedent", "blank"] : ["blank"];
  const most = read("start");
  const end = ways.find((ends) => {
    const own = read(ends);
    return own.filled >= most.filled || (most.complete > 1 && own.complete >= most.complete);
  });
  return { ...rule, ends: end ?? "start" };
}
