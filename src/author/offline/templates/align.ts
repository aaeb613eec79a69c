// Two lines side by side: which token of one is which of the other. Carries the parts of an example over to the
// line of the log that is most like it.

import { type Token, tokenize } from "../logs/tokens.ts";
import type { Assignment } from "../parts/assign.ts";
import type { Span } from "../parts/spans.ts";
import type { Slot } from "./template.ts";

export interface Near {
  line: string;
  likeness: number;
  /** Tokens of the line that differ from those of the example. */
  loose: ReadonlySet<number>;
  /** Where a part of the example stands in the line. */
  move(span: Span): Span | undefined;
}

/** The observed line most like the example, by aligning their tokens; fixed words count most. */
export function nearest(example: string, assignment: Assignment, lines: readonly string[]): Near | undefined {
  const left = significant(example);
  const words = new Set(
    left.filter((token) => token.kind === "word").map((token) => token.text.toLowerCase()),
  );
  const seen = new Set<string>();
  let best: { line: string; score: number; pairs: [number, number][]; right: Token[] } | undefined;
  for (const line of lines) {
    const key = line.replace(/\d+/g, "9");
    if (seen.has(key) || line.trim() === "") continue;
    seen.add(key);
    const right = significant(line);
    if (right.length === 0 || right.length > 120) continue;
    if (words.size > 1 && !right.some((token) => words.has(token.text.toLowerCase()))) continue;
    const { score, pairs } = align(left, right, assignment);
    if (best === undefined || score > best.score) best = { line, score, pairs, right };
  }
  if (best === undefined || best.score < 0.6) return undefined;
  const { line, score, pairs, right } = best;
  const same = new Set(pairs.filter(([l, r]) => left[l]?.text === right[r]?.text).map(([, r]) => r));
  const paired = new Set(pairs.map(([, r]) => r));
  const loose = new Set(
    right.flatMap((token, index) => (paired.has(index) && !same.has(index) ? [token.start] : [])),
  );
  const move = (span: Span): Span | undefined => {
    const inside = pairs.filter(([l]) => {
      const token = left[l];
      return token !== undefined && token.start >= span.start && token.end <= span.end;
    });
    const first = right[inside[0]?.[1] ?? -1];
    const last = right[inside.at(-1)?.[1] ?? -1];
    return first === undefined || last === undefined ? undefined : stretch(example, span, line, first, last);
  };
  return { line, likeness: score, loose, move };
}

/** The part reaches from border to border, as it does in the example. */
function stretch(example: string, span: Span, line: string, first: Token, last: Token): Span {
  const borderBefore = example.charAt(span.start - 1);
  const borderAfter = example.charAt(span.end);
  const stops = (char: string, border: string): boolean => /\s/.test(char) || char === border;
  let { start } = first;
  while (start > 0 && !stops(line.charAt(start - 1), borderBefore)) start -= 1;
  if (start > 0 && /\s/.test(line.charAt(start - 1)) && /\S/.test(borderBefore)) start = first.start;
  if (span.end >= example.trimEnd().length) return { start, end: line.trimEnd().length };
  let { end } = last;
  while (end < line.length && !stops(line.charAt(end), borderAfter)) end += 1;
  if (!/\S/.test(line.charAt(end)) && /\S/.test(borderAfter)) end = last.end;
  return { start, end };
}

/** Moves parts from one line to a similar one. */
export function moveBetween(
  from: string,
  slots: readonly Slot[],
  to: string,
): ((span: Span) => Span | undefined) | undefined {
  const placed = slots.map(({ hint, span }) => ({ hint, span, score: 0, why: [] }));
  return nearest(from, { placed, others: [], missing: [], score: 0, margins: new Map() }, [to])?.move;
}

function significant(line: string): Token[] {
  return tokenize(line).filter((token) => token.kind !== "space");
}

/** 1 for the same token, less for one of the same kind, negative for tokens that do not belong together. */
function tokenLikeness(a: Token | undefined, b: Token | undefined, inPart: boolean): number {
  if (a === undefined || b === undefined) return -1;
  const marks = (a.kind === "punct" ? 1 : 0) + (b.kind === "punct" ? 1 : 0);
  if (a.text === b.text) return marks > 0 ? 0.7 : 1;
  // A lone dash stands for a text that is not there.
  if (a.text === "-" || b.text === "-") return marks === 2 ? -1 : 0.2;
  if (marks > 0) return -1;
  if (inPart) return a.kind === b.kind ? 0.9 : 0.6;
  if (a.kind === b.kind && a.kind !== "word") return 0.8;
  if (a.text.toLowerCase() === b.text.toLowerCase()) return 0.9;
  return a.kind === "placeholder" || /^[A-Z]{3,}$/.test(a.text) ? 0.5 : -0.3;
}

/** Global alignment of two token lists; the score is 1 for equal lines. */
function align(left: readonly Token[], right: readonly Token[], assignment: Assignment) {
  const inSpan = left.map((token) =>
    assignment.placed.some(({ span }) => token.start >= span.start && token.end <= span.end),
  );
  const width = right.length + 1;
  const score = new Float64Array((left.length + 1) * width);
  const likeness = (l: number, r: number): number => tokenLikeness(left[l], right[r], inSpan[l] === true);
  for (let l = 1; l <= left.length; l += 1) {
    for (let r = 1; r <= right.length; r += 1) {
      score[l * width + r] = Math.max(
        (score[(l - 1) * width + r - 1] ?? 0) + likeness(l - 1, r - 1),
        (score[(l - 1) * width + r] ?? 0) - (inSpan[l - 1] === true ? 0.1 : 0.35),
        (score[l * width + r - 1] ?? 0) - 0.15,
      );
    }
  }
  const pairs: [number, number][] = [];
  let l = left.length;
  let r = right.length;
  while (l > 0 && r > 0) {
    const here = score[l * width + r] ?? 0;
    if (here === (score[(l - 1) * width + r - 1] ?? 0) + likeness(l - 1, r - 1)) {
      pairs.unshift([l - 1, r - 1]);
      l -= 1;
      r -= 1;
    } else if (here === (score[l * width + r - 1] ?? 0) - 0.15) r -= 1;
    else l -= 1;
  }
  const full = left.reduce(
    (sum, token, index) => sum + (token.kind === "punct" ? 0.7 : inSpan[index] === true ? 0.9 : 1),
    0,
  );
  return { score: (score[left.length * width + right.length] ?? 0) / Math.max(1, full), pairs };
}
