// What the page says about a part by the label that it stands behind: "number behind `Rss:`", "the text of `state`",
// "after `Cell:`, not "Path cells"", "in the first line below "Output pins:"".

import type { Hint } from "../../page/page.ts";
import { quotedIn } from "../../page/text.ts";
import { shownInBrackets } from "../../parts/fit.ts";
import type { Span } from "../../parts/spans.ts";
import type { Label, Shown } from "./shown.ts";

/** Lines of a block by their index. */
export interface LabelsTold {
  /** The part stands on one of these; empty where nothing is said. */
  on: ReadonlySet<number>;
  /** It stands on none of these. */
  off: ReadonlySet<number>;
}

const BEHIND =
  /(?:^|[\s(,])(?:behind|after|following|in|of|from|next to|at|to the right of|with|is|under the name|as) (?:the |its |a )?(?:key |label |word |words |name |title |heading |setting |entry |field )?$/i;
const BELOW =
  /\b(?:below|under|beneath|underneath) (?:the |its |a )?(?:title |heading |line |label |key )?$/i;
const NOT = /\b(?:not|never|nor|unlike|instead of|rather than)\b[^,;.]*$/i;
/** "without the "since" part": what is cut off, not where the part stands. */
const CUT = /\bwithout\b[^,;.]*$|\bup to\b[^,;.]*$/i;

/** The lines that begin with a text that the description quotes as a label. */
export function labelsTold(description: string, lines: readonly string[]): LabelsTold {
  const on = new Set<number>();
  const off = new Set<number>();
  for (const { text, start } of quotedIn(description)) {
    const before = description.slice(0, start);
    if (CUT.test(before)) continue;
    const found = labelled(text.trim(), lines);
    if (found.length === 0) continue;
    if (NOT.test(before)) for (const at of found) off.add(at);
    else if (BELOW.test(before)) for (const at of found) on.add(at + 1);
    else if (before.trim() === "" || before.trim() === "(" || BEHIND.test(before))
      for (const at of found) on.add(at);
  }
  for (const at of off) on.delete(at);
  return { on, off };
}

/** How much that speaks for a line. */
export function toldLine({ on, off }: LabelsTold, at: number): number {
  const told = on.size === 0 ? 0 : on.has(at) ? 3 : -3;
  return told + (off.has(at) ? -6 : 0);
}

/** Lines that begin with the text and go on behind it: "Rss:" and "Rss", not "Rss_total". */
function labelled(text: string, lines: readonly string[]): number[] {
  const name = text.replace(/\s*[:=]\s*$/, "");
  if (!/[A-Za-z]{2}/.test(name)) return [];
  return lines.flatMap((line, at) => {
    const own = line.replace(/^[^\p{L}\p{N}]+/u, "");
    const goesOn = own.slice(name.length);
    return own.startsWith(name) && /^(?:\s*[:=]|\s|$)/.test(goesOn) ? [at] : [];
  });
}

/** "(Vlan-BD)", "(Peer State)": the label of one of several labelled lines, given in brackets as the name of the part. */
export function bracketedLabel(
  hint: Hint,
  hints: readonly Hint[],
  { lines, labels }: Pick<Shown, "lines" | "labels">,
): number {
  const others = labels.filter((label) => label !== undefined && label.to === undefined).length;
  if (others < 3) return -1;
  const texts = shownInBrackets(hint).map((text) => text.toLowerCase());
  return labels.findIndex(
    (label, at) =>
      label !== undefined &&
      label.to === undefined &&
      texts.includes(label.name.toLowerCase()) &&
      // Where other parts stand behind it, it is data itself.
      !hints.some(
        (other) =>
          other !== hint &&
          [...other.literals, ...shownInBrackets(other)].some((text) =>
            (lines[at] ?? "").slice(label.from).includes(text),
          ),
      ) &&
      !lines.some((line, other) => other !== at && line.toLowerCase().includes(label.name.toLowerCase())),
  );
}

/** The text behind the label that the page names, not the label itself. */
export function bracketedScore(
  line: string,
  span: Span,
  told: number,
  at: number,
  label: Label | undefined,
): number {
  if (told < 0 || label === undefined) return 0;
  if (told !== at) return -4;
  if (span.start < label.from) return -16;
  const whole = /^(?:\s{2,}|\s*$)/.test(line.slice(span.end));
  return span.start === label.from ? (whole ? 8 : 6) : 2;
}

const IN_FRONT =
  /\b(?:before|in front of|left of|ahead of|up to|preced\w*|key|label|setting|without (?:the|its) colon)\b/i;
const WHOLE =
  /\b(?:and all|in full|as printed|as it (?:is|stands)|as they (?:are|stand)|complete\w*|whole|entire|all of it|everything|with (?:its|the|their|any) (?:masks?|ports?|units?|paths?|prefix\w*|length|index|suffix\w*))\b/i;
const NUMBER_ONLY =
  /^\W*(?:the |a |its |only the )?(?:[a-z]+ )?(?:number|count|amount|digits?|figure)\b(?! or)(?! of the)/i;

/** How well a part suits what its description says about where it begins and ends on its line. */
export function extentScore(line: string, span: Span, description: string): number {
  const text = line.slice(span.start, span.end);
  const rest = line.slice(span.end);
  const before = line.slice(0, span.start);
  let score = 0;
  // "on the `Bus` line": that names a line.
  const quoted = quotedIn(description).find((one) => one.text === text);
  if (
    quoted !== undefined &&
    /^ (?:line|row|entry|header|heading|block|section)\b/i.test(description.slice(quoted.end))
  )
    score -= 25;
  if (/\bwithout (?:the|its|their) (?:closing |final |trailing )?colon\b/i.test(description)) {
    score += /^:/.test(rest) ? 2 : 0;
  } else if (
    /^\s*$/.test(before) &&
    /^\s*[:=]\s+\S/.test(rest) &&
    !IN_FRONT.test(description) &&
    !description.includes(text)
  ) {
    // The label of a line is seldom what is wanted.
    score -= 1.5;
  }
  if (WHOLE.test(description) && /^[^\s,;)\]}"'>]/.test(rest)) score -= 2.5;
  if (
    /\b(?:including|with) (?:the |its )?[^,;.()]*\bin (?:square |round )?(?:brackets|parentheses)\b/i.test(
      description,
    )
  )
    score += /^[^\])]*[[(]/.test(rest) ? -3 : /[\])]$/.test(text) ? 1.5 : 0;
  if (NUMBER_ONLY.test(description) && !/\bunits?\b/i.test(description)) {
    if (/^[-+]?\d[\d.,]*\s*[A-Za-z%]+$/.test(text)) score -= 2.5;
    else if (!/\d/.test(text)) score -= 3;
  }
  // The full stop of a sentence is no part of its last word.
  if (/[\w)\]]\.$/.test(text) && rest.trim() === "" && /^\S+$/.test(text)) score -= 0.8;
  return score;
}

