// On which line of a block the page places a part: "from the header above", "on the next line", "in the second line",
// "the text of the `STATEMENT:` line", "of the device" where one line begins with that word.

import { stem, wordsOf } from "../../page/names.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import { quotedIn } from "../../page/text.ts";
import type { Shown } from "./shown.ts";

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const ORDINAL =
  /\b(first|second|third|fourth|fifth|last|final|bottom)(?: (?:of the (?:two|three|four|five) )?lines?\b| (?:one|row|record)\b)/i;
const NUMBER = /\bline (?:number |no\.? ?)?([1-9])\b/i;
const NEXT =
  /\b(?:next|following|subsequent) (?:line|row|record|one)\b|\b(?:line|row) (?:right |directly |just )?(?:below|after|beneath|underneath|that follows|behind)\b|\b(?:below|beneath|underneath) it\b/i;
const BEFORE =
  /\b(?:previous|preceding|prior) (?:line|row|record|one)\b|\b(?:line|row|record) (?:right |directly |just )?(?:above|before|in front)\b/i;
const HEAD =
  /\b(?:head(?:er|ing|line)?s?|titles?|banners?|captions?|introduc\w*|(?:opening|starting|start|top) line|above|parents?|enclosing|surrounding|belongs? to|listed under|grouped under|(?:begin|start)s? the (?:block|record|entry|section|group))\b/i;

/** "As printed below its heading": not the heading. */
const BELOW_HEAD =
  /\b(?:below|under|beneath|underneath|behind|after|next to) (?:its|the|that|this|an?) (?:own )?(?:head\w*|titles?|key|label|name)\b/i;

/** How much the page speaks for each line of the block as the place of a part; 0 where it says nothing. `base` is the
 * line of the value or of the record, -1 where that is not known yet. */
export function lineCues(hint: Hint, block: Shown, base: number): (at: number) => number {
  const { lines, context } = block;
  const told = hint.description;
  const only = (wanted: (at: number) => boolean, score: number) => {
    const some = lines.some((_, at) => wanted(at));
    return some ? (at: number) => (wanted(at) ? score : -score) : () => 0;
  };
  if (
    told === "" ||
    BELOW_HEAD.test(told) ||
    /\b(?:of|in|on|within) (?:that|the same|this) line\b/i.test(told)
  )
    return () => 0;
  const named = linesNamed(told, lines);
  if (named.size > 0 && named.size < lines.length) return only((at) => named.has(at), 4);
  // "the first line of code below `Found:`" is counted from there.
  const from =
    /\blines?\b[^`"]{0,30}\b(?:below|under|beneath|underneath|after|behind|following)\b[^`"]{0,20}[`"]/i;
  if (from.test(told)) return () => 0;
  const order = ORDINAL.exec(told)?.[1]?.toLowerCase();
  const digit = NUMBER.exec(told)?.[1];
  if (order !== undefined || digit !== undefined) {
    const at =
      digit !== undefined
        ? context + Number(digit) - 1
        : /last|final|bottom/.test(order ?? "")
          ? lines.length - 1
          : context + ORDINALS.indexOf(order ?? "");
    return only((one) => one === at, 4);
  }
  if (NEXT.test(told)) return only((at) => at === Math.max(base, context) + 1, 4);
  if (BEFORE.test(told) && base > 0) return only((at) => at === base - 1, 3);
  if (HEAD.test(told)) {
    const heads = headsOf(lines, context);
    if (heads.size > 0 && heads.size < lines.length) return only((at) => heads.has(at), 3);
  }
  const owner = ownerLine(told, lines);
  return owner === undefined ? () => 0 : only((at) => at === owner, 2);
}

/** Lines that others hang on: quoted headings, the first one, and those that deeper lines stand below. */
function headsOf(lines: readonly string[], context: number): ReadonlySet<number> {
  const heads = new Set<number>();
  for (let at = 0; at < context; at += 1) heads.add(at);
  const depth = lines.map((line) => line.search(/\S/));
  if (heads.size === 0) heads.add(0);
  lines.forEach((_, at) => {
    if (context === 0 && at < lines.length - 1 && (depth[at + 1] ?? 0) > (depth[at] ?? 0)) heads.add(at);
  });
  return heads;
}

