// Translates a parsed Python pattern to a V8 pattern with the same meaning. The result is compiled with the `u` flag
// (code points, Unicode classes) and never with `m` or `s`: V8 treats \r and U+2028 as line ends, Python does not, so
// line anchors and dots are written out.
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
  /** A text that every match contains. */
  literal: Literal | undefined;
  /** Every match begins at the start of a line. */
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

/** Whether the test is true for the node or one of its descendants. */
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
        throw new PatternError("a group reference in a part that ignores case is not supported");
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
  // A Unicode pattern allows no quantifier on an assertion, and a sequence needs a group.
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

/** `before`, `after`: the kind of the neighbouring character, if known. A word boundary then only needs to assert the
 * other side. */
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

/** A reference to a group that did not participate fails in Python but matches the empty text in V8. References to groups
 * that may not have participated are therefore rejected. */
function checkReferences(root: Node): void {
  visit(root, new Set());
}

/** Walks in matching order. `participated`: groups that have certainly participated so far; returns them with those of
 * this node. */
function visit(node: Node, participated: ReadonlySet<number>): ReadonlySet<number> {
  switch (node.type) {
    case "ref":
      if (!participated.has(node.index)) {
        throw new PatternError(
          `a reference to group ${node.index}, which may not participate, is not supported`,
        );
      }
      return participated;
    case "group": {
      const inner = visit(node.body, participated);
      return node.index === null ? inner : new Set([...inner, node.index]);
    }
    case "seq": {
      let current = participated;
      for (const item of node.items) current = visit(item, current);
      return current;
    }
    case "alt": {
      const ends = node.branches.map((branch) => visit(branch, participated));
      const [head, ...rest] = ends;
      return new Set([...(head ?? participated)].filter((index) => rest.every((end) => end.has(index))));
    }
    case "repeat": {
      const inner = visit(node.body, participated);
      return node.min === 0 ? participated : inner;
    }
    case "look": {
      const inner = visit(node.body, participated);
      return node.negated ? participated : inner;
    }
    default:
      return participated;
  }
}
