// Do values and fields come from the lines of the record? Part of gate4_evidence. Labels, composed and computed values are
// correct, too; errors are only what no correct atom does: a value that is equal in all records and occurs in none of their
// lines, and letters that occur neither in the file, nor in its path, nor in the code.

import type { ParsedItem } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import { leaves } from "./leaves.ts";
import type { Observation } from "./samples.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";

const GATE = "gate4_evidence";
/** Records of a log that are checked, evenly distributed. */
const MAX_RECORDS = 400;
/** Lines around a record that may belong to it. */
const MAX_HEIGHT = 60;

export interface ValueAim {
  observations: readonly Observation[];
  literals: Literals;
  /** Source of Atom A, whose names may be names of fields. */
  code: string;
}

/** Checks the values and fields of the records in the observed logs. */
export function checkValues(aim: ValueAim, findings: Findings): void {
  const all = aim.observations.flatMap((o) => o.records);
  checkEmptyValues(all, findings);
  checkConstantValue(all, findings);
  for (const { records } of aim.observations) checkRepeats(records, findings);
  checkLineNumbersGiven(aim.observations, findings);
  const known = new Words(
    [...aim.literals.texts.map((t) => t.text), ...aim.literals.patterns.map((p) => p.source), aim.code].join(
      "\n",
    ),
  );
  const code = new Words(aim.code);
  for (const observation of aim.observations) checkLog(observation, { known, code }, findings);
}

function checkEmptyValues(records: readonly ParsedItem[], findings: Findings): void {
  const empty = records.filter((r) => r.value.trim() === "");
  const [first] = empty;
  if (!first) return;
  const message = `\`value\` is empty in ${empty.length} of ${records.length} records; patterns and waivers are compared with it.`;
  const example = show({ line_number: first.line_number, matched_content: first.matched_content }, 240);
  if (empty.length === records.length) findings.error(GATE, "atom_a", "value_empty", message, { example });
  else findings.warn(GATE, "atom_a", "value_empty", message, { example });
}

/** Reports a value that is equal for different lines and occurs in none of them. */
function checkConstantValue(records: readonly ParsedItem[], findings: Findings): void {
  const [first] = records;
  if (!first || records.length < 2 || first.value.trim() === "") return;
  if (records.some((r) => r.value !== first.value)) return;
  const contents = new Set(records.map((r) => r.matched_content));
  if (contents.size < 2 || [...contents].some((content) => shares(first.value, content))) return;
  const message = `\`value\` is ${show(first.value)} in all ${records.length} records, although their lines differ and none of them contains it. \`value\` must be a text of the log.`;
  findings.error(GATE, "atom_a", "value_constant", message, { example: show([...contents].slice(0, 2)) });
}

/** Reports a record that is returned twice although its line contains the value once. */
function checkRepeats(records: readonly ParsedItem[], findings: Findings): void {
  const counts = new Map<string, { record: ParsedItem; count: number }>();
  for (const record of records.slice(0, 20_000)) {
    if (record.line_number === null) continue;
    const key = JSON.stringify([
      record.line_number,
      record.value,
      record.matched_content,
      record.parsed_fields,
    ]);
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { record, count: 1 });
  }
  for (const { record, count } of counts.values()) {
    const occurrences = record.value === "" ? 1 : record.matched_content.split(record.value).length - 1;
    if (count <= Math.max(1, occurrences)) continue;
    const message = `The record ${show(record.value)} of line ${record.line_number} is returned ${count} times; each place in a log gives one record.`;
    findings.error(GATE, "atom_a", "record_repeated", message, {
      example: show(record.matched_content, 240),
    });
    return;
  }
}

function shares(value: string, content: string): boolean {
  const words = new Set(wordsOf(content));
  return wordsOf(value).some((word) => words.has(word));
}

/** Reports records without a line number whose content is a line of the file. */
function checkLineNumbersGiven(observations: readonly Observation[], findings: Findings): void {
  for (const { log, records } of observations) {
    const unplaced = records.filter((r) => r.line_number === null && r.matched_content !== "");
    if (unplaced.length < 2) continue;
    const lines = new Set(log.text.split("\n"));
    const lineLike = unplaced.filter(
      (r) => lines.has(r.matched_content) && shares(r.value, r.matched_content),
    );
    if (lineLike.length < 2 || new Set(lineLike.map((r) => r.matched_content)).size < 2) continue;
    const message = `${lineLike.length} records of ${show(log.path)} have \`line_number\` null, although their content is a line of the file; null is only for records without a line.`;
    const [first] = lineLike;
    const example = show({ value: first?.value ?? "", matched_content: first?.matched_content ?? "" }, 240);
    findings.error(GATE, "atom_a", "line_number_missing", message, { example });
    return;
  }
}

