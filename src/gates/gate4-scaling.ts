// gate4_scaling: the time grows linearly with the size of a text, and the atom does not hang on hostile lines. Proves it for
// texts of many lines, and for long and repetitive lines made of pieces of records. Cannot prove it for all lines of logs:
// the runtime has its own time limit.
// Targets nested repetition in patterns, loops that do not advance, searching all lines for each line.
import type { AtomRuns } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import { PROSE } from "./plain-texts.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_scaling";
/** Length of repetitive lines: an exponential pattern hangs on them, a polynomial one does not. */
const HOSTILE_CHARS = 160;
/** Length of lines without structure, such as minified data. */
const LONG_CHARS = 5_000;
/** Time limit for all hostile lines; correct atoms were observed to take 0.05 s. */
const HOSTILE_MS = 4_000;
/** Time limit for a single hostile line. */
const SINGLE_LINE_MS = 1_200;
const FEW_LINES = 3_000;
const MANY_LINES = 12_000;
/** Growth from few to many lines that is certainly not linear (4 would be), and the time below which it is ignored. */
const MAX_GROWTH = 9;
const MIN_MS = 500;

/** Runs the gate. Works without logs, too. */
export async function runScalingGate(
  runs: AtomRuns,
  sample: Sample | undefined,
  codeLines: readonly string[],
  findings: Findings,
): Promise<void> {
  await checkHostile(runs, sample, codeLines, findings);
  if (runs.usable) await checkGrowth(runs, sample, findings);
  if (runs.usable) await checkLongLine(runs, sample, findings);
  findings.ran(GATE);
}

async function checkHostile(
  runs: AtomRuns,
  sample: Sample | undefined,
  codeLines: readonly string[],
  findings: Findings,
): Promise<void> {
  const lines = hostileLines(sample, codeLines);
  const head = headOf(sample);
  const path = sample?.path ?? "/logs/a.log";
  // Each line follows the line of a record, since another pattern may read the lines behind a record.
  const opening = head.slice(head.lastIndexOf("\n", head.length - 2) + 1);
  const text = `${head}${lines.map((line) => `${line}\n${opening}`).join("")}`;
  const input = { text, sourceFile: path, gate: GATE, what: "long and repetitive lines" } as const;
  const run = await runs.tryOnce(input, HOSTILE_MS);
  if (run.ok) return;
  if (run.kind === "threw" || run.kind === "result_invalid") {
    const message = `Atom A fails on odd lines (${run.message}); a check would end with an error on such a log.`;
    findings.warn(GATE, "atom_a", "fragile", message);
    return;
  }
  // Finds the line.
  for (const line of lines) {
    const single = await runs.tryOnce(
      { text: `${head}${line}\n`, sourceFile: path, gate: GATE, what: "a hostile line" },
      SINGLE_LINE_MS,
    );
    if (single.ok || single.kind !== "timeout") continue;
    const message = `Atom A does not end on a line of ${line.length} characters. A pattern repeats something that itself repeats, as in (a+)+ or (\\w+\\s*)*; make the parts exclude each other.`;
    findings.error(GATE, "atom_a", "runaway", message, { example: show(line, 200) });
    runs.giveUp();
    return;
  }
  const message = `Atom A does not end in time on ${lines.length} long and repetitive lines (${text.length} characters in all).`;
  findings.error(GATE, "atom_a", "runaway", message, { example: show(lines[0] ?? "", 200) });
  runs.giveUp();
}

function headOf(sample: Sample | undefined): string {
  const first = sample?.records.find((r) => r.line_number !== null)?.line_number;
  if (!sample || !first) return "";
  return `${new LineIndex(sample.text).slice(1, first)}\n`;
}

