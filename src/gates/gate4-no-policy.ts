// gate4_no_policy: other values in a log give records with other values, not fewer records; no literal of the
// requirements or waivers decides what is extracted (rule PR5). Each value of a sample of records is replaced in
// its line by another of the same form: by values of the same column of the log, and by made-up ones.
// Proves that the format alone decides, for these records. A record that disappears is an error only where the code's
// own pattern still matches the changed line, or where the config names the very text that decides, and where the log
// shows that the column is not a fixed word of the format; otherwise it is a warning.
// Built against: `if (year !== "2025") continue`, records of required names only, waived names left out.
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

/** Runs the gate; without records it stays open. */
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
  // A record put together from several lines needs the same text in all of them.
  const everywhere = await runs.runMany(gone.map(inputEverywhere));
  const lost = gone.filter(
    (change, i) => change.kind === "named" || fateOf(change, everywhere[i]) === "gone",
  );
  const named = lost.filter((change) => change.control !== undefined);
  const controls = await runs.runMany(named.map((change) => input(change, change.control ?? change.before)));
  const controlled = new Set(named.filter((change, i) => fateOf(change, controls[i]) === "kept"));
  // A number of which some others are fine is judged by its size: the format is the same.
  const sized = new Set(
    lost.filter((a) => changes.some((b, i) => fates[i] === "kept" && b.kind === "number" && sameText(a, b))),
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

/** What became of a record after a change. A call that failed, or was not made for lack of time, proves nothing. */
function fateOf({ record }: Change, run: Run | undefined): "kept" | "gone" | "unknown" {
  if (run?.ok !== true) return "unknown";
  return run.records.some((r) => r.line_number === record.line_number) ? "kept" : "gone";
}

/** A value that stays what it was when the text it shows is gone was not read: it is a literal. */
function checkFollows(changes: readonly Change[], results: readonly Run[], findings: Findings): void {
  for (const [i, { from, to, record, sample, line, before, kind }] of changes.entries()) {
    const run = results[i];
    if (kind === "named" || run?.ok !== true || !isOwn(record.value, from) || !isOwn(before, from)) continue;
    const same: ParsedItem | undefined = run.records.find(
      (r) => r.line_number === record.line_number && r.value === record.value,
    );
    // A text that also occurs elsewhere may come from there.
    const elsewhere = sample.text.replace(before, () => line);
    if (same === undefined || isOwn(elsewhere, from) || isOwn(sample.path, from)) continue;
    const others = sample.records.filter((r) => r !== record && isOwn(r.value, from));
    if (others.length > 0) continue;
    const message = `With ${show(from, 60)} changed to ${show(to, 60)} in line ${record.line_number}, \`value\` is still ${show(record.value, 80)}: it is written in the code and not read.`;
    findings.error("gate4_evidence", "atom_a", "value_not_read", message, {
      example: show([before, line], 300),
    });
    return;
  }
}

/** Does a text hold a word as a whole one? */
function isOwn(text: string, word: string): boolean {
  const words: string[] = text.match(WORD) ?? [];
  return words.includes(word);
}

/** The same change in every place of the changed word. */
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
function sameText(a: Change, b: Change): boolean {
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
