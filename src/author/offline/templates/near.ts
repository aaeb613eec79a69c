// Lines of the log that are built like the example but that the expression does not read, found by setting their
// tokens side by side. What differs from line to line is loosened; what is left is a doubt.

import { type Token, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Span } from "../parts/spans.ts";
import { type Attempt, type Attempts, sameProjection } from "./attempt.ts";
import { allowed, ruledOut } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot, TemplateOptions } from "./template.ts";

/** Likeness from which on a line is one of the kind, going by its tokens. */
const LIKE = 0.78;
const MAX_SHAPES = 1500;
const MAX_NEAR = 40;

export interface NearLine {
  text: string;
  likeness: number;
  /** Tokens of the example that have another text, or none, in the line. */
  differing: Token[];
  /** Tokens of the example that have nothing in their place there. */
  absent: Token[];
}

/** Lines like the example that none of the expressions reads and that nothing on the page tells from it. */
export function nearLines(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  reads: readonly RegExp[],
): NearLine[] {
  const left = piecesOf(line, slots);
  if (left.length < 4 || left.length > 120) return [];
  const words = left.flatMap(({ token, isPart }) => (token.kind === "word" && !isPart ? [token] : []));
  // Without words of its own an example is like too much.
  if (words.length < 2) return [];
  const asked = left.filter(({ token, isPart }) => !isPart && (task.asked?.has(token.text) ?? false));
  const seen = new Set<string>();
  const found: NearLine[] = [];
  for (const text of task.lines) {
    const key = text.replace(/\d+/g, "9");
    if (text.trim() === "" || seen.has(key) || seen.size > MAX_SHAPES) continue;
    seen.add(key);
    if (reads.some((regex) => regex.test(text)) || isExplained(task, line, text, words, slots)) continue;
    const right = tokenize(text).filter((token) => token.kind !== "space");
    if (right.length < left.length * 0.6 || right.length > 150) continue;
    if (asked.some(({ token }) => !right.some((other) => other.text === token.text))) continue;
    // A mark in front ("#", ";") turns a line into a comment.
    if (right[0]?.kind === "punct" && left[0]?.token.text !== right[0].text) continue;
    const { score, same, paired } = sideBySide(left, right);
    if (score < LIKE) continue;
    const differing = left.flatMap(({ token, isPart }, index) => (same.has(index) || isPart ? [] : [token]));
    const absent = left.flatMap(({ token, isPart }, index) => (paired.has(index) || isPart ? [] : [token]));
    found.push({ text, likeness: score, differing, absent });
  }
  return found.sort((a, b) => b.likeness - a.likeness).slice(0, MAX_NEAR);
}

/** Does the page say, or do its words, that the line is not wanted? */
function isExplained(
  task: LineTask,
  line: string,
  text: string,
  words: readonly Token[],
  slots: readonly Slot[],
): boolean {
  if (ruledOut(task, text) || !allowed(task, text, line, undefined, lastPart(line, text, words, slots)))
    return true;
  const own = new Set(wordsOf(text).map(stem));
  const known = new Set(wordsOf(line).map(stem));
  const capitals = (text.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []).some(
    (word) => !wordsOf(word).every((one) => known.has(stem(one))),
  );
  return words.some(({ text: word }) => {
    if (word.length < 3 || wordsOf(word).every((one) => own.has(stem(one)))) return false;
    // The page speaks of the word, or it is a mark in capitals and the line has none in its place.
    return wordsOf(word).some((one) => task.stems.has(stem(one))) || (/^[A-Z]{3,}$/.test(word) && !capitals);
  });
}

/** About where the last part of the example ends in another line, going by the last word in front of it. */
function lastPart(
  line: string,
  text: string,
  words: readonly Token[],
  slots: readonly Slot[],
): number | undefined {
  const last = [...slots].sort((a, b) => b.span.end - a.span.end)[0]?.span;
  const before = words.filter((token) => last !== undefined && token.end <= last.start).at(-1);
  const at = before === undefined ? -1 : text.indexOf(before.text);
  if (last === undefined || before === undefined || at < 0 || last.end >= line.trimEnd().length) return;
  return at + (last.end - before.start) + 10;
}

/** Loosens the pieces of the example that are others in lines of its kind, as long as all lines read before are read
 * the same way. */
