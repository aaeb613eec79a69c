// Does the number of records grow with the number of their lines? The lines of a record are repeated in a log, also more
// often than any number in the source, and with other numbers and names. Part of gate4_evidence. Targets limits on lines or
// records, one record per file, line numbers that are looked up by the text of a line.
// The lines of a record are found by trial, the smallest unit first: its own line and those below it; all lines up to the
// next record (a block of keys with the value in the middle); the whole log if it has one record.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { isSameRecord } from "./compare.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import { type Wanted, wantsOne } from "./wanted.ts";

const GATE = "gate4_evidence";
const MAX_CHARS = 1_500_000;
/** Copies that are always tried. */
const USUAL_COPIES = 60;
/** Numbers in the source up to this one are tried as limits on lines and characters. */
export const MAX_COPIES = 20_000;

export interface CopiesAim {
  numbers: readonly number[];
  wanted: Wanted;
}

/** Lines of a log that can be repeated. */
interface Unit {
  record: ParsedItem;
  before: string;
  lines: string;
  after: string;
}

/** The records with other lines in place of a unit; undefined if the run failed. */
type Copies = (unit: Unit, count: number, body: string) => Promise<readonly ParsedItem[] | undefined>;

/** Repeats the lines of a record: every copy must give its records, each with its own line number. */
export async function checkCopies(
  runs: AtomRuns,
  sample: Sample,
  aim: CopiesAim,
  findings: Findings,
): Promise<void> {
  const copies: Copies = async ({ before, after }, count, body) => {
    const what = `the log with one record ${count} times`;
    const run = await runs.run(input(sample, before + body + after, what));
    return run.ok ? run.records : undefined;
  };
  const tried: Unit[] = [];
  for await (const unit of unitsOf(runs, sample)) {
    const { lines } = unit;
    const [single, three] = await Promise.all([copies(unit, 1, lines), copies(unit, 3, lines.repeat(3))]);
    if (single === undefined || three === undefined) return;
    const each = (three.length - single.length) / 2;
    if (each >= 1) return checkGrowth(copies, unit, { single, three, each }, sample, aim, findings);
    tried.push(unit);
  }
  await checkDistinct(copies, tried, aim, findings);
}

/** The possible units of a record, the smallest one first. */
async function* unitsOf(runs: AtomRuns, sample: Sample): AsyncGenerator<Unit> {
  const narrow = await blockOf(runs, sample);
  if (!narrow) return;
  yield narrow;
  const wide = await widerUnit(runs, sample, narrow.record);
  if (wide) yield wide;
}

/** All lines from a record to the next one, or the whole log if it is the only one. If another line becomes a record after
 * the line of the record is removed, the lines between them are not part of the record. */
async function widerUnit(runs: AtomRuns, sample: Sample, record: ParsedItem): Promise<Unit | undefined> {
  const own = record.line_number ?? 1;
  const placed = sample.records.flatMap(({ line_number: line }) => (line === null ? [] : [line]));
  const lines = sample.text.split("\n");
  lines[own - 1] = "";
  const run = await runs.run(input(sample, lines.join("\n"), "the log without the line of a record"));
  if (!run.ok || run.records.some(({ line_number: line }) => line === null || !placed.includes(line)))
    return undefined;
  const index = new LineIndex(sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`);
  const { text } = index;
  const later = placed.filter((line) => line > own);
  // The blank line separates a block at the end of the log from its copy.
  if (later.length === 0) return { record, before: "", lines: `${text}\n`, after: "" };
  const [from, to] = [index.startOf(own), index.startOf(Math.min(...later))];
  return { record, before: text.slice(0, from), lines: text.slice(from, to), after: text.slice(to) };
}

/** Many copies, also more than any number in the source: every copy must give its records. */
async function checkGrowth(
  copies: Copies,
  unit: Unit,
  { single, three, each }: { single: readonly ParsedItem[]; three: readonly ParsedItem[]; each: number },
  sample: Sample,
  aim: CopiesAim,
  findings: Findings,
): Promise<void> {
  const { before, lines } = unit;
  // A header ends somewhere, so the number of records is unknown.
  if (!Number.isInteger(each) || aim.wanted.scope === "header") return;
  const start = before.split("\n").length;
  const height = lines.split("\n").length - 1;
  const lost = single.find(
    (r) =>
      height === 1 && r.line_number === start && !three.some((other) => other.line_number === start + height),
  );
  if (lost) {
    const message = `The same line a second time must give a record with its own \`line_number\`; the records of lines ${start} and ${start + height} have the same. Do not look the number up by the text of the line.`;
    const example = show(lines.repeat(2), 240);
    findings.error(GATE, "atom_a", "line_number_of_another_line", message, { example });
    return;
  }
  const room = Math.floor((MAX_CHARS - sample.text.length) / Math.max(1, lines.length));
  const wanted = aim.numbers
    .filter((n) => Number.isInteger(n) && n >= 2 && n <= MAX_COPIES)
    .map((n) => Math.ceil(n / each) + 2);
  const biggest = Math.max(USUAL_COPIES, ...wanted);
  const counts = [...new Set([USUAL_COPIES, Math.min(biggest, room)])].filter((count) => count > 3);
  const many = await Promise.all(counts.map((count) => copies(unit, count, lines.repeat(count))));
  for (const [i, count] of counts.entries()) {
    const records = many[i];
    if (records === undefined) return;
    const expected = single.length + (count - 1) * each;
    if (records.length === expected) continue;
    const message = `A log with one record ${count} times must give ${expected} records, not ${records.length}. Lines and records must not be limited.`;
    const code = records.length < expected ? "capped" : "multiplied";
    findings.error(GATE, "atom_a", code, message, { example: show(lines, 240) });
    return;
  }
}

