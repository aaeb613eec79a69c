// From one line whose parts are known to an expression: which of the text around the parts is kept as it
// stands, which is generalised by its type, and what expression each part gets.

import { escapeRegex, isStandIn, type Token, tokenize } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import { mayHaveBlanks, type Span } from "../parts/spans.ts";

/** A part that becomes a named group. */
export interface Slot {
  group: string;
  hint: Hint;
  span: Span;
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
  /** Words that the page gives as alternatives of one another. */
  either?: ReadonlyMap<string, readonly string[]>;
  /** Offsets of gaps that are at least two blanks wide: the part in front of them has single blanks. */
  gaps?: ReadonlySet<number>;
  /** Set: parts are found by the key in front of them, and of the text in between only the tokens at these
   * offsets stay. */
  anchors?: ReadonlySet<number>;
  /** Groups that some lines lack, with what stands in front of them. */
  optional?: ReadonlySet<string>;
}

const TYPE_CLASS: Partial<Record<Token["kind"], string>> = {
  number: "[-+]?\\d[\\d.,]*",
  hex: "0[xX][0-9a-fA-F]+",
  time: "\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d+)?",
  ip: "[0-9a-fA-F.:]+",
  uuid: "[0-9a-fA-F-]{36}",
  mac: "[0-9a-fA-F:]{17}",
  date: "\\S+",
  url: "\\S+",
  path: "\\S+",
  mixed: "\\S+",
  placeholder: "\\S+",
};

/** The expression of a line, anchored at its start unless the prefix is cut. */
export function buildPattern(line: string, slots: readonly Slot[], chosen: TemplateOptions): string {
  const wide = slots.filter(
    ({ span }) => /\S \S/.test(line.slice(span.start, span.end)) && /^ {2,}\S/.test(line.slice(span.end)),
  );
  const options = wide.length === 0 ? chosen : { ...chosen, gaps: new Set(wide.map(({ span }) => span.end)) };
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const tokens = tokenize(line);
  const first = Math.min(line.length, ...sorted.map((slot) => slot.span.start));
  const last = Math.max(0, ...sorted.map((slot) => slot.span.end));
  const out: string[] = [];
  if (sorted.length === 0) return anchor(line, context(line, tokens, 0, line.trimEnd().length, options));
  out.push(prefixOf(line, tokens, first, options));
  out.push(partsOf(line, tokens, sorted, first, last, options));
  const end = line.trimEnd().length;
  // A part of any length in front of the last one: only the end of the line says where that one starts.
  const final = out.at(-1) ?? "";
  if (last >= end && /\.\*\?\)/.test(final) && /\\S\+\)$/.test(final)) out.push("\\s*$");
  if (last < end) {
    const next = /^[^\s\p{L}\p{N}]+/u.exec(line.slice(last))?.[0] ?? "";
    if (options.tail) out.push(context(line, tokens, last, Math.max(last, options.tailEnd ?? end), options));
    else out.push(escapeRegex(next.slice(0, 1)));
  }
  return out.join("");
}

function anchor(line: string, body: string): string {
  return `^${/^\s/.test(line) ? "" : "\\s*"}${body}`;
}

