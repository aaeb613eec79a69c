// Which parts of a line could be the text of a value or field, and how well a hint of the page fits each part.
import { similarity, wordsOf } from "./names.ts";
import type { Hint } from "./page.ts";
import { quotedIn } from "./page-text.ts";
import { isStandIn, type Token, tokenize } from "./tokens.ts";

export interface Span {
  start: number;
  end: number;
}

const OPENERS: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">", '"': '"', "'": "'", "`": "`" };
const MAX_SPANS = 900;

/** All parts that a reader would see as one piece: tokens, chunks between spaces and delimiters, bracket and
 * quote contents, runs of words between strong delimiters, and tails up to the end of the line. */
export function spansOf(line: string): Span[] {
  const tokens = tokenize(line);
  const spans = new Map<string, Span>();
  const add = (start: number, end: number): void => {
    while (start < end && /\s/.test(line.charAt(start))) start += 1;
    while (end > start && /\s/.test(line.charAt(end - 1))) end -= 1;
    if (end > start && spans.size < MAX_SPANS) spans.set(`${start}:${end}`, { start, end });
  };
  for (const token of tokens) if (token.kind !== "space" && token.kind !== "punct") add(token.start, token.end);
  for (const chunk of line.matchAll(/\S+/g)) addChunk(chunk[0], chunk.index, add);
  for (const [open, close] of Object.entries(OPENERS)) {
    for (let at = line.indexOf(open); at >= 0; at = line.indexOf(open, at + 1)) {
      const end = line.indexOf(close, at + 1);
      if (end < 0) break;
      add(at + 1, end);
    }
  }
  const cuts = new Set<number>([0, line.length]);
  for (const match of line.matchAll(/[:;,=|>]\s+|\s+[-–|]\s+|\s{2,}|\t|[([\]){}"'<>|=]/g)) {
    cuts.add(match.index);
    cuts.add(match.index + match[0].length);
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  for (let i = 0; i < sorted.length; i += 1) {
    for (let j = i + 1; j < Math.min(sorted.length, i + 8); j += 1) {
      const [start, end] = [sorted[i] ?? 0, sorted[j] ?? 0];
      if (balanced(line.slice(start, end))) add(start, end);
    }
  }
  for (const chunk of line.matchAll(/\S+/g)) {
    add(chunk.index, line.length);
    // A tail without the final stop of the sentence is the same text to a reader, but not to a comparison.
    const next = /^\S+[ \t]\S+/.exec(line.slice(chunk.index));
    if (next !== null) add(chunk.index, chunk.index + next[0].length);
  }
  return [...spans.values()];
}

function addChunk(chunk: string, offset: number, add: (start: number, end: number) => void): void {
  const lead = /^[([{<"'`*]*/.exec(chunk)?.[0].length ?? 0;
  const tail = /[)\]}>"'`,;:.!?]*$/.exec(chunk)?.[0].length ?? 0;
  add(offset, offset + chunk.length);
  if (lead + tail < chunk.length) {
    add(offset + lead, offset + chunk.length - tail);
    add(offset + lead, offset + chunk.length);
    add(offset, offset + chunk.length - tail);
  }
  const bounds = [0];
  for (const match of chunk.matchAll(/[=:@,;|()[\]{}<>"'#]+|\/(?=\d+\.)/g)) bounds.push(match.index, match.index + match[0].length);
  bounds.push(chunk.length);
  for (let i = 0; i < bounds.length && i < 24; i += 1) {
    for (let j = i + 1; j < bounds.length && j < i + 12; j += 1) {
      const text = chunk.slice(bounds[i], bounds[j]);
      if (/^[=:,;|]|[=,;|]$/.test(text)) continue;
      if (balanced(text)) add(offset + (bounds[i] ?? 0), offset + (bounds[j] ?? 0));
    }
  }
}

function balanced(text: string): boolean {
  const stack: string[] = [];
  for (const char of text) {
    if (char === "(" || char === "[" || char === "{") stack.push(OPENERS[char] ?? "");
    else if ((char === ")" || char === "]" || char === "}") && stack.pop() !== char) return false;
  }
  return stack.length === 0 && (text.match(/"/g)?.length ?? 0) % 2 === 0;
}

export interface Fit {
  score: number;
  /** The evidence that spoke for it, strongest first. */
  why: string[];
}

/** How well a part of a line fits a hint. About 0 means no evidence either way; 4 and more is good evidence. */
export function fit(line: string, span: Span, hint: Hint): Fit {
  const text = line.slice(span.start, span.end);
  const why: { score: number; text: string }[] = [];
  const say = (score: number, reason: string): void => {
    why.push({ score, text: reason });
  };
  const names = [hint.name.replace(/_/g, " "), headWords(hint)].filter((name) => name !== "");
  const placeholder = /^[<{$%]+([A-Za-z][\w .-]*)[>}%]*$/.exec(text)?.[1];
  if (placeholder !== undefined) {
    const like = Math.max(...names.map((name) => similarity(placeholder, name)), descriptionLikeness(placeholder, hint));
    say(like >= 0.5 ? 9 * like : 1, "placeholder");
  } else if (/^[A-Z][A-Z_]{2,}$/.test(text)) {
    const like = Math.max(0, ...names.map((name) => similarity(text, name)));
    if (like >= 0.6) say(4, "stand-in of the same name");
  }
  if (hint.literals.includes(text)) say(10, "the page shows this text");
  else if (hint.choices.includes(text)) say(9, "one of the listed texts");
  keyEvidence(line, span, names, hint, say);
  relationEvidence(line, span, hint, say);
  kindEvidence(text, hint, span.end >= line.trimEnd().length, say);
  const chunks = text.split(/\s+/).length;
  const bounded = isBounded(line, span);
  if (chunks > 1 && !bounded && hint.kind !== "text" && hint.kind !== "time") {
    say(-0.7 * Math.min(6, chunks - 1), "several words");
  }
  if (bounded && chunks > 1) say(hint.kind === "number" || hint.kind === "address" ? -1 : 0.5, "all between two delimiters");
  if (!bounded && hint.kind !== "number") say(-0.4, "part of a run of words");
  if (/^\s*=/.test(line.slice(span.end))) say(-5, "is a key");
  if (names.includes(text.toLowerCase()) && !/^[\s=:]/.test(line.slice(span.end)) && span.end < line.length) {
    say(3, "a stand-in of its own name");
  }
  if (balanced(text) === false) say(-4, "unbalanced brackets");
  if (/^[^\p{L}\p{N}]+$/u.test(text) && !/^[-–—%*]+$/.test(text)) say(-5, "no text");
  if (/^[a-z]+$/.test(text) && !/[=:]\s*["'(]?$/.test(line.slice(0, span.start)) && !isStandIn(text)) {
    say(-1.5, "a plain word");
  }
  if (isStandIn(text)) say(0.5, "a stand-in");
  if (/^[:;,=|]/.test(text)) say(-4, "starts with a delimiter");
  if (/^[([{<"']|[)\]}>"',;:]$/.test(text) && !/^[^([{]+\(.*\)$|^[^([{]+\[.*\]$/.test(text)) say(-2, "carries a delimiter");
  if (/[\w.]/.test(line.charAt(span.start - 1)) && /^\w/.test(text)) say(-4, "starts inside a word");
  if (/[=@]/.test(text) && chunks === 1 && !/url|uri|address|mail|pair/.test(hint.description + hint.name)) say(-1.5, "a pair");
  const score = why.reduce((sum, one) => sum + one.score, 0);
  const strong = why.filter((one) => one.score > 0).sort((a, b) => b.score - a.score);
  return { score, why: strong.map((one) => one.text) };
}

/** The words by which the description calls it, e.g. "git sha1" in "(the git sha1)". */
function headWords(hint: Hint): string {
  const plain = hint.description.replace(/^\(|\)$/g, "");
  const head = /^(?:the |an? |its |name of the |name of )*([\w -]+?)(?:$|[,.;(:]| of | as | in | that | which | from | between | after | before | with)/i.exec(plain)?.[1];
  return head !== undefined && wordsOf(head).length <= 3 ? head : "";
}

function descriptionLikeness(text: string, hint: Hint): number {
  return Math.max(0, ...wordsOf(hint.description).map((word) => (similarity(text, word) >= 0.9 ? 0.7 : 0)));
}

type Say = (score: number, reason: string) => void;

function keyEvidence(line: string, span: Span, names: readonly string[], hint: Hint, say: Say): void {
  const before = line.slice(0, span.start);
  const pair = /([A-Za-z_][\w.-]*(?: [\w.-]+){0,3})\s*[=:]\s*["'([<]?$/.exec(before);
  if (pair !== null) {
    const words = (pair[1] ?? "").split(" ");
    const tight = /[=]["'([<]?$/.test(before);
    let best = 0;
    for (let from = tight ? words.length - 1 : 0; from < words.length; from += 1) {
      const key = words.slice(from).join(" ");
      best = Math.max(best, ...names.map((name) => similarity(key, name)));
    }
    if (best >= 0.55) say(7 * best, "stands behind its name");
    if (tight && !/["'([<]$/.test(before) && /\s/.test(line.slice(span.start, span.end).trim())) {
      say(tailOfPairs(line, span) && hint.kind === "text" ? 0 : -3, "more than one pair");
    }
    else if (tight) say(-3, "stands behind another name");
  } else {
    const words = before.trimEnd().split(/\s+/);
    for (const count of [3, 2, 1]) {
      const key = words.slice(-count).join(" ").replace(/^[([<"']+/, "");
      if (!/^[A-Za-z][\w -]*$/.test(key) || !/\s$/.test(before)) continue;
      const like = Math.max(0, ...names.map((name) => (wordsOf(name).length >= count ? similarity(key, name) : 0)));
      if (like >= 0.85) {
        say(/^[a-z]+$/.test(line.slice(span.start, span.end)) ? 1 + count : 4 + count, "follows its name");
        break;
      }
    }
  }
  const open = before.at(-1) ?? "";
  const inner = OPENERS[open];
  if (inner !== undefined && line.charAt(span.end) === inner) say(0.8, "inside brackets or quotes");
  const after = /^\s*([A-Za-z]+)/.exec(line.slice(span.end))?.[1];
  if (after !== undefined && /\d/.test(line.slice(span.start, span.end)) && hint.kind === "number") {
    if (names.some((name) => similarity(after, name) >= 0.6)) say(3, "stands before its name");
  }
}

/** No further pair follows: the text of the last pair may have spaces. */
function tailOfPairs(line: string, span: Span): boolean {
  return span.end === line.trimEnd().length && !/\s[\w.-]+=/.test(line.slice(span.start, span.end));
}

/** Stands between delimiters, not in the middle of a run of words. */
function isBounded(line: string, span: Span): boolean {
  const before = line.slice(0, span.start);
  const after = line.slice(span.end);
  const left = /(?:^\s*|[:;,=|>)\]]\s*|[([{<"'`@/#]|\s[-–|]\s|\s{2,}|\t)$/.test(before);
  const right = /^(?:\s*$|[)\]}>"'`:;,=|@]|\s+[([{"'<]|\s[-–|]\s|\s{2,}|\t|\s+[\w.-]+=)/.test(after);
  return left && right;
}

const DELIMITER_WORDS: [RegExp, string][] = [
  [/\bat[- ]sign\b/i, "@"],
  [/\b(?:first |last |second )?colon\b/i, ":"],
  [/\bequals?(?:[- ]sign)?\b/i, "="],
  [/\bcomma\b/i, ","],
  [/\bsemicolon\b/i, ";"],
  [/\bslash\b/i, "/"],
  [/\b(?:dash|hyphen)\b/i, "-"],
  [/\barrow\b/i, ">"],
  [/\bhash\b/i, "#"],
];

function relationEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const text = hint.description;
  const before = line.slice(0, span.start);
  const after = line.slice(span.end);
  const spans = quotedIn(text);
  const follows = (mark: string): boolean => before.trimEnd().endsWith(mark.trim()) || before.endsWith(mark);
  const leads = (mark: string): boolean => after.trimStart().startsWith(mark.trim());
  for (const quoted of spans) {
    const lead = text.slice(0, quoted.start);
    const mark = quoted.text;
    if (mark.trim() === "" || mark === line.slice(span.start, span.end)) continue;
    if (/\b(?:after|follow\w*|behind)\s+(?:the )?(?:word |text |literal )?$/i.test(lead)) say(follows(mark) ? 8 : -4, `after ${mark}`);
    else if (/\b(?:before|up to|until|preced\w*)\s+(?:the )?$/i.test(lead)) say(leads(mark) ? 8 : -4, `before ${mark}`);
    else if (/\bbetween\s+$/i.test(lead)) say(follows(mark) ? 6 : -4, `after ${mark}`);
    else if (/\bbetween\b.*\band\s+$/i.test(lead)) say(leads(mark) ? 6 : -4, `before ${mark}`);
  }
  for (const [words, mark] of DELIMITER_WORDS) {
    const at = words.exec(text);
    if (at === null) continue;
    const lead = text.slice(0, at.index);
    if (/\bafter\s+(?:the )?$|\bfollowing (?:the )?$|\bbehind (?:the )?$/i.test(lead)) say(before.trimEnd().endsWith(mark) ? 8 : -4, `after ${mark}`);
    if (/\bbefore\s+(?:the )?$|\bup to (?:the )?$/i.test(lead)) say(after.trimStart().startsWith(mark) ? 8 : -4, `before ${mark}`);
  }
  const enclosing: [RegExp, string, string][] = [
    [/\b(?:in|inside|within|between) (?:the )?(?:\w+ )?(?:round )?parenthes[ie]s\b/i, "(", ")"],
    [/\b(?:in|inside|within|between) (?:the )?(?:\w+ )?(?:square )?brackets?\b/i, "[", "]"],
    [/\b(?:in|inside|within|between) (?:the )?(?:\w+ )?(?:angle |pointed )brackets?\b/i, "<", ">"],
    [/\b(?:in|inside|within|between) (?:the )?(?:double |single )?quot(?:es|ation marks)\b/i, "\"'`", "\"'`"],
  ];
  for (const [words, open, close] of enclosing) {
    if (!words.test(text)) continue;
    if (words.source.includes("square") && /angle|pointed/i.test(text)) continue;
    const inside = before !== "" && open.includes(before.at(-1) ?? " ") && close.includes(after.charAt(0) || " ");
    const within = before.includes(open.charAt(0)) && after.includes(close.charAt(0));
    say(inside ? 6 : within ? 3 : -4, "by its brackets");
  }
  const lead = before.at(-1) ?? " ";
  if (/\bwithout (?:the |its )?(?:surrounding )?quot/i.test(text)) say(/["'`]/.test(lead) ? 5 : -2, "without its quotes");
  if (/\bwithout (?:the |its )?(?:square |angle |surrounding )?(?:bracket|parenthes)/i.test(text)) {
    say(/[([{<]/.test(lead) ? 5 : -2, "without its brackets");
  }
  if (/\b(?:user|account|login)/.test(hint.name) && after.startsWith("@")) say(3, "before @");
  if (/\b(?:host|realm|domain|server|machine)/.test(hint.name) && lead === "@") say(3, "after @");
  if (/(?:^|_)units?$/.test(hint.name) && /\d\s?$/.test(before)) {
    say(/^(?:[A-Za-z%°µ][\w/%^]{0,5})$/.test(line.slice(span.start, span.end)) ? 5 : -2, "the unit of a number");
  }
  const ordinal = /\b(first|second|third|last|leading|trailing)\b (?:column|word|token|part|number|field|cell)/i.exec(text)?.[1]?.toLowerCase();
  if (ordinal !== undefined) {
    const chunks = [...line.matchAll(/\S+/g)].map((chunk) => chunk.index);
    const index = { first: 0, leading: 0, second: 1, third: 2, last: chunks.length - 1, trailing: chunks.length - 1 }[ordinal];
    const at = index === undefined ? undefined : chunks[index];
    if (at !== undefined) say(span.start >= at && span.start <= at + 1 && !before.slice(at).includes(" ") ? 6 : -4, `${ordinal} part`);
  }
}

function kindEvidence(text: string, hint: Hint, atEnd: boolean, say: Say): void {
  const first: Token | undefined = tokenize(text)[0];
  const single = first !== undefined && first.end === text.length ? first.kind : undefined;
  const has = (pattern: RegExp): boolean => pattern.test(text);
  switch (hint.kind) {
    case "number":
      if (single === "number" || has(/^[-+]?[\d.,]+\s?%?$/)) say(2.5, "a number");
      else if (!has(/\d/)) say(-3.5, "no number");
      else if (has(/^\d[\d.,]*\s?[A-Za-z/%]{1,5}$/)) say(1, "a number with a unit");
      else say(-1.5, "not only a number");
      return;
    case "address":
      if (single === "ip" || single === "mac") say(3.5, "an address");
      else if (has(/^[A-Za-z][\w.-]*$/)) say(0.5, "may be a host name");
      else say(-2, "no address");
      return;
    case "path":
      if (single === "path" || single === "url") say(3, "a path");
      else if (has(/^[\w-]+\.[a-z]{1,5}$/)) say(2, "a file name");
      else if (has(/^\d+$/) || has(/\s/)) say(-3, "no path");
      return;
    case "time":
      if (single === "time" || single === "date") say(3, "a time");
      else if (has(/^\[?(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2} +\d+|\d{1,2}[:/]\d\d)/)) say(2.5, "a time");
      else if (has(/^\d+(?:\.\d+)?$/)) say(0.5, "may be a time stamp");
      else say(-3, "no time");
      return;
    case "text":
      if (atEnd) say(2, "the rest of the line");
      if (has(/\s/)) say(1, "several words");
      else if (single === "number") say(-3, "a number");
      return;
    case "hex":
      if (single === "hex" || has(/^[0-9a-f]{6,}$/i)) say(3, "hexadecimal");
      else if (!has(/[0-9a-f]{4,}/i)) say(-2, "not hexadecimal");
      return;
    case "version":
      if (has(/^v?\d+(?:\.\d+)+[\w.+~-]*$/)) say(3, "a version");
      else if (!has(/\d/)) say(-2, "no version");
      return;
    case "letter":
      if (has(/^[A-Z]$/)) say(3, "a letter");
      else if (has(/^(?:error|warn(?:ing)?|info|fatal|critical|debug|notice|note|crit|err|emerg|alert|low|medium|high|trace|severe)$/i)) say(3, "a level");
      else if (has(/\s/) || single === "path" || single === "ip") say(-3, "no level");
      return;
    case "word":
      if (single === "number") say(-1.5, "a number");
      if (single === "time" || single === "date") say(-3, "a time");
      return;
    default:
      if (single === "time" || single === "date") say(-2, "a time");
  }
}
