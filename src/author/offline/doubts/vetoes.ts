// Signs in the records themselves that a reading is wrong, whatever it was built from: parts that were cut at the
// wrong place, and fields of the page that the records lack. Each keeps a candidate from being accepted.

import { likeness, similarity } from "../page/names.ts";
import type { Group, Hint } from "../page/page.ts";
import { isLocation } from "../parts/location.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Projection, Rule } from "../program/ir.ts";
import { endsWithObject } from "../readers/tree/syntax.ts";
import { isAnchoredOptional } from "../templates/anchored.ts";

const PAIRS = ["()", "[]", "{}"];

/** Is every bracket closed, and every double quote? */
function balanced(text: string): boolean {
  const count = (char: string): number => text.split(char).length - 1;
  return PAIRS.every((pair) => count(pair.charAt(0)) === count(pair.charAt(1))) && count('"') % 2 === 0;
}

/** The records of a rule; a JSON line that was only seen in part lacks what stands at its end, and does not count. */
function recordsSeen(rule: Rule, lines: readonly string[]): Extracted[] {
  const all = interpretRule(rule, lines);
  if (rule.kind !== "tree" || rule.syntax !== "json_lines") return all;
  const whole = all.filter((one) => endsWithObject(one.content));
  return whole.length > 0 ? whole : all;
}

/** A part of one word, going by its kind and by what the page says of how much it is. */
function isShort(hint: Hint | undefined): boolean {
  const isAll = /\b(?:everything|all|whatever|the rest|remainder)\b/i.test(hint?.description ?? "");
  return !["text", "time"].includes(hint?.kind ?? "word") && hint?.wholeLine !== true && !isAll;
}

