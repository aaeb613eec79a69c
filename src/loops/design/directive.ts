// The model replies with one JSON object, the directive. Its schema, its extraction from a reply, and error messages
// that the model can act on. Pure functions, independent of a project.
import { z } from "zod";
import { withoutThoughts } from "../../conversation/blocks.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { MAX_OPERATIONS, pointerProblem } from "./patches.ts";
import { operationSchema, questionSchema } from "./schemas.ts";

export const FULL = "full";

const runRequest = z.object({
  run: z.boolean().default(false),
  run_until: z.string().default(FULL),
  reason: z.string().default(""),
  expected_signal: z.string().default(""),
});
const need = z.boolean().default(false);
const contextRequests = z.object({
  need_full_spec: need,
  need_last_run_report: need,
  need_validity_report: need,
  need_network_artifact: need,
  need_specific_files: z.array(z.string()).default([]),
  need_more_history: need,
  why: z.string().default(""),
});
export type ContextRequests = z.infer<typeof contextRequests>;

export const directiveSchema = z.object({
  assistant_message: z.string(),
  questions: z.array(questionSchema).default([]),
  proposed_patches: z.array(operationSchema).max(MAX_OPERATIONS).default([]),
  run_request: runRequest.prefault({}),
  context_requests: contextRequests.prefault({}),
  confidence: z.number().min(0).max(1).optional(),
  requires_approval: z.boolean().default(true),
  stop: z.boolean().default(false),
});
export type Directive = z.infer<typeof directiveSchema>;

export type DirectiveReading =
  | { ok: true; directive: Directive; warnings: string[] }
  | { ok: false; problem: string; warnings: string[] };

const TOP = Object.keys(directiveSchema.shape);
const KEYS = {
  questions: Object.keys(questionSchema.shape),
  run_request: Object.keys(runRequest.shape),
  context_requests: Object.keys(contextRequests.shape),
};
/** Known keys of each operation. */
const OPERATION_KEYS: Record<string, readonly string[]> = {
  add: ["op", "path", "value"],
  replace: ["op", "path", "value"],
  test: ["op", "path", "value"],
  remove: ["op", "path"],
  move: ["op", "path", "from"],
  copy: ["op", "path", "from"],
};

/** Parses a reply. @param stages names of the pipeline's stages, without `full` */
export function readDirective(reply: string, stages: readonly string[]): DirectiveReading {
  const extracted = findObject(withoutThoughts(reply));
  if ("problem" in extracted) return { ok: false, problem: extracted.problem, warnings: [] };
  const warnings: string[] = [];
  const read = directiveSchema.safeParse(withKnownKeys(extracted.object, warnings));
  if (!read.success) {
    const problem = read.error.issues
      .slice(0, 8)
      .map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`)
      .join("; ");
    return { ok: false, problem, warnings };
  }
  const directive = read.data;
  const problems = [...operationProblems(directive), ...runProblems(directive, stages)];
  if (problems.length > 0) return { ok: false, problem: problems.slice(0, 8).join("; "), warnings };
  if (directive.requires_approval === false) {
    warnings.push("requires_approval: false is ignored, approval is always asked");
  }
  return { ok: true, directive, warnings };
}

/** Problems of operations that do not depend on a document. */
export function operationProblems({ proposed_patches }: Pick<Directive, "proposed_patches">): string[] {
  return proposed_patches.flatMap((operation, index) => {
    const { op, path, from } = operation;
    const at = `proposed_patches.${index}`;
    const needs = OPERATION_KEYS[op] ?? [];
    const wrong = pointerProblem(path);
    const source = needs.includes("from") ? pointerProblem(from ?? "") : undefined;
    return [
      ...(wrong === undefined ? [] : [`${at}.path: ${wrong}`]),
      ...(needs.includes("value") && operation.value === undefined ? [`${at}: ${op} needs a value`] : []),
      ...(needs.includes("from") && from === undefined ? [`${at}: ${op} needs from`] : []),
      ...(from === undefined || source === undefined ? [] : [`${at}.from: ${source}`]),
    ];
  });
}

function runProblems({ run_request: { run, run_until } }: Directive, stages: readonly string[]): string[] {
  if (!run || run_until === FULL || stages.includes(run_until)) return [];
  return [
    `run_request.run_until: unknown stage ${JSON.stringify(run_until)}; stages: ${[...stages, FULL].join(", ")}`,
  ];
}

/** The object with known keys only; `null` means missing, except for the value of an operation. */
function withKnownKeys(object: JsonObject, warnings: string[]): JsonObject {
  const top = pickKeys(object, TOP, "", warnings);
  for (const name of ["run_request", "context_requests"] as const) {
    const value = top[name];
    if (isJsonObject(value)) top[name] = pickKeys(value, KEYS[name], `${name}.`, warnings);
  }
  top["questions"] = cleanList(
    top["questions"],
    (question, at) => pickKeys(question, KEYS.questions, at, warnings),
    "questions",
  );
  top["proposed_patches"] = cleanList(
    top["proposed_patches"],
    (operation, at) => {
      const { op } = operation;
      const known =
        typeof op === "string" && Object.hasOwn(OPERATION_KEYS, op) ? OPERATION_KEYS[op] : undefined;
      return pickKeys(operation, known ?? ["op", "path", "value", "from"], at, warnings, ["value"]);
    },
    "proposed_patches",
  );
  return Object.fromEntries(Object.entries(top).filter(([, value]) => value !== undefined)) as JsonObject;
}

function cleanList(
  list: JsonValue | undefined,
  cleanEntry: (entry: JsonObject, at: string) => JsonObject,
  name: string,
): JsonValue {
  if (!Array.isArray(list)) return list as JsonValue;
  return list.map((entry, index) => (isJsonObject(entry) ? cleanEntry(entry, `${name}.${index}.`) : entry));
}

function pickKeys(
  object: JsonObject,
  known: readonly string[],
  at: string,
  warnings: string[],
  nullable: readonly string[] = [],
): JsonObject {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  for (const key of unknown.slice(0, 20)) warnings.push(`unknown key ${at}${key.slice(0, 60)} was dropped`);
  const entries = known.flatMap((key): [string, JsonValue][] => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    return value === undefined || (value === null && !nullable.includes(key)) ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** Maximum number of start positions to try. */
const MAX_STARTS = 500;

/** The first object in a reply that has `assistant_message`. */
function findObject(reply: string): { object: JsonObject } | { problem: string } {
  let first: JsonObject | undefined;
  let problem = "the reply holds no JSON object";
  let starts = 0;
  for (let start = reply.indexOf("{"); start >= 0 && starts < MAX_STARTS; starts += 1) {
    const end = endOfObject(reply, start);
    const value = parse(reply.slice(start, end ?? reply.length));
    if (typeof value !== "string") {
      if (Object.hasOwn(value, "assistant_message")) return { object: value };
      first ??= value;
      start = reply.indexOf("{", end);
    } else {
      if (starts === 0) problem = `the reply is not a JSON object: ${value}`;
      start = reply.indexOf("{", start + 1);
    }
  }
  return first === undefined ? { problem } : { object: first };
}

/** Index after the brace that closes the one at `start`; undefined if it is not closed. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inText = false;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (inText) {
      if (char === "\\") index += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === "{") depth += 1;
    else if (char === "}") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function parse(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "not an object";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
