// On which line of an example of several lines each value and field stands, and which of the lines records are numbered
// by: a beam search over the parts of all lines together.

import { likeness, similarity } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { fit, type Span, shownInBrackets, spansOf } from "../parts/spans.ts";
import { labelOf } from "./families.ts";

export interface Put {
  hint: Hint;
  /** Index of the line of the example. */
  line: number;
  span: Span;
  score: number;
}

const TOP = 8;
const BEAM = 200;
const MISSING_COST = 5;

/** The lines of the examples, when they are of more than one form. */
export function sceneLines(group: Group): string[] {
  const blocks = group.examples.filter((one) => one.mark === "block");
  const used = blocks.some((one) => one.lines.length > 1) ? group.examples : [];
  const lines = used.flatMap((one) => one.lines).filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.slice(0, 30);
}

/** Every hint on the line and part that fits best, no part twice. */
export function distribute(
  hints: readonly Hint[],
  shown: readonly string[],
  anchor = -1,
): { puts: Put[]; missing: Hint[]; margin: Map<Hint, number>; within: Map<Hint, number> } {
  const literals = hints.flatMap((hint) => [...hint.literals, ...hint.choices, ...shownInBrackets(hint)]);
  const spans = shown.map((line) => spansOf(line, literals));
  const options = new Map(
    hints.map((hint) => {
      const all = shown.flatMap((line, at) =>
        (spans[at] ?? []).map((span) => ({
          hint,
          line: at,
          span,
          score: fit(line, span, hint).score + labelScore(line, span, hint) + (at === anchor ? 0.4 : 0),
        })),
      );
      return [hint, all.sort((a, b) => b.score - a.score).slice(0, TOP)];
    }),
  );
  let states: { puts: Put[]; missing: Hint[]; score: number }[] = [{ puts: [], missing: [], score: 0 }];
  for (const hint of hints) {
    const next = states.flatMap((state) => {
      const cost = hint.optional ? 1 : MISSING_COST;
      const open = { puts: state.puts, missing: [...state.missing, hint], score: state.score - cost };
      const placed = (options.get(hint) ?? [])
        .filter((put) => state.puts.every((other) => !overlaps(put, other)))
        .map((put) => ({
          puts: [...state.puts, put],
          missing: state.missing,
          score: state.score + put.score,
        }));
      return [open, ...placed];
    });
    states = next.sort((a, b) => b.score - a.score).slice(0, BEAM);
  }
  for (const state of states) state.score += relationScore(state.puts);
  states.sort((a, b) => b.score - a.score);
  const best = states[0] ?? { puts: [], missing: [...hints], score: 0 };
  const margin = new Map<Hint, number>();
  const within = new Map<Hint, number>();
  const behind = (differs: (own: Put | undefined) => boolean, hint: Hint): number => {
    const other = states.find((state) => differs(state.puts.find((one) => one.hint === hint)));
    return other === undefined ? 9 : best.score - other.score;
  };
  for (const put of best.puts) {
    margin.set(
      put.hint,
      behind((own) => own?.line !== put.line, put.hint),
    );
    within.set(
      put.hint,
      behind((own) => own?.line === put.line && !samePart(own.span, put.span), put.hint),
    );
  }
  return { puts: best.puts, missing: best.missing, margin, within };
}

/** "the library cell behind the pin": a part that the page places beside another one. */
function relationScore(puts: readonly Put[]): number {
  let score = 0;
  for (const put of puts) {
    const told = /\b(behind|after|following|before|in front of) the ([a-z][\w -]*)/i.exec(
      put.hint.description,
    );
    if (told === null) continue;
    const other = puts.find((one) => one !== put && similarity(one.hint.name, told[2] ?? "") >= 0.6);
    if (other === undefined) continue;
    const behind = /^(?:behind|after|following)/i.test(told[1] ?? "");
    const right =
      put.line === other.line &&
      (behind ? put.span.start >= other.span.end : put.span.end <= other.span.start);
    score += right ? 3 : -2;
  }
  return score;
}

function samePart(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end;
}

function overlaps(a: Put, b: Put): boolean {
  return a.line === b.line && a.span.start < b.span.end && b.span.start < a.span.end;
}

/** The text behind the label of a line is what the label says. */
function labelScore(line: string, span: Span, hint: Hint): number {
  const label = labelOf(line) ?? /^\s*([A-Za-z][\w-]*(?: [\w-]+){0,3})\s{2,}/.exec(line)?.[1];
  if (label === undefined || span.start < line.indexOf(label) + label.length) return 0;
  const first = /^[\s:=]*$/.test(line.slice(line.indexOf(label) + label.length, span.start));
  return first ? 2 * likeness(hint, label) : 0;
}

/** The line of the example that the page calls the line of a record. */
export function numberedBy(page: Page, shown: readonly string[], puts: readonly Put[]): number | undefined {
  for (const statement of [...page.statements, ...page.sourceStatements]) {
    for (const { text } of statement.sentences) {
      const told =
        /\bline(?: number)?\s*[:：]\s*(.+)$/i.exec(text)?.[1] ??
        /\b(?:line number is|stands? (?:at|on)|(?:record|item)s? (?:is |are )?(?:at|on)|number of the line is)\s+(.+)$/i.exec(
          text,
        )?.[1];
      if (told === undefined) continue;
      const literal = /`([^`]+)`|"([^"]+)"/.exec(told);
      const quoted = literal?.[1] ?? literal?.[2];
      const at = quoted === undefined ? -1 : shown.findIndex((line) => line.includes(quoted));
      if (at >= 0) return at;
      if (/\b(?:first|start\w*|head\w*|title|top|opening)\b/i.test(told)) return 0;
      if (/\b(?:mark\w*|flag\w*)\b/i.test(told)) {
        const marked = shown.findIndex((line) => /\([A-Z]{3,}\)|\b[A-Z]{4,}\s*$/.test(line));
        if (marked >= 0) return marked;
      }
      const words = told.replace(/\b(?:the|line|of|with|that|its|where|stands|number)\b/gi, " ").trim();
      const named = puts
        .map((put) => ({
          put,
          like: Math.max(
            similarity(put.hint.name, words),
            similarity(words, labelOf(shown[put.line] ?? "") ?? ""),
          ),
        }))
        .sort((a, b) => b.like - a.like)[0];
      if (named !== undefined && named.like >= 0.5) return named.put.line;
    }
  }
  return undefined;
}
