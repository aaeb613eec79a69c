// gate4_evidence: Atom A finds records in the real logs, and their texts are in the logs. Lines and contents are checked in
// every run (grounding.ts); this file checks that there are records, and that values come from their own lines. Cannot
// prove that no record was missed. Targets `return []`, patterns that match no real line, and constants.

import type { NormalizedConfig } from "../contract/config.ts";
import { count } from "../core/words.ts";
import type { LoadedText } from "../logio/text.ts";
import type { WorkedExample } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { AtomRuns } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { probeTexts } from "./probes.ts";
import type { Observation, Sample } from "./samples.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";
import { checkValues } from "./value-grounding.ts";

const GATE = "gate4_evidence";

/** Runs Atom A on every observed log. Logs on which it fails are omitted. */
export async function observe(runs: AtomRuns, logs: readonly LoadedText[]): Promise<Observation[]> {
  const results = await runs.runMany(
    logs.map((log) => ({ text: log.text, sourceFile: log.path, gate: GATE, what: `the log ${log.path}` })),
  );
  return logs.flatMap((log, i) => {
    const run = results[i];
    return run?.ok ? [{ log, records: run.records }] : [];
  });
}

export interface ObservedAim {
  observations: readonly Observation[];
  samples: readonly Sample[];
  config: NormalizedConfig | undefined;
  spec: ItemSpec | undefined;
  examples: readonly WorkedExample[];
  literals: Literals;
  /** Source of Atom A. */
  code: string;
  seed: number;
}

/** Runs the gate; without a log it has no result. Returns a sample for the other gates if the logs have no record. */
export async function runObservedGate(
  runs: AtomRuns,
  aim: ObservedAim,
  findings: Findings,
): Promise<Sample | undefined> {
  if (aim.observations.length === 0) return undefined;
  const total = aim.observations.reduce((sum, o) => sum + o.records.length, 0);
  findings.ran(GATE);
  if (total === 0) return checkVacuous(runs, aim, findings);
  checkValues(aim, findings);
  return undefined;
}

/** Without records: correct only if the config expects none and the atom can find one. */
async function checkVacuous(
  runs: AtomRuns,
  aim: ObservedAim,
  findings: Findings,
): Promise<Sample | undefined> {
  const logs = aim.observations.map((o) => o.log.path);
  const where = count(logs.length, "observed log");
  const [first] = aim.observations;
  const example = show(first?.log.text.slice(0, 200) ?? "");
  if (aim.config?.requirements.expect !== "absent") {
    const message = `Atom A finds nothing in ${where}, first ${show(logs[0])}. It must extract what fits the format there; if the page requires a clean log, the config needs \`expect: absent\`.`;
    findings.error(GATE, "atom_a", "nothing_found", message, { example });
    return undefined;
  }
  const probes = await probeTexts(aim);
  const results = await runs.runMany(
    probes.map((probe) => ({
      text: probe.text,
      sourceFile: first?.log.path ?? "/logs/a.log",
      gate: GATE,
      what: probe.what,
      odd: true,
    })),
  );
  const hits = probes.filter((_, i) => {
    const run = results[i];
    return run?.ok && run.records.length > 0;
  });
  const [hit] = hits;
  if (!hit) {
    const message = `Atom A finds nothing in ${where}, and nothing in ${probes.length} texts made of the page's examples, of its own patterns and of common error lines: nothing shows that it can find a violation.`;
    findings.error(GATE, "atom_a", "vacuous", message, { example });
    return undefined;
  }
  const hasExamples = probes.some((probe) => probe.source === "page");
  if (hasExamples && !hits.some((probe) => probe.source === "page")) {
    const page = probes.find((probe) => probe.source === "page");
    const message = `Atom A finds nothing in ${where} and nothing in the examples of the page; a clean log cannot be distinguished from a wrong pattern.`;
    findings.error(GATE, "atom_a", "examples_not_found", message, { example: show(page?.text ?? "", 240) });
    return undefined;
  }
  const message = `Atom A finds nothing in ${where}; that it can find a violation was shown on ${hit.what} only: ${show(hit.text.slice(0, 120))}.`;
  findings.warn(GATE, "atom_a", "nothing_found", message);
  if (!first) return undefined;
  // The matching probe is appended to the clean log, so that the other gates have a record.
  const head = first.log.text.slice(0, 8_000);
  const text = `${head}${head.endsWith("\n") || head === "" ? "" : "\n"}${hit.text}`;
  const run = await runs.run({
    text,
    sourceFile: first.log.path,
    gate: GATE,
    what: "the log and a probe",
    odd: true,
  });
  return run.ok && run.records.length > 0
    ? { path: first.log.path, text, records: run.records, whole: false }
    : undefined;
}
