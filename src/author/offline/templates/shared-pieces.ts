// The pieces of an example set side by side with other lines: what each of them has in the place of every piece.

import type { Token } from "../logs/tokens.ts";
import { cutterOf, type Piece, piecesOf, sideBySide } from "./side-by-side.ts";
import type { Slot } from "./template.ts";

/** So many words more a part may have that is one word in the example. */
const MOST_WORDS = 3;
/** A piece of the example, as the lines have it. */
export interface Shared {
  piece: Piece;
  /** Its texts in the lines, its own included. */
  texts: Set<string>;
  /** Some line lacks it. */
  absent: boolean;
  /** Whether blanks stand in front of it, in each of the lines. */
  spaced: Set<boolean>;
  /** Some line has more in front of it, set apart by blanks or glued. */
  more: Set<"apart" | "glued">;
  /** It has the text of a part, in every line: what the part says is said again. */
  echo: boolean;
  /** The page gives its texts as alternatives: "the left or the right edge". */
  choice: boolean;
  /** A part that stands in brackets or quotes in some line and not in the others. */
  framed: string;
  /** A part that has several words in some line. */
  wide: boolean;
}

/** The pieces of the example with what the lines have in their places; undefined when a line lacks a part. */
export function sharedPieces(
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
): Shared[] | undefined {
  const pieces = piecesOf(line, slots);
  const shared: Shared[] = pieces.map((piece, index) => ({
    piece,
    texts: new Set([piece.token.text]),
    absent: false,
    spaced: new Set([isSpaced(line, piece.token.start, index)]),
    more: new Set(),
    echo: false,
    choice: false,
    framed: "",
    wide: false,
  }));
  const parts = pieces.filter(({ isPart }) => isPart).map(({ token }) => token.text);
  for (const one of shared) one.echo = !one.piece.isPart && parts.includes(one.piece.token.text);
  const cut = cutterOf(line, slots);
  return lines.every((text) => addLine(line, slots, pieces, shared, text, cut(text))) ? shared : undefined;
}

/** Adds what a line has in the places of the pieces; false when it lacks a part that every record has. */
function addLine(
  line: string,
  slots: readonly Slot[],
  pieces: readonly Piece[],
  shared: readonly Shared[],
  text: string,
  right: readonly Token[],
): boolean {
  const pairs = pairsOf(slots, pieces, right);
  const said = new Set<string>();
  let next = 0;
  for (const [index, one] of shared.entries()) {
    const at = pairs.get(index);
    const token = right[at ?? -1];
    if (at === undefined || token === undefined) {
      const slot = slots.find(({ span }) => one.piece.isPart && span.start === one.piece.token.start);
      if (slot !== undefined && !slot.hint.optional) return false;
      one.absent = true;
      continue;
    }
    const place = placeOf(line, text, one, right, at, next);
    if (at > next && !place.framed) addMore(line, text, shared, index, right.slice(next, at), token);
    one.spaced.add(isSpaced(text, place.start, at));
    if (place.framed) one.framed = text.charAt(place.start);
    next = place.next;
    if (!one.piece.isPart) one.texts.add(token.text);
    else for (const part of right.slice(at, next)) said.add(part.text);
    if (one.piece.isPart) said.add(text.slice(token.start, right[next - 1]?.end));
  }
  for (const one of shared) if (one.echo && ![...one.texts].some((own) => said.has(own))) one.echo = false;
  return true;
}

/** Notes that a line has more in front of a piece: further words of the part before it, or something else. */
function addMore(
  line: string,
  text: string,
  shared: readonly Shared[],
  index: number,
  tokens: readonly Token[],
  own: Token,
): void {
  const [before, one] = [shared[index - 1], shared[index]];
  if (one === undefined) return;
  if (before !== undefined && isRest(line, before, one, tokens)) before.wide = true;
  else one.more.add(index === 0 || /\s$/.test(text.slice(0, own.start)) ? "apart" : "glued");
}

/** Are tokens between a part that is a word and the fixed text behind it further words of the part? */
function isRest(line: string, part: Shared, next: Shared, tokens: readonly Token[]): boolean {
  return (
    part.piece.isPart &&
    !next.piece.isPart &&
    /^\p{L}+$/u.test(part.piece.token.text) &&
    isSpaced(line, next.piece.token.start, 1) &&
    tokens.length <= MOST_WORDS &&
    tokens.every(({ text }) => /^\p{L}[\p{L}\p{N}_-]*$/u.test(text))
  );
}

const CLOSED = /^[\])}>"'`]$/;

/** Which token stands in the place of a piece. A part is missing where its brackets are. */
function pairsOf(
  slots: readonly Slot[],
  pieces: readonly Piece[],
  right: readonly Token[],
): ReadonlyMap<number, number> {
  const { pairs } = sideBySide(pieces, right);
  const gone = new Set<number>();
  for (const [index, { token, isPart }] of pieces.entries()) {
    const hint = isPart ? slots.find(({ span }) => span.start === token.start)?.hint : undefined;
    // An address is known without its brackets.
    if (hint === undefined || (!hint.optional && ["address", "number", "time"].includes(hint.kind ?? "")))
      continue;
    const [open, close] = [pieces[index - 1]?.token, pieces[index + 1]?.token];
    if (open?.end !== token.start || close?.start !== token.end) continue;
    if (!/^[[({<"'`]$/.test(open.text) || !CLOSED.test(close.text)) continue;
    const lacks = hint.optional
      ? !pairs.has(index - 1) || !pairs.has(index + 1)
      : !pairs.has(index - 1) && !pairs.has(index + 1);
    if (lacks) for (const at of [-1, 0, 1]) gone.add(index + at);
  }
  if (gone.size === 0) return pairs;
  const left = [...pieces.keys()].filter((index) => !gone.has(index));
  const rest = sideBySide(
    left.flatMap((index) => pieces[index] ?? []),
    right,
  ).pairs;
  return new Map([...rest].map(([at, other]) => [left[at] ?? -1, other]));
}

/** Where a piece starts in a line, which token comes behind it, and whether it is a part in brackets or quotes. */
function placeOf(
  line: string,
  text: string,
  { piece }: Shared,
  right: readonly Token[],
  at: number,
  from: number,
): { start: number; next: number; framed: boolean } {
  const start = right[at]?.start ?? 0;
  if (!piece.isPart) return { start, next: at + 1, framed: false };
  const open = right[from];
  const opens = at === from + 1 && open !== undefined && /^[[({<"'`]$/.test(open.text);
  const end = endOfPart(line, text, piece.token, right, at, opens);
  const framed = opens && CLOSED.test(right[end]?.text ?? "");
  return { start: framed ? open.start : start, next: framed ? end + 1 : end, framed };
}

function isSpaced(text: string, start: number, index: number): boolean {
  return index > 0 && /\s/.test(text.charAt(start - 1));
}

/** Behind which token a part ends: a part without blanks in front of the next blank, else in front of what follows. */
function endOfPart(
  line: string,
  text: string,
  part: Token,
  right: readonly Token[],
  at: number,
  framed: boolean,
): number {
  const isText = /\s/.test(line.slice(part.start, part.end));
  let end = at + 1;
  while (end < right.length) {
    const [last, token] = [right[end - 1], right[end]];
    if (last === undefined || token === undefined) break;
    if (!isText && token.start > last.end) break;
    if (framed && CLOSED.test(token.text)) break;
    if (text.charAt(token.start) === line.charAt(part.end) && token.kind === "punct") break;
    end += 1;
  }
  return end;
}

export function isPlain(token: Token): boolean {
  return token.kind === "word" && /^[A-Za-z]{3,}$/.test(token.text);
}
