// An example, its parts as one piece each, set side by side with another line: which token stands in the place of
// which piece.

import { type Token, tokenize } from "../logs/tokens.ts";
import type { Slot } from "./template.ts";

/** A token of the example, or one of its parts. */
export interface Piece {
  token: Token;
  /** It is a part, whose text may be any and any number of tokens. */
  isPart: boolean;
}

/** Cuts a line into tokens without the blanks; tokens of a kind that a part of the example ends inside of ("4/9" for 4 and
 * 9) into words and marks. */
export function cutterOf(line: string, slots: readonly Slot[]): (text: string) => Token[] {
  const borders = slots.flatMap(({ span }) => [span.start, span.end]);
  const kinds = new Set(
    tokenize(line)
      .filter(({ start, end }) => borders.some((at) => at > start && at < end))
      .map(({ kind }) => kind),
  );
  return (text) =>
    tokenize(text).flatMap((token) => {
      if (token.kind === "space") return [];
      return kinds.has(token.kind) ? wordsAndMarks(token) : [token];
    });
}

function wordsAndMarks({ text, start }: Token): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gu)].map((match) => ({
    kind: /^\d+$/.test(match[0]) ? "number" : /^[\p{L}\p{N}_]/u.test(match[0]) ? "mixed" : "punct",
    text: match[0],
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
}

/** The tokens of the example, each part as one. */
export function piecesOf(line: string, slots: readonly Slot[]): Piece[] {
  const pieces: Piece[] = [];
  for (const token of cutterOf(line, slots)(line)) {
    const slot = slots.find(({ span }) => token.start < span.end && token.end > span.start);
    if (slot === undefined) pieces.push({ token, isPart: false });
    else if (pieces.at(-1)?.token.start !== slot.span.start)
      pieces.push({
        token: { ...token, ...slot.span, text: line.slice(slot.span.start, slot.span.end) },
        isPart: true,
      });
  }
  return pieces;
}

function worthOf({ token, isPart }: Piece): number {
  return isPart ? 0.9 : token.kind === "punct" ? 0.7 : 1;
}

const TYPED: ReadonlySet<Token["kind"]> = new Set([
  "ip",
  "hex",
  "time",
  "date",
  "uuid",
  "mac",
  "url",
  "path",
]);

function likenessOf(left: Piece, right: Token): number {
  const { token } = left;
  if (left.isPart) {
    const typed = /^[-+]?\d[\d.,]*%?$/.test(token.text) && right.kind === "word";
    if (typed || right.kind === "punct") return typed ? -1.5 : 0;
    // An address is rather another address than the number in front of it.
    const other = TYPED.has(token.kind) && TYPED.has(right.kind) && token.kind !== right.kind;
    return other ? 0.5 : 0.9;
  }
  if (token.text === right.text) return worthOf(left);
  if (token.kind === "punct" || right.kind === "punct") return -1;
  if (token.kind === right.kind && token.kind !== "word") return 0.8;
  return token.kind === "word" && right.kind === "word" ? -0.1 : -0.3;
}

export interface Alignment {
  /** How much of the example stands in the line in its order, 0 to 1. */
  score: number;
  /** Which token of the line stands in the place of a piece. */
  pairs: ReadonlyMap<number, number>;
}

/** An example and another line side by side. */
export function sideBySide(left: readonly Piece[], right: readonly Token[]): Alignment {
  const width = right.length + 1;
  const score = new Float64Array((left.length + 1) * width);
  const at = (l: number, r: number): number => score[l * width + r] ?? 0;
  const pair = (l: number, r: number): number => {
    const [one, other] = [left[l - 1], right[r - 1]];
    return one === undefined || other === undefined ? -9 : at(l - 1, r - 1) + likenessOf(one, other);
  };
  const skip = (l: number): number => (left[l - 1]?.isPart === true ? 0.5 : 0.3);
  const more = (l: number): number => (left[l - 1]?.isPart === true ? 0 : 0.1);
  for (let l = 1; l <= left.length; l += 1) {
    score[l * width] = at(l - 1, 0) - skip(l);
    for (let r = 1; r <= right.length; r += 1)
      score[l * width + r] = Math.max(pair(l, r), at(l - 1, r) - skip(l), at(l, r - 1) - more(l));
  }
  const pairs = new Map<number, number>();
  for (let l = left.length, r = right.length; l > 0 && r > 0; ) {
    const here = at(l, r);
    if (here === pair(l, r)) {
      pairs.set(l - 1, r - 1);
      l -= 1;
      r -= 1;
    } else if (here === at(l, r - 1) - more(l)) r -= 1;
    else l -= 1;
  }
  const full = left.reduce((sum, piece) => sum + worthOf(piece), 0);
  return { score: at(left.length, right.length) / Math.max(1, full), pairs };
}
