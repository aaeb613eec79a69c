// The literals of an atom: strings, patterns, numbers and property names. Gates derive inputs from them, so that a special
// case for an input is tested with that input.
import type { AnyNode } from "acorn";
import { memberName } from "./forbidden.ts";
import type { ScopeAnalysis } from "./scopes.ts";
import { lineOf, walk } from "./syntax-tree.ts";

export interface TextLiteral {
  text: string;
  line: number;
  /** The text takes part in a decision (compared, searched for, looked up), not only in a message. */
  decides: boolean;
}

export interface PatternLiteral {
  source: string;
  flags: string;
  line: number;
  /** The pattern is a string that is passed to `re.…` or `RegExp`. */
  fromText: boolean;
}

export interface Literals {
  texts: TextLiteral[];
  patterns: PatternLiteral[];
  numbers: number[];
  /** Numbers that are compared with something other than a length or a counter. */
  comparedNumbers: number[];
  /** Property names that are read or written. */
  properties: string[];
}

const RE_METHODS = new Set([
  "search",
  "match",
  "fullmatch",
  "finditer",
  "compile",
  "findall",
  "sub",
  "split",
]);

export const NO_LITERALS: Literals = {
  texts: [],
  patterns: [],
  numbers: [],
  comparedNumbers: [],
  properties: [],
};

/** Numbers in `x < 40`, unless x is a length or a plain counter. */
function numbersCompared(node: Extract<AnyNode, { type: "BinaryExpression" }>): number[] {
  if (!COMPARISONS.has(node.operator) || node.left.type === "PrivateIdentifier") return [];
  const sides = [node.left, node.right];
  return sides.flatMap((side, i) => {
    const other = sides[1 - i];
    if (!other) return [];
    const digits = side.type === "Literal" && typeof side.value === "string" && /^\d{2,}$/.test(side.value);
    // A string of digits, and a number in a sum or a remainder, decide like a number.
    const n = digits ? Number(side.value) : (foldNumber(side) ?? hiddenNumber(side));
    if (n === undefined || Math.abs(n) < 2) return [];
    const isLength =
      other.type === "MemberExpression" &&
      other.property.type === "Identifier" &&
      other.property.name === "length";
    const isCounter =
      other.type === "Identifier" && /^(?:i|j|k|n|idx|index|at|pos|line|number|lineno)$/i.test(other.name);
    return isLength || isCounter ? [] : [n];
  });
}

/** The number in `x % 100`, `x - 2025`, `x + 10`, where x is not a length or counter. */
function hiddenNumber(node: AnyNode): number | undefined {
  if (node.type !== "BinaryExpression" || node.left.type === "PrivateIdentifier") return undefined;
  if (!["%", "-", "+", "/", "*"].includes(node.operator)) return undefined;
  const isPlace = (side: AnyNode): boolean =>
    (side.type === "MemberExpression" &&
      side.property.type === "Identifier" &&
      side.property.name === "length") ||
    (side.type === "Identifier" && /^(?:i|j|k|n|idx|index|at|pos|line|number|lineno)$/i.test(side.name));
  const right = foldNumber(node.right);
  return right !== undefined && Math.abs(right) >= 10 && !isPlace(node.left) ? right : undefined;
}

/** Does a text look like a pattern, which may be passed to `re` in a variable? */
function looksLikePattern(text: string): boolean {
  return /\\[dwsSWD.b(]|\[[^\]]+\][+*]|\([^)]*\)|\.[*+]/.test(text);
}

/** Collects the literals of a program. */
export function literalsOf(program: AnyNode, scopes: ScopeAnalysis): Literals {
  const out: Literals = { ...NO_LITERALS, texts: [], patterns: [] };
  const compared = new Set<number>();
  const numbers = new Set<number>();
  const properties = new Set<string>();
  walk(program, (node, ancestors, key) => {
    switch (node.type) {
      case "Literal":
        collectLiteral(node, ancestors, key, out, numbers);
        return;
      case "TemplateElement":
        collectTemplate(node, ancestors, out);
        return;
      case "BinaryExpression": {
        const product = foldNumber(node);
        if (product !== undefined) numbers.add(product);
        for (const n of numbersCompared(node)) compared.add(n);
        return;
      }
      case "MemberExpression": {
        const name = memberName(node, ancestors, scopes);
        if (name !== undefined) properties.add(name);
        return;
      }
    }
  });
  out.numbers = [...numbers];
  out.properties = [...properties];
  out.comparedNumbers = [...compared];
  return out;
}

function collectLiteral(
  node: Extract<AnyNode, { type: "Literal" }>,
  ancestors: readonly AnyNode[],
  key: string,
  out: Literals,
  numbers: Set<number>,
): void {
  const line = lineOf(node);
  if (node.regex) {
    out.patterns.push({ source: node.regex.pattern, flags: node.regex.flags, line, fromText: false });
  } else if (typeof node.value === "number") numbers.add(node.value);
  else if (typeof node.value === "string" && ancestors.at(-1)?.type !== "ExpressionStatement") {
    if (isPatternArgument(node, ancestors) || looksLikePattern(node.value)) {
      out.patterns.push({ source: node.value, flags: "", line, fromText: true });
    }
    out.texts.push({ text: node.value, line, decides: decides(node, ancestors, key) });
  }
}

