// The text behind the last part of a line: how much of it tells the wanted lines from others.

import { tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { quotedIn } from "../page/text.ts";
import { type Attempt, type Attempts, sameProjection } from "./attempt.ts";
import { addsAllowed, isLeft, isNamed, type LeftOut, RELATIVES } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";

/** Keep the text behind the last part, or not? It stays when it tells wanted lines from others. */
export function tailChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
  left: LeftOut[],
): Attempt {
  if (!best.options.tail) return best;
  const last = Math.max(0, ...slots.map((slot) => slot.span.end));
  const tail = line.slice(last);
  if (tail.trim() === "" || slots.length === 0) return best;
  const without = attempt({ ...best.options, tail: false });
  if (!sameProjection(without, best)) return best;
  const words = tokenize(tail).filter((token) => token.kind === "word" && token.text.length > 2);
  if (without.hits.length === best.hits.length) {
    const told = toldEnd(task, line, last);
    return words.length > 6 ? without : (shortened(task, line, best, attempt, last, told) ?? best);
  }
  const upTo = attempt({ ...best.options, tail: true, tailEnd: last + tellingEnd(task, tail) });
  if (upTo.hits.length < without.hits.length && upTo.hits.length >= best.hits.length) return upTo;
  if (/^[^\w]*[\w.-]+=/.test(tail)) return without;
  if (task.real && !words.some((token) => task.stems.has(stem(token.text.toLowerCase())))) return without;
  // "the path, without ` (old)`" names the text behind the part as well.
  const named = [task.value, ...task.fields].some((hint) =>
    quotedIn(hint?.description ?? "").some(
      ({ text }) => text.trim().length > 1 && tail.includes(text.trim()),
    ),
  );
  const asked = tokenize(tail).some((token) => task.asked?.has(token.text));
  const told = toldEnd(task, line, last);
  const upToTold = !asked && !named ? shortened(task, line, best, attempt, last, told) : undefined;
  if (upToTold !== undefined) return upToTold;
  const mentioned = asked || named || told > last;
  const upToTail = new RegExp(without.pattern);
  const tails = new Set(without.hits.map((hit) => tailShape(task.lines[hit] ?? "", upToTail)));
  // Numbers with their units, and marks, tell nothing of the kind of line.
  const bare = (text: string): boolean => !/[A-Za-z]{4}|[A-Z]{2}/.test(text);
  const open = without.hits.filter((hit) => !best.hits.includes(hit)).map((hit) => task.lines[hit] ?? "");
  const isData =
    !mentioned &&
    /\d/.test(tail) &&
    bare(tail) &&
    [...tails].every(bare) &&
    open.every((text) => !isNamed(task, text, without.pattern));
  if (isData) return without;
  const long = tokenize(tail).filter((token) => token.kind !== "space").length > 6;
  if (mentioned || (tails.size <= 3 && !long)) {
    // A mark in capitals is put there to tell lines apart.
    if (!mentioned && !/^\W*[A-Z]{2,}\W*$/.test(tail.replace(/^\s*\w{1,4}\b(?=\s)/, "")))
      left.push({
        lines: without.hits.filter((hit) => !best.hits.includes(hit)).map((hit) => task.lines[hit] ?? ""),
        least: 1,
        say: () => `${RELATIVES}: lines like the example but for "${tail.trim()}" are left out`,
      });
    return best;
  }
  // Lines that the page rules out by a text that it quotes or a claim are left out later on.
  const telling = withoutSeen(task, best);
  const unwanted = open.some(
    (text) => isNamed(telling, withoutNames(text, upToTail), without.pattern) && !isLeft(task, text, line),
  );
  if (unwanted) return best;
  const head = headOfTails(task, tail, without, upToTail);
  const kept = head === 0 ? undefined : attempt({ ...best.options, tail: true, tailEnd: last + head });
  return kept !== undefined && sameProjection(kept, best) ? kept : without;
}

