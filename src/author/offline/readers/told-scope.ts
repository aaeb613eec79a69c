// The part of a file that the page confines the records to: "only the lines below X", "in the section X", "the list between
// X and Y", "only the details of X". The heading is found in the log by its words, its end by how the log goes on.

import { escapeRegex } from "../escape.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { saysUnwanted } from "../page/polarity.ts";
import { bare, NEGATIVE, quotedIn, type Sentence } from "../page/text.ts";
import type { LineRule, Scope } from "../program/ir.ts";

export interface ToldScope {
  scope: Scope;
  /** Whether a line of the log stands in it, by its index. */
  inside: readonly boolean[];
  /** The text that the page names, and all texts of the page that are borders of the part. */
  name: string;
  texts: readonly string[];
}

/** A text that a sentence names as the heading, and the one that ends the part, where it tells one. */
interface Named {
  text: string;
  end: string | undefined;
}

const PLACE = "(?:lines?|headings?|headlines?|titles?|headers?|heads?|words?|banners?|messages?|rulers?)";
const BEFORE = new RegExp(
  `\\b(?:below|under|beneath|underneath|after|behind|following|from)(?: the| its| a)?(?: ${PLACE})?(?: with| of| that says| called| named)?,? ?$`,
  "i",
);
const PART = "(?:sections?|parts?|blocks?|lists?|chapters?|paragraphs?|listings?)";
const IN_PART = new RegExp(
  `\\b(?:in|of|from|only|under|below|within|inside)\\b(?: only)? the (?:same |last |first )?(?:${PART}|details|members|entries|lines|items|children|messages)(?: (?:of|on|about|for|called|named|titled|headed|under|in|below|with)(?: the)?(?: ${PLACE})?)? ?$`,
  "i",
);
/** "Table "X", the rows from ... on:" in front of an example. */
const LEADING = new RegExp(
  `^\\W*(?:the )?(?:table|${PART})(?: called| named| titled| headed| on| of)? ?$`,
  "i",
);
const BEHIND = new RegExp(`^ (?:${PART})\\b`, "i");
const CAPITALS = /(?<![\w`"-])[A-Z][A-Z_]{3,}(?: [A-Z][A-Z_]+)*(?![\w-])/g;
const MOST_OPENS = 60;

/** The part of the file that a sentence of the page names, when the log has its heading and lines outside it. */
export function toldScope(page: Page, lines: readonly string[]): ToldScope | undefined {
  for (const statement of page.statements) {
    for (const sentence of statement.sentences) {
      if (PARTS.test(bare(sentence.text))) continue;
      for (const named of namedIn(sentence, statement.depth > 0)) {
        const found = scopeOf(named, lines);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

/** What is said of a part of a record, "`device`: the word after ..." as well. */
const PARTS = /^(?:the )?(?:value|fields?|line(?: number)?)\b|^\s*‹›\s*[:=(]/i;

function namedIn({ text }: Sentence, isBullet: boolean): Named[] {
  const only = /\bonly\b/i.test(bare(text));
  if (NEGATIVE.test(bare(text)) && !only) return [];
  // "Only the fanout table, not the others": what follows is not meant.
  const end = /[,;]\s*(?:but )?(?:not|nor|neither|never)\b/i.exec(text)?.index ?? text.length;
  const said = text.slice(0, end);
  const texts = [
    ...quotedIn(said),
    ...[...said.matchAll(CAPITALS)].map((match) => ({
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
    })),
  ].sort((a, b) => a.start - b.start);
  const found: Named[] = [];
  for (const [index, one] of texts.entries()) {
    const before = said.slice(0, one.start);
    const after = said.slice(one.end);
    if (/\bbetween\b[^`"]{0,30}$/i.test(before)) {
      const next = texts[index + 1];
      if (next !== undefined && /^ and\b[^`"]{0,20}$/i.test(said.slice(one.end, next.start)))
        found.push({ text: one.text, end: next.text });
      continue;
    }
    const leads = isBullet && BEFORE.test(before) && before.trim().split(/\s+/).length <= 3;
    const first = isBullet && LEADING.test(before) && /^["`']?,|:\s*$/.test(after);
    if (IN_PART.test(before) || BEHIND.test(after) || first || (BEFORE.test(before) && (only || leads)))
      found.push({ text: one.text, end: undefined });
  }
  const dotted = new RegExp(
    `\\bonly (?:the )?${PART} ([.$_]?[A-Za-z][\\w$-]*[._$][\\w.$-]*|[.$_][A-Za-z][\\w.$-]*)(?![\\w.])`,
    "i",
  );
  const coined = dotted.exec(bare(said))?.[1]?.replace(/\.$/, "");
  if (coined !== undefined) found.push({ text: coined, end: undefined });
  const plain = bare(said);
  const words =
    /\b(?:in|of|from|only|under) the (?!(?:section|part|list|block)s?\b)([a-z][a-z-]*(?: [a-z-]+){0,2}?) (?:section|part|list|block)s?\b/i.exec(
      plain,
    )?.[1] ??
    /\b(?:section|part|list|block) (?:on|about|of|called|named|for) (?:the )?([a-z][a-z-]*(?: [a-z-]+){0,3}?)(?= of (?:each|every)\b|[,.;:]|$)/i.exec(
      plain,
    )?.[1];
  if (
    words !== undefined &&
    !/^(?:same|other|whole|each|every|first|last|second|third|following|next|long|short|main)$/i.test(words)
  )
    found.push({ text: words, end: undefined });
  return found;
}

/** A heading without the marks and tags around it. */
function headingText(line: string): string {
  return line
    .replace(/^\s*\[[^\]]*\]\s*/, "")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})\]]+$/gu, "")
    .toLowerCase();
}

