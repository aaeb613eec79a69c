// Masking is dear and the same texts are stored again and again: what was masked once is remembered.
import type { Redact } from "../core/redact.ts";

/** Masked texts by the function that masks: shared by all that is masked by one function, dropped with it. */
const masked = new WeakMap<Redact, { texts: Map<string, string>; chars: number }>();
const MAX_REMEMBERED_CHARS = 8_000_000;

/** The same texts come up in every checkpoint and event; each is looked through once. */
export function remembering(mask: Redact): Redact {
  const memory = masked.get(mask) ?? { texts: new Map<string, string>(), chars: 0 };
  masked.set(mask, memory);
  return (text) => {
    const known = memory.texts.get(text);
    if (known !== undefined) return known;
    const result = mask(text);
    if (memory.chars + text.length > MAX_REMEMBERED_CHARS) {
      memory.texts.clear();
      memory.chars = 0;
    }
    memory.texts.set(text, result);
    memory.chars += text.length;
    return result;
  };
}
