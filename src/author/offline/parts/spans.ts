// Which parts of a line could be the text of a value or field.

import { tokenize } from "../logs/tokens.ts";
import { OPENERS, type Span } from "./evidence.ts";

export type { Span } from "./evidence.ts";

const MAX_SPANS = 900;

/** All parts that a reader would see as one piece: tokens, chunks between spaces and delimiters, bracket and
 * quote contents, runs of words between strong delimiters, and tails up to the end of the line. */
export function spansOf(
  line: string,
  literals: readonly string[] = [],
  marks: readonly string[] = [],
  bordered: readonly Span[] = [],
): Span[] {
  const spans = new Map<string, Span>();
  const add: Add = (start, end) => {
    while (start < end && /\s/.test(line.charAt(start))) start += 1;
    while (end > start && /\s/.test(line.charAt(end - 1))) end -= 1;
    if (end > start && spans.size < MAX_SPANS) spans.set(`${start}:${end}`, { start, end });
  };
  for (const token of tokenize(line)) {
    if (token.kind !== "space" && token.kind !== "punct") add(token.start, token.end);
  }
  for (const chunk of line.matchAll(/\S+/g)) addChunk(chunk[0], chunk.index, add);
  addTimes(line, add);
  // "line 12.5": the line and the column.
  for (const match of line.matchAll(/\blines? (\d+)[.:,](\d+)(?![\w.])/gi)) {
    const at = match.index + match[0].search(/\d/);
    add(at, at + (match[1] ?? "").length);
    add(match.index + match[0].length - (match[2] ?? "").length, match.index + match[0].length);
  }
  for (const match of line.matchAll(DATED)) add(match.index, match.index + match[0].length);
  for (const match of line.matchAll(/\d{1,2}:\d{2}:\d{2}(?=[.,]\d)/g))
    add(match.index, match.index + match[0].length);
  // "3 / 12": two in one.
  for (const match of line.matchAll(/\S+ \/ \S+/g)) add(match.index, match.index + match[0].length);
  addEnclosed(line, add);
  addSentences(line, add);
  for (const text of literals) addLiteral(line, text, add);
  for (const mark of marks) addBehind(line, mark, add);
  for (const { start, end } of bordered) add(start, end);
  addRuns(line, add);
  // A comma or semicolon in front of a blank or the end separates parts; it belongs to none.
  const delimited = (span: Span): boolean => {
    const text = line.slice(span.start, span.end);
    return (/[,;]$/.test(text) || ADDRESS_STOP.test(text)) && /^(?:\s|$)/.test(line.slice(span.end));
  };
  return [...spans.values()].filter((span) => !delimited(span));
}

/** "Mon Jan  4 12:29", "Jan  4 12:29:01 2026": a day and the time, with or without weekday, seconds and year. */
const DATED =
  /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* {1,2}\d{1,2},? \d{1,2}:\d{2}(?::\d{2})?(?: (?:[A-Z]{3,4} )?\d{4})?(?![\w:])/g;

/** No address ends in a full stop; that one ends a sentence. */
const ADDRESS_STOP =
  /^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d{1,3}(?:\.\d{1,3}){3}|(?=[^:]*:[^:]*:)[0-9A-Fa-f:]+)\.$/;

type Add = (start: number, end: number) => void;

/** A date and the time next to it are one part as well. */
function addTimes(line: string, add: Add): void {
  const tokens = tokenize(line).filter((token) => token.kind !== "space");
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    const pair = [token.kind, next?.kind].sort().join();
    if (next !== undefined && pair === "date,time") add(token.start, next.end);
  });
}

