// Does Atom A stop too early? Lines of records are removed from a log; if other lines of the same format become records
// then, they were held back: the atom returns only the first record, a limited number, or one for each value. Lines that a
// worked example marks as `none` are not held back. Copies of a record are tested in copies.ts. Part of gate4_evidence. One
// record per file is correct if the author declares it (wanted.ts); behaviour alone cannot decide it.
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { WorkedExample } from "../spec/index.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { diffRecords } from "./compare.ts";
import { checkCopies, MAX_COPIES, reportRepeats } from "./copies.ts";
import { type Findings, together } from "./findings.ts";
import { leaves } from "./leaves.ts";
import { linesWithoutRecord } from "./no-records.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import { type Wanted, wantsOne } from "./wanted.ts";

const GATE = "gate4_evidence";
/** Rounds of removing all records of a log. */
const MAX_ROUNDS = 3;

export interface CompletenessAim {
  samples: readonly Sample[];
  /** Records in all observed logs. */
  total: number;
  numbers: readonly number[];
  config: NormalizedConfig | undefined;
  wanted: Wanted;
  examples: readonly WorkedExample[];
}

/** Runs the tests on every sample. */
export async function checkCompleteness(
  runs: AtomRuns,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const [first] = aim.samples;
  if (!first) return;
  await together(findings, [
    ...aim.samples.map((sample) => (part: Findings) => checkHeldBack(runs, sample, aim, part)),
    (part) => checkCopies(runs, first, aim, part),
    (part) => checkLongLines(runs, first, aim, part),
    ...aim.samples.map((sample) => (part: Findings) => checkTwice(runs, sample, aim, part)),
  ]);
}

async function checkHeldBack(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const lines = sample.text.split("\n");
  const visible = sample.records.filter((r) => r.line_number !== null);
  if (visible.length === 0) return;
  const hidden: ParsedItem[] = [];
  let latest: ParsedItem[] = visible;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const record of latest) if (record.line_number !== null) lines[record.line_number - 1] = "";
    const run = await runs.run(input(sample, lines.join("\n"), "the log without the lines of its records"));
    if (!run.ok) return;
    latest = run.records.filter((r) => r.line_number !== null);
    if (latest.length === 0) break;
    hidden.push(...latest);
  }
  const [first] = visible.toSorted((a, b) => (a.line_number ?? 0) - (b.line_number ?? 0));
  const withoutFirst = sample.text.split("\n");
  withoutFirst[(first?.line_number ?? 1) - 1] = "";
  const run = await runs.run(input(sample, withoutFirst.join("\n"), "the log without the line of a record"));
  const replaced = run.ok && run.records.some((r) => hidden.some((h) => h.line_number === r.line_number));
  judgeHidden(sample, { visible, candidates: hidden, replaced }, aim, findings);
}

interface HeldBack {
  visible: ParsedItem[];
  /** Records that appear after the visible ones are removed. */
  candidates: ParsedItem[];
  /** One of them appears after only the first visible record is removed. This distinguishes a limit from the sums below a
   * table, which look like a row only if there are no rows. */
  replaced: boolean;
}

function judgeHidden(
  sample: Sample,
  { visible, candidates, replaced }: HeldBack,
  aim: CompletenessAim,
  findings: Findings,
): void {
  const required = aim.config?.requirements.value ?? 0;
  const tooFew = aim.config?.requirements.expect === "present" && required > aim.total;
  const shapes = new Set(visible.map((r) => shape(r.matched_content)));
  // Lines of a block may look like records without their neighbours, so only lines of a known form count, unless the
  // config requires more records than were found.
  const isNone = linesWithoutRecord(aim.examples, visible);
  const hidden = candidates.filter(
    ({ matched_content: line }) => !isNone(line) && (tooFew || shapes.has(shape(line))),
  );
  const values = new Set(visible.map((r) => r.value));
  const other = hidden.filter((r) => !values.has(r.value));
  const [first] = other;
  if (!first) {
    const [same] = hidden;
    if (!same) return;
    reportRepeats(
      `Line ${same.line_number} fits the format, but is left out because its value ${show(same.value)} occurred before.`,
      aim.wanted,
      findings,
    );
    return;
  }
  const example = show([visible[0]?.matched_content ?? "", first.matched_content], 300);
  const where = `Line ${first.line_number} (${show(first.matched_content, 100)}) fits the format, but becomes a record only when`;
  if (visible.length > 1) {
    const last = Math.max(...visible.map((r) => r.line_number ?? 0));
    const message = `${where} other records are removed: ${visible.length} records are returned and at least ${other.length} held back. All lines of the format must be extracted (PR5).`;
    const limited = replaced && other.every((r) => (r.line_number ?? 0) > last);
    if (limited && !wantsOne(aim.wanted)) {
      findings.error(GATE, "atom_a", "capped", message, { example });
    } else
      findings.warn(
        GATE,
        "atom_a",
        "held_back",
        `${message} Correct only if the page requires one of several.`,
        { example },
      );
    return;
  }
  const message = `${where} the only returned record is removed (${show(sample.path)}). All lines of the format must be extracted (PR5).`;
  if (tooFew || !wantsOne(aim.wanted)) findings.error(GATE, "atom_a", "only_one", message, { example });
}