/** How well a line suits as the heading: 2 its very words, 1 it begins with them, 0 not at all. */
function suits(line: string, wanted: string): number {
  if (line.length > 140) return 0;
  const text = headingText(line);
  if (text === wanted) return 2;
  if (/^[a-z ]+$/.test(wanted)) {
    const own = wordsOf(text).map(stem);
    const said = wordsOf(wanted).map(stem);
    const rest = own.filter((word) => !said.includes(word));
    if (said.every((word, at) => own[at] === word) && rest.every((word) => GENERIC.has(word))) return 2;
  }
  // "Listing of section .data:"
  if (ENDS_IN_PART.exec(text)?.[1] === wanted) return 2;
  if (!text.startsWith(wanted) || /^[\w-]/.test(text.slice(wanted.length))) return 0;
  const rest = text.slice(wanted.length).trim();
  return /^(?::|\d|$)/.test(rest) || (/\s/.test(wanted) && rest.split(/\s+/).length <= 5) ? 1 : 0;
}

const ENDS_IN_PART = /^(?:[a-z]+ ){0,4}(?:section|part|block|table|list|segment|chapter) \W?([^\s"']+)$/;

const GENERIC = new Set(
  ["section", "list", "part", "report", "summary", "block", "info", "details"].map(stem),
);

/** The part below such a heading, when the log has it and lines outside it. */
export function scopeOf({ text, end }: Named, lines: readonly string[]): ToldScope | undefined {
  const wanted = headingText(text.replace(/\s*(?:\.\.\.|…)\s*$/, ""));
  if (wanted.length < 3) return undefined;
  const marks = lines.map((line) => suits(line, wanted));
  const best = marks.some((mark) => mark === 2) ? 2 : 1;
  const alike = marks.flatMap((mark, index) => (mark === best ? [index] : []));
  // "COVERAGE:" is not "Coverage:" where the log has both.
  const exact = alike.filter((index) => (lines[index] ?? "").includes(text));
  const opens = exact.length > 0 ? exact : alike;
  const [first] = opens;
  if (first === undefined || opens.length > MOST_OPENS) return undefined;
  const open = openOf(
    opens.map((index) => lines[index] ?? ""),
    wanted,
  );
  const close = closeOf(lines, opens, wanted, end);
  if (close === undefined) return undefined;
  const [opening, closing] = [new RegExp(open), new RegExp(close)];
  let now = false;
  const inside = lines.map((line) => {
    if (opening.test(line)) {
      now = true;
      return false;
    }
    if (closing.test(line)) now = false;
    return now;
  });
  const filled = lines.filter((line, index) => inside[index] === true && /[\p{L}\p{N}]/u.test(line)).length;
  if (filled < (close === BLANK ? 2 : 1) || filled > lines.length * 0.97) return undefined;
  return {
    scope: { open, close, openExample: lines[first] ?? "" },
    inside,
    name: text,
    texts: [text, ...(end === undefined ? [] : [end])],
  };
}

/** The expression of the headings: the line as it stands, or up to the words where lines go on in several ways. */
function openOf(headings: readonly string[], wanted: string): string {
  const [first = ""] = headings;
  if (headings.every((line) => line.trim() === first.trim())) return `^\\s*${flexible(first.trim())}\\s*$`;
  const at = first.toLowerCase().indexOf(wanted);
  const lead = first.slice(0, Math.max(0, at)).trimStart();
  return `^\\s*${flexible(lead + first.slice(at, at + wanted.length))}(?![\\w-])`;
}

function flexible(text: string): string {
  return text
    .split(/(\s+)/)
    .map((piece) => (/^\s/.test(piece) ? "\\s+" : escapeRegex(piece)))
    .join("")
    .replace(/\d+/g, "\\d+");
}

const BLANK = "^\\s*$";

/** Where the part ends: at the line that the page names, at "END X", at a line no deeper than the heading where its lines
 * are deeper, at the next heading built like it, or at a blank line. */
function closeOf(
  lines: readonly string[],
  opens: readonly number[],
  wanted: string,
  end: string | undefined,
): string | undefined {
  const heading = lines[opens[0] ?? 0] ?? "";
  if (end !== undefined) {
    const text = headingText(end);
    const line =
      lines.find((one) => headingText(one) === text) ??
      lines.find((one) => headingText(one).startsWith(text));
    return line === undefined
      ? undefined
      : `^\\s*[^\\w\\s]*\\s*${flexible(
          line
            .trim()
            .replace(/^[^\w]+/, "")
            .slice(0, Math.max(end.length, 3)),
        )}`;
  }
  const ending = lines.find(
    (line) => /^\s*end\b/i.test(line) && headingText(line).replace(/^end(?: of)?(?: the)? /, "") === wanted,
  );
  if (ending !== undefined) return `^\\s*${flexible(ending.trim())}\\s*$`;
  const like = siblingsOf(heading, wanted, lines);
  if (like !== undefined) return like;
  const depth = heading.search(/\S/);
  const below = opens.map(
    (index) => lines.slice(index + 1, index + 4).find((line) => line.trim() !== "") ?? "",
  );
  // Numbers in front are aligned at their ends, and the long ones may reach the left edge.
  const counted = below.every((line) => /^\s*\d+\s/.test(line)) ? "(?!\\s*\\d+\\s)" : "";
  if (below.every((line) => line.search(/\S/) > depth)) return `^${counted}[ \\t]{0,${depth}}\\S`;
  const marks = /^\s*([^\w\s]+)\s*/.exec(heading)?.[1];
  if (marks !== undefined) {
    const run = /^(.)\1{2,}$/.exec(marks)?.[1];
    return run === undefined
      ? `^\\s*${escapeRegex(marks)}\\s*[A-Za-z\\[(>]`
      : `^\\s*${escapeRegex(run)}{3,}\\s*[\\w([]`;
  }
  if (/^\S[^:]*:\s*$/.test(heading)) return "^[^\\s:][^:]*:\\s*$";
  const isNumbered = /^\s*\d+(?:\.\d+)*[.)]?\s+[A-Za-z]/.test(heading);
  if (isNumbered) return "^\\s*\\d+(?:\\.\\d+)*[.)]?\\s+[A-Za-z]";
  const tight = opens.every((index) => (lines[index + 1] ?? "").trim() !== "");
  return tight ? BLANK : undefined;
}

/** "Listing of section .data:" ends at the next line of these words with another name. */
function siblingsOf(heading: string, wanted: string, lines: readonly string[]): string | undefined {
  const text = heading.trim();
  const at = text.toLowerCase().lastIndexOf(wanted);
  const lead = text.slice(0, Math.max(0, at));
  if (!/[A-Za-z]{2,} \W?$/.test(lead) || /\s/.test(wanted)) return undefined;
  const tail = text.slice(at + wanted.length);
  const [, words = "", mark = ""] = /^(.*\s)(\W?)$/.exec(lead) ?? [];
  const own = `^\\s*${flexible(words)}${escapeRegex(mark)}${mark === "" ? "" : "?"}[\\w.$-]+${flexible(tail)}\\s*$`;
  const others = lines.filter((line) => new RegExp(own).test(line) && line.trim() !== text);
  return others.length > 0 ? own : undefined;
}

const LEFT =
  /\b(?:start|begin|stand)s? (?:right )?(?:in|at|on) the (?:first|left|leftmost|very first) (?:column|edge|margin|character)\b|\b(?:not|never) indented\b|\bunindented\b|\bwithout (?:any )?indent(?:ation)?\b|\bat the left (?:edge|margin)\b/i;

/** Does the page want only lines without indentation? */
const INDENTED =
  /^(?:all |the |any )?(?:indented|further indented) (?:lines?|rows?|entries|ones?|settings|keys|records)\b/i;

export function asksLeftEdge(page: Page): boolean {
  return page.statements.some(({ sentences }) =>
    sentences.some(
      ({ text }) =>
        (/\bonly\b/i.test(text) && LEFT.test(bare(text)) && !PARTS.test(text)) ||
        (INDENTED.test(text) && saysUnwanted(bare(text))),
    ),
  );
}

/** "Only the lines that start in the first column": the rule without indented lines, where the log has both. */
export function atLeftEdge(page: Page, rule: LineRule, lines: readonly string[]): LineRule {
  if (!asksLeftEdge(page)) return rule;
  const alternatives = rule.alternatives.map((one) => {
    const pattern = one.pattern.replace(/^\^(?:\\s\*)?/, "^(?=\\S)");
    return pattern.startsWith("^") && lines.some((line) => new RegExp(pattern).test(line))
      ? { ...one, pattern }
      : one;
  });
  return { ...rule, alternatives };
}

/** The lines, blank outside the part, so that readers learn from what stands in it alone. */
export function within(told: ToldScope, lines: readonly string[]): string[] {
  return lines.map((line, index) => (told.inside[index] === true ? line : ""));
}

/** The lines `inside` with the headings of the part, so that a rule finds it. */
export function withHeading(told: ToldScope, lines: readonly string[], inside: readonly string[]): string[] {
  const [open, close] = [new RegExp(told.scope.open), new RegExp(told.scope.close)];
  return lines.map((line, index) => {
    const border = open.test(line) || (told.inside[index - 1] === true && close.test(line));
    return border ? line : (inside[index] ?? "");
  });
}
