// Texts that the page mentions and the log has: what the page rules out may not stand anywhere in some of the records,
// and what it quotes as the sign of a wanted line may not be left unread. Both hold whatever kind of rule reads.

import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { endsRecord, interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";

/** Lines of a record of several lines that are looked at. */
const MOST_LINES = 60;

/** Doubts about records that have what the page rules out, and about lines with a wanted text that no rule reads. */
export function mentioned(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines).map((record) => ({ rule, record })));
  if (records.length === 0) return [];
  const [first] = rules;
  const starts = new Map(rules.map((rule) => [rule, startsOf(rule, lines)]));
  const texts = records.map(({ rule, record }) => ({
    record,
    text: textOf(rule, starts.get(rule), record, lines),
  }));
  return [
    ...(first === undefined ? [] : ruledOut(texts, first, page)),
    ...unread(rules, records, group, page, lines),
    ...alsoWanted(
      texts.map(({ text }) => text),
      page,
      lines,
    ),
  ];
}

/** The text of each record: its line, or all lines of a record of several lines. */
export function regionsOf(rules: readonly Rule[], lines: readonly string[]): string[] {
  return rules.flatMap((rule) => {
    const starts = startsOf(rule, lines);
    return interpretRule(rule, lines).map((record) => textOf(rule, starts, record, lines));
  });
}

/** Numbers of the lines that start a record of several lines, wanted or not. */
function startsOf(rule: Rule, lines: readonly string[]): number[] | undefined {
  if (rule.kind !== "block") return undefined;
  const start = new RegExp(rule.start);
  return lines.flatMap((line, index) => (start.test(line) ? [index + 1] : []));
}

/** All lines of a record: those up to its end or the next start, where a rule reads records of several lines. */
function textOf(
  rule: Rule,
  starts: readonly number[] | undefined,
  record: Extracted,
  lines: readonly string[],
): string {
  if (starts === undefined || rule.kind !== "block") return record.content;
  const next = starts.find((line) => line > record.line) ?? lines.length + 1;
  const own = lines.slice(record.line - 1, Math.min(next, record.line + MOST_LINES) - 1);
  const first = starts.findLast((line) => line <= record.line) ?? record.line;
  const end = own.findIndex((line, at) => at > 0 && endsRecord(rule, lines[first - 1] ?? "", line));
  return own.slice(0, end < 0 ? own.length : end).join("\n");
}

/** A text that the page's exclusions quote, or an option in a bracketed list that only they name, stands in some
 * records, and others are without it. */
function ruledOut(texts: readonly { record: Extracted; text: string }[], rule: Rule, page: Page): string[] {
  const isBlock = rule.kind === "block";
  for (const literal of page.unwanted) {
    if (literal.trim().length < 3 || (isBlock && !isHad(literal, page))) continue;
    const having = texts.filter(({ text }) => text.includes(literal)).length;
    if (having === 0 || having === texts.length) continue;
    return [`the page rules out "${literal}", and it stands in ${having} of ${texts.length} records`];
  }
  const told = kindRuledOut(texts, rule, page);
  if (isBlock || told !== undefined) return told === undefined ? [] : [told];
  const options = texts.map(
    ({ text }) => new Set((text.match(LISTS) ?? []).flatMap((list) => wordsOf(list).map(stem))),
  );
  for (const word of page.unwantedStems) {
    const having = options.filter((one) => one.has(word)).length;
    if (word.length <= 3 || ORDINAL.test(word) || having === 0 || having === options.length) continue;
    return [`the page rules out "${word}", and it stands in ${having} of ${options.length} records`];
  }
  return [];
}

/** "The first of them is not wanted": a word that counts is in no list of options. */
const ORDINAL = /^(?:first|second|third|last|other)/;

