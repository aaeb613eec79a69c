// How answers and refusals are built: data first, then the JSON text that the author receives. What does not
// fit into the quota is left out from the end, and the answer says so.
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { ObservedText } from "./types.ts";

/** The data of an answer before it is counted. */
export interface Answer {
  ok: true;
  data: JsonObject;
  /** Log text in it, as evidence. */
  observed: ObservedText[];
  /** Files in it that may now be read: path as shown, path with links resolved. */
  discovered?: [shown: string, real: string][];
  summary: string;
}

/** A refusal teaches: which rule, and what may be done instead. */
export interface Refusal {
  ok: false;
  /** Stable machine name of the rule, e.g. `not_discovered`. */
  rule: string;
  message: string;
  instead?: string;
}

export function refuse(rule: string, message: string, instead?: string): Refusal {
  return instead === undefined ? { ok: false, rule, message } : { ok: false, rule, message, instead };
}

/** Bytes of a value in an answer. */
export function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** How many of the first parts fit when `fixed` bytes are spent already and each part costs its JSON and one. */
export function fitting(parts: JsonValue[], fixed: number, budget: number): number {
  // Mostly all of them do. The JSON of the list has a comma for each part and the brackets, one byte too many.
  if (fixed + jsonBytes(parts) - 1 <= budget) return parts.length;
  let used = fixed;
  for (let i = 0; i < parts.length; i += 1) {
    used += jsonBytes(parts[i] ?? null) + 1;
    if (used > budget) return i;
  }
  return parts.length;
}
