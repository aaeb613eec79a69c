// Validates the records of Atom A: exact keys and types, without a schema because there may be a million records.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";

const KEYS = ["value", "source_file", "line_number", "matched_content", "parsed_fields"] as const;

export type RecordsChecked = { ok: true; items: ParsedItem[] } | { ok: false; problem: string };

/** Validates the list of records that an atom returned. With `sourceFile`, every record must name it. One invalid record
 * rejects the whole list. */
export function checkRecords(value: JsonValue, sourceFile?: string): RecordsChecked {
  if (!Array.isArray(value)) return { ok: false, problem: "did not return an array" };
  for (const [i, record] of value.entries()) {
    const problem = recordProblem(record, sourceFile);
    if (problem !== undefined) return { ok: false, problem: `record ${i}: ${problem}` };
  }
  return { ok: true, items: value as unknown as ParsedItem[] };
}

function recordProblem(record: JsonValue, sourceFile: string | undefined): string | undefined {
  if (!isJsonObject(record)) return "is not an object";
  const keys = Object.keys(record);
  if (keys.length !== KEYS.length || !KEYS.every((key) => Object.hasOwn(record, key))) {
    return `has the keys ${keys.join(", ").slice(0, 200)}; expected exactly ${KEYS.join(", ")}`;
  }
  if (typeof record["value"] !== "string") return "value is not a string";
  if (typeof record["matched_content"] !== "string") return "matched_content is not a string";
  if (!isJsonObject(record["parsed_fields"])) return "parsed_fields is not an object";
  const line = record["line_number"];
  if (line !== null && !(Number.isInteger(line) && (line as number) >= 1)) {
    return "line_number is neither null nor a whole number of at least 1";
  }
  if (typeof record["source_file"] !== "string") return "source_file is not a string";
  if (sourceFile !== undefined && record["source_file"] !== sourceFile) {
    return "source_file is not the file that was passed to the atom";
  }
  return undefined;
}
