// How sure a reading by words is: is it this set of lines, all of it and nothing else, and is each part what the page
// means?

import type { Group, Hint, Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import { isBare } from "../described-doubts.ts";
import { kindOfText, regexOf } from "./recipes.ts";
import type { SetReading, WordedCandidate } from "./worded.ts";

const RELATION =
  /\b(?:between|inside|after the|before the (?!text\b|message\b|sentence\b)|behind the|up to|without the|following the)\b[^,;.)]*/i;
const REALISED =
  /^(?:after|before|by its brackets|begins with|up to the end|without|in front|at the end|with what|behind)/;

type Lower = (by: number, doubt: string) => void;

export function judge(
  best: SetReading,
  others: readonly SetReading[],
  group: Group,
  page: Page,
  lines: readonly string[],
): WordedCandidate {
  const doubts: string[] = [];
  let confidence = 0.9;
  const lower: Lower = (by, doubt) => {
    confidence -= by;
    doubts.push(doubt);
  };
  if (group.fields.length === 0)
    lower(0.25, "the page names no field that would tell the records from other lines");
  judgeSet(best, lines, lower);
  judgeRivals(best, others, lines, lower);
  judgeParts(best, group, lower);
  judgeKinds(best, group.value, lines, lower);
  const prose = page.statements.map((one) => one.text).join(" ");
  const plain = prose.replace(/\b(?:first|second|third|fourth|fifth|last) column\b/gi, "");
  if (/\b(?:columns|tables?|heading row|column (?:of|titles?|[A-Z]))\b/.test(plain))
    lower(0.35, "the page speaks of a table, and the lines were read one by one");
  return {
    rule: best.rule,
    confidence,
    reasons: [`${best.hits.length} lines have the words of the page (${best.set.why})`],
    doubts,
  };
}

/** Is it the whole set, and is it told by what happened? */
function judgeSet(best: SetReading, lines: readonly string[], lower: Lower): void {
  const { hits, set } = best;
  const first = (indices: readonly number[]): string => lines[indices[0] ?? 0]?.trim() ?? "";
  if (hits.length < 2) lower(0.35, "only one line fits");
  if (set.anchors.length === 0) lower(0.3, "no word of the page tells the lines");
  else if (!set.isTold) {
    const open = besides(best, lines);
    if (open.length > 0) lower(0.35, `${open.length} lines with all parts are left out, e.g. ${first(open)}`);
  }
  const taken = new Set(hits);
  const excluded = (index: number): boolean =>
    best.rule.unless.some((text) => lines[index]?.includes(text) === true);
  const left = set.indices.filter((index) => !taken.has(index) && !excluded(index));
  if (left.length > 0 && best.rule.filters.length === 0)
    lower(
      left.length > set.indices.length * 0.1 ? 0.35 : 0.12,
      `lines with the words of the page are left out, e.g. ${first(left)}`,
    );
}

/** Another set of lines that the page may mean as well, and that gives other records. */
function judgeRivals(
  best: SetReading,
  others: readonly SetReading[],
  lines: readonly string[],
  lower: Lower,
): void {
  const taken = new Set(best.hits);
  const own = signature(best, lines);
  const rival = others.find(
    (one) => best.score - one.score < 4 && signature(one, lines) !== own && !isPiece(one, best, lines),
  );
  if (rival === undefined) return;
  const apart = rival.hits.find((hit) => !taken.has(hit));
  const why =
    apart === undefined ? `${rival.hits.length} of ${best.hits.length} lines` : (lines[apart]?.trim() ?? "");
  // All lines of the form, where a word of the page tells some of them.
  const isWider = best.set.isTold && !rival.set.isTold && best.hits.every((hit) => rival.hits.includes(hit));
  if (best.score - rival.score < 2 && !isWider)
    lower(0.35, `other lines fit the page nearly as well: ${why}`);
  else lower(0.12, `other lines fit the page, too: ${why}`);
}

/** Some of the lines, read the same way, and told by nothing that the page says of what happened. */
function isPiece(one: SetReading, best: SetReading, lines: readonly string[]): boolean {
  if (one.set.isTold) return false;
  const own = new Set(signature(best, lines).split("\n"));
  return signature(one, lines)
    .split("\n")
    .every((record) => own.has(record));
}

/** Is each part what the page means? */
function judgeParts({ assignment, line }: SetReading, group: Group, lower: Lower): void {
  for (const { hint, span, score, why } of assignment.placed) {
    const text = line.slice(span.start, span.end);
    const isValue = hint === group.value;
    const told = RELATION.exec(hint.description)?.[0];
    if (told !== undefined && !why.some((one) => REALISED.test(one)) && !isBare(told, text))
      lower(isValue ? 0.35 : 0.15, `nothing in the line was found for "${told}" of ${hint.name}`);
    if (hint.optional) continue;
    const margin = assignment.margins.get(hint.name) ?? 0;
    if (score < 1) lower(0.2, `little speaks for the part taken as ${hint.name}`);
    if (isValue && margin < 0.5) lower(0.4, "another part of the line could be the value nearly as well");
    else if (margin < 0.3) lower(0.35, `two readings of the line fit the page equally well (${hint.name})`);
    else if (margin < 1)
      lower(0.12, `another reading of the line fits the page nearly as well (${hint.name})`);
  }
  for (const hint of assignment.missing.filter((one) => !one.optional))
    lower(0.4, `no part of the lines could be taken for ${hint.name}`);
}

/** A part that is an address, a number or the like in one line is so in all. */
function judgeKinds(best: SetReading, value: Hint | undefined, lines: readonly string[], lower: Lower): void {
  const records = interpretRule(best.rule, lines);
  for (const { hint, span } of best.assignment.placed) {
    const kind = kindOfText(best.line.slice(span.start, span.end));
    if (kind === undefined || kind === "mail") continue;
    const texts = records.map((one) => (hint === value ? one.value : (one.fields[hint.name] ?? "")));
    const odd = texts.find((text) => text !== "" && kindOfText(text) !== kind && !/^[-\d.,+%]+$/.test(text));
    if (odd !== undefined) lower(0.35, `the part ${hint.name} is of another kind in some lines: ${odd}`);
  }
}

/** Lines that have all required parts of a reading and are not read. */
function besides(best: SetReading, lines: readonly string[]): number[] {
  const taken = new Set(best.hits);
  const parts = [...best.carried].filter(([hint]) => !hint.optional).map(([, one]) => regexOf(one.recipe));
  return lines.flatMap((line, index) =>
    !taken.has(index) && line.trim() !== "" && parts.every((part) => part.test(line)) ? [index] : [],
  );
}

function signature(reading: SetReading, lines: readonly string[]): string {
  return interpretRule(reading.rule, lines)
    .map((one) => `${one.line}:${one.value}:${JSON.stringify(one.fields)}`)
    .join("\n");
}
