// How sure the reading of a block is: parts that could stand elsewhere in it, lines of the block that the log does not
// have, an anchor that little tells from other lines.

import { stem, wordsOf } from "../../page/names.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { BlockRule, LineRule } from "../../program/ir.ts";
import type { Put } from "./distribute.ts";
import type { Reading, RecordCandidate } from "./index.ts";

type Lower = (by: number, doubt: string) => void;

/** The candidate with its doubts. */
export function judge(rule: LineRule | BlockRule, reading: Reading): RecordCandidate {
  const doubts: string[] = [];
  let confidence = 0.95;
  const lower: Lower = (by, doubt) => {
    confidence -= by;
    doubts.push(doubt);
  };
  for (const hint of reading.distribution.missing) {
    if (!hint.optional) lower(0.4, `no line of the example could be taken for ${hint.name}`);
  }
  if (reading.unread !== undefined && reading.anchor > reading.shown.context)
    lower(
      0.25,
      `which line of the example the page means as that of a record: ${reading.unread.slice(0, 80)}`,
    );
  for (const put of reading.distribution.puts) judgePart(put, reading, lower);
  const records = interpretRule(rule, reading.lines).length;
  const orphans = orphansOf(reading, rule);
  if (orphans > 0) lower(0.45, `${orphans} lines like the one with the value belong to no record`);
  if (isWeak(reading) && !isToldBelow(rule, reading))
    lower(0.4, "little in the expression tells the records from other lines");
  // Where the line right below tells the records, others that begin like them are none.
  const told = reading.found.get(reading.anchor + 1)?.follows === true;
  for (const doubt of told ? [] : new Set(reading.main.doubts)) lower(0.42, doubt);
  const unread = told || areTotals(reading) ? [] : unreadStarts(reading);
  if (unread.length > 0)
    lower(
      0.42,
      `${unread.length} lines that begin like the wanted ones are not read, e.g. ${unread[0]?.trim() ?? ""}`,
    );
  const stale = staleOf(reading, rule);
  if (stale !== undefined)
    lower(0.45, `a blank line sets a record apart from what stands above it: ${stale.trim()}`);
  const outside = outsideOf(reading, rule);
  if (outside !== undefined)
    lower(0.42, `a line like the items of the lists stands in none: ${outside.trim()}`);
  return {
    rule,
    confidence,
    reasons: [`${records} records follow the line of the example that records are numbered by`],
    doubts,
  };
}

function judgePart(put: Put, reading: Reading, lower: Lower): void {
  const { distribution, found, group, shown } = reading;
  const { hint } = put;
  const margin = distribution.margin.get(hint) ?? { by: 9, line: -1 };
  const line = found.get(put.line);
  const own = distribution.within.get(hint) ?? 9;
  if (line === undefined) {
    if (!hint.optional) lower(0.4, `no line of the log is like the example's line with ${hint.name}`);
    return;
  }
  // A further line of the same list is no other place.
  const alike = margin.line >= 0 && new RegExp(line.pattern).test(shown.lines[margin.line] ?? "");
  if (hint.optional) {
    if (Math.min(alike ? 9 : margin.by, own) < 0.3) lower(0.12, `another part could be ${hint.name} as well`);
    return;
  }
  if (margin.by < 0.3 && !alike)
    lower(0.3, `${hint.name} could stand on another line of the example as well`);
  if (own < 0.25) lower(0.4, `two readings of the line fit the page equally well (${hint.name})`);
  else if (own < 0.6 && hint === group.value)
    lower(0.4, "another part of the line could be the value nearly as well");
  else if (own < 0.6) lower(0.12, `another reading of the line fits nearly as well (${hint.name})`);
}

/** "- status: 7 - some step" and, seldom, "- status: done": lines without the mark between the parts are another thing. */
function areTotals({ main, distribution, anchor, shown }: Reading): boolean {
  const [first, second] = distribution.puts
    .filter((put) => put.line === anchor)
    .map(({ span }) => span)
    .sort((a, b) => a.start - b.start);
  if (first === undefined || second === undefined) return false;
  const mark = (shown.lines[anchor] ?? "").slice(first.end, second.start).trim();
  const unread = main.unread ?? [];
  return (
    /^[^\w\s]+$/.test(mark) &&
    unread.length <= main.hits.length * 0.1 &&
    unread.every((line) => !line.slice(first.start).includes(mark) && !/\d/.test(line.slice(first.start)))
  );
}

/** Lines that begin like the one of a record and are not read; of those below which nothing of the record stands, where
 * it does below all that are read, none is one. */
function unreadStarts({ main, found, anchor, lines }: Reading): string[] {
  const unread = new Set(main.unread ?? []);
  const below = [...found].filter(([at]) => at > anchor).flatMap(([, one]) => one.hits);
  if (unread.size === 0 || below.length === 0) return [...unread];
  const others = lines.flatMap((line, index) => (unread.has(line) ? [index] : []));
  const starts = [...main.hits, ...others].sort((a, b) => a - b);
  const goesOn = (at: number): boolean => {
    const end = starts.find((one) => one > at) ?? lines.length;
    return below.some((one) => one > at && one < end);
  };
  const complete = main.hits.filter(goesOn).length > main.hits.length * 0.8;
  return complete ? others.filter(goesOn).map((at) => lines[at] ?? "") : [...unread];
}

