// The names of a list set beside the pieces of a line in their order: the best way to give every name its piece, with
// what the names say of their texts, the marks between them, and as little of the line left over as possible. Exact, by
// dynamic programming, so that a list of many names says of every part how much worse another place would be.

import { similarity } from "../page/names.ts";
import type { Order, OrderItem } from "../page/orders.ts";
import type { Hint } from "../page/page.ts";
import { cellsOf } from "./cells.ts";
import type { Span } from "./evidence.ts";
import { matchItems } from "./naming.ts";
import { clamp, inCell, ownScore, pieceScore } from "./pieces.ts";
import { NO_PLACEHOLDER } from "./shared.ts";

/** How a line is cut by the names of a list. */
export interface Sequence {
  /** The pieces of the names that are neither value nor field. */
  others: { name: string; span: Span }[];
  /** What the order says about a part for a hint. */
  score: (span: Span, hint: Hint) => number;
  /** Pieces that are cells by the order alone. */
  cells: Span[];
  /** The cells, when the line has as many between marks as the list has names. */
  marked?: readonly Span[];
  /** Does the order have a name for the hint? What the hint says about its text is part of the order's score then. */
  names: (hint: Hint) => boolean;
  /** Does a name of the order mean the hint, be it a piece of what is named? */
  means: (hint: Hint) => boolean;
  /** How well the names explain the line, in the mean. */
  mean: number;
}

const SKIPPED = 3;
const SKIPPED_OPTIONAL = 1;
/** What a word or datum of the line costs that no name covers. */
const WORD_COST = 1.1;
const DATA_COST = 1.6;
/** The best place of a hint is worth this much, others less by how much worse the whole reading becomes. */
const WORTH = 8;
const WORTH_TOLD = 6;
/** Only marks between two parts. */
const BESIDE = 0.6;
const MOST_SPANS = 320;
/** A name of the list explains its piece at least this well in the mean, else the list is none of this line. */
const LEAST_MEAN = 0.2;

/** The best order of the page for a line, or undefined when none explains it. */
export function sequenceOf(
  line: string,
  orders: readonly Order[],
  hints: readonly Hint[],
  spans: readonly Span[],
  more: (span: Span, hint: Hint) => number,
): Sequence | undefined {
  if (orders.length === 0 || line.includes("\n")) return undefined;
  const beside = orders.filter((order) => order.line?.trim() === line.trim());
  const open = orders.filter((order) => order.line === undefined || beside.length === 0);
  let best: { table: Table; mean: number; cells: readonly (Span | undefined)[] | undefined } | undefined;
  // A cell is what stands in brackets where the log prints the brackets.
  const inner = (cell: Span | undefined): Span | undefined =>
    cell !== undefined && hints.every((hint) => more(cell, hint) <= NO_PLACEHOLDER / 2)
      ? { start: cell.start + 1, end: cell.end - 1 }
      : cell;
  const tried = [...beside, ...open].flatMap((order) =>
    [undefined, ...cellsFor(line, order).map((cells) => cells.map(inner))].map((cells) => ({
      order,
      cells,
    })),
  );
  for (const { order, cells } of tried) {
    const table = tableOf(line, order, hints, spans, cells, more);
    if (table === undefined) continue;
    const mean = table.best / order.items.length;
    if (mean < LEAST_MEAN) continue;
    // A list beside the very example comes first.
    const first = best !== undefined && beside.includes(best.table.order) && !beside.includes(order);
    if (best === undefined || (!first && mean > best.mean)) best = { table, mean, cells };
  }
  if (best === undefined) return undefined;
  const result = resultOf(line, best.table, hints, beside.includes(best.table.order));
  const marked = (best.cells ?? []).flatMap((cell) =>
    cell !== undefined && /^\s*[;|\t,]/.test(line.slice(cell.end)) ? [cell] : [],
  );
  return marked.length > 1 ? { ...result, marked } : result;
}

