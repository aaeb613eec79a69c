// Lines that say the same as the example with a piece more, a piece less or another text beside the parts: all of them
// are set side by side with it, and one expression is made of what they share. What all of them have stays, what some
// of them lack becomes optional, and where some have more there may be more.

import { escapeRegex } from "../escape.ts";
import { type Token, tokenize } from "../logs/tokens.ts";
import { stem } from "../page/names.ts";
import { type Attempt, type Attempts, sameProjection, stillNumbers } from "./attempt.ts";
import { typeClass } from "./context.ts";
import { addsAllowed } from "./left-out.ts";
import { nearLines, tellsKinds } from "./near.ts";
import { cutterOf, type Piece, piecesOf, sideBySide } from "./side-by-side.ts";
import type { LineTask } from "./task.ts";
import { framing, learnClass, looseClass, type Slot, type TemplateOptions } from "./template.ts";
import { oddKinds } from "./wider.ts";

/** So many of the lines that are read already are set side by side; more of them show nothing new. */
const MAX_SAMPLE = 24;
/** So many words more a part may have that is one word in the example. */
const MOST_WORDS = 3;
/** A part of several words. */
const WORDS = "\\S+(?: \\S+)*?";

/** A piece of the example, as the lines have it. */
interface Shared {
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

/** The reading of all lines like the example that the page does not rule out; `best` where there are none, or where they
 * do not share enough. */
export function unifyChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  if (task.single !== true || !apart(slots)) return best;
  let chosen = best;
  const read = sampleOf(task, best);
  for (const { text } of nearLines(task, line, slots, [new RegExp(best.pattern)], best.hits, true)) {
    if (new RegExp(chosen.pattern).test(text)) continue;
    const tried = unified(task, line, slots, [...read, text], chosen, attempt);
    if (tried === undefined || !new RegExp(tried.pattern).test(text)) continue;
    chosen = tried;
    read.push(text);
  }
  return chosen;
}

function apart(slots: readonly Slot[]): boolean {
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start);
  return sorted.every(({ span }, index) => span.start >= (sorted[index - 1]?.span.end ?? 0));
}

/** Lines of different form among those that are read. */
function sampleOf(task: LineTask, best: Attempt): string[] {
  const forms = new Map<string, string>();
  for (const hit of best.hits) {
    const text = task.lines[hit] ?? "";
    const form = text.replace(/\d+/g, "9");
    if (!forms.has(form)) forms.set(form, text);
    if (forms.size >= MAX_SAMPLE) break;
  }
  return [...forms.values()];
}

/** One expression for all of these lines, if it reads what was read before the same way and nothing that the page rules
 * out. */
function unified(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  before: Attempt,
  attempt: Attempts,
): Attempt | undefined {
  const shared = sharedPieces(line, slots, lines);
  if (shared === undefined || !tells(task, shared)) return undefined;
  for (const one of shared) {
    const others = [...one.texts].slice(1);
    one.choice =
      !one.piece.isPart &&
      others.length > 0 &&
      others.every((text) => task.areEither?.(one.piece.token.text, text) === true);
  }
  const wide = new Map(
    slots.flatMap(({ group, span }): [string, string][] =>
      shared.some((one) => one.wide && one.piece.token.start === span.start) ? [[group, WORDS]] : [],
    ),
  );
  const loose = attempt({
    ...before.options,
    whole: expression(task, line, slots, shared, before, wide),
  });
  if (!fits(task, line, slots, before, loose)) return undefined;
  if (!wordsVary(task, line, shared, before, loose)) return undefined;
  const first = shared.findIndex(({ piece }) => piece.isPart);
  const changed = shared.filter(
    ({ piece, texts, echo, choice }, index) =>
      !piece.isPart &&
      !echo &&
      !choice &&
      texts.size === 2 &&
      // In front of the message a level tells kinds of lines apart, nothing else does.
      (/^[A-Z]{3,}$/.test(piece.token.text) || !isFront(line, shared, index, first)),
  );
  const words = changed.map(({ piece }) => piece.token);
  if (tellsKinds(task, line, slots, words, loose)) {
    task.refused?.add(lines.at(-1) ?? "");
    return undefined;
  }
  const classes = new Map(
    slots.map(({ group, hint, span }) => [
      group,
      learnClass(
        [...(loose.texts.get(group) ?? []).filter((text) => text !== ""), line.slice(span.start, span.end)],
        wide.get(group) ?? givenClass(before, group) ?? looseClass(line, span, hint.kind !== "number", hint),
        hint,
      ),
    ]),
  );
  const narrow = attempt({
    ...before.options,
    whole: expression(task, line, slots, shared, before, classes),
  });
  return narrow.hits.length === loose.hits.length && sameProjection(narrow, loose) ? narrow : loose;
}

