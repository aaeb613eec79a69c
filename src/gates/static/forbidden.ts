// Forbidden constructs in the syntax tree of an atom. Each rule is a function of one node.
import type { AnyNode } from "acorn";
import type { FindingCode } from "../../contract/finding-codes.ts";
import {
  ALLOWED_GLOBALS,
  FORBIDDEN_GLOBALS,
  FORBIDDEN_OBJECT_METHODS,
  FORBIDDEN_PROPERTIES,
  FROZEN_MODULES,
  NAMESPACES,
} from "./builtins.ts";
import { foldString } from "./fold.ts";
import type { Reference, ScopeAnalysis } from "./scopes.ts";
import { type FunctionNode, isFunction, lineOf, walk } from "./syntax-tree.ts";

export interface StaticFinding {
  code: FindingCode;
  message: string;
  line: number;
}

/** The forbidden constructs of an atom, in source order. */
export function forbiddenIn(program: AnyNode, scopes: ScopeAnalysis): StaticFinding[] {
  const findings: StaticFinding[] = [];
  const add = (code: FindingCode, node: AnyNode, message: string): void => {
    findings.push({ code, message, line: lineOf(node) });
  };
  for (const reference of scopes.references) checkReference(reference, add);
  walk(program, (node, ancestors, key) => {
    checkSyntax(node, ancestors, add);
    if (node.type === "MemberExpression") checkMember(node, ancestors, scopes, add);
    if (node.type === "Property" && ancestors.at(-1)?.type === "ObjectPattern") {
      const name = propertyName(node, ancestors, scopes);
      const rule = name === undefined ? undefined : FORBIDDEN_PROPERTIES.get(name);
      if (name !== undefined && rule) add(rule.code, node, `\`${name}\` ${rule.why}.`);
    }
    if (node.type === "ThisExpression") checkThis(node, ancestors, add);
    if (key === "argument" && node.type === "MemberExpression" && isDelete(ancestors)) {
      const root = rootName(node);
      if (root && isFreeBuiltin(root, ancestors, scopes)) {
        add("builtin_patched", node, `\`delete\` on the builtin \`${root}\`; builtins must not be changed.`);
      }
    }
  });
  return findings.sort((a, b) => a.line - b.line);
}

type Add = (code: FindingCode, node: AnyNode, message: string) => void;

function checkReference(reference: Reference, add: Add): void {
  const { name, binding, node, ancestors, key } = reference;
  if (binding) return;
  const why = FORBIDDEN_GLOBALS.get(name);
  if (why !== undefined) {
    add("forbidden_name", node, `\`${name}\` is not allowed: it ${why}.`);
    return;
  }
  if (!ALLOWED_GLOBALS.has(name)) {
    const hint = reference.write ? "declare it with const or let" : "declare it in this file";
    add("undeclared_name", node, `\`${name}\` is not declared; ${hint}, or use an available global.`);
    return;
  }
  if (reference.write) {
    add("builtin_patched", node, `The builtin \`${name}\` is assigned; builtins must not be changed.`);
    return;
  }
  if (NAMESPACES.has(name)) {
    const parent = ancestors.at(-1);
    if (parent?.type !== "MemberExpression" || key !== "object") {
      add(
        "hidden_use",
        node,
        `Use \`${name}\` only as \`${name}.method\`; other uses hide which method is called.`,
      );
    }
  }
}

function checkSyntax(node: AnyNode, ancestors: readonly AnyNode[], add: Add): void {
  switch (node.type) {
    case "ImportExpression":
      add("import", node, "`import()` is not allowed: an atom has everything in its own file.");
      return;
    case "AwaitExpression":
      add("async", node, "`await` is not allowed: an atom returns its result directly.");
      return;
    case "ForOfStatement":
      if (node.await) add("async", node, "`for await` is not allowed: an atom returns its result directly.");
      return;
    case "WithStatement":
      add("dynamic_scope", node, "`with` is not allowed: it hides which names are used.");
      return;
    case "DebuggerStatement":
      add("debugger", node, "`debugger` is not allowed in an atom.");
      return;
    case "Property":
      if ((node.kind === "get" || node.kind === "set") && ancestors.at(-1)?.type === "ObjectExpression") {
        add(
          "getter_in_result",
          node,
          "Getters and setters in objects are not allowed; records have plain values.",
        );
      }
      return;
    default:
      if (isFunction(node) && node.async) {
        add("async", node, "`async` is not allowed: an atom returns its result directly.");
      }
  }
}

type Member = Extract<AnyNode, { type: "MemberExpression" }>;

/** Name of the accessed property, if it is constant. */
export function memberName(
  node: Member,
  ancestors: readonly AnyNode[],
  scopes: ScopeAnalysis,
): string | undefined {
  if (!node.computed) return node.property.type === "Identifier" ? node.property.name : undefined;
  return foldString(node.property, ancestors, scopes);
}

