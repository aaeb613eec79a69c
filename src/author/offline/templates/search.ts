// From a line whose parts are known to the expression that the log really follows: the strictest reading of the
// example that matches at all, then loosened where the log shows that something varies.

import { escapeRegex } from "../escape.ts";
import { formOf, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";
import type { Span } from "../parts/spans.ts";
import { anchoredChoice } from "./anchored.ts";
import { type Attempt, type Attempts, runPattern, sameProjection, stillNumbers } from "./attempt.ts";
import { frontChoice, prefixHost } from "./front.ts";
import { byKeys } from "./keyed.ts";
import { addsAllowed, allowed, type LeftOut } from "./left-out.ts";
import { type Listing, listedChoice } from "./listed.ts";
import {
  closeEnd,
  endChoice,
  loosen,
  loosenBehindChoices,
  loosenClauses,
  loosenGlued,
  loosenSymbols,
  loosenWords,
} from "./loosen.ts";
import { loosenByNear } from "./near.ts";
import { optionalChoice } from "./optional.ts";
import { pathChoice } from "./paths.ts";
import { tailChoice } from "./tail.ts";
import type { LineTask } from "./task.ts";
import { buildPattern, learnClass, looseClass, type Slot, type TemplateOptions } from "./template.ts";
import { unifyChoice } from "./unify.ts";
import { wholeNumbers } from "./whole-numbers.ts";
import { widerChoice } from "./wider.ts";

/** The expression that the lines of the log follow, or undefined when no line is like the example. */
export function searchPattern(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  differing: ReadonlySet<number>,
  left: LeftOut[],
  listed: readonly Listing[] = [],
): Attempt | undefined {
  const base: TemplateOptions = {
    ...STRICT,
    classes: choiceClasses(slots, line),
    fixed: fixedWords(line, task, slots),
    either: new Map([...eitherOr(slots), ...(task.either ?? [])]),
    loose: new Set([
      ...differing,
      ...prefixHost(line).filter((at) => !isWord(line, at, task.words ?? [])),
      ...methods(line, task),
    ]),
  };
  const attempt = (options: TemplateOptions): Attempt => tryPattern(line, slots, options, task.lines);
  const any = anyClasses(line, slots, base.classes);
  let best = firstHit({ ...base }, line, attempt) ?? firstHit({ ...base, classes: any }, line, attempt);
  if (best === undefined) {
    const anchored = anchoredChoice(task, line, slots, base, undefined);
    if (anchored !== undefined) return anchored;
    const keyed = byKeys(task, line, slots, base, undefined);
    const wider = keyed ?? widerChoice(task, line, slots, undefined, base, attempt);
    return wider === undefined ? undefined : pathChoice(task, line, slots, wider, attempt);
  }
  const wider = attempt({ ...best.options, classes: any });
  if (
    wider.hits.length > best.hits.length &&
    sameProjection(wider, best) &&
    stillNumbers(line, slots, wider)
  ) {
    best = wider;
  }
  best = loosen(task, line, slots, best, attempt);
  best = listedChoice(task, line, listed, best, attempt, left);
  best = endChoice(line, slots, best, attempt);
  best = wholeNumbers(line, slots, best, attempt, task.lines);
  best = loosenSymbols(task, line, best, attempt);
  best = loosenWords(task, line, slots, best, attempt);
  best = narrowGaps(task, line, slots, best, attempt);
  best = loosenGlued(task, line, slots, best, attempt);
  best = loosenClauses(task, line, slots, best, attempt);
  best = loosenBehindChoices(task, line, slots, best, attempt);
  best = loosenByNear(task, line, slots, best, attempt);
  best = tailChoice(task, line, slots, best, attempt, left);
  best = keyedChoice(task, line, slots, best, attempt);
  best = widerChoice(task, line, slots, best, base, attempt) ?? best;
  best = pathChoice(task, line, slots, best, attempt);
  best = enclosedChoice(task, line, slots, best, attempt);
  best = optionalChoice(task, line, slots, best, attempt);
  const cut = attempt({ ...best.options, prefix: "word" });
  if (cut.hits.length === best.hits.length && sameProjection(cut, best)) best = cut;
  else best = otherPrefix(task, line, cut, best);
  best = frontChoice(task, line, slots, best, attempt, left);
  best = refine(line, slots, best, attempt);
  best = byKeys(task, line, slots, best.options, best) ?? best;
  best = anchoredChoice(task, line, slots, base, best) ?? best;
  best = unifyChoice(task, line, slots, best, attempt);
  return closeEnd(task, line, slots, best, left);
}

/** A text that fills its column is set apart by one blank alone: also where further lines are read so. */
function narrowGaps(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  const tried = attempt({ ...best.options, narrow: true });
  const more = tried.hits.length > best.hits.length && sameProjection(tried, best);
  return more && stillNumbers(line, slots, tried) && addsAllowed(task, line, best, tried) ? tried : best;
}

/** Is the token at this place one of the words that the page quotes? */
function isWord(line: string, at: number, words: readonly string[]): boolean {
  return words.some((text) => {
    const from = line.indexOf(text);
    return from >= 0 && at >= from && at < from + text.length;
  });
}

function firstHit(base: TemplateOptions, line: string, attempt: Attempts): Attempt | undefined {
  for (const options of relaxations(base, line)) {
    const tried = attempt(options);
    if (tried.hits.length > 0) return tried;
  }
  return undefined;
}

function tryPattern(
  line: string,
  slots: readonly Slot[],
  options: TemplateOptions,
  lines: readonly string[],
): Attempt {
  return runPattern(buildPattern(line, slots, options), slots, options, lines);
}

/** Numbers of the example may be other texts in the log, e.g. versions. */
function anyClasses(
  line: string,
  slots: readonly Slot[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const classes = new Map(known);
  for (const { group, span, hint } of slots)
    if (!classes.has(group)) classes.set(group, looseClass(line, span, true, hint));
  return classes;
}

/** From the strictest reading of the example to the loosest that is still its template. */
function* relaxations(base: TemplateOptions, line: string): Generator<TemplateOptions> {
  const ellipsis = /\.\.\.|…/.test(line);
  for (const dots of ellipsis ? [false, true] : [false]) {
    yield { ...base, ellipsis: dots };
    yield { ...base, ellipsis: dots, tail: false };
    yield { ...base, ellipsis: dots, codes: false };
    yield { ...base, ellipsis: dots, pairs: false };
    yield { ...base, ellipsis: dots, codes: false, pairs: false };
    yield { ...base, ellipsis: dots, codes: false, tail: false };
    yield { ...base, ellipsis: dots, pairs: false, tail: false };
    yield { ...base, ellipsis: dots, codes: false, pairs: false, tail: false };
    yield { ...base, ellipsis: dots, prefix: "word", tail: false };
    yield { ...base, ellipsis: dots, prefix: "word", codes: false, pairs: false };
    yield { ...base, ellipsis: dots, prefix: "word", codes: false, pairs: false, tail: false };
    yield { ...base, ellipsis: dots, enclosed: true };
    yield { ...base, ellipsis: dots, enclosed: true, tail: false };
    yield { ...base, ellipsis: dots, enclosed: true, codes: false, pairs: false };
    yield { ...base, ellipsis: dots, chunks: true };
    yield { ...base, ellipsis: dots, chunks: true, codes: false, tail: false };
  }
}

/** Brackets and quotes beside the parts hold any text, where the log has other texts there. */
function enclosedChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  if (best.options.enclosed === true || task.single !== true) return best;
  const tried = attempt({ ...best.options, enclosed: true });
  const more = tried.hits.length > best.hits.length && sameProjection(tried, best);
  return more && stillNumbers(line, slots, tried) && addsAllowed(task, line, best, tried) ? tried : best;
}

/** Lines of the same text behind another prefix (no time, a level more) are of the same kind. */
function otherPrefix(task: LineTask, line: string, cut: Attempt, best: Attempt): Attempt {
  const words = cut.pattern.replace(/\(\?<\w+>/g, "(").match(/(?<!\\)[A-Za-z]{3,}/g) ?? [];
  if (cut.hits.length <= best.hits.length || words.length < 2 || !sameProjection(cut, best)) return best;
  const known = new Set(best.hits);
  const extra = cut.hits.filter((hit) => !known.has(hit)).map((hit) => task.lines[hit] ?? "");
  return extra.every((text) => allowed(task, text, line, cut.pattern)) ? cut : best;
}

/** Request methods are data, unless the page asks for one. */
function methods(line: string, task: LineTask): number[] {
  return tokenize(line).flatMap((token) =>
    /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|CONNECT)$/.test(token.text) &&
    !task.stems.has(stem(token.text.toLowerCase()))
      ? [token.start]
      : [],
  );
}

/** "what follows `in` or `at`": either word may stand there. */
function eitherOr(slots: readonly Slot[]): ReadonlyMap<string, readonly string[]> {
  const either = new Map<string, readonly string[]>();
  for (const { hint } of slots) {
    const quoted = quotedIn(hint.description);
    for (const [index, span] of quoted.entries()) {
      const next = quoted[index + 1];
      if (next === undefined || !/^\s*(?:or|,)\s*$/.test(hint.description.slice(span.end, next.start)))
        continue;
      if (
        !/\b(?:after|behind|follows?|following|before|up to)\b/i.test(hint.description.slice(0, span.start))
      )
        continue;
      const both = [...new Set([...(either.get(span.text) ?? []), span.text, next.text])];
      for (const text of both) either.set(text, both);
    }
  }
  return either;
}

/** Words of the example that the page's prose names: they are what tells the wanted lines. */
function fixedWords(line: string, task: LineTask, slots: readonly Slot[]): ReadonlySet<string> {
  const fixed = new Set<string>();
  for (const token of tokenize(line)) {
    if (slots.some(({ span }) => token.start >= span.start && token.end <= span.end)) continue;
    // A code or count that the page's words name ("status 403") is what they ask for.
    if (["number", "mixed"].includes(token.kind) && task.asked?.has(token.text))
      fixed.add(token.text.toLowerCase());
    // Also where it is what a part leaves of a longer text: `MISS/401`.
    if (slots.some(({ span }) => token.start < span.end && token.end > span.start))
      for (const code of token.text.match(/(?<![\w.])\d+(?![\w.])/g) ?? [])
        if (task.asked?.has(code)) fixed.add(code);
    if (token.kind !== "word") continue;
    const pairText = /[\w.-]=["']?$/.test(line.slice(0, token.start));
    if (pairText && task.stems.has(stem(token.text.toLowerCase()))) fixed.add(token.text.toLowerCase());
  }
  return fixed;
}

/** Where every part stands behind its own key, free text in between need not be as in the example. */
function keyedChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  if (
    slots.length < 2 ||
    !slots.every(({ span }) => /[A-Za-z][\w-]*\s*[:=]\s*["'([<]?$/.test(line.slice(0, span.start)))
  ) {
    return best;
  }
  const anchors = new Set<number>();
  for (const token of tokenize(line)) {
    const inSlot = slots.some(({ span }) => token.start >= span.start && token.end <= span.end);
    if (inSlot || token.kind !== "word" || token.text.length < 3) continue;
    if (task.stems.has(stem(token.text.toLowerCase()))) anchors.add(token.start);
  }
  const keyed = attempt({ ...best.options, anchors, tail: false });
  if (keyed.hits.length <= best.hits.length || !sameProjection(keyed, best)) return best;
  const extra = keyed.hits.filter((hit) => !best.hits.includes(hit)).map((hit) => task.lines[hit] ?? "");
  // What the page says of the text behind the parts, such lines have to say as well.
  const last = Math.max(...slots.map(({ span }) => span.end));
  const told = wordsOf(line.slice(last))
    .map(stem)
    .filter((one) => one.length > 2 && task.stems.has(one));
  const clean = extra.every(
    (text) =>
      told.every((one) => wordsOf(text).map(stem).includes(one)) &&
      !(task.unwanted ?? []).some((one) => text.includes(one)) &&
      !wordsOf(text).some((word) => task.unwantedStems?.has(stem(word)) ?? false),
  );
  return clean && anchors.size > 0 ? keyed : best;
}

const ADDRESS =
  "(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9A-Fa-f]*:(?:[0-9A-Fa-f:.]*[0-9A-Fa-f:])?(?:%[\\w.-]+)?|[A-Za-z][\\w-]*(?:\\.[\\w-]+)+)";

/** An address in the example, and other things than addresses in some lines: only addresses are meant. */
function addressClass(example: string, hint: Hint, texts: readonly string[]): string | undefined {
  const { kind } = hint;
  // "a name or an address".
  if (/\bnames?\b/i.test(hint.description)) return undefined;
  const regex = new RegExp(`^${ADDRESS}$`);
  const isNumeric = /^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9A-Fa-f]*:[0-9A-Fa-f:.]*$/.test(example);
  if (kind !== "address" || !isNumeric) return undefined;
  const fitting = texts.filter((text) => regex.test(text)).length;
  return fitting > 0 && fitting < texts.length ? ADDRESS : undefined;
}

/** Inside quotes, some texts end in a full stop and others of the same form do not. */
function sentenceEnds(line: string, span: Span, texts: readonly string[]): boolean {
  const quote = line.charAt(span.end);
  if (!/["'`]/.test(quote) || line.charAt(span.start - 1) !== quote) return false;
  const forms = new Set(texts.map((text) => text.replace(/\d+/g, "9")));
  return texts.some((text) => /\w[.]$/.test(text) && forms.has(text.slice(0, -1).replace(/\d+/g, "9")));
}

/** Narrows each part to what was seen in it, as long as the same lines match. */
function refine(line: string, slots: readonly Slot[], best: Attempt, attempt: Attempts): Attempt {
  const classes = new Map<string, string>(best.options.classes);
  for (const { group, hint, span } of slots) {
    if (/^\(\?:/.test(classes.get(group) ?? "")) continue;
    const loose = classes.get(group) ?? looseClass(line, span, false, hint);
    const narrow = addressClass(line.slice(span.start, span.end), hint, best.texts.get(group) ?? []);
    if (narrow !== undefined) {
      const tried = attempt({
        ...best.options,
        classes: new Map([...best.options.classes, [group, narrow]]),
      });
      const [before, after] = [best.texts.get(group) ?? [], tried.texts.get(group) ?? []];
      // "192" of "192.168.1.1.": the full stop behind the example's address stands inside the others.
      const isCut =
        tried.hits.length === best.hits.length &&
        after.every((text, at) => text.startsWith(before[at] ?? "\0"));
      if (isCut || (tried.hits.length > 0 && tried.hits.length < best.hits.length)) best = tried;
      if (tried.hits.length > 0) classes.set(group, narrow);
      if (tried.hits.length > 0) continue;
    }
    const texts = [...(best.texts.get(group) ?? []), line.slice(span.start, span.end)];
    classes.set(group, learnClass(texts, loose, hint));
  }
  const stops = slots.filter(({ group, span }) => sentenceEnds(line, span, best.texts.get(group) ?? []));
  if (stops.length > 0) {
    const names = new Set(stops.map(({ group }) => group));
    const tried = attempt({ ...best.options, stops: names });
    if (tried.hits.length === best.hits.length) best = tried;
    for (const name of names) classes.delete(name);
  }
  const narrowed = attempt({ ...best.options, classes });
  return narrowed.hits.length === best.hits.length && sameProjection(narrowed, best) ? narrowed : best;
}

export const STRICT: TemplateOptions = {
  tail: true,
  prefix: "all",
  pairs: true,
  codes: true,
  classes: new Map(),
  ellipsis: false,
  fixed: new Set(),
  loose: new Set(),
};

/** A part that the page restricts to a few texts matches only those. */
export function choiceClasses(slots: readonly Slot[], line: string): Map<string, string> {
  const classes = new Map<string, string>();
  for (const { group, hint, span, mark } of slots) {
    const text = line.slice(span.start, span.end);
    // "(a number or `----`)": the page shows a text of another form for it.
    const other = hint.literals.some(
      (one) => /^\S+$/.test(one) && !line.includes(one) && formOf(one) !== formOf(text),
    );
    if (
      other &&
      hint.choices.length < 2 &&
      /^\S+$/.test(text) &&
      /\bor\b|\binstead\b|\botherwise\b/i.test(hint.description)
    ) {
      classes.set(group, "\\S+");
    } else if (hint.choices.includes(text)) {
      classes.set(group, `(?:${hint.choices.map(escapeRegex).join("|")})`);
    } else if (mark !== undefined && [undefined, "text", "word", "path"].includes(hint.kind)) {
      // A cell that the list of the page names has any text up to the next mark.
      classes.set(group, `[^${mark === "\t" ? "\\t" : mark}]*?`);
    }
  }
  return classes;
}
