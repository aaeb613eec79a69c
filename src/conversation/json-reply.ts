// Parses JSON replies: strict, for loops that accept exactly one object; lenient, for loops that also accept other
// forms.
import type { z } from "zod";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readBlocks, withoutThoughts } from "./blocks.ts";

export type JsonReply<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Reads a reply that must be exactly one JSON object; one fence around it and leading reasoning are tolerated. Prose, a
 * second fence or a schema violation is a problem. */
export function readJsonReply<T>(reply: string, schema: z.ZodType<T>): JsonReply<T> {
  const text = onlyText(withoutThoughts(reply).trim());
  if (text === undefined) return { ok: false, problem: "the reply is not one JSON object and nothing else" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `the reply is not JSON: ${reason}` };
  }
  if (!isJsonObject(value)) return { ok: false, problem: "the reply is JSON, but not an object" };
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, value: read.data };
  const problems = read.error.issues.slice(0, 5).map(({ path, message }) => {
    const where = path.join(".");
    return where === "" ? message : `${where}: ${message}`;
  });
  return { ok: false, problem: problems.join("; ") };
}

/** A JSON object that is the whole reply or one of its fenced blocks. */
export function findJsonObject(reply: string): JsonObject | undefined {
  const { blocks } = readBlocks(reply);
  const texts = [reply, ...blocks.filter((block) => block.language === "json").map((block) => block.text)];
  for (const text of texts) {
    if (!text.trimStart().startsWith("{")) continue;
    try {
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value)) return value;
    } catch {
      // Not JSON; try the next block.
    }
  }
  return undefined;
}

/** The text itself, or the content of the one fence around it. A fence inside a JSON string cannot be mistaken for one,
 * since JSON strings contain no raw line breaks. */
function onlyText(text: string): string | undefined {
  if (!/^(`{3,}|~{3,})/.test(text)) return text.startsWith("{") ? text : undefined;
  const { blocks, prose } = readBlocks(text);
  const [only, ...others] = blocks;
  return only !== undefined && others.length === 0 && prose === "" && !only.unclosed ? only.text : undefined;
}