/** "The rows about the period are not needed": a word of the exclusions in a part that tells kinds of records apart. */
function kindRuledOut(texts: readonly { record: Extracted }[], rule: Rule, page: Page): string | undefined {
  // What a condition asks for is wanted, whatever its words say.
  const asked = new Set(
    rule.filters.flatMap((one) => (one.negate === true ? [] : one.equals.flatMap(wordsOf).map(stem))),
  );
  const names = new Set(texts.flatMap(({ record }) => Object.keys(record.fields)));
  for (const name of [undefined, ...names]) {
    const all = texts.map(({ record }) => (name === undefined ? record.value : (record.fields[name] ?? "")));
    const kinds = [...new Set(all)];
    if (all.length < 4 || kinds.length < 2 || kinds.length > Math.max(5, all.length / 4)) continue;
    if (kinds.some((kind) => kind.split(/\s+/).length > 4)) continue;
    for (const word of page.unwantedStems) {
      const having = kinds.filter((kind) => wordsOf(kind).map(stem).includes(word));
      if (word.length <= 3 || asked.has(word) || having.length === 0 || having.length === kinds.length)
        continue;
      return `the page rules out "${word}", and records have it as ${name ?? "value"}: ${having[0] ?? ""}`;
    }
  }
  return undefined;
}

/** "(rw,nosuid,nodev)": options, not words that somebody says. */
const LISTS = /[([{][^\s()[\]{},;]+(?:[,;|][^\s()[\]{},;]+)+[)\]}]/g;

/** Does the page say that the records it rules out have this text? Lines between the records may have it as well. */
function isHad(literal: string, page: Page): boolean {
  return page.statements.some(({ sentences }) =>
    sentences.some(({ text }) => {
      const at = text.indexOf(literal);
      return (
        at >= 0 &&
        /\b(?:have|has|having|with|carry|carries|contains?|shows?)\b[^.;`"]*[`"]$/i.test(text.slice(0, at))
      );
    }),
  );
}

/** Lines with a text that the page quotes for wanted lines, which no rule reads and nothing on the page rules out. */
function unread(
  rules: readonly Rule[],
  records: readonly { record: Extracted }[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  if (rules.some((rule) => rule.kind === "block" || rule.kind === "table" || rule.filters.length > 0))
    return [];
  const taken = new Set(records.map(({ record }) => record.content));
  const quoted = group.examples.flatMap((one) => (one.mark === "quote" ? one.lines : []));
  for (const text of [...group.wanted, ...quoted]) {
    if (!/\w\S* \S*\w\S* \S*\w/.test(text)) continue;
    const having = lines.filter((line) => line.includes(text));
    const left = having.filter(
      (line) => !taken.has(line) && !page.unwanted.some((one) => line.includes(one)),
    );
    if (left.length > 0 && left.length < having.length)
      return [`${left.length} lines with "${text}" are not read, e.g. ${left[0]?.trim() ?? ""}`];
  }
  return [];
}

const AS_WELL =
  /\b(?:(?:wanted|counted|taken|included|read|records|items) (?:as well|too)|(?:also|likewise) (?:wanted|counts?|counted|taken|included|read|records|items)|(?:counts?|belongs?),? (?:as well|too))\b/i;

/** "Those marked `Err` instead of `Msg` are wanted as well": lines with the text are there, and no record has it. */
function alsoWanted(texts: readonly string[], page: Page, lines: readonly string[]): string[] {
  const sentences = page.statements.flatMap((one) => one.sentences.map(({ text }) => text));
  const named = sentences
    .filter((text) => AS_WELL.test(text) && !NEGATIVE.test(bare(text)))
    // "Hard ones have `Err(9:...)` in place of `Msg(...)`. They count, too."
    .map((text) => (/^they\b/i.test(text) ? (sentences[sentences.indexOf(text) - 1] ?? "") : text))
    .flatMap((text) => quotedIn(text).map((span) => span.text.replace(/(?:\.{3}|…).*$/, "")))
    .filter((text) => text.trim().length > 2);
  const missing = named.find(
    (text) => !texts.some((one) => one.includes(text)) && lines.some((line) => line.includes(text)),
  );
  return missing === undefined ? [] : [`the page wants lines with "${missing}" as well, and none is read`];
}
