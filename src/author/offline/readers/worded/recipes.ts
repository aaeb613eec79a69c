// A part of one line as a recipe that finds the same part in the other lines of its set: by the key or the words
// beside it, by its brackets, by its place, or as the only text of its kind.

import { tokenize } from "../../logs/tokens.ts";
import type { Hint } from "../../page/page.ts";
import type { Span } from "../../parts/spans.ts";
import { recipesOf } from "./contexts.ts";
import type { Sample } from "./sample.ts";

/** How to find a part in a line: an expression whose group `p` is the part. */
export interface Recipe {
  /** Expression of what stands in front, the part without its group, and what has to follow. */
  left: string;
  body: string;
  right: string;
  /** The more specific the sort, the smaller. */
  rank: number;
}

export interface Carried {
  recipe: Recipe;
  /** Where the part stands in each line of the sample; undefined where it is not found. */
  spans: (Span | undefined)[];
  coverage: number;
}

/** The best recipe of a part: it finds the part in many lines, finds texts of the same kind there, and is specific. */
export function carry(line: string, span: Span, hint: Hint, sample: Sample): Carried | undefined {
  let best: (Carried & { quality: number }) | undefined;
  for (const recipe of recipesOf(line, span, hint, sample).sort((a, b) => a.rank - b.rank)) {
    if (best !== undefined && 17 - 0.35 * recipe.rank <= best.quality) break;
    const regex = regexOf(recipe);
    const own = find(regex, line);
    if (own?.start !== span.start || own.end !== span.end) continue;
    const spans = sample.lines.map((one) => find(regex, one));
    const found = spans.filter((one) => one !== undefined).length;
    const alike = spans.filter(
      (one, at) => one !== undefined && isAlike(line, span, sample.lines[at] ?? "", one, hint),
    );
    const coverage = found / Math.max(1, spans.length);
    // A part that some lines lack is told by the words beside it, not by its place.
    const some = hint.optional && recipe.rank < 5 ? 0.8 + 0.2 * coverage : coverage;
    const quality =
      10 * some +
      7 * (alike.length / Math.max(1, found)) -
      0.35 * recipe.rank -
      (hint.optional && recipe.rank >= 5 ? 4 : 0);
    if (best === undefined || quality > best.quality) best = { recipe, spans, coverage, quality };
  }
  return best;
}

/** Is the text found in another line like the part: one of the listed texts, of the same kind, and ended by a mark
 * where the part is? */
function isAlike(line: string, span: Span, other: string, place: Span, hint: Hint): boolean {
  const text = other.slice(place.start, place.end);
  if (hint.choices.length > 1) return hint.choices.includes(text);
  const own = line.slice(span.start, span.end);
  const kind = kindOfText(own);
  if (kind !== undefined && kindOfText(text) !== kind) return false;
  const isEnded = /^(?:[^\w\s]|\s*$)/.test(line.slice(span.end));
  return kind !== undefined || !isEnded || !/^\s+[A-Za-z]/.test(other.slice(place.end));
}

/** The kind of a text whose form says what it is. */
export function kindOfText(text: string): string | undefined {
  const [first, ...others] = tokenize(text);
  if (first === undefined || others.length > 0) return /^[\w.+-]+@[\w.-]+$/.test(text) ? "mail" : undefined;
  return ["word", "mixed", "punct", "placeholder"].includes(first.kind) ? undefined : first.kind;
}

export function sourceOf(recipe: Recipe, group: string): string {
  return `${recipe.left}(?<${group}>${recipe.body})${recipe.right}`;
}

const compiled = new Map<string, RegExp>();

export function regexOf(recipe: Recipe): RegExp {
  const source = sourceOf(recipe, "p");
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (compiled.size > 4000) compiled.clear();
  const regex = new RegExp(source, "d");
  compiled.set(source, regex);
  return regex;
}

export function find(regex: RegExp, line: string): Span | undefined {
  const place = regex.exec(line)?.indices?.groups?.["p"];
  return place === undefined ? undefined : { start: place[0], end: place[1] };
}
