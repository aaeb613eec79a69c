// Proves declarations about records on changed logs: the first, the last, each value once, only in a section, only in the
// header; completeness.ts proves `all`. Part of gate4_evidence. Proves that the code does what is declared on these logs;
// that the page requires it is shown by the quote.
// Targets declarations that excuse a lost record although the code does not follow them.
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { PROSE } from "./plain-texts.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import type { Wanted } from "./wanted.ts";

const GATE = "gate4_evidence";
/** Lines in front of a log; more than any header has. */
const PREFIX_LINES = 3_000;
/** Lines of records that are tried alone. */
const MAX_LINES = 12;

/** Proves the declared properties on the samples. */
export async function checkDeclared(
  runs: AtomRuns,
  samples: readonly Sample[],
  wanted: Wanted,
  findings: Findings,
): Promise<void> {
  for (const sample of samples) {
    if (wanted.records !== "all") await checkTwice(runs, sample, wanted.records, findings);
    if (wanted.scope === "header") await checkHeader(runs, sample, findings);
    if (wanted.scope === "section") await checkAlone(runs, sample, findings);
  }
}

/** The log twice: first records remain, last records move, distinct records remain single. */
async function checkTwice(
  runs: AtomRuns,
  sample: Sample,
  records: "first" | "last" | "distinct",
  findings: Findings,
): Promise<void> {
  const base = sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`;
  const height = base.split("\n").length - 1;
  const run = await runs.run(input(sample, base + base, "the log twice"));
  if (!run.ok) return;
  const placed = run.records.filter((r) => r.line_number !== null);
  const wrong = placed.find(({ line_number: line }) =>
    records === "last" ? (line ?? 0) <= height : (line ?? 0) > height,
  );
  // Any one of equal records may be kept.
  const isViolated =
    records === "distinct" ? run.records.length > sample.records.length : wrong !== undefined;
  if (!isViolated) return;
  const where = wrong === undefined ? "" : `, e.g. ${show(wrong.value, 60)} (line ${wrong.line_number})`;
  const message = `\`records: ${records}\` is declared, but a log of ${height} lines written twice gives ${run.records.length} records where the log alone gives ${sample.records.length}${where}.`;
  findings.error(GATE, "atom_a", "declared_records", message);
}

/** The log behind thousands of other lines has no header. */
async function checkHeader(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const prefix = Array.from({ length: PREFIX_LINES }, (_, i) => PROSE[i % PROSE.length] ?? "").join("\n");
  const run = await runs.run(
    input(sample, `${prefix}\n${sample.text}`, `the log behind ${PREFIX_LINES} lines`),
  );
  const [first] = run.ok ? run.records : [];
  if (first === undefined) return;
  const message = `\`scope: header\` is declared, but behind ${PREFIX_LINES} other lines ${show(first.value, 60)} (line ${first.line_number}) is still a record.`;
  findings.error(GATE, "atom_a", "declared_scope", message);
}

/** A line of a record alone is outside of every section. */
async function checkAlone(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const lines = [
    ...new Set(sample.records.flatMap((r) => (r.line_number === null ? [] : [r.matched_content]))),
  ];
  const tried = lines.slice(0, MAX_LINES);
  const results = await runs.runMany(
    tried.map((line) => ({ ...input(sample, `${line}\n`, "the line of a record alone"), odd: true })),
  );
  if (tried.length === 0 || results.some((run) => !run.ok || run.records.length === 0)) return;
  const message = `\`scope: section\` is declared, but the lines of records are also records alone, outside of every section.`;
  findings.error(GATE, "atom_a", "declared_scope", message, { example: show(tried[0] ?? "", 200) });
}

function input(sample: Sample, text: string, what: string): RunInput {
  return { text, sourceFile: sample.path, gate: GATE, what };
}
