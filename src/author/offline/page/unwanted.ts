// Which of the texts quoted in sentences about what is not wanted tell unwanted lines: not those that the page's own
// examples have as well.

import type { Group } from "./page.ts";
import { bare, quotedIn, type Statement } from "./text.ts";

const ELSE = /\b(?:else|others?|the rest|any further|remaining|more)\b/i;

/** The texts that unwanted lines have and wanted ones have not. "Whatever else is said about `a` and `b` is ignored": a
 * wanted line says something about one of them, so that neither tells anything. */
export function tellingTexts(
  unwanted: readonly string[],
  statements: readonly Statement[],
  groups: readonly Group[],
): string[] {
  const lines = groups.flatMap(({ examples }) =>
    examples.flatMap((one) =>
      one.lines.length === 1 && !unwanted.includes(one.lines[0] ?? "") ? one.lines : [],
    ),
  );
  if (lines.length === 0) return [...unwanted];
  const shared = new Set<string>();
  for (const { text } of statements.flatMap((one) => one.sentences)) {
    const quoted = quotedIn(text).map((span) => span.text);
    if (!ELSE.test(bare(text)) || !quoted.some((one) => lines.some((line) => line.includes(one)))) continue;
    for (const one of quoted) shared.add(one);
  }
  return unwanted.filter((one) => !shared.has(one) && !lines.every((line) => line.includes(one)));
}
