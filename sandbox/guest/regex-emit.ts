// Writes a parsed Python pattern as a V8 pattern with the same meaning. The result is compiled with the `v`
// flag (code points, Unicode classes, nested sets) and never with `m` or `s`: V8 counts \r and U+2028 as line
// ends, Python does not, so line anchors and dots are spelled out.
import { expandItems, extraItems } from "./regex-case.ts";
import { parsePattern } from "./regex-syntax.ts";
import { type Category, FLAG, type Node, PatternError, type SetItem } from "./regex-tree.ts";

export interface Translated {
  /** Source for `new RegExp(source, flags)`. */
  source: string;
  flags: "v" | "iv";
  /** Number of groups, without group 0. */
  groups: number;
  names: ReadonlyMap<string, number>;
}

// str.isspace(), str.isalnum() or "_", category Nd: what \s, \w and \d mean for a Python str.
const UNICODE_CLASS = {
  s: "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
  w: "\\p{L}\\p{N}_",
  d: "\\p{Nd}",
} as const;
const ASCII_CLASS = { s: "\\t-\\r\\x20", w: "a-zA-Z0-9_", d: "0-9" } as const;

/** How case is treated where a node stands: V8's flag does it, it is spelled out, or it counts. */
type Case = "flag" | "expand" | "exact";

/** Translates or throws PatternError. `flags` is a sum of FLAG values. */
export function translate(pattern: string, flags = 0): Translated {
  const parsed = parsePattern(pattern, flags);
  checkReferences(parsed.root);
  const ignoreCase = (parsed.flags & FLAG.I) !== 0;
  const mixed = changesCase(parsed.root);
  const how: Case = ignoreCase ? (mixed ? "expand" : "flag") : "exact";
  return {
    source: emit(parsed.root, how),
    flags: how === "flag" ? "iv" : "v",
    groups: parsed.groups,
    names: parsed.names,
  };
}

/** Does some group switch the treatment of case? */
function changesCase(node: Node): boolean {
  switch (node.type) {
    case "group":
      return node.ignoreCase !== null || changesCase(node.body);
    case "look":
    case "repeat":
      return changesCase(node.body);
    case "alt":
      return node.branches.some(changesCase);
    case "seq":
      return node.items.some(changesCase);
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
      return assertion(node);
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
      return node.items
        .map((item) => (item.type === "alt" ? `(?:${emit(item, how)})` : emit(item, how)))
        .join("");
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

function assertion(node: Node & { type: "at" }): string {
  const word = `[${node.ascii ? ASCII_CLASS.w : UNICODE_CLASS.w}]`;
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
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case "B":
      // Python before 3.14: \B does not match in an empty text.
      return `(?:(?!^$)(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})))`;
  }
}

function char(code: number): string {
  const plain = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  if (plain || code === 95 || code === 32) return String.fromCodePoint(code);
  if (code < 256) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16)}}`;
}

function set(negated: boolean, given: SetItem[], how: Case): string {
  const only = given.length === 1 ? given[0] : undefined;
  if (!negated && only?.kind === "category") return category(only.category, only.ascii);
  let items = given;
  if (how === "expand") items = expandItems(given);
  else if (how === "flag") items = [...given, ...extraItems(given)];
  const [first] = items;
  if (!negated && items.length === 1 && first?.kind === "char") return char(first.code);
  const parts = items.map((item) => {
    if (item.kind === "char") return char(item.code);
    if (item.kind === "range") return `${char(item.from)}-${char(item.to)}`;
    return category(item.category, item.ascii);
  });
  return `[${negated ? "^" : ""}${parts.join("")}]`;
}

function category(name: Category, ascii: boolean): string {
  const lower = name.toLowerCase() as "d" | "w" | "s";
  const ranges = (ascii ? ASCII_CLASS : UNICODE_CLASS)[lower];
  return name === lower ? `[${ranges}]` : `[^${ranges}]`;
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
