// Scope analysis of an atom: the declaration that each name refers to. As in the language, `var` belongs to the function,
// and `let`, `const` and `class` to the block.
import type { AnyNode, Expression, Identifier, Pattern, Program } from "acorn";
import { type FunctionNode, isFunction, walk } from "./syntax-tree.ts";

export type BindingKind = "var" | "let" | "const" | "function" | "class" | "param" | "catch";

export interface Binding {
  name: string;
  kind: BindingKind;
  node: AnyNode;
  /** Function that contains the variable; null at top level. */
  owner: FunctionNode | null;
  /** Initial value of `const x = …`, for folding; absent for patterns and parameters. */
  init?: Expression;
  /** Number of assignments, except the initial value. */
  writes: number;
}

export interface Reference {
  node: Identifier;
  name: string;
  binding: Binding | undefined;
  ancestors: readonly AnyNode[];
  /** Key under the direct parent. */
  key: string;
  /** The name is assigned, also by `++`, `for (x of …)` or destructuring. */
  write: boolean;
}

export interface ScopeAnalysis {
  references: Reference[];
  /** Bindings at top level by name. */
  top: Map<string, Binding>;
  resolve(name: string, ancestors: readonly AnyNode[]): Binding | undefined;
}

class Scope {
  readonly names = new Map<string, Binding>();
}

/** Resolves every name of a program. */
export function analyseScopes(program: Program): ScopeAnalysis {
  const scopes = new Map<AnyNode, Scope>();
  const scopeAt = (node: AnyNode): Scope => {
    const scope = scopes.get(node) ?? new Scope();
    scopes.set(node, scope);
    return scope;
  };
  scopeAt(program);

  walk(program, (node, ancestors) => declare(node, ancestors, scopeAt));

  const resolve = (name: string, ancestors: readonly AnyNode[]): Binding | undefined => {
    for (let i = ancestors.length - 1; i >= 0; i--) {
      const node = ancestors[i];
      const binding = node && scopes.get(node)?.names.get(name);
      if (binding) return binding;
    }
    return undefined;
  };

  const references: Reference[] = [];
  walk(program, (node, ancestors, key) => {
    if (node.type !== "Identifier" || !isReference(node, ancestors, key)) return;
    const binding = resolve(node.name, ancestors);
    const write = isWrite(node, ancestors, key);
    const initial = binding !== undefined && isInitial(ancestors, key);
    if (write && binding && !initial) binding.writes += 1;
    references.push({
      node,
      name: node.name,
      binding,
      ancestors: [...ancestors],
      key,
      write: write && !initial,
    });
  });
  return { references, top: scopeAt(program).names, resolve };
}

/** Adds one declaration to the scope that belongs to `scope`. */
type Adder = (scope: AnyNode, name: string, kind: BindingKind, at: AnyNode, init?: Expression | null) => void;

function declare(node: AnyNode, ancestors: readonly AnyNode[], scopeAt: (node: AnyNode) => Scope): void {
  const add: Adder = (scope, name, kind, at, init) => {
    const names = scopeAt(scope).names;
    const known = names.get(name);
    // A second `var` or parameter of the same name is the same variable, which is not constant then.
    if (known) {
      known.writes += 1;
      return;
    }
    const owner = functionAround(scope, ancestors);
    names.set(name, { name, kind, node: at, owner, writes: 0, ...(init ? { init } : {}) });
  };
  if (node.type === "VariableDeclaration") declareVariables(node, ancestors, add);
  else if (isFunction(node)) declareFunction(node, ancestors, add);
  else if (node.type === "ClassDeclaration" && node.id) {
    add(blockScope(ancestors), node.id.name, "class", node);
  } else if (node.type === "ClassExpression" && node.id) {
    add(node, node.id.name, "class", node);
  } else if (node.type === "CatchClause" && node.param) {
    for (const id of patternNames(node.param)) add(node, id.name, "catch", id);
  }
}

function declareVariables(
  node: Extract<AnyNode, { type: "VariableDeclaration" }>,
  ancestors: readonly AnyNode[],
  add: Adder,
): void {
  const scope = node.kind === "var" ? functionScope(ancestors) : blockScope(ancestors);
  const kind = node.kind === "var" || node.kind === "let" ? node.kind : "const";
  for (const declarator of node.declarations) {
    const single = declarator.id.type === "Identifier" ? declarator.init : undefined;
    for (const id of patternNames(declarator.id)) add(scope, id.name, kind, id, single);
  }
}

function declareFunction(node: FunctionNode, ancestors: readonly AnyNode[], add: Adder): void {
  if (node.type === "FunctionDeclaration" && node.id) {
    add(blockScope(ancestors), node.id.name, "function", node);
  }
  if (node.type === "FunctionExpression" && node.id) add(node, node.id.name, "function", node);
  for (const param of node.params) {
    for (const id of patternNames(param)) add(node, id.name, "param", id);
  }
  if (node.type !== "ArrowFunctionExpression") add(node, "arguments", "param", node);
}

