// What all lines of a set say about a part of one of them: is it found in the others, of which kind is it there, does
// it differ, is it one of the texts that the page shows.

import type { Hint } from "../../page/page.ts";
import { fit } from "../../parts/fit.ts";
import type { Span } from "../../parts/spans.ts";
import { type Carried, carry } from "./recipes.ts";
import { CLOSERS, isTimeText, type Sample } from "./sample.ts";
import { slotScore, slotsOf } from "./skeleton.ts";
import { keyOf, type Vocabulary } from "./vocabulary.ts";

export interface Weighed {
  carried: Carried;
  score: number;
}

/** Weighs parts of a line, each once. */
export function weigherOf(
  line: string,
  value: Hint | undefined,
  sample: Sample,
  vocabulary: Vocabulary,
): { weigh: (hint: Hint, span: Span) => number; carriedBy: (hint: Hint, span: Span) => Carried | undefined } {
  const known = new Map<string, Weighed | undefined>();
  const slots = slotsOf(line, sample);
  const weighed = (hint: Hint, span: Span): Weighed | undefined => {
    const id = `${hint.name}:${span.start}:${span.end}`;
    if (known.has(id)) return known.get(id);
    const carried = carry(line, span, hint, sample);
    const result =
      carried === undefined
        ? undefined
        : {
            carried,
            score:
              scoreOf(line, span, hint, hint === value, carried, sample, vocabulary) +
              (slots === undefined ? 0 : slotScore(span, slots, hint.kind === "text")),
          };
    known.set(id, result);
    return result;
  };
  return {
    weigh: (hint, span) => weighed(hint, span)?.score ?? -50,
    carriedBy: (hint, span) => weighed(hint, span)?.carried,
  };
}

const OTHERS = 4;

/** A part does not start with a word that joins it to what stands in front. */
const STARTS_LOOSE = /^(?:in|on|at|by|from|for|of|to|with|during|via|as|and|or|is|was|are|were|has)\s/i;

/** The form of a text: runs of letters, runs of digits, and the marks between them. */
function shapeOf(text: string): string {
  return text.replace(/[A-Za-z]+/g, "a").replace(/\d+/g, "9");
}

const LEVEL =
  /^(?:error|warn(?:ing)?|info|fatal|critical|debug|notice|note|crit|err|emerg|alert|trace|severe)$/i;

/** A text that all lines have is rather a word of the message than a part, unless the page shows it or it stands where
 * a noun stands. */
function constantScore(line: string, span: Span, hint: Hint, vocabulary: Vocabulary): number {
  const text = line.slice(span.start, span.end);
  if (hint.literals.includes(text) || hint.choices.includes(text)) return 0;
  let score = 0;
  // In lines made of columns a plain word is data like any other.
  const inColumns =
    (line.match(/\S\s{2,}(?=\S)/g) ?? []).length >= 2 && /^(?:\s{2,}|\s*$)/.test(line.slice(span.end));
  if (inColumns && /(?:^|\s{2,})$/.test(line.slice(0, span.start))) return 1.5;
  if (
    LEVEL.test(text) &&
    !/level|severity|priority|kind|type|class|status/.test(`${hint.name} ${hint.description}`)
  )
    score -= 4;
  if (!/^[A-Za-z]+[.,;:]?$/.test(text)) return score;
  if (/^[a-z]/.test(text) && vocabulary.has(keyOf(text))) return score - 5;
  const noun = /(?:^|\s)(?:in|on|at|by|from|for|of|to|with|during|via|as|into|inside)\s$/.test(
    line.slice(0, span.start),
  );
  return score + (noun ? 1 : -1.5);
}

function scoreOf(
  line: string,
  span: Span,
  hint: Hint,
  isValue: boolean,
  carried: Carried,
  sample: Sample,
  vocabulary: Vocabulary,
): number {
  const { spans, coverage } = carried;
  let score = hint.optional ? (coverage < 0.98 ? 0.5 : -0.3) : -9 * (1 - coverage);
  const texts = spans.flatMap((one, index) =>
    one === undefined ? [] : [sample.lines[index]?.slice(one.start, one.end) ?? ""],
  );
  const distinct = new Set(texts);
  if (texts.length >= 4) {
    if (distinct.size === 1) score -= isValue ? 1.5 : 0.4;
    else score += 0.5;
  }
  score += elsewhereScore(line, span, hint, spans, sample) + shownScore(texts, distinct, hint);
  if (distinct.size === 1) score += constantScore(line, span, hint, vocabulary);
  return score + formScore(line, span, hint) - 0.1 * carried.recipe.rank;
}

/** The same evidence as on this line, in other lines. */
function elsewhereScore(
  line: string,
  span: Span,
  hint: Hint,
  spans: readonly (Span | undefined)[],
  sample: Sample,
): number {
  const own = fit(line, span, hint).score;
  const step = Math.max(1, Math.floor(spans.length / OTHERS));
  const scores: number[] = [];
  for (let at = 0; at < spans.length && scores.length < OTHERS; at += step) {
    const other = spans[at];
    const text = sample.lines[at];
    if (other !== undefined && text !== undefined && text !== line) scores.push(fit(text, other, hint).score);
  }
  if (scores.length === 0) return 0;
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  return Math.max(-4, Math.min(2, 0.7 * (mean - own)));
}

/** Are the texts those that the page lists or shows? */
function shownScore(texts: readonly string[], distinct: ReadonlySet<string>, hint: Hint): number {
  if (hint.choices.length >= 2) {
    const listed = new Set(hint.choices.map((one) => one.toLowerCase()));
    const among = texts.filter((text) => listed.has(text.toLowerCase())).length;
    return among === texts.length ? 4 : among >= texts.length * 0.9 ? 2 : -3;
  }
  return hint.literals.some((one) => distinct.has(one)) ? 4 : 0;
}

/** What the form of the text itself says. */
function formScore(line: string, span: Span, hint: Hint): number {
  const text = line.slice(span.start, span.end);
  let score = 0;
  if (hint.kind !== "text" && STARTS_LOOSE.test(text)) score -= 3;
  if (/\S\s+[^\w\s]+$/.test(text)) score -= 2.5;
  const isTime = /[A-Z]/.test(text) && isTimeText(text);
  if (isTime && hint.kind !== "time" && !/day|month|year|date/.test(hint.name)) score -= 4;
  // Built like the text that the page shows.
  if (hint.literals.some((one) => /\d/.test(one)))
    score += hint.literals.some((one) => shapeOf(one) === shapeOf(text)) ? 2.5 : -1;
  if (/\b(?:weekday|month)\b/i.test(hint.description)) score += /(?:^|\s)[A-Z][a-z]{2}\s/.test(text) ? 2 : -3;
  const close = CLOSERS[line.charAt(span.start - 1)];
  if (close === undefined) return score;
  if (text.includes(close)) score -= 6;
  // Cut from what stands in brackets or quotes.
  const end = line.indexOf(close, span.end);
  if (end > span.end && !/\s/.test(line.slice(span.start, end)) && !CUTS.test(hint.description)) score -= 2.5;
  return score;
}

const CUTS = /\b(?:before|up to|without|first|part)\b/i;
