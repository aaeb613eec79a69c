// Lines of the log built like an example: the same marks in the same places. They show which parts vary, which
// tells data from the words of the message.

import { type Token, tokenize } from "../logs/tokens.ts";
import type { Span } from "../parts/spans.ts";

const MAX_FAMILY = 40;
const MIN_FAMILY = 3;

/** Does a part of the example differ among the lines built like it? Undefined when there are too few. */
export function variationIn(
  example: string,
  lines: readonly string[],
): ((span: Span) => boolean | undefined) | undefined {
  const base = tokenize(example);
  const skeleton = skeletonOf(base);
  const family: (readonly Token[])[] = [];
  for (const line of lines) {
    if (family.length >= MAX_FAMILY) break;
    const tokens = tokenize(line);
    if (tokens.length !== base.length || skeletonOf(tokens) !== skeleton || !alike(base, tokens)) continue;
    family.push(tokens);
  }
  const first = family[0];
  if (first === undefined || family.length < MIN_FAMILY) return undefined;
  const varies = base.map((_, index) => family.some((tokens) => tokens[index]?.text !== first[index]?.text));
  return (span) =>
    base.some((token, index) => token.start < span.end && token.end > span.start && varies[index] === true);
}

function skeletonOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (token.kind === "punct" ? token.text : token.kind === "space" ? " " : "x"))
    .join("");
}

/** Half of the plain words of the example stand where they stand there. */
function alike(base: readonly Token[], tokens: readonly Token[]): boolean {
  const words = base.flatMap((token, index) => (token.kind === "word" ? [index] : []));
  const same = words.filter((index) => tokens[index]?.text === base[index]?.text).length;
  return words.length === 0 || same * 2 >= words.length;
}
