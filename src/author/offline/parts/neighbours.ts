// "the message, up to the location": what the description of a part says about the place of another one.

import { similarity } from "../page/names.ts";
import type { Placed } from "./assign.ts";
import { HALF, isHalf } from "./whole-pieces.ts";

const NEIGHBOUR =
  /\b(?:(up to|until|before|in front of|without)|(after|behind|following))\s+(?:the|its)\s+([a-z]+(?: [a-z]+)?)/gi;

/** "between `Error: ` and the message code" */
const BETWEEN = /\bbetween (?:[^,;]*? )?and (?:the|its)\s+([a-z]+(?: [a-z]+)?)/gi;

/** How well a part stands beside those that are placed, going by what their descriptions say of one another. */
export function neighbourScore(placed: readonly Placed[], option: Placed, line: string): number {
  return placed.reduce(
    (sum, other) => sum + told(option, other, line) + told(other, option, line) + glued(option, other, line),
    0,
  );
}

/** `ann@home` and not the name of one and the home of another: parts with one mark between them belong together. */
function glued(one: Placed, other: Placed, line: string): number {
  const [left, right] = one.span.start < other.span.start ? [one, other] : [other, one];
  const gap = line.slice(left.span.end, right.span.start);
  // The two halves of what would be one piece otherwise.
  if (/^\s+$/.test(gap) && isHalf(line, left.span) && isHalf(line, right.span)) return 2 * HALF;
  return /^[@:/#]$/.test(gap) ? 1.4 : /^[-._+~,]$/.test(gap) ? 1.2 : 0;
}

/** What the description of one part says about the other. */
function told(own: Placed, next: Placed, line: string): number {
  let score = 0;
  const between = [...own.hint.description.matchAll(BETWEEN)].map(
    (one): [string, undefined, undefined, string | undefined] => ["before", undefined, undefined, one[1]],
  );
  for (const [words, , after, name = ""] of [...own.hint.description.matchAll(NEIGHBOUR), ...between]) {
    const names = [name, name.split(" ")[0] ?? "", name.split(" ").at(-1) ?? ""];
    if (!names.some((one) => similarity(one, next.hint.name) >= 0.9)) continue;
    // "the path without the port": only what stands behind it says where it ends.
    if (/^without/i.test(words) && next.span.start < own.span.end) continue;
    const [left, right] = after === undefined ? [own, next] : [next, own];
    const gap = line.slice(left.span.end, right.span.start);
    if (left.span.end > right.span.start) score -= 3;
    else score += /^[^\p{L}\p{N}]*$/u.test(gap) ? 3 : -1;
  }
  return score;
}
