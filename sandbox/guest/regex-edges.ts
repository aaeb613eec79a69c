// Determines whether part of a pattern always starts or ends with a word character, or never does. A word boundary next
// to it then needs a shorter assertion (regex-emit.ts). Unknown: null.
import type { Case } from "./regex-classes.ts";
import type { Node, SetItem } from "./regex-tree.ts";
import { widthOf } from "./regex-width.ts";

/** A word character, another character, or unknown. */
export type Kind = "word" | "other" | null;

const NO_GROUPS = new Map<number, never>();
const WORD = /[\p{L}\p{N}_]/u;
const ASCII_WORD = /[a-zA-Z0-9_]/;
/** Ranges inside one of these contain only word characters. */
const WORD_RANGES = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
] as const;

/** Kind of the first character matched by a sequence of items. */
export function kindAtStart(items: readonly Node[], ascii: boolean, how: Case): Kind {
  return kindAlong(items, (item) => kindOf(item, ascii, how, kindAtStart));
}

/** Kind of the last character. */
export function kindAtEnd(items: readonly Node[], ascii: boolean, how: Case): Kind {
  return kindAlong(items.toReversed(), (item) => kindOf(item, ascii, how, kindAtEnd));
}

function kindAlong(items: readonly Node[], kindOfItem: (item: Node) => Kind): Kind {
  let kind: Kind = null;
  for (const item of items) {
    const [low, high] = widthOf(item, NO_GROUPS);
    if (high === 0) continue;
    const own = kindOfItem(item);
    if (own === null || (kind !== null && own !== kind)) return null;
    kind = own;
    // An item that can match the empty text may expose the next one.
    if (low > 0) return kind;
  }
  return null;
}

function kindOf(node: Node, ascii: boolean, how: Case, side: typeof kindAtStart): Kind {
  switch (node.type) {
    case "char":
      return kindOfItem({ kind: "char", code: node.code }, ascii, how);
    case "set":
      return node.negated ? null : same(node.items.map((item) => kindOfItem(item, ascii, how)));
    case "group": {
      const inner = node.ignoreCase === null ? how : node.ignoreCase ? "expand" : "exact";
      return side([node.body], ascii, inner);
    }
    case "alt":
      return same(node.branches.map((branch) => side([branch], ascii, how)));
    case "seq":
      return side(node.items, ascii, how);
    case "repeat":
      return side([node.body], ascii, how);
    default:
      return null;
  }
}

function kindOfItem(item: SetItem, ascii: boolean, how: Case): Kind {
  if (item.kind === "category") {
    if (item.category === "s") return "other";
    if (item.category === "d") return item.ascii || !ascii ? "word" : null;
    return item.category === "w" && (item.ascii || !ascii) ? "word" : null;
  }
  if (item.kind === "range") {
    if (how !== "exact" && ascii) return null;
    return WORD_RANGES.some(([from, to]) => item.from >= from && item.to <= to) ? "word" : null;
  }
  // Ignoring case, "k" matches the Kelvin sign, a letter outside ASCII.
  if (how !== "exact" && (ascii || item.code > 0x7f)) return null;
  return (ascii ? ASCII_WORD : WORD).test(String.fromCodePoint(item.code)) ? "word" : "other";
}

function same(kinds: Kind[]): Kind {
  const [first] = kinds;
  return first !== undefined && kinds.every((kind) => kind === first) ? first : null;
}
