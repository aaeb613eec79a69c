// Variables that keep values from one iteration of a loop to the next, so that the result for a line depends on others.
// These are variables that are declared outside a loop and set inside, except counters and collected results.
import type { AnyNode } from "acorn";
import { rootName } from "./forbidden.ts";
import type { ScopeAnalysis } from "./scopes.ts";
import { isFunction, walk } from "./syntax-tree.ts";

const LOOPS = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);
const KEEPERS = new Set(["add", "set", "delete", "clear", "pop", "shift", "splice"]);

/** Names of carried variables; may include others, but misses none. */
export function carriedVariables(program: AnyNode, scopes: ScopeAnalysis): string[] {
  const names = new Set<string>();
  for (const { binding, write, ancestors, name } of scopes.references) {
    if (!write || !binding || binding.kind === "param") continue;
    if (isHarmless(ancestors)) continue;
    if (outsideLoop(binding.node, program, ancestors)) names.add(name);
  }
  walk(program, (node, ancestors) => {
    const target = changedPart(node);
    if (!target) return;
    if (target.type === "ThisExpression" && !inConstructor(ancestors)) names.add("this");
    const root = rootName(target);
    const binding = root === undefined ? undefined : scopes.resolve(root, ancestors);
    if (root && binding && outsideLoop(binding.node, program, ancestors)) names.add(root);
  });
  return [...names];
}

/** The object of `a.b = …`, `seen.add(…)`; undefined for anything else. */
function changedPart(node: AnyNode): AnyNode | undefined {
  const left =
    node.type === "AssignmentExpression"
      ? node.left
      : node.type === "UpdateExpression"
        ? node.argument
        : undefined;
  if (left?.type === "MemberExpression") {
    const isLastIndex = left.property.type === "Identifier" && left.property.name === "lastIndex";
    return isLastIndex ? undefined : left.object;
  }
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { property, object } = node.callee;
  return property.type === "Identifier" && KEEPERS.has(property.name) ? object : undefined;
}

/** `i++`, `n += 1`, and the head of `while ((m = re.exec(text)))`. */
function isHarmless(ancestors: readonly AnyNode[]): boolean {
  const parent = ancestors.at(-1);
  if (parent?.type === "UpdateExpression") return true;
  if (parent?.type === "AssignmentExpression" && parent.operator === "+=") return true;
  for (let i = ancestors.length - 1; i > 0; i--) {
    const node = ancestors[i];
    const above = ancestors[i - 1];
    if (!node || !above) return false;
    if (isFunction(node) || node.type === "BlockStatement") return false;
    if ((above.type === "WhileStatement" || above.type === "ForStatement") && above.test === node)
      return true;
    if (above.type === "ForStatement" && (above.init === node || above.update === node)) return true;
  }
  return false;
}

/** Is the change inside a loop or callback that does not contain the declaration? */
function outsideLoop(declaration: AnyNode, program: AnyNode, ancestors: readonly AnyNode[]): boolean {
  const around = pathTo(program, declaration);
  return ancestors.some((node) => (LOOPS.has(node.type) || isFunction(node)) && !around.has(node));
}

const paths = new WeakMap<AnyNode, Map<AnyNode, Set<AnyNode>>>();

function pathTo(program: AnyNode, target: AnyNode): Set<AnyNode> {
  let known = paths.get(program);
  if (!known) {
    known = new Map();
    paths.set(program, known);
  }
  const cached = known.get(target);
  if (cached) return cached;
  const path = new Set<AnyNode>();
  walk(program, (node, ancestors) => {
    if (node === target) for (const ancestor of ancestors) path.add(ancestor);
  });
  known.set(target, path);
  return path;
}

function inConstructor(ancestors: readonly AnyNode[]): boolean {
  return ancestors.some((node) => node.type === "MethodDefinition" && node.kind === "constructor");
}
