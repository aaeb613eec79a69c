// Records of several lines: a start line, perhaps a title below it, then `Key: value` lines.

import { escapeRegex } from "../escape.ts";
import { filterOf } from "../page/conditions.ts";
import { likeness, similarity, stemsOf, wordsOf } from "../page/names.ts";
import type { Example, Group, Hint, Page } from "../page/page.ts";
import { assign } from "../parts/assign.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Projection, Source } from "../program/ir.ts";
import { buildPattern, type Slot } from "../templates/template.ts";
import { repeatedKey } from "./block-again.ts";
import { countedLine } from "./block-line.ts";
import { type KeyLine, openingsOf } from "./block-openings.ts";

export interface BlockCandidate {
  rule: BlockRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

const KEY_LINES = [
  { pattern: "^\\s*(?<key>[A-Za-z][^:=|]*?)\\s*:(?:\\s+(?<text>.*))?$", name: "colon" },
  { pattern: "^\\s*(?<key>[A-Za-z][^:=|]*?)\\s*=\\s*(?<text>.*)$", name: "equals" },
];

export function blockGroup(group: Group, page: Page, lines: readonly string[]): BlockCandidate | undefined {
  const value = group.value;
  if (value === undefined || value.wholeLine) return undefined;
  const hints = [value, ...group.fields];
  const example = group.examples.find((one) => one.mark === "block" && one.lines.length > 1);
  let best: BlockCandidate | undefined;
  for (const style of KEY_LINES) {
    const regex = new RegExp(style.pattern);
    const keyLines: KeyLine[] = [];
    lines.forEach((line, index) => {
      const key = line.length < 2000 ? regex.exec(line)?.groups?.["key"] : undefined;
      if (key !== undefined && key.length <= 60)
        keyLines.push({ index, key: key.trim(), indent: line.search(/\S/) });
    });
    const labels = matchLabels(hints, keyLines, example, regex);
    if (labels.size < 2 && !(labels.size === 1 && example !== undefined)) continue;
    const candidate = buildBlock(group, page, lines, keyLines, labels, style.pattern, example);
    if (candidate !== undefined && (best === undefined || candidate.confidence > best.confidence))
      best = candidate;
  }
  return best;
}

/** The key of each hint that has one. */
function matchLabels(
  hints: readonly Hint[],
  keyLines: readonly KeyLine[],
  example: Example | undefined,
  regex: RegExp,
): Map<Hint, string> {
  const counts = new Map<string, number>();
  for (const { key } of keyLines) counts.set(key, (counts.get(key) ?? 0) + 1);
  const shown = new Set(
    (example?.lines ?? []).flatMap((line) => {
      const key = regex.exec(line)?.groups?.["key"]?.trim();
      return key === undefined ? [] : [key];
    }),
  );
  const opening = example?.lines[0] ?? "";
  const inKeys = hints.filter(
    (hint) => !hint.literals.some((text) => opening.includes(text)) && !CUT_SHORT.test(hint.description),
  );
  const pairs = inKeys.flatMap((hint) =>
    [...counts].map(([key, count]) => {
      // "GENERAL.TYPE" is the type of a section of the record.
      const last = /\.([\w-]+)$/.exec(key)?.[1];
      const own = Math.max(likeness(hint, key), last === undefined ? 0 : 0.95 * likeness(hint, last));
      const like = Math.max(own, exactIn(hint, key) ? 1.05 : 0);
      return { hint, key, score: like + (shown.has(key) ? 0.25 : 0) + Math.min(0.05, count / 2000) };
    }),
  );
  pairs.sort((a, b) => b.score - a.score || a.key.length - b.key.length);
  const labels = new Map<Hint, string>();
  for (const { hint, key, score } of pairs) {
    if (shown.size > 0 && !shown.has(key)) continue;
    if (score < 0.75 || labels.has(hint) || [...labels.values()].includes(key)) continue;
    labels.set(hint, key);
  }
  // A name that is only part of the key ("serial" for "Serial number") does where no other key is near.
  for (const hint of inKeys) {
    if (labels.has(hint) || shown.size > 0) continue;
    const [first, second] = pairs.filter((pair) => pair.hint === hint);
    if (first === undefined || first.score < 0.6 || first.score - (second?.score ?? 0) < 0.1) continue;
    if (![...labels.values()].includes(first.key)) labels.set(hint, first.key);
  }
  return labels;
}

/** "Between colon and comma", "up to the comma": not all of the text behind a key. */
const CUT_SHORT =
  /\b(?:between (?:the |its )?colon and|(?:before|up to|until|in front of)) (?:the |its |a |an )?(?:first |next )?(?:comma|semicolon|slash|dash|hyphen)\b/i;

/** Does the description call the key by its exact name, e.g. "the Locator (not the Bank Locator)"? */
function exactIn(hint: Hint, key: string): boolean {
  const negative = /\bnot (?:the )?`?([\w ]+?)`?[),.;]/i.exec(`${hint.description}.`)?.[1];
  if (negative !== undefined && negative.toLowerCase() === key.toLowerCase()) return false;
  if (hint.literals.includes(key)) return true;
  return hint.description.includes(key) && wordsOf(hint.name).join() === wordsOf(key).join();
}

