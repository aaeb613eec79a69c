// A list of fields in plain words, cut into the names and what is said about them: "state, in full", "role, the letter",
// "tty and, if there is one, host", "sizes with their unit". Behind "and" a list is at its end: what a comma alone
// sets apart there says more about what stands before it.

import { stem, wordsOf } from "./names.ts";
import { joinsPlaces, quotedIn } from "./text.ts";

export interface ListPart {
  text: string;
  /** It names nothing but says more about the part before it, or about all when `all`. */
  remark: boolean;
  all?: boolean;
  optional?: boolean;
}

/** A word that begins a remark, when more words follow it. */
const REMARK =
  /^(?:(?:and |but |or )?(?:in (?:full|the|its|their|this|that|words?|seconds?|bytes?|[a-z]+s\b)|as (?:printed|written|shown|given|far|well|it|they|in|the|an?|numbers?|text)|likewise|that is|i\.?e\.?|e\.?g\.?|namely|viz|named (?:like|as|after)|called|printed|written|given|shown|taken|read|which|that|whose|where|when|if|unless|without|with (?:its|their|the|an?)|up to|until|including|excluding|even|only (?:the|its|where|when|if|some|for|in|as)|just|each|both|all (?:of|as|in|with|three|four|two|from)|always|sometimes|often|mostly|usually|no |not |the (?:former|latter|first two|last two|rest|others?)\b|what |how |again|for (?:the|all|some|those|each|low|high|[a-z]+ [a-z]+)|from (?:the|its|where)|(?:numbers?|digits|figures?|text) (?:only|without|with|as|alone)|(?:it|they|these|this|those) (?:is|are|may|can|has|have)|one (?:of|or|per)|either|neither|if any|so |then |because|since|absent|missing|left out|empty|blank|optional|number only|respectively))\b/i;

/** Single words that are no names. */
const REMARK_WORD =
  /^(?:likewise|namely|respectively|verbatim|unchanged|optional|optionally|both|each|too|also|etc|too|several|none|numeric|alone|separately|sometimes|always)$/i;

/** "from the block RAM column bram_total", "for the rest `x`": the name stands behind the remark. */
const PLACED =
  /^(?:from|in|behind|after) (?:the|its) [^,]*? the (?:[a-z]+ ){0,2}[a-z]+(?: (?:without|with|as) .*)?$/i;

/** How far a list is read. */
interface State {
  parts: ListPart[];
  /** "and" stood in front of the last name. */
  closed: boolean;
  /** It had stood there before the last remark. */
  wasClosed: boolean;
  /** "and," stood at the end: a condition may follow. */
  waits: boolean;
  condition: string;
}

/** The parts of a list in their order. */
export function listParts(text: string): ListPart[] {
  const state: State = { parts: [], closed: false, wasClosed: false, waits: false, condition: "" };
  for (const piece of separated(text)) {
    if (piece.text === "") state.waits ||= piece.byAnd;
    else addPiece(piece, state);
  }
  return state.parts;
}

/** Remarks with a verb of their own. */
const CLAUSE = /^(?:where|which|that|whose|if|when|i\.?e\.?|what|it|they|these|unless)\b/i;