/** Equal records may be dropped by declaration; copies with other numbers and names may not, unless one is declared. */
async function checkDistinct(
  copies: Copies,
  units: readonly Unit[],
  aim: CopiesAim,
  findings: Findings,
): Promise<void> {
  let none: string | undefined;
  for (const unit of units) {
    const { grew, body } = await growsWithOthers(copies, unit, aim);
    if (grew === true) {
      const what = "A line that occurs a second time in a log gives no second record.";
      return reportRepeats(what, aim.wanted, findings, show(unit.lines, 200));
    }
    if (grew === false) none ??= body;
  }
  if (none === undefined || wantsOne(aim.wanted)) return;
  const message = `Four different records of the same format give no more records than one of them. All lines of the format must be extracted (PR5).`;
  findings.error(GATE, "atom_a", "capped", message, { example: show(none, 300) });
}

/** Do four different copies of a unit give more records than one? Undefined if a changed line is no longer a record, which
 * is not evidence of a limit. */
async function growsWithOthers(
  copies: Copies,
  unit: Unit,
  aim: CopiesAim,
): Promise<{ grew: boolean | undefined; body: string }> {
  const { lines } = unit;
  const value = aim.wanted.records === "distinct" ? unit.record.value : undefined;
  const other = (step: number): string =>
    otherText(value ?? "", step).replace(/\p{L}$/u, (c) => c + "xyz"[step - 1]);
  // If each value counts once, copies need different values, also without digits.
  const varied = [1, 2, 3].map((step) =>
    otherText(value === undefined ? lines : lines.replaceAll(value, other(step)), step),
  );
  const body = lines + varied.join("");
  const [single, all, ...alone] = await Promise.all([
    copies(unit, 1, lines),
    copies(unit, 4, body),
    ...varied.map((text) => copies(unit, 1, text)),
  ]);
  if (single === undefined || all === undefined) return { grew: undefined, body };
  if (alone.some((records) => records === undefined || records.length < single.length))
    return { grew: undefined, body };
  return { grew: all.length > single.length, body };
}

/** Reports that equal records are returned once, unless it is declared. */
export function reportRepeats(what: string, wanted: Wanted, findings: Findings, example?: string): void {
  const message = `${what} All lines of the format must be extracted (PR5); if the page requires each value once, declare \`records: distinct\` with its quote.`;
  if (wanted.records !== "all") return;
  const more = example === undefined ? {} : { example };
  findings.error(GATE, "atom_a", "repeated_value_dropped", message, more);
}

/** The text with other digits, which few formats fix. */
function otherText(text: string, step: number): string {
  return text.replace(/[1-9](?!\d*\b[:.-]\d)/g, (d) => String(((Number(d) - 1 + step) % 9) + 1));
}

const HEIGHTS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];

/** The lines of the first record: the smallest number after which a truncated log still gives the whole record. */
async function blockOf(runs: AtomRuns, sample: Sample): Promise<Unit | undefined> {
  const record = sample.records.find((r) => r.line_number !== null);
  const first = record?.line_number;
  if (!record || !first) return undefined;
  const index = new LineIndex(sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`);
  const cuts = HEIGHTS.map((height) => index.text.slice(0, index.startOf(first + height)));
  const results = await runs.runMany(
    cuts.map((text) => input(sample, text, "the log truncated behind a record")),
  );
  const shortest = results.findIndex(
    (run) => run.ok && run.records.some((r) => r.line_number === first && isSameRecord(r, record, 0)),
  );
  const height = HEIGHTS[shortest];
  if (height === undefined) return undefined;
  const { text } = index;
  return {
    record,
    before: text.slice(0, index.startOf(first)),
    lines: text.slice(index.startOf(first), index.startOf(first + height)),
    after: text.slice(index.startOf(first + height)),
  };
}

function input(sample: Sample, text: string, what: string): RunInput {
  return { text, sourceFile: sample.path, gate: GATE, what };
}
