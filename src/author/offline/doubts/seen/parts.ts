// The records of a kind as a stranger reads them: for each part of the page its texts one below the other, each with the
// line that it was read from, and what the same rules read from the page's own example.

import type { Group, Hint } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { BlockRule, Extracted, Rule } from "../../program/ir.ts";

/** Something odd about a part, as a doubt says it. */
export interface Sign {
  part: Part;
  says: string;
  /** Only some of its texts are odd: the part is the right one, and its border is wrong. */
  some?: boolean;
}

/** One text of a part. */
export interface Text {
  text: string;
  /** The line of the record. */
  host: string;
  /** Which record it belongs to. */
  record: number;
  /** It was read from another line, which is not known. */
  elsewhere?: true;
}

/** A value or field with all its texts. */
export interface Part {
  hint: Hint;
  /** As the doubts call it. */
  name: string;
  isValue: boolean;
  /** It is read from lines above the records. */
  isAbove: boolean;
  /** Of all records that have it. */
  texts: Text[];
  /** What stands for nothing left out. */
  filled: Text[];
  /** What the rules read from the lines that the page shows. */
  shown: Text[];
}

export interface Seen {
  parts: Part[];
  /** Records that were looked at. */
  records: number;
  /** Are all parts of a record on its own line? */
  onLine: boolean;
  /** Is the host of every text the very line that it was read from? */
  hosted: boolean;
  /** The lines that the page shows. */
  examples: string[];
  /** The lines of the log. */
  lines: readonly string[];
}

/** Records that are looked at; a sign that is in none of these is hardly in the others. */
const MOST_RECORDS = 400;

const NOTHING =
  /^[-–—?*.]*$|^(?:n\/?a|none|null|nil|unknown|unlimited|any|all|auto|inf(?:inity)?|nan|never)$|^<[\w ]+>$|^\([\w ]+\)$/i;

/** The parts that rules read, column by column. */
export function partsSeen(rules: readonly Rule[], group: Group, lines: readonly string[]): Seen {
  const found = rules.flatMap((rule) => interpretRule(rule, lines).map((record) => ({ rule, record })));
  const some = found.slice(0, MOST_RECORDS);
  const records = some.map(({ record }) => record);
  const shown = rules.flatMap((rule) => {
    if (rule.kind !== "line")
      return group.examples.flatMap((one) => interpretRule({ ...rule, filters: [] }, one.lines));
    const { scope: _scope, above: _above, ...alone } = { ...rule, filters: [], unless: [] };
    return group.examples.flatMap((one) => one.lines).flatMap((line) => interpretRule(alone, [line]));
  });
  const onLine = rules.every(({ kind }) => kind === "line");
  const examples = group.examples.flatMap((one) => one.lines);
  const hints = group.value === undefined ? group.fields : [group.value, ...group.fields];
  const parts = hints.map((hint): Part => {
    const isValue = hint === group.value;
    const textIn = (one: Extracted): string => (isValue ? one.value : one.fields[hint.name]) ?? "";
    const column = (all: readonly Extracted[]): Text[] =>
      all.flatMap((one, record) => {
        const text = textIn(one);
        return text === "" ? [] : [{ text, host: one.content, record }];
      });
    const texts = some.flatMap(({ rule, record: one }, record): Text[] => {
      const text = textIn(one);
      if (text === "") return [];
      const name = isValue ? undefined : hint.name;
      if (rule.kind !== "block") return [{ text, host: one.content, record }];
      const host = hostIn(rule, one, name, text, lines);
      return [
        host === undefined ? { text, host: one.content, record, elsewhere: true } : { text, host, record },
      ];
    });
    const filled = texts.filter(({ text }) => !NOTHING.test(text));
    const isAbove = rules.every((rule) => readsAbove(rule, isValue ? undefined : hint.name));
    return {
      hint,
      name: isValue ? "value" : hint.name,
      isValue,
      isAbove,
      texts,
      filled,
      shown: column(shown),
    };
  });
  const hosted = rules.every(({ kind }) => kind === "line" || kind === "block");
  return { parts, records: records.length, onLine, hosted, examples, lines };
}

/** Lines of a record of several lines that are looked at. */
const FAR = 60;

/** The line that a part of a record of several lines was read from, as far as it is one of its lines. */
function hostIn(
  rule: BlockRule,
  record: Extracted,
  name: string | undefined,
  text: string,
  lines: readonly string[],
): string | undefined {
  const { value, fields } = rule.projection;
  const source = name === undefined ? value : fields.find((one) => one.name === name)?.source;
  if (source?.from !== "group") return undefined;
  const own = [rule.start, ...(rule.inner ?? []).map(({ pattern }) => pattern)]
    .filter((pattern) => pattern.includes(`(?<${source.group}>`))
    .map((pattern) => new RegExp(pattern));
  const labels = rule.keys.flatMap(({ label, group }) => (group === source.group ? [label] : []));
  const isKey = (line: string): boolean => {
    const { key, text: behind } = new RegExp(rule.keyLine).exec(line)?.groups ?? {};
    return labels.includes(key?.trim() ?? "") && behind?.trim() === text;
  };
  const isHost = (line: string): boolean =>
    own.some((regex) => regex.exec(line)?.groups?.[source.group]?.trim() === text) ||
    (labels.length > 0 && isKey(line));
  const at = record.line - 1;
  const behind = lines.slice(at, at + FAR).find(isHost);
  return behind ?? lines.slice(Math.max(0, at - FAR), at).findLast(isHost);
}

/** Does a rule read a field, or the value, from lines above its records? */
function readsAbove(rule: Rule, field: string | undefined): boolean {
  if (rule.kind !== "line" || rule.above === undefined) return false;
  return rule.alternatives.every(({ pattern, projection }) => {
    const source =
      field === undefined ? projection.value : projection.fields.find(({ name }) => name === field)?.source;
    return source?.from === "group" && !pattern.includes(`(?<${source.group}>`);
  });
}

/** Where a text stands in a line: all its places. */
export function placesOf(text: string, host: string): number[] {
  const places: number[] = [];
  for (let at = host.indexOf(text); at >= 0; at = host.indexOf(text, at + 1)) places.push(at);
  return places;
}
