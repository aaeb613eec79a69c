// Writes a parsed Python pattern as a V8 pattern with the same meaning. The result is compiled with the `u` flag
// (code points, Unicode classes) and never with `m` or `s`: V8 counts \r and U+2028 as line ends, Python does not,
// so line anchors and dots are spelled out.
import { type Case, char, needsNesting, set, wordSet } from "./regex-classes.ts";
import { type Kind, kindAtEnd, kindAtStart } from "./regex-edges.ts";
import { beginsLines, findLiteral, type Literal } from "./regex-literal.ts";
import { parsePattern } from "./regex-syntax.ts";
import { FLAG, type Node, PatternError } from "./regex-tree.ts";

export interface Translated {
  /** Source for `new RegExp(source, flags)`. */
  source: string;
  flags: "u" | "iu" | "iv";
  /** Number of groups, without group 0. */
  groups: number;
  names: ReadonlyMap<string, number>;
  /** A text in every match. */
  literal: Literal | undefined;
  /** Every match begins where a line does, or the text. */
  atLineStart: boolean;
}

/** Translates or throws PatternError. `flags` is a sum of FLAG values. */
export function translate(pattern: string, flags = 0): Translated {
  const parsed = parsePattern(pattern, flags);
  checkReferences(parsed.root);
  const ignoreCase = (parsed.flags & FLAG.I) !== 0;
  const mixed = contains(parsed.root, (node) => node.type === "group" && node.ignoreCase !== null);
  const how: Case = ignoreCase ? (mixed ? "expand" : "flag") : "exact";
  const nested = how === "flag" && contains(parsed.root, (node) => node.type === "set" && needsNesting(node));
  return {
    source: emit(parsed.root, how),
    flags: how !== "flag" ? "u" : nested ? "iv" : "iu",
    groups: parsed.groups,
    names: parsed.names,
    literal: findLiteral(parsed.root, how),
    atLineStart: beginsLines(parsed.root),
  };
}

/** Is the test true of the node or of one inside it? */
function contains(node: Node, test: (node: Node) => boolean): boolean {
  if (test(node)) return true;
  switch (node.type) {
    case "group":
    case "look":
    case "repeat":
      return contains(node.body, test);
    case "alt":
      return node.branches.some((branch) => contains(branch, test));
    case "seq":
      return node.items.some((item) => contains(item, test));
    default:
      return false;
  }
}

function emit(node: Node, how: Case): string {
  switch (node.type) {
    case "char":
      return how === "exact" ? char(node.code) : set(false, [{ kind: "char", code: node.code }], how);
    case "any":
      return node.dotAll ? "[^]" : "[^\\n]";
    case "set":
      return set(node.negated, node.items, how);
    case "at":
      return assertion(node, null, null);
    case "group": {
      const inner = node.ignoreCase === null ? how : node.ignoreCase ? "expand" : "exact";
      return `(${node.index === null ? "?:" : ""}${emit(node.body, inner)})`;
    }
    case "look":
      return `(?${node.ahead ? "" : "<"}${node.negated ? "!" : "="}${emit(node.body, how)})`;
    case "ref":
      if (how === "expand") {
        throw new PatternError("a group reference where case is ignored in a part is not supported");
      }
      return `(?:\\${node.index})`;
    case "alt":
      return node.branches.map((branch) => emit(branch, how)).join("|");
    case "seq":
      return node.items.map((item, i) => emitInSequence(node.items, item, i, how)).join("");
    case "repeat":
      return repeat(node, how);
  }
}

function repeat(node: Node & { type: "repeat" }, how: Case): string {
  const body = emit(node.body, how);
  // An assertion must not carry a quantifier in a Unicode pattern; a sequence must be held together.
  const bare = ["char", "any", "set"].includes(node.body.type) || node.body.type === "group";
  const atom = bare ? body : `(?:${body})`;
  const { min, max } = node;
  let quantifier: string;
  if (max === Number.POSITIVE_INFINITY) quantifier = min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  else if (min === 0 && max === 1) quantifier = "?";
  else quantifier = min === max ? `{${min}}` : `{${min},${max}}`;
  return `${atom}${quantifier}${node.lazy ? "?" : ""}`;
}

function emitInSequence(items: Node[], item: Node, index: number, how: Case): string {
  if (item.type === "alt") return `(?:${emit(item, how)})`;
  if (item.type !== "at") return emit(item, how);
  const before = kindAtEnd(items.slice(0, index), item.ascii, how);
  const after = kindAtStart(items.slice(index + 1), item.ascii, how);
  return assertion(item, before, after);
}

/** `before`, `after`: what surely stands on that side, if something is known. A look at the other side is then all
 * that the border of a word takes. */
function assertion(node: Node & { type: "at" }, before: Kind, after: Kind): string {
  const word = wordSet(node.ascii);
  switch (node.at) {
    case "A":
      return "^";
    case "Z":
      return "$";
    case "^":
      return node.multiline ? "(?:^|(?<=\\n))" : "^";
    case "$":
      // Without (?m): at the end, and before one newline that ends the text.
      return node.multiline ? "(?=\\n|$)" : "(?=\\n?$)";
    case "b":
      if (after !== null) return after === "word" ? `(?<!${word})` : `(?<=${word})`;
      if (before !== null) return before === "word" ? `(?!${word})` : `(?=${word})`;
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case "B":
      if (after !== null) return after === "word" ? `(?<=${word})` : `(?<!${word})`;
      if (before !== null) return before === "word" ? `(?=${word})` : `(?!${word})`;
      // Python before 3.14: \B does not match in an empty text.
      return `(?:(?!^$)(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})))`;
  }
}

/** In Python a reference to a group that took no part fails; in V8 it matches the empty text. Where the group
 * has surely taken part the two agree; anywhere else the pattern is refused. */
function checkReferences(root: Node): void {
  visit(root, new Set());
}

/** Walks in matching order. `sure` holds the groups that have taken part by then; returns it with those of
 * this node added. */
function visit(node: Node, sure: ReadonlySet<number>): ReadonlySet<number> {
  switch (node.type) {
    case "ref":
      if (!sure.has(node.index)) {
        throw new PatternError(`reference to group ${node.index}, which may take no part, is not supported`);
      }
      return sure;
    case "group": {
      const inner = visit(node.body, sure);
      return node.index === null ? inner : new Set([...inner, node.index]);
    }
    case "seq": {
      let now = sure;
      for (const item of node.items) now = visit(item, now);
      return now;
    }
    case "alt": {
      const ends = node.branches.map((branch) => visit(branch, sure));
      const [head, ...rest] = ends;
      return new Set([...(head ?? sure)].filter((index) => rest.every((end) => end.has(index))));
    }
    case "repeat": {
      const inner = visit(node.body, sure);
      return node.min === 0 ? sure : inner;
    }
    case "look": {
      const inner = visit(node.body, sure);
      return node.negated ? sure : inner;
    }
    default:
      return sure;
  }
}
