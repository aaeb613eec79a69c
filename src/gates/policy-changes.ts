// The mutations of gate4_no_policy: one text of a record is replaced by another of the same form.
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import { columnOf } from "./columns.ts";
import { leaves } from "./leaves.ts";
import { type Sample, spread } from "./samples.ts";

const RECORDS_PER_SAMPLE = 5;
/** Values of the same column that are tried. */
const MAX_OBSERVED = 2;
/** Lines of a record that are changed. */
const MAX_HEIGHT = 6;

export interface Change {
  sample: Sample;
  record: ParsedItem;
  /** 1-based line that is changed: the line of the record, or one that belongs to it. */
  at: number;
  /** The text before and after the change. */
  from: string;
  to: string;
  before: string;
  line: string;
  kind: "number" | "word" | "named";
  /** Other texts of the same column: in all lines of this form, and in records. */
  column: { all: string[]; records: string[] };
  /** For a named change: the line with a similar text that the config does not name. */
  control?: string;
}

/** Whole words, digits and underscores included. */
export const WORD = /[\p{L}\p{N}_]+/gu;

/** The whole word that a change is part of, before and after. */
export function changedWord(change: Change): [string, string] {
  const before = change.before.match(WORD) ?? [];
  const after = change.line.match(WORD) ?? [];
  const at = before.findIndex((word, i) => word !== after[i]);
  return [before[at] ?? change.from, after[at] ?? change.to];
}

