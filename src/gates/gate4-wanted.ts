// Do the records agree with their declarations? Part of gate4_evidence and gate4_stability. Without declarations, behaviour
// that agrees with any valid declaration passes with a warning; no correct atom agrees with none of them. So sets of older
// versions, and folders written by hand, are not rejected for missing declarations.
import type { Declarations } from "../contract/declarations.ts";
import type { AtomRuns } from "./atom-runs.ts";
import { type CompletenessAim, checkCompleteness } from "./completeness.ts";
import { Findings, together } from "./findings.ts";
import { checkDeclared } from "./gate4-declared.ts";
import { checkPrefixes } from "./prefixes.ts";
import { readingsOf, type Wanted } from "./wanted.ts";

export interface WantedAim extends Omit<CompletenessAim, "wanted"> {
  declarations: Declarations | undefined;
  /** False if records are incorrect already: then only prefixes are tried. */
  grounded: boolean;
}

/** Checks the records against the declarations, or without them against the declarations that fit best. */
export async function checkWanted(runs: AtomRuns, aim: WantedAim, findings: Findings): Promise<void> {
  const readings = readingsOf(aim.declarations, aim.samples);
  const [defaults] = readings;
  let best: { wanted: Wanted; part: Findings } | undefined;
  let firstError: string | undefined;
  for (const wanted of readings) {
    const part = new Findings();
    await checkAgainst(runs, { ...aim, wanted }, part);
    firstError ??= part.sortedErrors()[0]?.message;
    if (best === undefined || part.totalErrors() < best.part.totalErrors()) best = { wanted, part };
    if (part.totalErrors() === 0) break;
  }
  if (best === undefined) return;
  findings.absorb(best.part);
  if (best.wanted === defaults || firstError === undefined) return;
  const { records, scope } = best.wanted;
  const message = `The records have no declaration; their behaviour is \`records: ${records}\`, \`scope: ${scope}\`. Correct only if the page requires it. Observed: ${firstError}`;
  findings.warn("gate4_evidence", "atom_a", "undeclared", message);
}

function checkAgainst(runs: AtomRuns, aim: WantedAim & CompletenessAim, findings: Findings): Promise<void> {
  return together(findings, [
    ...aim.samples.map((sample) => (part: Findings) => checkPrefixes(runs, sample, aim, part)),
    ...(aim.grounded
      ? [
          (part: Findings) => checkCompleteness(runs, aim, part),
          (part: Findings) => checkDeclared(runs, aim.samples, aim.wanted, part),
        ]
      : []),
  ]);
}
