// Lines as tokens: words, numbers, runs of blanks, single marks and runs of one mark. Everything else here reasons about tokens.

export type TokenKind = "word" | "number" | "space" | "mark";

export interface Token {
  kind: TokenKind;
  text: string;
  /** Offset in the line. */
  at: number;
}

const TOKEN = /(?<space>\s+)|(?<number>[0-9]+)|(?<word>[\p{L}\p{M}_]+)|([^\s\p{L}\p{M}\p{N}])\4{2,}|./gsu;

/** The tokens of a line, in order, without a gap. */
export function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const { space, number, word } = match.groups ?? {};
    const kind =
      space !== undefined ? "space" : number !== undefined ? "number" : word !== undefined ? "word" : "mark";
    tokens.push({ kind, text: match[0], at: match.index });
  }
  return tokens;
}

/** Texts that a template has glued to a part without a mark between them: words are split there. */
export interface Glue {
  heads: readonly string[];
  tails: readonly string[];
}

/** The tokens of a line, with words split at glued texts. */
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
      { ...token, text: token.text.slice(cut), at: token.at + cut },
    ];
  });
}

/** Is a text a number as tools write it: sign, separators of thousands, exponent? */
export function isNumber(text: string): boolean {
  return /^[-+]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
}
