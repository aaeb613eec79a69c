// Masks secrets in text that leaves the process or is written down. Known values (the keys this run uses) are
// always masked; keys of known services and values of named settings when `llm.redact` is on.
import { maskServiceKeys } from "./services.ts";
import { namesSetting, SETTINGS } from "./settings.ts";

/** Masks; the same text in gives the same text out, so that a resumed or replayed run sees what the first saw. */
export type Redact = (text: string) => string;

/** Sizes of texts whose result is remembered, and of all remembered texts together, characters. */
const REMEMBERED = { least: 256, most: 64 * 1024, total: 4 * 1024 * 1024 };

/** Builds the masking function. `known` are exact secret values; values under 6 characters are left out, they
 * would mask ordinary words. */
export function createRedactor(options: { shapes: boolean; known: readonly string[] }): Redact {
  const known = options.known.filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    let out = text;
    for (const secret of known) out = out.replaceAll(secret, "[MASKED:known secret]");
    if (!options.shapes) return out;
    out = maskServiceKeys(out);
    const hasName = namesSetting(out);
    for (const { name, pattern, named } of SETTINGS) {
      if (named !== true || hasName) out = out.replace(pattern, `[MASKED:${name}]`);
    }
    return out;
  };
  // A conversation passes by with every request and every checkpoint: the texts used last are remembered.
  const memory = new Map<string, string>();
  let chars = 0;
  return (text) => {
    if (text.length < REMEMBERED.least || text.length > REMEMBERED.most) return mask(text);
    const seen = memory.get(text);
    const masked = seen ?? mask(text);
    // Least recently used first.
    if (seen === undefined) chars += text.length;
    else memory.delete(text);
    memory.set(text, masked);
    for (const oldest of memory.keys()) {
      if (chars <= REMEMBERED.total) break;
      memory.delete(oldest);
      chars -= oldest.length;
    }
    return masked;
  };
}

/** The same JSON value with every text in it masked; keys stay. What holds nothing to mask is returned as it is,
 * without a copy. */
export function redactDeep<T>(value: T, redact: Redact): T {
  if (typeof value === "string") return redact(value) as T;
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key];
    const after = redactDeep(before, redact);
    if (after === before) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[key] = after;
  }
  return (copy ?? value) as T;
}
