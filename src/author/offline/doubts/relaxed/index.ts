// What a stranger would see who puts the records beside the log: lines, rows and first lines much like those that are taken,
// which are not taken, and which no sentence of the page rules out. Each rule is relaxed at one place at a time;
// what it takes then is looked at.

import { interpretRule } from "../../program/interpret.ts";
import type { Extracted, LineAlternative, LineRule, Rule } from "../../program/ir.ts";
import { isTooFree } from "../../templates/effort.ts";
import { elsewhere } from "../gaps.ts";
import type { Judged } from "../index.ts";
import { opposedAlternatives } from "./alternatives.ts";
import { relaxedFrom, skipsLacking } from "./lines.ts";
import { neighbours } from "./neighbours.ts";
import { blankCells, leftInside } from "./rows.ts";
import { ruledOut } from "./ruled-out.ts";
import { droppedStarts } from "./starts.ts";

const LONGEST = 500;
/** What is left of an expression has to tell this much. */
const STRENGTH = 2;
/** More lines than so many for each record are of another kind. */
const MANY = 5;

/** What the rules take, and what they may have left out. */
interface Taken {
  texts: ReadonlySet<string>;
  /** Numbers of the lines. */
  lines: ReadonlySet<number>;
  isOut: (line: string) => boolean;
}

/** Doubts about what the rules together leave out. */
export function relaxed(rules: readonly Rule[], judged: Judged): string[] {
  const { whole, lines } = judged;
  const taken = takenBy(rules, judged);
  if (taken.lines.size === 0) return [];
  const doubts = rules.flatMap((rule) => {
    if (rule.kind === "line") return opposedAlternatives(rule, lines);
    if (rule.kind === "tree") return [];
    if (rule.kind === "block") {
      const left = droppedStarts(rule, taken.lines, whole, lines, taken.isOut);
      return say(left, "records are begun and left out for a part");
    }
    const blank = skipsLacking(whole) ? [] : blankCells(rule, taken.lines, lines);
    const left = [...leftInside(rule, taken.lines, lines), ...blank].filter(
      ({ content }) => !taken.isOut(content),
    );
    return left.length > taken.lines.size * MANY
      ? []
      : say(left, "lines of the table are no rows for the rule");
  });
  if (doubts.length > 0) return doubts;
  return [...besides(rules, taken, judged), ...leftLines(rules, taken, judged)].slice(0, 1);
}

function takenBy(rules: readonly Rule[], { group, whole, lines }: Judged): Taken {
  const records = rules.flatMap((rule) => interpretRule(free(rule), lines));
  const texts = new Set(records.map(({ content }) => content));
  return {
    texts,
    lines: new Set(records.map(({ line }) => line)),
    isOut: ruledOut(group, whole, texts),
  };
}

function say(left: readonly { content: string }[], what: string): string[] {
  const [first] = left;
  return first === undefined ? [] : [`${left.length} ${what}, e.g. ${first.content.trim()}`];
}

/** A rule without its conditions. */
function free(rule: Rule): Rule {
  return "unless" in rule ? { ...rule, filters: [], unless: [] } : { ...rule, filters: [] };
}

/** Lines among the records, where no word of a message tells which are meant. */
function besides(rules: readonly Rule[], taken: Taken, { whole, lines }: Judged): string[] {
  const isRows = rules.every(
    (rule) =>
      rule.kind === "table" ||
      (rule.kind === "line" && rule.alternatives.every(({ pattern }) => !hasWords(pattern))),
  );
  if (!isRows) return [];
  const isOpen = (line: string): boolean => !taken.texts.has(line) && !taken.isOut(line);
  const left = neighbours(taken.lines, lines, whole, isOpen);
  return say(
    left.map((content) => ({ content })),
    "lines among the records are built like them and not taken",
  );
}

function hasWords(pattern: string): boolean {
  return /[A-Za-z]{3}/.test(pattern.replace(/\(\?<\w+>|\[[^\]]*\]|\\\w/g, " "));
}

/** One place of one rule that leaves lines out. */
interface Kept {
  rule: number;
  wider: LineAlternative;
  what: string;
  left: readonly Extracted[];
}

/** Lines that a rule for lines leaves out for one place of its expression. */
function leftLines(rules: readonly Rule[], taken: Taken, judged: Judged): string[] {
  const [first] = keptOut(rules, taken, judged);
  return first === undefined ? [] : say(first.left, `${BUT_FOR} ${first.what}`);
}

const BUT_FOR = "lines differ from the records only in";
/** What is left of an expression has to tell so much to take the lines, and these are at most so many for each record. */
const SURE = 6;
const SOME = 0.5;

/** The rules with further expressions for the lines that only one place of theirs keeps out, where this is all there is to
 * doubt and the page shows what a record looks like. */
export function widened(
  rules: readonly Rule[],
  doubts: readonly string[],
  judged: Judged,
): LineRule[] | undefined {
  const [only, ...more] = doubts;
  if (only?.includes(` ${BUT_FOR} `) !== true || more.length > 0 || judged.group.examples.length === 0)
    return;
  const found = keptOut(rules, takenBy(rules, judged), judged, SURE, SOME);
  const own = rules.filter((rule): rule is LineRule => rule.kind === "line");
  if (found.length === 0 || own.length < rules.length) return;
  return own.map((rule, index) => ({
    ...rule,
    alternatives: [
      ...rule.alternatives,
      ...found.flatMap((one) => (one.rule === index ? [one.wider] : [])).slice(0, 1),
    ],
  }));
}

function keptOut(
  rules: readonly Rule[],
  taken: Taken,
  { whole, lines }: Judged,
  strong = STRENGTH,
  many = MANY,
): Kept[] {
  const own = rules.filter((rule): rule is LineRule => rule.kind === "line");
  if (own.length < rules.length) return [];
  const numbers = [...taken.lines].sort((a, b) => a - b);
  const open = [...new Set(lines)].filter(
    (line) => line.length <= LONGEST && line.trim() !== "" && !taken.texts.has(line),
  );
  const found: Kept[] = [];
  for (const [index, rule] of own.entries()) {
    for (const one of rule.alternatives) {
      for (const { what, pattern, strength } of relaxedFrom(one.pattern, whole)) {
        if (strength < strong || isTooFree(pattern, open)) continue;
        const regex = new RegExp(pattern);
        const more = open.filter((line) => regex.test(line) && !taken.isOut(line));
        if (more.length === 0) continue;
        const isMore = new Set(more);
        const read = interpretRule({ ...rule, alternatives: [{ ...one, pattern }] }, lines).filter(
          ({ content }) => isMore.has(content),
        );
        // Lines that stand together in a place of their own are another list.
        const apart = elsewhere(numbers, read, lines);
        const left = read.filter(({ line }) => !apart.has(line));
        if (left.length > 0 && left.length <= taken.texts.size * many)
          found.push({ rule: index, wider: { ...one, pattern, example: more[0] ?? "" }, what, left });
      }
    }
  }
  return found;
}
