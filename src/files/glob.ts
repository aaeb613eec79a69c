// The one glob dialect: `*`, `?`, `[seq]`, `[!seq]` and `{a,b}` within a name, `**` for any number of directories,
// backslash for a literal character. A leading dot must be matched by a dot. A glob starts at the root: `*.log` is a
// file there, `**/*.log` one at any depth. Matching takes at most (length of name) x (length of pattern) steps; no
// regular expression is built from input of a config or a model.

/** Matches one component of a path literally or by pattern; `deep` is `**`. */
export type Segment =
  | { kind: "name"; name: string }
  | { kind: "glob"; match: (name: string) => boolean }
  | { kind: "deep" };

export interface ParsedGlob {
  written: string;
  absolute: boolean;
  /** Alternatives from `{a,b}`, each a list of segments; `.` segments are removed, `..` is kept as a name. */
  alternatives: Segment[][];
  /** Contains no wildcard. */
  literal: boolean;
  /** There are more than MAX_ALTERNATIVES alternatives; the rest is ignored. */
  cut: boolean;
}

export const MAX_ALTERNATIVES = 256;
const SPECIAL = /[*?[\]{}\\]/g;

/** Escapes a text so that it matches literally. */
export function escapeGlob(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}

/** Parses a glob. Never throws; an unclosed bracket or brace is literal. */
export function parseGlob(glob: string): ParsedGlob {
  const { texts, cut } = expandBraces(glob);
  const written = texts.map((text) =>
    splitSegments(text)
      .filter((segment) => segment !== "" && segment !== ".")
      .map(parseSegment),
  );
  const literal = written.length === 1 && written.every((list) => list.every((s) => s.kind === "name"));
  const alternatives = written.map(addImpliedSegments);
  return { written: glob, absolute: glob.startsWith("/"), alternatives, literal, cut };
}

/** Converts a plain file name such as `sta.log` to a glob that matches it at any depth. */
export function atAnyDepth(written: string): string {
  const plain = written.replace(/^(?:\.\/)+/, "");
  return plain.includes("/") ? plain : `**/${plain}`;
}

/** Does a glob match a single name, such as an item id? */
export function matchesName(glob: ParsedGlob, name: string): boolean {
  return glob.alternatives.some((segments) => {
    const own = segments.filter((segment) => segment.kind !== "deep");
    const [only] = own;
    if (only === undefined || own.length > 1) return false;
    return only.kind === "name" ? only.name === name : only.kind === "glob" && only.match(name);
  });
}

const ANY: Segment = { kind: "glob", match: (name) => !name.startsWith(".") };

/** A final `**` matches every file below; repeated `**` is the same as one. */
function addImpliedSegments(segments: Segment[]): Segment[] {
  const once = segments.filter(({ kind }, i) => kind !== "deep" || segments[i - 1]?.kind !== "deep");
  return once.at(-1)?.kind === "deep" ? [...once, ANY] : once;
}

/** Expands `a{b,c}d` to `abd` and `acd`, from the left, up to MAX_ALTERNATIVES. */
function expandBraces(glob: string): { texts: string[]; cut: boolean } {
  let open: string[] = [glob];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length <= MAX_ALTERNATIVES) {
    const next: string[] = [];
    for (const text of open) {
      const brace = findBrace(text);
      if (brace === undefined) done.push(text);
      else for (const part of brace.parts) next.push(text.slice(0, brace.from) + part + text.slice(brace.to));
    }
    open = next;
  }
  const texts = [...done, ...open];
  return { texts: texts.slice(0, MAX_ALTERNATIVES), cut: open.length > 0 || texts.length > MAX_ALTERNATIVES };
}

/** The first innermost `{a,b}` with a comma in it. */
function findBrace(text: string): { from: number; to: number; parts: string[] } | undefined {
  let from = -1;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === "{") from = i;
    else if (text[i] === "}" && from >= 0) {
      const inner = text.slice(from + 1, i);
      if (inner.includes(",")) return { from, to: i + 1, parts: inner.split(",") };
      from = -1;
    }
  }
  return undefined;
}

