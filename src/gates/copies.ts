// Do the records grow with their lines? A record's lines are repeated in a log, also more often than any number in
// the source, and with other numbers and names. Part of gate4_evidence. Built against: a limit on lines or records, one
// record per file, positions looked up by the text of a line.
// Which lines a record needs is tried, narrow first: the line it counts for and those below it; all from there to the
// next record (a block of keys with its value in the middle); the whole log, where it holds one record.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { sameRecord } from "./compare.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import { type Wanted, wantsOne } from "./wanted.ts";

const GATE = "gate4_evidence";
const MAX_CHARS = 1_500_000;
/** "50 times as long". */
const USUAL_COPIES = 60;
/** Copies of a line, and characters of it, up to which numbers in the source are tried. */
export const MAX_COPIES = 20_000;

export interface CopiesAim {
  numbers: readonly number[];
  wanted: Wanted;
}

/** Lines of a log that may be written several times. */
interface Unit {
  record: ParsedItem;
  before: string;
  lines: string;
  after: string;
}

/** Records when the lines of a unit are replaced; undefined when a run failed. */
type Copies = (unit: Unit, count: number, body: string) => Promise<readonly ParsedItem[] | undefined>;

/** A record's lines many times over: the records must grow with them, each at its own line. */
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
    const [one, three] = await Promise.all([copies(unit, 1, lines), copies(unit, 3, lines.repeat(3))]);
    if (one === undefined || three === undefined) return;
    const each = (three.length - one.length) / 2;
    if (each >= 1) return checkGrowth(copies, unit, { one, three, each }, sample, aim, findings);
    tried.push(unit);
  }
  await checkDistinct(copies, tried, aim, findings);
}

/** The lines of a record, the narrowest choice first. */
async function* unitsOf(runs: AtomRuns, sample: Sample): AsyncGenerator<Unit> {
  const narrow = await blockOf(runs, sample);
  if (!narrow) return;
  yield narrow;
  const wide = await widerUnit(runs, sample, narrow.record);
  if (wide) yield wide;
}

/** All lines from a record to the next one, or the whole log where it is the only one. Where another line becomes a
 * record as soon as the record's own line is gone, the lines between are not part of the record. */
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
  // A blank line ends what is open, so that a block at the end does not run into its copy.
  if (later.length === 0) return { record, before: "", lines: `${text}\n`, after: "" };
  const [from, to] = [index.startOf(own), index.startOf(Math.min(...later))];
  return { record, before: text.slice(0, from), lines: text.slice(from, to), after: text.slice(to) };
}

/** Many copies, also more than any number in the source: none is lost, each has its own line. */
async function checkGrowth(
  copies: Copies,
  unit: Unit,
  { one, three, each }: { one: readonly ParsedItem[]; three: readonly ParsedItem[]; each: number },
  sample: Sample,
  aim: CopiesAim,
  findings: Findings,
): Promise<void> {
  const { before, lines } = unit;
  // A header has an end, so that no number of records in it can be expected.
  if (!Number.isInteger(each) || aim.wanted.scope === "header") return;
  const start = before.split("\n").length;
  const height = lines.split("\n").length - 1;
  const lost = one.find(
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
    const found = many[i];
    if (found === undefined) return;
    const expected = one.length + (count - 1) * each;
    if (found.length === expected) continue;
    const message = `A log with one record ${count} times must give ${expected} records; ${found.length} came out. There must be no limit on lines or records.`;
    const code = found.length < expected ? "capped" : "multiplied";
    findings.error(GATE, "atom_a", code, message, { example: show(lines, 240) });
    return;
  }
}

/** Equal records may be dropped on purpose. Copies with other numbers and names may not, unless one is asked for. */
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
  const message = `Four different records of the same format give no more records than one of them. All that fits must be extracted (PR5).`;
  findings.error(GATE, "atom_a", "capped", message, { example: show(none, 300) });
}

/** Do four different copies of a unit give more than one? Undefined: a changed line is not a record any more, which says
 * nothing about limits. */
async function growsWithOthers(
  copies: Copies,
  unit: Unit,
  aim: CopiesAim,
): Promise<{ grew: boolean | undefined; body: string }> {
  const { lines } = unit;
  const value = aim.wanted.records === "distinct" ? unit.record.value : undefined;
  const other = (step: number): string =>
    otherText(value ?? "", step).replace(/\p{L}$/u, (c) => c + "xyz"[step - 1]);
  // Of values that count once, others have to be other ones also where no digit tells them apart.
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
  if (alone.some((found) => found === undefined || found.length < single.length))
    return { grew: undefined, body };
  return { grew: all.length > single.length, body };
}

/** Equal records given once: right where it is declared. */
export function reportRepeats(what: string, wanted: Wanted, findings: Findings, example?: string): void {
  const message = `${what} All that fits must be extracted (PR5); where the page asks for each once, declare \`records: distinct\` with its quote.`;
  if (wanted.records !== "all") return;
  const more = example === undefined ? {} : { example };
  findings.error(GATE, "atom_a", "repeated_value_dropped", message, more);
}

/** The same text with other digits: formats seldom fix them, and values become different. */
function otherText(text: string, step: number): string {
  return text.replace(/[1-9](?!\d*\b[:.-]\d)/g, (d) => String(((Number(d) - 1 + step) % 9) + 1));
}

const HEIGHTS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];

/** The lines of the first record: the fewest after which a cut text still gives the whole record. */
async function blockOf(runs: AtomRuns, sample: Sample): Promise<Unit | undefined> {
  const record = sample.records.find((r) => r.line_number !== null);
  const first = record?.line_number;
  if (!record || !first) return undefined;
  const index = new LineIndex(sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`);
  const cuts = HEIGHTS.map((height) => index.text.slice(0, index.startOf(first + height)));
  const results = await runs.runMany(cuts.map((text) => input(sample, text, "the log cut behind a record")));
  const at = results.findIndex(
    (run) => run.ok && run.records.some((r) => r.line_number === first && sameRecord(r, record, 0)),
  );
  const height = HEIGHTS[at];
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
