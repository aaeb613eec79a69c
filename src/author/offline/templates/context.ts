// The expression of what stands beside the parts of a line: which words stay as they are, which pieces are generalised
// by their type, and which may be any text.

import { escapeClass, escapeRegex } from "../escape.ts";
import { isStandIn, type Token } from "../logs/tokens.ts";
import type { Span } from "../parts/spans.ts";
import type { TemplateOptions } from "./template.ts";

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

/** Would this word be kept as it stands? */
export function isFixedWord(line: string, token: Token, options: TemplateOptions): boolean {
  if (token.kind !== "word" || options.loose.has(token.start)) return false;
  if (options.fixed.has(token.text.toLowerCase())) return true;
  if (isStandIn(token.text)) return false;
  return options.pairs || !/[\w.-]=["']?$/.test(line.slice(0, token.start));
}

export function isFixedCode(token: Token, options: TemplateOptions): boolean {
  return token.kind === "mixed" && options.codes && !options.loose.has(token.start);
}

/** The expression of a stretch of the line beside the parts. */
export function context(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  options: TemplateOptions,
): string {
  if (options.kept !== undefined) return freely(line, tokens, from, to, options);
  const parts = options.ellipsis ? line.slice(from, to).split(/\s*(?:\.\.\.|…)\s*/) : [];
  if (parts.length > 1) return elided(line, tokens, from, parts, options);
  const replaced = replacements(line, tokens, from, to, options);
  let out = "";
  for (const token of tokens) {
    if (token.end <= from || token.start >= to) continue;
    const other = replaced.find(({ span }) => token.start >= span.start && token.end <= span.end);
    if (other !== undefined) {
      const again = other.source === ".*?" && out.endsWith(".*?");
      if (token.start === other.span.start && !again) out += other.source;
      continue;
    }
    if (out.endsWith(".*?")) {
      if (token.kind === "space") continue;
      if (token.kind === "word") out += "\\b";
    }
    const whole = token.start >= from && token.end <= to;
    out += whole
      ? tokenSource(line, token, options)
      : restSource(
          line.slice(Math.max(from, token.start), Math.min(to, token.end)),
          options.fixed,
          !options.codes && token.kind === "path",
        );
  }
  // Leaders and rulers are as long as it fits.
  return out.replace(/((?:\\)?[.*=_~#-])\1{3,}/g, "$1{2,}");
}

/** The expression of a stretch of which only some tokens stay. Pieces without words stay pieces. */
function freely(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  options: TemplateOptions,
): string {
  const kept = (token: Token): boolean => options.kept?.has(token.start) === true;
  const inside = tokens.filter((token) => token.end > from && token.start < to);
  let out = "";
  for (let at = 0; at < inside.length; ) {
    const first = inside[at];
    if (first === undefined) break;
    if (kept(first) && first.start >= from && first.end <= to) {
      if (/(?:\.\*\?|\\S\+)$/.test(out) && first.kind === "word") out += "\\b";
      out += escapeRegex(first.text);
      at += 1;
      continue;
    }
    let end = at;
    while (end < inside.length && !(inside[end] !== undefined && kept(inside[end] as Token))) end += 1;
    out += runSource(line, inside.slice(at, end), from, to);
    at = end;
  }
  return out;
}

/** Free text in place of a run of tokens; pieces without words stay pieces. */
function runSource(line: string, run: readonly Token[], from: number, to: number): string {
  const start = Math.max(from, run[0]?.start ?? from);
  const end = Math.min(to, run.at(-1)?.end ?? to);
  const text = line.slice(start, end);
  const [lead, tail] = [line.charAt(start - 1), line.charAt(end)];
  // A bar of marks is longer or shorter, but there.
  if (/\S/.test(text) && !/[\p{L}\p{N}"'([{<]/u.test(text))
    return text.replace(/\S+|\s+/g, (piece) => (/\s/.test(piece) ? "\\s+" : "[^\\w\\s]+"));
  const free = run.some((token) => token.kind === "word") || /["'([{<]/.test(text);
  if (!free) {
    if (/[=:([{<"']/.test(lead) && /[([{<"']/.test(tail)) return ".*?";
    return text.replace(/\S+|\s+/g, (piece) => (/\s/.test(piece) ? "\\s+" : "\\S+"));
  }
  // Beside a mark the free text may be missing altogether, blanks included.
  const apart = /^\s/.test(text) && /[\p{L}\p{N}_]/u.test(lead);
  const close = /\S\s+$/.test(text) && (tail === "" || /[\p{L}\p{N}_/-]/u.test(tail));
  return `${apart ? "\\s" : ""}.*?${close ? "\\s" : ""}`;
}

/** The pieces of a stretch that have an expression of their own, the first that has a token counts. */
function replacements(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  options: TemplateOptions,
): { span: Span; source: string }[] {
  const asked = options.chunks === true || options.symbols === true;
  return [
    ...(asked ? dataChunks(line, tokens, from, to, options) : []),
    ...(options.absent ?? []).flatMap(({ start, end }) => {
      if (/^\s\(/.test(line.slice(start, end)))
        return [{ span: { start, end }, source: "(?:\\s+\\([^()]*\\))?" }];
      const gap = /^\s+/.exec(line.slice(end))?.[0].length ?? 0;
      if (gap === 0 || start < from || end + gap > to) return [];
      return [{ span: { start, end: end + gap }, source: "(?:\\S+\\s+)?" }];
    }),
    ...(options.enclosed === true ? enclosedTexts(line, from, to) : []),
    ...(options.pieces ?? []).map((span) => ({ span, source: pieceSource(line, span) })),
    ...(options.clauses ?? []).map((span) => ({ span, source: `[^${escapeClass(line.charAt(span.end))}]*` })),
    ...(options.pairs ? [] : freePairs(line, from, to, options)).map((span) => ({ span, source: ".*?" })),
  ];
}

/** The texts of brackets and quotes in a stretch, behind a key at their start. A single word stays as it is. */
function enclosedTexts(line: string, from: number, to: number): { span: Span; source: string }[] {
  const text = line.slice(from, to);
  return [...text.matchAll(/\[([^[\]]+)\]|"([^"]+)"|\(([^()]+)\)|\{([^{}]+)\}/g)].flatMap((match) => {
    const inner = match[0].slice(1, -1);
    const key = /^[A-Za-z_][\w.-]*(?::\s*|=)(?=\S)/.exec(inner)?.[0] ?? "";
    // `" err="` between two quoted texts is the key of the second one.
    if (/^[\p{L}_]+$/u.test(inner) || /[=:]\s*$/.test(inner)) return [];
    const start = from + match.index + 1 + key.length;
    const close = escapeClass(match[0].at(-1) ?? "");
    return [{ span: { start, end: from + match.index + 1 + inner.length }, source: `[^${close}]*` }];
  });
}

/** Any text in place of a piece, up to what follows it. */
function pieceSource(line: string, { start, end }: Span): string {
  if (/^\d+$/.test(line.slice(start, end))) return "\\d+";
  const next = line.charAt(end);
  return next === "" || /\s|\w/.test(next) ? "\\S+" : `[^\\s${escapeClass(next)}]+`;
}

/** Pieces between blanks inside a stretch of context that have no word and nothing fixed. */
function dataChunks(
  line: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  options: TemplateOptions,
): { span: Span; source: string }[] {
  return [...line.matchAll(/\S+/g)].flatMap((match) => {
    const span = { start: match.index, end: match.index + match[0].length };
    if (span.start < from || span.end > to) return [];
    const inside = tokens.filter((token) => token.start >= span.start && token.end <= span.end);
    const data = inside.filter((token) => token.kind !== "punct");
    // A ruler or a pointer between blanks ("^--^") is as long as it fits, a symbol that stands alone varies.
    if (data.length === 0 && options.symbols === true) {
      return span.end - span.start > 1 || /[^\x20-\x7e]/.test(match[0])
        ? [{ span, source: "[^\\w\\s]+" }]
        : [];
    }
    const isData =
      options.chunks === true &&
      data.length > 0 &&
      data.every((token) => !["word", "placeholder"].includes(token.kind));
    const isFixed = data.some(
      (token) => options.fixed.has(token.text.toLowerCase()) || isFixedCode(token, options),
    );
    return isData && !isFixed && inside.length > 1 ? [{ span, source: "\\S+" }] : [];
  });
}

/** Context that ends in the key of the next part: the key, the anchored tokens, and any text in between. */
export function keyed(
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

/** What a part leaves of a token that it was cut from ("/9" of "1/9"): numbers vary, the rest stays unless names vary, too. */
function restSource(text: string, fixed: ReadonlySet<string>, names: boolean): string {
  if (names) return escapeRegex(text).replace(/(?:\w|\\?[.-])+/g, "[\\w.-]+");
  return escapeRegex(text).replace(/0[xX][0-9A-Fa-f]+|\w*\d\w*/g, (piece) =>
    fixed.has(piece)
      ? piece
      : /^0[xX]/.test(piece)
        ? "0[xX][0-9a-fA-F]+"
        : /^\d+$/.test(piece)
          ? "\\d+"
          : "\\w+",
  );
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
  // Half of the day behind a time.
  if (/^[AP]M$/i.test(token.text) && /\d\s?$/.test(line.slice(0, token.start))) return "[AaPp][Mm]";
  const either = options.either?.get(token.text);
  if (fixed && either !== undefined) return `(?:${either.map(escapeRegex).join("|")})`;
  return fixed ? escapeRegex(token.text) : typeClass(line, token);
}

/** `key=text` pairs inside a stretch of context whose text is neither fixed nor part of a slot. */
function freePairs(line: string, from: number, to: number, options: TemplateOptions): Span[] {
  const pairs: Span[] = [];
  // Where semicolons part the pairs (`name=x;ua=Client (Linux);`), a text goes on to the next one.
  const parted = /=[^;\]]*;[A-Za-z_][\w.-]*=[^;\]]*;/.test(line);
  const pair = parted
    ? /(?<![\w.-])[A-Za-z_][\w.-]*=[^;[\]]*(?=[;\]]|$)/g
    : /(?<![\w.-])[A-Za-z_][\w.-]*=(?:"[^"]*"|'[^']*'|[^\s,;()[\]]*)(?=[\s,;)\]]|$)/g;
  for (const match of line.slice(from, to).matchAll(pair)) {
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

/** What stands in the place of a token that varies, going by its type. */
export function typeClass(line: string, token: Token): string {
  if (token.kind === "date" && /^[A-Z]/.test(token.text)) {
    return token.text
      .split(/\s+/)
      .map((word) => (/\d/.test(word) ? "\\d+,?" : "\\w+,?"))
      .join("\\s+");
  }
  // A column of its own may have a dash where there is no number.
  const alone = /(?:^|\s)$/.test(line.slice(0, token.start)) && /^(?:\s|$)/.test(line.slice(token.end));
  if (token.kind === "number" && alone) return `(?:${TYPE_CLASS.number}|-)`;
  // "2001:db8::/32", "fe80::1%eth0": another one may have neither zone nor mask.
  const known =
    token.kind === "ip" && /[%/]/.test(token.text)
      ? "[0-9a-fA-F.:]+(?:[%/][\\w.-]+)*"
      : TYPE_CLASS[token.kind];
  if (known !== undefined && known !== "\\S+") return known;
  const next = line.charAt(token.end);
  return next === "" || /\s|\w/.test(next) ? "\\S+" : `[^\\s${escapeClass(next)}]+`;
}