/** The words of a text, and the text reduced to letters and digits. */
class Words {
  private readonly words: Set<string>;
  private packed: string | undefined;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.words = new Set(wordsOf(text));
  }

  has(word: string): boolean {
    if (this.words.has(word)) return true;
    this.packed ??= pack(this.text);
    return word.length > 1 && this.packed.includes(word);
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function pack(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function checkLog(
  { log, records }: Observation,
  { known, code }: { known: Words; code: Words },
  findings: Findings,
): void {
  if (records.length === 0) return;
  const index = new LineIndex(log.text);
  const starts = [...new Set(records.map((r) => r.line_number))]
    .filter((n): n is number => n !== null)
    .sort((a, b) => a - b);
  const path = new Words(log.path);
  let file: Words | undefined;
  const step = Math.max(1, Math.floor(records.length / MAX_RECORDS));
  for (let i = 0; i < records.length; i += step) {
    const record = records[i];
    if (!record) continue;
    const own = new Words(ownLines(record, starts, index));
    const inFile = (word: string): boolean => {
      file ??= new Words(log.text);
      return file.has(word);
    };
    const words = wordsOf(record.value);
    const places = { inFile, path, known, code };
    if (words.length > 0 && !words.some((word) => own.has(word))) {
      reportValue(record, words, places, findings);
    } else checkSpelling("value", record.value, record, places, findings);
    reportFields(record, own, places, findings);
    checkNames(record, own.text, places, findings);
    for (const leaf of leaves(record.parsed_fields, "")) {
      if (leaf.isText) checkSpelling(`parsed_fields.${leaf.path}`, leaf.text, record, places, findings);
    }
  }
}

/** Every word of a text must occur in the file, its path or the code. Words in another case or encoding, and numbers in
 * another notation, were changed. */
function checkSpelling(
  name: string,
  text: string,
  record: ParsedItem,
  { inFile, path, known }: Places,
  findings: Findings,
): void {
  if (text === "" || record.matched_content.includes(text)) return;
  const example = show({ [name]: text, matched_content: record.matched_content }, 260);
  const fail = (code: FindingCode, message: string): void =>
    findings.error(GATE, "atom_a", code, message, { example });
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (!/\p{L}/u.test(word)) continue;
    const lower = word.toLowerCase();
    if (known.has(lower) || path.has(lower)) continue;
    if (!inFile(lower)) {
      fail(
        "value_garbled",
        `\`${name}\` contains ${show(word, 60)}, which does not occur in the file; copy the text of the log unchanged.`,
      );
      return;
    }
    const line = record.matched_content;
    if (line.toLowerCase().includes(lower) && !line.includes(word)) {
      const message = `\`${name}\` contains ${show(word, 60)}, which has another case in the line. Correct only if the page requires it.`;
      findings.warn(GATE, "atom_a", "case_changed", message, { example });
      return;
    }
  }
  const number = text.trim();
  if (!PLAIN_NUMBER.test(number)) return;
  const written = (record.matched_content.match(/[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? []).find(
    (other) => other !== number && Number(other) === Number(number),
  );
  if (written === undefined) return;
  fail(
    "number_rewritten",
    `\`${name}\` is ${show(number)}, but the line has ${show(written)}; a number that is a text must not be reformatted.`,
  );
}

const PLAIN_NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Names of fields must occur in the code or in the file. */
function checkNames(record: ParsedItem, own: string, { inFile, code }: Places, findings: Findings): void {
  for (const name of Object.keys(record.parsed_fields)) {
    const words = wordsOf(name);
    if (words.length > 0 && (own.includes(name) || words.every((word) => code.has(word) || inFile(word)))) {
      continue;
    }
    const message = `The field name ${show(name)} occurs neither in the code nor in the file.`;
    findings.error(GATE, "atom_a", "field_name_not_grounded", message, {
      example: show({ matched_content: record.matched_content }, 240),
    });
    return;
  }
}

/** The lines that may belong to a record: between the previous and the next record. */
function ownLines(record: ParsedItem, starts: readonly number[], index: LineIndex): string {
  const at = record.line_number;
  if (at === null) return record.matched_content;
  const before = starts.findLast((n) => n < at) ?? 0;
  const after = starts.find((n) => n > at) ?? index.count + 1;
  const from = Math.max(before + 1, at - MAX_HEIGHT);
  const to = Math.min(after - 1, at + MAX_HEIGHT);
  return `${index.slice(from, Math.max(to, at))}\n${record.matched_content}`;
}

interface Places {
  inFile: (word: string) => boolean;
  path: Words;
  known: Words;
  code: Words;
}

function reportValue(record: ParsedItem, words: string[], places: Places, findings: Findings): void {
  const example = show(
    { value: record.value, line_number: record.line_number, matched_content: record.matched_content },
    260,
  );
  if (words.some((word) => places.inFile(word))) {
    if (record.line_number === null) return;
    const message = `\`value\` ${show(record.value)} comes from lines far from line ${record.line_number}. Correct for a heading of several records.`;
    findings.warn(GATE, "atom_a", "value_from_elsewhere", message, { example });
    return;
  }
  if (words.some((word) => places.path.has(word) || places.known.has(word))) {
    const message = `\`value\` ${show(record.value)} is a label of the code or the path; it does not occur in the file.`;
    findings.warn(GATE, "atom_a", "value_is_label", message, { example });
    return;
  }
  if (words.every((word) => /^\p{N}+$/u.test(word))) {
    const message = `\`value\` ${show(record.value)} was computed; it does not occur in the file.`;
    findings.warn(GATE, "atom_a", "value_computed", message, { example });
    return;
  }
  const message = `\`value\` ${show(record.value)} occurs neither in the record's lines nor elsewhere in its file; values must be texts of the log.`;
  findings.error(GATE, "atom_a", "value_not_grounded", message, { example });
}

function reportFields(record: ParsedItem, own: Words, places: Places, findings: Findings): void {
  for (const { path, text } of leaves(record.parsed_fields, "")) {
    const words = wordsOf(text);
    if (words.length === 0 || words.some((word) => own.has(word))) continue;
    if (words.some((word) => places.inFile(word) || places.path.has(word) || places.known.has(word)))
      continue;
    if (words.every((word) => /^\p{N}+$/u.test(word))) continue;
    const message = `The field \`${path}\` is ${show(text)}, which does not occur in the file; fields must be texts of the log.`;
    findings.warn(GATE, "atom_a", "field_not_grounded", message, {
      example: show({ matched_content: record.matched_content }, 240),
    });
    return;
  }
}
