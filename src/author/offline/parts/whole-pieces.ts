// Pieces of a line that a reader sees as one: what stands between blanks, without the quotes and brackets around it and the marks
// behind it. A part that begins or ends inside such a piece needs a reason.

import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";

/** Marks that join what belongs together ("10-0042", "a.b"), and marks that often part two ("host:port", "a@b"). */
const JOINS = 1.2;
const PARTS = 0.5;

/** A part that cuts a piece of the line at a mark inside it. */
export function pieceEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  if (hint.basename || hint.kind === "text") return;
  // "The part of the user name after the dot" is a piece.
  if (
    /\b(?:part|piece|end|beginning) of\b|\b(?:after|behind|before|in front of|up to|until) (?:the |its )?(?:last |first )?(?:dot|dash|hyphen|slash|colon|at sign|underscore|plus)\b/i.test(
      hint.description,
    )
  )
    return;
  const text = line.slice(span.start, span.end);
  if (/\s/.test(text) || hint.literals.includes(text) || hint.choices.includes(text)) return;
  const before = /[^\s"'`<>|;=]*$/.exec(line.slice(0, span.start))?.[0].replace(/^[([{*]+/, "") ?? "";
  const after = (/^[^\s"'`<>|;=]*/.exec(line.slice(span.end))?.[0] ?? "").replace(/[)\]}*.,:!?]+$/, "");
  const cost =
    costOf(before.at(-1), /[\p{L}\p{N}]/u.test(before)) + costOf(after.at(0), /[\p{L}\p{N}]/u.test(after));
  // "10-0042": digits on both sides of the mark are one number with marks in it.
  const isNumber =
    /\d[-.]$/.test(before) && /^\d/.test(text) ? 1 : /\d$/.test(text) && /^[-.]\d/.test(after) ? 1 : 0;
  // An address or a path in quotes is a piece by itself.
  if (
    inQuotes(line, span) &&
    !/^\w+:\/\/\S+$|^\/\S*$/.test(text) &&
    !/\b(?:first|last|second|word|part|piece|before|after|behind|in front|up to|until)\b/i.test(
      hint.description,
    )
  )
    say(-2, "cut inside quotes");
  if (hint.kind === "version" && /\d:$/.test(before)) say(-1.5, "cut inside a version");
  if (cost > 0) say(-cost - isNumber, "cut inside a piece");
}

/** "Front 1" in quotes: one of its words, where nothing but words stands between the quotes. */
function inQuotes(line: string, span: Span): boolean {
  const open = /"([^"=:]*)$/.exec(line.slice(0, span.start));
  const close = /^([^"=:]*)"/.exec(line.slice(span.end));
  if (open === null || close === null) return false;
  const isInner = (line.slice(0, span.start).match(/"/g)?.length ?? 0) % 2 === 1;
  return isInner && /\s/.test(`${open[1] ?? ""}${close[1] ?? ""}`);
}

function costOf(mark: string | undefined, isPiece: boolean): number {
  if (mark === undefined || !isPiece) return 0;
  if (/[-_.+~\\]/.test(mark)) return JOINS;
  return /[:@#/,]/.test(mark) ? PARTS : 0;
}

/** What a day without the time beside it costs, or the time without its day. */
export const HALF = 2;

/** Is it the day of a day and time that stand side by side, or the time? */
export function isHalf(line: string, { start, end }: Span): boolean {
  const text = line.slice(start, end);
  const [before, after] = [line.slice(0, start), line.slice(end)];
  if (new RegExp(`^${CLOCK}$`).test(text)) return new RegExp(`(?<![\\w/.-])${DAY},?[ T]$`).test(before);
  return new RegExp(`^${DAY}$`).test(text) && new RegExp(`^,?[ T]${CLOCK}(?![\\w:])`).test(after);
}

const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?";
const DAY =
  "(?:\\d{4}[-/.]\\d{2}[-/.]\\d{2}|\\d{2}[-/.]\\d{2}[-/.]\\d{2,4}|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\\d{1,2}|\\d{2}-[A-Z][a-z]{2}-\\d{4})";

/** "last scrub 2024-01-05 03:00": the day and the time are one, unless the page asks for one of them. */
export function halfEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  if (!isHalf(line, span) || hint.literals.includes(line.slice(span.start, span.end))) return;
  const said = `${hint.name.replace(/_/g, " ")} ${hint.description}`;
  if (
    /\b(?:date|day|only|clock|time of (?:the )?day|without|not|hours?|minutes?)\b/i.test(said) &&
    !/\bdate and time\b/i.test(said)
  )
    return;
  say(-HALF, "half of a day and time");
}
