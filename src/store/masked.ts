// Memoizes masking: it is expensive, and the same texts are stored many times.
import type { Redact } from "../core/redact/index.ts";

/** Masked texts by masking function: shared by all users of the function and released with it. */
const masked = new WeakMap<Redact, { texts: Map<string, string>; chars: number }>();
const MAX_CACHED_CHARS = 8_000_000;

/** A masking function that scans each text only once. */
export function memoizedRedact(mask: Redact): Redact {
  const cached = masked.get(mask) ?? { texts: new Map<string, string>(), chars: 0 };
  masked.set(mask, cached);
  return (text) => {
    const known = cached.texts.get(text);
    if (known !== undefined) return known;
    const result = mask(text);
    if (cached.chars + text.length > MAX_CACHED_CHARS) {
      cached.texts.clear();
      cached.chars = 0;
    }
    cached.texts.set(text, result);
    cached.chars += text.length;
    return result;
  };
}
