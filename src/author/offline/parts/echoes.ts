// Parts whose text stands in the example twice: `user=ann@lab msg=no such user ('ann@lab')`.

import type { Assignment } from "./assign.ts";
import type { Span } from "./spans.ts";

/** At most so many other places are tried. */
const MOST = 4;

/** The assignment with all such parts, or with one of them, at the other place where the example has their text. */
export function withEchoes(line: string, assignment: Assignment): Assignment[] {
  const spans = assignment.placed.map(({ span }) => span);
  const moves = assignment.placed.flatMap((placed) =>
    placesOf(line, placed.span)
      .filter((span) => !spans.some((other) => other.start < span.end && span.start < other.end))
      .map((span) => ({ placed, span })),
  );
  const moved = (chosen: readonly (typeof moves)[number][]): Assignment => ({
    ...assignment,
    placed: assignment.placed.map((one) => {
      const move = chosen.find(({ placed }) => placed === one);
      return move === undefined ? one : { ...one, span: move.span };
    }),
  });
  const single = moves.slice(0, MOST).map((one) => moved([one]));
  return new Set(moves.map(({ placed }) => placed)).size > 1 ? [moved(moves), ...single] : single;
}

/** Where else the text of a part stands as a word of its own. */
function placesOf(line: string, { start, end }: Span): Span[] {
  const text = line.slice(start, end);
  const places: Span[] = [];
  if (text.length < 2) return places;
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    const isWord =
      !/[\p{L}\p{N}]/u.test(line.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(line.charAt(at + text.length));
    if (at !== start && isWord) places.push({ start: at, end: at + text.length });
  }
  return places;
}
