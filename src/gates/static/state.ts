// State between calls (docs/contract.md, section 2): code in a function that changes something which outlives the call, or
// that changes its arguments.
import type { AnyNode } from "acorn";
import type { FindingCode } from "../../contract/finding-codes.ts";
import { rootName, type StaticFinding } from "./forbidden.ts";
import type { Binding, ScopeAnalysis } from "./scopes.ts";
import { type FunctionNode, isFunction, lineOf, walk } from "./syntax-tree.ts";

/** Methods that change the object they are called on. */
const MUTATORS = new Set([
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "reverse",
  "fill",
  "copyWithin",
  "set",
  "add",
  "delete",
  "clear",
]);
const ARGUMENT_MUTATORS = new Set([...MUTATORS, "sort"]);

/** Changes of top-level variables and their objects in functions, and of the arguments of the atom. */
export function sharedStateIn(
  program: AnyNode,
  scopes: ScopeAnalysis,
  atomFunction: string,
): StaticFinding[] {
  const findings: StaticFinding[] = [];
  const seen = new Set<string>();
  const add = (code: FindingCode, node: AnyNode, message: string): void => {
    const line = lineOf(node);
    if (seen.has(`${code}:${line}`)) return;
    seen.add(`${code}:${line}`);
    findings.push({ code, message, line });
  };
  for (const reference of scopes.references) {
    const { binding, ancestors, name, node } = reference;
    if (reference.write && binding && outlives(binding, ancestors)) {
      add("state_between_calls", node, stateMessage(name));
    }
  }
  walk(program, (node, ancestors) => {
    const target = changedObject(node);
    if (!target) return;
    const root = rootName(target.object);
    const binding = root === undefined ? undefined : scopes.resolve(root, ancestors);
    if (!root || !binding) return;
    if (outlives(binding, ancestors) && !(target.property === "lastIndex" && binding.kind === "const")) {
      if (target.method && !MUTATORS.has(target.method)) return;
      add("state_between_calls", node, stateMessage(root));
    }
    if (isAtomArgument(binding, atomFunction) && binding.writes === 0) {
      if (target.method && !(target.direct && ARGUMENT_MUTATORS.has(target.method))) return;
      const message = `The argument \`${root}\` is changed, but the caller still uses it. Change a copy.`;
      add("argument_changed", node, message);
    }
  });
  return findings;
}

function stateMessage(name: string): string {
  return `\`${name}\` keeps state between calls; the second call would depend on the first one. Declare it inside the function.`;
}

interface Change {
  object: AnyNode;
  property?: string;
  method?: string;
  /** The variable itself is the object. */
  direct: boolean;
}

/** The object that this node changes, if it changes one. */
function changedObject(node: AnyNode): Change | undefined {
  if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression")
    return memberChange(node.left);
  if (node.type === "UpdateExpression" && node.argument.type === "MemberExpression")
    return memberChange(node.argument);
  if (node.type === "UnaryExpression" && node.operator === "delete") {
    return node.argument.type === "MemberExpression" ? memberChange(node.argument) : undefined;
  }
  if (node.type !== "CallExpression") return undefined;
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier" || callee.computed)
    return undefined;
  const [first] = node.arguments;
  if (
    callee.object.type === "Identifier" &&
    callee.object.name === "Object" &&
    callee.property.name === "assign"
  ) {
    return first ? { object: first, direct: first.type === "Identifier", property: "assign" } : undefined;
  }
  const method = callee.property.name;
  if (!ARGUMENT_MUTATORS.has(method)) return undefined;
  return { object: callee.object, method, direct: callee.object.type === "Identifier" };
}

function memberChange(member: Extract<AnyNode, { type: "MemberExpression" }>): Change {
  const property =
    member.property.type === "Identifier" && !member.computed ? member.property.name : undefined;
  return {
    object: member.object,
    direct: member.object.type === "Identifier",
    ...(property === undefined ? {} : { property }),
  };
}

function isAtomArgument(binding: Binding, atomFunction: string): boolean {
  return (
    binding.kind === "param" &&
    binding.owner?.type === "FunctionDeclaration" &&
    binding.owner.id?.name === atomFunction
  );
}

/** Does the variable outlive the call in which the code runs? */
function outlives(binding: Binding, ancestors: readonly AnyNode[]): boolean {
  const functions = ancestors.filter(isFunction);
  const running = functions.filter((fn) => !runsAtLoad(fn, ancestors));
  // Top-level code runs once, while the atom is loaded.
  if (running.length === 0) return false;
  if (binding.owner === null) return true;
  const owner = binding.owner;
  if (!runsAtLoad(owner, ancestors)) return false;
  return running[0] !== undefined && functions.indexOf(owner) < functions.indexOf(running[0]);
}

/** Is the function called where it is defined, or passed to a call, in code that runs while the atom is loaded? */
function runsAtLoad(fn: FunctionNode, ancestors: readonly AnyNode[]): boolean {
  const at = ancestors.indexOf(fn);
  if (at < 0) return false;
  for (let i = at; i >= 0; i--) {
    const node = ancestors[i];
    if (!node || !isFunction(node)) continue;
    let parent = ancestors[i - 1];
    if (parent?.type === "ParenthesizedExpression") parent = ancestors[i - 2];
    if (parent?.type !== "CallExpression" && parent?.type !== "NewExpression") return false;
  }
  return true;
}
