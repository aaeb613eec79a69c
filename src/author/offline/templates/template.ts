// From one line whose parts are known to an expression: which of the text around the parts is kept as it
// stands, which is generalised by its type, and what expression each part gets.

import { escapeClass, escapeRegex } from "../escape.ts";
import { type Token, tokenize } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import { someBracketed } from "../parts/evidence.ts";
import { mayHaveBlanks } from "../parts/fit.ts";
import type { Span } from "../parts/spans.ts";
import { context, isFixedCode, isFixedWord, keyed } from "./context.ts";
import { keepingKeys } from "./own-keys.ts";

/** A part that becomes a named group. */
export interface Slot {
  group: string;
  hint: Hint;
  span: Span;
  /** The mark behind it, when it is a cell of a list that the page names: then it has any text up to there. */
  mark?: string;
}

export interface TemplateOptions {
  /** Keep the text after the last part. */
  tail: boolean;
  /** Where the kept text ends when it does not reach the end of the line. */
  tailEnd?: number;
  /** Keep everything before the first part, start at its first fixed word, or keep nothing of it. */
  prefix: "all" | "word" | "none";
  /** Keep `key=` texts of pairs that are no part as they stand. */
  pairs: boolean;
  /** Keep mixed tokens (codes, names with digits) as they stand. */
  codes: boolean;
  /** Expression per group, where one was learned from the matches. */
  classes: ReadonlyMap<string, string>;
  /** "..." of the example stands for any text. */
  ellipsis: boolean;
  /** Words (lower case) that are fixed wherever they stand. */
  fixed: ReadonlySet<string>;
  /** Offsets of tokens that are known to vary, such as the host in a log prefix. */
  loose: ReadonlySet<number>;
  /** Pieces between blanks that are data throughout ("10.0.0.1:80") are any text without blanks. */
  chunks?: boolean;
  /** Symbols and rulers between blanks may be other ones. */
  symbols?: boolean;
  /** Runs of words that are others in other lines. */
  clauses?: readonly Span[];
  /** Pieces without a part that other lines do not have. */
  absent?: readonly Span[];
  /** Pieces without a part that are others in other lines. */
  pieces?: readonly Span[];
  /** Words that the page gives as alternatives of one another. */
  either?: ReadonlyMap<string, readonly string[]>;
  /** Offsets of gaps that are at least two blanks wide: the part in front of them has single blanks. */
  gaps?: ReadonlySet<number>;
  /** Where the text of a part fills its column, one blank sets it apart from what follows. */
  narrow?: boolean;
  /** Set: parts are found by the key in front of them, and of the text in between only the tokens at these
   * offsets stay. */
  anchors?: ReadonlySet<number>;
  /** Set: of the text beside the parts only the tokens at these offsets stay, what is between them is free. */
  kept?: ReadonlySet<number>;
  /** What stands in brackets and quotes beside the parts is free, a key at its start aside. */
  enclosed?: boolean;
  /** Where the expression starts, when what is in front differs from line to line. */
  start?: number;
  /** The expression itself, where it was put together in another way. */
  whole?: string;
  /** Groups behind whose text some lines have a full stop. */
  stops?: ReadonlySet<string>;
  /** Groups that some lines lack, with what stands in front of them. */
  optional?: ReadonlySet<string>;
}

