// Lines in front of a log must only change line numbers. Part of gate4_stability.
import type { GateName } from "../contract/gates.ts";
import { count } from "../core/words.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { describeDifference, diffRecords } from "./compare.ts";
import type { Findings } from "./findings.ts";
import { lineOfRecord } from "./grounding.ts";
import { PROSE } from "./plain-texts.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import type { Wanted } from "./wanted.ts";

const GATE: GateName = "gate4_stability";
/** Limits for prefixes that are longer than a number in the source. */
const MAX_BLANK_LINES = 20_000;
const MAX_PREFIX_CHARS = 2_500_000;

/** Runs the check on one sample.
 * @param aim.numbers numbers in the source of the atom, which may be limits */
export async function checkPrefixes(
  runs: AtomRuns,
  sample: Sample,
  aim: { numbers: readonly number[]; wanted: Wanted },
  findings: Findings,
): Promise<void> {
  const prose = PROSE.slice(0, 7);
  const prefixes = [
    { lines: [""], small: true },
    { lines: prose, small: true },
    { lines: new Array<string>(100).fill(""), small: false },
    ...limitsOf(aim.numbers),
  ];
  const nameOf = (shift: number): string => `the log behind ${count(shift, "other line")}`;
  const results = await runs.runMany(
    prefixes.map(({ lines }) => input(sample, `${lines.join("\n")}\n${sample.text}`, nameOf(lines.length))),
  );
  for (const [i, { lines, small }] of prefixes.entries()) {
    const shift = lines.length;
    const what = nameOf(shift);
    const run = results[i];
    if (!run?.ok) return;
    const { missing, extra } = diffRecords(sample.records, run.records, shift);
    const misplaced = extra.filter((r) => r.line_number === null || r.line_number > shift);
    const difference = describeDifference(missing, misplaced);
    if (difference === undefined) continue;
    const allGone = run.records.length < sample.records.length;
    const message = `Lines in front of a log must change every \`line_number\` by their number and nothing else; on ${what} ${difference}.`;
    // The header is among the first lines; if it is declared, gate4-declared.ts proves it.
    if (!small && allGone && aim.wanted.scope === "header") return;
    const example = small
      ? show(`${lines.join("\n")}\n${lineOfRecord(sample, missing[0]?.line_number ?? 1)}`)
      : undefined;
    const code = !small && allGone ? "reads_only_a_part" : "prefix_changes_records";
    findings.error(GATE, "atom_a", code, message, example === undefined ? {} : { example });
    return;
  }
}

/** Prefixes longer than the numbers in the source, as lines and as characters. */
function limitsOf(numbers: readonly number[]): { lines: string[]; small: boolean }[] {
  const filler =
    "The water was calm and nothing could be heard but the wind in the reeds and the distant sound of oars";
  const biggest = Math.max(
    0,
    ...numbers.filter((n) => Number.isInteger(n) && n >= 100 && n < MAX_PREFIX_CHARS),
  );
  const out = [{ lines: new Array<string>(3_000).fill(""), small: false }];
  if (biggest === 0) return out;
  if (biggest <= MAX_BLANK_LINES) out.push({ lines: new Array<string>(biggest + 1).fill(""), small: false });
  const count = Math.ceil((biggest + 1) / (filler.length + 1));
  out.push({ lines: new Array<string>(count).fill(filler), small: false });
  return out;
}

function input(sample: Sample, text: string, what: string): RunInput {
  return { text, sourceFile: sample.path, gate: GATE, what };
}
