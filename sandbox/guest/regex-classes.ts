// Characters and sets in V8's syntax with the `u` flag: \w, \d and \s with Python's meaning, case expanded where V8's
// flag differs. The `v` flag would allow nested sets but halves the speed of V8's matcher
// (docs/measurements/sandbox.md), so it is used only for sets that need it (`needsNesting`).
import { expandItems, extraItems } from "./regex-case.ts";
import type { Category, Node, SetItem } from "./regex-tree.ts";

// \s, \w and \d of a Python str: str.isspace(), str.isalnum() or "_", category Nd; and their complements, since a set
// cannot contain the complement of a union. The tests compare each pair over all code points.
const UNICODE_CLASS: Record<Category, string> = {
  s: "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
  S: "\\0-\\x08\\x0e-\\x1b\\x21-\\x84\\x86-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}",
  w: "\\p{L}\\p{N}_",
  W: "\\p{M}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\p{S}\\p{Z}\\p{C}\\u203f\\u2040\\u2054\\ufe33\\ufe34\\ufe4d-\\ufe4f\\uff3f",
  d: "\\p{Nd}",
  D: "\\P{Nd}",
};
const ASCII_CLASS: Record<Category, string> = {
  s: "\\t-\\r\\x20",
  S: "\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}",
  w: "a-zA-Z0-9_",
  W: "\\0-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\u{10ffff}",
  d: "0-9",
  D: "\\0-\\x2f\\x3a-\\u{10ffff}",
};

/** How case is treated at a node: ignored by V8's flag, ignored by expansion, or significant. */
export type Case = "flag" | "expand" | "exact";

/** The set of word characters. */
export function wordSet(ascii: boolean): string {
  return `[${(ascii ? ASCII_CLASS : UNICODE_CLASS).w}]`;
}

/** Whether a set needs a nested set. V8's `i` adds the other case of each character, which for some characters outside \w
 * is inside \w, so the complement of \w must be written as a complement. */
export function needsNesting(node: Node & { type: "set" }): boolean {
  const single = node.items.length === 1 && !node.negated;
  return !single && node.items.some((item) => item.kind === "category" && item.category === "W");
}

/** Emits a set of characters. With "flag", a set that `needsNesting` is correct only under the `v` flag. */
export function set(negated: boolean, given: SetItem[], how: Case): string {
  const only = given.length === 1 ? given[0] : undefined;
  if (!negated && only?.kind === "category") return emitCategory(only.category, only.ascii);
  let items = given;
  if (how === "expand") items = expandItems(given);
  else if (how === "flag") items = [...given, ...extraItems(given)];
  const [first] = items;
  if (!negated && items.length === 1 && first?.kind === "char") return char(first.code);
  const parts = items.map((item) => {
    if (item.kind === "char") return char(item.code);
    if (item.kind === "range") return `${char(item.from)}-${char(item.to)}`;
    if (item.category === "W" && how === "flag") return emitCategory("W", item.ascii);
    return (item.ascii ? ASCII_CLASS : UNICODE_CLASS)[item.category];
  });
  return `[${negated ? "^" : ""}${parts.join("")}]`;
}

export function char(code: number): string {
  const plain = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  if (plain || code === 95 || code === 32) return String.fromCodePoint(code);
  if (code < 256) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16)}}`;
}

function emitCategory(name: Category, ascii: boolean): string {
  const lower = name.toLowerCase() as "d" | "w" | "s";
  const ranges = (ascii ? ASCII_CLASS : UNICODE_CLASS)[lower];
  return name === lower ? `[${ranges}]` : `[^${ranges}]`;
}
