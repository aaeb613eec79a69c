// Lines that an expression does not read although they are much like those that it reads, and whether the page
// explains why.

import { escapeRegex } from "../escape.ts";
import { tokenize } from "../logs/tokens.ts";
import { holds } from "../page/conditions.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { LineAlternative } from "../program/ir.ts";
import type { Attempt } from "./attempt.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";

/** Starts the doubt about lines that are much like the wanted ones. */
export const RELATIVES = "near misses";

/** Lines that an expression does not read, and the doubt that they are when nothing else reads them either. */
export interface LeftOut {
  lines: string[];
  /** So many of them are a doubt. */
  least: number;
  say: (lines: readonly string[]) => string;
}

/** Lines that share most fixed words with the template but do not match, and that the page does not rule out. */
export function relatives(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  variants: readonly LineAlternative[],
): string[] {
  const words = new Set(
    tokenize(line)
      .filter((token) => token.kind === "word" && token.text.length > 2)
      .filter((token) => !best.options.loose.has(token.start))
      .filter((token) => !slots.some(({ span }) => token.start >= span.start && token.end <= span.end))
      .map((token) => token.text),
  );
  if (words.size < 3) return sameForm(task, best, variants, words);
  const first = Math.min(...slots.map(({ span }) => span.start));
  const head = tokenize(line.slice(0, first))
    .filter((token) => token.kind === "word" && words.has(token.text))
    .map((token) => token.text);
  // "DROP: SRC=..." is no key of what follows.
  const keys = new Set(
    [...line.matchAll(/([\w.-]+)\s*[:=]\s(?!\s*[\w.-]+=)/g)].map((match) => match[1] ?? ""),
  );
  const hits = new Set(best.hits);
  const byChoice = withoutChoices(best.pattern);
  const also = variants.map((one) => new RegExp(one.pattern));
  const codes = tokenize(line).filter(
    (token) =>
      task.asked?.has(token.text) === true &&
      !slots.some(({ span }) => token.start < span.end && token.end > span.start),
  );
  const asked = onlyStems(task);
  const found = task.lines.filter((text, index) => {
    if (asked.length > 0 && !asked.some((one) => wordsOf(text).some((word) => stem(word) === one)))
      return false;
    if (codes.some((token) => !text.includes(token.text))) return false;
    if (hits.has(index) || byChoice.test(text) || also.some((regex) => regex.test(text))) return false;
    if (ruledOut(task, text) || task.excluded?.(text) === true || lacksListed(slots, line, text))
      return false;
    const own = new Set(
      tokenize(text)
        .filter((token) => token.kind === "word")
        .map((token) => token.text),
    );
    const shared = [...words].filter((word) => own.has(word)).length;
    // Other words behind the same beginning: the same message with other details.
    const sameHead = head.length >= 4 && head.filter((word) => own.has(word)).length >= head.length * 0.75;
    if (shared < words.size * (sameHead ? 0.5 : 0.75)) return false;
    // What stands in front of all messages says nothing of this one.
    const body = [...words].filter((word) => !head.includes(word));
    if (body.filter((word) => own.has(word)).length < body.length * 0.5) return false;
    if ((task.unwanted ?? []).some((one) => text.includes(one))) return false;
    // So does a mark in capitals, where the line has none instead.
    const marks = (from: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
      [...from].some((word) => /^[A-Z]{2,}$/.test(word) && !other.has(word));
    if (marks(words, own) && !marks(own, new Set(line.match(/[A-Za-z]+/g) ?? []))) return false;
    // A word of the page that only the template has ("Failed") tells them apart; the key of a part does not.
    const wanted = task.wantedStems ?? task.stems;
    const telling = [...words].some(
      (word) =>
        !own.has(word) &&
        !keys.has(word) &&
        (wanted.has(stem(word.toLowerCase())) ||
          piecesOf(word).some((one) => wanted.has(one) && !has(text, one))),
    );
    return !telling && !wordsOf(text).some((word) => task.unwantedStems?.has(stem(word)) ?? false);
  });
  return found;
}

/** "TaskAttemptImpl" is made of words, of which the page may speak. */
function piecesOf(word: string): string[] {
  const pieces = word.match(/[A-Z]?[a-z]{2,}/g) ?? [];
  return pieces.length < 2 ? [] : pieces.map((one) => stem(one.toLowerCase()));
}

/** Does the word stand in the line, alone or in a longer one? */
function has(text: string, own: string): boolean {
  return text.toLowerCase().includes(own);
}

/** "Only attempts are wanted": the words behind "only" that the example has as well, alone or in a name. */
function onlyStems(task: LineTask): string[] {
  const own = new Set(wordsOf(task.example).map(stem));
  return [...(task.onlyWords ?? [])].map((word) => stem(word.toLowerCase())).filter((one) => own.has(one));
}

/** With few fixed words to go by: lines with the same marks in the same order as a line that matches. */
function sameForm(
  task: LineTask,
  best: Attempt,
  variants: readonly LineAlternative[],
  words: ReadonlySet<string>,
): string[] {
  const marks = (text: string): string => text.replace(/[\p{L}\p{N}_]+/gu, "a").replace(/(\W)\1+/g, "$1");
  const hits = new Set(best.hits);
  const byChoice = withoutChoices(best.pattern);
  const forms = new Set(best.hits.map((hit) => marks(task.lines[hit] ?? "")));
  const also = variants.map((one) => new RegExp(one.pattern));
  // The same distinctive first word ("UVM_ERROR", "%Warning") opens lines of one kind, whatever follows.
  const opening = /^\s*(%?[A-Z][A-Z_]{3,}(?: [A-Z]{3,})*)\b/.exec(task.example)?.[1];
  const opens = (text: string): boolean =>
    opening !== undefined &&
    // A level that lines of all kinds have is not distinctive.
    !/^(?:INFO|DEBUG|TRACE|NOTICE|NOTE)$/.test(opening) &&
    words.has(opening.replace("%", "").split(" ")[0] ?? "") &&
    new RegExp(`^\\s*${escapeRegex(opening)}\\b`).test(text) &&
    !(task.unwanted ?? []).some(
      (one) =>
        text.includes(one.trim()) ||
        one.replace(/\s+\d+$/, "").trim() === text.replace(/\s+\d+\s*$/, "").trim(),
    ) &&
    !wordsOf(text).some((word) => task.unwantedStems?.has(stem(word)) ?? false);
  return task.lines.filter((text, index) => {
    if (hits.has(index) || text.trim() === "" || !(forms.has(marks(text)) || opens(text))) return false;
    if (byChoice.test(text) || also.some((regex) => regex.test(text))) return false;
    const own = new Set(tokenize(text).map((token) => token.text));
    return [...words].every((word) => own.has(word)) && words.size > 0;
  });
}

/** The template with any text where the page restricts a part to a few: what it leaves out, the page leaves out. */
export function withoutChoices(pattern: string): RegExp {
  return new RegExp(
    pattern.replace(/(\(\?<\w+>)\(\?:([^()[\]]*)\)\)/g, (_all, group: string, choices: string) =>
      choices.includes(" ") ? `${group}\\S.*?)` : `${group}\\S+)`,
    ),
  );
}

/** Does a pair of the line break a condition of the page ("level=info" where the level must be error)? */
export function ruledOut(task: LineTask, text: string): boolean {
  return (task.conditions ?? []).some((condition) => {
    if (!/^[\w.-]+$/.test(condition.name)) return false;
    const pair = new RegExp(`(?:^|[\\s,;|])${escapeRegex(condition.name)}[=:]["']?([^\\s"',;]*)`).exec(text);
    return pair !== null && !holds(condition, pair[1] ?? "");
  });
}

/** Nothing that the page rules out or that it names without the example having it, beside the texts of the parts. */
export function allowed(
  task: LineTask,
  text: string,
  example: string,
  pattern?: string,
  withoutParts = text,
): boolean {
  if (isNamed(task, text, pattern)) return false;
  const known = new Set(wordsOf(example).map(stem));
  // A negation in the text of a part, or in what follows the last of them, says nothing about the kind of line.
  // Words in the middle of a name (`allow-query-cache`) say nothing either.
  const beside = new Set(
    wordsOf(withoutNames(pattern === undefined ? withoutParts : besideParts(text, pattern))).map(stem),
  );
  const body = new Set(wordsOf(pattern === undefined ? withoutParts : bodyOf(text, pattern)).map(stem));
  // "`result` (PASSED or FAILED)": either is wanted.
  const listed = listedIn(task);
  const either = new Set(listed.flatMap((one) => wordsOf(one).map(stem)));
  if (marksAgainst(text, example) && !listed.some((one) => text.includes(one) && !example.includes(one)))
    return false;
  return ![...beside].some(
    (word) =>
      !known.has(word) && !either.has(word) && turns(word, known) && (!NEGATIONS.has(word) || body.has(word)),
  );
}

/** Has a line none of the texts that the page lists for a part, of several words each? */
export function lacksListed(slots: readonly Slot[], line: string, text: string): boolean {
  return slots.some(
    ({ hint, span }) =>
      !hint.optional &&
      hint.choices.length > 1 &&
      hint.choices.every((one) => one.length > 2) &&
      hint.choices.includes(line.slice(span.start, span.end)) &&
      !hint.choices.some((one) => text.includes(one)),
  );
}

/** The texts that the page lists for a part whose text in the example is one of them. */
function listedIn(task: LineTask): string[] {
  return [...(task.value === undefined ? [] : [task.value]), ...task.fields].flatMap(({ choices }) =>
    choices.length > 1 && choices.some((one) => task.example.includes(one)) ? choices : [],
  );
}

const TICK = /[\u2713\u2714\u2611\u2705\u221a]/u;
const CROSS = /[\u2717\u2718\u2716\u2715\u274c\u2612\u2a2f]/u;

/** A tick says the opposite of a cross. */
function marksAgainst(text: string, example: string): boolean {
  return (
    (TICK.test(example) && CROSS.test(text) && !TICK.test(text)) ||
    (CROSS.test(example) && TICK.test(text) && !CROSS.test(text))
  );
}

/** Has the line a text or word that the page says unwanted lines have? */
export function isNamed(task: LineTask, text: string, pattern: string | undefined): boolean {
  if ((task.unwanted ?? []).some((one) => text.includes(one))) return true;
  // A part that is nothing but such a word is judged as a part, when all are known.
  const own = wordsOf(pattern === undefined ? text : withoutWordParts(text, pattern)).map(stem);
  return own.some((word) => task.unwantedStems?.has(word) ?? false);
}

/** A line up to its last part. */
function bodyOf(text: string, pattern: string): string {
  const match = new RegExp(pattern).exec(text);
  return match !== null && match[0] !== "" ? text.slice(0, match.index + match[0].length) : text;
}

/** Are the lines that one reading takes beyond another all allowed? Those that the page rules out by a text that it
 * quotes or a claim are left out of the records later on, and count for nothing here. `free`: what is beside the parts is
 * any text, so that a negation in it says nothing. */
export function addsAllowed(
  task: LineTask,
  example: string,
  before: Attempt,
  after: Attempt,
  free = false,
): boolean {
  const known = new Set(before.hits);
  const added = after.hits.filter((hit) => !known.has(hit)).map((hit) => task.lines[hit] ?? "");
  const open = added.filter((text) => !isLeft(task, text, example));
  return (
    open.length > 0 &&
    open.every((text) =>
      free ? !isNamed(task, text, after.pattern) : allowed(task, text, example, after.pattern),
    )
  );
}

/** Does the page rule the line out in a way that the rule takes over: a text that it quotes, or a claim? */
export function isLeft(task: LineTask, text: string, example: string): boolean {
  return (
    task.excluded?.(text) === true ||
    (task.unwanted ?? []).some((one) => one.trim().length > 1 && text.includes(one) && !example.includes(one))
  );
}

/** A line without the texts of its parts that have several words. */
function besideParts(text: string, pattern: string): string {
  let rest = text;
  for (const part of Object.values(new RegExp(pattern).exec(text)?.groups ?? {})) {
    if (part !== undefined && /\S\s+\S/.test(part)) rest = rest.replace(part, " ");
  }
  return rest;
}

function withoutNames(text: string): string {
  return text.replace(/(?<![\w-])[A-Za-z]+(?:[-_.][A-Za-z]+){2,}(?![\w-])/g, " ");
}

/** A line without the parts that are one word. */
function withoutWordParts(text: string, pattern: string): string {
  let rest = text;
  for (const part of Object.values(new RegExp(pattern).exec(text)?.groups ?? {})) {
    if (part !== undefined && /^\p{L}+$/u.test(part)) rest = rest.replace(part, " ");
  }
  return rest;
}

/** Says one text the opposite of the other by one of its words? */
export function turnsAgainst(text: string, example: string): boolean {
  const known = new Set(wordsOf(example).map(stem));
  return wordsOf(text)
    .map(stem)
    .some((word) => !known.has(word) && !NEGATIONS.has(word) && turns(word, known));
}

const NEGATIONS = new Set(["not", "no", "never", "without"].map(stem));

/** Words that say the opposite of one another. */
const OPPOSITES = (
  [
    ["fail failed failure failures error", "success successful succeeded ok pass passed accept accepted"],
    [
      "accept accepted allow allowed permit permitted pass",
      "reject rejected deny denied block blocked drop dropped refuse refused decline declined",
    ],
    [
      "success successful successfully succeeded",
      "deny denied reject rejected refuse refused decline declined invalid unsuccessful",
    ],
    ["start started", "stop stopped"],
    ["open opened", "close closed"],
    ["up", "down"],
    ["ban", "unban"],
    ["add added", "remove removed delete deleted"],
    ["connect connected", "disconnect disconnected"],
    ["install installed", "erase erased remove removed uninstall"],
    ["enable enabled", "disable disabled"],
  ] as const
).map((sides) => sides.map((side) => new Set(side.split(" ").map(stem))));

/** Does a word turn the meaning of a line that has the others? */
function turns(word: string, others: ReadonlySet<string>): boolean {
  if (NEGATIONS.has(word)) return true;
  return OPPOSITES.some(([one, other]) =>
    [
      [one, other],
      [other, one],
    ].some(
      ([own, against]) => own?.has(word) === true && [...(against ?? [])].some((text) => others.has(text)),
    ),
  );
}