/** Where the label right behind the parts ends, when lines that have it go on in several ways and others have another one: it
 * tells kinds of lines apart. 0 where it does not. */
function headOfTails(task: LineTask, tail: string, without: Attempt, parts: RegExp): number {
  const head = /^[^\p{L}\p{N}]*(\p{L}{3,})(?=:\s)/u.exec(tail);
  const word = head?.[1];
  if (head === null || word === undefined) return 0;
  const own = new Set([tail.replace(/\d+/g, "9").trim()]);
  let others = 0;
  for (const hit of without.hits) {
    const text = task.lines[hit] ?? "";
    const match = parts.exec(text);
    const rest = text.slice((match?.index ?? 0) + (match?.[0].length ?? 0)).replace(/\d+/g, "9");
    if (/^[^\p{L}\p{N}]*(\p{L}+)/u.exec(rest)?.[1] === word) own.add(rest.trim());
    else others += 1;
  }
  return own.size > 2 && others > 0 ? head[0].length : 0;
}

/** A word inside a name ("WebKit") behind the parts is no word of the message. */
function withoutNames(text: string, parts: RegExp): string {
  const match = parts.exec(text);
  const end = (match?.index ?? 0) + (match?.[0].length ?? 0);
  return text.slice(0, end) + text.slice(end).replace(/\b[A-Za-z]*[a-z][A-Z]\w*/g, " ");
}

/** Words that many of the lines read already have tell no unwanted ones. */
function withoutSeen(task: LineTask, best: Attempt): LineTask {
  const counts = new Map<string, number>();
  for (const hit of best.hits.slice(0, 200))
    for (const one of new Set(wordsOf(task.lines[hit] ?? "").map(stem)))
      counts.set(one, (counts.get(one) ?? 0) + 1);
  const often = Math.max(1, Math.min(200, best.hits.length) * 0.2);
  return {
    ...task,
    unwantedStems: new Set([...(task.unwantedStems ?? [])].filter((one) => (counts.get(one) ?? 0) < often)),
  };
}

/** Where the words behind the parts end that the page speaks of and that are not said in front of them already; `last`
 * where there are none. */
function toldEnd(task: LineTask, line: string, last: number): number {
  const known = new Set(wordsOf(line.slice(0, last)).map(stem));
  let end = last;
  for (const token of tokenize(line)) {
    if (token.start < last || token.kind !== "word" || token.text.length < 3) continue;
    const own = stem(token.text.toLowerCase());
    if (task.stems.has(own) && !known.has(own)) end = token.end;
    known.add(own);
  }
  return end;
}

/** The reading up to these words, where further ones follow them that tell nothing. */
function shortened(
  task: LineTask,
  line: string,
  best: Attempt,
  attempt: Attempts,
  last: number,
  told: number,
): Attempt | undefined {
  const rest = tokenize(line).some((token) => token.kind === "word" && token.start >= told);
  if (told === last || !rest) return;
  const tried = attempt({ ...best.options, tail: true, tailEnd: told });
  const same = tried.hits.length === best.hits.length;
  return sameProjection(tried, best) && (same || addsAllowed(task, line, best, tried)) ? tried : undefined;
}

/** Up to where the text behind the parts is what the page sorts the lines by: pairs whose text it names, and levels
 * and verdicts in capitals. */
function tellingEnd(task: LineTask, tail: string): number {
  let end = 0;
  for (const token of tokenize(tail)) {
    if (token.kind !== "word") continue;
    const named = task.stems.has(stem(token.text.toLowerCase()));
    const pair = /[\w.-]=["']?$/.test(tail.slice(0, token.start));
    if ((pair && named) || (named && /^[A-Z]{2,}$/.test(token.text))) end = token.end;
  }
  return end;
}

/** What stands behind the parts of a line, numbers aside. */
function tailShape(line: string, parts: RegExp): string {
  const match = parts.exec(line);
  return line.slice((match?.index ?? 0) + (match?.[0].length ?? 0)).replace(/\d+/g, "9");
}
