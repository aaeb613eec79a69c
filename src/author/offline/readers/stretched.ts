// A rule for lines without the pieces that alone keep lines out: where nothing on the page rules these lines out, they are
// records like the others.

import { keptOut } from "../doubts/elastic.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule } from "../program/ir.ts";
import type { LeftOut } from "../templates/left-out.ts";
import { A_RELATIVE } from "./groups.ts";
import { leftOutDoubts } from "./lines.ts";

/** So many pieces are let go, one after the other. */
const MOST = 4;

/** A reading of single lines with what it leaves out. */
interface Reading {
  rule: LineRule;
  doubts: string[];
  confidence: number;
  left?: LeftOut[];
}

export interface StretchedRule {
  rule: LineRule;
  /** What was let go, in words. */
  notes: string[];
}

/** The rule that reads the lines as well which one piece of it keeps out; undefined where there are none. */
export function stretched(
  rule: LineRule,
  group: Group,
  page: Page,
  lines: readonly string[],
): StretchedRule | undefined {
  let own = rule;
  const notes: string[] = [];
  for (let step = 0; step < MOST; step += 1) {
    const found = keptOut(own, group, page, lines);
    if (found === undefined || !found.sure) break;
    const wider = withPattern(own, found.at, found.pattern, lines);
    if (wider === undefined) break;
    own = wider;
    notes.push(`Lines that only ${found.what} kept out are read as well`);
  }
  return notes.length === 0 ? undefined : { rule: own, notes };
}

/** The doubts of a reading about lines much like its own that the wider rule leaves, and the confidence without the others. */
export function withoutRead(reading: Reading, rule: LineRule): Pick<Reading, "doubts" | "confidence"> {
  const patternsOf = (one: LineRule): RegExp[] => one.alternatives.map(({ pattern }) => new RegExp(pattern));
  const left = reading.left ?? [];
  const before = new Set(leftOutDoubts(left, patternsOf(reading.rule)));
  const after = new Set(leftOutDoubts(left, patternsOf(rule)));
  const gone = [...before].filter((doubt) => reading.doubts.includes(doubt));
  return {
    doubts: [...reading.doubts.filter((doubt) => !before.has(doubt)), ...after],
    confidence: reading.confidence + A_RELATIVE * (gone.length - after.size),
  };
}

/** The rule with the wider expression in the place of the old one, or behind all others where it reads their lines
 * another way. */
function withPattern(
  rule: LineRule,
  at: number,
  pattern: string,
  lines: readonly string[],
): LineRule | undefined {
  const one = rule.alternatives[at];
  if (one === undefined) return undefined;
  const wider = { ...one, pattern };
  const before = textsOf(rule, lines);
  const all = [
    { ...rule, alternatives: rule.alternatives.with(at, wider) },
    { ...rule, alternatives: [...rule.alternatives, wider] },
  ];
  return all.find((candidate) => {
    const after = textsOf(candidate, lines);
    return [...before].every(([line, text]) => after.get(line) === text) && after.size > before.size;
  });
}

function textsOf(rule: LineRule, lines: readonly string[]): Map<number, string> {
  return new Map(
    interpretRule({ ...rule, filters: [] }, lines).map((one) => [
      one.line,
      JSON.stringify([one.value, one.fields]),
    ]),
  );
}
