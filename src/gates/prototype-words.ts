// Names that all objects inherit, in a log. Part of gate4_evidence. A text of a record is replaced by `constructor`,
// `__proto__` or `toString` and, for comparison, by a generated word of the same form. Proves that the code handles such a
// word like any other, for the texts that were tried. A failure or another content is an error; a missing part is only a
// warning, since a check shows it.
// Targets `TABLE[word] ?? word`, `counts[word] = (counts[word] || 0) + 1`, `fields[key] = text` on plain objects.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { diffRecords, type RecordDiff } from "./compare.ts";
import { shape } from "./completeness.ts";
import type { Findings } from "./findings.ts";
import { leaves } from "./leaves.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_evidence";
/** Limits: records of a sample, further forms of lines, texts of a record, lines of a record. */
const MAX = { records: 3, forms: 4, texts: 8, lines: 4 };

/** Inherited names, each with two similar words without a meaning. */
const NAMES: readonly (readonly [inherited: string, neutral: string, second: string])[] = [
  ["constructor", "constructos", "constructot"],
  ["__proto__", "__protp__", "__protq__"],
  ["toString", "toStrinh", "toStrini"],
];

interface Trial {
  sample: Sample;
  line: number;
  from: string;
  inherited: string;
  neutral: string;
  second: string;
}

/** Runs the check on every sample. */
export async function checkPrototypeWords(
  runs: AtomRuns,
  samples: readonly Sample[],
  findings: Findings,
): Promise<void> {
  const trials = samples.flatMap(trialsOf);
  const plain = await runs.runMany(trials.map((trial) => ({ ...input(trial, trial.neutral), odd: true })));
  // If the neutral word gives no record, the text is a fixed part of the format.
  const comparable = trials.flatMap((trial, i) => {
    const run = plain[i];
    const isRecord = run?.ok === true && run.records.some((r) => r.line_number === trial.line);
    return isRecord ? [{ trial, expected: run.records }] : [];
  });
  const results = await runs.runMany(comparable.map(({ trial }) => input(trial, trial.inherited)));
  const differing = comparable.flatMap(({ trial, expected }, i) => {
    const run = results[i];
    const diff = run?.ok === true ? difference(expected, run.records, trial, trial.inherited) : undefined;
    return diff === undefined ? [] : [{ trial, expected, diff }];
  });
  // Code that splits words may give different records for any two of them.
  const controls = await runs.runMany(
    differing.map(({ trial }) => ({ ...input(trial, trial.second), odd: true })),
  );
  for (const [i, { trial, expected, diff }] of differing.entries()) {
    const run = controls[i];
    const isSpecific =
      run?.ok === true && difference(expected, run.records, trial, trial.second) === undefined;
    if (isSpecific) report(trial, diff, findings);
  }
}

function trialsOf(sample: Sample): Trial[] {
  const lines = sample.text.split("\n");
  const starts = sample.records.flatMap((r) => (r.line_number === null ? [] : [r.line_number]));
  // A name that the log contains could not be distinguished from the inserted one.
  const text = sample.text.toLowerCase();
  const names = NAMES.filter((words) => words.every((word) => !text.includes(word.toLowerCase())));
  const placed = sample.records.filter((r) => r.line_number !== null);
  const forms = new Map(placed.toReversed().map((record) => [shape(record.matched_content), record]));
  const chosen = [...spread(placed, MAX.records), ...[...forms.values()].slice(-MAX.forms)];
  return [...new Set(chosen)].flatMap((record) => {
    const line = record.line_number ?? 1;
    const next = Math.min(starts.find((n) => n > line) ?? lines.length + 1, line + MAX.lines);
    const own = lines.slice(line - 1, next - 1).join("\n");
    return textsOf(record, own).flatMap((from) =>
      names.map(([inherited, neutral, second]) => ({ sample, line, from, inherited, neutral, second })),
    );
  });
}

/** Texts of a record that occur in its lines: the value, fields and their names, words of its line. */
function textsOf(record: ParsedItem, own: string): string[] {
  const texts = [
    record.value,
    ...[...leaves(record.parsed_fields, "")].filter(({ isText }) => isText).map(({ text }) => text),
    ...Object.keys(record.parsed_fields),
    ...(record.matched_content.match(/\p{L}[\p{L}\p{N}_]+/gu) ?? []),
  ];
  const usable = texts.filter((text) => text.trim().length > 1 && !text.includes("\n") && own.includes(text));
  return [...new Set(usable)].slice(0, MAX.texts);
}

function input({ sample, line, from }: Trial, word: string): RunInput {
  const lines = sample.text.split("\n");
  const at = lines.findIndex((text, i) => i >= line - 1 && text.includes(from));
  lines[at] = (lines[at] ?? "").replace(from, () => word);
  const what = `a log with ${show(word)} in place of ${show(from, 60)}, line ${at + 1}`;
  return { text: lines.join("\n"), sourceFile: sample.path, gate: GATE, what };
}

/** How the records with a word differ from those with the neutral word; undefined if they do not. */
function difference(
  expected: readonly ParsedItem[],
  actual: readonly ParsedItem[],
  { neutral }: Trial,
  word: string,
): RecordDiff | undefined {
  // Code may convert words to lower case.
  const plain = (records: readonly ParsedItem[]): string => JSON.stringify(records).toLowerCase();
  const mapped = plain(actual).replaceAll(word.toLowerCase(), neutral.toLowerCase());
  const diff = diffRecords(JSON.parse(plain(expected)), JSON.parse(mapped));
  return diff.missing.length + diff.extra.length === 0 ? undefined : diff;
}

function report(trial: Trial, { missing, extra }: RecordDiff, findings: Findings): void {
  const { inherited, from, line } = trial;
  const where = `With ${show(inherited)} in place of ${show(from, 60)} in line ${line}`;
  const advice = "use `Object.hasOwn` before a lookup, or a Map";
  const other = extra.find((record) => !missing.some((whole) => lacksOnly(record, whole)));
  if (other === undefined) {
    const message = `${where}, a record or field is missing, unlike with any other word: ${advice}.`;
    findings.warn(GATE, "atom_a", "prototype_word_lost", message);
    return;
  }
  const message = `${where}, a record differs from that with any other word, because all objects inherit this name: ${advice}.`;
  const example = show({ value: other.value, parsed_fields: other.parsed_fields }, 300);
  findings.error(GATE, "atom_a", "prototype_word_read", message, { example });
}

/** Is a record equal to another one except for missing fields? */
function lacksOnly(record: ParsedItem, whole: ParsedItem): boolean {
  return (
    record.line_number === whole.line_number &&
    record.value === whole.value &&
    isPart(record.parsed_fields, whole.parsed_fields)
  );
}

function isPart(part: JsonValue | undefined, whole: JsonValue | undefined): boolean {
  if (!isJsonObject(part) || !isJsonObject(whole)) return JSON.stringify(part) === JSON.stringify(whole);
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && isPart(part[key], whole[key]));
}
