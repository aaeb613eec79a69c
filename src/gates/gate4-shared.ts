// Objects shared between the records of one call. Part of gate4_stability. Some records are compared with those of the log
// truncated behind their own lines: a field that has its own text there, and the text of another record in the whole log,
// was overwritten by that record. Proves it for these records. A total or a heading is not a text of the line of another
// record, and is accepted.
// Targets a single `fields` object for all records, and defaults that are modified.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { LineIndex } from "./grounding.ts";
import { leaves } from "./leaves.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";

const GATE = "gate4_stability";
const MAX_RECORDS = 4;

/** Runs the check on one sample. */
export async function checkShared(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const index = new LineIndex(sample.text);
  const placed = sample.records.filter((r) => r.line_number !== null);
  const lines = [...new Set(placed.map((r) => r.line_number ?? 0))];
  const chosen = spread(lines.slice(0, -1), MAX_RECORDS);
  const cuts = chosen.map((line) => {
    const next = lines.find((other) => other > line) ?? line + 1;
    return { line, text: `${index.slice(1, next - 1)}\n` };
  });
  const results = await runs.runMany(
    cuts.map(({ text, line }) => ({
      text,
      sourceFile: sample.path,
      gate: GATE,
      what: `the log truncated behind the record of line ${line}`,
      odd: true,
    })),
  );
  for (const [i, { line }] of cuts.entries()) {
    const run = results[i];
    const before = placed.filter((r) => r.line_number === line);
    const after = run?.ok === true ? run.records.filter((r) => r.line_number === line) : [];
    if (before.length !== 1 || after.length !== 1) continue;
    const [whole, truncated] = [before[0], after[0]];
    const field = whole && truncated && findOverwritten(whole, truncated, placed);
    if (field === undefined) continue;
    const message = `The field \`${field.path}\` of line ${line} is ${show(field.own, 60)} if the log ends there, and ${show(field.text, 60)}, of another record, if it continues: records must not share an object.`;
    findings.error(GATE, "atom_a", "state_shared", message, {
      example: show(whole?.matched_content ?? "", 200),
    });
    return;
  }
}

/** A field whose text in the whole log is that of another record, with its own text in the truncated log. */
function findOverwritten(
  whole: ParsedItem,
  truncated: ParsedItem,
  records: readonly ParsedItem[],
): { path: string; text: string; own: string } | undefined {
  const line = whole.matched_content;
  const ownTexts = new Map([...leaves(truncated.parsed_fields, "")].map((leaf) => [leaf.path, leaf.text]));
  for (const { path, text } of leaves(whole.parsed_fields, "")) {
    const own = ownTexts.get(path);
    if (own === undefined || own === text || text === "" || !line.includes(own) || line.includes(text))
      continue;
    const isForeign = records.some((other) => other !== whole && other.matched_content.includes(text));
    if (isForeign) return { path, text, own };
  }
  return undefined;
}