/** Sentences behind a key or bracket ("Cause: no such user. <ip 10.1.1.1>"), without and with their full stop. */
function addSentences(line: string, add: Add): void {
  const starts = [
    0,
    ...[...line.matchAll(/[:=\])>"'|]\s+|\.\s+|\s{2,}/g)].map((one) => one.index + one[0].length),
  ];
  const ends = [...line.matchAll(/(?<=[\p{L}\p{N})\]"'])[.!?](?=\s|$)/gu)].map((one) => one.index);
  for (const start of starts) {
    for (const end of ends.filter((one) => one > start).slice(0, 3)) {
      if (!/\s/.test(line.slice(start, end))) continue;
      add(start, end);
      add(start, end + 1);
    }
  }
}

/** What stands in brackets or quotes. */
function addEnclosed(line: string, add: Add): void {
  for (const [open, close] of Object.entries(OPENERS)) {
    for (let at = line.indexOf(open); at >= 0; at = line.indexOf(open, at + 1)) {
      const end = line.indexOf(close, at + 1);
      if (end < 0) break;
      add(at + 1, end);
    }
  }
}

/** A text that the page shows may stand inside a longer token. */
function addLiteral(line: string, text: string, add: Add): void {
  for (let at = line.indexOf(text); at >= 0 && text !== ""; at = line.indexOf(text, at + 1)) {
    const inWord = /\w/.test(line.charAt(at - 1)) || /\w/.test(line.charAt(at + text.length));
    // "Boot0002": a number that the page shows may stand behind letters.
    const counter =
      /^\d{2,}$/.test(text) &&
      /[A-Za-z_]/.test(line.charAt(at - 1)) &&
      !/\w/.test(line.charAt(at + text.length));
    // "demo_fd__nand3": a beginning that the page shows, up to a double underscore or the like.
    const beginning =
      /[A-Za-z]/.test(text) &&
      !/\w/.test(line.charAt(at - 1)) &&
      /^__|^_(?=\d)/.test(line.slice(at + text.length));
    if (!inWord || counter || beginning) add(at, at + text.length);
    // "W-ABC-12" where the page shows "ABC-12": what is left of the piece.
    const before = /(?<!\S)([A-Za-z\d]+)[-_/:@.]$/.exec(line.slice(0, at))?.[1];
    if (!inWord && before !== undefined) add(at - before.length - 1, at - 1);
  }
}

/** Parts that start right behind a text that the page names ("after `%Warning-`"). */
function addBehind(line: string, mark: string, add: Add): void {
  for (let at = line.indexOf(mark); at > 0 && mark.trim() !== ""; at = line.indexOf(mark, at + 1)) {
    const word = /[^\s,;:|/()[\]"'=]+$/.exec(line.slice(0, at).trimEnd());
    if (word !== null) add(word.index, word.index + word[0].length);
  }
  for (let at = line.indexOf(mark); at >= 0 && mark.trim() !== ""; at = line.indexOf(mark, at + 1)) {
    const start = at + mark.length;
    const rest = line.slice(start);
    // Behind a mark that is glued to its text ("@host") the text is one word.
    const glued = /^\S/.test(rest) && !/\s$/.test(mark);
    const stops = glued ? [/[\s:,;)\]"'|]/] : [/\s/, /[:,;)\]"'|]/, /\s{2,}|\s[([{-]/, /[:;]\s/, /$/];
    for (const stop of stops) {
      const end = rest.trimStart().search(stop);
      if (end > 0) add(start, start + (rest.length - rest.trimStart().length) + end);
    }
  }
}

/** Runs of words between strong delimiters, from a word to the next delimiters, and tails of the line. */
function addRuns(line: string, add: Add): void {
  const cuts = new Set<number>([0, line.length]);
  for (const match of line.matchAll(
    /\s+(?=[A-Za-z_][\w.-]*=)|[:;,=|>]\s+|\s+[-–|]\s+|\s{2,}|\t|[([\]){}"'<>|=]/g,
  )) {
    cuts.add(match.index);
    cuts.add(match.index + match[0].length);
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  const addBalanced = (start: number, end: number): void => {
    if (balanced(line.slice(start, end))) add(start, end);
  };
  sorted.forEach((start, index) => {
    for (const end of sorted.slice(index + 1, index + 13)) addBalanced(start, end);
  });
  // A text may have brackets and quotes of its own and stop in front of a last remark in brackets.
  const last = /\s+(?:\[[^[\]]*\]|\([^()]*\))\s*$/.exec(line)?.index;
  if (last !== undefined) for (const start of sorted) if (start < last) addBalanced(start, last);
  for (const { index } of line.matchAll(/\S+/g)) {
    for (const end of sorted.filter((cut) => cut > index).slice(0, 3)) addBalanced(index, end);
    add(index, line.length);
    const next = /^\S+[ \t]\S+/.exec(line.slice(index));
    if (next !== null) add(index, index + next[0].length);
  }
}

function addChunk(chunk: string, offset: number, add: Add): void {
  const lead = /^[([{<"'`*]*/.exec(chunk)?.[0].length ?? 0;
  const tail = /[)\]}>"'`,;:.!?]*$/.exec(chunk)?.[0].length ?? 0;
  add(offset, offset + chunk.length);
  if (lead + tail < chunk.length) {
    add(offset + lead, offset + chunk.length - tail);
    add(offset + lead, offset + chunk.length);
    add(offset, offset + chunk.length - tail);
  }
  const bounds = [0];
  for (const match of chunk.matchAll(/[=:@,;|()[\]{}<>"'#]+|\/(?=\d+\.)/g))
    bounds.push(match.index, match.index + match[0].length);
  bounds.push(chunk.length);
  for (const match of chunk.matchAll(/(?<![\w.])(?:(?<!\S)[-+])?\d+(?:\.\d+)?(?=[A-Za-z%]+\b)/g)) {
    add(offset + match.index, offset + match.index + match[0].length);
  }
  // "status=1/FAILURE": a number and its text.
  for (const match of chunk.matchAll(/(?<=[=(:])(\d+)\/([A-Za-z][\w-]*)(?![\w/.])/g)) {
    const at = offset + match.index;
    add(at, at + (match[1] ?? "").length);
    add(at + match[0].length - (match[2] ?? "").length, at + match[0].length);
  }
  for (let i = 0; i < bounds.length && i < 24; i += 1) {
    for (let j = i + 1; j < bounds.length && j < i + 12; j += 1) {
      const text = chunk.slice(bounds[i], bounds[j]);
      if (/^[=:,;|]|[=,;|]$/.test(text)) continue;
      if (balanced(text)) add(offset + (bounds[i] ?? 0), offset + (bounds[j] ?? 0));
    }
  }
}

/** Are all brackets and quotes of a text closed in it? */
export function balanced(text: string): boolean {
  const stack: string[] = [];
  for (const char of text) {
    if (char === "(" || char === "[" || char === "{") stack.push(OPENERS[char] ?? "");
    else if ((char === ")" || char === "]" || char === "}") && stack.pop() !== char) return false;
  }
  return stack.length === 0 && (text.match(/"/g)?.length ?? 0) % 2 === 0;
}
