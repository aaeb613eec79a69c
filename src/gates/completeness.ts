// Does Atom A stop too early? Lines of records are taken out of a log; if other lines then become records that
// fit the same format, they were held back: only the first one, a limited number, one of each value. A second
// test repeats a record many times, also more often than any number in the source. Part of gate4_evidence.
// A record that stands once per file is right where the page says so (intention.ts): behaviour cannot tell.
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import type { Intention } from "./intention.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";

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
  intention: Intention;
}

/** Runs both tests on every sample. */
export async function checkCompleteness(
  runs: AtomRuns,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  for (const sample of aim.samples) await checkHeldBack(runs, sample, aim, findings);
  const [first] = aim.samples;
  if (first) await checkCopies(runs, first, aim, findings);
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
  const shapes = new Set(visible.map((r) => shape(r.matched_content)));
  const hidden = candidates.filter((r) => shapes.has(shape(r.matched_content)));
  const values = new Set(visible.map((r) => r.value));
  const other = hidden.filter((r) => !values.has(r.value));
  const [first] = other;
  if (!first) {
    const [same] = hidden;
    if (!same) return;
    const message = `Line ${same.line_number} fits the format, but is left out because its value ${show(same.value)} came before. All that fits must be extracted (PR5); right only if the page says so.`;
    findings.warn(GATE, "atom_a", "repeated_value_dropped", message);
    return;
  }
  const example = show([visible[0]?.matched_content ?? "", first.matched_content], 300);
  const where = `Line ${first.line_number} (${show(first.matched_content, 100)}) fits the format, but becomes a record only when`;
  if (visible.length > 1) {
    const last = Math.max(...visible.map((r) => r.line_number ?? 0));
    const message = `${where} other records are taken away: ${visible.length} records are returned and at least ${other.length} held back. All that fits must be extracted (PR5).`;
    if (other.every((r) => (r.line_number ?? 0) > last) && !aim.intention.once) {
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
  const required = aim.config?.requirements.value ?? 0;
  const tooFew = aim.config?.requirements.expect === "present" && required > aim.total;
  const distinct = new Set(other.map((r) => r.value)).size;
  if (tooFew || (distinct >= 2 && !aim.intention.once)) {
    findings.error(GATE, "atom_a", "only_one", message, { example });
  } else
    findings.warn(GATE, "atom_a", "only_one", `${message} Right only if the page asks for the first one.`, {
      example,
    });
}

/** A record's lines many times over: the number of records must grow with them. */
async function checkCopies(
  runs: AtomRuns,
  sample: Sample,
  aim: CompletenessAim,
  findings: Findings,
): Promise<void> {
  const block = blockOf(sample);
  if (!block) return;
  const { before, lines, after } = block;
  const text = (copies: number): string => before + lines.repeat(copies) + after;
  const count = async (copies: number): Promise<number | undefined> => {
    const run = await runs.run(input(sample, text(copies), `the log with one record ${copies} times`));
    return run.ok ? run.records.length : undefined;
  };
  const one = await count(1);
  const three = await count(3);
  if (one === undefined || three === undefined) return;
  const each = (three - one) / 2;
  // Equal values may be dropped on purpose; that is judged above.
  if (each < 1 || !Number.isInteger(each)) return;
  const room = Math.floor((MAX_CHARS - sample.text.length) / Math.max(1, lines.length));
  const wanted = aim.numbers
    .filter((n) => Number.isInteger(n) && n >= 2 && n <= MAX_COPIES)
    .map((n) => Math.ceil(n / each) + 2);
  const biggest = Math.max(USUAL_COPIES, ...wanted);
  for (const copies of new Set([USUAL_COPIES, Math.min(biggest, room)])) {
    if (copies <= 3) continue;
    const found = await count(copies);
    if (found === undefined) return;
    const expected = one + (copies - 1) * each;
    if (found === expected) continue;
    const message = `A log with one record ${copies} times must give ${expected} records; ${found} came out. There must be no limit on lines or records.`;
    const code = found < expected ? "capped" : "multiplied";
    findings.error(GATE, "atom_a", code, message, { example: show(lines, 240) });
    return;
  }
}

/** The lines of the first record up to the next one, or its line alone when that is far. */
function blockOf(sample: Sample): { before: string; lines: string; after: string } | undefined {
  const numbers = [...new Set(sample.records.map((r) => r.line_number))]
    .filter((n): n is number => n !== null)
    .sort((a, b) => a - b);
  const [first, second] = numbers;
  if (first === undefined) return undefined;
  const index = new LineIndex(sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`);
  const end = second !== undefined && second - first <= 12 ? second : first + 1;
  const text = index.text;
  return {
    before: text.slice(0, index.startOf(first)),
    lines: text.slice(index.startOf(first), index.startOf(end)),
    after: text.slice(index.startOf(end)),
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