function fits(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  before: Attempt,
  tried: Attempt,
): boolean {
  return (
    tried.hits.length > before.hits.length &&
    sameProjection(tried, before) &&
    stillNumbers(line, slots, tried, true) &&
    haveText(slots, tried) &&
    !oddKinds(line, slots, tried) &&
    addsAllowed(task, line, before, tried)
  );
}

/** A comma is the text of no part; a dot is where the page says so. */
function haveText(slots: readonly Slot[], tried: Attempt): boolean {
  return slots.every(({ group, hint }) => {
    const marks = /\bdot\b/i.test(hint.description) ? /^[,;:'"()[\]{}=]+$/ : /^[,;:.'"()[\]{}=]+$/;
    return !(tried.texts.get(group) ?? []).some((text) => marks.test(text));
  });
}

/** A word that is another one in a single further text rather tells two kinds of lines apart. */
function wordsVary(
  task: LineTask,
  line: string,
  shared: readonly Shared[],
  before: Attempt,
  after: Attempt,
): boolean {
  const first = shared.findIndex(({ piece }) => piece.isPart);
  const own = shared.filter(
    ({ piece, texts, echo, choice }, index) =>
      !piece.isPart &&
      !echo &&
      isPlain(piece.token) &&
      texts.size === 2 &&
      !choice &&
      !isFront(line, shared, index, first),
  );
  if (own.length === 0) return true;
  const known = new Set(before.hits);
  const words = new Set(line.match(/[A-Za-z]{2,}/g) ?? []);
  const others = after.hits
    .filter((hit) => !known.has(hit))
    .flatMap((hit) => task.lines[hit]?.match(/(?<![\w.-])[A-Za-z]{2,}(?![\w.-])/g) ?? [])
    .filter((word) => !words.has(word));
  return new Set(others).size >= 2;
}

/** In front of the message stands who logged it and when. */
function isFront(line: string, shared: readonly Shared[], index: number, first: number): boolean {
  const at = shared[index]?.piece.token.end ?? 0;
  const border = /[:\]>|]\s/.exec(line.slice(at));
  const part = shared[first]?.piece.token.start ?? 0;
  return border !== null && at + border.index < part;
}

function isPlain(token: Token): boolean {
  return token.kind === "word" && /^[A-Za-z]{3,}$/.test(token.text);
}

/** What is left has to tell the lines: two words that all of them have, or one that the page speaks of. */
function tells(task: LineTask, shared: readonly Shared[]): boolean {
  const beside = shared.filter(({ piece, texts, absent }) => !piece.isPart && !absent && texts.size === 1);
  const words = beside.filter(({ piece }) => isPlain(piece.token));
  if (words.length >= 2) return true;
  // An example without words is known by its marks.
  if (!shared.some(({ piece }) => !piece.isPart && isPlain(piece.token))) return beside.length >= 3;
  return words.some(({ piece }) => task.stems.has(stem(piece.token.text.toLowerCase())));
}