function collectTemplate(
  node: Extract<AnyNode, { type: "TemplateElement" }>,
  ancestors: readonly AnyNode[],
  out: Literals,
): void {
  const text = node.value.cooked ?? "";
  const template = ancestors.at(-1);
  if (text === "" || template?.type !== "TemplateLiteral") return;
  const line = lineOf(node);
  const above = ancestors.slice(0, -1);
  // `String.raw` puts a tagged template between the text and the call that uses it.
  const tagged = above.at(-1)?.type === "TaggedTemplateExpression";
  const at = tagged ? above.at(-1) : template;
  const around = tagged ? above.slice(0, -1) : above;
  const whole = template.expressions.length === 0;
  if (at && whole && isPatternArgument(at, around)) {
    const source = tagged ? node.value.raw : text;
    out.patterns.push({ source, flags: "", line, fromText: true });
  }
  const decidesHere = at !== undefined && whole && decides(at, around, keyOf(at, around.at(-1)));
  out.texts.push({ text, line, decides: decidesHere });
}

function foldNumber(node: AnyNode): number | undefined {
  if (node.type === "Literal") return typeof node.value === "number" ? node.value : undefined;
  if (node.type !== "BinaryExpression" || node.left.type === "PrivateIdentifier") return undefined;
  const left = foldNumber(node.left);
  const right = foldNumber(node.right);
  if (left === undefined || right === undefined) return undefined;
  if (node.operator === "*") return left * right;
  if (node.operator === "**") return left ** right;
  if (node.operator === "<<") return left << right;
  return node.operator === "+" ? left + right : undefined;
}

/** First argument of `re.search(…)`, `new RegExp(…)` and the like. */
function isPatternArgument(node: AnyNode, ancestors: readonly AnyNode[]): boolean {
  const call = ancestors.at(-1);
  if (call?.type !== "CallExpression" && call?.type !== "NewExpression") return false;
  if (call.arguments[0] !== node) return false;
  const { callee } = call;
  if (callee.type === "Identifier") return callee.name === "RegExp";
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    callee.object.name === "re" &&
    callee.property.type === "Identifier" &&
    RE_METHODS.has(callee.property.name)
  );
}

const COMPARISONS = new Set(["===", "!==", "==", "!=", "<", ">", "<=", ">=", "in"]);
const TESTS = new Set([
  "includes",
  "startsWith",
  "endsWith",
  "indexOf",
  "lastIndexOf",
  "has",
  "get",
  "match",
  "matchAll",
  "search",
  "test",
  "split",
  "replace",
  "replaceAll",
  "localeCompare",
  "fullmatch",
  "fnmatchcase",
  "finditer",
]);

/** Does the text take part in a decision? Also in arrays, objects and constants, which may be lookup tables. */
function decides(node: AnyNode, ancestors: readonly AnyNode[], key: string): boolean {
  const parent = ancestors.at(-1);
  if (!parent) return false;
  switch (parent.type) {
    case "BinaryExpression":
      return COMPARISONS.has(parent.operator);
    case "SwitchCase":
      return key === "test";
    case "CallExpression":
    case "NewExpression": {
      const { callee } = parent;
      if (callee === node) return false;
      if (callee.type === "MemberExpression" && callee.property.type === "Identifier") {
        return TESTS.has(callee.property.name);
      }
      return callee.type === "Identifier" && (callee.name === "RegExp" || callee.name === "Set");
    }
    case "MemberExpression":
      // `"abc".includes(x)`, `table["abc"]`
      return true;
    case "ArrayExpression":
      return !isReasonValue(ancestors);
    case "Property":
      return key === "key" && !isResultKey(node);
    case "VariableDeclarator":
      // A constant may be compared anywhere.
      return (
        ancestors.length <= 3 || /^[A-Z0-9_]+$/.test(parent.id.type === "Identifier" ? parent.id.name : "")
      );
    default:
      return false;
  }
}

function isReasonValue(ancestors: readonly AnyNode[]): boolean {
  return ancestors.some(
    (node) => node.type === "Property" && node.key.type === "Identifier" && node.key.name === "reason",
  );
}

function isResultKey(node: AnyNode): boolean {
  return node.type === "Literal" && ["is_match", "reason", "kind", "evidence"].includes(String(node.value));
}

function keyOf(child: AnyNode | undefined, parent: AnyNode | undefined): string {
  if (!child || !parent) return "";
  for (const [key, value] of Object.entries(parent)) {
    if (value === child || (Array.isArray(value) && value.includes(child))) return key;
  }
  return "";
}