/** The expression of a line, anchored at its start unless the prefix is cut. */
export function buildPattern(line: string, slots: readonly Slot[], asked: TemplateOptions): string {
  if (asked.whole !== undefined) return asked.whole;
  const chosen = keepingKeys(line, slots, asked);
  const wide = slots.filter(
    ({ span }) => /\S \S/.test(line.slice(span.start, span.end)) && /^ {2,}\S/.test(line.slice(span.end)),
  );
  const options =
    wide.length === 0 || chosen.narrow === true
      ? chosen
      : { ...chosen, gaps: new Set(wide.map(({ span }) => span.end)) };
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const tokens = tokenize(line);
  const first = Math.min(line.length, ...sorted.map((slot) => slot.span.start));
  const last = Math.max(0, ...sorted.map((slot) => slot.span.end));
  const out: string[] = [];
  if (sorted.length === 0) return anchor(line, context(line, tokens, 0, line.trimEnd().length, options));
  const front = prefixOf(line, tokens, first, options);
  out.push(/\\[[(]$/.test(front) && /^-?\d/.test(line.slice(first)) ? `${front}\\s*` : front);
  out.push(partsOf(line, tokens, sorted, first, last, options));
  const end = line.trimEnd().length;
  // A part of any length in front of the last one: only the end of the line says where that one starts.
  const final = out.at(-1) ?? "";
  if (last >= end && /\.\*\?\)/.test(final) && /(?:\\S\+\)|\)\?)$/.test(final)) out.push("\\s*$");
  // One of a few words is a word of its own.
  if (last >= end && /\(\?<\w+>\(\?:[^()[\]]*\w\)\)$/.test(final)) out.push("(?![\\w-])");
  if (last < end) {
    const next = /^[^\s\p{L}\p{N}]+/u.exec(line.slice(last))?.[0] ?? "";
    if (options.tail) out.push(context(line, tokens, last, Math.max(last, options.tailEnd ?? end), options));
    else out.push(escapeRegex(next.slice(0, 1)));
    // A full stop that ends the line, where the part has full stops of its own.
    const closes = /\\S\+\?\)$/.test(final) && /^[^\s\p{L}\p{N}]+$/u.test(line.slice(last, end));
    if (closes) out.push("(?:\\s|$)");
  }
  const source = joinGaps(out.join(""));
  if (!/\.\*\?\)/.test(source) || readsItself(source, line, slots)) return source;
  // A part of any length stops too early: what follows it stands at the end of the line.
  const closed = `${source}\\s*$`;
  return readsItself(closed, line, slots) ? closed : source;
}

/** Does an expression take from its own line the parts that it was made for? */
export function readsItself(source: string, line: string, slots: readonly Slot[]): boolean {
  const groups = new RegExp(source).exec(line)?.groups;
  if (groups === undefined) return true;
  return slots.every(
    ({ group, span }) => (groups[group] ?? "").trim() === line.slice(span.start, span.end).trim(),
  );
}

/** Any text, pieces of any text, and any text again is any text: said once. Each further gap multiplies what a
 * search tries on a line that does not match; a dozen of them never ends. */
function joinGaps(pattern: string): string {
  return pattern.replace(/(?:\.\*\?(?:\\b)?(?:\\S\+|\\s\+?)*)+(?=\.\*\?)/g, "");
}

function anchor(line: string, body: string): string {
  return `^${/^\s/.test(line) ? "" : "\\s*"}${body}`;
}

function prefixOf(line: string, tokens: readonly Token[], first: number, options: TemplateOptions): string {
  if (options.anchors !== undefined) {
    const source = keyed(line, tokens, 0, first, options.anchors);
    if (source !== undefined) return source.replace(/^\.\*\?/, "");
  }
  if (options.start !== undefined && options.start < first) {
    const border = /\w/.test(line.charAt(options.start)) ? "\\b" : "";
    return border + context(line, tokens, options.start, first, options);
  }
  if (options.prefix === "none") {
    const before = line.slice(0, first);
    // A part that starts a chunk keeps the border in front of it.
    const mark = /[^\s\p{L}\p{N}]$/u.exec(before)?.[0];
    return mark === undefined ? (before === "" ? "^\\s*" : "(?:^|\\s)") : escapeRegex(mark);
  }
  if (options.prefix === "word") {
    const from = tokens.find(
      (token) => token.end <= first && (isFixedWord(line, token, options) || isFixedCode(token, options)),
    );
    if (from !== undefined) {
      const border = /\w/.test(line.charAt(from.start)) ? "\\b" : "";
      const mark = /[^\s\w]$/.exec(line.slice(0, from.start))?.[0] ?? "";
      return (mark === "" ? border : escapeRegex(mark)) + context(line, tokens, from.start, first, options);
    }
  }
  return anchor(
    line.slice(0, Math.max(first, 1)),
    context(line, tokens, 0, first, options).replace(/^\\s\+/, "\\s*"),
  );
}

