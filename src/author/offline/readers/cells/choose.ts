// Which cell of a row without a heading is which part: what the page says and shows, the kinds of text that stand in the cell in
// all rows of the log, and the order in which the page names the parts. The best cells for all parts together win.

import { likeness } from "../../page/names.ts";
import type { Order } from "../../page/orders.ts";
import type { Hint } from "../../page/page.ts";
import { fit } from "../../parts/fit.ts";
import { kindEvidence } from "../../parts/kinds.ts";
import type { Cell } from "./cut.ts";
import { type Column, prefixed, shapeOf } from "./shapes.ts";

export interface Chosen {
  /** The cell of each hint, -1 for none. */
  places: number[];
  /** How much better it is than the best choice with this hint elsewhere. */
  margins: number[];
}

const BEAM = 300;
const SAMPLE = 60;
/** A part without a cell. */
const MISSING = -4;
const SHOWN = 12;

/** The best cell for each hint; undefined where what the page shows for one is a piece of a cell. */
export function chooseCells(
  line: string,
  cells: readonly Cell[],
  columns: readonly (readonly string[])[],
  value: Hint,
  fields: readonly Hint[],
  orders: readonly Order[],
): Chosen | undefined {
  const hints = [value, ...fields];
  const all = cells.map((cell, at): Column => ({ cell, texts: columns[at] ?? [] }));
  if (hints.some((hint) => isPiece(hint, cells))) return undefined;
  const listed = placesByOrder(orders, cells.length, hints);
  const scores = hints.map((hint, row) =>
    all.map((column, at) => {
      const told = listed[row];
      const place = told === undefined ? 0 : told === at ? SHOWN : -SHOWN / 2;
      return scoreOf(line, column, hint, hint === value, at, all) + place;
    }),
  );
  return search(scores, hints.length);
}

/** Is a text that the page shows for the part only a piece of a cell? */
function isPiece(hint: Hint, cells: readonly Cell[]): boolean {
  const shown = hint.literals.filter((text) => cells.some((cell) => cell.text.includes(text)));
  return (
    shown.length > 0 &&
    shown.every((text) => !cells.some((cell) => cell.text === text || `"${cell.text}"` === text))
  );
}

/** The cell of each hint by a list of as many names as cells, or one that names the first of them. */
function placesByOrder(
  orders: readonly Order[],
  count: number,
  hints: readonly Hint[],
): (number | undefined)[] {
  const order = orders.find(({ items, open }) => items.length === count || (open && items.length < count));
  if (order === undefined || order.items.some(({ many, apart }) => many === "surely" || apart === true))
    return hints.map(() => undefined);
  return hints.map((hint) => {
    const likes = order.items.map(({ name, text }) =>
      Math.max(likeness(hint, name), text === name ? 0 : 0.9 * likeness(hint, text)),
    );
    const most = Math.max(...likes);
    const at = likes.indexOf(most);
    return most >= 0.6 && likes.filter((one) => one === most).length === 1 ? at : undefined;
  });
}

function scoreOf(
  line: string,
  column: Column,
  hint: Hint,
  isValue: boolean,
  at: number,
  all: readonly Column[],
): number {
  const { cell, texts } = column;
  let score = 0;
  if (hint.literals.includes(cell.text) || hint.choices.includes(cell.text)) score += SHOWN;
  else score += clamp(fit(line, cell, hint).score, -6, 6);
  const filled = texts.filter((text) => text !== "");
  const sample = filled.slice(0, SAMPLE);
  for (const text of sample)
    kindEvidence(text, hint, false, (points) => {
      score += points / sample.length;
    });
  score += shapeOf(hint, sample, at, all) + 0.5 * prefixed(hint.name, [cell.text]);
  const blank = texts.length - filled.length;
  if (blank > 0.5 * texts.length && !hint.optional) score -= 2;
  if (hint.optional && !isValue) score += blank > 0 ? 1.5 : -0.5;
  const kinds = new Set(filled).size;
  // What is the same in all rows, or a mark alone, tells nothing of a row.
  if (filled.length >= 3 && kinds === 1) score -= 2;
  if (filled.every((text) => /^[^\p{L}\p{N}]*$|^[a-z]$/u.test(text)) && hint.kind !== "letter") score -= 2;
  if (isValue) score += kinds / Math.max(1, filled.length) + (at === 0 ? 0.6 : 0);
  return score;
}

function clamp(score: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, score));
}

interface State {
  places: number[];
  score: number;
}

/** The best places for all hints together: each cell once, the fields rather in the order of the page. */
function search(scores: readonly (readonly number[])[], count: number): Chosen {
  let states: State[] = [{ places: [], score: 0 }];
  for (let row = 0; row < count; row += 1) {
    const own = scores[row] ?? [];
    states = states
      .flatMap(({ places, score }) => [
        { places: [...places, -1], score: score + MISSING },
        ...own.flatMap((points, at) =>
          places.includes(at)
            ? []
            : [{ places: [...places, at], score: score + points + inOrder(places, at) }],
        ),
      ])
      .sort((a, b) => b.score - a.score)
      .slice(0, BEAM);
  }
  const best = states[0] ?? { places: [], score: 0 };
  const margins = best.places.map((at, row) => {
    const other = states.find(({ places }) => places[row] !== at);
    return best.score - (other?.score ?? Number.NEGATIVE_INFINITY);
  });
  return { places: best.places, margins };
}

/** Fields mostly follow one another as in the line; where the value stands says nothing. */
function inOrder(places: readonly number[], at: number): number {
  if (places.length < 2) return 0;
  const last = places.slice(1).findLast((one) => one >= 0);
  if (last === undefined) return 0;
  return last < at ? 0.8 : -1;
}