function propertyName(
  node: Extract<AnyNode, { type: "Property" }>,
  ancestors: readonly AnyNode[],
  scopes: ScopeAnalysis,
): string | undefined {
  if (!node.computed && node.key.type === "Identifier") return node.key.name;
  return foldString(node.key, ancestors, scopes);
}

function checkMember(node: Member, ancestors: readonly AnyNode[], scopes: ScopeAnalysis, add: Add): void {
  const name = memberName(node, ancestors, scopes);
  const { object } = node;
  if (name === undefined) {
    const builtin =
      object.type === "Identifier" &&
      isFreeBuiltin(object.name, ancestors, scopes) &&
      !FROZEN_MODULES.has(object.name);
    const hidden = builtin || isFunction(object);
    if (node.computed && hidden) {
      const what = object.type === "Identifier" ? `\`${object.name}[…]\`` : "a function's property";
      add("hidden_use", node, `${what} is accessed by a computed name; write the name literally.`);
    }
    return;
  }
  const rule = FORBIDDEN_PROPERTIES.get(name);
  if (rule) add(rule.code, node, `\`${name}\` is not allowed: it ${rule.why}.`);
  if (object.type !== "Identifier") {
    checkPatch(node, ancestors, scopes, add);
    return;
  }
  if (isFreeBuiltin(object.name, ancestors, scopes)) {
    if (object.name === "Math" && name === "random") {
      add("randomness", node, "`Math.random` is not allowed: the same input must give the same result.");
    }
    const code = object.name === "Object" ? FORBIDDEN_OBJECT_METHODS.get(name) : undefined;
    if (code !== undefined) {
      add(code, node, `\`Object.${name}\` is not allowed; build plain objects with plain values.`);
    }
    if (name === "prototype" && !isBorrowedMethod(node, ancestors)) {
      const message = `\`${object.name}.prototype\` may only be used to call a method: \`${object.name}.prototype.x.call(…)\`.`;
      add("builtin_patched", node, message);
    }
  }
  checkPatch(node, ancestors, scopes, add);
}

/** Reports assignments to properties of builtins, at any depth: `String.x = …`, `Array.prototype.y = …`. */
function checkPatch(node: Member, ancestors: readonly AnyNode[], scopes: ScopeAnalysis, add: Add): void {
  const parent = ancestors.at(-1);
  const assigned =
    (parent?.type === "AssignmentExpression" && parent.left === node) || parent?.type === "UpdateExpression";
  if (!assigned) return;
  const root = rootName(node);
  if (root && isFreeBuiltin(root, ancestors, scopes)) {
    add("builtin_patched", node, `The builtin \`${root}\` is changed; builtins must not be changed.`);
  }
}

/** `X.prototype.method.call(…)`, `.apply`, `.bind`: reading a method to borrow it. */
function isBorrowedMethod(node: Member, ancestors: readonly AnyNode[]): boolean {
  const method = ancestors.at(-1);
  const call = ancestors.at(-2);
  return (
    method?.type === "MemberExpression" &&
    method.object === node &&
    call?.type === "MemberExpression" &&
    call.object === method &&
    call.property.type === "Identifier" &&
    ["call", "apply", "bind"].includes(call.property.name)
  );
}

function isDelete(ancestors: readonly AnyNode[]): boolean {
  const parent = ancestors.at(-1);
  return parent?.type === "UnaryExpression" && parent.operator === "delete";
}

function isFreeBuiltin(name: string, ancestors: readonly AnyNode[], scopes: ScopeAnalysis): boolean {
  return scopes.resolve(name, ancestors) === undefined && ALLOWED_GLOBALS.has(name);
}

/** Name at the left end of `a.b[c].d`. */
export function rootName(node: AnyNode): string | undefined {
  let root: AnyNode = node;
  while (root.type === "MemberExpression" || root.type === "ChainExpression") {
    root = root.type === "MemberExpression" ? root.object : root.expression;
  }
  return root.type === "Identifier" ? root.name : undefined;
}

/** `this` of a plain call is the global object: allowed in classes, methods and constructor functions only. */
function checkThis(node: AnyNode, ancestors: readonly AnyNode[], add: Add): void {
  for (let i = ancestors.length - 1; i >= 0; i--) {
    const at = ancestors[i];
    if (!at) break;
    if (at.type === "PropertyDefinition" || at.type === "StaticBlock") return;
    if (!isFunction(at) || at.type === "ArrowFunctionExpression") continue;
    if (!isPlainlyCalled(at, ancestors[i - 1], ancestors.slice(0, i))) return;
    break;
  }
  add("global_this", node, "`this` is the global object here; pass what is needed as an argument.");
}

const ATOM_NAMES = new Set(["extract_context", "validate_logic", "check_existence"]);

function isPlainlyCalled(
  fn: FunctionNode,
  parent: AnyNode | undefined,
  ancestors: readonly AnyNode[],
): boolean {
  if (fn.type === "FunctionDeclaration") {
    return ATOM_NAMES.has(fn.id?.name ?? "") && ancestors.every((a) => !isFunction(a));
  }
  return parent?.type === "CallExpression" && parent.callee === fn;
}
