// The lines of an example of several lines, and which of them records are numbered by.

import { escapeRegex } from "../../escape.ts";
import { tokenize } from "../../logs/tokens.ts";
import { isPlaceholder } from "../../page/examples.ts";
import { likeness } from "../../page/names.ts";
import type { Example, Group, Page } from "../../page/page.ts";
import { bare, quotedIn } from "../../page/text.ts";
import { labelOf } from "../families.ts";
import { fixedLines } from "./fixed-lines.ts";
import { firstRecord } from "./repeats.ts";

/** The lines that the page shows, without rulers and marks for lines left out. */
export interface Shown {
  lines: string[];
  /** Where the lines stand in the block, rulers counted. */
  offsets: readonly number[];
  /** Indices of lines in front of which the page leaves some out, or a blank one stands. */
  gaps: ReadonlySet<number>;
  /** Indices of lines of which the page shows several one below the other, the first of each run. */
  repeated: ReadonlySet<number>;
  /** How many lines in front are headings that the page quotes outside the block. */
  context: number;
  /** The labels of lines, and where the text behind them starts. */
  labels: readonly (Label | undefined)[];
  /** Indices of lines that the page calls the title of what stands below them, or lines that are not wanted. */
  titles: ReadonlySet<number>;
  /** Indices of titles and heading rows that stand in the log just so. */
  fixed: ReadonlySet<number>;
}

export interface Label {
  name: string;
  /** Offset of the text that it names. */
  from: number;
  /** End of the text, where the label stands behind it ("0.41 source latency"). */
  to?: number;
}

const MAX_SHOWN = 30;
const ELLIPSIS = /^[\s.…]+$/;

/** The lines of the examples, when a block of several lines is among them. */
export function shownLines(group: Group, page: Page, log: readonly string[]): Shown {
  const blocks = group.examples.filter((one) => one.mark === "block");
  const used = blocks.some((one) => one.lines.length > 1) ? group.examples : [];
  const above =
    used.length === 0
      ? []
      : contextLines(
          page,
          blocks.flatMap((one) => one.lines),
          log,
        );
  const inBlocks = new Set(blocks.flatMap((one) => one.lines.map((line) => line.trim())));
  above.push(...inFront(page, used, log).filter((line) => !above.includes(line) && !inBlocks.has(line)));
  const lines: string[] = [...above];
  const gaps = new Set<number>(above.keys());
  const offsets: number[] = above.map((_, at) => at - 1000);
  let offset = 0;
  const isFurther = ({ lines: [first = ""], mark }: Example): boolean =>
    mark === "block" || !(above.includes(first) || inBlocks.has(first.trim()));
  for (const example of used.filter(isFurther)) {
    gaps.add(lines.length);
    for (const line of example.lines) {
      offset += 1;
      if (line.trim() === "" || ELLIPSIS.test(line)) gaps.add(lines.length);
      else if (/[\p{L}\p{N}]/u.test(line) && lines.length < MAX_SHOWN) {
        lines.push(line);
        offsets.push(offset);
      }
    }
  }
  const read = withRuns({ lines, gaps, offsets }, above.length, group, page);
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  return {
    ...read,
    fixed: fixedLines(read.lines, hints, log),
    labels: read.labels.map((label, at) => realLabel(label, read.lines[at] ?? "", log)),
  };
}

/** "en7: flags=1<UP> mtu 1500": what the log never has in front of the colon, but other texts of which the rest goes on in the
 * same way, is the name of a thing and no label. */
function realLabel(label: Label | undefined, line: string, log: readonly string[]): Label | undefined {
  if (label === undefined || label.to !== undefined) return label;
  const [, lead = "", key = ""] =
    /^\s*(\S+?):\s+([A-Za-z][\w-]*[=:]|[A-Za-z][\w-]{2,}(?= ))/.exec(line) ?? [];
  if (lead === "" || lead !== label.name || !/[\d/_-]/.test(lead)) return label;
  const form = new RegExp(`^\\s*(\\S+?):\\s+${escapeRegex(key)}`);
  const names = new Set(log.flatMap((text) => form.exec(text)?.[1] ?? []));
  return names.size > 1 && !log.some((text) => text.trimStart().startsWith(`${lead}:`)) ? undefined : label;
}

/** Lines that the sentences right in front of the block quote ("each set (`SET a` to `END SET`) lists blocks:"), where the
 * log has lines that begin so. */
