// Examples of several lines of different form: each value or field stands on one of the lines of the example. The
// line that the page numbers records by is the anchor; the lines above it hold for what follows, those below it
// belong to the record up to the next anchor.

import { stem, wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Above, BlockRule, LineRule, Projection } from "../program/ir.ts";
import { labelOf } from "./families.ts";
import { isHeadingRow } from "./headers.ts";
import { type LineCandidate, lineCandidate } from "./lines.ts";
import { distribute, numberedBy, type Put, sceneLines } from "./scene-parts.ts";
import { withGroup } from "./tight.ts";

export interface SceneCandidate {
  rule: LineRule | BlockRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

export function sceneGroup(group: Group, page: Page, lines: readonly string[]): SceneCandidate | undefined {
  const { value } = group;
  const shown = sceneLines(group);
  if (value === undefined || value.wholeLine || shown.length < 2) return undefined;
  const hints = [value, ...group.fields];
  const first = distribute(hints, shown);
  const told = numberedBy(page, shown, first.puts);
  if (shown.some((line) => isHeadingRow(line, hints))) return undefined;
  const { puts, missing, margin, within } = told === undefined ? first : distribute(hints, shown, told);
  const valueLine = puts.find((put) => put.hint === value)?.line;
  if (valueLine === undefined || new Set(puts.map((put) => put.line)).size < 2) return undefined;
  const anchor = told ?? valueLine;
  const found = new Map<number, LineCandidate>();
  for (const at of new Set([anchor, ...puts.map((put) => put.line)])) {
    const candidate = onLine(
      group,
      page,
      lines,
      shown[at] ?? "",
      puts.filter((put) => put.line === at),
    );
    if (candidate !== undefined) found.set(at, candidate);
  }
  const main = found.get(anchor);
  if (main === undefined || main.hits.length === 0) return undefined;
  const rule = ruleOf(group, lines, found, anchor, valueLine);
  if (rule.kind === "block") rule.required.push(...requiredBy(page, shown, puts, anchor, rule));
  const records = interpretRule(rule, lines);
  if (records.length === 0) return undefined;
  const orphans = orphansOf(found.get(valueLine), records.length, anchor !== valueLine);
  return judge(rule, {
    orphans,
    group,
    found,
    puts,
    missing,
    margin,
    within,
    main,
    told: told !== undefined,
  });
}

/** The expression of the lines of the log that are like a line of the example, with the parts put on it. */
function onLine(
  group: Group,
  page: Page,
  lines: readonly string[],
  example: string,
  puts: readonly Put[],
): LineCandidate | undefined {
  const hints = new Set(puts.map((put) => put.hint));
  const attempt = (text: string): LineCandidate | undefined =>
    lineCandidate({
      example: text,
      value: group.value !== undefined && hints.has(group.value) ? group.value : undefined,
      fields: group.fields.filter((hint) => hints.has(hint)),
      lists: [],
      constants: new Map(),
      lines,
      stems: page.stems,
      real: false,
      unwanted: page.unwanted,
      unwantedStems: page.unwantedStems,
      loose: looseMarks(text, page),
      assignment: {
        placed: puts.map((put) => ({ ...put, why: [] })),
        others: [],
        missing: [],
        score: 0,
        margins: new Map(puts.map((put) => [put.hint.name, 9])),
      },
    });
  const last = Math.max(0, ...puts.map((put) => put.span.end));
  // What stands behind the last part may be any text of that line.
  const free = last > 0 && isFree(example.slice(last), page);
  const cut = last > 0 && last < example.trimEnd().length ? `${example.slice(0, last)} ...` : example;
  const candidate = (free ? undefined : attempt(example)) ?? attempt(cut) ?? attempt(example);
  if (candidate === undefined) return undefined;
  const { alternative } = candidate;
  const [only] = puts;
  if (
    only !== undefined &&
    puts.length === 1 &&
    example.trim() === example.slice(only.span.start, only.span.end)
  ) {
    // A line that is nothing but the part, such as the name of a file.
    const group_ = /\(\?<(\w+)>/.exec(alternative.pattern)?.[1] ?? "";
    const body = only.hint.kind === "path" && /[/.]/.test(example) ? "\\S*[/.]\\S*" : undefined;
    const pattern = body === undefined ? alternative.pattern : withGroup(alternative.pattern, group_, body);
    alternative.pattern = `^${/^\s/.test(example) ? "\\s*" : ""}${pattern.replace(/^\^(?:\\s\*)?/, "")}\\s*$`;
    const regex = new RegExp(alternative.pattern);
    candidate.hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  }
  alternative.pattern = toTheEnd(alternative.pattern, example, puts, candidate, lines);
  return candidate;
}

/** Signs such as a cross, of which the page names another one as well without a word of "only". */
function looseMarks(text: string, page: Page): ReadonlySet<number> {
  const sign = /(?![‐-‧‘-‟])[\u2010-\u2bff]/gu;
  const named = new Set(page.prose.match(sign) ?? []);
  if (named.size < 2 || /\bonly\b/i.test(page.prose)) return new Set();
  return new Set([...text.matchAll(sign)].filter((one) => named.has(one[0])).map((one) => one.index));
}

/** Words behind the last part that the page does not speak of; marks in capitals tell lines apart all the same. */
function isFree(tail: string, page: Page): boolean {
  const words = wordsOf(tail).filter((word) => word.length > 2);
  return (
    words.length > 0 && !/\b[A-Z]{4,}\b/.test(tail) && words.every((word) => !page.stems.has(stem(word)))
  );
}

/** A part that goes from the label of its line to the end does so in every line. */
function toTheEnd(
  pattern: string,
  example: string,
  puts: readonly Put[],
  candidate: LineCandidate,
  lines: readonly string[],
): string {
  const [put] = puts;
  const label = labelOf(example);
  if (put === undefined || puts.length !== 1 || label === undefined) return pattern;
  const from = example.indexOf(label) + label.length;
  const whole =
    /^\s*[:=]\s*$/.test(example.slice(from, put.span.start)) && put.span.end === example.trimEnd().length;
  const group = /\(\?<(\w+)>/.exec(pattern)?.[1];
  if (!whole || group === undefined) return pattern;
  const wide = withGroup(pattern, group, "\\S.*");
  const regex = new RegExp(wide);
  return candidate.hits.every((hit) => regex.test(lines[hit] ?? "")) ? wide : pattern;
}

function ruleOf(
  group: Group,
  lines: readonly string[],
  found: ReadonlyMap<number, LineCandidate>,
  anchor: number,
  valueLine: number,
): LineRule | BlockRule {
  const above: Above[] = [];
  const inner: Above[] = [];
  const fields = new Map<string, Projection["fields"][number]>();
  let value: Projection["value"] = { from: "line" };
  for (const [at, candidate] of [...found].sort((a, b) => a[0] - b[0])) {
    const { pattern, projection, example } = candidate.alternative;
    for (const field of projection.fields) fields.set(field.name, field);
    if (at === valueLine) value = projection.value;
    if (at < anchor) above.push({ pattern, example });
    if (at > anchor) inner.push({ pattern, example });
  }
  const main = found.get(anchor);
  const projection: Projection = {
    value,
    fields: group.fields.flatMap((hint) => {
      const field = fields.get(hint.name);
      return field === undefined ? [] : [field];
    }),
  };
  const heads = above.length === 0 ? {} : { above };
  const pattern = main?.alternative.pattern ?? "";
  const example = main?.alternative.example ?? "";
  if (inner.length === 0) {
    return {
      kind: "line",
      alternatives: [{ pattern, projection, example }],
      unless: [],
      ...heads,
      filters: [],
    };
  }
  const rule: BlockRule = {
    kind: "block",
    start: pattern,
    startExample: example,
    keys: [],
    keyLine: "",
    inner,
    ...heads,
    ends: "start",
    lineOf: "start",
    valueGroup: value.from === "group" ? value.group : "",
    filters: [],
    required: value.from === "group" ? [value.group] : [],
    projection,
  };
  // A blank line ends a record where none of its lines stands below one.
  const filled = (one: BlockRule): number =>
    interpretRule(one, lines).reduce((sum, record) => sum + Object.keys(record.fields).length, 0);
  const short: BlockRule = { ...rule, ends: "blank" };
  return filled(short) >= filled(rule) ? short : rule;
}

/** Lines with a value that no record took, when the value stands on another line than the record. */
function orphansOf(candidate: LineCandidate | undefined, records: number, apart: boolean): number {
  return apart && candidate !== undefined ? Math.max(0, candidate.hits.length - records) : 0;
}

/** Groups on lines below the anchor without which there is no record: a line with a word that the page says "only"
 * of ("only paths whose slack is marked VIOLATED"). */
function requiredBy(
  page: Page,
  shown: readonly string[],
  puts: readonly Put[],
  anchor: number,
  rule: BlockRule,
): string[] {
  const only = page.statements.flatMap(({ sentences }) =>
    sentences.filter(({ text }) => /\bonly\b/i.test(text)).map(({ text }) => text),
  );
  const words = new Set(only.flatMap((text) => text.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []));
  return puts.flatMap((put) => {
    const marked = [...words].some((word) => (shown[put.line] ?? "").includes(word));
    const source = rule.projection.fields.find((field) => field.name === put.hint.name)?.source;
    return put.line > anchor && marked && source?.from === "group" ? [source.group] : [];
  });
}

/** No fixed word and few parts: such an expression matches lines of any kind. */
function isWeak(main: LineCandidate, parts: number): boolean {
  const fixed = main.alternative.pattern.replace(/\(\?<\w+>|\\[A-Za-z]|\[[^\]]*\]/g, " ");
  const groups = (main.alternative.pattern.match(/\(\?</g) ?? []).length;
  return !/[A-Za-z]{2,}/.test(fixed) && groups < 2 && parts > 1;
}

function judge(
  rule: LineRule | BlockRule,
  scene: {
    group: Group;
    found: ReadonlyMap<number, LineCandidate>;
    puts: readonly Put[];
    missing: readonly Hint[];
    margin: ReadonlyMap<Hint, number>;
    within: ReadonlyMap<Hint, number>;
    main: LineCandidate;
    told: boolean;
    orphans: number;
  },
): SceneCandidate {
  const doubts: string[] = [];
  let confidence = 0.95;
  const lower = (by: number, doubt: string): void => {
    confidence -= by;
    doubts.push(doubt);
  };
  for (const hint of scene.missing) {
    if (!hint.optional) lower(0.4, `no line of the example could be taken for ${hint.name}`);
  }
  for (const put of scene.puts) {
    const margin = scene.margin.get(put.hint) ?? 0;
    const candidate = scene.found.get(put.line);
    if (candidate === undefined) {
      if (!put.hint.optional)
        lower(0.4, `no line of the log is like the example's line with ${put.hint.name}`);
      continue;
    }
    if (put.hint.optional) {
      if (Math.min(margin, scene.within.get(put.hint) ?? 9) < 0.3)
        lower(0.12, `another part could be ${put.hint.name} as well`);
      continue;
    }
    if (margin < 0.3) lower(0.3, `${put.hint.name} could stand on another line of the example as well`);
    const own = scene.within.get(put.hint) ?? 9;
    const isValue = put.hint === scene.group.value;
    if (own < 0.25) lower(0.35, `two readings of the line fit the page equally well (${put.hint.name})`);
    else if (own < 0.6 && isValue) lower(0.35, `another part of the line could be the value nearly as well`);
    else if (own < 0.6) lower(0.12, `another reading of the line fits nearly as well (${put.hint.name})`);
  }
  if (scene.orphans > 0)
    lower(0.45, `${scene.orphans} lines like the one with the value belong to no record`);
  if (isWeak(scene.main, scene.puts.length))
    lower(0.35, "little in the expression tells the records from other lines");
  for (const doubt of new Set(scene.main.doubts)) lower(0.42, doubt);
  return {
    rule,
    confidence,
    reasons: [`${scene.main.hits.length} lines follow the line of the example that records are numbered by`],
    doubts,
  };
}
