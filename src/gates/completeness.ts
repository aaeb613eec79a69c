// Does Atom A stop too early? Lines of records are taken out of a log; if other lines then become records that
// fit the same format, they were held back: only the first one, a limited number, one of each value. What a worked
// example calls no record is not held back. Copies of a record are the subject of copies.ts. Part of gate4_evidence.
// One record per file is right where the author declares it (wanted.ts): behaviour cannot decide it.
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
const PEELS = 3;

export interface CompletenessAim {
  samples: readonly Sample[];
  /** Records in all observed logs. */
  total: number;
  numbers: readonly number[];
  config: NormalizedConfig | undefined;
  wanted: Wanted;
  examples: readonly WorkedExample[];
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
  const [top] = visible.toSorted((a, b) => (a.line_number ?? 0) - (b.line_number ?? 0));
  const less = sample.text.split("\n");
  less[(top?.line_number ?? 1) - 1] = "";
  const run = await runs.run(input(sample, less.join("\n"), "the log without the line of a record"));
  const replaced = run.ok && run.records.some((r) => hidden.some((h) => h.line_number === r.line_number));
  judgeHidden(sample, { visible, candidates: hidden, replaced }, aim, findings);
}

interface HeldBack {
  visible: ParsedItem[];
  /** Records of lines that are none as long as all visible ones are there. */
  candidates: ParsedItem[];
  /** Does one of them come in the place of the first visible one? Of a limit it does; the sums below a table, which
   * read like a row when there are no rows, do not. */
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
  // Without their neighbours, lines of a block may be taken for something else; where records lack, all count.
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
      `Line ${same.line_number} fits the format, but is left out because its value ${show(same.value)} came before.`,
      aim.wanted,
      findings,
    );
    return;
  }
  const example = show([visible[0]?.matched_content ?? "", first.matched_content], 300);
  const where = `Line ${first.line_number} (${show(first.matched_content, 100)}) fits the format, but becomes a record only when`;
  if (visible.length > 1) {
    const last = Math.max(...visible.map((r) => r.line_number ?? 0));
    const message = `${where} other records are taken away: ${visible.length} records are returned and at least ${other.length} held back. All that fits must be extracted (PR5).`;
    const limited = replaced && other.every((r) => (r.line_number ?? 0) > last);
    if (limited && !wantsOne(aim.wanted)) {
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

/** A log twice: the second half gives its records again, unless one per file is asked for. */
async function checkTwice(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const base = sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`;
  const shift = base.split("\n").length - 1;
  // A block may continue to a blank line: then the end of the log and its beginning would be one.
  const [glued, apart] = await runs.runMany([
    input(sample, base + base, "the log twice"),
    input(sample, `${base}\n${base}`, "the log twice with a blank line between"),
  ]);
  if (glued?.ok !== true || apart?.ok !== true) return;
  const placed = sample.records.filter((r) => r.line_number !== null);
  const [lost] = diffRecords(placed, glued.records, shift).missing;
  if (diffRecords(placed, apart.records, shift + 1).missing.length === 0) return;
  if (!lost) return;
  const message = `A log written twice must give its records twice; line ${(lost.line_number ?? 0) + shift} (${show(lost.value, 60)}) gave none. Nothing in a log may end the search for records.`;
  const example = show(lost.matched_content, 200);
  const { records, scope } = aim.wanted;
  // The header occurs once, and so may a section.
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
  // A text of the line that the record shows and that ends in a letter or digit, so that it can grow.
  const shown = [
    record?.value ?? "",
    ...[...leaves(record?.parsed_fields ?? {}, "")].map((leaf) => leaf.text),
  ];
  const part = shown.find((text) => /[\p{L}\p{N}]$/u.test(text) && record?.matched_content.includes(text));
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
    ? `Line ${number} is not a record any more when its value runs into the next column: the columns are taken by position.`
    : `Line ${number} is not a record any more when its value is ${wanted} characters longer; there must be no limit on the length of a line.`;
  const [level, code] = columns
    ? (["warn", "fixed_columns"] as const)
    : (["error", "long_line_dropped"] as const);
  findings[level](GATE, "atom_a", code, message, { example: show(content, 200) });
}

/** Characters by which a value grows into the next column; less than any number taken for a limit (16). */
const SHIFTS = [4, 8, 15];

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