function inFront(page: Page, used: readonly Example[], log: readonly string[]): string[] {
  const single = new Set(used.flatMap((one) => (one.lines.length === 1 ? one.lines : [])));
  return page.statements
    .filter(({ blocks }) => blocks.some((lines) => lines.length > 1))
    .flatMap(({ quoted }) => quoted.map(({ text }) => text))
    .filter((text) => single.has(text))
    .filter((text) => {
      const start = text.trim().split(/\s+/)[0] ?? "";
      return /[A-Za-z]{2}/.test(start) && log.some((line) => line.trimStart().startsWith(`${start} `));
    });
}

const HEADS =
  /\b(?:head(?:er|ing|line|ed)?s?|titles?|titled|banners?|introduc\w*|preced\w*|opens?|opened|(?:starts?|begins?) with|above|in front)\b/i;

/** Lines that the page quotes as standing above its block ("every module has a header `=== x ===`"), and the log has. */
function contextLines(page: Page, block: readonly string[], log: readonly string[]): string[] {
  const found: string[] = [];
  for (const { sentences } of page.statements) {
    for (const { text } of sentences) {
      if (!HEADS.test(bare(text))) continue;
      for (const span of quotedIn(text)) {
        const line = span.text.trim();
        const words = line.split(/\s+/).length;
        if (
          span.mark !== "code" ||
          words < 2 ||
          words > 8 ||
          isPlaceholder(line) ||
          block.some((one) => one.includes(line))
        )
          continue;
        const form = new RegExp(
          `^\\s*${tokenize(line)
            .map((token) =>
              token.kind === "punct" ? escapeRegex(token.text) : token.kind === "space" ? "\\s+" : "\\S+",
            )
            .join("")
            .replace(/(?:\\S\+){2,}/g, "\\S+")}\\s*$`,
        );
        const marked = /^[^\w\s]|[:=]|[^\w\s]$/.test(line);
        const like = log.filter((one) => form.test(one) && !block.includes(one));
        if (marked && like.length > 0 && !found.includes(line)) found.push(line);
      }
    }
  }
  return found.slice(0, 3);
}

/** The block with only the first of several lines of one list, and what the page calls titles. */
function withRuns(
  shown: Pick<Shown, "lines" | "gaps" | "offsets">,
  context: number,
  group: Group,
  page: Page,
): Omit<Shown, "fixed"> {
  const lines: string[] = [];
  const gaps = new Set<number>();
  const offsets: number[] = [];
  const repeated = new Set<number>();
  for (const [at, line] of shown.lines.entries()) {
    const before = shown.lines[at - 1];
    if (before !== undefined && !shown.gaps.has(at) && isItemBelow(before, line, group)) {
      repeated.add(lines.length - 1);
      continue;
    }
    if (shown.gaps.has(at)) gaps.add(lines.length);
    lines.push(line);
    offsets.push(shown.offsets[at] ?? 0);
  }
  lines.splice(firstRecord(lines, context, group));
  const told = [...page.statements, ...page.sourceStatements].map((one) => one.text).join("\n");
  const titles = lines.flatMap((line, at) =>
    at < lines.length - 1 && (isTitle(line, told) || isUnwanted(line, page)) ? [at] : [],
  );
  return {
    lines,
    offsets,
    gaps,
    repeated,
    context,
    titles: new Set(titles),
    labels: labelsOf(lines, group),
  };
}

