// The gates of the config alone, for a config that was edited beside proved atoms: it must be valid, agree with the page
// except for later waivers, and its patterns and waivers must be able to match.
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
  /** Patterns of waivers that are not on the page. */
  waived: readonly string[];
  /** What the proved Atom A extracts from the available logs. */
  items: readonly ParsedItem[];
}

/** Runs the gates of a config. Throws only `sandbox` and `interrupted`. */
export async function runConfigGates(
  { source, page, waived, items }: ConfigToProve,
  sandbox: Sandbox,
): Promise<{ errors: GateFinding[]; warnings: GateFinding[] }> {
  const findings = new Findings();
  const reading = runConfigSchemaGate(source, findings);
  if (reading?.ok === true) {
    checkAgainstPage(reading.config, { ...page, waived }, findings);
    const waiving = page.spec && [page.spec.sections["3"]?.text ?? "", page.check ?? ""].join("\n");
    // The value of records was proved with Atom A; without an author, doubts are warnings.
    const observed = { items, hasLogs: items.length > 0, valueShown: true, waiving, fixed: true };
    await runConsistencyGate(reading.config, observed, await referenceSession(sandbox), findings);
  }
  return { errors: findings.sortedErrors(), warnings: findings.sortedWarnings() };
}
