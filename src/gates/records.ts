// gate1_schema and gate1_type_safety: all records of all runs of Atom A have exactly the keys and types of the contract.
// Proves it for the inputs that were run; gate4_evidence checks the content of records.
// Targets numbers in `value`, 0-based or textual line numbers, additional or missing keys, a changed `source_file`, also in
// later records.
import type { ParsedItem } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import type { GateName } from "../contract/gates.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { show } from "./show.ts";

export interface RecordProblem {
  gate: Extract<GateName, "gate1_schema" | "gate1_type_safety">;
  code: FindingCode;
  message: string;
}

export const RECORD_KEYS = [
  "value",
  "source_file",
  "line_number",
  "matched_content",
  "parsed_fields",
] as const;

/** Validates the result of Atom A. */
export function readRecords(
  value: JsonValue,
  sourceFile: string,
): { ok: true; records: ParsedItem[] } | { ok: false; problem: RecordProblem } {
  if (!Array.isArray(value)) {
    const message = `\`extract_context\` must return an array of records, not ${kindOf(value)}.`;
    return { ok: false, problem: { gate: "gate1_schema", code: "not_an_array", message } };
  }
  for (const [index, record] of value.entries()) {
    const problem = recordProblem(record, sourceFile, index);
    if (problem) return { ok: false, problem };
  }
  return { ok: true, records: value as unknown as ParsedItem[] };
}

function recordProblem(record: JsonValue, sourceFile: string, index: number): RecordProblem | undefined {
  const schema = (code: FindingCode, message: string): RecordProblem => ({
    gate: "gate1_schema",
    code,
    message,
  });
  const type = (code: FindingCode, message: string): RecordProblem => ({
    gate: "gate1_type_safety",
    code,
    message,
  });
  const at = `Record ${index + 1}`;
  if (!isJsonObject(record))
    return schema("record_not_object", `${at} must be an object, not ${kindOf(record)}.`);
  const missing = RECORD_KEYS.filter((key) => !Object.hasOwn(record, key));
  if (missing.length > 0) {
    const hint = "; a key whose value is undefined counts as missing";
    return schema("record_keys", `${at} lacks ${missing.map((k) => `\`${k}\``).join(", ")}${hint}.`);
  }
  const extra = Object.keys(record).filter((key) => !RECORD_KEYS.some((known) => known === key));
  if (extra.length > 0) {
    const list = extra.slice(0, 5).map((k) => `\`${k}\``);
    const message = `${at} has the extra keys ${list.join(", ")}; put them into \`parsed_fields\`.`;
    return schema("record_keys", message);
  }
  if (typeof record["value"] !== "string") {
    const message = `ParsedItem['value'] must be str, but ${at.toLowerCase()} has ${kindOf(record["value"])} ${show(record["value"])}.`;
    return type("value_type", message);
  }
  if (typeof record["source_file"] !== "string") {
    return type(
      "source_file_type",
      `${at}: \`source_file\` must be a string, not ${kindOf(record["source_file"])}.`,
    );
  }
  if (record["source_file"] !== sourceFile) {
    const message = `${at}: \`source_file\` is ${show(record["source_file"])}; it must be the argument as passed in, ${show(sourceFile)}.`;
    return schema("source_file", message);
  }
  const line = record["line_number"];
  if (line !== null && (typeof line !== "number" || !Number.isInteger(line) || line < 1)) {
    const message = `${at}: \`line_number\` is ${show(line)}; it must be a whole number counted from 1, or null.`;
    return type("line_number_type", message);
  }
  if (typeof record["matched_content"] !== "string") {
    const message = `${at}: \`matched_content\` must be the text of the line, not ${kindOf(record["matched_content"])}.`;
    return type("matched_content_type", message);
  }
  const fields = record["parsed_fields"];
  if (!isJsonObject(fields)) {
    return type(
      "parsed_fields_type",
      `${at}: \`parsed_fields\` must be a plain object, not ${kindOf(fields)}.`,
    );
  }
  const reference = fields["indirect_reference"];
  const isPathList = Array.isArray(reference) && reference.every((path) => typeof path === "string");
  if (reference !== undefined && reference !== null && typeof reference !== "string" && !isPathList) {
    const message = `${at}: \`parsed_fields.indirect_reference\` must be a path or a list of paths.`;
    return type("indirect_reference_type", message);
  }
  return undefined;
}

/** The type of a JSON value with its article, for messages. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