function functionAround(scope: AnyNode, ancestors: readonly AnyNode[]): FunctionNode | null {
  if (isFunction(scope)) return scope;
  const at = ancestors.lastIndexOf(scope);
  for (let i = at < 0 ? ancestors.length - 1 : at; i >= 0; i--) {
    const node = ancestors[i];
    if (node && isFunction(node)) return node;
  }
  return null;
}

function functionScope(ancestors: readonly AnyNode[]): AnyNode {
  for (let i = ancestors.length - 1; i >= 0; i--) {
    const node = ancestors[i];
    if (node && (isFunction(node) || node.type === "StaticBlock")) return node;
  }
  return ancestors[0] as AnyNode;
}

const BLOCKS = new Set([
  "BlockStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "StaticBlock",
]);

function blockScope(ancestors: readonly AnyNode[]): AnyNode {
  for (let i = ancestors.length - 1; i >= 0; i--) {
    const node = ancestors[i];
    if (!node) continue;
    if (isFunction(node)) return node;
    if (BLOCKS.has(node.type)) {
      // Simplification: the outermost block of a function has the same scope as its parameters.
      const parent = ancestors[i - 1];
      return parent && isFunction(parent) ? parent : node;
    }
  }
  return ancestors[0] as AnyNode;
}

/** Every name that a pattern declares. */
export function patternNames(pattern: Pattern | AnyNode): Identifier[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((p) => patternNames(p.type === "Property" ? p.value : p.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap((e) => (e ? patternNames(e) : []));
    case "RestElement":
      return patternNames(pattern.argument);
    case "AssignmentPattern":
      return patternNames(pattern.left);
    default:
      return [];
  }
}

/** Is this identifier a use of a variable, not a property name, a label or a declaration's own name? */
function isReference(node: Identifier, ancestors: readonly AnyNode[], key: string): boolean {
  const parent = ancestors[ancestors.length - 1];
  if (!parent) return false;
  switch (parent.type) {
    case "MemberExpression":
      return key === "object" || parent.computed;
    case "Property":
      // In `{a}` key and value are the same identifier: count it once, as the value.
      return key === "value" || (key === "key" && parent.computed);
    case "PropertyDefinition":
    case "MethodDefinition":
      return key === "value" || parent.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return key !== "label";
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ClassDeclaration":
    case "ClassExpression":
      return key !== "id" && !(key === "params");
    case "ArrowFunctionExpression":
      return key !== "params";
    case "CatchClause":
      return key !== "param";
    case "MetaProperty":
      return false;
    case "AssignmentPattern":
      return key === "right" || !isParameterPattern(ancestors);
    default:
      return node.name !== "" && !isParameterPattern(ancestors);
  }
}

/** Inside a parameter's pattern, but not inside a default value. */
function isParameterPattern(ancestors: readonly AnyNode[]): boolean {
  for (let i = ancestors.length - 1; i > 0; i--) {
    const node = ancestors[i];
    const parent = ancestors[i - 1];
    if (!node || !parent) return false;
    const isPattern =
      node.type === "ObjectPattern" ||
      node.type === "ArrayPattern" ||
      node.type === "RestElement" ||
      node.type === "AssignmentPattern" ||
      (node.type === "Property" && parent.type === "ObjectPattern");
    if (!isPattern) return false;
    if (isFunction(parent)) return true;
    if (parent.type === "CatchClause") return true;
  }
  return false;
}

function isWrite(node: AnyNode, ancestors: readonly AnyNode[], key: string): boolean {
  let child = node;
  let childKey = key;
  for (let i = ancestors.length - 1; i >= 0; i--) {
    const parent = ancestors[i];
    if (!parent) return false;
    switch (parent.type) {
      case "AssignmentExpression":
        return parent.left === child;
      case "UpdateExpression":
        return true;
      case "ForInStatement":
      case "ForOfStatement":
        return childKey === "left";
      case "VariableDeclarator":
        return childKey === "id";
      case "AssignmentPattern":
        if (childKey !== "left") return false;
        break;
      case "Property":
        if (ancestors[i - 1]?.type !== "ObjectPattern" || childKey !== "value") return false;
        break;
      case "ObjectPattern":
      case "ArrayPattern":
      case "RestElement":
        break;
      default:
        return false;
    }
    child = parent;
    childKey = keyIn(child, ancestors[i - 1]);
  }
  return false;
}

function isInitial(ancestors: readonly AnyNode[], key: string): boolean {
  let childKey = key;
  for (let i = ancestors.length - 1; i >= 0; i--) {
    const node = ancestors[i];
    if (!node) return false;
    if (node.type === "VariableDeclarator") return childKey === "id";
    if (
      node.type !== "ObjectPattern" &&
      node.type !== "ArrayPattern" &&
      node.type !== "RestElement" &&
      node.type !== "AssignmentPattern" &&
      node.type !== "Property"
    ) {
      return false;
    }
    childKey = keyIn(node, ancestors[i - 1]);
  }
  return false;
}

function keyIn(child: AnyNode, parent: AnyNode | undefined): string {
  if (!parent) return "";
  for (const [key, value] of Object.entries(parent)) {
    if (value === child || (Array.isArray(value) && value.includes(child))) return key;
  }
  return "";
}
