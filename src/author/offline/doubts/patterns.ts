// Do the patterns of section 2 fit what Atom A takes? A pattern that stands in the log but in no value means that
// the value was taken from the wrong part of the lines.

import type { ObservedText } from "../../../tools/types.ts";
import { escapeRegex } from "../escape.ts";
import { possibleValues } from "../program/values-of.ts";

/** The patterns that the log has and the values have not; empty when there is nothing to object to. */
export function misplacedPatterns(
  patterns: readonly string[],
  atomA: string,
  observed: readonly ObservedText[],
): string[] {
  const lines = [...new Set(observed.flatMap((text) => text.lines))];
  // A structured document is read whole, repeated lines included.
  const values = possibleValues(
    atomA,
    lines,
    observed.map((text) => text.lines),
  );
  if (values === undefined || values.length === 0) return [];
  const missing = patterns.filter((pattern) => !values.some((value) => hasPattern(value, pattern)));
  // Some patterns match: the value is the right part, and the others may stand elsewhere by chance.
  if (missing.length < patterns.length) return [];
  // Of a log that was read in part the lines in between may have it: there only lines that the values come from count.
  const isRead = (line: string): boolean => (possibleValues(atomA, [line], []) ?? []).length > 0;
  const told = hasGaps(observed) ? lines.filter(isRead) : lines;
  return missing.filter((pattern) => told.some((line) => standsIn(line, pattern)));
}

/** Were lines of a file left out between those that were seen? */
function hasGaps(observed: readonly ObservedText[]): boolean {
  const ends = new Map<string, number>();
  const sorted = [...observed].sort((a, b) => a.startLine - b.startLine);
  return sorted.some(({ path, startLine, lines }) => {
    const end = ends.get(path) ?? 1;
    ends.set(path, Math.max(end, startLine + lines.length));
    return startLine > end;
  });
}

function hasPattern(value: string, pattern: string): boolean {
  if (pattern.includes("|")) return split(pattern).some((part) => value.includes(part));
  if (pattern.startsWith("regex:")) return matches(pattern.slice(6), value);
  if (/[*?]/.test(pattern)) return wildcard(pattern, true).test(value);
  return value.includes(pattern);
}

/** As a word of the line, so that a short pattern does not stand in every line. */
function standsIn(line: string, pattern: string): boolean {
  if (pattern.includes("|")) return split(pattern).some((part) => standsIn(line, part));
  if (pattern.startsWith("regex:")) {
    const source = pattern.slice(6);
    return line.split(/[\s,;"'()[\]]+/).some((word) => word.length > 1 && matches(source, word));
  }
  if (pattern.replace(/[*?]/g, "").length < 2) return false;
  const body = /[*?]/.test(pattern) ? wildcard(pattern, false).source : escapeRegex(pattern);
  return new RegExp(`(?<![\\w.])${body}(?![\\w])`).test(line);
}

function split(pattern: string): string[] {
  return pattern
    .split("|")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function matches(source: string, text: string): boolean {
  try {
    return new RegExp(source.replace(/\(\?P</g, "(?<").replace(/^\(\?i\)/, "")).test(text);
  } catch {
    return false;
  }
}

function wildcard(pattern: string, whole: boolean): RegExp {
  const body = escapeRegex(pattern)
    .replace(/\\\*/g, whole ? ".*" : "\\S*")
    .replace(/\\\?/g, ".");
  return new RegExp(whole ? `^${body}$` : body, "s");
}
