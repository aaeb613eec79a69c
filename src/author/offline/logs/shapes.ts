// Which rules read rows of a table or nodes of a document, and which of them are one.
import type { Rule } from "../examples/rule.ts";
import { withSamples } from "../examples/template.ts";
import { uniteGrids } from "./grid.ts";
import type { Shape } from "./judge.ts";
import { uniteTrees } from "./tree.ts";

export interface ShapedRule {
  rule: Rule;
  shape: Shape;
}

/** Rules for the same table or document that differ in the parts their examples have are one rule. */
export function unite(rules: readonly ShapedRule[]): ShapedRule[] {
  const united: ShapedRule[] = [];
  for (const one of rules) {
    const at = united.findIndex((other) => uniteShapes(other, one) !== undefined);
    const home = united[at];
    const shape = home && uniteShapes(home, one);
    if (home === undefined || shape === undefined) {
      united.push(one);
      continue;
    }
    const parts = ({ rule }: ShapedRule): number =>
      rule.anchor.elements.filter(({ kind }) => kind === "part").length;
    const [fuller, other] = parts(one) > parts(home) ? [one.rule, home.rule] : [home.rule, one.rule];
    const anchor = withSamples(fuller.anchor, (name) => samplesOf(other, name));
    united[at] = {
      rule: { ...fuller, anchor, instances: [...home.rule.instances, ...one.rule.instances] },
      shape,
    };
  }
  return united;
}

/** Texts that a part has in the examples of a rule. */
function samplesOf({ anchor }: Rule, name: string): readonly string[] {
  return anchor.elements.flatMap((element) =>
    element.kind === "part" && element.leaf.names.includes(name) ? element.leaf.samples : [],
  );
}

function uniteShapes(a: ShapedRule, b: ShapedRule): Shape | undefined {
  if (a.rule.satellites.length + b.rule.satellites.length > 0) return undefined;
  const tree = a.shape.tree && b.shape.tree && uniteTrees(a.shape.tree, b.shape.tree);
  if (tree !== undefined) return { tree };
  const grid = a.shape.grid && b.shape.grid && uniteGrids(a.shape.grid, b.shape.grid, a.rule, b.rule);
  return grid === undefined ? undefined : { grid };
}
