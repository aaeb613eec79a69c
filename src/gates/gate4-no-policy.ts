// gate4_no_policy: other values in a log give records with other values, not fewer records; no literal of the requirements
// or waivers decides what is extracted (rule PR5). Each value of a sample of records is replaced in its line by others of
// the same form: values of the same column of the log, and generated ones.
// Proves that only the format decides, for these records. A missing record is an error only if a pattern of the code still
// matches the changed line, or the config names the deciding text, and if the log shows that the column is not a fixed
// word of the format; otherwise it is a warning.
// Targets `if (year !== "2025") continue`, records of required names only, omission of waived names.
import type { Sandbox } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns, Run, RunInput } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { openPatternTester } from "./pattern-tester.ts";
import { type Change, changedWord, changesOf, WORD } from "./policy-changes.ts";
import { judgeLost, type PolicyAim } from "./policy-judge.ts";
import { show } from "./show.ts";

const GATE = "gate4_no_policy";
const MAX_CHANGES = 90;

/** Runs the gate; without records it has no result. */
export async function runNoPolicyGate(
  runs: AtomRuns,
  aim: PolicyAim,
  sandbox: Sandbox,
  findings: Findings,
): Promise<void> {
  const changes = aim.samples.flatMap((sample) => changesOf(sample, aim.config)).slice(0, MAX_CHANGES);
  if (changes.length === 0) return;
  const first = await runs.runMany(changes.map((change) => input(change, change.line)));
  checkFollows(changes, first, findings);
  const fates = changes.map((change, i) => fateOf(change, first[i]));
  const gone = changes.filter((_, i) => fates[i] === "gone");
  // A record composed of several lines needs the same text in all of them.
  const everywhere = await runs.runMany(gone.map(inputEverywhere));
  const lost = gone.filter(
    (change, i) => change.kind === "named" || fateOf(change, everywhere[i]) === "gone",
  );
  const named = lost.filter((change) => change.control !== undefined);
  const controls = await runs.runMany(named.map((change) => input(change, change.control ?? change.before)));
  const controlled = new Set(named.filter((change, i) => fateOf(change, controls[i]) === "kept"));
  // If some other numbers in the same place are accepted, the size of the number decides, not the format.
  const sized = new Set(
    lost.filter((a) =>
      changes.some((b, i) => fates[i] === "kept" && b.kind === "number" && isSamePlace(a, b)),
    ),
  );
  if (lost.length > 0) {
    const session = await openPatternTester(sandbox);
    try {
      await judgeLost(lost, { controlled, sized }, session, aim, findings);
    } finally {
      await session.close();
    }
  }
  findings.ran(GATE);
}

/** Whether a record remains after a change. A call that failed or was not made proves nothing. */
function fateOf({ record }: Change, run: Run | undefined): "kept" | "gone" | "unknown" {
  if (run?.ok !== true) return "unknown";
  return run.records.some((r) => r.line_number === record.line_number) ? "kept" : "gone";
}

/** A value that remains although its text was replaced in the log is a literal of the code. */
function checkFollows(changes: readonly Change[], results: readonly Run[], findings: Findings): void {
  for (const [i, { from, to, record, sample, line, before, kind }] of changes.entries()) {
    const run = results[i];
    if (kind === "named" || run?.ok !== true || !isOwn(record.value, from) || !isOwn(before, from)) continue;
    const unchanged: ParsedItem | undefined = run.records.find(
      (r) => r.line_number === record.line_number && r.value === record.value,
    );
    // A text that also occurs elsewhere may have been read there.
    const changedText = sample.text.replace(before, () => line);
    if (unchanged === undefined || isOwn(changedText, from) || isOwn(sample.path, from)) continue;
    const others = sample.records.filter((r) => r !== record && isOwn(r.value, from));
    if (others.length > 0) continue;
    const message = `With ${show(from, 60)} changed to ${show(to, 60)} in line ${record.line_number}, \`value\` is still ${show(record.value, 80)}: it is a literal of the code.`;
    findings.error("gate4_evidence", "atom_a", "value_not_read", message, {
      example: show([before, line], 300),
    });
    return;
  }
}

/** Is the word one of the whole words of a text? */
function isOwn(text: string, word: string): boolean {
  const words: string[] = text.match(WORD) ?? [];
  return words.includes(word);
}

/** The change at all occurrences of the word. */
function inputEverywhere(change: Change): RunInput {
  const { sample, record } = change;
  const [from, to] = changedWord(change);
  const what = `a log with ${show(to, 60)} for ${show(from, 60)}, line ${record.line_number}`;
  const lines = sample.text
    .split("\n")
    .map((line, i) =>
      i + 1 === change.at ? change.line : line.replace(WORD, (word) => (word === from ? to : word)),
    );
  return { text: lines.join("\n"), sourceFile: sample.path, gate: GATE, what };
}

/** Do two changes replace the same text at the same place? */
function isSamePlace(a: Change, b: Change): boolean {
  return a.record === b.record && a.at === b.at && a.from === b.from;
}

function input(change: Change, line: string): RunInput {
  const lines = change.sample.text.split("\n");
  lines[change.at - 1] = line;
  return {
    text: lines.join("\n"),
    sourceFile: change.sample.path,
    gate: GATE,
    what: `a log with the line ${show(line, 120)}`,
  };
}
