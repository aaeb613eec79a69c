// Rules widened by lines that were judged to be records beside the examples.
import type { Instance } from "./examples/instances.ts";
import { mergeRules, type Rule, ruleOf } from "./examples/rule.ts";
import type { LineKind } from "./logs/decide.ts";
import type { Shape } from "./logs/judge.ts";
import type { LogText } from "./logs/places.ts";
import type { Candidate } from "./logs/scan.ts";

/** Lines of one kind that a rule is widened by. */
const SAMPLES = 30;

/** The rules with what was judged to be records beside the examples; undefined when nothing is to be added. Lines
 * that no rule can be widened by get a rule of their own; rows of a table do not: its grid reads them. */
export function widen(
  rules: readonly Rule[],
  kinds: readonly LineKind[],
  shapes: readonly Shape[],
  logs: readonly LogText[],
): Rule[] | undefined {
  let changed = false;
  const wider = [...rules];
  for (const { verdict, diffs, lines, rule: at } of kinds) {
    if (verdict !== "record" || diffs.length === 0) continue;
    for (const candidate of lines.slice(0, SAMPLES)) {
      if (candidate.placed.size === 0) continue;
      const instance = ruleOf(instanceOf(candidate, logs));
      const tried = [at, ...wider.keys()].filter((index) => index === at || index >= rules.length);
      const merged = tried
        .map((index) => ({
          index,
          own: wider[index],
          merged: wider[index] && mergeRules(wider[index], instance),
        }))
        .find((one) => one.merged !== undefined);
      if (merged?.own !== undefined && merged.merged !== undefined) {
        wider[merged.index] = { ...merged.merged.rule, instances: merged.own.instances };
      } else if (shapes[at]?.grid === undefined) wider.push({ ...instance, instances: [] });
      else continue;
      changed = true;
    }
  }
  return changed ? wider : undefined;
}

function instanceOf(candidate: Candidate, logs: readonly LogText[]): Instance {
  const lines = logs[candidate.file]?.lines ?? [];
  const at = [...candidate.placed.keys(), candidate.line];
  const [first, last] = [Math.min(...at), Math.max(...at)];
  const placed = new Map([...candidate.placed].map(([line, spans]) => [line - first, spans]));
  return { lines: lines.slice(first, last + 1), anchor: candidate.line - first, placed, blank: [], cost: 0 };
}
