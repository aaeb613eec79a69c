// Formats what a repair should know about earlier rounds: the author's own decisions, existing functions, results of the
// gates. Each author sees only its own decisions (src/loops/item/memory.ts).
import type { AtomPart, AtomSources } from "../contract/atoms.ts";
import type { GateResults } from "../contract/gates.ts";
import { fenceData } from "../conversation/fence.ts";
import { truncate } from "../core/limits.ts";

/** One decision in the author's own words. */
export interface Decision {
  decision: string;
  /** Empty if the author did not state one. */
  reason: string;
}

/** The origin of the code under repair. */
export interface IterationContext {
  /** The attempt that the code belongs to; 0 before the first one reached the gates. */
  based_on: number;
  /** Later attempts that were worse and were dropped. */
  dropped: number[];
}

/** What later rounds know besides errors and code. */
export interface RoundMemory {
  /** Oldest first, with their attempt. */
  decisions: readonly (Decision & { round: string })[];
  iteration: IterationContext;
}

const MAX_DECISIONS_BYTES = 2_000;
const MAX_SIGNATURES_BYTES = 1_000;

/** The author's decisions, oldest first. */
export function formatDecisions(decisions: RoundMemory["decisions"]): string {
  if (decisions.length === 0) return "(none were stated)";
  const lines = decisions.map(
    ({ round, decision, reason }) =>
      `- attempt ${round}: ${decision}${reason === "" ? "" : ` Reason: ${reason}`}`,
  );
  return fenceData("decisions", truncate(lines.join("\n"), MAX_DECISIONS_BYTES).text);
}

/** Names and parameters of the top-level functions of some atoms. */
export function formatSignatures(
  sources: AtomSources,
  atoms: readonly Exclude<AtomPart, "config">[],
): string {
  const signatures = atoms.flatMap((atom) => Object.values(signaturesOf(sources[atom])));
  if (signatures.length === 0) return "";
  const list = signatures.map((signature) => `\`${signature}\``).join(", ");
  return `Functions: ${truncate(list, MAX_SIGNATURES_BYTES).text}\n`;
}

/** Signatures of the top-level functions of a source, by name. */
export function signaturesOf(code: string): Record<string, string> {
  const signatures: Record<string, string> = {};
  for (const match of code.matchAll(/^function\s+([A-Za-z_$][\w$]*)\s*\(([^)]*)\)/gm)) {
    signatures[match[1] ?? ""] = `${match[1]}(${match[2]?.replace(/\s+/g, " ").trim()})`;
  }
  return signatures;
}

/** The names of the gates by result. */
export function formatGates(gates: GateResults): string {
  const gatesWith = (result: boolean | null): string =>
    Object.entries(gates)
      .flatMap(([name, other]) => (other === result ? [name] : []))
      .join(", ");
  const groups = [
    ["failed", gatesWith(false)],
    ["passed", gatesWith(true)],
    ["not run", gatesWith(null)],
  ].filter(([, names]) => names !== "");
  return groups.map(([state, names]) => `- ${state}: ${names}`).join("\n");
}
