// An expression for a line as a row of pieces: parts, fixed words and marks, blanks, and what may be any text.

export interface Unit {
  kind: "group" | "literal" | "space" | "look" | "other";
  /** What it stands for where it is fixed, else as it is written. */
  text: string;
  /** As it is written. */
  raw: string;
}

/** The conditions that an expression looks ahead for at the start of the line, and the expression without them. */
export function withoutAhead(pattern: string): { ahead: RegExp | undefined; rest: string } {
  let at = pattern.startsWith("^") ? 1 : 0;
  while (at > 0 && /^\(\?[=!]/.test(pattern.slice(at))) at += closing(pattern.slice(at));
  if (at <= 1) return { ahead: undefined, rest: pattern };
  return { ahead: new RegExp(pattern.slice(0, at)), rest: `^${pattern.slice(at)}` };
}

/** An expression cut into groups, runs of letters and digits, single marks, blanks and the rest; undefined when it has
 * alternatives at its top. */
export function unitsOf(pattern: string): Unit[] | undefined {
  const units: Unit[] = [];
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const word = /^[\p{L}\p{N}_]+(?![*+?{])/u.exec(rest)?.[0];
    const end = word === undefined ? at + pieceLength(rest) : at + word.length;
    const piece = pattern.slice(at, end);
    at = end;
    if (piece === "|") return;
    const raw = piece;
    if (word !== undefined) units.push({ kind: "literal", text: word, raw });
    else if (/^\(\?<?[=!]/.test(piece)) units.push({ kind: "look", text: piece, raw });
    else if (/^\((?:\?<\w)/.test(piece)) units.push({ kind: "group", text: piece, raw });
    else if (/^\(/.test(piece) && /\(\?<\w/.test(piece)) units.push({ kind: "group", text: piece, raw });
    else if (/^\\s[*+]$/.test(piece) || piece === " ") units.push({ kind: "space", text: piece, raw });
    else if (/^\\[^A-Za-z0-9]$/.test(piece)) units.push({ kind: "literal", text: piece.slice(1), raw });
    else if (/^[^\\([^$.]$/.test(piece)) units.push({ kind: "literal", text: piece, raw });
    else units.push({ kind: "other", text: piece, raw });
  }
  return units;
}

/** Length of the first piece of an expression, with what says how often. */
function pieceLength(rest: string): number {
  const single = /^(?:\\.|\[(?:\\.|[^\]\\])*\])/.exec(rest)?.[0].length ?? 1;
  const end = rest.startsWith("(") ? closing(rest) : single;
  return end + (/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest.slice(end))?.[0].length ?? 0);
}

/** Where the bracket that the text begins with is closed: the position behind it. */
function closing(rest: string): number {
  let depth = 0;
  for (const match of rest.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/g)) {
    if (match[0] === "(") depth += 1;
    else if (match[0] === ")") depth -= 1;
    if (depth === 0) return match.index + 1;
  }
  return rest.length;
}

/** Can the text be compiled? What was cut out of an expression may lack the other half of something. */
export function isExpression(source: string): boolean {
  try {
    return new RegExp(source).source !== "";
  } catch {
    return false;
  }
}