/** "the `Rss` line", "the line `State: up`", "the line that begins with Src", "the text behind `Reason:`". */
function linesNamed(told: string, lines: readonly string[]): ReadonlySet<number> {
  const texts = new Set<string>();
  for (const { text, start, end } of quotedIn(told)) {
    const before = told.slice(0, start);
    const after = told.slice(end);
    const isLine =
      /^[^\w`"]*(?:lines?|rows?|records?|entry|entries)\b/i.test(after) ||
      /\b(?:lines?|rows?|records?|entry)(?: (?:that |which )?(?:starts?|begins?|starting|beginning|opens?|with|of|for|called|marked|after|behind))*(?: with)? $/i.test(
        before,
      );
    if (isLine) texts.add(text.trim());
  }
  for (const match of told.matchAll(
    /\b(?:the|its|a) ([A-Z][\w-]*(?: [A-Z][\w-]*)*):? (?:line|row|record|entry)\b/g,
  ))
    texts.add(match[1] ?? "");
  for (const match of told.matchAll(/\b(?:the|its) ([a-z][\w-]{2,}) (?:line|row|record)\b/g)) {
    const word = match[1] ?? "";
    if (
      !/^(?:first|second|third|fourth|fifth|last|next|same|whole|following|previous|preceding|head|heading|header|title|start|opening|status)$/.test(
        word,
      )
    )
      texts.add(word);
  }
  const found = new Set<number>();
  for (const text of texts) {
    const exact = lines.flatMap((line, at) => (begins(line, text) ? [at] : []));
    const near = lines.flatMap((line, at) => (exact.length === 0 && holds(line, text) ? [at] : []));
    for (const at of [...exact, ...near]) found.add(at);
  }
  return found;
}

function begins(line: string, text: string): boolean {
  const own = line.replace(/^[^\p{L}\p{N}`"'<[(]+/u, "").toLowerCase();
  const wanted = text.toLowerCase();
  return own.startsWith(wanted) && !/^\w/.test(own.slice(wanted.length).replace(/^s\b/, ""));
}

function holds(line: string, text: string): boolean {
  const words = wordsOf(text).map(stem);
  const own = new Set(wordsOf(line).map(stem));
  return words.length > 0 && words.every((word) => own.has(word));
}

/** "(of the controller or device)": the only line that begins with one of these words. */
function ownerLine(told: string, lines: readonly string[]): number | undefined {
  const nouns = [
    ...told.matchAll(/\b(?:of|from) (?:the|its|each|every) ([a-z]+)(?: or (?:the )?([a-z]+))?/gi),
  ].flatMap((match) => [match[1] ?? "", match[2] ?? ""]);
  const wanted = new Set(
    nouns
      .filter((one) => one.length > 2 && !/^(?:line|row|record|block|end|part|text)s?$/.test(one))
      .map(stem),
  );
  const found = lines.flatMap((line, at) => {
    const first = /[A-Za-z]{3,}/.exec(line)?.[0].toLowerCase() ?? "";
    return wanted.has(stem(first)) ? [at] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** "One line per cell type", "each device on a line of its own": the value stands on the deepest line of the block. */
export function itemCue(group: Group, page: Page, block: Shown): (at: number) => number {
  const name = group.value?.name.replace(/_/g, " ") ?? "";
  const said = /^[^,.;(]*/.exec(group.value?.description ?? "")?.[0] ?? "";
  const words = new Set(wordsOf(`${name} ${said}`).map(stem));
  const depth = block.lines.map((line) => line.search(/\S/));
  const deepest = Math.max(...depth);
  const isTold = page.statements.some(({ sentences }) =>
    sentences.some(({ text }) => {
      const told =
        /\b(?:one|a|an own|its own) (?:line|row|entry) (?:per|for each|for every|each|to each) ((?:[\w-]+ ?){1,3})/i.exec(
          text,
        )?.[1] ??
        /\bone (?:item|record|entry) (?:per|for each|for every) ((?:[\w-]+ ){1,2}?)line\b/i.exec(text)?.[1] ??
        /\b(?:each|every) ((?:[\w-]+ ){1,3}?)(?:has|stands|is|comes|on|gets) (?:an? )?(?:on )?(?:an? )?(?:line|row)\b/i.exec(
          text,
        )?.[1];
      return (
        told !== undefined &&
        wordsOf(told)
          .map(stem)
          .some((word) => words.has(word))
      );
    }),
  );
  const uneven = depth.some((one) => one < deepest);
  return isTold && uneven ? (at) => (depth[at] === deepest ? 2 : -2) : () => 0;
}
