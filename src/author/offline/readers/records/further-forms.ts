// Further expressions for a line below the first one of a record: where some records have it without a part that may be
// missing, or with more text between its parts, each part is read by itself, beside a word that all these lines have.

import { escapeRegex } from "../../escape.ts";
import { endsRecord, interpretRule } from "../../program/interpret.ts";
import type { BlockRule, Extracted, Inner } from "../../program/ir.ts";
import type { Slot } from "../../templates/template.ts";
import type { FoundLine } from "./line-ways.ts";

/** A line of the block below the first one, as it was found in the log. */
export interface FurtherLine {
  text: string;
  slots: readonly Slot[];
  found: FoundLine;
}

/** The rule with further expressions where they fill parts that records lack, and change none that was read. */
export function withFurtherForms(
  rule: BlockRule,
  below: readonly FurtherLine[],
  lines: readonly string[],
): BlockRule {
  let current = rule;
  for (const line of below) {
    for (const inner of formsOf(line, current, lines)) {
      const next = { ...current, inner: [...(current.inner ?? []), inner] };
      if (isFuller(next, current, lines)) current = next;
    }
  }
  return current;
}

function formsOf({ text, slots, found }: FurtherLine, rule: BlockRule, lines: readonly string[]): Inner[] {
  if (slots.length < 2 && !slots.some(({ hint }) => hint.optional)) return [];
  const words = wordsBeside(text, slots).filter((word) =>
    found.hits.every((hit) => new RegExp(`\\b${escapeRegex(word)}\\b`).test(lines[hit] ?? "")),
  );
  if (words.length === 0) return [];
  const names = new Set(slots.map(({ hint }) => hint.name));
  const records = interpretRule({ ...rule, filters: [] }, lines);
  const lacking = records.flatMap((record, index) =>
    [...names].some((name) => record.fields[name] === undefined)
      ? linesOf(rule, record, records[index + 1]?.line ?? lines.length + 1, lines)
      : [],
  );
  const strict = new RegExp(found.pattern);
  const missed = lacking.filter(
    (line) =>
      !strict.test(line) && words.every((word) => new RegExp(`\\b${escapeRegex(word)}\\b`).test(line)),
  );
  const [example] = missed;
  if (example === undefined) return [];
  const known = found.hits.slice(0, 400).map((hit) => lines[hit] ?? "");
  return slots.flatMap((slot): Inner[] => {
    const pattern = waysOf(text, slot, words).find((one) => {
      const regex = new RegExp(one);
      const isSame = known.every(
        (line) => regex.exec(line)?.groups?.[slot.group] === strict.exec(line)?.groups?.[slot.group],
      );
      return isSame && missed.some((line) => regex.test(line));
    });
    return pattern === undefined
      ? []
      : [{ pattern, example: missed.find((line) => new RegExp(pattern).test(line)) ?? example }];
  });
}

/** The lines of a record behind its first one. */
function linesOf(rule: BlockRule, record: Extracted, next: number, lines: readonly string[]): string[] {
  const below = lines.slice(record.line, next - 1);
  const end = below.findIndex((line) => endsRecord(rule, record.content, line));
  return end < 0 ? below : below.slice(0, end);
}

/** Plain words right beside the parts. */
function wordsBeside(text: string, slots: readonly Slot[]): string[] {
  const found = new Set<string>();
  for (const { span } of slots) {
    const before = /([A-Za-z]{3,})[\s:=,]*$/.exec(text.slice(0, span.start))?.[1];
    const behind = /^\s+([A-Za-z]{3,})(?![\w-])/.exec(text.slice(span.end))?.[1];
    const own = behind ?? before;
    const isPart = slots.some(
      (one) => own !== undefined && text.slice(one.span.start, one.span.end).includes(own),
    );
    if (own !== undefined && !isPart) found.add(own);
  }
  return [...found].slice(0, 1);
}

/** The part by the word behind it, by the word in front of it, or by its marks. */
function waysOf(text: string, { group, span }: Slot, words: readonly string[]): string[] {
  const own = text.slice(span.start, span.end);
  const [word = ""] = words;
  const body = `(?<${group}>${shapeOf(own)})`;
  const ways: string[] = [];
  const lead = text.slice(0, span.start).trim();
  const behind = /^\s+([A-Za-z]{3,})(?![\w-])/.exec(text.slice(span.end))?.[1];
  const before = /([A-Za-z]{3,})(\s*[:=]?\s*)$/.exec(text.slice(0, span.start));
  if (behind === word) ways.push(`${lead === "" ? "^\\s*" : "(?<!\\S)"}${body}\\s+${escapeRegex(word)}\\b`);
  if (before !== null && before[1] === word)
    ways.push(
      `\\b${escapeRegex(word)}${(before[2] ?? "").trim() === "" ? "\\s+" : `\\s*${escapeRegex((before[2] ?? "").trim())}\\s*`}${body}(?![\\w])`,
    );
  // "[2/2]": marks of its own tell it anywhere behind the word.
  const isMarked = /^[^\w\s].*[^\w\s]$/.test(own) || /\d\s?[%A-Za-z]+$/.test(own) || /\d[/:x]\d/.test(own);
  if (isMarked) ways.push(`\\b${escapeRegex(word)}\\b.*?(?<!\\S)${body}(?!\\S)`);
  return ways;
}

/** Texts built like this one. */
function shapeOf(text: string): string {
  if (/^[-+]?\d+$/.test(text)) return "[-+]?\\d+";
  if (/^[-+]?\d[\d.,]*$/.test(text)) return "[-+]?\\d[\\d.,]*";
  return text.replace(/\d+|[A-Za-z]+|[^\dA-Za-z]+/g, (run) =>
    /^\d/.test(run) ? "\\d+" : /^[A-Za-z]/.test(run) ? "[A-Za-z]+" : escapeRegex(run),
  );
}

/** More parts are filled, and all others stay. */
function isFuller(next: BlockRule, rule: BlockRule, lines: readonly string[]): boolean {
  const [more, known] = [next, rule].map((one) => interpretRule({ ...one, filters: [] }, lines));
  if (more === undefined || known === undefined || more.length < known.length) return false;
  const at = new Map(more.map((record) => [record.line, record]));
  const isSame = known.every(({ line, value, fields }) => {
    const own = at.get(line);
    return own?.value === value && Object.entries(fields).every(([name, text]) => own.fields[name] === text);
  });
  const count = (all: readonly Extracted[]): number =>
    all.reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
  return isSame && count(more) > count(known);
}
