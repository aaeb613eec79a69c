// The config gates alone, for a config that a person changed beside proved atoms: it normalises, says what the page
// says but for the waivers that were given since, and every pattern and waiver can match.
import type { Sandbox } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { GateFinding } from "../contract/gates.ts";
import type { ItemSpec } from "../spec/types.ts";
import { checkAgainstPage } from "./check-block.ts";
import { runConfigSchemaGate } from "./config-schema-gate.ts";
import { runConsistencyGate } from "./consistency.ts";
import { Findings } from "./findings.ts";
import { referenceSession } from "./reference-matcher.ts";

export interface ConfigToProve {
  source: string;
  page: { check: string | null; spec: ItemSpec | undefined };
  /** Patterns of waivers that were given beside the page. */
  waived: readonly string[];
  /** What the proved Atom A extracts from the logs at hand. */
  items: readonly ParsedItem[];
}

/** What speaks against a config, and what is doubtful about it. Throws only `sandbox` and `interrupted`. */
export async function runConfigGates(
  { source, page, waived, items }: ConfigToProve,
  sandbox: Sandbox,
): Promise<{ errors: GateFinding[]; warnings: GateFinding[] }> {
  const findings = new Findings();
  const reading = runConfigSchemaGate(source, findings);
  if (reading?.ok === true) {
    checkAgainstPage(reading.config, { ...page, waived }, findings);
    // What the value of a record is was proved with Atom A.
    const waiving = page.spec && [page.spec.sections["3"]?.text ?? "", page.check ?? ""].join("\n");
    // No author is asked here: doubts are reported.
    const observed = { items, hasLogs: items.length > 0, valueShown: true, waiving, fixed: true };
    await runConsistencyGate(reading.config, observed, await referenceSession(sandbox), findings);
  }
  return { errors: findings.sortedErrors(), warnings: findings.sortedWarnings() };
}
