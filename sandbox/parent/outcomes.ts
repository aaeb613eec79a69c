// Parses the outcome lines of a child. The child is not trusted: kind, sizes and nesting are checked again, and objects
// get no prototype, so that `__proto__` and `constructor` are data.
import { z } from "zod";
import type { JsonValue } from "../../src/core/json.ts";
import type { CallLimits, Outcome } from "../types.ts";

const failureSchema = z.strictObject({
  kind: z.enum([
    "syntax",
    "missing_function",
    "threw",
    "timeout",
    "memory",
    "result_too_large",
    "result_invalid",
    "not_run",
  ]),
  message: z.string().max(10_000),
  name: z.string().max(1_000).optional(),
  line: z.int().min(1).optional(),
});

/** A malformed outcome line; the child that sent it is killed. */
export class ProtocolViolation extends Error {}

/** Parses one outcome. Throws ProtocolViolation. */
export function readOutcome(line: string, limits: CallLimits): Outcome {
  const space = line.indexOf(" ");
  const mark = line[0];
  const ms = Number(line.slice(1, space));
  if (space < 2 || !Number.isFinite(ms) || ms < 0) throw new ProtocolViolation("an outcome without a time");
  let value: unknown;
  try {
    value = JSON.parse(line.slice(space + 1));
  } catch {
    throw new ProtocolViolation("an outcome that is not JSON");
  }
  if (mark === "v") {
    if (line.length > limits.maxResultBytes + space + 1)
      throw new ProtocolViolation("an outcome over its limit");
    if (Array.isArray(value) && value.length > limits.maxRecords) {
      throw new ProtocolViolation("more records than the limit");
    }
    return { ok: true, value: withoutPrototypes(value as JsonValue, limits.maxDepth), ms };
  }
  const failure = mark === "e" ? failureSchema.safeParse(value) : undefined;
  if (failure === undefined || !failure.success) throw new ProtocolViolation("an outcome of an unknown kind");
  const { kind, message, name, line: at } = failure.data;
  return {
    ok: false,
    error: {
      kind,
      message,
      ...(name === undefined ? {} : { name }),
      ...(at === undefined ? {} : { line: at }),
    },
    ms,
  };
}

function withoutPrototypes(value: JsonValue, depthLeft: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depthLeft <= 0) throw new ProtocolViolation("a result nested deeper than the limit");
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const element = value[i];
      if (typeof element === "object" && element !== null)
        value[i] = withoutPrototypes(element, depthLeft - 1);
    }
    return value;
  }
  const out = Object.create(null) as { [key: string]: JsonValue };
  for (const key of Object.keys(value)) out[key] = withoutPrototypes(value[key] as JsonValue, depthLeft - 1);
  return out;
}
