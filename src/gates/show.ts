// Formats values for findings: short, quoted, on one line.
import type { JsonValue } from "../core/json.ts";
import { truncate } from "../core/limits.ts";

/** A JSON value, truncated to about `bytes` bytes. */
export function show(value: JsonValue | undefined, bytes = 100): string {
  return value === undefined ? "undefined" : truncate(JSON.stringify(value), bytes).text;
}