function buildBlock(
  group: Group,
  page: Page,
  lines: readonly string[],
  keyLines: readonly KeyLine[],
  labels: ReadonlyMap<Hint, string>,
  keyLine: string,
  example: Example | undefined,
): BlockCandidate | undefined {
  const doubts: string[] = [];
  const start = startOf(group, lines, keyLines, labels, example, page);
  if (start === undefined) return undefined;
  const { value } = group;
  if (value === undefined) return undefined;
  const keys: BlockRule["keys"] = [];
  const groupOf = new Map<Hint, string>();
  for (const [hint, group_] of start.groups) groupOf.set(hint, group_);
  for (const [hint, label] of labels) {
    if (groupOf.has(hint)) continue;
    const name = /^[A-Za-z]\w*$/.test(hint.name) ? hint.name : `key_${keys.length + 1}`;
    keys.push({ label, group: name });
    groupOf.set(hint, name);
  }
  const source = (hint: Hint): Source | undefined => {
    const name = groupOf.get(hint);
    return name === undefined
      ? undefined
      : { from: "group", group: name, ...(hint.basename ? { op: "basename" as const } : {}) };
  };
  const valueSource = source(value);
  if (valueSource?.from !== "group") return undefined;
  const projection: Projection = {
    value: valueSource,
    fields: group.fields.flatMap((hint) => {
      const from = source(hint);
      return from === undefined ? [] : [{ name: hint.name, source: from }];
    }),
  };
  const title = titleOf(group, page, lines, start.pattern, example);
  const counted = countedLine(group, page, lines, start, labels);
  const atStart = isAtStart(counted, page, start.isKey || start.groups.has(value));
  const rule: BlockRule = {
    kind: "block",
    start: start.pattern,
    startExample: start.example,
    ...(title === undefined ? {} : { title }),
    keys,
    keyLine,
    ends: start.blankEnds ? "blank" : "start",
    lineOf: atStart || start.groups.has(value) ? "start" : "value",
    valueGroup: valueSource.group,
    filters: [],
    required: [valueSource.group],
    projection,
  };
  const filters = page.rules.flatMap((one) => {
    const hint = [...groupOf.keys()].find((known) => similarity(known.name, one.name) >= 0.6);
    const name = hint === undefined ? filterKey(one.name, keyLines, keys) : groupOf.get(hint);
    return name === undefined ? [] : [filterOf(one, name)];
  });
  rule.filters.push(...filters);
  if (rule.ends === "blank") goOn(rule, lines);
  if (rule.ends === "start" && example !== undefined) endDedented(rule, lines);
  let confidence = 0.95;
  for (const hint of group.fields) {
    if (groupOf.has(hint) || hint.optional) continue;
    confidence -= 0.35;
    doubts.push(`no key of the records is the field ${hint.name}`);
  }
  for (const [hint, label] of labels) {
    if (isCalled(hint, label, keyLines)) continue;
    confidence -= 0.1;
    doubts.push(`the key ${label} was taken for ${hint.name}`);
  }
  if (example === undefined) confidence -= 0.1;
  if (depthOf(keyLines, new Set(labels.values())) >= 3) {
    confidence -= 0.4;
    doubts.push(
      "the keys stand at several depths, as in a tree, which one record for each start line cannot hold",
    );
  }
  const records = interpretRule(rule, lines);
  if (records.length === 0) return undefined;
  const uncounted = countDoubts(counted, repeatedKey(rule, lines, keyLines, value, labels));
  confidence -= 0.45 * uncounted.length;
  doubts.push(...uncounted);
  if (!atStart && !start.groups.has(value) && !start.isKey && example === undefined) confidence -= 0.05;
  return {
    rule,
    confidence,
    reasons: [`${records.length} records of several lines that start like: ${start.example.trim()}`],
    doubts,
  };
}

