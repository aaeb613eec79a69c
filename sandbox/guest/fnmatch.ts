// Python's `fnmatch.fnmatchcase`: matches the whole text, case-sensitively, with `*` `?` `[seq]` `[!seq]`; `*` and `?`
// also match newlines. Brackets follow CPython's translation, including its edge cases.

/** The pieces between the stars as sources of V8 patterns (flag `v`); a pattern without stars is one piece. */
function globPieces(pattern: string): string[] {
  const chars = Array.from(pattern);
  const pieces = [""];
  let i = 0;
  const add = (source: string): void => {
    pieces[pieces.length - 1] += source;
  };
  while (i < chars.length) {
    const c = chars[i++] ?? "";
    if (c === "*") pieces.push("");
    else if (c === "?") add("[^]");
    else if (c === "[") {
      const end = bracketEnd(chars, i);
      if (end < 0) add(literal("["));
      else {
        add(bracket(chars.slice(i, end)));
        i = end + 1;
      }
    } else add(literal(c));
  }
  return pieces;
}

/** Index of the bracket that closes a set opened before `from`, or -1. */
function bracketEnd(chars: string[], from: number): number {
  let j = from;
  if (chars[j] === "!") j += 1;
  if (chars[j] === "]") j += 1;
  while (j < chars.length && chars[j] !== "]") j += 1;
  return j < chars.length ? j : -1;
}

function bracket(inner: string[]): string {
  let negated = inner[0] === "!";
  const body = negated ? inner.slice(1) : inner;
  const items: string[] = [];
  let k = 0;
  while (k < body.length) {
    const from = body[k] ?? "";
    const isRange = body[k + 1] === "-" && k + 2 < body.length;
    if (!isRange) items.push(literal(from));
    else {
      const to = body[k + 2] ?? "";
      // A reversed range is empty, not an error (CPython drops it).
      if ((from.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0)) {
        items.push(`${literal(from)}-${literal(to)}`);
      }
    }
    k += isRange ? 3 : 1;
  }
  if (!negated && body[0] !== "!" && items[0] === literal("!")) {
    // CPython looks for the `!` after it has dropped empty ranges.
    negated = true;
    items.shift();
  }
  if (items.length === 0) return negated ? "[^]" : "(?!)";
  return `[${negated ? "^" : ""}${items.join("")}]`;
}

function literal(c: string): string {
  return `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A compiled shell pattern. */
export type GlobMatcher = (text: string) => boolean;

/** Compiles a shell pattern. Each piece matches at its first position, which is sufficient and never backtracks. */
export function compileGlob(pattern: string): GlobMatcher {
  const pieces = globPieces(pattern);
  const [head = "", ...rest] = pieces;
  if (rest.length === 0) {
    const whole = new RegExp(`^(?:${head})$`, "v");
    return (text) => whole.test(text);
  }
  const start = new RegExp(head, "vy");
  const tail = rest.at(-1) ?? "";
  const end = tail === "" ? null : new RegExp(`${tail}$`, "vg");
  const middle = rest
    .slice(0, -1)
    .filter((piece) => piece !== "")
    .map((piece) => new RegExp(piece, "vg"));
  return (text) => {
    start.lastIndex = 0;
    if (!start.test(text)) return false;
    let at = start.lastIndex;
    for (const piece of middle) {
      piece.lastIndex = at;
      if (!piece.test(text)) return false;
      at = piece.lastIndex;
    }
    if (end === null) return true;
    end.lastIndex = at;
    return end.test(text);
  };
}

const cache = new Map<string, GlobMatcher>();

/** Whether the whole text matches the shell pattern, case-sensitively. */
export function fnmatchcase(text: string, pattern: string): boolean {
  if (typeof text !== "string" || typeof pattern !== "string") {
    throw new TypeError("fnmatch.fnmatchcase(text, pattern) expects two strings");
  }
  let matcher = cache.get(pattern);
  if (matcher === undefined) {
    matcher = compileGlob(pattern);
    if (cache.size >= 256) cache.clear();
    cache.set(pattern, matcher);
  }
  return matcher(text);
}
