// What the author declares of the records, proved on the logs by changing them. Part of gate4_evidence. `all` is
// proved by completeness.ts; here: the first, the last, each once, only in a section, only in the header. Proves that
// the code does what is declared on these logs; that the page asks for it is what the quote is for.
// Built against: a declaration that excuses a lost record and that the code does not follow.
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { PROSE } from "./plain-texts.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import type { Wanted } from "./wanted.ts";

const GATE = "gate4_evidence";
/** Lines in front of a log, more than any header has. */
const FAR = 3_000;
/** Records whose lines are tried alone. */
const TRIED = 12;

/** Proves the declared properties on the samples. */
export async function checkDeclared(
  runs: AtomRuns,
  samples: readonly Sample[],
  wanted: Wanted,
  findings: Findings,
): Promise<void> {
  for (const sample of samples) {
    if (wanted.records !== "all") await checkTwice(runs, sample, wanted.records, findings);
    if (wanted.scope === "header") await checkFar(runs, sample, findings);
    if (wanted.scope === "section") await checkAlone(runs, sample, findings);
  }
}

/** The log twice: the first stay where they are, the last move, each once stays one. */
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
  // Which of equal ones is kept is not declared.
  const over = records === "distinct" ? run.records.length > sample.records.length : wrong !== undefined;
  if (!over) return;
  const where = wrong === undefined ? "" : `, e.g. ${show(wrong.value, 60)} (line ${wrong.line_number})`;
  const message = `\`records: ${records}\` is declared, but a log of ${height} lines written twice gives ${run.records.length} records where the log alone gives ${sample.records.length}${where}.`;
  findings.error(GATE, "atom_a", "declared_records", message);
}

/** What follows thousands of other lines is not a header. */
async function checkFar(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const front = Array.from({ length: FAR }, (_, i) => PROSE[i % PROSE.length] ?? "").join("\n");
  const run = await runs.run(input(sample, `${front}\n${sample.text}`, `the log behind ${FAR} lines`));
  const [first] = run.ok ? run.records : [];
  if (first === undefined) return;
  const message = `\`scope: header\` is declared, but behind ${FAR} other lines ${show(first.value, 60)} (line ${first.line_number}) is still a record.`;
  findings.error(GATE, "atom_a", "declared_scope", message);
}

/** The lines of records without the lines around them. */
async function checkAlone(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const lines = [
    ...new Set(sample.records.flatMap((r) => (r.line_number === null ? [] : [r.matched_content]))),
  ];
  const tried = lines.slice(0, TRIED);
  const results = await runs.runMany(
    tried.map((line) => ({ ...input(sample, `${line}\n`, "the line of a record alone"), odd: true })),
  );
  if (tried.length === 0 || results.some((run) => !run.ok || run.records.length === 0)) return;
  const message = `\`scope: section\` is declared, but the lines of records are records alone as well, outside of every section.`;
  findings.error(GATE, "atom_a", "declared_scope", message, { example: show(tried[0] ?? "", 200) });
}

function input(sample: Sample, text: string, what: string): RunInput {
  return { text, sourceFile: sample.path, gate: GATE, what };
}
