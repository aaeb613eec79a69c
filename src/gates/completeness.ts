// Does Atom A stop too early? Lines of records are taken out of a log; if other lines then become records that
// fit the same format, they were held back: only the first one, a limited number, one of each value. A second
// test repeats a record many times, also more often than any number in the source. Part of gate4_evidence.
// A record that stands once per file is right where the author declares it (wanted.ts): behaviour cannot tell.
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { diffRecords, sameRecord } from "./compare.ts";
import { type Findings, together } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import { leaves } from "./value-grounding.ts";
import { type Wanted, wantsOne } from "./wanted.ts";

const GATE = "gate4_evidence";
const PEELS = 3;
const MAX_COPIES = 20_000;
const MAX_CHARS = 1_500_000;
/** "50 times as long". */
const USUAL_COPIES = 60;

export interface CompletenessAim {
  samples: readonly Sample[];
  /** Records in all observed logs. */
  total: number;
  numbers: readonly number[];
  config: NormalizedConfig | undefined;
  wanted: Wanted;
}

/** Runs both tests on every sample. */
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
  for (let peel = 0; peel < PEELS; peel++) {
    for (const record of latest) if (record.line_number !== null) lines[record.line_number - 1] = "";
    const run = await runs.run(input(sample, lines.join("\n"), "the log without the lines of its records"));
    if (!run.ok) return;
    latest = run.records.filter((r) => r.line_number !== null);
    if (latest.length === 0) break;
    hidden.push(...latest);
  }
  judgeHidden(sample, visible, hidden, aim, findings);
}

function judgeHidden(
  sample: Sample,
  visible: ParsedItem[],
  candidates: ParsedItem[],
  aim: CompletenessAim,
  findings: Findings,
): void {
  const required = aim.config?.requirements.value ?? 0;
  const tooFew = aim.config?.requirements.expect === "present" && required > aim.total;
  const shapes = new Set(visible.map((r) => shape(r.matched_content)));
  // Without their neighbours, lines of a block may be taken for something else; where records lack, all count.
  const hidden = candidates.filter((r) => tooFew || shapes.has(shape(r.matched_content)));
  const values = new Set(visible.map((r) => r.value));
  const other = hidden.filter((r) => !values.has(r.value));
  const [first] = other;
  if (!first) {
    const [same] = hidden;
    if (!same) return;
    reportRepeats(
      `Line ${same.line_number} fits the format, but is left out because its value ${show(same.value)} came before.`,
      aim,
      findings,
    );
    return;
  }
  const example = show([visible[0]?.matched_content ?? "", first.matched_content], 300);
  const where = `Line ${first.line_number} (${show(first.matched_content, 100)}) fits the format, but becomes a record only when`;
  if (visible.length > 1) {
    const last = Math.max(...visible.map((r) => r.line_number ?? 0));
    const message = `${where} other records are taken away: ${visible.length} records are returned and at least ${other.length} held back. All that fits must be extracted (PR5).`;
    if (other.every((r) => (r.line_number ?? 0) > last) && !wantsOne(aim.wanted)) {
      findings.error(GATE, "atom_a", "capped", message, { example });
    } else
      findings.warn(
        GATE,
        "atom_a",
        "held_back",
        `${message} Right only if the page asks for one of several.`,
        { example },
      );
    return;
  }
  const message = `${where} the one record that is returned is taken away (${show(sample.path)}). All that fits must be extracted (PR5).`;
  if (tooFew || !wantsOne(aim.wanted)) findings.error(GATE, "atom_a", "only_one", message, { example });
}