/** The pieces of the example with what the lines have in their places; undefined when a line lacks a part. */
function sharedPieces(line: string, slots: readonly Slot[], lines: readonly string[]): Shared[] | undefined {
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

function expression(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  shared: readonly Shared[],
  before: Attempt,
  classes: ReadonlyMap<string, string>,
): string {
  const start = startOf(shared);
  const end = endOf(task, shared, before.options);
  let out = "";
  for (let index = start; index <= end; index += 1) {
    const one = shared[index];
    if (one === undefined) break;
    const lead = index === start ? "" : leadOf(one);
    const slot = slots.find(({ span }) => one.piece.isPart && span.start === one.piece.token.start);
    const part =
      slot === undefined
        ? sourceOf(line, one)
        : framing(
            line,
            slot,
            classes.get(slot.group) ??
              givenClass(before, slot.group) ??
              looseClass(line, slot.span, slot.hint.kind !== "number", slot.hint),
            before.options,
          );
    const body = one.framed === "" ? part : framed(part, one.framed);
    if (!one.absent) out += lead + body;
    else {
      // A run of pieces that the same lines lack is there as a whole or not at all.
      let run = lead + body;
      while (index < end && shared[index + 1]?.absent === true && shared[index + 1]?.piece.isPart === false) {
        index += 1;
        const next = shared[index];
        if (next !== undefined) run += leadOf(next) + sourceOf(line, next);
      }
      out += `(?:${run})?`;
    }
  }
  const first = shared[start];
  if (start === 0 && first?.more.size === 0) return `^\\s*${out}`;
  return (/\w/.test(first?.piece.token.text.charAt(0) ?? "") ? "(?<!\\w)" : "") + out;
}

/** The expression of a part that is known; that the numbers read so far are positive says nothing of others. */
function givenClass(before: Attempt, group: string): string | undefined {
  const known = before.options.classes.get(group);
  return known === "\\d+" ? "-?\\d+" : known;
}

const CLOSERS: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The expression of a part that stands in brackets or quotes in some lines. */
function framed(part: string, open: string): string {
  const [lead, close] = [escapeRegex(open), escapeRegex(CLOSERS[open] ?? open)];
  return `${lead}?${part.replace(/^(\(\?<\w+>)/, `$1(?!${lead})`)}${close}?`;
}

/** From the first piece on that all lines have with the same text; from the start of the line where they all start the
 * same way; at the latest from the first part on. */
function startOf(shared: readonly Shared[]): number {
  const first = shared.findIndex(({ piece }) => piece.isPart);
  if (shared.slice(0, first + 1).every((one) => one.more.size === 0 && !one.absent)) return 0;
  const same = (one: Shared): boolean => !one.absent && one.texts.size === 1 && !one.echo;
  const word = shared.findIndex((one, index) => index < first && same(one) && isPlain(one.piece.token));
  if (word >= 0) return word;
  const before = shared[first - 1];
  return before !== undefined && same(before) && before.piece.token.kind === "punct" ? first - 1 : first;
}

/** The last part, or the last word behind it that all lines have: any where that text is kept, else one that the page
 * speaks of. */
function endOf(task: LineTask, shared: readonly Shared[], { tail, tailEnd }: TemplateOptions): number {
  const last = shared.findLastIndex(({ piece }) => piece.isPart);
  const word = shared.findLastIndex(
    ({ piece: { isPart, token }, texts, absent }) =>
      !isPart &&
      !absent &&
      texts.size === 1 &&
      token.kind === "word" &&
      token.end <= (tailEnd ?? Number.POSITIVE_INFINITY) &&
      (tail || (token.text.length > 3 && task.stems.has(stem(token.text.toLowerCase())))),
  );
  if (word > last) return word;
  // The mark right behind the last part ends it.
  const next = shared[last + 1];
  const closes =
    next !== undefined &&
    !next.absent &&
    next.piece.token.kind === "punct" &&
    next.texts.size === 1 &&
    !next.spaced.has(true);
  return closes ? last + 1 : last;
}

function leadOf({ spaced, more }: Shared): string {
  const blank = spaced.size === 2 ? "\\s*" : spaced.has(true) ? "\\s+" : "";
  if (more.size === 0) return blank;
  if (more.has("glued") || !spaced.has(true)) return "\\S*?(?:\\s+\\S+)*?\\s*";
  return `${spaced.size === 2 ? "\\s*" : "\\s+"}(?:\\S+\\s+)*?`;
}

function sourceOf(line: string, { piece: { token }, texts, echo, choice }: Shared): string {
  if (choice) return `(?:${[...texts].map(escapeRegex).join("|")})`;
  if (texts.size === 1 && !echo && ["word", "punct", "mixed", "path", "url"].includes(token.kind))
    return escapeRegex(token.text);
  const isTyped = [...texts].every((text) => tokenize(text)[0]?.kind === token.kind);
  if (isTyped && !["word", "punct"].includes(token.kind)) return typeClass(line, token);
  return "\\S+?";
}
