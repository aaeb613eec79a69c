// Tokens of lines: words, numbers, runs of blanks, single marks and runs of one mark.

export type TokenKind = "word" | "number" | "space" | "mark";

export interface Token {
  kind: TokenKind;
  text: string;
  /** Offset in the line. */
  start: number;
}

const TOKEN = /(?<space>\s+)|(?<number>[0-9]+)|(?<word>[\p{L}\p{M}_]+)|([^\s\p{L}\p{M}\p{N}])\4{2,}|./gsu;

/** The tokens of a line, in order; together they are the line. */
export function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const { space, number, word } = match.groups ?? {};
    const kind =
      space !== undefined ? "space" : number !== undefined ? "number" : word !== undefined ? "word" : "mark";
    tokens.push({ kind, text: match[0], start: match.index });
  }
  return tokens;
}

/** Words that a template has directly in front of (heads) or behind (tails) a part; see `glueOf`. */
export interface Glue {
  heads: readonly string[];
  tails: readonly string[];
}

/** The tokens of a line, with words split behind heads and in front of tails. */
export function tokenizeGlued(line: string, { heads, tails }: Glue): Token[] {
  if (heads.length + tails.length === 0) return tokenize(line);
  return tokenize(line).flatMap((token) => {
    if (token.kind !== "word") return [token];
    const tail = tails.find((text) => token.text.length > text.length && token.text.endsWith(text));
    const head = heads.find((text) => token.text.length > text.length && token.text.startsWith(text));
    const cut = tail !== undefined ? token.text.length - tail.length : (head?.length ?? 0);
    if (cut === 0) return [token];
    return [
      { ...token, text: token.text.slice(0, cut) },
      { ...token, text: token.text.slice(cut), start: token.start + cut },
    ];
  });
}

/** Is a text a number, with an optional sign, thousands separators and an exponent? */
export function isNumber(text: string): boolean {
  return /^[-+]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
}

/** The value of a number with thousands separators. */
export function toNumber(text: string): number {
  return Number(text.replace(/,/g, ""));
}
