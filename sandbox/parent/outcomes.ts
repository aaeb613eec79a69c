// Parses the outcome lines of a child. The child is not trusted: kind, sizes and nesting are checked again, and objects
// get no prototype, so that `__proto__` and `constructor` are data.
import { z } from "zod";
import type { JsonValue } from "../../src/core/json.ts";
import type { CallLimits, Outcome } from "../types.ts";
import { estimateParsedBytes } from "./result-size.ts";

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

/** A shorter line is parsed without an estimate of its size in memory. */
const SMALL_CHARS = 1024 * 1024;
const MIB = 1024 * 1024;

/** A malformed outcome line; the child that sent it is killed. */
export class ProtocolViolation extends Error {}

/** Parses one outcome. A value that would take more memory than the call may use is a `result_too_large`. Throws
 * ProtocolViolation. */
export function readOutcome(line: string, limits: CallLimits): Outcome {
  const space = line.indexOf(" ");
  const mark = line[0];
  const ms = Number(line.slice(1, space));
  if (space < 2 || !Number.isFinite(ms) || ms < 0) throw new ProtocolViolation("an outcome without a time");
  if (
    line.length > SMALL_CHARS &&
    estimateParsedBytes(line, space + 1, limits.memoryMb * MIB) > limits.memoryMb * MIB
  ) {
    const message = `the parsed result would take more than ${limits.memoryMb} MiB of memory`;
    return { ok: false, error: { kind: "result_too_large", message }, ms };
  }
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
    removePrototypes(value as JsonValue, limits.maxDepth);
    return { ok: true, value: value as JsonValue, ms };
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

/** Removes the prototypes of all objects in place, so that a large result exists only once. Throws ProtocolViolation. */
function removePrototypes(value: JsonValue, depthLeft: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depthLeft <= 0) throw new ProtocolViolation("a result nested deeper than the limit");
  if (Array.isArray(value)) {
    for (const element of value) removePrototypes(element, depthLeft - 1);
    return;
  }
  Object.setPrototypeOf(value, null);
  for (const key in value) removePrototypes(value[key] as JsonValue, depthLeft - 1);
}