export function loosenByNear(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  for (const near of nearLines(task, line, slots, [new RegExp(best.pattern)])) {
    if (new RegExp(chosen.pattern).test(near.text)) continue;
    const pieces = near.differing.flatMap((token) => pieceOf(line, token, slots));
    if (pieces.length === 0) continue;
    const gone = near.absent.flatMap((token) => wholePiece(line, token, near.absent, slots));
    const options: TemplateOptions = {
      ...chosen.options,
      absent: [...(chosen.options.absent ?? []), ...gone],
      pieces: [
        ...(chosen.options.pieces ?? []),
        ...pieces.filter((one) => !gone.some((other) => one.start >= other.start && one.end <= other.end)),
      ],
    };
    const tried = attempt(options);
    if (tried.hits.length <= chosen.hits.length || !sameProjection(tried, chosen)) continue;
    if (!new RegExp(tried.pattern).test(near.text)) continue;
    const known = new Set(chosen.hits);
    const extra = tried.hits.filter((hit) => !known.has(hit)).map((hit) => task.lines[hit] ?? "");
    if (extra.every((text) => allowed(task, text, line, tried.pattern))) chosen = tried;
  }
  return chosen;
}

/** The piece between blanks around a token, where nothing of it stands in the line. */
function wholePiece(line: string, token: Token, absent: readonly Token[], slots: readonly Slot[]): Span[] {
  const start = token.start - (/\S*$/.exec(line.slice(0, token.start))?.[0].length ?? 0);
  const end = token.end + (/^\S*/.exec(line.slice(token.end))?.[0].length ?? 0);
  if (slots.some(({ span }) => start < span.end && end > span.start)) return [];
  // A remark in brackets goes with the blank in front of it: "TCP (SYN), 10.0.0.1".
  const remark = /^\s\([^()\s]+\)(?=[,;:]\s)/.exec(line.slice(start - 1))?.[0];
  if (remark !== undefined) {
    const own = tokenize(remark.trim()).map((one) => one.start + start);
    return own.every((at) => absent.some((one) => one.start === at))
      ? [{ start: start - 1, end: start - 1 + remark.length }]
      : [];
  }
  const inside = tokenize(line.slice(start, end)).map((one) => one.start + start);
  return inside.every((at) => absent.some((one) => one.start === at)) ? [{ start, end }] : [];
}

/** The piece between blanks around a token, or the token alone where the piece has a part in it. */
function pieceOf(line: string, token: Token, slots: readonly Slot[]): Span[] {
  if (token.kind === "punct" && /["'()[\]{}<>=:,;|]/.test(token.text)) return [];
  const start = token.start - (/\S*$/.exec(line.slice(0, token.start))?.[0].length ?? 0);
  const end = token.end + (/^\S*/.exec(line.slice(token.end))?.[0].length ?? 0);
  const free = !slots.some(({ span }) => start < span.end && end > span.start);
  const bare = !/["'()[\]{}<>=]/.test(line.slice(start, end));
  return [free && bare ? { start, end } : { start: token.start, end: token.end }];
}

interface Piece {
  token: Token;
  /** It is a part, whose text may be any and any number of tokens. */
  isPart: boolean;
}

/** The tokens of the example, each part as one. */
function piecesOf(line: string, slots: readonly Slot[]): Piece[] {
  const pieces: Piece[] = [];
  for (const token of tokenize(line)) {
    if (token.kind === "space") continue;
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

function likenessOf(left: Piece, right: Token): number {
  const { token } = left;
  if (left.isPart) {
    const typed = /^[-+]?\d[\d.,]*%?$/.test(token.text) && right.kind === "word";
    return typed ? -1.5 : right.kind === "punct" ? 0 : 0.9;
  }
  if (token.text === right.text) return worthOf(left);
  if (token.kind === "punct" || right.kind === "punct") return -1;
  if (token.kind === right.kind && token.kind !== "word") return 0.8;
  return token.kind === "word" && right.kind === "word" ? -0.1 : -0.3;
}

/** How much of the example stands in the line in its order, 0 to 1, and which of its pieces are the same there. */
function sideBySide(
  left: readonly Piece[],
  right: readonly Token[],
): { score: number; same: Set<number>; paired: Set<number> } {
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
  const same = new Set<number>();
  const paired = new Set<number>();
  for (let l = left.length, r = right.length; l > 0 && r > 0; ) {
    const here = at(l, r);
    if (here === pair(l, r)) {
      paired.add(l - 1);
      if (left[l - 1]?.token.text === right[r - 1]?.text) same.add(l - 1);
      l -= 1;
      r -= 1;
    } else if (here === at(l, r - 1) - more(l)) r -= 1;
    else l -= 1;
  }
  const full = left.reduce((sum, piece) => sum + worthOf(piece), 0);
  return { score: at(left.length, right.length) / Math.max(1, full), same, paired };
}
