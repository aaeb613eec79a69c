// RFC 6902 patches with RFC 6901 pointers, applied completely or not at all to a copy. A library performs the
// operations; pointers are first resolved here, by own members only: an inherited name, an index with a leading zero
// or an invalid escape is an error.
import { applyPatch as applyOperations, type Operation as LibraryOperation } from "rfc6902";
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import type { Difference, Operation } from "./schemas.ts";

export type Applied = { ok: true; value: JsonValue } | { ok: false; problem: string };

/** Maximum number of operations of a patch; each operation copies the values it touches. */
export const MAX_OPERATIONS = 10_000;

/** Applies all operations to a copy, or returns the problem of the first one that cannot be applied. */
export function applyPatch(document: JsonValue, operations: readonly Operation[]): Applied {
  const copy = structuredClone(document);
  for (const [index, operation] of operations.entries()) {
    const problem = problemOf(copy, operation) ?? apply(copy, operation);
    if (problem !== undefined) {
      return { ok: false, problem: `operation ${index + 1} (${operation.op} ${operation.path}): ${problem}` };
    }
  }
  return { ok: true, value: copy };
}

/** The problem of a pointer's syntax, if any. */
export function pointerProblem(pointer: string): string | undefined {
  if (pointer === "") return "the whole document cannot be patched: name a member";
  if (!pointer.startsWith("/"))
    return `${JSON.stringify(pointer)} is not a JSON Pointer: it must begin with /`;
  if (/~(?![01])/.test(pointer)) {
    return `${JSON.stringify(pointer)} is not a JSON Pointer: write ~ as ~0, and / in a name as ~1`;
  }
  return tokensOf(pointer).includes("__proto__") ? "__proto__ cannot be a name in a spec" : undefined;
}

/** Names of a pointer, unescaped. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The value at a pointer, undefined if there is none. `""` is the document. */
export function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  return pointer === "" ? document : follow(document, tokensOf(pointer));
}

function follow(document: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of tokens) {
    if (Array.isArray(value)) value = isIndex(token) ? value[Number(token)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

function isIndex(token: string): boolean {
  return /^(0|[1-9]\d*)$/.test(token);
}

function problemOf(document: JsonValue, operation: Operation): string | undefined {
  const { op, path, from } = operation;
  const syntaxProblem = pointerProblem(path);
  if (syntaxProblem !== undefined) return syntaxProblem;
  if (op === "move" || op === "copy") {
    const source = pointerProblem(from ?? "");
    if (source !== undefined) return `from: ${source}`;
    if (valueAt(document, from ?? "") === undefined) return `there is nothing at ${from}`;
    if (op === "move" && path.startsWith(`${from}/`)) return "a value cannot be moved into itself";
  }
  if (op !== "add" && op !== "move" && op !== "copy") {
    return valueAt(document, path) === undefined ? `there is nothing at ${path}` : undefined;
  }
  return targetProblem(document, operation);
}

/** The problem of adding a value at the path, if any. */
function targetProblem(document: JsonValue, { op, path, from }: Operation): string | undefined {
  const tokens = tokensOf(path);
  const last = tokens.pop() ?? "";
  const parent = follow(document, tokens);
  if (isJsonObject(parent)) return undefined;
  if (!Array.isArray(parent)) return `no object or array at ${pointerOf(tokens) || "the top"}`;
  if (last === "-") return op === "add" ? undefined : "- stands for the end of an array only in add";
  if (!isIndex(last)) return `${JSON.stringify(last)} is not an array index`;
  const moved = op === "move" && pointerOf(tokens) === pointerOf(tokensOf(from ?? "").slice(0, -1)) ? 1 : 0;
  const size = parent.length - moved;
  return Number(last) > size ? `index ${last} is beyond the end of the array (${size})` : undefined;
}

function apply(document: JsonValue, operation: Operation): string | undefined {
  const [failure] = applyOperations(document, [structuredClone(operation) as LibraryOperation]);
  if (!failure) return undefined;
  return failure.name === "TestError"
    ? "the value there is another one"
    : failure.message.replace(/\s+/g, " ").slice(0, 200);
}

/** The difference of two documents: the smallest members that differ, in the order of the new document; arrays are
 * compared by index. */
export function differenceOf(before: JsonValue, after: JsonValue): Difference[] {
  const differences: Difference[] = [];
  compare(before, after, [], differences);
  return differences;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  tokens: (string | number)[],
  differences: Difference[],
): void {
  const pointer = pointerOf(tokens);
  if (after === undefined) {
    if (before !== undefined) differences.push({ pointer, op: "remove", old: before });
  } else if (before === undefined) {
    differences.push({ pointer, op: "add", new: after });
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const size = Math.max(before.length, after.length);
    for (let i = 0; i < size; i += 1) compare(before[i], after[i], [...tokens, i], differences);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const memberOf = (value: typeof before): JsonValue | undefined =>
        Object.hasOwn(value, key) ? value[key] : undefined;
      compare(memberOf(before), memberOf(after), [...tokens, key], differences);
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    differences.push({ pointer, op: "replace", old: before, new: after });
  }
}
