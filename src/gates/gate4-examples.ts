// gate4_examples: Atom A returns exactly the records of each worked example, of the page or of an answer of the user, alone
// and inside an observed log. Proves it for these texts: value, fields and lines; the other gates cover other lines. Inside
// a log: if its text occurs in a log, the records of those lines; otherwise it is inserted into one, and only records on its
// own lines are compared. A correct atom may need lines above the example, use a heading above it, return the first or the
// last of several records, or continue reading after it, so several places are tried, and one that gives the records is
// sufficient; differences that only such an atom has are not errors. Targets the wrong column of the right lines, wrong
// names of fields, additional fields, similar lines that are not records, and code that is only correct on short texts.
import type { ParsedItem } from "../contract/atoms.ts";
import { textKey, type WorkedExample } from "../spec/index.ts";
import type { AtomRuns } from "./atom-runs.ts";
import { ALONE, compareExample, type Difference } from "./example-compare.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import { type Observation, SAMPLE_CHARS, type Sample } from "./samples.ts";

const GATE = "gate4_examples";
/** Places of a log at which the text of an example is compared. */
const MAX_OCCURRENCES = 50;
/** Logs into which an example is inserted. */
const MAX_BASES = 2;
/** Differing examples that are tried inside logs; more are not reported. */
const MAX_DIFFERING = 3;

export interface ExamplesAim {
  examples: readonly WorkedExample[];
  observations: readonly Observation[];
  /** Small parts of the logs with records. */
  samples: readonly Sample[];
}

/** Runs the gate; without an example it has no result. */
export async function runExamplesGate(runs: AtomRuns, aim: ExamplesAim, findings: Findings): Promise<void> {
  if (aim.examples.length === 0) return;
  const bases = basesOf(aim);
  const path = bases[0]?.path ?? "/logs/a.log";
  const alone = await runs.runMany(
    aim.examples.map((example) => ({
      text: `${example.text}\n`,
      sourceFile: path,
      gate: GATE,
      what: "a worked example",
    })),
  );
  let differing = 0;
  for (const [i, example] of aim.examples.entries()) {
    const run = alone[i];
    // AtomRuns has reported the failure.
    if (run?.ok !== true) continue;
    const difference = compareExample(example, run.records, ALONE);
    const inLog =
      differing < MAX_DIFFERING || difference === undefined
        ? await insideLogs({ example, alone: run.records, difference, bases }, aim, runs)
        : undefined;
    if (!report(example, difference, inLog, findings)) differing += 1;
  }
  findings.ran(GATE);
}

interface Question {
  example: WorkedExample;
  alone: readonly ParsedItem[];
  difference: Difference | undefined;
  bases: readonly Base[];
}

/** The result inside logs: `same` at one of the places, or a difference; undefined if no place was tried. */
type InLog = { same: true } | { same: false; difference: Difference; where: string } | undefined;

async function insideLogs(question: Question, aim: ExamplesAim, runs: AtomRuns): Promise<InLog> {
  const { example, alone, difference } = question;
  // A record without a line is about a whole file.
  if (alone.some((record) => record.line_number === null)) return undefined;
  const provedAlone = difference === undefined;
  const inLog = compareInLog(example, aim.observations, provedAlone);
  if (inLog?.same === true) return inLog;
  // The atom may return only the first of several records, and the example be another one.
  if (inLog !== undefined && !(provedAlone && inLog.difference.onlyMissing)) return inLog;
  return (await compareInserted(question, provedAlone, runs)) ?? inLog;
}

/** The records of the lines where the text of the example occurs in an observed log. */
function compareInLog(
  example: WorkedExample,
  observations: readonly Observation[],
  provedAlone: boolean,
): InLog {
  let first: InLog;
  for (const { log, records } of observations) {
    for (const line of occurrences(log.text, example)) {
      const own = recordsAt(records, line, heightOf(example));
      const difference = compareExample(example, own, { first: line, around: log.text, provedAlone });
      if (difference === undefined) return { same: true };
      first = moreSpecific(first, { same: false, difference, where: `in line ${line} of ${log.path}` });
    }
  }
  return first;
}

/** Inserts the example into logs, at several places until one gives its records. */
async function compareInserted(
  { example, bases }: Question,
  provedAlone: boolean,
  runs: AtomRuns,
): Promise<InLog> {
  let first: InLog;
  for (const base of bases) {
    for (const { text, line, where } of placesIn(base, example)) {
      const run = await runs.run({
        text,
        sourceFile: base.path,
        gate: GATE,
        what: `a worked example ${where} ${base.path}`,
        odd: true,
      });
      if (!run.ok) continue;
      const own = recordsAt(run.records, line, heightOf(example));
      const place = { first: line, around: base.lines.join("\n"), provedAlone };
      const difference = compareExample(example, own, place);
      if (difference === undefined) return { same: true };
      first = moreSpecific(first, { same: false, difference, where: `${where} ${base.path}` });
    }
  }
  return first;
}

