// How many ways an expression may try on a line that it does not match. Each gap of any text may end wherever what
// follows it can begin, and gaps multiply: a dozen of them on a long line never come to an end, and nothing can
// interrupt a match that is under way.

/** Ways that are still tried: some tenths of a second on one line. */
const MOST_WAYS = 1e7;

/** Is the expression too free to be tried on such lines? Judged by the longest of them, without running anything. */
export function isTooFree(pattern: string, lines: readonly string[]): boolean {
  const gaps = beginnings(pattern);
  if (gaps.length < 3) return false;
  const line = longestOf(lines);
  let ways = 1;
  // Gaps end one behind the other, so that k gaps have one k-th of a factorial of the orders of their ends.
  gaps.forEach((next, index) => {
    ways *= Math.max(1, countOf(line, next)) / (index + 1);
  });
  return ways > MOST_WAYS;
}

/** What follows each gap of any text: fixed text, or the class of the first character. Gaps in look-aheads do not
 * multiply with the others and are left out. */
function beginnings(pattern: string): string[] {
  const plain = withoutLookAheads(pattern)
    .replace(/\[(?:\\.|[^\]\\])*\]/g, "\\S")
    // Any number of words is any text.
    .replace(/\(\?:\\s\+\\S\+\??\)\*\??/g, ".*?");
  const numbers = [...pattern.matchAll(COMMAS)].map(() => ",");
  const gaps = [...plain.matchAll(/\.[*+]\??/g)].flatMap((gap) => {
    const behind = plain
      .slice(gap.index + gap[0].length)
      .replace(/^(?:\)\??|\(\?:|\(\?<\w+>|\\b|\\s[+*]?)+/, "");
    if (behind === "") return [];
    const fixed = /^(?:[^\\()|.*+?{}^$]|\\[^\w\s])+/.exec(behind)?.[0] ?? "";
    return [fixed === "" ? behind.slice(0, 2) : fixed.replaceAll("\\", "")];
  });
  return [...gaps, ...numbers];
}

/** A number that may hold commas, in front of one. */
const COMMAS = /\\d\[\\d\.,\]\*(?=,)/g;

/** Numbers between commas hold none, where there are several of them: in a row of cells every comma is a border. */
export function withoutCommas(pattern: string): string {
  return (pattern.match(COMMAS)?.length ?? 0) < 4 ? pattern : pattern.replace(COMMAS, "\\d[\\d.]*");
}

/** Places of a line at which a gap may end. */
function countOf(line: string, next: string): number {
  if (next === "\\d") return line.match(/\d/g)?.length ?? 0;
  if (next.startsWith("\\") || next.startsWith(".")) return line.match(/\S/g)?.length ?? 0;
  return line.split(next).length - 1;
}

function withoutLookAheads(pattern: string): string {
  let result = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const size = char === "\\" ? 2 : 1;
    if (depth > 0) {
      if (char === "(") depth += 1;
      if (char === ")") depth -= 1;
    } else if (/^\(\?<?[=!]/.test(pattern.slice(at, at + 4))) depth = 1;
    else result += pattern.slice(at, at + size);
    at += size - 1;
  }
  return result;
}

const longest = new WeakMap<readonly string[], string>();

function longestOf(lines: readonly string[]): string {
  const known = longest.get(lines);
  if (known !== undefined) return known;
  const found = lines.reduce((a, b) => (b.length > a.length ? b : a), "");
  longest.set(lines, found);
  return found;
}