/** The log twice: the second half must give its records again, unless one per file is declared. */
async function checkTwice(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const base = sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`;
  const shift = base.split("\n").length - 1;
  // A block may end at a blank line: without one, the end of the log and its copy would be one block.
  const [adjacent, separated] = await runs.runMany([
    input(sample, base + base, "the log twice"),
    input(sample, `${base}\n${base}`, "the log twice with a blank line between"),
  ]);
  if (adjacent?.ok !== true || separated?.ok !== true) return;
  const placed = sample.records.filter((r) => r.line_number !== null);
  const [lost] = diffRecords(placed, adjacent.records, shift).missing;
  if (diffRecords(placed, separated.records, shift + 1).missing.length === 0) return;
  if (!lost) return;
  const message = `A log written twice must give its records twice; line ${(lost.line_number ?? 0) + shift} (${show(lost.value, 60)}) gave none. No line of a log may end the search for records.`;
  const example = show(lost.matched_content, 200);
  const { records, scope } = aim.wanted;
  // A header occurs once, and a section may.
  if (scope !== "file" || records === "first" || records === "distinct") return;
  findings.error(GATE, "atom_a", "second_half_lost", message, { example });
}

/** Lines longer than a number in the source: a long value must not remove the record. */
async function checkLongLines(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const numbers = aim.numbers.filter((n) => Number.isInteger(n) && n >= 16 && n <= MAX_COPIES);
  const record = sample.records.find((r) => r.line_number !== null);
  // A text of the record that can be extended: it occurs in the line and ends with a letter or digit.
  const shown = [
    record?.value ?? "",
    ...[...leaves(record?.parsed_fields ?? {}, "")].map((leaf) => leaf.text),
  ];
  const part = shown.find((text) => /[\p{L}\p{N}]$/u.test(text) && record?.matched_content.includes(text));
  if (!record || part === undefined || numbers.length === 0) return;
  const { matched_content: content, line_number: number } = record;
  const withLine = (line: string, what: string): RunInput => {
    const lines = sample.text.split("\n");
    lines[(number ?? 1) - 1] = line;
    return input(sample, lines.join("\n"), what);
  };
  const longer = (by: number): RunInput => {
    const extended = content.replace(part, () => part + part.slice(-1).repeat(by));
    return withLine(extended, `the log with a value ${by} characters longer`);
  };
  const length = Math.max(...numbers) + 1;
  const tail = withLine(content + content.slice(-1).repeat(length), "the log with a longer end of a line");
  const inputs = [longer(1), longer(length), ...SHIFTS.map(longer), tail];
  const [slightlyLonger, muchLonger, ...others] = await runs.runMany(inputs);
  const hasRecord = (run: typeof slightlyLonger): boolean =>
    run?.ok === true && run.records.some((r) => r.line_number === number);
  if (!hasRecord(slightlyLonger) || hasRecord(muchLonger) || muchLonger?.ok !== true) return;
  // Columns at fixed positions break as soon as a value extends into the next one, far below any limit in the source,
  // but not with a longer end of the line.
  const breaksEarly = SHIFTS.some((_, i) => !hasRecord(others[i]));
  const hasFixedColumns = breaksEarly && hasRecord(others[SHIFTS.length]);
  const message = hasFixedColumns
    ? `Line ${number} is no longer a record if its value extends into the next column: the columns are read by position.`
    : `Line ${number} is no longer a record if its value is ${length} characters longer; the length of lines must not be limited.`;
  const [level, code] = hasFixedColumns
    ? (["warn", "fixed_columns"] as const)
    : (["error", "long_line_dropped"] as const);
  findings[level](GATE, "atom_a", code, message, { example: show(content, 200) });
}

/** Characters by which a value extends into the next column; less than any number that could be a limit (16). */
const SHIFTS = [4, 8, 15];

function input(sample: Sample, text: string, what: string): RunInput {
  return { text, sourceFile: sample.path, gate: GATE, what };
}

/** The form of a line: each word, number and run of spaces as one character. */
export function shape(line: string): string {
  return line
    .replace(/\p{L}[\p{L}\p{N}_]*/gu, "a")
    .replace(/\d+/g, "9")
    .replace(/\s+/g, " ")
    .replace(/(?:[a9][./\\:_-]?)+/g, "a");
}
