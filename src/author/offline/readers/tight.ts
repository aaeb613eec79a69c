// Narrows an expression that matches lines of another kind: a part whose texts are all built alike ("ORA-00600",
// "2024-03-02T22:00:01") matches only texts built like that.

import { escapeRegex } from "../escape.ts";

const MAX_RUNS = 24;

/** The expression that all texts follow run by run, or undefined when they are not built alike. */
export function tightClass(texts: readonly string[]): string | undefined {
  const runs = texts.map((text) => text.match(/\d+|[A-Za-z]+|[^A-Za-z\d]/g) ?? []);
  const [first] = runs;
  if (first === undefined || first.length === 0 || first.length > MAX_RUNS) return undefined;
  if (runs.some((one) => one.length !== first.length)) return undefined;
  let source = "";
  for (let at = 0; at < first.length; at += 1) {
    const column = runs.map((one) => one[at] ?? "");
    const [head = ""] = column;
    if (column.every((text) => /^\d/.test(text))) {
      const length = column.every((text) => text.length === head.length) ? head.length : 0;
      source += length > 1 ? `\\d{${length}}` : "\\d+";
    } else if (column.every((text) => text === head)) source += /\s/.test(head) ? "\\s+" : escapeRegex(head);
    else if (column.every((text) => /^[A-Za-z]/.test(text))) source += "[A-Za-z]+";
    else return undefined;
  }
  return source;
}

/** The expression with another body for a named group. */
export function withGroup(pattern: string, group: string, body: string): string {
  const open = pattern.indexOf(`(?<${group}>`);
  if (open < 0) return pattern;
  const start = open + group.length + 4;
  let depth = 1;
  let inClass = false;
  for (let at = start; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === "\\") at += 1;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return pattern.slice(0, start) + body + pattern.slice(at);
    }
  }
  return pattern;
}

/** The expression narrowed until it matches no line but the own ones, as far as the texts of its parts allow.
 * `always` narrows even where no other line matches. */
export function narrowed(
  pattern: string,
  own: readonly string[],
  others: readonly string[],
  always = false,
): string {
  let best = pattern;
  const count = (source: string, lines: readonly string[]): number => {
    const regex = new RegExp(source);
    return lines.filter((line) => regex.test(line)).length;
  };
  const kept = count(pattern, own);
  let outside = count(pattern, others);
  if (outside === 0 && !always) return pattern;
  const groups = [...pattern.matchAll(/\(\?<(\w+)>/g)].map((match) => match[1] ?? "");
  const regex = new RegExp(pattern);
  const found = own.flatMap((line) => {
    const match = regex.exec(line)?.groups;
    return match === undefined ? [] : [match];
  });
  for (const group of groups) {
    const body = tightClass(found.map((match) => match[group] ?? ""));
    // One and the same word everywhere may be chance; how a text is built is not.
    if (body === undefined || found.length < 2 || /^[A-Za-z]+$/.test(body)) continue;
    const tried = withGroup(best, group, body);
    const left = count(tried, others);
    if (count(tried, own) < kept || (left >= outside && !always)) continue;
    best = tried;
    outside = left;
  }
  const ended = `${best}\\s*$`;
  if (outside > 0 && !best.endsWith("$") && count(ended, own) === kept && count(ended, others) < outside)
    return ended;
  return best;
}
