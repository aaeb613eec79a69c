// Records of several lines as the page shows them in a block: each line of the block that has parts becomes an
// expression of its own. The line that the record is counted by is its start; parts above it hold for all records
// below them (a heading, the nodes of a tree), parts below it belong to this record.

import { escapeRegex } from "../logs/tokens.ts";
import { filterOf } from "../page/conditions.ts";
import { similarity, stem, wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { type Assignment, assign, type Placed } from "../parts/assign.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Above, BlockRule, LineRule, Projection, Source } from "../program/ir.ts";
import { RELATIVES } from "../templates/left-out.ts";
import { isHeadingRow } from "./headers.ts";
import { type LinePattern, type Row, rowPattern } from "./stanza-rows.ts";

export interface StanzaCandidate {
  rule: LineRule | BlockRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

const TOGETHER = /\b(?:two|three|four|five|several) lines\b|\blines? belong together\b|\bbelow it\b/i;

/** The rule for records like the page's block, or undefined when one line of the block has all parts. */
export function stanzaGroup(group: Group, page: Page, lines: readonly string[]): StanzaCandidate | undefined {
  const { value } = group;
  if (value === undefined || value.wholeLine) return undefined;
  const block = group.examples.find((one) => one.mark === "block" && one.lines.length > 1);
  if (block === undefined) return undefined;
  const shown = block.lines.filter((line) => line.trim() !== "" && !/^[\s.…]+$/.test(line));
  if (shown.some((line) => isHeadingRow(line, [value, ...group.fields]))) return undefined;
  const rows = rowsOf(shown, group, page);
  if (rows === undefined) return undefined;
  const anchorAt = anchorOf(rows.rows, value, page);
  const anchor = rows.rows[anchorAt];
  if (anchor === undefined || anchor.placed.length === 0) return undefined;
  const found = rows.rows.map((row) =>
    row.placed.length === 0 ? undefined : rowPattern(row, group, page, lines),
  );
  const start = found[anchorAt];
  if (start === undefined) return undefined;
  const doubts: string[] = [];
  const above: Above[] = [];
  const inner: LinePattern[] = [];
  for (const [at, one] of found.entries()) {
    if (at === anchorAt) continue;
    const row = rows.rows[at];
    if (one === undefined) {
      if (row !== undefined && row.placed.length > 0)
        doubts.push(`no line of the logs is like this one of the page: ${row.line.trim()}`);
      continue;
    }
    if (at > anchorAt) inner.push(one);
    else above.push(adjacent(one, anchorAt - at, start, lines));
  }
  return assemble({ group, page, lines, rows: rows.rows, anchorAt, start, above, inner, doubts }, rows);
}

interface Rows {
  rows: Row[];
  assignment: Assignment;
}

/** The parts of each line of the block; undefined when the block shows several records or one line has all. */
function rowsOf(shown: readonly string[], group: Group, page: Page): Rows | undefined {
  const { value } = group;
  const joint = assign(shown.join("\n"), value, group.fields, page.lists);
  const alone = Math.max(...shown.map((line) => assign(line, value, group.fields, page.lists).score));
  let offset = 0;
  const rows = shown.map((line) => {
    const from = offset;
    offset += line.length + 1;
    const placed = joint.placed
      .filter(({ span }) => span.start >= from && span.end <= from + line.length)
      .map((one) => ({ ...one, span: { start: one.span.start - from, end: one.span.end - from } }));
    return { line, placed };
  });
  const used = rows.filter((row) => row.placed.length > 0).length;
  const together = TOGETHER.test(page.prose);
  if (used < 2 ? !together || shown.length > 3 : joint.score < alone + 2) return undefined;
  return { rows, assignment: joint };
}

const PLAIN = new Set(["line", "number", "the", "with", "that", "and"].map(stem));

/** The line that counts: the one that the page names, else the one with the value. */
function anchorOf(rows: readonly Row[], value: Hint, page: Page): number {
  const own = rows.findIndex((row) => row.placed.some(({ hint }) => hint === value));
  const said = lineSaid(page);
  if (said === undefined) return own;
  const order = /\b(first|second|third|last)\b/i.exec(said)?.[1]?.toLowerCase();
  if (
    order !== undefined &&
    /\bof the (?:two|three|four|five|block|record)\b|\b(?:first|last) line\b/i.test(said)
  )
    return order === "last" ? rows.length - 1 : ["first", "second", "third"].indexOf(order);
  const marked = rows.findIndex((row) => /\(\*?[A-Z]{3,}\*?\)/.test(row.line));
  if (/\bmark/i.test(said) && marked >= 0) return marked;
  const words = new Set(wordsOf(said).map(stem));
  const scores = rows.map((row) => {
    const text = [row.line, ...row.placed.map(({ hint }) => hint.name)].join(" ");
    const named = new Set(wordsOf(text).map(stem));
    return [...words].filter((word) => word.length > 2 && !PLAIN.has(word) && named.has(word)).length;
  });
  const best = Math.max(...scores);
  return best > 0 ? scores.indexOf(best) : own;
}

/** What the page says about the line number of a record. */
function lineSaid(page: Page): string | undefined {
  for (const { sentences } of [...page.statements, ...page.sourceStatements]) {
    for (const { text } of sentences) {
      const said =
        /^(?:the )?line(?: number)?s?\s*(?:is|:|=|of (?:the|an?) \w+ is)\s*(.+)$/i.exec(text)?.[1] ??
        /\b(?:use|take|count) (the line .*?) as (?:the )?line\b/i.exec(text)?.[1];
      if (said !== undefined) return said;
    }
  }
  return undefined;
}

/** A line right above the start line in the block stands there in the log as well: where its words differ between
 * records ("Partial ratio", "Cumulative ratio"), they vary. */
function adjacent(
  one: LinePattern,
  distance: number,
  start: LinePattern,
  lines: readonly string[],
): LinePattern {
  const regex = new RegExp(one.pattern);
  const missed = start.hits.filter((hit) => hit >= distance && !regex.test(lines[hit - distance] ?? ""));
  if (missed.length === 0 || distance > 2) return one;
  for (const loosened of one.looser()) {
    const wider = new RegExp(loosened);
    if (start.hits.every((hit) => wider.test(lines[hit - distance] ?? "")))
      return { ...one, pattern: loosened };
  }
  return one;
}

interface Parts {
  group: Group;
  page: Page;
  lines: readonly string[];
  rows: readonly Row[];
  anchorAt: number;
  start: LinePattern;
  above: Above[];
  inner: LinePattern[];
  doubts: string[];
}

function assemble(parts: Parts, rows: Rows): StanzaCandidate | undefined {
  const { group, page, lines, start, doubts } = parts;
  const placed = new Map<Hint, Placed>(rows.assignment.placed.map((one) => [one.hint, one]));
  const source = (hint: Hint): Source => ({
    from: "group",
    group: groupName(hint, group),
    ...(hint.basename ? { op: "basename" as const } : {}),
  });
  const { value } = group;
  if (value === undefined || !placed.has(value)) return undefined;
  const projection: Projection = {
    value: source(value),
    fields: group.fields
      .filter((hint) => placed.has(hint))
      .map((hint) => ({ name: hint.name, source: source(hint) })),
  };
  const filters = page.rules.flatMap((rule) => {
    const hint = [...placed.keys()].find((known) => similarity(known.name, rule.name) >= 0.7);
    return hint === undefined ? [] : [filterOf(rule, groupName(hint, group))];
  });
  const condition = conditionBelow(parts);
  const inner = [...parts.inner, ...(condition === undefined ? [] : [condition])];
  const above = parts.above.map(({ pattern, example }) => ({ pattern, example }));
  const rule: LineRule | BlockRule =
    inner.length === 0
      ? {
          kind: "line",
          alternatives: [{ pattern: start.pattern, projection, example: start.example }],
          unless: page.unwanted.filter((text) => start.hits.some((hit) => (lines[hit] ?? "").includes(text))),
          ...(above.length === 0 ? {} : { above }),
          filters,
        }
      : {
          kind: "block",
          start: start.pattern,
          startExample: start.example,
          keys: [],
          keyLine: "",
          inner: inner.map(({ pattern, example }) => ({ pattern, example })),
          ...(above.length === 0 ? {} : { above }),
          ends: "start",
          lineOf: "start",
          valueGroup: groupName(value, group),
          filters,
          required: [groupName(value, group), ...(condition === undefined ? [] : ["condition"])],
          projection,
        };
  const records = interpretRule(rule, lines);
  if (records.length === 0) return undefined;
  let confidence = 0.95;
  const lower = (by: number, doubt: string): void => {
    confidence -= by;
    doubts.push(doubt);
  };
  confidence -= 0.4 * doubts.length;
  for (const hint of group.fields)
    if (!placed.has(hint) && !hint.optional) lower(0.5, `no line of the block has the field ${hint.name}`);
  for (const [hint, { score }] of placed) {
    if (hint.optional) continue;
    const margin = rows.assignment.margins.get(hint.name) ?? 9;
    if (margin < 0.25) lower(0.4, `two readings of the block fit the page equally well (${hint.name})`);
    else if (margin < 0.6) lower(0.2, `another reading of the block fits nearly as well (${hint.name})`);
    if (score < -1) lower(0.3, `little speaks for the part that was taken for ${hint.name}`);
  }
  for (const one of [start, ...parts.inner]) {
    const near = one.near.filter((line) => !new RegExp(one.pattern).test(line));
    if (near.length > Math.max(0, one.hits.length * 0.2))
      lower(
        0.42,
        `${RELATIVES}: ${near.length} lines are much like those of the block, e.g. ${near[0]?.trim() ?? ""}`,
      );
  }
  return {
    rule,
    confidence,
    doubts,
    reasons: [`${records.length} records of several lines like the block of the page`],
  };
}

/** The text right below the start line that the block shows without parts: records without it are others. */
function conditionBelow({ rows, anchorAt, page, lines }: Parts): LinePattern | undefined {
  const row = rows[anchorAt + 1];
  if (row === undefined || row.placed.length > 0 || !TOGETHER.test(page.prose)) return undefined;
  const text = row.line.trim();
  if (wordsOf(text).length < 2 || !lines.some((line) => line.trim() === text)) return undefined;
  const body = escapeRegex(text).replace(/\s+/g, "\\s+");
  return {
    pattern: `^\\s*(?<condition>${body})\\s*$`,
    example: row.line,
    hits: [],
    near: [],
    looser: () => [],
  };
}

/** The name of the group of a part, the same in all expressions of a stanza. */
export function groupName(hint: Hint, group: Group): string {
  const wish = hint === group.value && !/^[a-z]\w*$/.test(hint.name) ? "value" : hint.name;
  const taken = hint === group.value && group.fields.some((field) => field.name === wish);
  return /^[A-Za-z_]\w*$/.test(wish) && !taken
    ? wish
    : `part_${[group.value, ...group.fields].indexOf(hint) + 1}`;
}
