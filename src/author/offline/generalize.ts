// Generalizes rules with lines that differ from the examples and were judged to be records.
import type { Instance } from "./examples/instances.ts";
import { mergeRules, type Rule, ruleOf } from "./examples/rule.ts";
import type { LineKind } from "./logs/decide.ts";
import type { Shape } from "./logs/judge.ts";
import type { LogText } from "./logs/places.ts";
import type { Candidate } from "./logs/scan.ts";

/** Lines of one kind that are merged into a rule. */
const MAX_SAMPLES = 30;

/** Rules that also match the lines judged to be records; undefined if nothing changes. A line that cannot be merged
 * into any rule gets a separate rule, unless it is a row of a table, which the grid of its rule reads. */
export function generalizeRules(
  rules: readonly Rule[],
  kinds: readonly LineKind[],
  shapes: readonly Shape[],
  logs: readonly LogText[],
): Rule[] | undefined {
  let changed = false;
  const generalized = [...rules];
  for (const { verdict, diffs, lines, rule: ownIndex } of kinds) {
    if (verdict !== "record" || diffs.length === 0) continue;
    for (const candidate of lines.slice(0, MAX_SAMPLES)) {
      if (candidate.placed.size === 0) continue;
      const added = ruleOf(instanceOf(candidate, logs));
      // The rule of the kind, then the rules that were added here.
      const target = [ownIndex, ...generalized.keys()]
        .filter((index) => index === ownIndex || index >= rules.length)
        .map((index) => ({ index, merge: generalized[index] && mergeRules(generalized[index], added) }))
        .find(({ merge }) => merge !== undefined);
      if (target?.merge !== undefined) {
        const instances = generalized[target.index]?.instances ?? [];
        generalized[target.index] = { ...target.merge.rule, instances };
      } else if (shapes[ownIndex]?.grid === undefined) generalized.push({ ...added, instances: [] });
      else continue;
      changed = true;
    }
  }
  return changed ? generalized : undefined;
}

function instanceOf(candidate: Candidate, logs: readonly LogText[]): Instance {
  const lines = logs[candidate.file]?.lines ?? [];
  const lineNumbers = [...candidate.placed.keys(), candidate.line];
  const [first, last] = [Math.min(...lineNumbers), Math.max(...lineNumbers)];
  const placed = new Map([...candidate.placed].map(([line, spans]) => [line - first, spans]));
  return { lines: lines.slice(first, last + 1), anchor: candidate.line - first, placed, blank: [], cost: 0 };
}
