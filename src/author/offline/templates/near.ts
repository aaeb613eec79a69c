// Lines of the log that are built like the example but that the expression does not read, found by setting their
// tokens side by side. What differs from line to line is loosened; what is left is a doubt.

import { type Token, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Span } from "../parts/spans.ts";
import { type Attempt, type Attempts, sameProjection } from "./attempt.ts";
import { messageStart, prefixHost } from "./front.ts";
import { allowed, ruledOut } from "./left-out.ts";
import { piecesOf, sideBySide } from "./side-by-side.ts";
import type { LineTask } from "./task.ts";
import type { Slot, TemplateOptions } from "./template.ts";

/** Likeness from which on a line is one of the kind, going by its tokens. */
const LIKE = 0.78;
/** The same for a line that has all words of the message: what is around them may be another text. */
const SAID = 0.5;
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
  hits: readonly number[] = [],
): NearLine[] {
  const left = piecesOf(line, slots);
  if (left.length < 4 || left.length > 120) return [];
  // What a part says and the line says again is no word of the message.
  const parts = left.flatMap(({ token, isPart }) => (isPart ? [token.text] : []));
  const host = prefixHost(line);
  const words = left.flatMap(({ token, isPart }) =>
    token.kind === "word" && !isPart && !parts.includes(token.text) && !host.includes(token.start)
      ? [token]
      : [],
  );
  const start = messageStart(line, slots) ?? 0;
  const says = messageOf(
    task,
    words.filter((token) => token.start >= start),
    hits,
  );

  // Without words of its own an example is like too much.
  if (words.length < 2 && says === undefined) return [];
  const asked = left.filter(({ token, isPart }) => !isPart && (task.asked?.has(token.text) ?? false));
  const seen = new Set<string>();
  const found: NearLine[] = [];
  for (const text of task.lines) {
    const key = text.replace(/\d+/g, "9");
    if (text.trim() === "" || seen.has(key) || seen.size > MAX_SHAPES) continue;
    seen.add(key);
    if (reads.some((regex) => regex.test(text)) || isExplained(task, line, text, words, slots)) continue;
    const right = tokenize(text).filter((token) => token.kind !== "space");
    if (right.length < left.length * (says === undefined ? 0.6 : 0.4) || right.length > 150) continue;
    if (asked.some(({ token }) => !right.some((other) => other.text === token.text))) continue;
    // A mark in front ("#", ";") turns a line into a comment.
    if (/^[#;!*/-]$/.test(right[0]?.text ?? "") && left[0]?.token.text !== right[0]?.text) continue;
    const { score, pairs } = sideBySide(left, right);
    if (score < LIKE && !(score >= SAID && says?.(text) === true)) continue;
    const same = (index: number): boolean => right[pairs.get(index) ?? -1]?.text === left[index]?.token.text;
    const differing = left.flatMap(({ token, isPart }, index) => (same(index) || isPart ? [] : [token]));
    const absent = left.flatMap(({ token, isPart }, index) => (pairs.has(index) || isPart ? [] : [token]));
    found.push({ text, likeness: score, differing, absent });
  }
  return found.sort((a, b) => b.likeness - a.likeness).slice(0, MAX_NEAR);
}

/** Tells lines that have all the words which all lines read so far have, in their order; undefined where such words are
 * too few to know a message by. */
function messageOf(
  task: LineTask,
  words: readonly Token[],
  hits: readonly number[],
): ((text: string) => boolean) | undefined {
  const sample = hits.slice(0, 60).map((hit) => task.lines[hit] ?? "");
  const common = words.filter(
    ({ text }) => text.length > 2 && sample.every((other) => new RegExp(`\\b${text}\\b`).test(other)),
  );
  if (sample.length === 0 || common.length === 0) return undefined;
  const pattern = new RegExp(common.map(({ text }) => `\\b${text}\\b`).join(".*?"));
  if (common.length > 2) return (text) => pattern.test(text);
  // One or two words are known by their being rare in other lines.
  if (common.every(({ text }) => text.length < 6)) return undefined;
  const all = task.lines.filter((text) => pattern.test(text)).length;
  return all <= hits.length * 1.7 ? (text) => pattern.test(text) : undefined;
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
  return words.some(({ text: word, start, end }) => {
    if (word.length < 3 || wordsOf(word).every((one) => own.has(stem(one)))) return false;
    // The page speaks of the word, or it is a mark in capitals, a long one or with none in its place in the line.
    if (wordsOf(word).some((one) => task.stems.has(stem(one)))) return true;
    const alone = /(?:^|\s)$/.test(line.slice(0, start)) && /^(?:[\s:]|$)/.test(line.slice(end));
    return /^[A-Z]{3,}$/.test(word) && (!capitals || (alone && word.length > 4 && !task.either?.has(word)));
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
