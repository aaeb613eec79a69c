// Case-insensitive matching spelled out. V8's own `i` serves a pattern that ignores case throughout; a pattern
// that does so in parts, `(?i:…)`, is expanded here, because V8 13.6 lets the modifier of a group leak into a
// character class behind it: /(?i:x*)??[\]a]/v matches "A" (test/sandbox/python-patterns.test.ts).
import { PatternError, type SetItem } from "./regex-tree.ts";

/** Characters in a range that are expanded one by one, at most. */
const MAX_RANGE = 5_000;
/** Python holds these four for one letter; V8's folding does not. */
const LETTER_I = [0x49, 0x69, 0x130, 0x131];
/** Letters outside ASCII that fold to an ASCII letter: long s and the Kelvin sign. */
const ASCII_EXTRAS: Record<number, number> = { 83: 0x17f, 115: 0x17f, 75: 0x212a, 107: 0x212a };

/** The code point and all that equal it when case is ignored. */
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

/** Does V8's `i` miss an equality of Python's for this item? Then `extraItems` are added to it. */
export function extraItems(items: SetItem[]): SetItem[] {
  const covers = LETTER_I.some((code) =>
    items.some((item) => {
      if (item.kind === "char") return item.code === code;
      return item.kind === "range" && item.from <= code && code <= item.to;
    }),
  );
  return covers ? LETTER_I.map((code) => ({ kind: "char", code })) : [];
}

/** The items of a set, with every character's variants. Categories are closed under case as they are. */
export function expandItems(items: SetItem[]): SetItem[] {
  const out: SetItem[] = [];
  for (const item of items) {
    if (item.kind === "char") {
      for (const code of caseVariants(item.code)) out.push({ kind: "char", code });
    } else if (item.kind === "range") {
      if (item.to - item.from > MAX_RANGE) {
        throw new PatternError("a large range where case is ignored in a part is not supported");
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