function hostileLines(sample: Sample | undefined, codeLines: readonly string[]): string[] {
  const seeds = [
    ...new Set(sample?.records.slice(0, 40).map((r) => r.matched_content.split("\n")[0] ?? "") ?? []),
  ].slice(0, 3);
  const lines = new Set<string>();
  for (const unit of [
    "a",
    "0",
    " ",
    "\t",
    "a ",
    "a: ",
    "a.",
    "a/",
    "-",
    "=",
    "(",
    "[",
    '"',
    "a,",
    " |",
    "aA0_",
    "0.0 ",
    "\\",
  ]) {
    const run = unit.repeat(Math.ceil(HOSTILE_CHARS / unit.length));
    lines.add(run);
    lines.add(`${run}!`);
  }
  for (const unit of ["x", "7", "word "]) lines.add(unit.repeat(Math.ceil(LONG_CHARS / unit.length)));
  for (const seed of [...seeds, ...codeLines.slice(0, 8)]) {
    const short = seed.slice(0, 400);
    const parts = short.split(/(\s+|[^\p{L}\p{N}\s]+)/u).filter((part) => part !== "");
    for (const [i, part] of parts.slice(0, 14).entries()) {
      const run = part.repeat(Math.ceil(HOSTILE_CHARS / part.length));
      const before = parts.slice(0, i).join("");
      lines.add(`${before}${run}${parts.slice(i + 1).join("")}\u0001`);
      lines.add(`${before}${run}\u0001`);
    }
    const pair = parts.slice(0, 2).join("") || " ";
    lines.add(`${pair.repeat(Math.ceil(HOSTILE_CHARS / pair.length))}\u0001`);
  }
  return [...lines].slice(0, 160);
}

/** Many lines without a record. */
async function checkGrowth(runs: AtomRuns, sample: Sample | undefined, findings: Findings): Promise<void> {
  const path = sample?.path ?? "/logs/a.log";
  const head = headOf(sample);
  const lines = (count: number): string => `${head}${`${PROSE[2]}\n`.repeat(count)}`;
  const time = async (count: number): Promise<number | undefined> => {
    const what = `${count} lines`;
    const [run] = await runs.runUncached([{ text: lines(count), sourceFile: path, gate: GATE, what }]);
    return run?.ok ? run.ms : undefined;
  };
  let few = await time(FEW_LINES);
  let many = await time(MANY_LINES);
  // Single times are unreliable on a busy machine: the best of several ones is compared.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (few === undefined || many === undefined || !isSuperlinear(few, many)) return;
    few = Math.max(few, (await time(FEW_LINES)) ?? few);
    many = Math.min(many, (await time(MANY_LINES)) ?? many);
  }
  if (few === undefined || many === undefined || !isSuperlinear(few, many)) return;
  const message = `The time of Atom A grows faster than the text: ${FEW_LINES} lines took ${Math.round(few)} ms, ${MANY_LINES} lines ${Math.round(many)} ms (4 times would be linear). Do not search all lines for each line.`;
  findings.error(GATE, "atom_a", "superlinear", message);
}

/** Characters of one long line, and a time limit that no correct atom was observed to exceed: `\\s*$` behind a lazy
 * quantifier is quadratic and takes a tenth of it. */
const LINE_CHARS = 8_000;
const LINE_MS = 2_500;
/** Time limit of a second attempt, for busy machines. */
const BUSY_LINE_MS = 10_000;

/** One long line: blanks behind a record, only blanks, words. */
async function checkLongLine(runs: AtomRuns, sample: Sample | undefined, findings: Findings): Promise<void> {
  const path = sample?.path ?? "/logs/a.log";
  const head = headOf(sample);
  const record = sample?.records.find((r) => r.line_number !== null)?.matched_content.split("\n")[0] ?? "";
  const forms: [what: string, line: string][] = [
    ["blanks behind a record", `${record}${" ".repeat(LINE_CHARS)}.`],
    ["blanks", `${" ".repeat(LINE_CHARS)}.`],
    ["words", "ab ".repeat(LINE_CHARS / 3)],
  ];
  for (const [what, line] of forms) {
    const ends = async (ms: number): Promise<boolean> => {
      const input = {
        text: `${head}${line}\n`,
        sourceFile: path,
        gate: GATE,
        what: `a line of ${what}`,
      } as const;
      const run = await runs.tryOnce(input, ms);
      return run.ok || run.kind !== "timeout";
    };
    if ((await ends(LINE_MS)) || (await ends(BUSY_LINE_MS))) continue;
    const message = `Atom A takes more than ${LINE_MS / 1000} s, and a second time more than ${BUSY_LINE_MS / 1000} s, on one line of ${LINE_CHARS} characters (${what}). No pattern may match the same characters again from every position.`;
    findings.error(GATE, "atom_a", "long_line", message, { example: show(line, 120) });
    runs.giveUp();
    return;
  }
}

function isSuperlinear(few: number, many: number): boolean {
  return many > MIN_MS && many / Math.max(few, 1) > MAX_GROWTH;
}
