// Do the patterns of section 2 fit what Atom A takes? A pattern that stands in the log but in no value means that
// the value was taken from the wrong part of the lines.
import type { ObservedText } from "../../../tools/types.ts";
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
  return missing.filter((pattern) => lines.some((line) => standsIn(line, pattern)));
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
  const body = /[*?]/.test(pattern) ? wildcard(pattern, false).source : escapeSource(pattern);
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
  const body = escapeSource(pattern)
    .replace(/\\\*/g, whole ? ".*" : "\\S*")
    .replace(/\\\?/g, ".");
  return new RegExp(whole ? `^${body}$` : body, "s");
}

function escapeSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
