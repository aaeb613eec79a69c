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
    const known = message[at] ?? (() => 0);
    const said = known(span, hint);
    if (said !== 0) return said;
    if (at !== best || order === undefined) return 0;
    if (order.means(hint)) return order.score(span, hint);
    // What the list calls by another name is none of the parts that it does not name.
    return order.others.some((one) => overlaps(one.span, span)) ? -NAMED_ELSE : 0;
  };
}

/** What plain words cost that all lines like their own have in their place. */
const MESSAGE = -1.5;
/** What a plain word gains in whose place lines built like its own have others. */
const VARIES = 1.5;
const MOST_LIKE = 200;

/** Whether a part of the line is plain words that all lines of the log built like it have, whose other words differ, or
 * one in whose place there are others. */
function messageOf(line: string, log: readonly string[]): (span: Span, hint: Hint) => number {
  const words = [...line.matchAll(/\S+/g)];
  const own = words.map(([word]) => word);
  const form = formOf(own);
  const like: string[][] = [];
  const built: string[][] = [];
  for (const text of log) {
    if (like.length >= MOST_LIKE || built.length >= MOST_LIKE) break;
    const others = text.trim().split(/\s+/);
    if (others.length !== own.length) continue;
    const same = others.filter((word, at) => word === own[at]).length;
    if (same >= 3 && same >= own.length * 0.6) like.push(others);
    if (others.some((word, at) => PLAIN.test(word) && word === own[at]) && formOf(others) === form)
      built.push(others);
  }
  const shared = own.map((word, at) => like.every((others) => others[at] === word));
  const varies = own.map((word, at) => PLAIN.test(word) && built.some((others) => others[at] !== word));
  const isTold = new Set(like.map((others) => others.join(" "))).size > 1;
  return ({ start, end }, { literals, choices }) => {
    const text = line.slice(start, end);
    const isPlain = /^[A-Za-z]+(?:\s+[a-z]+)*$/.test(text);
    if (!isPlain || literals.includes(text) || choices.includes(text)) return 0;
    const inside = words.flatMap((word, at) =>
      word.index < end && word.index + word[0].length > start ? [at] : [],
    );
    // "Suggestion:" is a cell of its own.
    const last = words[inside.at(-1) ?? -1];
    const isWhole = last !== undefined && last.index + last[0].length === end;
    if (isTold && isWhole && inside.every((at) => shared[at] === true)) return MESSAGE;
    return isWhole && inside.length === 1 && varies[inside[0] ?? -1] === true ? VARIES : 0;
  };
}

const PLAIN = /^[a-z]+$/;

/** The kinds of the words of a line, marks as they are. */
function formOf(words: readonly string[]): string {
  return words
    .map((word) =>
      PLAIN.test(word) ? "w" : word.replace(/[A-Za-z\d]+/g, (run) => (/^\d+$/.test(run) ? "9" : "m")),
    )
    .join(" ");
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
