// Lines that begin like a record and have nothing of the record below them: headings, rulers, short lists of the same names.
// A record has the lines that the page shows, but for those that may be missing; what has none of them is another thing.

import { endsRecord, interpretRule } from "../../program/interpret.ts";
import type { BlockRule } from "../../program/ir.ts";

interface Part {
  field: string;
  group: string;
  /** The word that its line begins with, where it has one. */
  lead: RegExp | undefined;
  /** It stands right behind a key. */
  keyed: boolean;
}

/** The rule without such records, or as it is where there are none. `needed` are the fields that all records have. */
export function withoutStrangers(
  rule: BlockRule,
  needed: ReadonlySet<string>,
  lines: readonly string[],
): BlockRule {
  const parts = partsBelow(rule, needed);
  if (parts.length === 0) return rule;
  const records = interpretRule({ ...rule, filters: [] }, lines);
  const counts: number[] = [];
  const odd = records.map((record, index) => {
    const lacking = parts.filter(({ field }) => record.fields[field] === undefined);
    const most = lacking.length === parts.length || (lacking.length > 1 && lacking.length * 2 > parts.length);
    const below = lines.slice(record.line, (records[index + 1]?.line ?? lines.length + 1) - 1);
    const end = below.findIndex((line) => endsRecord(rule, record.content, line));
    const own = end < 0 ? below : below.slice(0, end);
    const deeper = own.filter((line) => line.search(/\S/) > record.content.search(/\S/)).length;
    if (lacking.length === 0) counts.push(deeper);
    if (lacking.length === 0 || !most) return false;
    // A record with as many lines as the others has them in another form.
    const usual = [...counts].sort((a, b) => a - b)[counts.length >> 1] ?? 0;
    if (lacking.some(({ keyed }) => !keyed) && deeper > 0 && deeper * 2 >= usual) return false;
    // A line with the words of a part that is not read is another form of it.
    return !lacking.some(({ lead }) => lead !== undefined && own.some((line) => lead.test(line)));
  });
  const strangers = odd.filter((one) => one).length;
  if (strangers === 0 || records.length - strangers < 2) return rule;
  const telling = parts.find(({ field }) =>
    records.every((record, index) => (record.fields[field] === undefined) === odd[index]),
  );
  return telling === undefined ? rule : { ...rule, required: [...rule.required, telling.group] };
}

/** The parts on further lines of a record that each has. */
function partsBelow({ inner, projection }: BlockRule, needed: ReadonlySet<string>): Part[] {
  return projection.fields.flatMap(({ name, source }) => {
    if (source.from !== "group" || !needed.has(name)) return [];
    const line = (inner ?? []).find(({ pattern }) => pattern.includes(`(?<${source.group}>`));
    if (line === undefined) return [];
    const front = line.pattern.slice(0, line.pattern.indexOf("(?<")).replace(/\\[A-Za-z]/g, " ");
    const word = /[A-Za-z][A-Za-z_-]+/.exec(front)?.[0];
    const lead = word === undefined ? undefined : new RegExp(`^[^A-Za-z]*${word}(?![\\w-])`);
    const keyed = /[A-Za-z)]\s*(?:\s\*)?[:=]\s*\*?\s*$/.test(front);
    return [{ field: name, group: source.group, lead, keyed }];
  });
}
