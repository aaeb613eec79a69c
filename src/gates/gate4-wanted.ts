// Do the records fit what is declared of them? Part of gate4_evidence and gate4_stability. Where nothing is declared, a
// behaviour that fits any legitimate declaration passes, with a warning that says what was seen: only what fits none of
// them is what no correct atom does.
// Built against: sets of older programs, and folders made by hand, refused for missing declarations.
import type { Declarations } from "../contract/declarations.ts";
import type { AtomRuns } from "./atom-runs.ts";
import { type CompletenessAim, checkCompleteness } from "./completeness.ts";
import { Findings, together } from "./findings.ts";
import { checkDeclared } from "./gate4-declared.ts";
import { checkPrefixes } from "./prefixes.ts";
import { readingsOf, type Wanted } from "./wanted.ts";

export interface WantedAim extends Omit<CompletenessAim, "wanted"> {
  declarations: Declarations | undefined;
  /** False: the records are wrong already, and only texts in front of a log are tried. */
  grounded: boolean;
}

/** Judges by the declarations; without them by the reading that fits best. */
export async function checkWanted(runs: AtomRuns, aim: WantedAim, findings: Findings): Promise<void> {
  const readings = readingsOf(aim.declarations, aim.samples);
  const [silent] = readings;
  let best: { wanted: Wanted; part: Findings } | undefined;
  let seen: string | undefined;
  for (const wanted of readings) {
    const part = new Findings();
    await judgeBy(runs, { ...aim, wanted }, part);
    seen ??= part.sortedErrors()[0]?.message;
    if (best === undefined || part.totalErrors() < best.part.totalErrors()) best = { wanted, part };
    if (part.totalErrors() === 0) break;
  }
  if (best === undefined) return;
  findings.absorb(best.part);
  if (best.wanted === silent || seen === undefined) return;
  const { records, scope } = best.wanted;
  const message = `Nothing is declared of the records; what they do fits \`records: ${records}\`, \`scope: ${scope}\`. Right only if the page says so. Seen: ${seen}`;
  findings.warn("gate4_evidence", "atom_a", "undeclared", message);
}

function judgeBy(runs: AtomRuns, aim: WantedAim & CompletenessAim, findings: Findings): Promise<void> {
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
