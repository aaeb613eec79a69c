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
): RowEvidence {
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
  const message = shown.map((line) => messageOf(line, log));
  return (at, span, hint) => {
    if (withBracket(shown[at] ?? "", span, printed[at] ?? [])) return NO_PLACEHOLDER;
    const known = message[at];
    if (known?.(span, hint) === true) return MESSAGE;
    if (at !== best || order === undefined) return 0;
    if (order.means(hint)) return order.score(span, hint);
    // What the list calls by another name is none of the parts that it does not name.
    return order.others.some((one) => overlaps(one.span, span)) ? -NAMED_ELSE : 0;
  };
}

/** What a plain words cost that all lines like its own have in its place. */
const MESSAGE = -1.5;
const MOST_LIKE = 200;

/** Is a part of the line plain words that all lines of the log built like it have, whose other words differ? */
function messageOf(line: string, log: readonly string[]): (span: Span, hint: Hint) => boolean {
  const words = [...line.matchAll(/\S+/g)];
  const own = words.map(([word]) => word);
  const like: string[][] = [];
  for (const text of log) {
    if (like.length >= MOST_LIKE) break;
    const others = text.trim().split(/\s+/);
    const same = others.filter((word, at) => word === own[at]).length;
    if (others.length === own.length && same >= 3 && same >= own.length * 0.6) like.push(others);
  }
  const shared = own.map((word, at) => like.every((others) => others[at] === word));
  const isTold = new Set(like.map((others) => others.join(" "))).size > 1;
  return ({ start, end }, { literals, choices }) => {
    const text = line.slice(start, end);
    const isPlain = /^[A-Za-z]+(?:\s+[a-z]+)*$/.test(text);
    if (!isTold || !isPlain || literals.includes(text) || choices.includes(text)) return false;
    const inside = words.flatMap((word, at) =>
      word.index < end && word.index + word[0].length > start ? [shared[at]] : [],
    );
    return inside.every((one) => one === true);
  };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
