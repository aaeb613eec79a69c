// Where the texts of an example stand in its line: every way to place them, likelier ones first.
import type { Token } from "./tokens.ts";
import { tokenize } from "./tokens.ts";

/** Half-open range of offsets in a line. */
export interface Span {
  start: number;
  end: number;
}

/** One way to place the parts of a record in one line, by name. */
export type Placement = ReadonlyMap<string, Span>;

/** Where a text stands in a line. Places that begin and end where tokens do come alone if there are any; the others
 * count where there are none. */
export function occurrences(line: string, text: string, tokens: readonly Token[] = tokenize(line)): Span[] {
  if (text === "") return [];
  const found: Span[] = [];
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    found.push({ start: at, end: at + text.length });
  }
  const borders = new Set(tokens.flatMap((token) => [token.at, token.at + token.text.length]));
  const whole = found.filter(({ start, end }) => borders.has(start) && borders.has(end));
  return whole.length > 0 ? whole : found;
}
