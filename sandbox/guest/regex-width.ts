// The number of characters that a part of a pattern can match.
import type { Node } from "./regex-tree.ts";

/** Minimum and maximum number of characters that a tree can match. */
export type Width = readonly [low: number, high: number];

export function widthOf(node: Node, groups: ReadonlyMap<number, Width>): Width {
  switch (node.type) {
    case "char":
    case "any":
    case "set":
      return [1, 1];
    case "at":
    case "look":
      return [0, 0];
    case "group":
      return widthOf(node.body, groups);
    case "ref":
      return groups.get(node.index) ?? [0, Number.POSITIVE_INFINITY];
    case "alt": {
      const widths = node.branches.map((branch) => widthOf(branch, groups));
      return [Math.min(...widths.map((w) => w[0])), Math.max(...widths.map((w) => w[1]))];
    }
    case "seq": {
      const widths = node.items.map((item) => widthOf(item, groups));
      return [widths.reduce((sum, w) => sum + w[0], 0), widths.reduce((sum, w) => sum + w[1], 0)];
    }
    case "repeat": {
      const [low, high] = widthOf(node.body, groups);
      return [low * node.min, high === 0 || node.max === 0 ? 0 : high * node.max];
    }
  }
}
