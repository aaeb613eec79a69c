// The literal that a regular expression requires: a run of plain characters contained in every match. Lines without it need
// not be tested. A pattern that is not fully understood has no literal.

/** One element of a pattern, up to but not including `end`. */
type Element =
  | { kind: "literal"; text: string; end: number }
  /** An element that matches unknown text. */
  | { kind: "unknown"; end: number }
  /** Repeats the previous element; `optional` when it may be absent. */
  | { kind: "repeat"; optional: boolean; end: number };

/** The longest run of plain ASCII characters outside groups, classes and alternatives; undefined when it has fewer than two
 * characters. */
export function requiredLiteral(pattern: string): string | undefined {
  let best = "";
  let run = "";
  for (let at = 0; at < pattern.length; ) {
    const element = elementAt(pattern, at);
    if (element === undefined) return undefined;
    if (element.kind === "literal") run += element.text;
    else {
      if (element.kind === "repeat" && element.optional) run = run.slice(0, -1);
      if (run.length > best.length) best = run;
      run = "";
    }
    at = element.end;
  }
  if (run.length > best.length) best = run;
  // Other letters may have several case variants, which a filter would miss.
  return best.length >= 2 && /^[\x20-\x7e]+$/.test(best) ? best : undefined;
}

/** The element at a position; undefined for alternatives, flags, and unknown syntax. */
function elementAt(pattern: string, at: number): Element | undefined {
  const character = pattern[at] ?? "";
  const next = pattern[at + 1] ?? "";
  switch (character) {
    case "|":
    case ")":
      return undefined;
    case "(":
      return next === "?" ? undefined : unknownTo(groupEnd(pattern, at));
    case "[":
      return unknownTo(classEnd(pattern, at));
    case "\\":
      return escapeAt(next, at + 2);
    case ".":
    case "^":
    case "$":
      return { kind: "unknown", end: at + 1 };
    case "*":
    case "?":
    case "+":
      return { kind: "repeat", optional: character !== "+", end: at + 1 };
    case "{": {
      // Without numbers, a brace is a plain character in RE2; too rare to support.
      const count = /^\{\d+(,\d*)?\}/.exec(pattern.slice(at, at + 16))?.[0];
      return count === undefined ? undefined : { kind: "repeat", optional: true, end: at + count.length };
    }
    default:
      return { kind: "literal", text: character, end: at + 1 };
  }
}

function unknownTo(close: number | undefined): Element | undefined {
  return close === undefined ? undefined : { kind: "unknown", end: close + 1 };
}

/** Classes such as `\\d` match unknown text; escaped punctuation is literal; other escapes are not supported. */
function escapeAt(escaped: string, end: number): Element | undefined {
  if (/[dDwWsSbB]/.test(escaped)) return { kind: "unknown", end };
  return /[A-Za-z0-9]/.test(escaped) || escaped === "" ? undefined : { kind: "literal", text: escaped, end };
}

function groupEnd(pattern: string, open: number): number | undefined {
  let depth = 0;
  for (let i = open; i < pattern.length; i += 1) {
    const character = pattern[i];
    if (character === "\\") i += 1;
    else if (character === "[") i = classEnd(pattern, i) ?? pattern.length;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) return i;
  }
  return undefined;
}

function classEnd(pattern: string, open: number): number | undefined {
  let i = open + 1;
  if (pattern[i] === "^") i += 1;
  if (pattern[i] === "]") i += 1;
  for (; i < pattern.length; i += 1) {
    if (pattern[i] === "\\") i += 1;
    else if (pattern.startsWith("[:", i)) i = Math.max(i, pattern.indexOf(":]", i) + 1);
    else if (pattern[i] === "]") return i;
  }
  return undefined;
}