/** The cells of the names, by ways to cut the line. Names behind a gap are counted from the end. */
export function cellsFor(line: string, { items, open }: Order): (Span | undefined)[][] {
  const at = items.findIndex(({ apart }) => apart === true);
  // "a time in brackets and then, separated by semicolons, ...": the first names may stand in front of the cells.
  if (at < 0) {
    for (let ahead = 0; ahead <= 3 && items.length - ahead >= (ahead === 0 ? 2 : 4); ahead += 1) {
      const ways = cellsOf(line, items.length - ahead, open, ahead > 0);
      if (ways.length > 0)
        return ways.map((cells) => [...items.slice(0, ahead).map(() => undefined), ...cells]);
    }
    return [];
  }
  return cellsOf(line, items.length, true).map((cells) => [
    ...cells.slice(0, at),
    ...cells.slice(cells.length - (items.length - at)),
  ]);
}

interface Table {
  order: Order;
  matched: readonly (Hint | undefined)[];
  /** Total of the best reading with an item on a span, by item and span. */
  totals: Map<string, number>[];
  best: number;
  /** The pieces of the best reading, by item. */
  path: (Span | undefined)[];
}

const idOf = (span: Span): string => `${span.start}:${span.end}`;

export function tableOf(
  line: string,
  order: Order,
  hints: readonly Hint[],
  all: readonly Span[],
  cells: readonly (Span | undefined)[] | undefined,
  more: (span: Span, hint: Hint) => number,
): Table | undefined {
  const matched = matchItems(line, order.items, hints);
  // "all of the rest of the row": it leaves nothing out in front of it.
  const items = order.items.map((item, at) =>
    REST.test(matched[at]?.description ?? "") ? { ...item, rest: true } : item,
  );
  if (matched.every((hint) => hint === undefined)) return undefined;
  const spans = usable(line, all, cells?.filter((cell) => cell !== undefined) ?? []);
  const cost = costs(line);
  const ends = [...new Set([0, ...spans.map((span) => span.end)])].sort((a, b) => a - b);
  const endAt = new Map(ends.map((end, index) => [end, index]));
  const own = items.map((item, index) => {
    const isLast = index === items.length - 1 && !order.open;
    const cell = cells?.[index];
    return spans.map(
      (span) =>
        ownScore(line, span, item, matched[index], more) +
        (cell === undefined
          ? pieceScore(line, span, item, matched[index], items[index + 1], isLast)
          : inCell(line, span, cell)),
    );
  });
  // An empty cell has its name, and no text.
  const isEmpty = (at: number): boolean => cells?.[at] !== undefined && cells[at].end <= cells[at].start;
  const skip = items.map((item, at) => (isEmpty(at) ? 0 : item.optional ? SKIPPED_OPTIONAL : SKIPPED));
  // In front of cells may stand what every line of the log has.
  const lead = cells !== undefined ? 0 : order.line === undefined ? 0.5 : 1;
  const between = (from: number, span: Span, item: OrderItem): number =>
    gapScore(line, from, span, item, cost, lead);
  const n = items.length;
  // Forward: the best with the first items decided and the last of them ending at an end.
  const forward: number[][] = [ends.map((end) => (end === 0 ? 0 : -Infinity))];
  const from: { end: number; span: Span | undefined }[][] = [];
  for (let k = 0; k < n; k += 1) {
    const item = items[k];
    const before = forward[k] ?? [];
    const next = before.map((score) => score - (skip[k] ?? SKIPPED));
    const back: { end: number; span: Span | undefined }[] = ends.map((_, end) => ({ end, span: undefined }));
    if (item === undefined) return undefined;
    spans.forEach((span, at) => {
      const target = endAt.get(span.end) ?? 0;
      for (let e = 0; e < ends.length && (ends[e] ?? 0) <= span.start; e += 1) {
        const base = before[e] ?? -Infinity;
        if (base === -Infinity) continue;
        const score = base + between(ends[e] ?? 0, span, item) + (own[k]?.[at] ?? 0);
        if (score > (next[target] ?? -Infinity)) {
          next[target] = score;
          back[target] = { end: e, span };
        }
      }
    });
    forward.push(next);
    from.push(back);
  }
  const tail = ends.map((end) => -tailCost(line, end, order.open, cost));
  const backward: number[][] = Array.from({ length: n + 1 }, () => ends.map(() => -Infinity));
  backward[n] = tail;
  for (let k = n - 1; k >= 0; k -= 1) {
    const item = items[k];
    if (item === undefined) return undefined;
    const after = backward[k + 1] ?? [];
    const row = after.map((score) => score - (skip[k] ?? SKIPPED));
    spans.forEach((span, at) => {
      const rest = (after[endAt.get(span.end) ?? 0] ?? -Infinity) + (own[k]?.[at] ?? 0);
      for (let e = 0; e < ends.length && (ends[e] ?? 0) <= span.start; e += 1) {
        const score = rest + between(ends[e] ?? 0, span, item);
        if (score > (row[e] ?? -Infinity)) row[e] = score;
      }
    });
    backward[k] = row;
  }
  const best = backward[0]?.[0] ?? -Infinity;
  const totals = items.map((item, k) => {
    const found = new Map<string, number>();
    if (matched[k] === undefined) return found;
    spans.forEach((span, at) => {
      const rest = (backward[k + 1]?.[endAt.get(span.end) ?? 0] ?? -Infinity) + (own[k]?.[at] ?? 0);
      let total = -Infinity;
      for (let e = 0; e < ends.length && (ends[e] ?? 0) <= span.start; e += 1) {
        const base = forward[k]?.[e] ?? -Infinity;
        if (base > -Infinity) total = Math.max(total, base + between(ends[e] ?? 0, span, item) + rest);
      }
      found.set(idOf(span), total);
    });
    return found;
  });
  return { order, matched, totals, best, path: pathOf(forward, tail, from, n) };
}

