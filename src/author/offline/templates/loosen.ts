// What the log shows to vary beside the parts is loosened, one kind of thing after the other: pairs, codes, words,
// symbols, clauses. Each step keeps how the lines read before were read, and takes no line that the page rules out.

import { formOf, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { type Attempt, type Attempts, runPattern, sameProjection, stillNumbers } from "./attempt.ts";
import { addsAllowed, allowed, type LeftOut, RELATIVES } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";

/** Pairs and codes beside the parts may vary although the example shows one text of them. */
export function loosen(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  const pairs = attempt({ ...chosen.options, pairs: false });
  if (pairs.hits.length >= chosen.hits.length && sameProjection(pairs, chosen)) chosen = pairs;
  const codes = attempt({ ...chosen.options, codes: false });
  const more = codes.hits.length > chosen.hits.length;
  if (more && sameProjection(codes, chosen) && codesMayVary(task, line, slots)) chosen = codes;
  const chunks = attempt({ ...chosen.options, chunks: true });
  if (chunks.hits.length > chosen.hits.length && sameProjection(chunks, chosen)) {
    if (addsAllowed(task, line, chosen, chunks)) chosen = chunks;
  }
  return chosen;
}

/** A code in front of the message ("STA-0110") is part of the template; a host name in a prefix is not. */
function codesMayVary(task: LineTask, line: string, slots: readonly Slot[]): boolean {
  const first = Math.min(...slots.map((slot) => slot.span.start), line.length);
  const mixed = tokenize(line).filter((token) => token.kind === "mixed" && token.end <= first);
  // A word in capitals in it that the page speaks of ("NET4.OPTION") says what kind of line it is.
  const isSaid = (text: string): boolean =>
    (text.match(/[A-Z]{4,}/g) ?? []).some((word) => task.stems.has(stem(word.toLowerCase())));
  return mixed.every((token) => !/^[A-Z]{2,}[-_]?\d+$/.test(token.text) && !isSaid(token.text));
}

/** A word behind a colon at the end of the line, where other lines have several words there: all of them are meant. */
export function endChoice(line: string, slots: readonly Slot[], best: Attempt, attempt: Attempts): Attempt {
  const slot = slots.find(({ span }) => span.end >= line.trimEnd().length);
  if (slot === undefined || !["word", "path", undefined].includes(slot.hint.kind)) return best;
  if (!/[:=]\s+$/.test(line.slice(0, slot.span.start)) || best.options.classes.has(slot.group)) return best;
  const wide = attempt({
    ...best.options,
    classes: new Map([...best.options.classes, [slot.group, "\\S.*"]]),
  });
  const longer = (wide.texts.get(slot.group) ?? []).some((text) => /\S\s+\S/.test(text.trim()));
  return longer ? wide : best;
}

/** A symbol that stands alone (a tick, a warning sign, a pointer) varies where the log has other ones. */
export function loosenSymbols(task: LineTask, line: string, best: Attempt, attempt: Attempts): Attempt {
  const tried = attempt({ ...best.options, symbols: true });
  const before = new Set(best.hits);
  const extra = tried.hits.filter((hit) => !before.has(hit)).map((hit) => task.lines[hit] ?? "");
  const fits =
    extra.length > 0 &&
    sameProjection(tried, best) &&
    extra.every((text) => allowed(task, text, line, tried.pattern));
  return fits ? tried : best;
}

/** A word beside the parts that other lines of the very same form have another word for, varies; unless the page
 * names it, for then it tells the wanted lines from the others. */
export function loosenWords(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  const fixed = tokenize(line).filter((token) => {
    const inPart = slots.some(({ span }) => token.start >= span.start && token.end <= span.end);
    return !inPart && token.kind === "word" && !chosen.options.loose.has(token.start);
  });
  // The first word says what kind of line it is, and a key names its part; two fixed words must be left.
  for (const token of fixed.slice(1)) {
    // "outside:10.0.0.1" for "the address without its interface": what is left out varies as well.
    const cutOff = slots.some(
      ({ span, hint }) => span.start === token.end + 1 && /\bwithout\b/i.test(hint.description),
    );
    if (fixed.length < 3 || (/^\s*[:=]/.test(line.slice(token.end)) && !cutOff)) continue;
    const inPart = slots.some(({ span }) => token.start >= span.start && token.end <= span.end);
    if (token.kind !== "word" || inPart || chosen.options.loose.has(token.start)) continue;
    if (task.stems.has(stem(token.text.toLowerCase()))) continue;
    // Levels and verdicts in capitals are what such lines are sorted by.
    if (/^[A-Z]{2,}$/.test(token.text)) continue;
    const tried = attempt({ ...chosen.options, loose: new Set([...chosen.options.loose, token.start]) });
    if (tried.hits.length <= chosen.hits.length || !sameProjection(tried, chosen)) continue;
    if (otherWords(task, line, chosen, tried) < 2) continue;
    if (addsAllowed(task, line, chosen, tried)) chosen = tried;
  }
  return chosen;
}

/** How many words the further lines have that the example has not. A single one ("accepted" for "refused") rather tells
 * two kinds of lines apart than shows that any word may stand there. */
function otherWords(task: LineTask, line: string, before: Attempt, after: Attempt): number {
  const own = new Set(line.match(/[A-Za-z]{2,}/g) ?? []);
  const known = new Set(before.hits);
  const words = after.hits
    .filter((hit) => !known.has(hit))
    .flatMap((hit) => task.lines[hit]?.match(/(?<![\w.-])[A-Za-z]{2,}(?![\w.-])/g) ?? []);
  return new Set(words.filter((word) => !own.has(word))).size;
}

/** A piece of letters and digits that is no part ("17-edge") is data: another one in other lines. */
export function loosenGlued(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  for (const match of line.matchAll(/(?<!\S)(?=\S*\d)(?=\S*[A-Za-z])[\w.-]+(?!\S)/g)) {
    const span = { start: match.index, end: match.index + match[0].length };
    const isPart = slots.some((slot) => slot.span.start < span.end && slot.span.end > span.start);
    const isSaid = task.said?.has(match[0]) === true || task.asked?.has(match[0]) === true;
    const words = wordsOf(match[0]).filter((word) => word.length > 2);
    // A code in capitals says what kind of line it is.
    if (isPart || isSaid || /^[A-Z]{2}/.test(match[0]) || words.some((word) => task.stems.has(stem(word))))
      continue;
    const tried = attempt({ ...chosen.options, pieces: [...(chosen.options.pieces ?? []), span] });
    if (tried.hits.length <= chosen.hits.length || !sameProjection(tried, chosen)) continue;
    if (stillNumbers(line, slots, tried) && addsAllowed(task, line, chosen, tried)) chosen = tried;
  }
  return chosen;
}

const CLAUSE =
  /^(?:while|when|during|because|due|by|in|at|on|from|for|after|before|with|via|through|since|until)$/i;

/** A clause that says more about a message ("while reading the header") is another one in other lines. */
export function loosenClauses(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  const inPart = (start: number, end: number): boolean =>
    slots.some(({ span }) => start < span.end && end > span.start);
  for (const match of line.matchAll(/[A-Za-z]+(?: [A-Za-z]+){2,}/g)) {
    const at = match[0].split(" ").findIndex((word) => CLAUSE.test(word));
    const words = match[0].split(" ").slice(Math.max(0, at));
    const start = match.index + match[0].length - words.join(" ").length;
    const end = match.index + match[0].length;
    if (at < 0 || words.length < 3 || inPart(start, end)) continue;
    // What comes before it has to tell the lines.
    const before = line.slice(0, start).match(/[A-Za-z]{3,}/g) ?? [];
    if (before.length < 3 || !/[,;:)]/.test(line.charAt(end))) continue;
    const tried = attempt({
      ...chosen.options,
      clauses: [...(chosen.options.clauses ?? []), { start, end }],
    });
    const known = new Set(chosen.hits);
    const extra = tried.hits.filter((hit) => !known.has(hit)).map((hit) => task.lines[hit] ?? "");
    if (extra.length === 0 || !sameProjection(tried, chosen)) continue;
    if (extra.every((text) => allowed(task, text, line, tried.pattern))) chosen = tried;
  }
  return chosen;
}

