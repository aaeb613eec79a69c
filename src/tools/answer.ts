// Answers and refusals of the tools as data, before they become JSON text. An answer that exceeds the quota is shortened at
// its end, with a note.
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { ObservedText } from "./types.ts";

/** The data of an answer before it is charged to the quota. */
export interface Answer {
  ok: true;
  data: JsonObject;
  /** Log text in the answer, as evidence. */
  observed: ObservedText[];
  /** Files in the answer that may be read from now on: path as shown, path with links resolved. */
  discovered?: [shown: string, real: string][];
  summary: string;
}

/** A refusal: the violated rule, and what to do instead. */
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

/** Number of leading parts that fit in the budget, when `fixed` bytes are used already and each part costs its JSON plus
 * one byte. */
export function countFitting(parts: JsonValue[], fixed: number, budget: number): number {
  // Fast path: usually all fit. The JSON of the list has brackets and commas, one byte more than the parts cost.
  if (fixed + jsonBytes(parts) - 1 <= budget) return parts.length;
  let used = fixed;
  for (let i = 0; i < parts.length; i += 1) {
    used += jsonBytes(parts[i] ?? null) + 1;
    if (used > budget) return i;
  }
  return parts.length;
}