/** The pieces of the best reading. */
function pathOf(
  forward: readonly (readonly number[])[],
  tail: readonly number[],
  from: readonly (readonly { end: number; span: Span | undefined }[])[],
  n: number,
): (Span | undefined)[] {
  const last = forward[n] ?? [];
  let at = last.reduce(
    (best, score, end) => (score + (tail[end] ?? 0) > (last[best] ?? 0) + (tail[best] ?? 0) ? end : best),
    0,
  );
  const path: (Span | undefined)[] = [];
  for (let k = n - 1; k >= 0; k -= 1) {
    const step = from[k]?.[at];
    path.unshift(step?.span);
    at = step?.end ?? at;
  }
  return path;
}

/** Pieces that a name may stand for: none begins or ends inside a word. */
function usable(line: string, spans: readonly Span[], cells: readonly Span[]): Span[] {
  const chosen = spans.filter(({ start, end }) => {
    const text = line.slice(start, end);
    if (/^[\s,;:=|]|[\s,;=|]$/.test(text)) return false;
    const left = /[\p{L}\p{N}]/u.test(line.charAt(start - 1)) && /^[\p{L}\p{N}]/u.test(text);
    const right = /[\p{L}\p{N}]$/u.test(text) && /[\p{L}\p{N}]/u.test(line.charAt(end));
    return !left && !right;
  });
  const short = chosen.sort((a, b) => a.end - a.start - (b.end - b.start)).slice(0, MOST_SPANS);
  const full = cells.filter((cell) => cell.end > cell.start);
  return [...new Map([...full, ...short].map((span) => [idOf(span), span])).values()];
}

