// What a description says about the text around a part, read once: "after `to=`", "between the colon and the row of
// dots", "in front of the last slash". Gives the parts of a line that stand there.

import { escapeRegex } from "../escape.ts";
import { NAMED_MARKS as NAMED } from "../page/marks.ts";
import { type Quoted, quotedIn } from "../page/text.ts";
import type { Say, Span } from "./evidence.ts";

type Which = "any" | "first" | "last" | "second";

/** A text that the page names as a border. */
export interface Mark {
  source: string;
  which: Which;
  /** As the page calls it, for the reasons. */
  name: string;
}

/** Borders of a part: it stands right behind one of `after` and right in front of one of `before`. */
export interface Relations {
  after: Mark[];
  before: Mark[];
  /** "from `sudo` to the end": it starts with one of these. */
  from: Mark[];
  /** "everything before the last slash": from where its piece of the line starts. */
  all: boolean;
}

const AFTER = "after|behind|following|follows|right of|preceded by|starting after";
const BEFORE = "before|in front of|ahead of|preceding|precedes|up to|until|left of|followed by";
const CONNECTOR = new RegExp(`\\b(?:(${AFTER})|(${BEFORE})|between)\\s+`, "gi");
const ARTICLE =
  /^(?:(?:the|its|an?|any|this|that|two|literal|text|string|word|keyword|key|label|marker|mark|sign|character|prefix|surrounding|enclosing|and including)\s+)*/i;
const ORDINAL = /^(first|last|final|second|next|leading|trailing)\s+/i;

const cache = new Map<string, Relations>();

/** The borders that a description names. What it says that the part is not ("without ...") is left out. */
export function relationsOf(description: string): Relations {
  const known = cache.get(description);
  if (known !== undefined) return known;
  const relations = read(description);
  if (cache.size > 2000) cache.clear();
  cache.set(description, relations);
  return relations;
}

