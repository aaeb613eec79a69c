// Parts that the page names in a list, but that are neither value nor field: their texts are data as well, and differ
// from line to line although nothing is taken from them.

import { tokenize } from "../logs/tokens.ts";
import type { Span } from "../parts/spans.ts";
import { type Attempt, type Attempts, sameProjection } from "./attempt.ts";
import { addsAllowed, type LeftOut, RELATIVES } from "./left-out.ts";
import type { LineTask } from "./task.ts";

/** A part of the list and where it stands. */
export interface Listing {
  name: string;
  span: Span;
}

const SELECTS =
  /\b(?:status|state|level|severity|flags?|result|verdict|action|outcome|kind|type|class|category|priority|rank|event|operation|mode|verb|keyword|word|mark|sign)\b/i;

/** With the listed parts as any texts, where that reads further lines and the page rules none of them out. */
export function listedChoice(
  task: LineTask,
  line: string,
  listed: readonly Listing[],
  best: Attempt,
  attempt: Attempts,
  left: LeftOut[],
): Attempt {
  if (listed.length === 0) return best;
  let chosen = best;
  // One part after the other: the page may ask for the text of one of them. Some read more lines only together with a
  // later one.
  const taken = new Set<Listing>();
  for (const one of [...listed, ...listed]) {
    const { name, span } = one;
    if (taken.has(one)) continue;
    const text = line.slice(span.start, span.end);
    // A dash is a cell that is empty in this line.
    const isEmpty = /^(?:-+|\*)$/.test(text);
    const isSaid = task.said?.has(text) === true || (task.words ?? []).some((word) => word.includes(text));
    if (isSaid && !isEmpty) continue;
    const tokens = tokenize(line).filter(
      ({ kind, start, end }) =>
        kind !== "space" && (kind !== "punct" || isEmpty) && start >= span.start && end <= span.end,
    );
    const loose = new Set([...chosen.options.loose, ...tokens.map(({ start }) => start)]);
    const tried = attempt({ ...chosen.options, loose });
    const more = tried.hits.length > chosen.hits.length && sameProjection(tried, chosen);
    if (!more || !addsAllowed(task, line, chosen, tried)) continue;
    taken.add(one);
    // What tells the kinds of lines apart may be what the page asks for.
    if (!SELECTS.test(name.replace(/\s(?:with|of|in|for|from)\s.*$/i, ""))) chosen = tried;
    else left.push(otherTexts(task, chosen, tried, name));
  }
  return chosen;
}

/** Lines with another text in such a part, which the page does not speak of. */
function otherTexts(task: LineTask, before: Attempt, after: Attempt, name: string): LeftOut {
  const known = new Set(before.hits);
  return {
    lines: after.hits
      .filter((hit) => !known.has(hit))
      .map((hit) => task.lines[hit] ?? "")
      .filter((line) => task.excluded?.(line) !== true),
    least: 1,
    say: (lines) =>
      `${RELATIVES}: ${lines.length} lines with another ${name} are not taken, e.g. ${lines[0]?.trim() ?? ""}`,
  };
}
