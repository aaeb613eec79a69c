// gate1_evidence: Atom C returns true with the same items as evidence, complete and in order, or false without items.
// Proves it for null, empty and non-empty lists of many sizes, and for items made of the atom's own literals.
// Targets evidence that is filtered, copied partially, truncated, sorted, changed or invented, and policy in Atom C.

import type { AtomSession } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS, type ParsedItem } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import { AtomsmithError } from "../core/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { count } from "../core/words.ts";
import type { Findings } from "./findings.ts";
import { kindOf } from "./records.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";

const SIZES = [1, 2, 3, 4, 5, 7, 11, 16, 21, 33, 51, 101, 257, 1001];
const MAX_NUMBER = 20_000;

/** Runs the gate with generated items and with those of Atom A.
 * @param generated false if this source has passed with generated items */
export async function runEvidenceGate(
  session: AtomSession,
  literals: Literals,
  observed: readonly ParsedItem[],
  findings: Findings,
  generated = true,
): Promise<void> {
  const generatedLists: (JsonValue[] | null)[] = generated ? [null, [], ...itemLists(literals)] : [];
  const lists = [...generatedLists, ...observedLists(observed)];
  const outcomes = await session.callMany(
    ATOM_FUNCTIONS.atom_c,
    lists.map((items) => [items]),
    { limits: { timeoutMs: 4_000 } },
  );
  lists.forEach((items, i) => {
    const outcome = outcomes[i];
    if (!outcome) return;
    const example = `${ATOM_FUNCTIONS.atom_c}(${show(items, 200)})`;
    if (outcome.ok) {
      const wrong = evidenceProblem(outcome.value, items ?? []);
      if (wrong) findings.error("gate1_evidence", "atom_c", wrong.code, wrong.message, { example });
      return;
    }
    const { kind, message, name, line } = outcome.error;
    if (kind === "unavailable" || kind === "protocol") {
      throw new AtomsmithError("sandbox", `The sandbox failed while Atom C ran: ${message}`);
    }
    const what = items === null ? "null" : count(items.length, "item");
    const text = `Atom C must answer for null, empty and full lists; it failed on ${what}: ${name ? `${name}: ` : ""}${message}.`;
    findings.error("gate1_evidence", "atom_c", kind, text, { example, ...(line ? { line } : {}) });
  });
  findings.ran("gate1_evidence");
}

function observedLists(observed: readonly ParsedItem[]): JsonValue[][] {
  const items = JSON.parse(JSON.stringify(observed.slice(0, 500))) as JsonValue[];
  return items.length > 0 ? [items, items.slice(0, 1)] : [];
}

function itemLists(literals: Literals): JsonValue[][] {
  const texts = literals.texts.map((t) => t.text).slice(0, 60);
  const keys = literals.properties.slice(0, 60);
  const special: JsonValue[] = [
    item("", {}, null, ""),
    item("a", { severity: "INFO", waived: true, status: "PASS" }, 1, "a"),
    item("a", { severity: "INFO", waived: true, status: "PASS" }, 1, "a"),
    item("0", { n: 0, list: [1, { x: null }], deep: { deeper: { deepest: "é" } } }, null, "0"),
    item("N/A", { value: null }, 3, "N/A"),
    ...texts.map((text, i) => item(text, Object.fromEntries(keys.map((key) => [key, text])), i + 1, text)),
    ...texts.map((text) => item("x", { status: text, value: text, [text]: text }, 1, "x")),
    item("z", Object.fromEntries(keys.map((key) => [key, true])), 9, "z"),
    item("z", Object.fromEntries(keys.map((key) => [key, false])), 8, ""),
    item("z", Object.fromEntries(keys.map((key) => [key, null])), 8, ""),
  ];
  const sizes = [
    ...SIZES,
    ...literals.numbers.filter((n) => Number.isInteger(n) && n > 1 && n < MAX_NUMBER).map((n) => n + 1),
  ];
  const lists = sizes.map((size) =>
    Array.from({ length: size }, (_, i) => item(`v${(i * 7) % 10}`, { i }, size - i, `l${i}`)),
  );
  return [...special.map((entry) => [entry]), special, [...special].reverse(), ...lists];
}

function item(value: string, parsedFields: JsonObject, line: number | null, content: string): JsonValue {
  return {
    value,
    source_file: "/logs/a.log",
    line_number: line,
    matched_content: content,
    parsed_fields: parsedFields,
  };
}

function evidenceProblem(
  value: JsonValue,
  items: JsonValue[],
): { code: FindingCode; message: string } | undefined {
  if (!isJsonObject(value)) {
    return {
      code: "result_shape",
      message: `Atom C must return {is_match, reason, evidence}, not ${kindOf(value)}.`,
    };
  }
  const keys = Object.keys(value).sort().join(", ");
  if (keys !== "evidence, is_match, reason") {
    return {
      code: "result_keys",
      message: `Atom C returned the keys {${keys}}, not exactly {is_match, reason, evidence}.`,
    };
  }
  const { is_match, reason, evidence } = value;
  if (typeof reason !== "string") {
    return { code: "result_type", message: `Atom C's \`reason\` must be a string, not ${kindOf(reason)}.` };
  }
  const expected = items.length > 0;
  if (is_match !== expected) {
    const message = `Atom C must answer is_match ${expected} for ${count(items.length, "item")}; it answered ${show(is_match)}.`;
    return { code: "wrong_answer", message };
  }
  if (!Array.isArray(evidence)) {
    return {
      code: "evidence_type",
      message: `Atom C's \`evidence\` must be the list of items, not ${kindOf(evidence)}.`,
    };
  }
  if (evidence.length !== items.length) {
    const message = `Atom C's \`evidence\` must be the same items: expected ${items.length}, got ${evidence.length}.`;
    return { code: "evidence_cut", message };
  }
  const index = items.findIndex((entry, i) => canonical(entry) !== canonical(evidence[i]));
  if (index < 0) return undefined;
  const message = `Atom C's \`evidence\` must be the same items, unchanged and in order; expected item ${index + 1} to be ${show(items[index])}, got ${show(evidence[index])}.`;
  return { code: "evidence_changed", message };
}

function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "undefined";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}