function read(description: string): Relations {
  const quoted = quotedIn(description);
  const text = withoutNegations(description, quoted);
  const relations: Relations = {
    after: [],
    before: [],
    from: fromMarks(text, quoted),
    all: /\b(?:everything|all|what(?:ever)?(?: stands)?) (?:that stands )?(?:before|in front of|up to)\b/i.test(
      text,
    ),
  };
  relations.before.push(...endings(description, quoted));
  for (const match of text.matchAll(CONNECTOR)) {
    if (quoted.some((span) => match.index > span.start && match.index < span.end)) continue;
    const at = match.index + match[0].length;
    const [, after, before] = match;
    const first = markAt(text, at, quoted);
    if (first === undefined) continue;
    // "after `in` or `at`": one of them is enough.
    for (
      let or = /^\s*or\s+/i.exec(text.slice(first.end));
      or !== null;
      or = /^\s*or\s+/i.exec(text.slice(first.end))
    ) {
      const other = markAt(text, first.end + or[0].length, quoted);
      if (other === undefined) break;
      first.mark.source = `(?:${first.mark.source}|${other.mark.source})`;
      first.end = other.end;
    }
    if (after !== undefined) relations.after.push(sided(first.mark, "close"));
    else if (before !== undefined) relations.before.push(sided(first.mark, "open"));
    else {
      const and = /^[^,;`"]{0,30}?\band\s+/i.exec(text.slice(first.end));
      const second = and === null ? undefined : markAt(text, first.end + and[0].length, quoted);
      // "between `x` and the code": another part ends it.
      const isPart =
        second === undefined && /^[^,;`"]{0,30}?\band (?:the|its) [a-z]/i.test(text.slice(first.end));
      if (second === undefined && !isPart) continue;
      relations.after.push(first.mark);
      if (second !== undefined) relations.before.push(second.mark);
    }
  }
  return relations;
}

/** `without the "on line ..." at its end`: the part stops in front of it. */
function endings(description: string, quoted: readonly Quoted[]): Mark[] {
  return quoted.flatMap((span) => {
    const without = /\b(?:without|not|excluding)\s+(?:the |its |any |a )?$/i.test(
      description.slice(0, span.start),
    );
    const text = span.text.replace(/\s*(?:\.{3}|…).*$/s, "");
    const isEnd = /^\s*(?:at (?:its|the) end|behind it|that follows)\b/i.test(description.slice(span.end));
    return without && text.trim() !== "" && (isEnd || text !== span.text)
      ? [{ source: literal(text), which: "any" as const, name: text.trim() }]
      : [];
  });
}

/** "from `sudo` to the end of the line" has the word in it; "from `rhost=`" names what stands in front. */
function fromMarks(text: string, quoted: readonly Quoted[]): Mark[] {
  return quoted.flatMap((span) => {
    const lead = /\b(?:from|starting (?:with|at)|beginning (?:with|at))\s+(?:the (?:word )?)?$/i.test(
      text.slice(0, span.start),
    );
    const goesOn = /^\s*(?:on\b|onwards?|(?:up )?to\b|until\b|through\b)/i.test(text.slice(span.end));
    return lead && goesOn && !/[=:]$/.test(span.text.trim())
      ? [{ source: literal(span.text), which: "any" as const, name: span.text.trim() }]
      : [];
  });
}

/** Behind "the brackets" is behind the closing one, in front of them in front of the opening one. */
function sided(mark: Mark, side: "open" | "close"): Mark {
  const pair = {
    "[()]": ["\\(", "\\)[:,;]?"],
    "[[\\]]": ["\\[", "\\][:,;]?"],
    "[<>]": ["<", ">[:,;]?"],
    "[{}]": ["\\{", "\\}[:,;]?"],
  }[mark.source];
  return pair === undefined ? mark : { ...mark, source: pair[side === "open" ? 0 : 1] ?? mark.source };
}

const cuts = new Map<string, Mark[]>();

/** The marks that a part is said not to have: "without the slash and the final colon". */
export function withoutMarks(description: string): Mark[] {
  const known = cuts.get(description);
  if (known !== undefined) return known;
  const quoted = quotedIn(description);
  const marks: Mark[] = [];
  for (const match of description.matchAll(/\b(?:without|excluding|but not|not including)\s+/gi)) {
    let at = match.index + match[0].length;
    for (let turn = 0; turn < 3; turn += 1) {
      const found = markAt(description, at, quoted);
      if (found === undefined) {
        // "without the id and the semicolon before it": what is no mark is passed over.
        const and =
          turn > 0 ? null : /^(?:the |its |an? )?[\w-]+(?: [\w-]+)? and\s+/i.exec(description.slice(at));
        if (and === null) break;
        at += and[0].length;
        continue;
      }
      // A part never has blanks at its ends.
      if (found.mark.source !== "\\s+") marks.push(found.mark);
      const and = /^\s*(?:,|and|or)\s+(?:and\s+)?/i.exec(description.slice(found.end));
      if (and === null) break;
      at = found.end + and[0].length;
    }
  }
  if (cuts.size > 2000) cuts.clear();
  cuts.set(description, marks);
  return marks;
}

/** The pieces between blanks that have such a mark at an end, without it. */
export function cutSpans(line: string, marks: readonly Mark[]): Span[] {
  return marks.flatMap((mark) =>
    occurrences(line, mark).flatMap(({ start, end }) => {
      if (line.slice(end).trim() === "") {
        // "without the full stop": texts of several words may end in front of it.
        const starts = [...line.slice(0, start).matchAll(/\S+/g)].slice(-24);
        return starts.map((one) => ({ start: one.index, end: start }));
      }
      const ahead = /^[^\s,;]+/.exec(line.slice(end))?.[0].length ?? 0;
      const behind = /[^\s,;]+$/.exec(line.slice(0, start))?.[0].length ?? 0;
      return [
        ...(ahead > 0 ? [{ start: end, end: end + ahead }] : []),
        ...(behind > 0 ? [{ start: start - behind, end: start }] : []),
      ];
    }),
  );
}

/** Speaks for parts right beside a mark that they are said not to have, and against parts that have it. */
export function cutMarks(line: string, span: Span, marks: readonly Mark[], say: Say): void {
  for (const mark of marks) {
    const all = occurrences(line, mark);
    if (all.length === 0) continue;
    const beside = all.some((one) => {
      if (one.end === span.start || one.start === span.end) return true;
      // Between blanks of its own it may stand apart from the part; glued to a text it belongs to that one.
      const apart = /\s|^$/.test(line.charAt(one.start - 1)) && /\s|^$/.test(line.charAt(one.end));
      if (!apart) return false;
      return (
        (one.end <= span.start && line.slice(one.end, span.start).trim() === "") ||
        (one.start >= span.end && line.slice(span.end, one.start).trim() === "")
      );
    });
    const edge = all.some(
      (one) =>
        (one.start === span.start && one.end < span.end) || (one.end === span.end && one.start > span.start),
    );
    say(edge ? -4 : beside ? 4 : 0, `without ${mark.name}`);
  }
}

/** Blanks in place of "without the brackets", so that offsets stay. */
function withoutNegations(text: string, quoted: readonly Quoted[]): string {
  let result = text;
  for (const match of text.matchAll(/\b(?:without|not|excluding|except|but|unlike)\b/gi)) {
    if (quoted.some((span) => match.index > span.start && match.index < span.end)) continue;
    let end = match.index;
    while (end < text.length) {
      const span = quoted.find((one) => one.start === end);
      if (span !== undefined) end = span.end;
      else if (/[,;)]/.test(text.charAt(end))) break;
      else end += 1;
    }
    result = result.slice(0, match.index) + " ".repeat(end - match.index) + result.slice(end);
  }
  return result;
}

