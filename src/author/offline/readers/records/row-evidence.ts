// What the lists of the page say about the parts of a block: one that names the parts of one of its lines tells which is
// which.

import type { Order } from "../../page/orders.ts";
import type { Hint } from "../../page/page.ts";
import { matchItems } from "../../parts/naming.ts";
import { sequenceOf } from "../../parts/sequence.ts";
import { NO_PLACEHOLDER, printedBrackets, sharedWith, withBracket } from "../../parts/shared.ts";
import type { Span } from "../../parts/spans.ts";

/** Scores a part of a line of the block for a hint. */
export type RowEvidence = (at: number, span: Span, hint: Hint) => number;

const NAMED_ELSE = 3;

const LEAST_NAMES = 2;

/** The evidence for the lines of a block; `spans` are the parts of each. */
export function rowEvidence(
  shown: readonly string[],
  hints: readonly Hint[],
  orders: readonly Order[],
  log: readonly string[],
  spans: readonly (readonly Span[])[],
): RowEvidence | undefined {
  // A list that names few of the parts says nothing of their places.
  const own = orders.filter(
    ({ line, items }) =>
      (line === undefined || shown.includes(line)) &&
      matchItems("", items, hints).filter((hint) => hint !== undefined).length >= LEAST_NAMES,
  );
  const shared = shown.map((line) => (own.length === 0 ? undefined : sharedWith(line, log)));
  const sequences = shown.map((line, at) =>
    own.length === 0 ? undefined : sequenceOf(line, own, hints, spans[at] ?? [], shared[at] ?? (() => 0)),
  );
  // A list is about one line of the block.
  const best = sequences.reduce(
    (found, one, at) => ((one?.mean ?? 0) > (sequences[found]?.mean ?? 0) ? at : found),
    0,
  );
  const order = sequences[best];
  const printed = shown.map((line) => printedBrackets(line, log));
  if (order === undefined && printed.every((one) => one.length === 0)) return undefined;
  return (at, span, hint) => {
    if (withBracket(shown[at] ?? "", span, printed[at] ?? [])) return NO_PLACEHOLDER;
    if (at !== best || order === undefined) return 0;
    if (order.means(hint)) return order.score(span, hint);
    // What the list calls by another name is none of the parts that it does not name.
    return order.others.some((one) => overlaps(one.span, span)) ? -NAMED_ELSE : 0;
  };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