function addPiece({ text, byAnd, byStop, byComma }: Piece, state: State): void {
  const { parts } = state;
  const isRemark =
    (REMARK.test(text) && /^\S+\s[^(]/.test(text) && !PLACED.test(text)) || REMARK_WORD.test(text);
  const last = parts.at(-1);
  // "text, where the text is what follows the location and its colon"; "start and end, the first and the last port".
  if (
    last?.remark === true &&
    byAnd &&
    !byComma &&
    (state.wasClosed || (CLAUSE.test(last.text) && /^(?:the|its|their|an?)\s/i.test(text)))
  ) {
    last.text += ` and ${text}`;
    return;
  }
  if (byStop && /^(?:it|they|these|those|this|all|both|each|the (?:rest|others?))\b/i.test(text)) {
    parts.push(remarkOf(text));
    state.closed = true;
    return;
  }
  if (state.waits && isRemark) {
    // "tty and, if there is one, host": what stands between the commas is about the names behind it.
    Object.assign(state, { condition: text, waits: false, closed: false });
    return;
  }
  state.waits = false;
  const ended = state.closed && !byAnd && !byStop;
  if (isRemark || ended || namesSame(text, parts)) {
    if (parts.length > 0) parts.push(remarkOf(text));
    state.wasClosed = state.closed;
    if (isRemark || ended) state.closed = false;
    return;
  }
  parts.push(nameOf(text, state.condition));
  // A place is that of the next part, a condition holds for all that follow.
  if (PLACE.test(state.condition)) state.condition = "";
  if (byAnd) state.closed = true;
}

const PLACE = /^(?:from|in|behind|after|before)\b/i;

function nameOf(text: string, condition: string): ListPart {
  if (condition === "") return { text, remark: false };
  return {
    text: `${text} (${condition})`,
    remark: false,
    ...(PLACE.test(condition) ? {} : { optional: true }),
  };
}

function remarkOf(text: string): ListPart {
  return {
    text,
    remark: true,
    ...(/^(?:both|all|each|named|they|these)\b/i.test(text) ? { all: true } : {}),
  };
}

/** "sizes with their unit" speaks of "size" again. */
function namesSame(piece: string, parts: readonly ListPart[]): boolean {
  const [first = "", second = ""] = piece.split(/\s+/);
  if (!/^(?:with|as|without|in|are|is|may|the|its)$/i.test(second)) return false;
  return parts.some((one) => !one.remark && stem(wordsOf(one.text)[0] ?? "") === stem(first.toLowerCase()));
}

interface Piece {
  text: string;
  byAnd: boolean;
  byStop: boolean;
  /** A comma stands in front, with or without "and". */
  byComma: boolean;
}

/** The pieces between commas, semicolons and "and", with what stands in front of each. */
function separated(text: string): Piece[] {
  const quoted = quotedIn(text);
  const pieces: Piece[] = [];
  let start = 0;
  let depth = 0;
  let before = { byAnd: false, byStop: false, byComma: false };
  const cut = (end: number, next: number, by: Partial<typeof before>): void => {
    pieces.push({ text: clean(text.slice(start, end)), ...before });
    before = { byAnd: false, byStop: false, byComma: false, ...by };
    start = next;
  };
  for (let at = 0; at < text.length; at += 1) {
    const span = quoted.find((one) => one.start === at);
    if (span !== undefined) {
      at = span.end - 1;
      continue;
    }
    const char = text.charAt(at);
    if (char === "(" || char === "[") depth += 1;
    if (char === ")" || char === "]") depth -= 1;
    if (depth > 0) continue;
    const word =
      /^(?:\s+|,\s*)(?:and(?: finally| also| then)?|&|plus|as well as|together with)(?=[\s,])\s*/.exec(
        text.slice(at),
      );
    if (word !== null && !joinsPlaces(text.slice(start, at), text.slice(at + word[0].length))) {
      cut(at, at + word[0].length, { byAnd: true, byComma: word[0].startsWith(",") });
      at += word[0].length - 1;
    } else if (/[,;、，；]/.test(char)) cut(at, at + 1, { byStop: /[;；]/.test(char), byComma: true });
  }
  pieces.push({ text: clean(text.slice(start)), ...before });
  return pieces;
}

function clean(text: string): string {
  return text.replace(/^\s*(?:and|or)\s+/, "").trim();
}

const NO_NAMES =
  /^(?:number|seconds?|bytes?|hex|hexadecimal|decimal|optional|blank|empty|text|word|digits?|string|integer|percent|unit|units|left|right|first|last|both|column|columns|key|keys|here|above|below|may|if|or|in|ms|us|ns|mm|um|kb|mb|mhz|upper|lower|capitals?|printed|always|sometimes|local|remote|quoted)$/i;

/** "the number of instances (instances)", "the first terminal behind the arrow (first_target)": the name in brackets;
 * "the number of possible_terminals": the word that only a name is. */
export function nameWithin(text: string): { name: string; rest: string } | undefined {
  const bracket = /^(.*\S)\s*\(([a-z][a-z0-9_]*)\)\s*(.*)$/.exec(text);
  if (bracket !== null) {
    const [, lead = "", name = "", behind = ""] = bracket;
    const words = wordsOf(lead).filter((word) => !/^(?:the|its|an?|of|each)$/.test(word));
    const said = words.map(stem);
    const shares = said.includes(stem(name)) && words.length > 1;
    const phrase = words.length >= 2 && /^(?:the|its|an?|how|what|which|whose|where|who)\b/i.test(lead);
    if ((name.includes("_") && words.length > 1) || ((shares || phrase) && !NO_NAMES.test(name))) {
      if (words.length > 0 && said.join("") !== stem(name))
        return { name, rest: `(${lead}) ${behind}`.trim() };
    }
  }
  const only = [
    ...text.replace(/\([^)]*\)/g, " ").matchAll(/(?<![\w`"-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w-])/g),
  ];
  if (only.length === 1 && !/^(?:the |its )?[a-z][a-z0-9_]*(?=\s*(?:[(:=–-]|$))/.test(text))
    return { name: only[0]?.[0] ?? "", rest: `(${text.replace(/[()]/g, " ")})` };
  return undefined;
}
