// Parts that stand once above the records and that the page only speaks of: "the file named in the last `SF:` record
// before", "the commit it belongs to". They are looked for by the key that the page quotes, or by the name of the part.

import { escapeRegex } from "../escape.ts";
import { likeness, wordsOf } from "../page/names.ts";
import type { Group, Hint } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";
import { fit } from "../parts/fit.ts";
import { labelOf } from "./families.ts";
import type { Head } from "./heads.ts";

const ABOVE =
  /\b(?:above|(?:line|record|entry|row|one) before|before (?:it|them)|preced\w*|headings?|headline|heads?|the last|belongs? to|listed (?:in|under)|innermost|enclos\w*|surround\w*|(?:in|under|below|of) which|it (?:is|stands) (?:in|under|below))\b/i;

/** Heads for the fields that the page places above and that `known` has not. */
export function toldHeads(group: Group, lines: readonly string[], known: readonly Head[]): Head[] {
  const shown = group.examples.flatMap((one) => one.lines);
  return group.fields.flatMap((hint) => {
    const stands = hint.literals.some((text) => shown.some((line) => line.includes(text)));
    if (stands || !ABOVE.test(hint.description) || known.some((head) => head.hint === hint)) return [];
    const quoted = byQuotedKey(hint, lines, shown);
    const named = [byLabel(hint, lines), byFirstWord(hint, lines)];
    const [best] = [...(quoted === undefined ? named : [quoted])]
      .flatMap((pattern) => (pattern === undefined ? [] : headOf(pattern, hint, lines)))
      .sort((a, b) => b.score - a.score);
    if (best === undefined || shown.some((line) => new RegExp(best.head.above.pattern).test(line))) return [];
    return [best.head];
  });
}

/** The head of an expression, and how well its text fits the part. */
function headOf(pattern: string, hint: Hint, lines: readonly string[]): { head: Head; score: number }[] {
  const regex = new RegExp(pattern);
  const example = lines.find((line) => regex.test(line));
  const text = regex.exec(example ?? "")?.groups?.[groupOf(hint)];
  if (example === undefined || text === undefined) return [];
  const start = example.lastIndexOf(text);
  const { score } = fit(example, { start, end: start + text.length }, hint);
  return [{ head: { hint, group: groupOf(hint), above: { pattern, example } }, score }];
}

function groupOf(hint: Hint): string {
  return /^[A-Za-z_]\w*$/.test(hint.name) ? hint.name : "head";
}

/** "the last `SF:` record before": the key opens the line. */
function byQuotedKey(hint: Hint, lines: readonly string[], shown: readonly string[]): string | undefined {
  const key = quotedIn(hint.description)
    .map((span) => span.text.trim())
    .find((text) => /^[A-Za-z]/.test(text) && !shown.some((line) => line.includes(text)));
  if (key === undefined || !lines.some((line) => line.trimStart().startsWith(key))) return undefined;
  const behind = /\w$/.test(key) ? "[\\s:=]+" : "\\s*";
  return `^\\s*${escapeRegex(key)}${behind}(?<${groupOf(hint)}>\\S.*?)\\s*$`;
}

/** A line with the name of the part in front of a colon. */
function byLabel(hint: Hint, lines: readonly string[]): string | undefined {
  const labels = new Set(lines.flatMap((line) => labelOf(line) ?? []));
  const best = [...labels]
    .map((label) => ({ label, like: likeness({ name: hint.name, description: "" }, label) }))
    .sort((a, b) => b.like - a.like)[0];
  if (best === undefined || best.like < 0.85) return undefined;
  return `^\\s*${escapeRegex(best.label)}\\s*[:=]\\s*(?<${groupOf(hint)}>\\S.*?)\\s*$`;
}

/** A line that is the name of the part and one word more: "commit 6170eac", "(INSTANCE top". */
function byFirstWord(hint: Hint, lines: readonly string[]): string | undefined {
  const name = wordsOf(hint.name).at(-1) ?? "";
  if (name.length < 3) return undefined;
  const form = new RegExp(
    `^\\s*([^\\w\\s]?)(${escapeRegex(name)})\\s+[\\w.$/\\\\[\\]-]+([^\\w\\s]?)\\s*$`,
    "i",
  );
  const found = lines.flatMap((line) => {
    const match = form.exec(line);
    return match === null ? [] : [`${match[1] ?? ""} ${match[2] ?? ""} ${match[3] ?? ""}`];
  });
  const [first] = found;
  // Lines of several forms are no heading.
  if (first === undefined || found.some((one) => one !== first)) return undefined;
  const [open = "", word = "", close = ""] = first.split(" ");
  return `^\\s*${escapeRegex(open)}${escapeRegex(word)}\\s+(?<${groupOf(hint)}>\\S+${close === "" ? "" : "?"})${escapeRegex(close)}\\s*$`;
}