const KEY = /(?:^|\s|[,;(])([A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,2})\s*[:=]\s*["'[<(]?$/;

/** The key right in front of a part that stands further on in its line ("Vendor: ATA   Revision: AB12"). */
export function innerKey(before: string): string | undefined {
  return KEY.exec(before)?.[1];
}

/** How far the text in front of a part goes on to the next key of the line, or to its end. */
export function isWholeText(text: string, rest: string): boolean {
  return (
    !/[:=](?:\s|$)/.test(text) &&
    /^\s*$|^\s{2,}\S|^\s+[A-Za-z][\w-]*(?: [A-Za-z][\w-]*)?\s*[:=](?:\s|$)/.test(rest)
  );
}

/** "`rule`, `type`, `port`: the first three columns (42, DST, eth3)": the text of each, where the block has them all. */
export function listedTexts(hints: readonly Hint[], lines: readonly string[]): ReadonlyMap<Hint, string> {
  const found = new Map<Hint, string>();
  hints.forEach((hint, index) => {
    const texts = (/\(([^()]+)\)/.exec(hint.description)?.[1] ?? "").split(/,\s+(?:and\s+)?|\s+and\s+/);
    const own = hints.slice(index + 1 - texts.length, index + 1);
    if (texts.length < 2 || own.length !== texts.length || index < texts.length) return;
    if (own.slice(0, -1).some((one) => one.description !== "")) return;
    const known = texts.every((text) => lines.some((line) => line.includes(text.trim())));
    if (known) for (const [at, one] of own.entries()) found.set(one, texts[at]?.trim() ?? "");
  });
  return found;
}

export function inListScore(text: string, listed: string | undefined): number {
  return listed === undefined ? 0 : text === listed ? 12 : -4;
}