function splitSegments(glob: string): string[] {
  const segments: string[] = [];
  let current = "";
  for (let i = 0; i < glob.length; i += 1) {
    if (glob[i] === "\\" && i + 1 < glob.length) {
      current += glob.slice(i, i + 2);
      i += 1;
    } else if (glob[i] === "/") {
      segments.push(current);
      current = "";
    } else current += glob[i];
  }
  return [...segments, current];
}

type Token =
  | { kind: "char"; char: string }
  | { kind: "any" }
  | { kind: "star" }
  | { kind: "set"; has: (c: string) => boolean };

function parseSegment(segment: string): Segment {
  if (segment === "**") return { kind: "deep" };
  const tokens = tokenize([...segment]);
  if (tokens.every((token) => token.kind === "char")) {
    return { kind: "name", name: tokens.map((token) => token.char).join("") };
  }
  const end = /^\*([^*?[\]\\]+)$/.exec(segment)?.[1];
  // Fast path for `*.log`, the most common pattern.
  if (end !== undefined) {
    return { kind: "glob", match: (name) => name.endsWith(end) && !name.startsWith(".") };
  }
  const dotted = tokens[0]?.kind === "char" && tokens[0].char === ".";
  return { kind: "glob", match: (name) => (dotted || !name.startsWith(".")) && matches([...name], tokens) };
}

function tokenize(chars: string[]): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < chars.length; i += 1) {
    const char = chars[i] ?? "";
    if (char === "\\" && i + 1 < chars.length) {
      i += 1;
      tokens.push({ kind: "char", char: chars[i] ?? "" });
    } else if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "[") {
      const set = parseSet(chars, i);
      if (set === undefined) tokens.push({ kind: "char", char });
      else {
        tokens.push({ kind: "set", has: set.has });
        i = set.end;
      }
    } else tokens.push({ kind: "char", char });
  }
  return tokens;
}

/** Parses `[abc]`, `[a-z]`, `[!a]`; a `]` right after the opening is literal. */
function parseSet(chars: string[], at: number): { has: (c: string) => boolean; end: number } | undefined {
  let i = at + 1;
  const negated = chars[i] === "!" || chars[i] === "^";
  if (negated) i += 1;
  const end = chars.indexOf("]", i + 1);
  if (end < 0) return undefined;
  const ranges: [string, string][] = [];
  while (i < end) {
    const from = chars[i] ?? "";
    const isRange = chars[i + 1] === "-" && i + 2 < end;
    ranges.push([from, isRange ? (chars[i + 2] ?? from) : from]);
    i += isRange ? 3 : 1;
  }
  return { has: (c) => ranges.some(([low, high]) => c >= low && c <= high) !== negated, end };
}

/** Two-pointer matching with one backtracking position: at most (length of name) x (length of pattern) steps. */
function matches(name: string[], tokens: Token[]): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const expected = tokens[token];
    if (expected?.kind === "star") {
      star = token;
      starAt = at;
      token += 1;
    } else if (expected !== undefined && matchesToken(expected, name[at] ?? "")) {
      at += 1;
      token += 1;
    } else if (star >= 0) {
      token = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token += 1;
  return token === tokens.length;
}

function matchesToken(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  return token.kind === "any" || (token.kind === "set" && token.has(char));
}

/** Does a glob match a path? Both use `/`, and both are absolute or relative to the same directory. */
export function matchesGlob(glob: string, path: string): boolean {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return parseGlob(glob).alternatives.some((segments) => matchesSegments(segments, names));
}

function matchesSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined) return names.length === 0;
  if (segment.kind === "deep") return names.some((_, at) => matchesSegments(rest, names.slice(at)));
  const [name, ...others] = names;
  if (name === undefined) return false;
  const fit = segment.kind === "name" ? segment.name === name : segment.match(name);
  return fit && matchesSegments(rest, others);
}
