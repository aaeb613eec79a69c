// Rules with the table or document that they read.
import type { Rule } from "../examples/rule.ts";
import { withSamples } from "../examples/template.ts";
import { mergeGrids } from "./grid.ts";
import type { Shape } from "./judge.ts";
import { mergeTrees } from "./tree.ts";

export interface ShapedRule {
  rule: Rule;
  shape: Shape;
}

/** Merges rules that read the same table or document; their examples have different parts. */
export function mergeShapedRules(rules: readonly ShapedRule[]): ShapedRule[] {
  const merged: ShapedRule[] = [];
  for (const added of rules) {
    const index = merged.findIndex((other) => mergeShapes(other, added) !== undefined);
    const known = merged[index];
    const shape = known && mergeShapes(known, added);
    if (known === undefined || shape === undefined) merged.push(added);
    else merged[index] = { rule: mergeExamples(known.rule, added.rule), shape };
  }
  return merged;
}

/** The rule with more parts, with the samples and instances of both. */
function mergeExamples(known: Rule, added: Rule): Rule {
  const countParts = ({ anchor }: Rule): number =>
    anchor.elements.filter(({ kind }) => kind === "part").length;
  const [fuller, other] = countParts(added) > countParts(known) ? [added, known] : [known, added];
  const anchor = withSamples(fuller.anchor, (name) => samplesOf(other, name));
  return { ...fuller, anchor, instances: [...known.instances, ...added.instances] };
}

/** Texts of a part in the examples of a rule. */
function samplesOf({ anchor }: Rule, name: string): readonly string[] {
  return anchor.elements.flatMap((element) =>
    element.kind === "part" && element.leaf.names.includes(name) ? element.leaf.samples : [],
  );
}

function mergeShapes(a: ShapedRule, b: ShapedRule): Shape | undefined {
  if (a.rule.satellites.length + b.rule.satellites.length > 0) return undefined;
  const tree = a.shape.tree && b.shape.tree && mergeTrees(a.shape.tree, b.shape.tree);
  if (tree !== undefined) return { tree };
  const grid = a.shape.grid && b.shape.grid && mergeGrids(a.shape.grid, b.shape.grid, a.rule, b.rule);
  return grid === undefined ? undefined : { grid };
}