/** Lines of one list: as deep, without a label, and built alike. */
function isItemBelow(before: string, line: string, group: Group): boolean {
  const indent = line.search(/\S/);
  // Numbers are set flush right.
  if (
    before.search(/\S/) !== indent &&
    (edgeOf(line) < 0 || edgeOf(before) !== edgeOf(line) || !isBuiltAlike(before, line))
  )
    return false;
  if (isBuiltAlike(before, line) && ![before, line].every((one) => isNamed(one, group))) return true;
  if (indent === 0) return false;
  const label = labelOf(line);
  if (isRowBelow(before, line)) return true;
  if (formOf(before) === formOf(line) || (label !== undefined && label === labelOf(before))) return true;
  const isName = (text: string): boolean => /^[A-Za-z]\S*[\d/_[]\S*(?:\s|$)/.test(text.trim());
  return labelOf(before) === undefined && labelOf(line) === undefined && isName(before) && isName(line);
}

/** "size tiny  120 ns" and "size small  90 ns": the same first word, and words and numbers in the same places. */
function isRowBelow(before: string, line: string): boolean {
  const shape = (text: string): string[] =>
    text
      .trim()
      .split(/\s+/)
      .map((word, at) => (at === 0 || !/^[A-Za-z]+$/.test(word) ? word.replace(/\d+(?:\.\d+)*/g, "9") : "w"));
  const [one, other] = [shape(before), shape(line)];
  return one.length > 2 && one.some((word) => /^[-+]?9/.test(word)) && one.join(" ") === other.join(" ");
}

/** Where the number ends that a line begins with. */
function edgeOf(line: string): number {
  return /^\s+\d+(?!\w)/.exec(line)?.[0].length ?? -1;
}

const FIRST = 6;

/** Do two lines begin with the same kinds of tokens, two numbers among them ("W: 25, 100: ...")? */
function isBuiltAlike(before: string, line: string): boolean {
  const kinds = (text: string): string[] =>
    tokenize(text.trim())
      .filter((token) => token.kind !== "space")
      .slice(0, FIRST)
      .map((token) => (token.kind !== "punct" ? token.kind : token.text > "\u2000" ? "*" : token.text));
  const [first, second] = [kinds(before), kinds(line)];
  const numbers = second.filter((kind) => kind === "number").length;
  return numbers > 1 && second.length === FIRST && first.join(" ") === second.join(" ");
}

/** Is the label of the line the name of a part? */
function isNamed(line: string, group: Group): boolean {
  const label = labelOf(line);
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  return label !== undefined && hints.some((hint) => likeness(hint, label) >= 0.75);
}

/** Words without digits stay, names and numbers are alike. */
function formOf(line: string): string {
  return line
    .trim()
    .replace(/\S+/g, (chunk) =>
      /^\W*[A-Za-z-]+\W*$/.test(chunk) ? chunk : /[A-Za-z]/.test(chunk) ? "w" : chunk,
    )
    .replace(/\d+(?:\.\d+)*/g, "9")
    .replace(/\s+/g, " ");
}

const SENTENCE = /^(\s*[A-Za-z][\w-]*(?: [\w-]+){0,3}?) (?:is|are) (?=\S)/;

const WORD = /^(\s+[A-Za-z][\w.-]*)\s+(?=\S)/;
const BEHIND = /^(\s*)([-+]?\d[\d.,]*)\s+([A-Za-z][\w-]*(?: [A-Za-z][\w-]*)?)(?=\s|$)/;

/** What stands in front of a colon, an equals sign, a row of dots, two blanks, or "is" where several lines have it; the
 * first word of settings, and the words behind a number, where several of them are names of parts. */
function labelsOf(lines: readonly string[], group: Group): (Label | undefined)[] {
  const sentences = lines.filter((line) => SENTENCE.test(line)).length > 1;
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  const isName = (text: string): boolean => hints.some((hint) => likeness(hint, text) >= 0.75);
  const words = lines.filter((line) => isName((WORD.exec(line)?.[1] ?? "").trim())).length > 1;
  const behind = lines.filter((line) => isName(BEHIND.exec(line)?.[3] ?? "")).length > 1;
  return lines.map((line) => {
    const number = behind ? BEHIND.exec(line) : null;
    if (number !== null) {
      const from = number[1]?.length ?? 0;
      return { name: number[3] ?? "", from, to: from + (number[2]?.length ?? 0) };
    }
    const name = labelOf(line) ?? labelOf(line.replace(/^\s*[#*>-]+\s*/, ""));
    const found =
      (name === undefined ? null : /^[^:=]*[:=]\s*/.exec(line)) ??
      (sentences ? SENTENCE.exec(line) : null) ??
      /^(\s*[A-Za-z][\w-]*(?: [\w-]+){0,3})\s{2,}/.exec(line) ??
      (words ? WORD.exec(line) : null);
    // A heading that ends in a colon has no text behind it.
    if (found === null || line.slice(found[0].length).trim() === "") return undefined;
    const text = (name ?? found[1] ?? "").replace(/[\s.]+$/, "").trim();
    return text === "" ? undefined : { name: text, from: found[0].length };
  });
}

function isUnwanted(line: string, page: Page): boolean {
  return page.unwanted.some((text) => {
    const start = text.replace(/\s*(?:\.\.\.|…)\s*$/, "");
    return start.length > 3 && line.trim().startsWith(start);
  });
}

/** Does the page say that something stands below a line with these words? */
function isTitle(line: string, prose: string): boolean {
  const text = (labelOf(line) ?? line).trim();
  if (!/[A-Za-z]{3}/.test(text)) return false;
  const told = new RegExp(
    `\\b(?:below|under|beneath|underneath|after|following|list(?:ed)? (?:in|at)) (?:the )?(?:line|key|heading|title|label|row|word)?s? ?["\u2018\u201c'\`]?${escapeRegex(text)}`,
    "i",
  );
  return told.test(prose);
}
