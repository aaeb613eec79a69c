// What the page asks of a record of several lines beside its parts: a text that one of its lines has ("only ports whose
// transceiver `is present`"), and conditions on its parts and keys.

import { filterOf } from "../../page/conditions.ts";
import { similarity } from "../../page/names.ts";
import type { FieldRule, Hint, Page } from "../../page/page.ts";
import { saysUnwanted } from "../../page/polarity.ts";
import { bare, quotedIn } from "../../page/text.ts";
import type { GroupFilter, Inner } from "../../program/ir.ts";
import { labelOf } from "../families.ts";
import type { Put } from "./distribute.ts";
import { flexible } from "./keyed-line.ts";

/** A line of the block that a record must have. */
export interface Wanted {
  /** Index of the line. */
  line: number;
  /** The text that it must have. */
  text: string;
}

const ASKS = /\bonly\b|\bmust\b/i;
const MARKS = /\b(?:marked|flagged|mark|flag)\b/i;

/** Texts of sentences with "only" that a line of the block has outside its parts, and the mark in capitals of a page that
 * speaks of marked lines. */
export function wantedTexts(page: Page, shown: readonly string[], puts: readonly Put[]): Wanted[] {
  const wanted: Wanted[] = [];
  for (const { sentences } of page.statements) {
    for (const { text } of sentences) {
      const asks = ASKS.test(text);
      if (!asks && !MARKS.test(text)) continue;
      const names = new Set(
        page.groups.flatMap((one) => [one.value, ...one.fields]).map((hint) => hint?.name),
      );
      const spans = asks ? quotedIn(text).filter((span) => !names.has(span.text.trim())) : [];
      // What is only sometimes there is said of a part where the sentence names the parts.
      const isOfParts = asks && spans.length < quotedIn(text).length;
      const quoted = spans
        .filter(({ start }) => !isOfParts || /\bonly\b[^.;,()]*$/i.test(text.slice(0, start)))
        .map((span) => span.text.trim());
      const named = text.replace(/`[^`]*`|"[^"]*"/g, " ").match(/\b[A-Z][A-Z_]{3,}\b/g) ?? [];
      const marks = MARKS.test(text) ? shown.flatMap((line) => line.match(/\(\*?[A-Z]{3,}\*?\)/g) ?? []) : [];
      for (const one of [...quoted, ...named, ...marks]) {
        const line = shown.findIndex((own) => own.includes(one));
        if (one.length < 3 || line < 0 || wanted.some((known) => known.line === line)) continue;
        const from = (shown[line] ?? "").indexOf(one);
        const inPart = puts.some(
          (put) => put.line === line && put.span.start < from + one.length && put.span.end > from,
        );
        if (!inPart) wanted.push({ line, text: one });
      }
    }
  }
  return wanted;
}

/** Lines that a record must not have. */
export interface Excluded {
  inner: Inner[];
  filters: GroupFilter[];
}

const WITHOUT =
  /\b(?:without|no|lack\w*|do(?:es)? not have|have no|has no)\s+(?:the |an? |any )?(?:word |text |line |flag |mark |key |heading )?$/i;
const THESE = /^(?:these|those|they|it|this|such)\b/i;

/** "Only cells without `Private`", "Profiles with the heading `Ports:` are not wanted": what makes a record unwanted when
 * one of its lines below the anchor has it. */
export function excludedLines(
  page: Page,
  shown: readonly string[],
  lines: readonly string[],
  found: ReadonlyMap<number, { pattern: string }>,
  anchor: number,
): Excluded {
  const result: Excluded = { inner: [], filters: [] };
  if (![...found.keys()].some((at) => at > anchor)) return result;
  const start = new RegExp(found.get(anchor)?.pattern ?? "(?!)");
  for (const { text, label } of excludedTexts(page)) {
    const body = `(?<![\\w-])${flexible(text, false)}${/\w$/.test(text) ? "(?![\\w-])" : ""}`;
    const key = label === undefined ? "" : `\\s*${flexible(label, false)}\\b.*?`;
    const group = `unwanted_${result.inner.length + 1}`;
    const pattern = `^${key === "" ? ".*?" : key}(?<${group}>${body})`;
    const regex = new RegExp(pattern);
    const example = lines.find((line) => regex.test(line) && !start.test(line));
    if (example === undefined || shown.some((line) => regex.test(line))) continue;
    result.inner.push({ pattern, example });
    result.filters.push({ group, equals: [""] });
  }
  return result;
}

/** Quoted texts that the page rules out, with the name of the line that they stand on, where it says so. */
function excludedTexts(page: Page): { text: string; label: string | undefined }[] {
  return [...page.statements, ...page.sourceStatements].flatMap(({ sentences }) =>
    sentences.flatMap(({ text }, index) => {
      const next = sentences[index + 1]?.text ?? "";
      // Lines that are not wanted do not make their record unwanted.
      const records =
        /\b(?:have|has|with|whose|(?:that|which) (?:are|is|were))\b/i.test(bare(text)) &&
        !/\b(?:lines?|rows?)\b/i.test(bare(text));
      const negative = records && [text, THESE.test(next) ? next : ""].some((one) => saysUnwanted(bare(one)));
      return quotedIn(text).flatMap((span) => {
        const before = text.slice(0, span.start);
        const without = WITHOUT.test(before);
        const asked = /\bonly\b/i.test(before);
        const against = /\b(?:instead of|not|rather than|unlike|than)\s+$/i.test(before);
        if (span.text.trim().length < 3 || !(without ? asked : negative && !asked && !against)) return [];
        const label = /^ (?:in|on) (?:the|its) ([\w-]+(?: [\w-]+)?) line\b/i.exec(text.slice(span.end))?.[1];
        return [{ text: span.text.trim(), label }];
      });
    }),
  );
}

/** The group of a line that a record must have. */
export const CONDITION = "condition";

/** The expression of a line without parts that a record must have. */
export function wantedLine(line: string, { text }: Wanted): string {
  const from = line.indexOf(text);
  const lead = line.slice(0, from).trimStart();
  return `^\\s*${flexible(lead, true)}(?<${CONDITION}>${flexible(text, false)})`;
}

/** A key of the record that only a condition of the page needs. */
export interface ConditionKey {
  line: number;
  pattern: string;
  filter: GroupFilter;
}

/** The page's conditions as filters on the groups of the parts, and the keys that some of them need. */
export function conditionsOf(
  page: Page,
  shown: readonly string[],
  puts: readonly Put[],
  groupOf: ReadonlyMap<Hint, string>,
): { filters: GroupFilter[]; keys: ConditionKey[] } {
  const filters: GroupFilter[] = onlyTexts(page, puts, shown, groupOf);
  const keys: ConditionKey[] = [];
  for (const rule of page.rules) {
    const hint = [...groupOf.keys()].find((known) => similarity(known.name, rule.name) >= 0.7);
    const group = hint === undefined ? undefined : groupOf.get(hint);
    if (group !== undefined) {
      filters.push(filterOf(beginning(rule), group));
      continue;
    }
    const line = shown.findIndex((text) => similarity(labelOf(text) ?? "", rule.name) >= 0.9);
    const label = labelOf(shown[line] ?? "");
    if (line < 0 || label === undefined) continue;
    const name = `${CONDITION}_${keys.length + 1}`;
    const key = `^\\s*${flexible(label, false)}\\s*[:=]\\s*`;
    const rest = (shown[line] ?? "").replace(/^[^:=]*[:=]/, "").trim();
    // "STATE : 4  RUNNING": the text stands behind its number.
    const within =
      rule.match === undefined &&
      !rule.equals.includes(rest.split(/\s{2,}/)[0] ?? "") &&
      rule.equals.every((text) => /^\w+$/.test(text)) &&
      rule.equals.some((text) => new RegExp(`(?<!\\w)${text}(?!\\w)`).test(rest));
    const body = within
      ? `(?<${name}>(?:${rule.equals.join("|")})(?!\\w)|$)`
      : `(?<${name}>\\S.*?)(?:\\s{2,}.*|\\s*)$`;
    keys.push({ line, pattern: `${key}${within ? ".*?(?<!\\w)" : ""}${body}`, filter: filterOf(rule, name) });
  }
  return { filters, keys };
}

/** "Only `set_a`, `set_b` and `set_c`": the part of the block that is one of them is always one of them. */
function onlyTexts(
  page: Page,
  puts: readonly Put[],
  shown: readonly string[],
  groupOf: ReadonlyMap<Hint, string>,
): GroupFilter[] {
  return page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      const quoted = quotedIn(text).map((span) => span.text.trim());
      if (!/^only\b/i.test(text) || quoted.length < 2 || !/\band\b|\bor\b/.test(bare(text))) return [];
      const put = puts.find(({ line, span }) =>
        quoted.includes((shown[line] ?? "").slice(span.start, span.end)),
      );
      const group = put === undefined ? undefined : groupOf.get(put.hint);
      return group === undefined ? [] : [{ group, equals: quoted }];
    }),
  );
}

/** "type `cell_` with any size": a text that ends in a joining mark is how the part begins. */
function beginning(rule: FieldRule): FieldRule {
  const open = rule.match === undefined && rule.equals.every((text) => /\w[_/:.-]$/.test(text));
  return open && rule.equals.length > 0 ? { ...rule, match: "prefix" } : rule;
}