/** `wrong password for user 'bob'` and `unknown user 'bob'`: where the page lists the texts of a part, the words behind it go with one of
 * them, up to the mark in front of the next part. */
export function loosenBehindChoices(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  for (const { hint, span } of slots) {
    if (hint.choices.length < 2 || !hint.choices.some((one) => /\s/.test(one))) continue;
    if (!hint.choices.includes(line.slice(span.start, span.end))) continue;
    const next = Math.min(
      ...slots.filter((one) => one.span.start >= span.end).map((one) => one.span.start),
      line.length + 1,
    );
    const gap = /^(\s[A-Za-z ]*)[^\w\s]$/.exec(line.slice(span.end, next))?.[1];
    if (gap === undefined) continue;
    const clause = { start: span.end, end: span.end + gap.length };
    const tried = attempt({ ...chosen.options, clauses: [...(chosen.options.clauses ?? []), clause] });
    if (tried.hits.length <= chosen.hits.length || !sameProjection(tried, chosen)) continue;
    if (addsAllowed(task, line, chosen, tried, true)) chosen = tried;
  }
  return chosen;
}

/** Nothing but the places tells the parts of a line without fixed words: then the line ends where the example does. */
export function closeEnd(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  left: LeftOut[],
): Attempt {
  const last = slots.find(({ span }) => span.end >= line.trimEnd().length);
  if (last === undefined) return closeBrackets(task, line, slots, best);
  const fixed = tokenize(line).some(
    (token) =>
      token.kind === "word" && !slots.some(({ span }) => token.start >= span.start && token.end <= span.end),
  );
  if (fixed || !best.pattern.endsWith("\\S+)")) return best;
  const closed = runPattern(`${best.pattern}\\s*$`, slots, best.options, task.lines);
  if (closed.hits.length === 0 || closed.hits.length === best.hits.length) return best;
  const lost = best.hits
    .filter((hit) => !closed.hits.includes(hit))
    .map((hit) => task.lines[hit] ?? "")
    .filter((text) => !lacksEnding(task, text) && task.excluded?.(text) !== true);
  left.push({
    lines: lost,
    least: 1,
    say: (lines) =>
      `${RELATIVES}: lines that go on behind the last part are left out, e.g. ${lines[0]?.trim() ?? ""}`,
  });
  return closed;
}

