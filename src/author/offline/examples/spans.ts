// Spans of texts in a line.
import { type Token, tokenize } from "./tokens.ts";

/** Half-open range of offsets in a line. */
export interface Span {
  start: number;
  end: number;
}

/** Spans of the parts of a record in one line, by name. */
export type Placement = ReadonlyMap<string, Span>;

/** The occurrences of a text in a line: those of whole tokens, or all if there are none. */
export function findOccurrences(
  line: string,
  text: string,
  tokens: readonly Token[] = tokenize(line),
): Span[] {
  if (text === "") return [];
  const spans: Span[] = [];
  for (let start = line.indexOf(text); start >= 0; start = line.indexOf(text, start + 1)) {
    spans.push({ start, end: start + text.length });
  }
  const borders = new Set(tokens.flatMap((token) => [token.start, token.start + token.text.length]));
  const whole = spans.filter(({ start, end }) => borders.has(start) && borders.has(end));
  return whole.length > 0 ? whole : spans;
}