/** Doubts about how many records there are, and where. */
function countDoubts(counted: ReturnType<typeof countedLine>, again: string | undefined): string[] {
  const doubts: string[] = [];
  if (counted === "other")
    doubts.push("the page counts the records by another line than their first one and that of the value");
  if (again !== undefined)
    doubts.push(`the keys of one record stand there again, of which only the first are read: ${again}`);
  return doubts;
}

/** Is a key called like the part? */
function isCalled(hint: Hint, label: string, keyLines: readonly KeyLine[]): boolean {
  if (likeness(hint, label) >= 0.8 || hint.literals.includes(label)) return true;
  // "Slot #" and "Model Number" are the slot and the model.
  const bare = label.replace(/\s*(?:#|\b(?:number|no\.?|name|id))\s*$/i, "");
  return similarity(hint.name, bare) >= 0.95 || hasAlone(hint, label, keyLines);
}

/** "No. of Violating Paths" for `violating_paths`: the only key of the log with all words of the name. */
function hasAlone(hint: Hint, label: string, keyLines: readonly KeyLine[]): boolean {
  const own = stemsOf(hint.name.replace(/_/g, " "));
  const hasAll = (key: string): boolean => {
    const words = stemsOf(key);
    return [...own].every((word) => words.has(word));
  };
  return own.size > 0 && hasAll(label) && !keyLines.some(({ key }) => key !== label && hasAll(key));
}

/** How many levels deep the wanted keys stand one below the other, in the order of their first lines. */
function depthOf(keyLines: readonly KeyLine[], wanted: ReadonlySet<string>): number {
  const seen = new Set<string>();
  let deepest = -1;
  let levels = 0;
  for (const { key, indent } of keyLines) {
    if (!wanted.has(key) || seen.has(key)) continue;
    seen.add(key);
    if (indent <= deepest) continue;
    deepest = indent;
    levels += 1;
  }
  return levels;
}

/** The group of a key that only a condition of the page needs. */
function filterKey(name: string, keyLines: readonly KeyLine[], keys: BlockRule["keys"]): string | undefined {
  if (name === "") return undefined;
  const label = keyLines.find((one) => similarity(one.key, name) >= 0.9)?.key;
  if (label === undefined) return undefined;
  const known = keys.find((one) => one.label === label);
  if (known !== undefined) return known.group;
  const group = `condition_${keys.length + 1}`;
  keys.push({ label, group });
  return group;
}

/** Records go on below a blank line when their fields stand there: then only the next start ends one. */
function goOn(rule: BlockRule, lines: readonly string[]): void {
  const filled = (records: readonly { fields: Record<string, string> }[]): number =>
    records.reduce((sum, one) => sum + Object.keys(one.fields).length, 0);
  const short = interpretRule({ ...rule, filters: [] }, lines);
  const long = interpretRule({ ...rule, filters: [], ends: "start" }, lines);
  if (long.length >= short.length && filled(long) > filled(short)) rule.ends = "start";
}

function isAtStart(counted: ReturnType<typeof countedLine>, page: Page, byDefault: boolean): boolean {
  return counted === undefined ? lineRule(page, byDefault) : counted === "start";
}

/** Should the record carry the number of its start line? */
function lineRule(page: Page, byDefault: boolean): boolean {
  const said = /\bline(?: number)?\s*(?:is|:|of)\s*(?:that of |the )?(?:number of )?([^.\n]*)/i.exec(
    page.prose,
  )?.[1];
  if (said === undefined) return byDefault;
  return /\b(?:start|first|head(?:er|ing)?|title|handle|opening|begin\w*)\b/i.test(said) || byDefault;
}

/** Where all lines of the records are deeper than their first one, a line that is not belongs to none. */
function endDedented(rule: BlockRule, lines: readonly string[]): void {
  const filled = (one: BlockRule): number =>
    interpretRule({ ...one, filters: [] }, lines).reduce(
      (sum, record) => sum + Object.keys(record.fields).length,
      0,
    );
  if (filled({ ...rule, ends: "dedent" }) >= filled(rule)) rule.ends = "dedent";
}

interface Start {
  pattern: string;
  example: string;
  groups: Map<Hint, string>;
  /** The start line is itself a key line. */
  isKey: boolean;
  blankEnds: boolean;
}

function startOf(
  group: Group,
  lines: readonly string[],
  keyLines: readonly KeyLine[],
  labels: ReadonlyMap<Hint, string>,
  example: Example | undefined,
  page: Page,
): Start | undefined {
  const value = group.value;
  const unlabelled = [...(value === undefined ? [] : [value]), ...group.fields].filter(
    (hint) => !labels.has(hint),
  );
  const openings = openingsOf(lines, keyLines, new Set(labels.values()));
  const shown = example?.lines[0];
  const candidates = [...openings.values()].sort((x, y) => y.count - x.count);
  const blank =
    candidates.some((one) => one.blank > 0) && !(example?.lines.slice(0, -1).includes("") ?? false);
  const direct = shown === undefined ? undefined : startLike(shown, lines, unlabelled, page);
  const opening = shown === undefined ? undefined : keyOf(shown, keyLines);
  if (opening !== undefined) {
    // A record that opens with one of its keys does so whatever the text of the key is.
    const isKey = [...labels.values()].includes(opening);
    const example = lines[keyLines.find((one) => one.key === opening)?.index ?? 0] ?? "";
    const pattern = `^\\s*${escapeRegex(opening)}\\s*[:=]`;
    const inLabels = direct === undefined || direct.groups.size === 0;
    if (inLabels) return { pattern, example, groups: new Map(), isKey, blankEnds: blank };
  }
  if (direct !== undefined) return { ...direct, isKey: false, blankEnds: blank };
  const line = candidates[0]?.line;
  if (line === undefined) return undefined;
  const key = keyLines.find((one) => lines[one.index] === line);
  const slots = startSlots(line, unlabelled, page).filter(
    ({ span }) => key === undefined || span.start > line.indexOf(key.key) + key.key.length,
  );
  if (key !== undefined && slots.length === 0) {
    const label = [...labels].find(([, text]) => text === key.key);
    const pattern = `^\\s*${escapeRegex(key.key)}\\s*[:=]`;
    return { pattern, example: line, groups: new Map(), isKey: label !== undefined, blankEnds: blank };
  }
  const start = startLike(line, lines, unlabelled, page);
  return start === undefined ? undefined : { ...start, isKey: false, blankEnds: blank };
}

/** The key of a line, when the log has it as a key. */
function keyOf(line: string, keyLines: readonly KeyLine[]): string | undefined {
  const key = /^\s*([A-Za-z][^:=|]*?)\s*[:=](?:\s|$)/.exec(line)?.[1];
  return keyLines.some((one) => one.key === key) ? key : undefined;
}

/** The parts of a start line that no key line has. */
function startSlots(line: string, unlabelled: readonly Hint[], page: Page): Slot[] {
  const placed = assign(line, undefined, unlabelled, page.lists).placed;
  const only = unlabelled.length === 1 && placed.length === 1;
  return placed
    .filter((one) => one.score >= (only ? 0 : 3))
    .map((one) => ({ group: one.hint.name || "value", hint: one.hint, span: one.span }));
}

/** A start line in general, when the log has such lines. */
function startLike(
  line: string,
  lines: readonly string[],
  unlabelled: readonly Hint[],
  page: Page,
): Pick<Start, "pattern" | "example" | "groups"> | undefined {
  const slots = startSlots(line, unlabelled, page);
  const pattern = buildPattern(line, slots, {
    tail: true,
    prefix: "all",
    pairs: false,
    codes: false,
    classes: new Map(),
    ellipsis: false,
    fixed: new Set(),
    loose: new Set(),
  });
  const regex = new RegExp(pattern);
  const found = lines.find((one) => regex.test(one));
  if (found === undefined) return undefined;
  return { pattern, example: found, groups: new Map(slots.map((slot) => [slot.hint, slot.group])) };
}

/** The title of the wanted records: a text that the page asks for and that stands right below start lines. */
function titleOf(
  group: Group,
  page: Page,
  lines: readonly string[],
  start: string,
  example: Example | undefined,
): string | undefined {
  const regex = new RegExp(start);
  const below = new Set<string>();
  lines.forEach((line, index) => {
    if (regex.test(line)) below.add(lines[index + 1]?.trim() ?? "");
  });
  const wanted = [...group.wanted, ...(example?.lines.slice(1, 2).map((line) => line.trim()) ?? [])];
  const title = wanted.find((text) => below.has(text) && !/[:=]/.test(text));
  if (title !== undefined && below.size > 1) return title;
  return [...below].length > 1
    ? [...below].find(
        (text) =>
          text !== "" && !/[:=]/.test(text) && page.prose.includes(text) && !page.unwanted.includes(text),
      )
    : undefined;
}
