// Where a part ends, as an expression: at a mark, at a blank, at a word that follows, or at the end of the line.

import { escapeClass, escapeRegex } from "../../escape.ts";
import type { Hint } from "../../page/page.ts";
import type { Span } from "../../parts/spans.ts";
import { CLOSERS, type Sample } from "./sample.ts";

/** How a part may end. */
export interface End {
  body: string;
  right: string;
}

/** The ends that fit a part of a line, the most specific first. */
export function endsOf(line: string, span: Span, hint: Hint, sample: Sample): End[] {
  const text = line.slice(span.start, span.end);
  const after = line.slice(span.end);
  const next = after.charAt(0);
  const close = CLOSERS[line.charAt(span.start - 1)];
  if (close !== undefined && next === close && !text.includes(close))
    return [{ body: `[^${escapeClass(close)}]${hint.optional ? "*" : "+"}`, right: escapeRegex(close) }];
  const isLong = /\s/.test(text) || hint.kind === "text";
  if (after.trim() === "") return [{ body: isLong ? "\\S.*?" : "\\S+", right: "\\s*$" }];
  const ends: End[] = [];
  // A full stop or bracket at the very end.
  const stop = /^[^\s\p{L}\p{N}]+\s*$/u.exec(after)?.[0];
  if (stop !== undefined)
    ends.push({ body: isLong ? "\\S.*?" : "\\S+?", right: `${escapeRegex(stop.trim())}\\s*$` });
  return [...ends, ...(/\s/.test(text) ? longEnds(text, after, sample) : shortEnds(text, after))];
}

/** Ends of a text of several words. */
function longEnds(text: string, after: string, sample: Sample): End[] {
  const ends: End[] = [];
  const mark = /^(\s*)([^\s\p{L}\p{N}]+)(\s|$)/u.exec(after);
  if (mark !== null && !text.includes(mark[2] ?? ""))
    ends.push({
      body: "\\S.*?",
      right: `${mark[1] === "" ? "" : "\\s+"}${escapeRegex(mark[2] ?? "")}(?=\\s|$)`,
    });
  const word = /^\s+([^\s]*[A-Za-z][^\s]*)/.exec(after);
  if (word !== null && sample.share(/[A-Za-z][\w-]*/.exec(word[1] ?? "")?.[0] ?? "") >= 0.6)
    ends.push({ body: "\\S.*?", right: `(?=\\s+${escapeRegex(word[1] ?? "")})` });
  if (/^\s{2,}|^\t/.test(after)) ends.push({ body: "\\S.*?", right: "(?=\\s{2,}|\\t|\\s*$)" });
  return ends;
}

/** Ends of a text without blanks. */
function shortEnds(text: string, after: string): End[] {
  const next = after.charAt(0);
  const integer = /^[-+]?\d+$/.test(text);
  if (/\s/.test(next)) {
    // In other lines a mark may follow.
    const further: End[] = integer
      ? [{ body: "[-+]?\\d+", right: "(?!\\w)" }]
      : /[,;:)\]]/.test(text)
        ? []
        : [{ body: "[^\\s,;:)\\]]+", right: "(?=[,;:)\\].]*(?:\\s|$))" }];
    return [{ body: integer ? "[-+]?\\d+" : "\\S+", right: "(?=\\s|$)" }, ...further];
  }
  const ends: End[] = [];
  // Up to the mark, or to the mark and the blank behind it where the part may have the mark in it.
  const body = integer ? "[-+]?\\d+" : `[^\\s${escapeClass(next)}]+`;
  if (!text.includes(next)) ends.push({ body, right: `(?=${escapeRegex(next)})` });
  if (/^[;,:)\]](?:\s|$)/.test(after) && !integer)
    ends.push({ body: `[^${escapeClass(next)}]+?`, right: `(?=${escapeRegex(next)}(?:\\s|$))` });
  if (/^[;,.:](?:\s|$)/.test(after) && !integer)
    ends.push({ body: "[^;,:]+?", right: "(?=[;,:.](?:\\s|$))" });
  if (/^[^\w\s](?:\s|$)/.test(after))
    ends.push({ body: "\\S+?", right: `(?=${escapeRegex(next)}(?:\\s|$))` });
  // The same part at the end of a piece or in front of another mark in other lines.
  ends.push({ body: integer ? "\\d+" : `[^\\s${escapeClass(next)}]+`, right: "" });
  return ends;
}
