// Case-insensitive matching by expansion. A pattern that ignores case throughout uses V8's `i`; one that does so in
// parts, `(?i:…)`, is expanded here, because in V8 13.6 the modifier of a group leaks into a following character class:
// /(?i:x*)??[\]a]/v matches "A" (test/sandbox/python-patterns.test.ts).
import { PatternError, type SetItem } from "./regex-tree.ts";

/** Maximum size of a range that is expanded character by character. */
const MAX_RANGE = 5_000;
/** Python treats these four as one letter; V8's case folding does not. */
const LETTER_I = [0x49, 0x69, 0x130, 0x131];
/** Letters outside ASCII that fold to an ASCII letter: long s and the Kelvin sign. */
const ASCII_EXTRAS: Record<number, number> = { 83: 0x17f, 115: 0x17f, 75: 0x212a, 107: 0x212a };

/** The code point and all code points equal to it when case is ignored. */
export function caseVariants(code: number): number[] {
  if (LETTER_I.includes(code)) return LETTER_I;
  const found = new Set([code]);
  const text = String.fromCodePoint(code);
  for (const form of [text.toLowerCase(), text.toUpperCase()]) {
    for (const variant of [form, form.toLowerCase(), form.toUpperCase()]) {
      const point = variant.codePointAt(0);
      if (point !== undefined && String.fromCodePoint(point) === variant) found.add(point);
    }
  }
  for (const point of [...found]) {
    const extra = ASCII_EXTRAS[point];
    if (extra !== undefined) found.add(extra);
  }
  return [...found];
}

/** Items to add where V8's `i` misses characters that Python treats as equal. */
export function extraItems(items: SetItem[]): SetItem[] {
  const covers = LETTER_I.some((code) =>
    items.some((item) => {
      if (item.kind === "char") return item.code === code;
      return item.kind === "range" && item.from <= code && code <= item.to;
    }),
  );
  return covers ? LETTER_I.map((code) => ({ kind: "char", code })) : [];
}

/** The items of a set with the case variants of every character. Categories are already closed under case. */
export function expandItems(items: SetItem[]): SetItem[] {
  const out: SetItem[] = [];
  for (const item of items) {
    if (item.kind === "char") {
      for (const code of caseVariants(item.code)) out.push({ kind: "char", code });
    } else if (item.kind === "range") {
      if (item.to - item.from > MAX_RANGE) {
        throw new PatternError("a large range in a part that ignores case is not supported");
      }
      out.push(item);
      for (let code = item.from; code <= item.to; code++) {
        for (const variant of caseVariants(code)) {
          if (variant < item.from || variant > item.to) out.push({ kind: "char", code: variant });
        }
      }
    } else out.push(item);
  }
  return out;
}
