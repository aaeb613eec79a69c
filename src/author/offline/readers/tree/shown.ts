// What an example of the page says about the places: it is read by the same scanner, and a text that the page shows for
// a value or field stands somewhere in it.
import type { Group, Hint } from "../../page/page.ts";
import { type Syntax, scan } from "../../program/tree/index.ts";
import type { TreeNode } from "../../program/tree/nodes.ts";
import type { Place } from "./places.ts";

/** All nodes of the examples of a group. */
export function shownNodes(group: Group, syntax: Syntax): TreeNode[] {
  // An example may be shortened, so that it is no whole object any more; the scanner passes over what is left out.
  return group.examples.flatMap((example) => scan(syntax, example.lines));
}

/** Do the names above a shown node end those of a place, as far as the example goes? */
export function standsAt(node: TreeNode, place: Place): boolean {
  let at: TreeNode | undefined = node;
  for (let index = place.path.length - 1; index >= 0 && at?.parent !== undefined; index -= 1) {
    const name = place.path[index];
    if (name !== "*" && name !== at.name) return false;
    at = at.parent;
  }
  return place.path.length > 0 || node.parent === undefined;
}

/** Evidence of the examples that a place has the text of a hint. */
export function evidenceShown(nodes: readonly TreeNode[]): (hint: Hint, place: Place) => number {
  return (hint, place) => {
    if (nodes.length === 0) return 0;
    const own = nodes.filter((node) => node.parent !== undefined && standsAt(node, place));
    if (own.length === 0) return place.path.length === 0 ? 0 : -0.1;
    const texts = own.map((node) => (place.take === "name" ? node.name : node.text));
    const literals = hint.literals.filter((one) => one.length > 0);
    if (literals.some((one) => texts.includes(one))) return 0.6;
    return 0.05;
  };
}
