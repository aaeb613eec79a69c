// The texts and numbers in the fields of a record.
import { isJsonObject, type JsonValue } from "../core/json.ts";

/** The texts and numbers in a JSON value, with their dotted paths. */
export function* leaves(
  value: JsonValue,
  path: string,
): Generator<{ path: string; text: string; isText: boolean }> {
  if (typeof value === "string") yield { path, text: value, isText: true };
  else if (typeof value === "number") yield { path, text: String(value), isText: false };
  else if (Array.isArray(value)) for (const entry of value) yield* leaves(entry, path);
  else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value))
      yield* leaves(inner, path === "" ? key : `${path}.${key}`);
  }
}