/** Doubts about the records that a rule gives on the observed lines. */
export function vetoes(
  rule: Rule,
  group: Group,
  lines: readonly string[],
  unwanted: readonly string[] = [],
): string[] {
  const records = recordsSeen(rule, lines);
  if (records.length === 0) return [];
  // "--" stands for nothing.
  const isEmpty = records.every(({ value }) => /^[-\u2013\u2014.]+$/.test(value));
  const doubts: string[] = isEmpty ? [`every value is only ${records[0]?.value}`] : [];
  const blank = records.find(({ value }) => value === "");
  if (blank !== undefined) doubts.push(`a record has no value: ${blank.content.trim()}`);
  const parts: { name: string; hint: Hint | undefined; texts: { text: string; host: string }[] }[] = [];
  const add = (name: string, hint: Hint | undefined, textOf: (index: number) => string | undefined): void => {
    const texts = records.flatMap((record, index) => {
      const text = textOf(index) ?? "";
      return text === "" ? [] : [{ text, host: record.content }];
    });
    parts.push({ name, hint, texts });
  };
  add("value", group.value, (index) => records[index]?.value);
  for (const hint of group.fields) add(hint.name, hint, (index) => records[index]?.fields[hint.name]);
  for (const { name, hint, texts } of parts) {
    const odd = texts.find(
      ({ text, host }) => !balanced(text) && text !== host.trim() && (!host.includes(text) || balanced(host)),
    );
    if (odd !== undefined && rule.kind !== "block") {
      doubts.push(`a bracket or quote is open in the ${name}: ${odd.text}`);
      continue;
    }
    const timed = texts.find(({ text }) => /\d\d:\d\d:\d\d\S*\s+[A-Za-z]/.test(text));
    const short = isShort(hint);
    if (short && timed !== undefined && rule.kind === "line" && timed.text !== timed.host.trim()) {
      doubts.push(`a time stamp and more stand in the ${name}: ${timed.text}`);
    }
    const keys = new Set(
      texts.map(({ text }) => /^["']?([A-Za-z][\w -]{0,30})["']?\s*(?:=|:(?=\s))/.exec(text)?.[1]),
    );
    const [key] = keys;
    if (keys.size === 1 && key !== undefined && similarity(key, hint?.name ?? name) >= 0.6) {
      doubts.push(`the ${name} begins with its own name: ${texts[0]?.text ?? ""}`);
    }
    const ends = new Set(texts.map(({ text }) => /[,;:]$/.exec(text)?.[0]));
    const [end] = ends;
    const whole = texts.every(({ text, host }) => text === host.trim());
    const shown = (hint?.literals ?? []).some((text) => end !== undefined && text.endsWith(end));
    if (ends.size === 1 && end !== undefined && !shown && !whole) {
      doubts.push(`the ${name} ends in "${end}" in every record: ${texts[0]?.text ?? ""}`);
    }
    doubts.push(...quoteDoubts(rule, name, hint, texts));
    const gaps = texts.filter(({ text, host }) => /\S {3,}\S/.test(text) && text !== host.trim());
    if (gaps.length > texts.length * 0.3 && hint?.wholeLine !== true && !mayHaveGaps(hint, group)) {
      doubts.push(`more than one column stands in the ${name}: ${gaps[0]?.text ?? ""}`);
    }
    const lacking = records.length - texts.length - dashes(rule, name, lines);
    const isOpen = hint !== undefined && !hint.optional && name !== "value";
    if (isOpen && lacking > records.length * mostLacking(rule, name))
      doubts.push(`${lacking} of ${records.length} records lack the field ${name}`);
  }
  const headed = records.find((record) => isHeading(record, group));
  if (headed !== undefined) doubts.push(`a heading row is taken for a record: ${headed.content.trim()}`);
  const open = lines.map((line) => (unwanted.some((text) => line.includes(text)) ? "" : line));
  return [...doubts, ...bare(rule, records, open)];
}

/** How many records may lack a field that the page does not call optional. A part behind a key of its own is missing where
 * the key is. */
function mostLacking(rule: Rule, name: string): number {
  // An empty cell says itself that there is nothing.
  if (rule.kind === "line" && rule.cells !== undefined) return 1;
  // A message without a place in the source is read by an expression of its own.
  if (
    isLocation({ name }) &&
    rule.kind === "line" &&
    rule.alternatives.some(({ pattern, projection }) => lacksGroup(pattern, projection, name))
  )
    return 0.75;
  const byKey =
    rule.kind === "line" &&
    rule.alternatives.every(({ pattern, projection }) => {
      const source = projection.fields.find((one) => one.name === name)?.source;
      return source?.from === "group" && isAnchoredOptional(pattern, source.group);
    });
  return byKey ? 1 / 3 : 0.1;
}

function lacksGroup(pattern: string, { fields }: Projection, name: string): boolean {
  const source = fields.find((one) => one.name === name)?.source;
  return source?.from === "group" && !pattern.includes(`(?<${source.group}>`);
}

/** "Model: HP      AB12": the page shows the text behind the key with such a gap. */
function mayHaveGaps(hint: Hint | undefined, group: Group): boolean {
  if (hint === undefined || hint.kind === "text") return hint !== undefined;
  return group.examples.some((one) =>
    one.lines.some((line) => {
      const found = /^\s*([A-Za-z][\w ()/-]*?)\s*[:=]\s+(\S.*)$/.exec(line);
      return found !== null && likeness(hint, found[1] ?? "") >= 0.75 && /\S {3,}\S/.test(found[2] ?? "");
    }),
  );
}

/** Records whose cell is a dash where the field is a part of the cell: the table says itself that there is none. */
function dashes(rule: Rule, name: string, lines: readonly string[]): number {
  if (rule.kind !== "table") return 0;
  const field = rule.projection.fields.find((one) => one.name === name);
  const source = field?.source;
  const part = rule.parts?.find((one) => source?.from === "group" && one.group === source.group);
  if (part === undefined) return 0;
  const fields = [{ name, source: { from: "group" as const, group: part.from } }];
  const whole = interpretRule({ ...rule, projection: { ...rule.projection, fields } }, lines);
  // "removed" where others have `faulty   /dev/b`: nothing stands behind the wide gap.
  const isBlank = (cell: string): boolean =>
    (part.pattern.startsWith("^\\S+(?: \\S+)*\\s{2,}") && !/\S {2,}\S/.test(cell.trim())) ||
    (part.pattern === "\\((?<part>[^()]*)\\)$" && !cell.includes("("));
  return whole
    .map((one) => one.fields[name] ?? "")
    .filter((cell) => /^[-\u2013\u2014]+$/.test(cell) || isBlank(cell)).length;
}

/** Some lines have quotes around their texts and others have none: the quotes are no part of either. */
function quoteDoubts(
  rule: Rule,
  name: string,
  hint: Hint | undefined,
  texts: readonly { text: string }[],
): string[] {
  const quoted = texts.filter(({ text }) => /^(["'`]).*\1$/.test(text));
  if (rule.kind !== "line" || hint?.kind === "text" || quoted.length === 0 || quoted.length === texts.length)
    return [];
  return [`quotes stand around the ${name} in some records: ${quoted[0]?.text ?? ""}`];
}

/** Are most parts of a record the names of the fields themselves? */
function isHeading(record: { value: string; fields: Record<string, string> }, group: Group): boolean {
  const parts = [
    ...(group.value === undefined ? [] : [{ hint: group.value, text: record.value }]),
    ...group.fields.map((hint) => ({ hint, text: record.fields[hint.name] ?? "" })),
  ].filter(({ text }) => text !== "");
  // The names may stand one column off, where the heading row was read like a row.
  const names = [group.value, ...group.fields].flatMap((hint) => (hint === undefined ? [] : [hint]));
  const named = parts.filter(
    // A text that the page shows for a part is no heading, whatever it is like.
    ({ hint, text }) =>
      !/[\d%<{]/.test(text) &&
      !hint.literals.includes(text) &&
      !hint.choices.includes(text) &&
      names.some((one) => likeness(one, text) >= 0.75),
  );
  // Half of them do where each is another name and no part has a figure.
  const isHalf = new Set(named.map(({ text }) => text.toLowerCase())).size * 2 >= parts.length;
  const isBare = parts.every(({ text }) => !/\d/.test(text));
  return parts.length >= 2 && (named.length * 2 > parts.length || (named.length >= 2 && isHalf && isBare));
}

/** Lines like the taken ones, but without the bracketed part that is glued to a word there. */
function bare(
  rule: Rule,
  records: readonly { line: number; content: string }[],
  lines: readonly string[],
): string[] {
  if (rule.kind !== "line") return [];
  const form = (line: string): string =>
    line
      .replace(/(?<=\w)\[[^[\]]*\]/g, "")
      .trim()
      .replace(/\S+/g, (chunk) =>
        /^[A-Za-z]+$/.test(chunk) ? chunk : /\d/.test(chunk) && !/[A-Za-z]/.test(chunk) ? "9" : "x",
      );
  const forms = new Set(
    records.filter(({ content }) => /\w\[[^[\]]*\]/.test(content)).map(({ content }) => form(content)),
  );
  // What a filter leaves out was read all the same.
  const taken = new Set(interpretRule({ ...rule, filters: [] }, lines).map((one) => one.line));
  const left = lines.find(
    (line, index) =>
      !taken.has(index + 1) && !/\w\[/.test(line) && /[A-Za-z]{3}/.test(line) && forms.has(form(line)),
  );
  return left === undefined
    ? []
    : [`a line like the wanted ones but for a part in brackets is left out: ${left.trim()}`];
}
