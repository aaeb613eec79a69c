// State shared between the records of one call: an object that several records hold, a field that the next record writes
// over. Part of gate4_stability. Each of a few records is looked at again in the log cut behind its own lines: a field
// that is its own there and shows the text of another record in the whole log was written over by that record.
// Proves it for these records. A total or a heading is not a text of another record's line, and is accepted.
// Built against: one `fields` object pushed many times, defaults that are filled in and kept.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import { leaves } from "./leaves.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_stability";
const TRIED = 4;

/** Runs the check on one sample. */
export async function checkShared(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const index = new LineIndex(sample.text);
  const placed = sample.records.filter((r) => r.line_number !== null);
  const lines = [...new Set(placed.map((r) => r.line_number ?? 0))];
  const chosen = spread(lines.slice(0, -1), TRIED);
  const cuts = chosen.map((line) => {
    const next = lines.find((other) => other > line) ?? line + 1;
    return { line, text: `${index.slice(1, next - 1)}\n` };
  });
  const results = await runs.runMany(
    cuts.map(({ text, line }) => ({
      text,
      sourceFile: sample.path,
      gate: GATE,
      what: `the log cut behind the record of line ${line}`,
      odd: true,
    })),
  );
  for (const [i, { line }] of cuts.entries()) {
    const run = results[i];
    const before = placed.filter((r) => r.line_number === line);
    const after = run?.ok === true ? run.records.filter((r) => r.line_number === line) : [];
    if (before.length !== 1 || after.length !== 1) continue;
    const [whole, cut] = [before[0], after[0]];
    const field = whole && cut && overwritten(whole, cut, placed);
    if (field === undefined) continue;
    const message = `The field \`${field.path}\` of line ${line} is ${show(field.cut, 60)} when the log ends there, and ${show(field.whole, 60)}, of another record, when it continues: records must not share an object.`;
    findings.error(GATE, "atom_a", "state_shared", message, {
      example: show(whole?.matched_content ?? "", 200),
    });
    return;
  }
}

function overwritten(
  whole: ParsedItem,
  cut: ParsedItem,
  records: readonly ParsedItem[],
): { path: string; whole: string; cut: string } | undefined {
  const own = whole.matched_content;
  const then = new Map([...leaves(cut.parsed_fields, "")].map((leaf) => [leaf.path, leaf.text]));
  for (const { path, text } of leaves(whole.parsed_fields, "")) {
    const alone = then.get(path);
    if (alone === undefined || alone === text || text === "" || !own.includes(alone) || own.includes(text))
      continue;
    const theirs = records.some((other) => other !== whole && other.matched_content.includes(text));
    if (theirs) return { path, whole: text, cut: alone };
  }
  return undefined;
}
