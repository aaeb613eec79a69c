// The syntax tree of an atom: parsing with acorn, and a walk with the ancestors of each node.
import { type AnyNode, type Program, parse } from "acorn";
import type { FindingCode } from "../../contract/finding-codes.ts";

/** Longest accepted source, in UTF-16 units. */
export const MAX_SOURCE_CHARS = 256 * 1024;
/** Deepest accepted nesting of the tree; deeper trees could overflow the stack. */
const MAX_DEPTH = 500;

export type Parsed =
  | { ok: true; program: Program; source: string }
  | { ok: false; code: FindingCode; message: string; line?: number };

/** Parses an atom as a separate script, exactly as the sandbox compiles it. Never throws. */
export function parseAtom(source: string): Parsed {
  if (source.length > MAX_SOURCE_CHARS) {
    const message = `The source has ${source.length} characters; at most ${MAX_SOURCE_CHARS} are allowed.`;
    return { ok: false, code: "source_too_large", message };
  }
  if (source.includes("\0")) {
    return {
      ok: false,
      code: "not_text",
      message: "The source contains NUL characters and is not text.",
    };
  }
  try {
    const program = parse(source, { ecmaVersion: "latest", sourceType: "script", locations: true });
    if (depthOver(program, MAX_DEPTH)) {
      return {
        ok: false,
        code: "too_deep",
        message: `The source is nested deeper than ${MAX_DEPTH} levels.`,
      };
    }
    return { ok: true, program, source };
  } catch (error) {
    return syntaxProblem(error);
  }
}

function syntaxProblem(error: unknown): Parsed {
  if (error instanceof RangeError) {
    return { ok: false, code: "too_deep", message: "The source is nested too deeply." };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("Not enough stack")) {
    return { ok: false, code: "too_deep", message: "The source is nested too deeply." };
  }
  const loc = (error as { loc?: { line: number } }).loc;
  return {
    ok: false,
    code: "syntax_error",
    message: message.replace(/ \(\d+:\d+\)$/, ""),
    ...(loc ? { line: loc.line } : {}),
  };
}

/** Calls `visit` for the child nodes in source order, with their key in the parent. */
function forEachChild(node: AnyNode, visit: (child: AnyNode, key: string) => void): void {
  for (const key of Object.keys(node)) {
    const value: unknown = node[key as keyof AnyNode];
    if (typeof value !== "object" || value === null || key === "loc") continue;
    if (Array.isArray(value)) {
      for (const entry of value) if (isNode(entry)) visit(entry, key);
    } else if (isNode(value)) visit(value, key);
  }
}

function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}

function depthOver(root: AnyNode, limit: number): boolean {
  let level: AnyNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: AnyNode[] = [];
    for (const node of level) forEachChild(node, (child) => next.push(child));
    level = next;
  }
  return false;
}

/** @param ancestors from the program to the parent
 * @param key of the node in its parent */
export type Visitor = (node: AnyNode, ancestors: readonly AnyNode[], key: string) => void;

/** Calls the visitor for every node, parents first. */
export function walk(root: AnyNode, visitor: Visitor): void {
  const ancestors: AnyNode[] = [];
  const visit = (node: AnyNode, key: string): void => {
    visitor(node, ancestors, key);
    ancestors.push(node);
    forEachChild(node, visit);
    ancestors.pop();
  };
  visit(root, "");
}

/** 1-based line of a node in the atom's source. */
export function lineOf(node: AnyNode): number {
  return node.loc?.start.line ?? 1;
}

export type FunctionNode = Extract<
  AnyNode,
  { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }
>;

export function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}