function prefixOf(line: string, tokens: readonly Token[], first: number, options: TemplateOptions): string {
  if (options.anchors !== undefined) {
    const source = keyed(line, tokens, 0, first, options.anchors);
    if (source !== undefined) return source.replace(/^\.\*\?/, "");
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

/** Would this word be kept as it stands? */
export function isFixedWord(line: string, token: Token, options: TemplateOptions): boolean {
  if (token.kind !== "word" || options.loose.has(token.start)) return false;
  if (options.fixed.has(token.text.toLowerCase())) return true;
  if (isStandIn(token.text)) return false;
  return options.pairs || !/[\w.-]=["']?$/.test(line.slice(0, token.start));
}

function isFixedCode(token: Token, options: TemplateOptions): boolean {
  return token.kind === "mixed" && options.codes && !options.loose.has(token.start);
}

function context(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  options: TemplateOptions,
): string {
  const parts = options.ellipsis ? line.slice(from, to).split(/\s*(?:\.\.\.|…)\s*/) : [];
  if (parts.length > 1) return elided(line, tokens, from, parts, options);
  const pairs = options.pairs ? [] : freePairs(line, from, to, options);
  let out = "";
  const chunks =
    options.chunks === true || options.symbols === true ? dataChunks(line, tokens, from, to, options) : [];
  for (const token of tokens) {
    if (token.end <= from || token.start >= to) continue;
    const chunk = chunks.find((one) => token.start >= one.start && token.end <= one.end);
    if (chunk !== undefined) {
      if (token.start === chunk.start) out += chunk.symbol === true ? "[^\\w\\s]+" : "\\S+";
      continue;
    }
    const clause = options.clauses?.find((one) => token.start >= one.start && token.end <= one.end);
    if (clause !== undefined) {
      if (token.start === clause.start) out += `[^${escapeClass(line.charAt(clause.end))}]*`;
      continue;
    }
    const pair = pairs.find((one) => token.start >= one.start && token.end <= one.end);
    if (pair !== undefined) {
      if (token.start === pair.start && !out.endsWith(".*?")) out += ".*?";
      continue;
    }
    if (out.endsWith(".*?")) {
      if (token.kind === "space") continue;
      if (token.kind === "word") out += "\\b";
    }
    const whole = token.start >= from && token.end <= to;
    out += whole
      ? tokenSource(line, token, options)
      : restSource(line.slice(Math.max(from, token.start), Math.min(to, token.end)));
  }
  // Leaders and rulers are as long as it fits.
  return out.replace(/((?:\\)?[.*=_~#-])\1{3,}/g, "$1{2,}");
}

/** Pieces between blanks inside a stretch of context that have no word and nothing fixed. */
function dataChunks(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  options: TemplateOptions,
): (Span & { symbol?: boolean })[] {
  return [...line.matchAll(/\S+/g)].flatMap((match): (Span & { symbol?: boolean })[] => {
    const span = { start: match.index, end: match.index + match[0].length };
    if (span.start < from || span.end > to) return [];
    const inside = tokens.filter((token) => token.start >= span.start && token.end <= span.end);
    const data = inside.filter((token) => token.kind !== "punct");
    // A ruler or a pointer between blanks ("^--^") is as long as it fits, a symbol that stands alone varies.
    if (data.length === 0 && options.symbols === true) {
      return span.end - span.start > 1 || /[^\x20-\x7e]/.test(match[0]) ? [{ ...span, symbol: true }] : [];
    }
    const isData = options.chunks === true && data.length > 0 && data.every((token) => !["word", "placeholder"].includes(token.kind));
    const isFixed = data.some(
      (token) => options.fixed.has(token.text.toLowerCase()) || isFixedCode(token, options),
    );
    return isData && !isFixed && inside.length > 1 ? [span] : [];
  });
}

/** Context that ends in the key of the next part: the key, the anchored tokens, and any text in between. */
function keyed(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  anchors: ReadonlySet<number>,
): string | undefined {
  const key = /[A-Za-z][\w-]*\s*[:=]\s*["'([<]?$/.exec(line.slice(from, to));
  if (key === null) return undefined;
  let out = "";
  for (const token of tokens) {
    if (token.start < from || token.end > to) continue;
    const inKey = token.start >= from + key.index;
    if (!inKey && !anchors.has(token.start)) {
      if (!out.endsWith(".*?")) out += ".*?";
      continue;
    }
    const border = out.endsWith(".*?") && /\w/.test(token.text.charAt(0)) ? "\\b" : "";
    out += token.kind === "space" ? "\\s*" : border + escapeRegex(token.text);
  }
  return out;
}

/** What a part leaves of a token that it was cut from ("/9" of "1/9"): numbers vary, the rest stays. */
function restSource(text: string): string {
  return escapeRegex(text).replace(/\d+/g, "\\d+");
}

/** Context with "..." in it, which stands for any text. */
function elided(
  line: string,
  tokens: readonly Token[],
  from: number,
  parts: readonly string[],
  options: TemplateOptions,
): string {
  let at = from;
  const sources = parts.map((part) => {
    const start = line.indexOf(part, at);
    at = start + part.length;
    return part === "" ? "" : context(line, tokens, start, at, { ...options, ellipsis: false });
  });
  return sources.join(".*?");
}

/** The expression of one token of the context. */
function tokenSource(line: string, token: Token, options: TemplateOptions): string {
  if (token.kind === "space") {
    if (options.gaps?.has(token.start) === true) return "\\s{2,}";
    // Inside brackets a text may be padded to a width.
    const padded = /[([{]$/.test(line.slice(0, token.start)) || /^[)\]}]/.test(line.slice(token.end));
    return padded ? "\\s*" : "\\s+";
  }
  if (token.kind === "punct") {
    return options.loose.has(token.start) ? typeClass(line, token) : escapeRegex(token.text);
  }
  const fixed =
    isFixedWord(line, token, options) ||
    isFixedCode(token, options) ||
    options.fixed.has(token.text.toLowerCase());
  const either = options.either?.get(token.text);
  if (fixed && either !== undefined) return `(?:${either.map(escapeRegex).join("|")})`;
  return fixed ? escapeRegex(token.text) : typeClass(line, token);
}

/** `key=text` pairs inside a stretch of context whose text is neither fixed nor part of a slot. */
function freePairs(line: string, from: number, to: number, options: TemplateOptions): Span[] {
  const pairs: Span[] = [];
  for (const match of line
    .slice(from, to)
    .matchAll(/(?<![\w.-])[A-Za-z_][\w.-]*=(?:"[^"]*"|'[^']*'|[^\s,;()[\]]*)(?=[\s,;)\]]|$)/g)) {
    const start = from + match.index;
    const end = start + match[0].length;
    const text = match[0].slice(match[0].indexOf("=") + 1).replace(/["'<([{]/g, "");
    // The key of the part that follows is no pair of its own.
    if (end === to && to < line.trimEnd().length && text === "") continue;
    if (options.fixed.has(text.toLowerCase())) continue;
    pairs.push({ start, end });
  }
  return pairs;
}

function typeClass(line: string, token: Token): string {
  if (token.kind === "date" && /^[A-Z]/.test(token.text)) {
    return token.text
      .split(/\s+/)
      .map((word) => (/\d/.test(word) ? "\\d+,?" : "\\w+,?"))
      .join("\\s+");
  }
  const known = TYPE_CLASS[token.kind];
  if (known !== undefined && known !== "\\S+") return known;
  const next = line.charAt(token.end);
  return next === "" || /\s|\w/.test(next) ? "\\S+" : `[^\\s${escapeClass(next)}]+`;
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
    const part = `${lead}(?<${slot.group}>${body})`;
    at = slot.span.end;
    if (lead !== "" && options.optional?.has(slot.group) === true) {
      // Brackets go with what stands in them.
      const close = CLOSERS[line.charAt(slot.span.start - 1)];
      const closed = close !== undefined && line.startsWith(close, at);
      out += `(?:${part}${closed ? escapeRegex(close) : ""})?`;
      if (closed) at += close.length;
    } else out += part;
    index += 1 + inner.length;
  }
  return out + context(line, tokens, at, to, options);
}

/** What a part may be before any match was seen: anything up to what follows it in the example. */
export function looseClass(line: string, span: Span, anyText = false, hint?: Hint): string {
  const text = line.slice(span.start, span.end);
  const next = line.charAt(span.end);
  if (hint !== undefined && isCapitals(hint) && /^[A-Z]{2}/.test(text)) return CAPITALS;
  if (!anyText && /^[-+]?\d+$/.test(text)) return /^[-+]/.test(text) ? "[-+]?\\d+" : "-?\\d+";
  if (!anyText && /^[-+]?\d+\.\d+$/.test(text)) return "[-+]?\\d+(?:\\.\\d+)?";
  if (span.end >= line.trimEnd().length)
    return /\s/.test(text) || (hint !== undefined && (isRest(hint) || mayHaveBlanks(hint)))
      ? "\\S.*"
      : "\\S+";
  if (/["'`)\]}>|]/.test(next) && !text.includes(next)) {
    const quoted = /["'`([{<]$/.test(line.slice(0, span.start));
    return `[^${escapeClass(next)}]${quoted && hint !== undefined && mayBeEmpty(hint) ? "*" : "+"}`;
  }
  // Padded inside brackets: "{ read open }".
  const closing = /^\s+([)\]}])/.exec(line.slice(span.end))?.[1];
  if (closing !== undefined && /[([{]\s+$/.test(line.slice(0, span.start)))
    return `[^${escapeClass(closing)}]+?`;
  if (/\s/.test(text)) return "\\S.*?";
  if (/\s/.test(next)) return hint !== undefined && mayHaveBlanks(hint) ? "\\S.*?" : "\\S+";
  // An address may have colons of its own in front of the one that ends it.
  const inner = next === ":" && hint?.kind === "address" && /^:(?:\s|$)/.test(line.slice(span.end));
  return text.includes(next) || /\w/.test(next) || inner ? "\\S+?" : `[^\\s${escapeClass(next)}]+`;
}

/** "without quotes, sometimes empty": the delimiters are there without a text between them. */
function mayBeEmpty(hint: Hint): boolean {
  return hint.optional && /\b(?:empty|blank)\b/i.test(hint.description);
}

/** Words in capitals, as many as there are. */
const CAPITALS = "[A-Z]+(?:[ _-][A-Z]+)*(?!\\w)";

function isCapitals(hint: Hint): boolean {
  return /\b(?:in capitals|capital letters|upper[- ]case)\b/i.test(hint.description);
}

/** "the rest of the line", and messages at the end of one, may be longer than in the example. */
function isRest(hint: Hint): boolean {
  return hint.kind === "text" || /\b(?:rest|remainder|end) of (?:the|its) line\b/i.test(hint.description);
}

function escapeClass(char: string): string {
  return char.replace(/[\\\]^-]/g, "\\$&");
}

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
