// Lines of the log that are built like the example but that the expression does not read, found by setting their
// tokens side by side. What differs from line to line is loosened; what is left is a doubt.

import { escapeRegex } from "../escape.ts";
import { type Token, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Span } from "../parts/spans.ts";
import { type Attempt, type Attempts, sameProjection } from "./attempt.ts";
import { messageStart, prefixHost } from "./front.ts";
import { allowed, lacksListed, ruledOut } from "./left-out.ts";
import { cutterOf, type Piece, piecesOf, sideBySide } from "./side-by-side.ts";
import type { LineTask } from "./task.ts";
import type { Slot, TemplateOptions } from "./template.ts";

/** Likeness from which on a line is one of the kind, going by its tokens. */
const LIKE = 0.78;
/** The same for a line that has all words of the message: what is around them may be another text. */
const SAID = 0.5;
/** So many words in front of an optional part are taken to go with it. */
const MOST_LEADING = 2;
const MAX_SHAPES = 1500;
const MAX_NEAR = 40;
/** So many lines are held against the example, word by word. */
const MOST_HELD = 40;

export interface NearLine {
  text: string;
  likeness: number;
  /** Tokens of the example that have another text, or none, in the line. */
  differing: Token[];
  /** Tokens of the example that have nothing in their place there. */
  absent: Token[];
  /** A word has another one in its place that the page gives as its alternative: the one or the other, nothing else. */
  choice: boolean;
}

/** Lines like the example that none of the expressions reads and that nothing on the page tells from it. */
export function nearLines(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  reads: readonly RegExp[],
  hits: readonly number[] = [],
  byMarks = false,
): NearLine[] {
  const example = exampleOf(task, line, slots, hits, byMarks);
  if (example === undefined) return [];
  const found = formsOf(task.lines).flatMap((text) => {
    if (reads.some((regex) => regex.test(text))) return [];
    const near = compare(task, line, slots, example, text);
    return near === undefined ? [] : [near];
  });
  return found.sort((a, b) => b.likeness - a.likeness).slice(0, MAX_NEAR);
}

/** An example as lines are held against it. */
interface Example {
  pieces: readonly Piece[];
  /** The pieces that every line has. */
  needed: readonly Piece[];
  /** Its words beside the parts. */
  words: readonly Token[];
  /** Tells lines that have all words of the message. */
  says: ((text: string) => boolean) | undefined;
  /** Tells lines with the same marks, where the example has no words. */
  marks: RegExp | undefined;
  cut: (text: string) => Token[];
  /** Where the message begins. */
  from: number;
}

/** Undefined for an example that is like too much. */
function exampleOf(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  hits: readonly number[],
  byMarks: boolean,
): Example | undefined {
  const pieces = piecesOf(line, slots);
  if (pieces.length < 4 || pieces.length > 120) return undefined;
  // What a part says and the line says again is no word of the message.
  const said = pieces.flatMap(({ token, isPart }) => (isPart ? [token.text] : []));
  const host = prefixHost(line);
  const needed = withoutOptional(task, slots, pieces);
  const words = needed.flatMap(({ token, isPart }) =>
    token.kind === "word" && !isPart && !said.includes(token.text) && !host.includes(token.start)
      ? [token]
      : [],
  );
  const start = messageStart(line, slots) ?? 0;
  const own = words.filter((token) => token.start >= start && !inPair(line, token));
  const says = messageOf(task, own, hits);
  // Without words of its own it is known by its marks, where a part is optional.
  const few = words.length < 2 && says === undefined;
  const marks = byMarks && few && needed.length < pieces.length ? marksOf(task, needed) : undefined;
  if (few && marks === undefined) return undefined;
  return { pieces, needed, words, says, marks, cut: cutterOf(line, slots), from: start };
}

