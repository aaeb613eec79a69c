// L0: conditions on fields, `where: {FIELD: V}` or `where: {FIELD: {equals|contains|at_least|at_most|matches: V}}`.
// docs/contract.md, section 3.
import { FIELD_TESTS, type FieldCondition, type FieldTest } from "../contract/config.ts";
import { numberOf } from "./conditions.ts";
import { type ConfigFindings, isNotApplicable, show } from "./config-findings.ts";
import type { NodeView } from "./yaml-map.ts";

/** The conditions of a `where`; none when it is missing or N/A. */
export function readWhere(
  node: NodeView | undefined,
  path: string,
  findings: ConfigFindings,
): FieldCondition[] {
  if (node === undefined || isNotApplicable(node)) return [];
  const view = node.view();
  if (view.kind !== "map") {
    findings.error(path, `must be a map of fields, e.g. {status: healthy}, not a ${view.kind}`, view.line);
    return [];
  }
  if (view.entries.length === 0) findings.error(path, "has no field; add one or remove the key", view.line);
  const seen = new Set<string>();
  return view.entries.flatMap(({ key, value, line }) => {
    if (seen.has(key)) findings.error(`${path}.${key}`, `the field ${key} is repeated here`, line);
    seen.add(key);
    return conditionsOf(key, value, `${path}.${key}`, findings);
  });
}

function conditionsOf(
  field: string,
  node: NodeView,
  path: string,
  findings: ConfigFindings,
): FieldCondition[] {
  const view = node.view();
  const tests = FIELD_TESTS.join(", ");
  if (view.kind === "scalar") return condition(field, "equals", node, path, findings);
  if (view.kind === "list" || view.entries.length === 0) {
    findings.error(path, `must be a text, a number, or a map with ${tests}`, view.line);
    return [];
  }
  const seen = new Set<string>();
  return view.entries.flatMap(({ key, value, line }) => {
    const test = FIELD_TESTS.find((known) => known === key);
    if (test === undefined || seen.has(key)) {
      const what = test === undefined ? `unknown test ${show(key)}` : `${key} is repeated here`;
      findings.error(path, `${what}; a condition has ${tests}`, line);
      return [];
    }
    seen.add(key);
    return condition(field, test, value, `${path}.${key}`, findings);
  });
}

function condition(
  field: string,
  test: FieldTest,
  node: NodeView,
  path: string,
  findings: ConfigFindings,
): FieldCondition[] {
  const view = node.view();
  if (view.kind !== "scalar" || (view.value === null && !view.quoted)) {
    findings.error(path, "must be a text or a number", view.line);
    return [];
  }
  const problem = problemOf(test, view.text);
  if (problem === undefined) return [{ field, test, wanted: view.text }];
  findings.error(path, `${problem}, not ${show(view.text)}`, view.line);
  return [];
}

function problemOf(test: FieldTest, wanted: string): string | undefined {
  if ((test === "at_least" || test === "at_most") && numberOf(wanted) === undefined)
    return "must be a number";
  if (test === "contains" && wanted === "") return "must not be empty";
  if (test !== "matches") return undefined;
  if (wanted === "") return "must not be empty";
  // Atom B, which evaluates it, treats a text with `|` as literal alternatives.
  return wanted.includes("|") ? "must be a regular expression without |" : undefined;
}