function markAt(
  text: string,
  from: number,
  quoted: readonly Quoted[],
): { mark: Mark; end: number } | undefined {
  let at = from;
  const skip = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(text.slice(at));
    if (found === null) return undefined;
    at += found[0].length;
    return found[1] ?? found[0];
  };
  skip(ARTICLE);
  const word = skip(ORDINAL)?.toLowerCase();
  const which: Which =
    word === "first" || word === "second" ? word : word === "last" || word === "final" ? "last" : "any";
  const named = /\b(?:word|text|literal|keyword|key|label|string)\s+$/i.test(text.slice(from, at));
  skip(ARTICLE);
  // "between the connection number (`*88`) and ...": the text shows the border.
  const shown = /^[a-z][a-z ]{0,30}\(/i.exec(text.slice(at))?.[0];
  const border = shown === undefined ? undefined : quoted.find((one) => one.start === at + shown.length);
  if (border !== undefined && /^\)? and\b/.test(text.slice(border.end)))
    return {
      mark: { source: shapeOf(border.text), which, name: border.text.trim() },
      end: border.end + (text.charAt(border.end) === ")" ? 1 : 0),
    };
  const span = quoted.find((one) => one.start === at);
  if (span !== undefined) {
    return { mark: { source: literal(span.text), which, name: span.text.trim() }, end: span.end };
  }
  const rest = text.slice(at);
  for (const [words, source] of NAMED) {
    if (named && source === "@") continue;
    const found = words.exec(rest);
    if (found !== null) return { mark: { source, which, name: found[0] }, end: at + found[0].length };
  }
  // "after the word FAILED", "after rhost=".
  const plain = (named ? /^[A-Za-z][\w-]*/ : /^(?:[A-Za-z_][\w.-]*[=:#]|(?:[\w.-]+\/)+(?=[\s,;.)]|$))/).exec(
    rest,
  )?.[0];
  if (plain === undefined) return undefined;
  return { mark: { source: literal(plain), which, name: plain }, end: at + plain.length };
}

/** A text that shows how a border looks: its numbers are other ones elsewhere. */
function shapeOf(text: string): string {
  return literal(text)
    .replace(/\(\?<!\\d\)|\(\?!\\d\)/g, "")
    .replace(/\d+/g, "\\d+");
}

function literal(text: string): string {
  const trimmed = text.trim();
  const body = escapeRegex(trimmed).replace(/\s+/g, "\\s+");
  const left = /^[A-Za-z]/.test(trimmed) ? "(?<![A-Za-z_])" : /^\d/.test(trimmed) ? "(?<!\\d)" : "";
  const right = /[A-Za-z]$/.test(trimmed) ? "(?![A-Za-z])" : /\d$/.test(trimmed) ? "(?!\\d)" : "";
  return left + body + right;
}

/** Where a mark stands in a line. */
export function occurrences(line: string, mark: Mark): Span[] {
  return [...line.matchAll(new RegExp(mark.source, "g"))].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Is it the occurrence that the page counts? Those of other places speak less for a part, but not against it: the
 * page may count from somewhere else than the start of the line. */
function isMeant(all: readonly Span[], one: Span, which: Which): boolean {
  if (which === "any") return true;
  return all.indexOf(one) === { first: 0, second: 1, last: all.length - 1 }[which];
}

/** The parts between the borders that a description names. */
export function relationSpans(line: string, relations: Relations): Span[] {
  const spans: Span[] = [];
  const starts = relations.after.flatMap((mark) => occurrences(line, mark).map((one) => one.end));
  const ends = relations.before.flatMap((mark) => occurrences(line, mark).map((one) => one.start));
  for (const start of starts) {
    const end = Math.min(...ends.filter((one) => one > start && line.slice(start, one).trim() !== ""));
    if (Number.isFinite(end)) spans.push({ start, end }, inner(line, start, end));
  }
  for (const mark of relations.from) {
    for (const one of occurrences(line, mark)) {
      spans.push(...runsFrom(line, one.start), { start: one.start, end: line.trimEnd().length });
    }
  }
  for (const start of starts) spans.push(...runsFrom(line, start));
  if (starts.length === 0) {
    for (const end of ends) spans.push({ start: 0, end }, ...runsTo(line, end));
  }
  return spans;
}

/** Without the brackets or quotes around it. */
function inner(line: string, start: number, end: number): Span {
  const text = line.slice(start, end);
  const lead = /^\s*["'`([{<]?/.exec(text)?.[0].length ?? 0;
  const tail = /["'`)\]}>]?\s*$/.exec(text)?.[0].length ?? 0;
  return { start: start + lead, end: Math.max(start + lead, end - tail) };
}

/** From a border to the next places where a reader would stop. */
function runsFrom(line: string, from: number): Span[] {
  const lead = /^\s*/.exec(line.slice(from))?.[0].length ?? 0;
  const start = from + lead;
  const rest = line.slice(start);
  const spans: Span[] = [];
  const open = /^["'`([{<]/.exec(rest)?.[0];
  const close = open === undefined ? undefined : ({ "(": ")", "[": "]", "{": "}", "<": ">" }[open] ?? open);
  if (close !== undefined) {
    const end = rest.indexOf(close, 1);
    if (end > 1) spans.push({ start: start + 1, end: start + end });
  }
  // Behind a mark that is glued to its text ("@host") the text is one word.
  const glued = lead === 0 && open === undefined;
  const stops = glued ? [/[\s:,;)\]"'|]|$/] : [/\s|$/, /[:,;)\]"'|]|$/, /\s{2,}|\s[([{-]|$/, /[:;]\s|$/, /$/];
  for (const stop of stops) {
    const end = rest.search(stop);
    if (end > 0) spans.push({ start, end: start + end });
  }
  return spans;
}

/** Up to a border, from the places where a reader would start. */
function runsTo(line: string, to: number): Span[] {
  const head = line.slice(0, to).trimEnd();
  return [
    /\S+$/,
    /(?<=:\s+)(?:(?!:\s).)*$/,
    /[^\s:;,|()[\]{}"'<>=]+$/,
    /(?<=[:;|]\s+|\s{2,}|[([{"'<])[^:;|([{"'<]*$/,
    /(?<=[\])}>]:?\s+)[^\])}>]*$/,
  ]
    .map((pattern) => pattern.exec(head))
    .flatMap((match) => (match === null ? [] : [{ start: match.index, end: head.length }]));
}

/** What the borders that the page names say about a part. A bracket or quote may stand between border and part. */
export function borderMarks(
  line: string,
  span: Span,
  relations: Relations,
  cuts: readonly Mark[],
  say: Say,
): void {
  const isCut = (gap: string): boolean =>
    cuts.some((mark) => new RegExp(`^\\s*(?:${mark.source})\\s*$`).test(gap));
  const weigh = (mark: Mark, side: "after" | "before"): void => {
    const all = occurrences(line, mark);
    if (all.length === 0) return;
    const points = all.map((one) => {
      const apart = side === "after" ? one.end <= span.start : one.start >= span.end;
      if (!apart) return -4;
      const gap = side === "after" ? line.slice(one.end, span.start) : line.slice(span.end, one.start);
      const near = side === "after" ? /^\s*["'`([{<]$/ : /^["'`)\]}>]\s*$/;
      const own = gap.trim() === "" ? 8 : near.test(gap) || isCut(gap) ? 7.5 : -4;
      return own > 0 && !isMeant(all, one, mark.which) ? own - 3.5 : own;
    });
    say(Math.max(...points), `${side} ${mark.name}`);
    // What reaches beyond the border in question stops at another one of its kind.
    const inside = all.some((one) => one.start > span.start && one.end < span.end);
    if (side === "before" && inside && mark.which === "any" && mark.name.length > 1)
      say(-1, "goes beyond its border");
  };
  for (const mark of relations.from) {
    const all = occurrences(line, mark);
    if (all.length > 0) say(all.some((one) => one.start === span.start) ? 8 : -4, `from ${mark.name}`);
  }
  if (relations.all) {
    const starts = /(?:^|\s|[("'[])$/.test(line.slice(0, span.start));
    say(starts ? 1 : -3, "everything in front of it");
  }
  for (const mark of relations.after) weigh(mark, "after");
  for (const mark of relations.before) weigh(mark, "before");
}