/** A wrong record is a better explanation than a missing one, which may only need other lines around it. */
function moreSpecific(first: InLog, next: InLog & object): InLog {
  if (first?.same !== false || next.same) return next;
  return first.difference.onlyMissing && !next.difference.onlyMissing ? next : first;
}

/** Reports a difference. Returns false for an error. */
function report(
  example: WorkedExample,
  alone: Difference | undefined,
  inLog: InLog,
  findings: Findings,
): boolean {
  const shownText = { example: example.text };
  if (alone === undefined && inLog?.same !== false) return true;
  if (alone !== undefined && inLog?.same === true) {
    const message = `Alone a worked example does not give its records (${alone.message}), inside a log it does: lines above it decide. They belong into the example.`;
    findings.warn(GATE, "atom_a", "example_needs_context", message, shownText);
    return true;
  }
  const rule = "Atom A must return exactly the records that a worked example shows";
  const inside = inLog?.same === false ? inLog : undefined;
  const showsMore = alone?.onlyMissing === true && inside?.difference.onlyMissing === false;
  const message =
    inside !== undefined && (alone === undefined || showsMore)
      ? `${rule}, also inside a log; ${inside.where}: ${inside.difference.message}.`
      : `${rule}; ${alone?.message ?? "it does not"}.`;
  findings.error(GATE, "atom_a", "example_differs", message, shownText);
  return false;
}

interface Base {
  path: string;
  lines: string[];
  /** Lines with records, ascending. */
  recordLines: number[];
}

/** Parts of observed logs into which examples are inserted: those with records first. */
function basesOf({ observations, samples }: ExamplesAim): Base[] {
  const withRecords = samples.map(({ path, text, records }) => ({ path, text, records }));
  const without = observations
    .filter(({ records }) => records.length === 0)
    .map(({ log }) => ({ path: log.path, text: headOf(log.text), records: [] as ParsedItem[] }));
  return [...withRecords, ...without].slice(0, MAX_BASES).map(({ path, text, records }) => ({
    path,
    lines: text.replace(/\n$/, "").split("\n"),
    recordLines: records
      .flatMap((r) => (r.line_number === null ? [] : [r.line_number]))
      .sort((a, b) => a - b),
  }));
}

function headOf(text: string): string {
  if (text.length <= SAMPLE_CHARS) return text;
  const head = text.slice(0, SAMPLE_CHARS);
  return head.slice(0, head.lastIndexOf("\n") + 1);
}

/** The log with the example at its end, behind a record, in its middle, at its beginning; then the same with blank lines
 * around the example, so that it is not part of a block. */
function* placesIn(
  { lines, recordLines }: Base,
  example: WorkedExample,
): Generator<{ text: string; line: number; where: string }> {
  const own = example.text.split("\n");
  const behindRecord = recordLines[recordLines.length >> 1];
  const gaps: [after: number, where: string][] = [
    [lines.length, "at the end of"],
    ...(behindRecord === undefined ? [] : [[behindRecord, "behind a record of"] as [number, string]]),
    [lines.length >> 1, "in the middle of"],
    [0, "at the beginning of"],
  ];
  for (const blank of [[], [""]]) {
    for (const [after, where] of gaps) {
      const all = [...lines.slice(0, after), ...blank, ...own, ...blank, ...lines.slice(after)];
      yield { text: `${all.join("\n")}\n`, line: after + blank.length + 1, where };
    }
  }
}

/** Lines of a log at which the text of an example begins. */
function occurrences(text: string, example: WorkedExample): number[] {
  const own = textKey(example).split("\n");
  const longest = own.reduce((a, b) => (b.length > a.length ? b : a), "");
  if (longest.trim() === "") return [];
  const offset = own.indexOf(longest);
  const index = new LineIndex(text);
  const starts: number[] = [];
  for (let position = text.indexOf(longest); position >= 0 && starts.length < MAX_OCCURRENCES; ) {
    const first = index.lineAt(position) - offset;
    const lines = first < 1 ? "" : index.slice(first, first + own.length - 1);
    if (lines.replace(/[ \t]+$/gm, "") === own.join("\n")) starts.push(first);
    position = text.indexOf(longest, index.startOf(first + offset + 1));
  }
  return starts;
}

function recordsAt(records: readonly ParsedItem[], first: number, height: number): ParsedItem[] {
  return records.filter(({ line_number: line }) => line !== null && line >= first && line < first + height);
}

function heightOf({ text }: WorkedExample): number {
  return text.split("\n").length;
}