const CLOSERS: Record<string, string> = { "(": ")", "[": "]", "{": "}", '"': '"', "'": "'" };

function partsOf(
  line: string,
  tokens: readonly Token[],
  slots: readonly Slot[],
  from: number,
  to: number,
  options: TemplateOptions,
): string {
  let out = "";
  let at = from;
  let before = from;
  let index = 0;
  while (index < slots.length) {
    const slot = slots[index];
    if (slot === undefined) break;
    if (slot.span.start < at) {
      index += 1;
      continue;
    }
    const between =
      options.anchors === undefined || at === from
        ? undefined
        : keyed(line, tokens, at, slot.span.start, options.anchors);
    const gap = between ?? context(line, tokens, at, slot.span.start, options);
    // A text with blanks ends where the columns are set apart.
    const wide = /^\s{2,}/.test(line.slice(at)) && /\S \S/.test(line.slice(Math.max(from, before), at));
    const lead = wide ? gap.replace(/^\\s\+/, "\\s{2,}") : gap;
    before = slot.span.start;
    const inner = slots.filter(
      (other) => other !== slot && other.span.start >= slot.span.start && other.span.end <= slot.span.end,
    );
    const learned = options.classes.get(slot.group);
    const body =
      inner.length > 0
        ? partsOf(line, tokens, inner, slot.span.start, slot.span.end, options)
        : (learned ?? looseClass(line, slot.span, false, slot.hint));
    const port = portBehind(line, slot, slots);
    const part = `${padded(lead, body)}${framing(line, slot, body, options)}${port === "" ? "" : "(?::\\d+)?"}${markBehind(line, slot)}`;
    at = slot.span.end + port.length;
    if (lead !== "" && options.optional?.has(slot.group) === true) {
      // Brackets go with what stands in them.
      const close = CLOSERS[line.charAt(slot.span.start - 1)];
      const closed = close !== undefined && line.startsWith(close, at);
      out += `(?:${part}${closed ? escapeRegex(close) : ""})?`;
      if (closed) at += close.length;
    } else {
      const joined = withJoint(part, line.slice(at, to), slot.hint.optional && lead === "");
      out += joined.source;
      at += joined.length;
    }
    index += 1 + inner.length;
  }
  return out + context(line, tokens, at, to, options);
}