/** A record's lines many times over: the records must grow with them, each at its own line. */
async function checkCopies(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const block = await blockOf(runs, sample);
  if (!block) return;
  const { before, lines, after } = block;
  const height = lines.split("\n").length - 1;
  const copies = async (count: number, body: string): Promise<ParsedItem[] | undefined> => {
    const what = `the log with one record ${count} times`;
    const run = await runs.run(input(sample, before + body + after, what));
    return run.ok ? run.records : undefined;
  };
  const [one, three] = await Promise.all([copies(1, lines), copies(3, lines.repeat(3))]);
  if (one === undefined || three === undefined) return;
  const each = (three.length - one.length) / 2;
  if (each < 1) {
    const value = aim.wanted.records === "distinct" ? block.record.value : undefined;
    await checkDistinctCopies(copies, { lines, value }, one.length, aim, findings);
    return;
  }
  // A header has an end, so that no number of records in it can be expected.
  if (!Number.isInteger(each) || aim.wanted.scope === "header") return;
  const start = before.split("\n").length;
  const lost = one.find(
    (r) =>
      height === 1 &&
      r.line_number !== null &&
      r.line_number >= start &&
      r.line_number < start + height &&
      !three.some((other) => other.line_number === (r.line_number ?? 0) + height),
  );
  if (lost) {
    const message = `The same line a second time must give a record with its own \`line_number\`; the records of lines ${lost.line_number} and ${(lost.line_number ?? 0) + height} have the same. Do not look the number up by the text of the line.`;
    findings.error(GATE, "atom_a", "line_number_of_another_line", message, {
      example: show(lines.repeat(2), 240),
    });
    return;
  }
  const room = Math.floor((MAX_CHARS - sample.text.length) / Math.max(1, lines.length));
  const wanted = aim.numbers
    .filter((n) => Number.isInteger(n) && n >= 2 && n <= MAX_COPIES)
    .map((n) => Math.ceil(n / each) + 2);
  const biggest = Math.max(USUAL_COPIES, ...wanted);
  const counts = [...new Set([USUAL_COPIES, Math.min(biggest, room)])].filter((count) => count > 3);
  const many = await Promise.all(counts.map((count) => copies(count, lines.repeat(count))));
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
async function checkDistinctCopies(
  copies: (count: number, body: string) => Promise<ParsedItem[] | undefined>,
  { lines, value }: { lines: string; value: string | undefined },
  single: number,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const other = (step: number): string =>
    otherText(value ?? "", step).replace(/\p{L}$/u, (c) => c + "xyz"[step - 1]);
  // Of values that count once, others have to be other ones also where no digit tells them apart.
  const varied = [1, 2, 3].map((step) =>
    otherText(value === undefined ? lines : lines.replaceAll(value, other(step)), step),
  );
  const [all, ...alone] = await Promise.all([
    copies(4, lines + varied.join("")),
    ...varied.map((body) => copies(1, body)),
  ]);
  // A changed line that is no record any more says nothing about limits.
  if (all === undefined || alone.some((found) => found === undefined || found.length < single)) return;
  if (all.length > single) {
    reportRepeats(
      "A line that stands in a log a second time gives no record of its own.",
      aim,
      findings,
      show(lines, 200),
    );
    return;
  }
  const message = `Four different records of the same format give no more records than one of them. All that fits must be extracted (PR5).`;
  const example = show(lines + varied.join(""), 300);
  if (!wantsOne(aim.wanted)) findings.error(GATE, "atom_a", "capped", message, { example });
}

/** Equal records given once: right where it is declared. */
function reportRepeats(what: string, aim: CompletenessAim, findings: Findings, example?: string): void {
  const message = `${what} All that fits must be extracted (PR5); where the page asks for each once, declare \`records: distinct\` with its quote.`;
  if (aim.wanted.records !== "all") return;
  const more = example === undefined ? {} : { example };
  findings.error(GATE, "atom_a", "repeated_value_dropped", message, more);
}

/** A log twice: the second half gives its records again, unless one per file is asked for. */
async function checkTwice(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const base = sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`;
  const shift = base.split("\n").length - 1;
  const run = await runs.run(input(sample, base + base, "the log twice"));
  if (!run.ok) return;
  const placed = sample.records.filter((r) => r.line_number !== null);
  const { missing } = diffRecords(placed, run.records, shift);
  const [lost] = missing;
  if (!lost) return;
  const message = `A log written twice must give its records twice; line ${(lost.line_number ?? 0) + shift} (${show(lost.value, 60)}) gave none. Nothing in a log may end the search for records.`;
  const example = show(lost.matched_content, 200);
  const { records, scope } = aim.wanted;
  // The header stands once, and so may a section.
  if (scope !== "file" || records === "first" || records === "distinct") return;
  findings.error(GATE, "atom_a", "second_half_lost", message, { example });
}

/** Lines longer than a number in the source: a record does not become none because its value is long. */
async function checkLongLines(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const numbers = aim.numbers.filter((n) => Number.isInteger(n) && n >= 16 && n <= MAX_COPIES);
  const record = sample.records.find((r) => r.line_number !== null);
  // Something of the line that the record tells, and that ends in a letter or digit, so that it can grow.
  const told = [
    record?.value ?? "",
    ...[...leaves(record?.parsed_fields ?? {}, "")].map((leaf) => leaf.text),
  ];
  const part = told.find((text) => /[\p{L}\p{N}]$/u.test(text) && record?.matched_content.includes(text));
  if (!record || part === undefined || numbers.length === 0) return;
  const { matched_content: content, line_number: number } = record;
  const changed = (line: string, what: string): RunInput => {
    const lines = sample.text.split("\n");
    lines[(number ?? 1) - 1] = line;
    return input(sample, lines.join("\n"), what);
  };
  const longer = (by: number): RunInput => {
    const grown = content.replace(part, () => part + part.slice(-1).repeat(by));
    return changed(grown, `the log with a value ${by} characters longer`);
  };
  const wanted = Math.max(...numbers) + 1;
  const tail = changed(content + content.slice(-1).repeat(wanted), "the log with a longer end of a line");
  const inputs = [longer(1), longer(wanted), ...SHIFTS.map(longer), tail];
  const [little, much, ...others] = await runs.runMany(inputs);
  const there = (run: typeof little): boolean =>
    run?.ok === true && run.records.some((r) => r.line_number === number);
  if (!there(little) || there(much) || much?.ok !== true) return;
  // Columns at fixed positions break as soon as a value runs into the next one, far below any limit in the
  // source, and do not mind a longer end of the line.
  const shifted = SHIFTS.some((_, i) => !there(others[i]));
  const columns = shifted && there(others[SHIFTS.length]);
  const message = columns
    ? `Line ${number} is no record any more when its value runs into the next column: the columns are taken by their positions.`
    : `Line ${number} is no record any more when its value is ${wanted} characters longer; there must be no limit on the length of a line.`;
  const [tell, code] = columns
    ? (["warn", "fixed_columns"] as const)
    : (["error", "long_line_dropped"] as const);
  findings[tell](GATE, "atom_a", code, message, { example: show(content, 200) });
}

/** Characters by which a value grows into the next column; less than any number taken for a limit (16). */
const SHIFTS = [4, 8, 15];

/** The same text with other digits: formats seldom fix them, and values become different. */
function otherText(text: string, step: number): string {
  return text.replace(/[1-9](?!\d*\b[:.-]\d)/g, (d) => String(((Number(d) - 1 + step) % 9) + 1));
}

const HEIGHTS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];

/** The lines of the first record: the fewest after which a cut text still gives the whole record. */
async function blockOf(
  runs: AtomRuns,
  sample: Sample,
): Promise<{ record: ParsedItem; before: string; lines: string; after: string } | undefined> {
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

/** The form of a line: words, numbers and spaces as one mark each. */
export function shape(line: string): string {
  return line
    .replace(/\p{L}[\p{L}\p{N}_]*/gu, "a")
    .replace(/\d+/g, "9")
    .replace(/\s+/g, " ")
    .replace(/(?:[a9][./\\:_-]?)+/g, "a");
}