/** What the words and data up to each offset cost when no name covers them. */
function costs(line: string): number[] {
  const sums = Array.from({ length: line.length + 1 }, () => 0);
  const at = new Map<number, number>();
  const front = FRONT.exec(line)?.[0].length ?? 0;
  for (const { index, 0: word } of line.matchAll(/[\p{L}\p{N}_]+(?:[.'-][\p{L}\p{N}_]+)*/gu)) {
    // Most lines begin with the time, which many lists do not name.
    if (index < front) continue;
    // What is glued to a part in front of it ("90.5V") belongs to it more or less.
    const glued = index > 0 && /[^\s._+~-]/.test(line.charAt(index - 1)) ? 0.6 : 1;
    at.set(index, glued * (/\d/.test(word) ? DATA_COST : WORD_COST));
  }
  for (let index = 0; index < line.length; index += 1)
    sums[index + 1] = (sums[index] ?? 0) + (at.get(index) ?? 0);
  return sums;
}

const FRONT =
  /^\W?(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.](?:\d\d|[A-Z][a-z]{2})[-/.]\d{2,4}|(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} +\d{1,2})?[ T:]*\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[-+]\d\d:?\d\d)?\W*/;

const REST = /\b(?:the rest|the remainder|everything (?:else|that follows|behind|after))\b/i;

function gapScore(
  line: string,
  from: number,
  span: Span,
  item: OrderItem & { rest?: boolean },
  cost: readonly number[],
  lead: number,
): number {
  const skipped = item.apart === true ? 0 : (cost[span.start] ?? 0) - (cost[from] ?? 0);
  let score = -skipped * (from === 0 ? lead : item.rest === true ? 3 : 1);
  if (from > 0 && from === span.start) score -= 1.5;
  else if (from > 0 && skipped === 0 && item.apart !== true) score += BESIDE;
  const gap = line.slice(from, span.start);
  // A comma parts what one name has more than one of rather than two names.
  if (item.mark === undefined && /^\s*[,;]\s+$/.test(gap)) score -= 0.8;
  if (item.mark !== undefined) {
    const found = new RegExp(item.mark).test(gap);
    score += !found ? -2 : new RegExp(`^\\s*(?:${item.mark})\\s*["'(\\[{<]?$`).test(gap) ? 3 : 0.5;
  }
  return score;
}

function tailCost(line: string, end: number, open: boolean, cost: readonly number[]): number {
  return open ? 0 : (cost[line.length] ?? 0) - (cost[end] ?? 0);
}

/** What is said of a piece of a part. */
const CUT =
  /\b(?:without|only|before|after|behind|in front of|between|up to|until|first|last|part of|piece of|digits|letters|the number|(?:inside|within|in) (?:the )?(?:\w+ )?(?:brackets?|parenthes[ie]s|quotes|braces))\b/i;

/** Does the page speak of a piece of what the list names, not only of the names beside it ("all after the country")? */
function isCut(hint: Hint, items: readonly OrderItem[]): boolean {
  const said = hint.description.replace(
    /\b(?:after|behind|before|in front of|up to|until|between) (?:the |its )?([a-z]+(?: [a-z]+)?)/gi,
    (all, name: string) =>
      items.some((item) => [name, name.split(" ")[0] ?? ""].some((one) => similarity(one, item.name) >= 0.9))
        ? " "
        : all,
  );
  return CUT.test(said);
}

/** A listed part with what is glued to it, unless another part stands there. */
function wholeOf(line: string, span: Span, path: readonly (Span | undefined)[]): Span {
  const start = span.start - (/\S*$/.exec(line.slice(0, span.start))?.[0].length ?? 0);
  const end = span.end + (/^\S*/.exec(line.slice(span.end))?.[0].length ?? 0);
  const shared = path.some((one) => one !== undefined && one !== span && one.start < end && start < one.end);
  return shared ? span : { start, end };
}

function resultOf(line: string, table: Table, hints: readonly Hint[], isBeside: boolean): Sequence {
  // A list of some other line explains this one badly.
  const quality = clamp(table.best / table.order.items.length / 1.2, 0.2, 1);
  const worth = isBeside ? WORTH : WORTH_TOLD * quality;
  const own = table.path.filter((span, at) => span !== undefined && table.matched[at] !== undefined);
  const free = table.path.filter((span, at) => span !== undefined && table.matched[at] === undefined);
  const inOne = (spans: readonly (Span | undefined)[], span: Span): boolean =>
    spans.some((one) => one !== undefined && one.start < span.end && span.start < one.end);
  return {
    mean: table.best / table.order.items.length,
    others: table.path.flatMap((span, at) =>
      span === undefined || table.matched[at] !== undefined
        ? []
        : [{ name: table.order.items[at]?.name ?? "", span: wholeOf(line, span, table.path) }],
    ),
    cells: table.path.filter((span) => span !== undefined),
    means: (hint) => table.matched.includes(hint),
    names: (hint) => table.matched.includes(hint) && !isCut(hint, table.order.items),
    score: (span, hint) => {
      const at = table.matched.indexOf(hint);
      if (at >= 0) {
        const total = table.totals[at]?.get(idOf(span)) ?? -Infinity;
        const own = Math.max(-worth, worth - 2 * (table.best - total));
        // "without the offsets": the part is a piece of what the list names.
        const piece = table.path[at];
        const inside = piece !== undefined && piece.start <= span.start && span.end <= piece.end;
        return inside && isCut(hint, table.order.items) ? Math.max(own, worth - 0.5) : own;
      }
      // A part without a name of its own is none of those with the name of another one.
      if (!hints.includes(hint)) return 0;
      return inOne(own, span) ? -3 : inOne(free, span) ? 0.5 : 0;
    },
  };
}
