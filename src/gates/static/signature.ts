// The signatures of the three atoms: name, parameters in order, defaults (docs/contract.md, section 2).
import type { AnyNode, Pattern } from "acorn";
import { ATOM_FUNCTIONS, type Atom } from "../../contract/atoms.ts";
import type { FindingCode } from "../../contract/finding-codes.ts";
import type { StaticFinding } from "./forbidden.ts";
import type { ScopeAnalysis } from "./scopes.ts";
import { type FunctionNode, lineOf } from "./syntax-tree.ts";

interface Parameter {
  name: string;
  /** Source of the default, if there is one. */
  fallback?: string;
}

const PARAMETERS: Record<Atom, Parameter[]> = {
  atom_a: [{ name: "text" }, { name: "source_file" }],
  atom_b: [
    { name: "text" },
    { name: "pattern" },
    { name: "parsed_fields", fallback: "null" },
    { name: "default_match", fallback: '"contains"' },
    { name: "regex_mode", fallback: '"search"' },
  ],
  atom_c: [{ name: "items" }],
};

/** The required declaration. */
export function expectedSignature(atom: Atom): string {
  const params = PARAMETERS[atom].map((p) => (p.fallback ? `${p.name} = ${p.fallback}` : p.name));
  return `function ${ATOM_FUNCTIONS[atom]}(${params.join(", ")})`;
}

/** Problems with the declaration of one atom. */
export function signatureProblems(
  atom: Atom,
  program: AnyNode & { body: AnyNode[] },
  scopes: ScopeAnalysis,
): StaticFinding[] {
  const name = ATOM_FUNCTIONS[atom];
  const wanted = expectedSignature(atom);
  const declared = program.body.filter(
    (node): node is Extract<FunctionNode, { type: "FunctionDeclaration" }> =>
      node.type === "FunctionDeclaration" && node.id?.name === name,
  );
  const [first, second] = declared;
  if (!first) {
    const binding = scopes.top.get(name);
    const line = binding ? lineOf(binding.node) : 1;
    const how = binding ? "is not declared as a top-level function" : "is not defined";
    return [{ code: "missing_function", message: `\`${name}\` ${how}. Write \`${wanted} {…}\`.`, line }];
  }
  if (second) {
    const message = `\`${name}\` is defined a second time; only the last one would run.`;
    return [{ code: "defined_twice", message, line: lineOf(second) }];
  }
  const problems: StaticFinding[] = [];
  const add = (code: FindingCode, message: string): void => {
    problems.push({ code, message: `${message} Write \`${wanted}\`.`, line: lineOf(first) });
  };
  if (first.generator) add("generator", `\`${name}\` is a generator; it must return its result.`);
  if (first.async) add("async", `\`${name}\` is async; it must return its result directly.`);
  const binding = scopes.top.get(name);
  if (binding && binding.writes > 0) add("reassigned", `\`${name}\` is assigned after its declaration.`);
  const params = PARAMETERS[atom];
  if (first.params.length !== params.length) {
    add("parameter_count", `\`${name}\` has ${first.params.length} parameters, not ${params.length}.`);
    return problems;
  }
  params.forEach((param, i) => {
    const actual = first.params[i];
    if (actual) checkParameter(param, actual, i, scopes, add);
  });
  return problems;
}

function checkParameter(
  wanted: Parameter,
  actual: Pattern,
  index: number,
  scopes: ScopeAnalysis,
  add: (code: FindingCode, message: string) => void,
): void {
  const id = actual.type === "AssignmentPattern" ? actual.left : actual;
  if (id.type !== "Identifier") {
    add("parameter_pattern", `Parameter ${index + 1} must be the plain name \`${wanted.name}\`.`);
    return;
  }
  if (id.name !== wanted.name) {
    add("parameter_name", `Parameter ${index + 1} is \`${id.name}\`, not \`${wanted.name}\`.`);
  }
  const fallback = actual.type === "AssignmentPattern" ? constantText(actual.right, scopes) : undefined;
  if (actual.type !== "AssignmentPattern" && wanted.fallback !== undefined) {
    add("default_missing", `\`${wanted.name}\` has no default.`);
  } else if (actual.type === "AssignmentPattern" && wanted.fallback === undefined) {
    add("default_added", `\`${wanted.name}\` must have no default.`);
  } else if (actual.type === "AssignmentPattern" && fallback !== wanted.fallback) {
    add("default_wrong", `The default of \`${wanted.name}\` is not ${wanted.fallback}.`);
  }
}

function constantText(node: AnyNode, scopes: ScopeAnalysis): string | undefined {
  if (node.type === "Literal") return node.value === null ? "null" : JSON.stringify(node.value);
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) {
    return JSON.stringify(node.quasis[0]?.value.cooked);
  }
  if (node.type === "Identifier") {
    const binding = scopes.top.get(node.name);
    if (binding?.init && binding.writes === 0) return constantText(binding.init, scopes);
  }
  return undefined;
}
