// Which value or field a name of a list means: by the words of both, by the place of the fields beside it, and by
// numbers at the ends of names.

import { kindOf, likeness, pairUp, wordsOf } from "../page/names.ts";
import type { OrderItem } from "../page/orders.ts";
import type { Hint } from "../page/page.ts";

/** Which hint a name of the list means. */
export function matchItems(
  line: string,
  items: readonly OrderItem[],
  hints: readonly Hint[],
): (Hint | undefined)[] {
  const matched = pairUp(items, hints, likeItem);
  // "cpu0" and "cpu1" for the two counters of the processors: numbered names in their order.
  const open = hints.filter((hint) => !matched.includes(hint));
  const stems = new Set(open.flatMap(({ name }) => /^(.+?)_?\d+$/.exec(name)?.[1] ?? []));
  for (const stem of stems) {
    const numbered = open.filter(({ name }) => /^(.+?)_?\d+$/.exec(name)?.[1] === stem);
    const run = items.findIndex(
      ({ name }, at) =>
        matched[at] === undefined &&
        items[at - 1]?.name !== name &&
        items.slice(at, at + numbered.length).every((one) => one.name === name) &&
        items[at + numbered.length]?.name !== name,
    );
    if (run < 0 || numbered.length < 2) continue;
    numbered.forEach((hint, at) => {
      matched[run + at] = hint;
    });
  }
  // A part behind its own key is found by that.
  const isKeyed = ({ name }: Hint): boolean =>
    new RegExp(`(?<![A-Za-z])${wordsOf(name).join("[ _.-]?")}["']?\\s*[=:]`, "i").test(line);
  return betweenNeighbours(lastPaired(matched, items, hints, isKeyed), items, hints, isKeyed);
}

/** How well a name of the list names a hint: with what stands in brackets behind it, and by its head. */
function likeItem(item: OrderItem, hint: Hint): number {
  const head = item.name.replace(/\s+(?:of|in|for|from|with|to|by|as|at|on|that|which)\s.*$/i, "");
  const direct = Math.max(likeness(hint, item.name), head === item.name ? 0 : 0.97 * likeness(hint, head));
  // "(the address, not the name)" beside "client name and address".
  const [, meant = "", other = ""] =
    /^\W*(?:the |its |an? )?([a-z]+)\b[^;.]*\bnot (?:the |its |an? )?([a-z]+)/i.exec(hint.description) ?? [];
  if (other !== "" && wordsOf(item.name).includes(other.toLowerCase())) return 0.3 * direct;
  if (meant !== "" && item.name.toLowerCase() === meant.toLowerCase()) return Math.max(direct, 0.8);
  const words = wordsOf(item.name).filter((word) => !/^(?:of|the|a|an|in|for|its|with|to)$/.test(word));
  const own = new Set(wordsOf(`${hint.name} ${hint.description}`));
  const all =
    words.length > 1 &&
    words.every((word) => own.has(word)) &&
    wordsOf(hint.name).some((word) => words.includes(word));
  // "what is opened (To)" and "the To column"
  const heading = /\(([A-Z%#][^()]*)\)/.exec(item.text)?.[1];
  const named = heading !== undefined && hint.description.includes(`the ${heading} column`);
  return all || named ? Math.max(direct, 0.96) : direct;
}

/** Fields without a name in the list stand where the fields beside them say, if as many names are left there. */
function betweenNeighbours(
  matched: readonly (Hint | undefined)[],
  items: readonly OrderItem[],
  hints: readonly Hint[],
  isKeyed: (hint: Hint) => boolean,
): (Hint | undefined)[] {
  const result = [...matched];
  // The value may stand anywhere, the fields are mostly told in the order of the line.
  const fields = hints.slice(1);
  for (let at = 0; at < fields.length; at += 1) {
    if (matched.includes(fields[at])) continue;
    const end = fields.findIndex((hint, index) => index > at && matched.includes(hint));
    const run = fields.slice(at, end < 0 ? fields.length : end);
    const left = at === 0 ? -1 : matched.indexOf(fields[at - 1]);
    const right = end < 0 ? items.length : matched.indexOf(fields[end]);
    const open = items.flatMap((_, index) =>
      index > left && index < right && matched[index] === undefined ? [index] : [],
    );
    const apart = run.some((hint, index) => isKeyed(hint) || !couldMean(items[open[index] ?? -1], hint));
    if (left < right && (at > 0 || end >= 0) && open.length === run.length && !apart)
      run.forEach((hint, index) => {
        result[open[index] ?? 0] = hint;
      });
    at += run.length - 1;
  }
  return result;
}

/** A time is no message: a name of one kind does not mean a part of another one that nothing else speaks for. */
function couldMean(item: OrderItem | undefined, hint: Hint): boolean {
  const kind = kindOf(item?.name ?? "", "");
  return kind === undefined || kind === "word" || hint.kind === undefined || kind === hint.kind;
}

/** Where one name and one hint are left, they are meant for one another ("what to do instead": advice). */
function lastPaired(
  matched: readonly (Hint | undefined)[],
  items: readonly OrderItem[],
  hints: readonly Hint[],
  isKeyed: (hint: Hint) => boolean,
): (Hint | undefined)[] {
  const open = hints.filter((hint) => !matched.includes(hint));
  const places = matched.flatMap((one, at) => (one === undefined ? [at] : []));
  const [hint] = open;
  if (open.length !== 1 || places.length !== 1 || items.length < 4 || hint === undefined || isKeyed(hint))
    return [...matched];
  if (!couldMean(items[places[0] ?? 0], hint)) return [...matched];
  return matched.map((one) => one ?? hint);
}