/** "Too long (121/100) (line-too-long)": behind a text of any length only the end of the line says which brackets are meant,
 * where all lines end with them as the example does, and the texts that other brackets have are built otherwise. */
function closeBrackets(task: LineTask, line: string, slots: readonly Slot[], best: Attempt): Attempt {
  const end = Math.max(0, ...slots.map(({ span }) => span.end));
  const last = slots.find(({ span }) => span.end === end);
  if (
    last === undefined ||
    !/^[)\]}>"']\s*$/.test(line.slice(last.span.end)) ||
    !/\.\*\??\)/.test(best.pattern)
  )
    return best;
  if (!/\[\^\\?[)\]}>"']\][+*]\??\)\\?[)\]}>"']$/.test(best.pattern)) return best;
  const closed = runPattern(`${best.pattern}\\s*$`, slots, best.options, task.lines);
  if (closed.hits.length !== best.hits.length) return best;
  if (/\b(?:last|final|end)\b/i.test(last.hint.description)) return closed;
  const [open, shut] = [best, closed].map(({ pattern }) => {
    const regex = new RegExp(pattern);
    return best.hits.map((hit) => regex.exec(task.lines[hit] ?? "")?.groups?.[last.group] ?? "");
  });
  const kindOf = (text: string): string => [...new Set(formOf(text))].sort().join("");
  const shown = line.slice(last.span.start, last.span.end);
  const same = (open ?? []).filter((text, at) => text === shut?.[at]);
  const kinds = new Set([shown, ...same].map(kindOf));
  const known = (texts: readonly string[] = []): number =>
    texts.filter((text) => kinds.has(kindOf(text))).length;
  return known(shut) > known(open) ? closed : best;
}

/** The page asks for parts that begin or end in a text, and the line has none of those texts anywhere. */
function lacksEnding(task: LineTask, text: string): boolean {
  return (task.conditions ?? []).some(
    ({ negate, match, equals }) =>
      !negate && match !== undefined && !equals.some((one) => one !== "" && text.includes(one)),
  );
}
