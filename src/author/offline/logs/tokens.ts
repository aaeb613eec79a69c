// Typed tokens of one line of text. The types tell a template what may vary; nothing here knows a log format.

export type TokenKind =
  | "space"
  | "time"
  | "date"
  | "uuid"
  | "mac"
  | "url"
  | "ip"
  | "hex"
  | "number"
  | "path"
  | "placeholder"
  | "mixed"
  | "word"
  | "punct";

export interface Token {
  kind: TokenKind;
  text: string;
  start: number;
  end: number;
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*";

/** Kinds in the order in which they are tried, with the expression that a template uses for them. */
const KINDS: [TokenKind, string][] = [
  ["space", "[ \\t]+"],
  ["placeholder", "<[A-Za-z][\\w .-]*>|\\{[A-Za-z][\\w .-]*\\}|\\$\\{?[A-Za-z_]\\w*\\}?|%[A-Z_]{2,}%"],
  ["uuid", "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"],
  [
    "date",
    "\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?:[T_]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?",
  ],
  ["date", "\\d{1,2}[/.-](?:\\d{1,2}|[A-Z][a-z]{2})[/.-]\\d{2,4}(?![\\d.])(?::\\d{2}:\\d{2}:\\d{2})?"],
  ["date", `(?:${DAY},? +)?${MONTH} +\\d{1,2}(?:,? +\\d{4})?(?![\\w.])`],
  ["date", `\\b${DAY}\\b`],
  ["mac", "(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}(?![\\w:])"],
  ["time", "\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d+)?(?![\\w:])"],
  // IPv6 with a gap, its zone and its prefix length: "2001:db8::/32", "::1", "fe80::1%eth0", "::ffff:192.0.2.1".
  [
    "ip",
    "(?=[0-9a-fA-F:.]*(?:\\d|::[%/]))(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){0,6})?::(?:(?:[0-9a-fA-F]{1,4}:){0,6}(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-fA-F]{1,4}))?(?:%[\\w.-]*\\w)?(?:\\/\\d{1,3})?(?![\\w:])",
  ],
  ["url", "[a-z][a-z+]+:\\/\\/[^\\s\"'<>)]+"],
  ["ip", "\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.]\\w)"],
  ["ip", "(?:[0-9a-fA-F]{0,4}:){2,7}(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-fA-F]{1,4})(?![\\w:])"],
  ["hex", "0[xX][0-9a-fA-F]+"],
  ["path", "(?:\\.{0,2}\\/)?[\\w.+@~%-]*\\/[\\w.+@~%/\\[\\]-]*[\\w/]|[A-Za-z]:\\\\[\\w.\\\\-]+"],
  ["mixed", "\\d+(?:\\.\\d+)+(?:[-+~][\\w.+~]+)+(?!\\w)|\\d+(?:\\.\\d+){2,}(?![\\w.])"],
  ["number", "[-+]?\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?(?![\\w,])"],
  ["number", "[-+]?(?:\\d+\\.\\d+|\\d+)(?:[eE][-+]?\\d+)?(?![\\w.]\\w|\\w)"],
  ["mixed", "(?=[\\w.-]*\\d)(?=[\\w.-]*[A-Za-z_])[A-Za-z0-9_][\\w.-]*\\w|[A-Za-z_]\\w*(?:[.-]\\w+)+"],
  ["word", "[\\p{L}_][\\p{L}\\p{N}_]*(?:[-'][\\p{L}_]+)*"],
  ["number", "\\d+"],
  ["punct", "."],
];
const MATCHERS = KINDS.map(([kind, source]) => ({ kind, pattern: new RegExp(source, "yu") }));

/** Tokens longer than this many are not needed for any template. */
const MAX_TOKENS = 400;

const known = new Map<string, Token[]>();
const MOST_KNOWN = 4000;

/** The tokens of a text. Asked for again and again for the same lines and parts, so the last ones are kept. */
export function tokenize(line: string): readonly Token[] {
  const same = known.get(line);
  if (same !== undefined) return same;
  const tokens = readTokens(line);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(line, tokens);
  return tokens;
}

function readTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length && tokens.length < MAX_TOKENS) {
    let token: Token | undefined;
    for (const { kind, pattern } of MATCHERS) {
      // An address or a number inside a longer word is no token of its own.
      if (kind === "ip" && /[\w.]/.test(line[at - 1] ?? "")) continue;
      pattern.lastIndex = at;
      const match = pattern.exec(line);
      if (match === null || match[0] === "") continue;
      if (kind === "number" && /^[-+]/.test(match[0]) && /[\w)\]]/.test(line[at - 1] ?? "")) continue;
      const text = kind === "path" ? balancedPath(match[0], line, at) : match[0];
      token = { kind, text, start: at, end: at + text.length };
      break;
    }
    token ??= { kind: "punct", text: line.charAt(at), start: at, end: at + 1 };
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** `core/q_reg[3]` ends in its bracket, `[see a/b]` does not. */
function balancedPath(text: string, line: string, at: number): string {
  const open = text.split("[").length;
  const close = text.split("]").length;
  if (open > close && line.charAt(at + text.length) === "]") return `${text}]`;
  return close > open ? text.slice(0, text.indexOf("]")) : text;
}

const META = /^(?:foo|bar|baz|qux|xxx+|yyy+|some_\w+|Some[A-Z]\w*|example|sample|my\w*|your\w*|name|dummy)$/i;

/** Would a reader take this word of an example for a stand-in ("HOST", "foo", "xxx")? */
export function isStandIn(text: string): boolean {
  return META.test(text) || /^[xX]+$/.test(text);
}

/** May the text of such a token differ from line to line, going by its type alone? */
export function isVariable(token: Token): boolean {
  return !["space", "word", "punct"].includes(token.kind) || (token.kind === "word" && isStandIn(token.text));
}

/** The shape of a line: variable tokens by kind, the rest as written; lines of one shape are one template. */
export function shapeOf(line: string): string {
  return tokenize(line)
    .map((token) => (token.kind === "space" ? " " : isVariable(token) ? `<${token.kind}>` : token.text))
    .join("");
}

/** A text with its runs of digits and of letters made alike. */
export function formOf(text: string): string {
  return text.replace(/\d+/g, "0").replace(/[A-Za-z]+/g, "a");
}
