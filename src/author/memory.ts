// What a repair is told of the rounds before, so that nothing is decided or read twice: the author's own decisions, the
// functions that exist, the gates. Each author is told of its own decisions only (src/loops/item/memory.ts).
import type { AtomPart, AtomSources } from "../contract/atoms.ts";
import type { GateResults } from "../contract/gates.ts";
import { fenceData } from "../conversation/fence.ts";
import { truncate } from "../core/limits.ts";

/** One decision in the author's own words. */
export interface Decision {
  decision: string;
  /** Empty where the author gave none. */
  reason: string;
}

/** Where the code under repair comes from. */
export interface IterationContext {
  /** Attempt that the code under work belongs to; 0 before the first one reached the gates. */
  based_on: number;
  /** Later attempts that were worse and were dropped. */
  dropped: number[];
}

/** What is carried from round to round beside errors and code. */
export interface RoundMemory {
  /** Oldest first, with the attempt they were taken in. */
  decisions: readonly (Decision & { round: string })[];
  iteration: IterationContext;
}

const DECISIONS_BYTES = 2_000;
const SIGNATURES_BYTES = 1_000;

/** The author's decisions, oldest first. */
export function formatDecisions(decisions: RoundMemory["decisions"]): string {
  if (decisions.length === 0) return "(none were stated)";
  const lines = decisions.map(
    ({ round, decision, reason }) =>
      `- attempt ${round}: ${decision}${reason === "" ? "" : ` Reason: ${reason}`}`,
  );
  return fenceData("decisions", truncate(lines.join("\n"), DECISIONS_BYTES).text);
}

/** Names and parameters of the top-level functions of some atoms. */
export function formatSignatures(
  sources: AtomSources,
  atoms: readonly Exclude<AtomPart, "config">[],
): string {
  const all = atoms.flatMap((atom) => Object.values(signaturesOf(sources[atom])));
  return all.length === 0
    ? ""
    : `Functions: ${truncate(all.map((one) => `\`${one}\``).join(", "), SIGNATURES_BYTES).text}\n`;
}

/** Heads of the top-level functions of one source, by name. */
export function signaturesOf(code: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const match of code.matchAll(/^function\s+([A-Za-z_$][\w$]*)\s*\(([^)]*)\)/gm)) {
    found[match[1] ?? ""] = `${match[1]}(${match[2]?.replace(/\s+/g, " ").trim()})`;
  }
  return found;
}

/** The gates by result. */
export function formatGates(gates: GateResults): string {
  const named = (state: boolean | null): string =>
    Object.entries(gates)
      .flatMap(([name, result]) => (result === state ? [name] : []))
      .join(", ");
  const groups = [
    ["failed", named(false)],
    ["passed", named(true)],
    ["not run", named(null)],
  ].filter(([, names]) => names !== "");
  return groups.map(([state, names]) => `- ${state}: ${names}`).join("\n");
}
