// How clear it is which part of a line is which: how much better the best answer is than the best one with a hint elsewhere.

import type { Hint } from "../page/page.ts";
import type { Assignment, Placed } from "./assign.ts";
import { isRival } from "./rivals.ts";
import type { Span } from "./spans.ts";

/** Where a hint was found on the line, and other places that it could have; undefined where it would have none. */
export interface Rivals {
  best: Span;
  others: { span: Span | undefined; by: number }[];
}

interface State {
  placed: readonly Placed[];
  score: number;
}

/** Rivals that are kept of each hint. */
const RIVALS = 12;

/** Per hint: how much better the best answer is than the best one with this hint elsewhere, and where that is. */
export function marginsOf(
  line: string,
  best: State,
  scored: readonly State[],
): Required<Pick<Assignment, "margins" | "rivals">> {
  const margins = new Map<string, number>();
  const rivals = new Map<string, Rivals>();
  for (const { hint, span } of best.placed) {
    const found: Rivals["others"] = [];
    for (const state of scored) {
      if (found.length >= RIVALS) break;
      const elsewhere = state.placed.find((one) => one.hint === hint)?.span;
      if (found.some((one) => one.span === elsewhere || (one.span && elsewhere && same(one.span, elsewhere))))
        continue;
      const by = best.score - state.score;
      if (isOther(line, hint, span, elsewhere, by)) found.push({ span: elsewhere, by });
    }
    margins.set(hint.name, found[0]?.by ?? 9);
    rivals.set(hint.name, { best: span, others: found });
  }
  return { margins, rivals };
}

/** Is the hint in another place there, where a reader could see it? */
function isOther(line: string, hint: Hint, span: Span, elsewhere: Span | undefined, by: number): boolean {
  if (elsewhere === undefined) return true;
  if (same(elsewhere, span)) return false;
  // The same text in two places is one datum, and the place that more speaks for is taken.
  const text = line.slice(span.start, span.end);
  if (by > 0.05 && line.slice(elsewhere.start, elsewhere.end) === text) return false;
  return isRival(line, hint, span, elsewhere);
}

function same(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end;
}

/** How clear the assignment is, by the required hint that is least clear. */
export function clearness(
  assignment: Assignment,
  value: Hint | undefined,
  settled?: (hint: Hint, span: Span, rival: Span) => boolean,
): { margin: number; valueMargin: number; unclear: string } {
  let margin = 9;
  let valueMargin = 9;
  let unclear = "";
  for (const { hint } of assignment.placed) {
    const rivals = assignment.rivals?.get(hint.name);
    const open = rivals?.others.filter(
      ({ span }) => span === undefined || settled?.(hint, rivals.best, span) !== true,
    );
    const own = open === undefined ? (assignment.margins.get(hint.name) ?? 0) : (open[0]?.by ?? 9);
    if (hint === value) valueMargin = own;
    if (hint.optional || own >= margin) continue;
    margin = own;
    unclear = hint.name;
  }
  return { margin, valueMargin, unclear };
}
