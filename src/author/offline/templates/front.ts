// What stands in front of a message says who logged it, and differs with the way that the line took: through a syslog, a
// journal, with a level more or a source file less. Lines that are the same from the message on are of the same kind.

import { tokenize } from "../logs/tokens.ts";
import { stem } from "../page/names.ts";
import { type Attempt, type Attempts, sameProjection, stillNumbers } from "./attempt.ts";
import { allowed, isLeft, type LeftOut, RELATIVES } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";

/** The reading from the message on, where that reads more lines; else `best`, with the other lines as a doubt. */
export function frontChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
  left: LeftOut[],
): Attempt {
  if (task.single !== true || best.options.whole !== undefined) return best;
  const starts = [messageStart(line, slots), coreStart(task, line, slots)].filter((one) => one !== undefined);
  return [...new Set(starts)].reduce(
    (chosen, start) => fromStart(task, line, slots, chosen, attempt, left, start),
    best,
  );
}

function fromStart(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
  left: LeftOut[],
  start: number,
): Attempt {
  // "Only su": what logged it is asked for.
  const front = line.slice(0, start).match(/[A-Za-z][\w.-]*\w/g) ?? [];
  if (front.some((word) => task.onlyWords?.has(word) === true)) return best;
  const tried = attempt({ ...best.options, start });
  if (tried.hits.length <= best.hits.length) return best;
  if (
    sameProjection(tried, best) &&
    stillNumbers(line, slots, tried) &&
    messagesAllowed(task, line, start, best, tried)
  )
    return tried;
  const known = new Set(best.hits);
  const regex = new RegExp(tried.pattern);
  left.push({
    lines: tried.hits
      .filter((hit) => !known.has(hit))
      .map((hit) => task.lines[hit] ?? "")
      .filter((text) => !isOtherLevel(task, line.slice(0, start), text, regex)),
    least: 1,
    say: (lines) =>
      `${RELATIVES}: lines that differ only in what is in front of the message are left out, e.g. ${lines[0]?.trim() ?? ""}`,
  });
  return best;
}

/** Words in front of the message say nothing about it. */
function messagesAllowed(
  task: LineTask,
  line: string,
  start: number,
  best: Attempt,
  tried: Attempt,
): boolean {
  const known = new Set(best.hits);
  const regex = new RegExp(tried.pattern);
  return tried.hits.every((hit) => {
    const text = task.lines[hit] ?? "";
    if (!known.has(hit) && isOtherLevel(task, line.slice(0, start), text, regex)) return false;
    return (
      known.has(hit) ||
      isLeft(task, text, line) ||
      allowed(task, text.slice(regex.exec(text)?.index ?? 0), line.slice(start), tried.pattern)
    );
  });
}

const LEVELS =
  /\b(?:trace|debug|verbose|info(?:rmation)?|notes?|notice|hint|remark|warn(?:ing)?|err(?:or)?|crit(?:ical)?|alert|fatal|severe)\b/i;

/** "Warnings of the checker": has a line another level in front of its message than the one that the page speaks of? */
function isOtherLevel(task: LineTask, front: string, text: string, message: RegExp): boolean {
  const own = stem(LEVELS.exec(front)?.[0].toLowerCase() ?? "");
  const other = LEVELS.exec(text.slice(0, message.exec(text)?.index ?? 0))?.[0].toLowerCase();
  return (
    own !== "" && other !== undefined && stem(other) !== own && (task.wantedStems ?? task.stems).has(own)
  );
}

/** Where the message begins: behind the last colon or bracket in front of its first part, when enough words are left
 * to know it by. */
export function messageStart(line: string, slots: readonly Slot[]): number | undefined {
  const first = Math.min(line.length, ...slots.map(({ span }) => span.start));
  const borders = [...line.slice(0, first).matchAll(/[:\]>|]\s+(?=[A-Za-z])/g)];
  const last = borders.at(-1);
  if (last === undefined) return;
  const start = last.index + last[0].length;
  const words = tokenize(line).filter(
    (token) =>
      token.kind === "word" &&
      token.text.length > 1 &&
      token.start >= start &&
      !slots.some(({ span }) => token.start < span.end && token.end > span.start),
  );
  return words.filter((token) => token.end <= first).length >= 1 && words.length >= 3 ? start : undefined;
}

const LEVEL =
  /^(?:\[?(?:trace|debug|verbose|info(?:rmation)?|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|alert|emerg(?:ency)?|fatal|severe)\]?\b:?\s*)+/i;

/** Where what tells the line begins, when the level and who logged it are left out: at the first word in front of the
 * parts that is none of these, else at the bracket of the first part. The page has to speak of one of its words. */
function coreStart(task: LineTask, line: string, slots: readonly Slot[]): number | undefined {
  const first = Math.min(line.length, ...slots.map(({ span }) => span.start));
  const open = /[[({<"']$/.exec(line.slice(0, first))?.[0].length ?? 0;
  const front = line.slice(0, first - open);
  const border = [...front.matchAll(/[:\]>|]\s+/g)].at(-1);
  if (border === undefined) return;
  const from = border.index + border[0].length;
  const level = LEVEL.exec(front.slice(from))?.[0].length ?? 0;
  const start = from + level;
  const last = Math.max(...slots.map(({ span }) => span.end));
  const words = tokenize(line).filter(
    (token) =>
      token.kind === "word" &&
      token.text.length > 2 &&
      token.start >= start &&
      token.end <= last &&
      !slots.some(({ span }) => token.start < span.end && token.end > span.start),
  );
  const said = words.some((token) => task.stems.has(stem(token.text.toLowerCase())));
  return said && (words.length > 1 || (open > 0 && start === first - open)) ? start : undefined;
}

/** The host of a log prefix (time, host, program with colon) varies from line to line. */
export function prefixHost(line: string): number[] {
  const tokens = tokenize(line).filter((token) => token.kind !== "space");
  let at = 0;
  while (
    ["date", "time", "number"].includes(tokens[at]?.kind ?? "") ||
    /^[<>[\]]$/.test(tokens[at]?.text ?? "")
  )
    at += 1;
  const host = tokens[at];
  if (
    at === 0 ||
    host === undefined ||
    !/^\s+(?:[%\w./-]+(?:\[\d+\]|\(\w+\))?)?:(?:\s|$)/.test(line.slice(host.end))
  )
    return [];
  return [host.start];
}