/** Lines with a value that no record took, when the value stands on another line than the record. What only repeats values
 * of records ("the first path once more, in detail") is none. */
function orphansOf(
  { found, distribution, group, anchor, wanted, lines, page, main }: Reading,
  rule: LineRule | BlockRule,
): number {
  const line = distribution.puts.find((put) => put.hint === group.value)?.line ?? anchor;
  const asked =
    wanted.length > 0 || rule.filters.length > 0 || (rule.kind === "block" && rule.required.length > 1);
  // "The function of the first `by` line": the others are none.
  const first = /\bfirst\b/i.test(group.value?.description ?? "");
  const own = found.get(line);
  if (line === anchor || asked || first || own === undefined) return 0;
  const records = interpretRule(rule, lines);
  const more = own.hits.length - records.length;
  const { value } = rule.kind === "block" ? rule.projection : { value: undefined };
  if (more <= 0 || value?.from !== "group") return Math.max(0, more);
  const known = new Set(records.map((one) => one.value));
  const regex = new RegExp(own.pattern);
  const fresh = own.hits.filter(
    (hit) => !known.has((regex.exec(lines[hit] ?? "")?.groups?.[value.group] ?? "").trim()),
  );
  // "Paths that are met are not wanted": the line that begins like that of a record says so.
  const opens = /^\s*\S+/.exec(main.example)?.[0] ?? "";
  const isOut = (hit: number): boolean => {
    const above = lines.slice(Math.max(0, hit - FAR), hit).findLast((text) => text.startsWith(`${opens} `));
    return above !== undefined && wordsOf(above).some((word) => page.unwantedStems.has(stem(word)));
  };
  return fresh.every(isOut) ? 0 : more;
}

/** How far above a line the first one of its record may be. */
const FAR = 40;

/** A record below a blank line that the block does not show between it and the line above it. */
function staleOf({ shown, anchor, found, lines }: Reading, rule: LineRule | BlockRule): string | undefined {
  const last = [...found.keys()].filter((at) => at < anchor).sort((a, b) => b - a)[0];
  const above = last === undefined ? undefined : found.get(last);
  if (last === undefined || above === undefined) return undefined;
  for (let at = last + 1; at <= anchor; at += 1) if (shown.gaps.has(at)) return undefined;
  const regex = new RegExp(above.pattern);
  return interpretRule(rule, lines).find((record) => {
    for (let at = record.line - 2; at >= 0 && !regex.test(lines[at] ?? ""); at -= 1)
      if ((lines[at] ?? "").trim() === "") return true;
    return false;
  })?.content;
}

/** A line like the items that no list has, where the page does not name the title of the list. */
function outsideOf({ main, shown, lines }: Reading, rule: LineRule | BlockRule): string | undefined {
  if (main.scope === undefined || shown.titles.size > 0 || shown.fixed.size > 0 || rule.kind !== "line")
    return undefined;
  const taken = new Set(interpretRule({ ...rule, filters: [] }, lines).map((one) => one.line));
  const item = new RegExp(main.pattern);
  return lines.find((line, index) => item.test(line) && !taken.has(index + 1));
}

/** Every record has a line of several parts, or with words of its own, below it: that tells it from other lines. */
function isToldBelow(rule: LineRule | BlockRule, { group, lines }: Reading): boolean {
  if (rule.kind !== "block") return false;
  const records = interpretRule(rule, lines);
  const needed = new Set(group.fields.flatMap(({ name, optional }) => (optional ? [] : [name])));
  const telling = (rule.inner ?? []).filter(({ pattern }) => {
    const groups = (pattern.match(/\(\?</g) ?? []).length;
    return groups > 2 || /[A-Za-z]{3,}/.test(pattern.replace(/\(\?<\w+>|\\[A-Za-z]|\[[^\]]*\]/g, " "));
  });
  return (
    records.length > 2 &&
    telling.some(({ pattern }) => {
      const names = rule.projection.fields.flatMap(({ name, source }) =>
        source.from === "group" && needed.has(name) && pattern.includes(`(?<${source.group}>`) ? [name] : [],
      );
      return (
        names.length > 0 && records.every(({ fields }) => names.every((name) => fields[name] !== undefined))
      );
    })
  );
}

/** No fixed word and few parts: such an expression matches lines of any kind. */
function isWeak({ main, distribution }: Reading): boolean {
  if (main.sure) return false;
  const fixed = main.pattern.replace(/\(\?<\w+>|\\[A-Za-z]|\[[^\]]*\]/g, " ");
  const groups = (main.pattern.match(/\(\?</g) ?? []).length;
  return !/[A-Za-z]{2,}/.test(fixed) && groups < 2 && distribution.puts.length > 1;
}
