// The evidence that a part of a line is what a hint of the page means: the name in front of it, the page's words
// about what stands around it, and the kind of text that its name suggests.

import { isStandIn } from "../logs/tokens.ts";
import { similarity, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import { enclosingEvidence } from "./brackets.ts";
import { conventionEvidence, MAIL_HOST } from "./conventions.ts";
import { isTime } from "./kinds.ts";
import { lastPairEvidence } from "./last-pair.ts";
import { ordinalEvidence } from "./ordinals.ts";
import { prepositionEvidence } from "./prepositions.ts";
import { borderMarks, cutMarks, relationsOf, withoutMarks } from "./relations.ts";
import { senseEvidence } from "./senses.ts";

export interface Span {
  start: number;
  end: number;
}

export const OPENERS: Record<string, string> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "<": ">",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** Adds a score and its reason. */
export type Say = (score: number, reason: string) => void;

/** `name=text`, `name: text`, "port 22", "3 errors". */
export function keyEvidence(line: string, span: Span, names: readonly string[], hint: Hint, say: Say): void {
  const before = line.slice(0, span.start);
  prepositionEvidence(before, line.slice(span.end), hint.name, say);
  const pair =
    /([A-Za-z_][\w.-]*(?: [\w.-]+){0,3})["']?\s*[=:]\s*["'([<]?$/.exec(before) ??
    /[[(]([A-Za-z_][\w.-]*)\s+["']$/.exec(before);
  // `/a/foo.hat:6`: what ends in front of a colon without a blank is a file, not a key.
  const isFile = pair !== null && /[./]/.test(pair[1] ?? "") && /:["']?$/.test(before);
  if (pair === null || isFile) followsName(line, span, names, say);
  else pairEvidence(line, span, pair[1] ?? "", names, hint, say);
  const inner = OPENERS[before.at(-1) ?? ""];
  if (inner !== undefined && line.charAt(span.end) === inner) {
    // "name[index]" is one part unless the page or the kind of text says otherwise.
    const glued =
      /\w[[({]$/.test(before) &&
      hint.kind === undefined &&
      !/bracket|parenthes|inside/i.test(hint.description);
    // A remark in parentheses is rarely the text of a message.
    const remark = hint.kind === "text" && !/["'`]/.test(inner);
    say(glued ? -1.5 : remark ? -0.5 : 0.8, glued ? "inside a longer part" : "inside brackets or quotes");
  }
  const part = line.slice(span.start, span.end);
  const isNumber = hint.kind === "number" ? /\d/.test(part) : /^[-+]?[\d.,]+$/.test(part);
  if (!isNumber) return;
  const unit = /^ [kKMGTP]i?[Bb](?= [a-z])/.exec(line.slice(span.end))?.[0] ?? "";
  const words = /^\s*([A-Za-z]+)(?: ([a-z]+))?/.exec(line.slice(span.end + unit.length));
  const meant = (word: string | undefined): boolean =>
    word !== undefined && names.some((name) => similarity(word, name) >= 0.6);
  if (meant(words?.[1])) say(3, "stands before its name");
  // "7 placed instances"
  else if (/^[-+]?[\d.,]+$/.test(part) && /^ [a-z]/.test(line.slice(span.end)) && meant(words?.[2]))
    say(2.5, "stands before its name");
}

function pairEvidence(
  line: string,
  span: Span,
  key: string,
  names: readonly string[],
  hint: Hint,
  say: Say,
): void {
  const before = line.slice(0, span.start);
  const words = key.split(" ");
  const tight = /[=]["'([<]?$/.test(before);
  let best = 0;
  for (let from = tight ? words.length - 1 : 0; from < words.length; from += 1) {
    const part = words.slice(from).join(" ");
    best = Math.max(best, ...names.map((name) => similarity(part, name)));
  }
  if (best >= 0.55) say(7 * best, "stands behind its name");
  else if (tight) say(-3, "stands behind another name");
  wholePair(line, span, tight ? best : 0, hint, say);
  // Where pairs are set apart by several blanks, a single blank belongs to the text.
  const cut = /^ \S/.test(line.slice(span.end)) && best >= 0.55;
  if (cut && /\S\s{2,}[A-Za-z_][\w.-]*\s*[:=]\s*\S/.test(line.slice(span.end))) {
    if (!/^ [A-Za-z_][\w.-]*\s*[:=]/.test(line.slice(span.end))) say(-5, "stops in front of a single blank");
  }
  const text = line.slice(span.start, span.end);
  const whole =
    /^\s{2,}[A-Za-z_][\w.-]*\s*[:=]\s*\S/.test(line.slice(span.end)) && /^\S+(?: \S+)+$/.test(text);
  const isCut = NUMBER_ONLY.test(hint.description) && /^[-+]?\d/.test(text);
  if (whole && best >= 0.55 && !/[:=]\s/.test(text) && !isCut) say(3, "up to the next pair");
  if (tight && best >= 0.55 && hint.kind === "text") pairText(line, span, say);
  if (tight && best >= 0.55 && partedPair(line, span, hint, say)) return;
  if (!tight || /["'([<]$/.test(before) || !/\s/.test(line.slice(span.start, span.end).trim())) return;
  if (hint.kind === "text" && !/[\w.-]=/.test(text)) return;
  if (hint.kind !== "text" || !tailOfPairs(line, span)) say(-3, "more than one pair");
}

/** `DESK=7 ; ORDER=tea with milk`: where marks part the pairs, a text with blanks goes on to the next mark. */
function partedPair(line: string, span: Span, hint: Hint, say: Say): boolean {
  const marks = [...line.matchAll(/([;,|])\s*(?=[A-Za-z_][\w.-]*=)/g)].map((one) => one[1] ?? "");
  const [mark] = marks;
  const text = line.slice(span.start, span.end);
  const after = line.slice(span.end);
  if (marks.length < 2 || mark === undefined || new Set(marks).size > 1) return false;
  if (text.includes(mark) || /[A-Za-z_][\w.-]*=/.test(text) || /^["'<([]/.test(text)) return false;
  const isClosed = new RegExp(`^\\s*(?:\\${mark}|$)`).test(after);
  if (isClosed && /\s/.test(text)) {
    say(hint.kind === "number" || hint.kind === "address" ? -1 : 1.5, "up to the mark behind its pair");
    return true;
  }
  const rest = /^ [^\s=;,|]+/.exec(after)?.[0] ?? "";
  const isOpen = !isClosed && rest !== "" && !/^ [A-Za-z_][\w.-]*=/.test(after);
  if (isOpen && hint.kind !== "number" && hint.kind !== "address")
    say(-2.5, "stops in the middle of its pair");
  return false;
}

/** All that stands behind the key is the part, where the page says no more of it; its text need not be what the name announces. */
function wholePair(line: string, span: Span, likeness: number, hint: Hint, say: Say): void {
  const isWhole = /^(?:[\s,;)\]}"'>|&]|$)/.test(line.slice(span.end));
  const text = line.slice(span.start, span.end);
  if (!isWhole || hint.description !== "" || likeness < 0.55 || /^["'<([].*["'>)\]]$/.test(text)) return;
  if (hint.kind === undefined || hint.kind === "word" || hint.kind === "text") say(0.9, "all of its pair");
  else if (hint.kind === "number" && likeness >= 0.95 && /^[A-Za-z][\w-]*$/.test(text))
    say(4, "all of its pair");
}

/** `message=no such file line=3`: a text without quotes goes on to the next key. */
function pairText(line: string, span: Span, say: Say): void {
  const text = line.slice(span.start, span.end);
  const after = line.slice(span.end);
  if (/^(["']).*\1$/.test(text)) return;
  if (/(?:^|\s)[A-Za-z_][\w.-]*=/.test(text)) say(-4, "more than one pair");
  else if (/^\s+[A-Za-z_][\w.-]*=|^\s*$/.test(after)) say(2.5, "up to the next pair");
  else if (/^\s+\S/.test(after)) say(-4, "stops in front of the next pair");
}

function followsName(line: string, span: Span, names: readonly string[], say: Say): void {
  // "slack (MET)   0.25": a remark in brackets may stand between.
  // "guest [G-17]"; a unit in brackets ("delay [ns]") is no text.
  const isUnit = !/\d|\w{4}/.test(line.slice(span.start, span.end));
  const quote = (isUnit ? /["'`<]$/ : /["'`<]$|(?<=\s)\[$/).exec(line.slice(0, span.start))?.[0];
  const quoted = quote !== undefined && line.charAt(span.end) === (OPENERS[quote] ?? quote);
  const before = line
    .slice(0, quoted ? span.start - 1 : span.start)
    .replace(/\s[([][A-Za-z ]*[)\]](\s+)$/, "$1")
    // "Test #7: name" has a counter between the name and the text.
    .replace(/(\s)#?\d+[:.)](\s+)$/, "$1$2");
  if (!/\s$/.test(before) || !/[\p{L}\p{N}]/u.test(line.slice(span.start, span.end))) return;
  // "HOST prog[12]:" is the front of a log line.
  if (/^\[\d+\]:\s/.test(line.slice(span.end)) && /[A-Z]\s$/.test(before)) return;
  const words = before
    .trimEnd()
    .replace(/\s+(?:is|are|was|were)$/, "")
    .split(/\s+/);
  if (/^(?:is|are|was|were)\s/.test(line.slice(span.start, span.end))) return;
  for (const count of [3, 2, 1]) {
    const key = words
      .slice(-count)
      .join(" ")
      .replace(/^(?:[([<"']+|--?(?=[A-Za-z]))/, "");
    if (!/^[A-Za-z][\w -]*$/.test(key)) continue;
    // "HOST prog[1]:" stands for a host, and names nothing.
    if (/^[A-Z]{3,}$/.test(key) && /^(?:\[\d+\])?:\s/.test(line.slice(span.end))) continue;
    const fitting = names.filter((name) => wordsOf(name).length >= count);
    const likeness = Math.max(0, ...fitting.map((name) => similarity(key, name)));
    // "dev sda" for the device: a short form of the name says a little less.
    const short = count === 1 && fitting.some((name) => isShortForm(key, name));
    if (likeness < 0.85 && !short) continue;
    const text = line.slice(span.start, span.end);
    // A word between its name and a comma is data.
    const closed = /^[,;)\]]/.test(line.slice(span.end)) && !/\s/.test(text);
    // "in vrf default" says which one, "link down" what it does.
    const led = /(?:^|\s)(?:in|on|for|from|to|of|by|via|at) $/i.test(
      words.slice(0, -count).join(" ").concat(" ").slice(-6),
    );
    const isOne =
      led && !/\s/.test(text) && !/(?:ed|ing)$/.test(text) && !/^(?:is|was|has|and|or|to|from)$/.test(text);
    const plainWords = /^[a-z]+(?: [a-z]+)*$/.test(text) && !isStandIn(text) && !closed && !isOne;
    // "12 jobs below /srv": the number in front of the name is what it counts.
    const counts =
      /(?:^|\s)\d[\d.,]*$/.test(words.slice(0, -count).join(" ")) && !/^[-+]?\d/.test(text) ? 4 : 0;
    say((plainWords ? 1 + count : 4 + count) - (likeness < 0.85 ? 1.5 : 0) - counts, "follows its name");
    return;
  }
}

/** "dev" for device, "iface" is none. */
function isShortForm(key: string, name: string): boolean {
  const last = wordsOf(name).at(-1) ?? "";
  return /^[a-z]{3,}$/i.test(key) && last.length > key.length && last.startsWith(key.toLowerCase());
}

/** No further pair follows: the text of the last pair may have spaces. */
function tailOfPairs(line: string, span: Span): boolean {
  return span.end === line.trimEnd().length && !/\s[\w.-]+=/.test(line.slice(span.start, span.end));
}

const SOME_ADDRESSES =
  /\b(?:an? )?(?:IPv6(?: address(?:es)?)?,? )?without (?:its |the |their )?(?:square )?brackets(?:(?: and|,) (?:the )?(?=port))?/i;

/** "IPv6 without its square brackets" is about some of the lines: the example has none around its address. */
export function someBracketed(line: string, hint: Hint): boolean {
  return (
    hint.kind === "address" &&
    SOME_ADDRESSES.test(hint.description) &&
    (/\bIPv6\b/.test(hint.description) || !/\[[0-9A-Fa-f:.]{3,}\]/.test(line))
  );
}

/** What the page says about the text around the part. */
export function relationEvidence(line: string, span: Span, described: Hint, say: Say): void {
  const hint = someBracketed(line, described)
    ? { ...described, description: described.description.replace(SOME_ADDRESSES, " ") }
    : described;
  // "without the flag in brackets" says what the part is not.
  const text = hint.description.replace(/\b(?:without|not|excluding|except|but)\b[^,;(]*/gi, " ");
  const before = line.slice(0, span.start);
  const after = line.slice(span.end);
  const cuts = withoutMarks(hint.description);
  borderMarks(line, span, relationsOf(hint.description), cuts, say);
  cutMarks(line, span, cuts, say);
  if (/\b(?:after|behind|follow\w*) the (?:leading |first )?(?:number|index|count)\b/i.test(text)) {
    say(/(?:^|[\s[(#])\d+(?:\.\d+)*[^\w\s]*\s*$/.test(before) ? 5 : -3, "after the number");
  }
  // "the text after the colon", and no word on where it ends: then it goes on to the end of its run.
  const open =
    /\b(?:after|behind|follow\w*)\b/i.test(text) &&
    !/\b(?:before|up to|until|between|first|word|number|token)\b/i.test(text);
  if (open && /\s$/.test(before) && /^\s\w(?![\w.-]*[=:])/.test(after))
    say(-2.5, "stops in the middle of a run of words");
  lastPairEvidence(hint.description, before, after, say);
  enclosingEvidence(text, before, after, say, line.slice(span.start, span.end));
  if (/\b(?:in capitals|capital letters|upper[- ]case)\b/i.test(text)) {
    say(/^[A-Z][A-Z_ -]*$/.test(line.slice(span.start, span.end)) ? 4 : -4, "in capitals");
  }
  beginningEvidence(line.slice(span.start, span.end), text, say);
  messageEvidence(line, span, hint, say);
  placeEvidence(line, span, text, say);
  withoutEvidence(line, span, hint, say);
  conventionEvidence(line, span, hint, say);
  senseEvidence(line, span, hint, say);
  ordinalEvidence(line, span, text, say);
}

/** "(dm- and a number)", "ORA-, five digits": how the part begins. */
function beginningEvidence(part: string, text: string, say: Say): void {
  const mark = /(?:^|[(\s])([A-Za-z][A-Za-z_]*[-_:/])(?=[\s,)])/.exec(text)?.[1];
  const from = /\bfrom `([^`]+)` (?:to|up to|until|on)\b/.exec(text)?.[1];
  if (from !== undefined) say(part.startsWith(from) ? 6 : -4, `begins with ${from}`);
  if (mark !== undefined)
    say(part.startsWith(mark) && part.length > mark.length ? 4 : -1.5, `begins with ${mark}`);
}

const LEVELS = "error|warn|warning|info|fatal|critical|debug|notice|note|panic";

/** Texts behind a level, parts as they are printed, seconds since boot, `user@database`. */
function messageEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const text = line.slice(span.start, span.end);
  const before = line.slice(0, span.start);
  if (hint.kind === "text") {
    if (new RegExp(`\\b(?:${LEVELS})(?:\\s*:|\\]|\\s+[-|])\\s+\\S`, "i").test(text))
      say(-2.5, "has the level in it");
    else if (new RegExp(`\\b(?:${LEVELS})(?:\\s*[:\\]]|\\s+[-|])\\s+$`, "i").test(before))
      say(2, "behind the level");
  }
  if (/\blast colon\b/i.test(hint.description) && /:\s/.test(text)) say(-4, "has a colon of its own");
  if (/\bas printed\b/i.test(hint.description)) {
    const whole =
      /(?:^|[\s=,;([{"'])$/.test(before) && /^[)\]}"',;]*[.:]?(?:\s|$)/.test(line.slice(span.end));
    say(whole && !/\s|[)\]}]\W*$/.test(text) ? 2 : -0.5, "as printed");
  }
  if (/\bsince (?:the )?(?:boot|start)/i.test(hint.description)) {
    say(/^\W*$/.test(before) && /^\d+\.\d+$/.test(text) ? 6 : -1, "seconds in front");
  }
  const login = /(?:^|\s)([\w.-]+)@([\w.-]+)(?=[\s:,]|$)/.exec(line);
  if (login === null) return;
  const at = login.index + login[0].indexOf("@");
  if (/^(?:database|db|dbname)$/i.test(hint.name) && span.start === at + 1 && !/\s/.test(text))
    say(3.5, "behind @");
  const isMail = MAIL_HOST.test(line.slice(at));
  if (/^(?:user|username|login)$/i.test(hint.name) && span.end === at && !/\s/.test(text) && !isMail)
    say(2, "before @");
}

/** "without the quotes", "the number only". */
function withoutEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const text = hint.description;
  const before = line.slice(0, span.start);
  const lead = before.at(-1) ?? " ";
  if (/\bwithout (?:the |its )?(?:surrounding )?quot/i.test(text)) {
    say(/["'`]/.test(lead) && line.charAt(span.end) === lead ? 5 : -2, "without its quotes");
  }
  const bracket =
    /\bwithout (?:the |its )?(?:surrounding |enclosing )?(square |angle |pointed |round |curly )?(bracket|parenthes)/i.exec(
      text,
    );
  if (bracket !== null) {
    const shape = (bracket[1] ?? (bracket[2] === "parenthes" ? "round" : "")).trim().toLowerCase();
    const opens = { square: "[", angle: "<", pointed: "<", round: "(", curly: "{" }[shape] ?? "([{<";
    const closed = opens.includes(lead) && line.charAt(span.end) === OPENERS[lead];
    say(closed ? 5 : -2, "without its brackets");
  }
  const part = line.slice(span.start, span.end);
  // "the message without the link in brackets": it stops in front of them.
  const tail =
    /\bwithout (?:the |its )?(?:[\w-]+ ){1,4}in (?:the |its )?(?:\w+ )?(bracket|parenthes|brace)/i.exec(text);
  if (tail !== null) {
    const mark = { b: "[", p: "(" }[tail[1]?.charAt(0).toLowerCase() ?? ""] ?? "{";
    const opens = tail[1] === "brace" ? "{" : mark;
    say(
      line.slice(span.end).trimStart().startsWith(opens) ? 5 : part.includes(opens) ? -3 : 0,
      "without what stands in brackets",
    );
  }
  // "The word, not the number".
  if (/\bnot (?:the|its) (?:numbers?|codes?|digits?)\b/i.test(text))
    say(/\d/.test(part) ? -4 : /\s/.test(part) ? 0 : 1.5, "no number");
  numberEvidence(part, line.slice(span.end), hint, say);
}

const NUMBER_ONLY =
  /\bnumber only\b|(?:^|[(,;] ?)the (?:bare )?number\)?$|\bonly the (?:number|digits)\b|\bwithout (?:the |its )?(?:unit|percent|suffix|kB|MB|ms|%)|\bno (?:percent |unit )?(?:sign|unit)\b/i;
const AMOUNT = /\b(?:time|durations?|m?secs?|seconds|milliseconds|bytes|units?|percent|size)\b/i;
const UNIT =
  /^ (?:[kKMGTP]i?B|[num]?s|m?secs?|mins?|h|[kKMGT]i?B|bytes|[munp]?[VAWF]|[num]m|%|[kMG]?Hz|dB)(?![\w-])/;

/** "the number only", "no percent sign": where a number ends. */
function numberEvidence(part: string, after: string, hint: Hint, say: Say): void {
  const text = hint.description;
  unitEvidence(part, after, text, say);
  // "(0.03)" of "0.03s": the page shows the number alone.
  const isShown =
    hint.literals.some((one) => /^[-+]?\d[\d.,]*$/.test(one)) &&
    !hint.literals.some((one) => /\d ?[A-Za-z%]/.test(one));
  const only = NUMBER_ONLY.test(text) || (isShown && hint.kind === "number");
  const isAmount = AMOUNT.test(`${hint.name.replace(/_/g, " ")} ${text}`);
  if (only && (isAmount || /^ [kKMGTP]i?B\b/.test(after)) && /\d$/.test(part) && UNIT.test(after))
    say(3, "the number without its unit");
  else if (/\d$/.test(part) && /^[A-Za-z%]/.test(after)) say(only ? 3 : -2.5, "the number without its unit");
  else if (only && /^\d[\d.]* ?[A-Za-z%]+$/.test(part)) say(-3, "has its unit");
  else if (only && /^\d+[/:]\D/.test(part)) say(-4, "has more than the number");
  else if (only && /^\d+$/.test(part) && /^[/:][A-Za-z]/.test(after)) say(2, "the number in front of a text");
}

/** "with its unit", which may stand behind a blank. */
function unitEvidence(part: string, after: string, text: string, say: Say): void {
  if (!/\bwith (?:its|the|their|a) units?\b/i.test(text) || /\bwithout\b/i.test(text)) return;
  if (/\d$/.test(part) && /^ ?[A-Za-z%]{1,5}(?:\/s)?(?![\w-])/.test(after)) say(-3, "lacks its unit");
  else if (/^[-+]?\d[\d.,]* [A-Za-z%]{1,5}(?:\/s)?$/.test(part)) say(2, "with its unit");
}

/** "in front", "up to the end of the line". */
function placeEvidence(line: string, span: Span, text: string, say: Say): void {
  if (
    /\b(?:up to|until|to) the end\b|\b(?:all|everything|whatever|anything) (?:that |which )?(?:(?:is |stands |comes |printed )*(?:behind|after|following|beyond|right of)|follows|comes|stands)\b(?![^;]*\b(?:up to|until|before|in front of)\b)|\b(?:rest|remainder) of (?:the|its) line\b|\bthe rest\b/i.test(
      text,
    )
  ) {
    say(span.end >= line.trimEnd().length ? 6 : -4, "up to the end of the line");
  }
  // "from `sudo` to the end of the line" begins with it.
  const from = /\bfrom (?:the word )?`([^`]+)` (?:on\b|(?:up )?to the end)/i.exec(text)?.[1];
  if (from !== undefined)
    say(line.startsWith(from, span.start) && span.end > span.start + from.length ? 8 : -5, `from ${from} on`);
  if (
    /\bin front\b(?! of)|\bat the (?:start|beginning|front)\b|\b(?:starts?|begins?) the line\b/i.test(text)
  ) {
    say(/^\W*$/.test(line.slice(0, span.start)) ? 3 : -1.5, "in front");
  }
  if (
    /(?<!up to |until |to )\bthe end\b(?! ?points?\b)|\bat the (?:very )?end\b/i.test(text) &&
    !/\b(?:up to|until)\b/i.test(text)
  ) {
    say(/^\W*$/.test(line.slice(span.end)) ? 3 : -1.5, "at the end");
  }
  if (/\bdate and time\b|\btime ?stamp\b|\b(?:date|day|month)\b.*\b(?:time|hour|clock)\b/i.test(text)) {
    const part = line.slice(span.start, span.end);
    say(isTime(part) && /\d:\d/.test(part) && /[A-Z][a-z]{2}|\d[-/]\d/.test(part) ? 2 : -1, "date and time");
  }
}