/** The changes of the records of a sample. */
export function changesOf(sample: Sample, config: NormalizedConfig | undefined): Change[] {
  const numbers = [...new Set(sample.records.map((r) => r.line_number))]
    .filter((n): n is number => n !== null)
    .sort((a, b) => a - b);
  const placed = sample.records.filter((r) => r.line_number !== null && !r.matched_content.includes("\n"));
  const lines = sample.text.split("\n");
  const changes: Change[] = [];
  for (const record of spread(placed, RECORDS_PER_SAMPLE)) {
    const start = record.line_number ?? 1;
    const next = numbers.find((n) => n > start) ?? lines.length + 1;
    const shown = [record.value, ...[...leaves(record.parsed_fields, "")].map((leaf) => leaf.text)];
    for (let at = start; at < Math.min(next, start + MAX_HEIGHT); at++) {
      const line = lines[at - 1] ?? "";
      // Lines below belong to the record only if they contain one of its texts.
      if (at > start && !shown.some((text) => text.length > 1 && line.includes(text))) continue;
      changes.push(...changesOfLine({ sample, record, at, before: line }, shown, config));
    }
  }
  // One change of each text is sufficient; named ones come first, since they are the strongest evidence.
  const seen = new Set<string>();
  return changes
    .sort((a, b) => Number(b.kind === "named") - Number(a.kind === "named"))
    .filter((change) => {
      const key = [change.kind, change.to, ...changedWord(change)].join(" ");
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

type Place = Pick<Change, "sample" | "record" | "at" | "before">;

function changesOfLine(
  place: Place,
  shown: readonly string[],
  config: NormalizedConfig | undefined,
): Change[] {
  const { before: line, record } = place;
  const changes: Change[] = [];
  const { records, text } = place.sample;
  const values = new Set(records.map((r) => r.value));
  const lines = text.split("\n");
  const recordLines = new Set(records.map((r) => r.matched_content));
  const observed = (at: number): string[] =>
    columnOf(line, at, lines, recordLines).all.slice(0, MAX_OBSERVED);
  const add = (kind: Change["kind"], at: number, from: string, to: string, control?: string): void => {
    // A value that another record has may be dropped as a repetition, which copies.ts tests.
    const becomes = record.value.includes(from) ? record.value.replace(from, to) : to;
    if (to === from || values.has(becomes)) return;
    const more = control === undefined ? {} : { control: replaceAt(line, at, from, control) };
    const column = columnOf(line, at, lines, recordLines);
    changes.push({ ...place, from, to, kind, line: replaceAt(line, at, from, to), column, ...more });
  };
  for (const found of line.matchAll(/\d+/g)) {
    const from = found[0];
    if (!shown.some((text) => text.includes(from))) continue;
    const after = line.slice(found.index + from.length);
    const made = otherNumbers(from, line.slice(0, found.index), after);
    for (const to of new Set([...observed(found.index), ...made])) add("number", found.index, from, to);
  }
  for (const found of line.matchAll(/\p{L}[\p{L}_]+/gu)) {
    const from = found[0];
    if (!record.value.includes(from)) continue;
    for (const to of new Set([...observed(found.index), otherWord(from)])) add("word", found.index, from, to);
  }
  for (const name of namesOf(config)) {
    for (const [from, to] of alignments(record.value, name)) {
      const at = line.indexOf(from);
      if (at >= 0 && otherNumberWord(to) !== to) add("named", at, from, to, otherNumberWord(to));
    }
  }
  return changes;
}

/** Texts of a value with their replacements by a name of the config: the whole value, and part by part. */
function alignments(value: string, name: string): [string, string][] {
  const pairs: [string, string][] = [[value.trim(), name]];
  const parts = (text: string): string[] => text.split(/[\s:@,;]+/).filter((part) => part !== "");
  const nameParts = parts(name);
  parts(value).forEach((from, i) => {
    const to = nameParts[i];
    if (to !== undefined && /\p{L}{2}/u.test(to) && /\p{L}/u.test(from)) pairs.push([from, to]);
  });
  return pairs.filter(([from]) => from !== "");
}

function replaceAt(line: string, at: number, from: string, to: string): string {
  return line.slice(0, at) + to + line.slice(at + from.length);
}

/** Other numbers of the same form, a smaller and a larger one. Zeros do not change, years remain years, and parts of times
 * and dates remain valid. */
function otherNumbers(digits: string, before: string, after: string): string[] {
  const inside = /[\d][.:]$/.test(before) || /^[.:]\d/.test(after);
  if (/^0+$/.test(digits)) return inside ? [] : [digits.replace(/\d$/, "3")];
  if (/^(?:19|20)\d\d$/.test(digits)) return digits === "2019" ? ["2018", "2028"] : ["2019", "2031"];
  const inTime = /[:T-]$|\/$/.test(before) || /^[:-]|^\//.test(after);
  const last = Number(digits.at(-1));
  if (digits.length <= 2 && inTime) return [`${digits.slice(0, -1)}${last > 1 ? last - 1 : last + 1}`];
  const small = digits.replace(/[1-9]/g, "1");
  const large = digits.replace(/[1-9]/g, "8");
  return [...new Set([small, large])].filter((n) => n !== digits);
}

/** Another word with the same pattern of upper-case and lower-case letters. */
export function otherWord(word: string): string {
  const next = (base: number, c: string): string =>
    String.fromCharCode(base + ((c.charCodeAt(0) - base + 7) % 26));
  return word.replace(/[a-z]/g, (c) => next(97, c)).replace(/[A-Z]/g, (c) => next(65, c));
}

function otherNumberWord(text: string): string {
  return text.replace(/\p{L}+/gu, otherWord).replace(/[1-9]/g, (d) => String((Number(d) % 9) + 1));
}

/** Concrete texts that match the patterns and waivers of the config. */
function namesOf(config: NormalizedConfig | undefined): string[] {
  if (!config) return [];
  const texts = [...config.requirements.pattern_items, ...config.waivers.waive_items];
  const names = texts.flatMap((text) => {
    if (text.includes("|")) return text.split("|").map((part) => part.trim());
    if (text.startsWith("regex:")) {
      const plain = text
        .slice(6)
        .replace(/^\^|\$$/g, "")
        .replaceAll("\\d+", "12")
        .replaceAll("\\d", "1")
        .replaceAll("\\.", ".")
        .replaceAll(".*", "x")
        .replaceAll("\\w+", "abc");
      return /[\\^$()[\]{}+*?|]/.test(plain) ? [] : [plain];
    }
    return [
      text
        .replaceAll("*", "x1")
        .replaceAll("?", "a")
        .replace(/\[!?([^\]])[^\]]*\]/g, "$1"),
    ];
  });
  return [...new Set(names)].filter((name) => name.trim() !== "" && name.length < 200).slice(0, 12);
}
