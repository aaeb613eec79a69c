// Which cell of a row without a heading is which part: what the page says and shows, the kinds of text that stand in the cell in
// all rows of the log, and the order in which the page names the parts. The best cells for all parts together win.

import { likeness } from "../../page/names.ts";
import type { Order } from "../../page/orders.ts";
import type { Hint } from "../../page/page.ts";
import { fit } from "../../parts/fit.ts";
import { kindEvidence } from "../../parts/kinds.ts";
import type { Cell } from "./cut.ts";

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

interface Column {
  cell: Cell;
  texts: readonly string[];
}

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

const FEW_TEXTS =
  /(?:^|_)(?:state|status|result|action|type|kind|level|severity|protocol|proto|class|category|mode|disposition|verdict|outcome|zone|country|unit)$/;
const NUMERIC =
  /(?:^|_)(?:[ug]id|pid|ppid|port|count|number|seconds|secs|duration|size|bytes|packets|minute|hour|day|days|week|age|maximum|minimum|max|min|limit|weight|priority|prio|score|percent|rate|pressure|temperature|amount|total|quantity|qty|line|col|column|row|age|uptime|rtt|latency|depth|length|width|height|year|month)$/;
const NAMES =
  /(?:^|_)(?:account|user|username|login|owner|name|host|hostname|group|program|service|job|device|node|vendor|town|city)$/;
const TEXTS =
  /(?:^|_)(?:comment|remark|message|text|description|full_name|real_name|gecos|reason|note|title|what)$/;

/** What the texts of all rows say for a name. */
function shapeOf(hint: Hint, texts: readonly string[], at: number, all: readonly Column[]): number {
  if (texts.length === 0) return -1;
  const { name } = hint;
  const share = (form: RegExp): number => texts.filter((text) => form.test(text)).length / texts.length;
  const numbers = share(/^[-+]?\d[\d.,]*\s?%?$/);
  const kinds = new Set(texts).size;
  let score = 0;
  if (FEW_TEXTS.test(name)) {
    if (kinds <= Math.max(3, texts.length / 3) && numbers < 0.5) score += 1.5;
    if (share(/^[/~]|\d{4}-\d\d/) > 0.3) score -= 2;
  }
  if (NUMERIC.test(name)) score += numbers > 0.8 ? 2 : numbers < 0.2 ? -3 : 0;
  // "0644" and "rwxr-x---" are modes, no states.
  if (/(?:^|_)(?:mode|permissions?|rights)$/.test(name)) {
    const modes = share(/^0?[0-7]{3,4}$|^[rwxsStT-]{3,10}$|^[dl-][rwxsStT-]{9}$/);
    if (modes > 0.8) score += 3;
  }
  // A time in seconds is nothing else, and neither is a method.
  if (hint.kind !== "time" && share(/^1[4-9]\d{8}(?:\.\d+)?$/) > 0.8) score -= 3;
  if (
    !/method|verb|request/.test(name) &&
    share(/^(?:GET|POST|HEAD|PUT|DELETE|CONNECT|OPTIONS|PATCH)$/) > 0.8
  )
    score -= 3;
  if (/(?:^|_)(?:code|status|rc)$/.test(name) && share(/^\d{1,4}$/) > 0.8)
    score += kinds <= texts.length ? 1.5 : 0;
  if (NAMES.test(name)) {
    if (numbers > 0.5 || share(/^[/~]/) > 0.3) score -= 2.5;
    if (share(/^[A-Za-z_][\w.$-]*$/) > 0.8) score += 1;
    // Names head their rows; the owner stands in front of the group.
    if (at === 0) score += 0.8;
    if (/owner|user$/.test(name) && named(all[at]) && named(all[at + 1])) score += 1;
    if (/group$/.test(name) && named(all[at - 1]) && named(all[at])) score += 1;
  }
  if (TEXTS.test(name)) score += share(/\s/) > 0.2 ? 1.5 : share(/^[/~]|^\d+$/) > 0.5 ? -3 : 0;
  if (/(?:^|_)(?:options|opts|flags|members|groups|roles|features|tags|lists?|features)$/.test(name)) {
    score += share(/[,=]/) > 0.2 ? 2 : 0;
    score -= share(/\/|^\d+$/) > 0.5 ? 1.5 : 0;
  }
  score += prefixed(name, texts);
  if (TIMES.test(name))
    score += share(/\d[:/-]\d|^1[4-9]\d{8}$/) > 0.7 ? 3 : hint.kind === "number" ? 0 : -1.5;
  if (/mail/i.test(`${name} ${hint.description}`)) score += share(/^[^\s@]+@[^\s@]+$/) > 0.7 ? 5 : -2;
  if (/(?:^|_)(?:instance|inst|pin|net|hierarchy|scope|endpoint|startpoint)$/.test(name))
    score += share(/[^/]\/[^/]|\w\.\w/) > 0.5 ? 1.5 : 0;
  // Programs that take commands end in "sh", or take none; a home is a folder.
  const shells = share(/^\/(?:\S*\/)?(?:\w*sh|nologin|false)$/);
  if (/(?:^|_)shell$/.test(name)) score += shells > 0.1 ? 3 : -2;
  if (/(?:^|_)home(?:_dir\w*)?$|^(?:home_)?(?:directory|folder)$/.test(name))
    score += share(/^\//) < 0.5 || shells > 0.1 ? -2 : 2;
  // Of two numbers side by side that of the user is the first, that of the group the second.
  const isId = (other: Column | undefined): boolean =>
    other !== undefined && other.texts.length > 0 && other.texts.every((text) => /^-?\d+$/.test(text));
  if (/^(?:uid|user_?id|user_number)$/.test(name) && isId(all[at]) && isId(all[at + 1])) score += 2;
  if (/^(?:gid|group_?id|group_number)$/.test(name) && isId(all[at]))
    score += isId(all[at - 1]) ? 2 : isId(all[at + 1]) ? 0 : 1;
  return score;
}

const TIMES =
  /(?:^|_)(?:time|date|when|day|since|until|joined|created|changed|modified|updated|expires|expiry|elapsed|started|ended|first_seen|last_seen|stamp|timestamp)$/;

/** "PAD_7" for the pad, "node9" for the node: texts that begin with their name and go on with a number or a mark. */
function prefixed(name: string, texts: readonly string[]): number {
  const word = name.split("_").at(-1) ?? "";
  if (word.length < 3) return 0;
  const form = new RegExp(`^${word}s?(?:[-_:. ]?\\d|[-_:.]\\w)`, "i");
  return texts.filter((text) => form.test(text)).length > 0.6 * texts.length ? 2 : 0;
}

/** A column of plain names. */
function named(column: Column | undefined): boolean {
  const filled = (column?.texts ?? []).filter((text) => text !== "");
  return filled.length > 0 && filled.every((text) => /^[A-Za-z_][\w.$-]*$/.test(text));
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