/** Keys and texts of pairs (`ua=Client (Linux);`) are no words of the message. */
function inPair(line: string, token: Token): boolean {
  if (/^=/.test(line.slice(token.end))) return true;
  const before = line.slice(0, token.start);
  const parted = /=[^;\]]*;[A-Za-z_][\w.-]*=[^;\]]*;/.test(line);
  return (parted ? /(?:^|[[;(])[\w.-]+=[^;[\]]*$/ : /(?:^|[\s[,;(])[\w.-]+=["']?[^\s,;"'\]]*$/).test(before);
}

/** How near a line is to the example; undefined when it is not, or when the page says why not. */
function compare(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  { pieces, needed, words, says, marks, cut, from }: Example,
  text: string,
): NearLine | undefined {
  const right = cut(text);
  if (right.length < needed.length * (says === undefined ? 0.6 : 0.4) || right.length > 150) return undefined;
  if (marks?.test(text) === false || isComment(pieces, right) || lacksListed(slots, line, text))
    return undefined;
  const isAsked = ({ token, isPart }: Piece): boolean => !isPart && task.asked?.has(token.text) === true;
  if (pieces.some((one) => isAsked(one) && !right.some((other) => other.text === one.token.text)))
    return undefined;
  const { score: all, pairs } = sideBySide(pieces, right);
  const score = needed.length === pieces.length ? all : Math.max(all, sideBySide(needed, right).score);
  const parts = pieces.filter(({ isPart, token }) => isPart && !isOptional(task, slots, token.start));
  if (!hasBrackets(line, parts, text)) return undefined;
  const full = parts.every((part) => isThere(right[pairs.get(pieces.indexOf(part)) ?? -1]));
  if (!isLike(score, full, marks === undefined ? says?.(text) === true : undefined)) return undefined;
  const rest = besideParts(pieces, right, pairs, text);
  // "the left or the right edge": either word will do.
  const open = words.filter((word) => {
    const at = pieces.findIndex(({ token }) => token.start === word.start);
    const other = right[pairs.get(at) ?? -1];
    return other === undefined || task.areEither?.(word.text, other.text) !== true;
  });
  if (isExplained(task, line, text, open, rest, from)) return undefined;
  const choice = open.length < words.length;
  return { text, likeness: score, choice, ...differencesOf(pieces, right, pairs) };
}

/** Lines of different form, numbers aside. */
function formsOf(lines: readonly string[]): string[] {
  const forms = new Map<string, string>();
  for (const text of lines) {
    if (forms.size > MAX_SHAPES) break;
    const form = text.replace(/\d+/g, "9");
    if (text.trim() !== "" && !forms.has(form)) forms.set(form, text);
  }
  return [...forms.values()];
}

function isThere(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== "punct";
}

/** The pieces of the example without the optional parts and what leads up to them and closes them. */
function withoutOptional(task: LineTask, slots: readonly Slot[], left: readonly Piece[]): Piece[] {
  const gone = new Set<number>();
  for (const [index, { isPart, token }] of left.entries()) {
    if (!isPart || !isOptional(task, slots, token.start)) continue;
    gone.add(index);
    // Its key in front of it, and the marks; not the words of the message.
    let words = 0;
    for (let at = index - 1; at >= 0 && left[at]?.isPart === false; at -= 1) {
      if (left[at]?.token.kind !== "punct") words += 1;
      if (words > MOST_LEADING) break;
      gone.add(at);
    }
    for (let at = index + 1; /^["'`)\]}>]$/.test(left[at]?.token.text ?? ""); at += 1) gone.add(at);
  }
  return left.filter((_, index) => !gone.has(index));
}

/** Tells lines with the same marks in the same order up to the last part; undefined where they are too few. */
function marksOf(task: LineTask, pieces: readonly Piece[]): RegExp | undefined {
  const last = pieces.findLastIndex(({ isPart }) => isPart);
  const marks = pieces.slice(0, last).filter(({ token, isPart }) => !isPart && token.kind === "punct");
  const first = pieces[0] !== undefined && pieces[0] === marks[0] ? "^\\s*" : "";
  if (task.single !== true || marks.length < (first === "" ? 3 : 2)) return undefined;
  return new RegExp(first + marks.map(({ token }) => escapeRegex(token.text)).join(".*?"));
}

/** Which tokens of the example beside the parts have another text, or none, in the line. */
function differencesOf(
  left: readonly Piece[],
  right: readonly Token[],
  pairs: ReadonlyMap<number, number>,
): Pick<NearLine, "differing" | "absent"> {
  const beside = left.flatMap(({ token, isPart }, index) =>
    isPart ? [] : [{ token, at: pairs.get(index) }],
  );
  return {
    differing: beside.flatMap(({ token, at }) => (right[at ?? -1]?.text === token.text ? [] : [token])),
    absent: beside.flatMap(({ token, at }) => (at === undefined ? [token] : [])),
  };
}

/** `says`: whether the line has all words of the message; undefined where its marks have to do. */
function isLike(score: number, full: boolean, says: boolean | undefined): boolean {
  if (says === undefined) return full;
  return score >= LIKE || (score >= SAID && full && says);
}

/** A mark in front ("#", ";") turns a line into a comment. */
function isComment(left: readonly Piece[], right: readonly Token[]): boolean {
  const first = right[0]?.text ?? "";
  return /^[#;!*/-]$/.test(first) && left[0]?.token.text !== first;
}

/** A line without the brackets that a part stands in is no record. */
function hasBrackets(line: string, parts: readonly Piece[], text: string): boolean {
  const opens = parts.flatMap(({ token }) => /[[({<]$/.exec(line.slice(0, token.start))?.[0] ?? []);
  return opens.every((open) => text.includes(open));
}

function isOptional(task: LineTask, slots: readonly Slot[], start: number): boolean {
  const hint = slots.find(({ span }) => span.start === start)?.hint;
  return hint !== undefined && hint !== task.value && hint.optional;
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
  if (common.every(({ text }) => text.length < 5)) return undefined;
  const all = task.lines.filter((text) => pattern.test(text)).length;
  return all <= hits.length * 2 ? (text) => pattern.test(text) : undefined;
}

/** Tells lines that the page, or its words, say are not wanted. */
export function explainedBy(task: LineTask, line: string, slots: readonly Slot[]): (text: string) => boolean {
  const left = piecesOf(line, slots);
  const cut = cutterOf(line, slots);
  return (text) => {
    const right = cut(text);
    const { pairs } = sideBySide(left, right);
    // Without its value, or two of its parts, a line is no record.
    const value = slots.find(({ hint }) => hint === task.value)?.span.start;
    const lacking = left.filter(
      ({ isPart, token }, index) =>
        isPart && !isOptional(task, slots, token.start) && !isThere(right[pairs.get(index) ?? -1]),
    );
    if (task.single === true && (lacking.length > 1 || lacking.some(({ token }) => token.start === value)))
      return true;
    // In what a message says in its own words a negation tells nothing of the kind of line.
    const rest = besideParts(left, right, pairs, text).replace(/\b(?:not|no|never|without)\b/gi, " ");
    return !allowed(task, text, line, undefined, rest);
  };
}

/** A line up to its last part, without what stands in the places of the parts, each up to the next piece of the example. */
function besideParts(
  left: readonly Piece[],
  right: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  text: string,
): string {
  let rest = text;
  let last = text.length;
  for (const [index, { isPart }] of left.entries()) {
    const first = right[isPart ? (pairs.get(index) ?? -1) : -1];
    if (first === undefined) continue;
    const after = left.findIndex((_, other) => other > index && pairs.has(other));
    const end = after < 0 ? text.length : (right[pairs.get(after) ?? -1]?.start ?? text.length);
    rest = rest.slice(0, first.start) + " ".repeat(end - first.start) + rest.slice(end);
    last = end;
  }
  // What follows the last part says nothing about the kind of line.
  return rest.slice(0, last);
}

/** Does the page say, or do its words, that the line is not wanted? */
function isExplained(
  task: LineTask,
  line: string,
  text: string,
  words: readonly Token[],
  rest: string,
  from: number,
): boolean {
  if (task.excluded?.(text) === true || ruledOut(task, text)) return true;
  if (!allowed(task, text, line, undefined, rest)) return true;
  // A directory in a path is no word of the message.
  const spoken = tokenize(text).filter(({ kind }) => kind !== "path" && kind !== "url");
  const own = new Set(spoken.flatMap((token) => wordsOf(token.text).map(stem)));
  const known = new Set(wordsOf(line).map(stem));
  const capitals = (text.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []).some(
    (word) => !wordsOf(word).every((one) => known.has(stem(one))),
  );
  const isSaid = (word: string): boolean => wordsOf(word).some((one) => task.stems.has(stem(one)));
  // A line with the words that the page speaks of needs no other marks of the example.
  const said = words.some(
    ({ text: word }) => isSaid(word) && wordsOf(word).every((one) => own.has(stem(one))),
  );
  const message = from;
  return words.some(({ text: word, start, end }) => {
    // Who logged it is another one in other lines, also where the page names one of them.
    if (start < message && /[a-z]/.test(word)) return false;
    if (word.length < 3 || wordsOf(word).every((one) => own.has(stem(one)))) return false;
    // The page speaks of the word, or it is a mark in capitals, a long one or with none in its place in the line.
    if (isSaid(word)) return true;
    if (said) return false;
    const alone = /(?:^|\s)$/.test(line.slice(0, start)) && /^(?:[\s:]|$)/.test(line.slice(end));
    return /^[A-Z]{3,}$/.test(word) && (!capitals || (alone && word.length > 4 && !task.either?.has(word)));
  });
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
    if (near.choice || new RegExp(chosen.pattern).test(near.text)) continue;
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
    if (tellsKinds(task, line, slots, near.differing, tried)) {
      task.refused?.add(near.text);
      continue;
    }
    const known = new Set(chosen.hits);
    const extra = tried.hits.filter((hit) => !known.has(hit)).map((hit) => task.lines[hit] ?? "");
    if (extra.every((text) => allowed(task, text, line, tried.pattern))) chosen = tried;
  }
  return chosen;
}

/** Is there, in the place of a word of the message, a single other one? That rather tells two kinds of lines apart. */
export function tellsKinds(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  tokens: readonly Token[],
  tried: Attempt,
): boolean {
  const host = prefixHost(line);
  const last = Math.max(0, ...slots.map(({ span }) => span.end));
  const words = tokens.filter(
    (token) =>
      token.kind === "word" &&
      /^[A-Za-z_]{3,}$/.test(token.text) &&
      token.start < last &&
      !host.includes(token.start) &&
      !inPair(line, token),
  );
  if (words.length === 0) return false;
  const pieces = piecesOf(line, slots);
  const cut = cutterOf(line, slots);
  const seen = new Map(words.map((word) => [word.start, new Map<string, number>()]));
  for (const text of formsOf(tried.hits.map((hit) => task.lines[hit] ?? "")).slice(0, MOST_HELD)) {
    const right = cut(text);
    if (right.length > 150) continue;
    const { pairs } = sideBySide(pieces, right);
    for (const word of words) {
      const at = pieces.findIndex(({ token }) => token.start === word.start);
      const own = right[pairs.get(at) ?? -1]?.text ?? "";
      const counts = seen.get(word.start);
      counts?.set(own, (counts.get(own) ?? 0) + 1);
    }
  }
  return words.some((word) => {
    const counts = seen.get(word.start) ?? new Map<string, number>();
    const [other = "", ...more] = [...counts.keys()].filter((one) => one !== word.text);
    if (!counts.has(word.text) || more.length > 0 || other === "") return false;
    return (
      stem(other.toLowerCase()) !== stem(word.text.toLowerCase()) &&
      task.areEither?.(word.text, other) !== true
    );
  });
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