/** Numbers in brackets are padded in front: "[ -86.1, -17.2)". */
function padded(lead: string, body: string): string {
  return /\\[[(]$/.test(lead) && /^(?:-\?|\[-\+\]\?)?\\d/.test(body) ? `${lead}\\s*` : lead;
}

/** "lib__cell": the mark between the pieces of one word, which goes with a piece that some words lack. */
function withJoint(part: string, behind: string, optional: boolean): { source: string; length: number } {
  const joint = /^__+(?=\w)/.exec(behind)?.[0] ?? "";
  const source = joint !== "" && optional ? `(?:${part}${joint})?` : part + joint;
  return { source, length: joint.length };
}

function numberClass(text: string): string | undefined {
  if (/^[-+]?\d+$/.test(text)) return /^[-+]/.test(text) ? "[-+]?\\d+" : "-?\\d+";
  return /^[-+]?\d+\.\d+$/.test(text) ? "[-+]?\\d+(?:\\.\\d+)?" : undefined;
}

/** Brackets that the page counts as part of the text are there in every line. */
function framedClass(text: string, hint: Hint): string | undefined {
  if (!/\bwith (?:its |the |their )?(?:\w+ )?(?:braces|brackets|parentheses)\b/i.test(hint.description))
    return;
  const [, open = "", close = ""] = /^([[{(])[^[\]{}()]*([\]})])$/.exec(text) ?? [];
  if (open === "" || CLOSERS[open] !== close) return;
  return `${escapeRegex(open)}[^${escapeClass(close)}]*${escapeRegex(close)}`;
}

/** "the address, without the port; older versions print no port": what is left out may be missing. */
function portBehind(line: string, { hint, span }: Slot, slots: readonly Slot[]): string {
  if (slots.some((other) => other.span.start === span.end + 1)) return "";
  const without = /\bwithout (?:the |its |any )?(?:[\w-]+ and )?port\b/i.test(hint.description);
  if (hint.kind !== "address" || !without) return "";
  return /^:\d+(?!\d)/.exec(line.slice(span.end))?.[0] ?? "";
}

/** "the name, without the mark `*` that some have": the text that is left out stands behind the part in some lines. */
function markBehind(line: string, { hint, span }: Slot): string {
  const told =
    /\bwithout (?:the |its |any |an? )?(?:[\w-]+ ){0,2}[`"]([^`"]+)[`"]/
      .exec(hint.description)?.[1]
      ?.trim() ?? "";
  const next = line.slice(span.end);
  if (told === "" || line.includes(told) || !/^(?:\s|$)/.test(next)) return "";
  return `(?:\\s*${escapeRegex(told)})?`;
}

/** The group of a part. An address of version 6 may stand in brackets where the others have none, and a full stop that
 * some lines have behind the part belongs to the sentence. */
export function framing(
  line: string,
  { group, hint, span }: Slot,
  body: string,
  options: TemplateOptions,
): string {
  const quote = /^["'`]/.test(line.slice(span.end));
  const stops = quote && /\bfull stop\b/i.test(hint.description);
  if (stops || options.stops?.has(group) === true) return `(?<${group}>[^\\s"'\`]*[^\\s"'\`.,;:])[.,;:]?`;
  if (!someBracketed(line, hint)) return `(?<${group}>${body})`;
  const lazy = /^[^\s]/.test(line.slice(span.end)) ? "?" : "";
  return `\\[?(?<${group}>[^\\s[\\]]+${lazy})\\]?`;
}

/** What a part may be before any match was seen: anything up to what follows it in the example. */
export function looseClass(line: string, span: Span, anyText = false, hint?: Hint): string {
  const text = line.slice(span.start, span.end);
  const next = line.charAt(span.end);
  if (hint !== undefined && isCapitals(hint) && /^[A-Z]{2}/.test(text)) return CAPITALS;
  const framed = hint === undefined ? undefined : framedClass(text, hint);
  if (framed !== undefined) return framed;
  const number = numberIn(text, anyText, isWhole(line, span, hint));
  if (number !== undefined) return number;
  // The last of several pairs between commas is not the last one in every line.
  const paired =
    /[\w.-]=$/.test(line.slice(0, span.start)) && /,\s*[\w.-]+=[^,]*$/.test(line.slice(0, span.end));
  if (paired && !/[\s,]/.test(text)) return "[^\\s,]+";
  if (span.end >= line.trimEnd().length)
    return /\s/.test(text) || (hint !== undefined && (isRest(hint) || mayHaveBlanks(hint)))
      ? "\\S.*"
      : "\\S+";
  if (/["'`)\]}>|]/.test(next) && !text.includes(next)) {
    const quoted = /["'`([{<]$/.test(line.slice(0, span.start));
    return `[^${escapeClass(next)}]${quoted && hint !== undefined && mayBeEmpty(hint) ? "*" : "+"}`;
  }
  // Padded inside brackets: "{ read open }".
  const closing = /[([{]\s+$/.test(line.slice(0, span.start))
    ? /^\s+([)\]}])/.exec(line.slice(span.end))?.[1]
    : undefined;
  if (closing !== undefined) return `[^${escapeClass(closing)}]+?`;
  if (/\s/.test(text)) return "\\S.*?";
  if (/\s/.test(next)) return hint !== undefined && mayHaveBlanks(hint) ? "\\S.*?" : "\\S+";
  const several = severalWords(text, next, hint);
  if (several !== undefined) return several;
  // An address may have colons of its own in front of the one that ends it.
  const inner = next === ":" && hint?.kind === "address" && /^:(?:\s|$)/.test(line.slice(span.end));
  if (text.includes(next) || /\w/.test(next) || inner) return "\\S+?";
  return `${driveBefore(text, next)}[^\\s${escapeClass(next)}]+`;
}

/** A text of several words in front of a mark. */
function severalWords(text: string, next: string, hint: Hint | undefined): string | undefined {
  if (hint === undefined || !/[^\s\p{L}\p{N}_]/u.test(next) || !mayHaveBlanks(hint) || text.includes(next))
    return undefined;
  const mark = escapeClass(next);
  return `[^\\s${mark}](?:[^${mark}]*[^\\s${mark}])?`;
}

/** The colon of a drive belongs to the path in front of another colon: another line has one, even if the example has not. */
function driveBefore(text: string, next: string): string {
  return next === ":" && isPath(text) ? "(?:[A-Za-z]:(?=[\\\\/])|(?![A-Za-z]:[\\\\/]))" : "";
}

/** A path, or a file with its ending. */
export function isPath(text: string): boolean {
  return (
    /^[^\s"'<>|]*[\\/][^\s"'<>|]*$|^[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,4}$/.test(text) && !text.includes("://")
  );
}

/** "without quotes, sometimes empty": the delimiters are there without a text between them. */
function mayBeEmpty(hint: Hint): boolean {
  return hint.optional && /\b(?:empty|blank)\b/i.test(hint.description);
}

/** Words in capitals, as many as there are. */
const CAPITALS = "[A-Z]+(?:[ _-][A-Z]+)*(?!\\w)";

export function isCapitals(hint: Hint): boolean {
  return /\b(?:in capitals|capital letters|upper[- ]case)\b/i.test(hint.description);
}

/** "the rest of the line", and messages at the end of one, may be longer than in the example. */
function isRest(hint: Hint): boolean {
  return (
    hint.kind === "text" ||
    REST.test(hint.description) ||
    /\bend of (?:the|its) line\b/i.test(hint.description)
  );
}

function numberIn(text: string, anyText: boolean, whole: boolean): string | undefined {
  return anyText || whole ? undefined : numberClass(text);
}

/** "The rest of the line" is any text, whatever the example has there. */
function isWhole(line: string, span: Span, hint: Hint | undefined): boolean {
  return hint !== undefined && span.end >= line.trimEnd().length && REST.test(hint.description);
}

const REST = /\b(?:rest|remainder) of (?:the|its|that) (?:line|row)\b/i;

/** The narrowest plain expression for all the texts that were seen in a part. */
export function learnClass(texts: readonly string[], loose: string, hint: Hint): string {
  const every = (pattern: RegExp): boolean => texts.every((text) => pattern.test(text));
  if (texts.length === 0 || mayHaveBlanks(hint) || (isRest(hint) && loose === "\\S.*")) return loose;
  if (isCapitals(hint) && every(/^[A-Z]{2}/)) return CAPITALS;
  if (every(/^\d+$/)) return "\\d+";
  if (every(/^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/) && texts.some((text) => text.includes(","))) {
    return "-?\\d[\\d,]*(?:\\.\\d+)?";
  }
  if (every(/^-?\d+$/)) return "-?\\d+";
  if (every(/^[-+]?\d+$/)) return "[-+]?\\d+";
  if (every(/^-?\d+(?:\.\d+)?$/)) return "-?\\d+(?:\\.\\d+)?";
  if (every(/^-?\d+(?:\.\d+)?%$/)) return "-?\\d+(?:\\.\\d+)?%";
  if (every(/^0[xX][0-9a-fA-F]+$/)) return "0[xX][0-9a-fA-F]+";
  if (hint.kind === "letter" && every(/^[A-Z]$/)) return "[A-Z]";
  return loose;
}
