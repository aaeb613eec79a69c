// What the page tells in so many words and a reading may pass over: who of all is wanted, which line counts, that there
// are two forms of a record, and what a part looks like in other lines than the example.

import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { recordLines } from "../page/record-line.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";

/** Doubts about what the page tells and the rules of a kind of record do not do. */
export function told(rules: readonly Rule[], group: Group, page: Page, lines: readonly string[]): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length === 0) return [];
  return [
    ...unfiltered(rules, group, page),
    // A block shows which line it is.
    ...(group.examples.some((one) => one.mark === "block") && rules.every(({ kind }) => kind !== "tree")
      ? []
      : otherLine(records, page, lines)),
    ...otherForm(rules, page, lines),
    ...otherTexts(rules, group),
    ...together(rules, page),
    ...restLeft(rules, page),
    ...defined(rules, records, page),
    ...firstLine(rules, page),
    ...others(records, page, lines),
  ];
}

const OTHER_THAN = /\b[Oo]ther (?:[a-z]+ ){0,2}than (?:the |an? )?[`"]?([A-Z][\w-]*|\d+)\b/;

/** "Other letters than E are not wanted": some records have it on their line and others have not. */
function others(records: readonly Extracted[], page: Page, lines: readonly string[]): string[] {
  return sentencesOf(page).flatMap((text) => {
    const [, wanted] = OTHER_THAN.exec(text) ?? [];
    if (wanted === undefined || !NEGATIVE.test(bare(text))) return [];
    const word = new RegExp(`(?<![\\w-])${wanted}(?![\\w-])`);
    const lacking = records.filter(({ line }) => !word.test(lines[line - 1] ?? ""));
    if (lacking.length === 0 || lacking.length === records.length) return [];
    return [
      `the page wants nothing but ${wanted}, and a record is taken from: ${lines[(lacking[0]?.line ?? 1) - 1]?.trim() ?? ""}`,
    ];
  });
}

const REST_OUT =
  /^(?:all |the |any )?(?:others?|rest)(?! there\b)(?: (?!(?:lines?|sections?|tables?|files?|columns?|lists?|blocks?|parts?|reports?)\b)[a-z]+){0,2} (?:are|is|do|does) (?:not|no|of no|ignored|skipped|left)\b/i;

/** "A net is quiet if ... Other nets are not wanted": nothing in the rule tells them apart. */
function restLeft(rules: readonly Rule[], page: Page): string[] {
  const isOpen = rules.every(
    (rule) =>
      rule.filters.length === 0 &&
      (rule.kind === "tree" ||
        (rule.kind === "table" && rule.sections === undefined && rule.unless.length === 0)),
  );
  const said = isOpen ? sentencesOf(page).find((text) => REST_OUT.test(text)) : undefined;
  return said === undefined ? [] : [`the page leaves the others out, and nothing in the rule does: ${said}`];
}

const DEFINED =
  /^[\w -]{3,40} (?:are|is) (?:the|those|all|an?|any) (?:[a-z]+ )?(?:that|which|whose|with)\b[^.;]*\b(?:ends? (?:in|with)|begins? with|starts? with|contains?|ha(?:s|ve)|carr(?:y|ies)|with)\b[^.;`]*`([^`]+)`/i;

/** "Archives are the files that end in `.zip`": some records have it, others have not, and the rule takes all. */
function defined(rules: readonly Rule[], records: readonly Extracted[], page: Page): string[] {
  if (rules.some((rule) => rule.filters.length > 0)) return [];
  for (const said of sentencesOf(page)) {
    const text = DEFINED.exec(said)?.[1];
    if (text === undefined) continue;
    const having = records.filter(({ content }) => content.includes(text)).length;
    if (having > 0 && having < records.length)
      return [
        `the page says which are meant by "${text}", and ${having} of ${records.length} records have it`,
      ];
  }
  return [];
}

/** "The line number is that of the record's first line", and a part of the record stands above that line. */
function firstLine(rules: readonly Rule[], page: Page): string[] {
  const isAbove = rules.some(
    (rule) => rule.kind === "block" && (rule.above ?? []).length > 0 && rule.lineOf === "start",
  );
  const said = isAbove
    ? recordLines(page.statements).find(
        ({ told, weak }) =>
          !weak && /\brecord's first line\b|\bfirst line of (?:the|each|its|a) record\b/i.test(told),
      )
    : undefined;
  return said === undefined
    ? []
    : [`the page counts records by their first line, and a part stands above it: ${said.told}`];
}

const SEVERAL =
  /\b(?:where|whose|with|when|if|on which)\b[^.;]*\b(?:both|all (?:two|three|four|of (?:them|these))|neither|none of the|either of)\b[^.;]*\b(?:is|are|has|have|was|were|nor)\b/i;

/** "Lines where both counters are 0 are not wanted": a condition on several parts at once, which no rule has. */
function together(rules: readonly Rule[], page: Page): string[] {
  if (rules.some((rule) => rule.filters.length > 0)) return [];
  const said = sentencesOf(page).find((text) => {
    const plain = bare(text);
    return SEVERAL.test(plain) && (NEGATIVE.test(plain) || /\bonly\b|\bare wanted\b/i.test(plain));
  });
  return said === undefined
    ? []
    : [`the page restricts the records by several parts together, and the rule takes all: ${said}`];
}

function sentencesOf(page: Page): string[] {
  return page.statements.flatMap((one) => one.sentences.map(({ text }) => text));
}

const WHO =
  /\b(?:extract|take|find|collect|pick|report)\b (?:all |every |each |only )?(?:the |those )?[\w -]{2,40}?(?<!\b(?:of|in|on|to|from|with|for|by|at)) (?:that|which|who|whose|themselves|itself)\b/i;
/** What a clause says about the layout, or about all there are, restricts nothing. */
const ALL =
  /\b(?:that|which) (?:it |they |the [\w ]+? )?(?:prints?|lists?|shows?|reports?|names?|gives?|has|contains?|is listed|are listed|follows?)\b/i;

const ASKS = /\b(?:extract|take|find|collect|pick|list|wanted|are (?:items|records))\b/i;
const EVERY = /\b(?:every|each|all|any|whole|per)\b/i;

/** "Extract the processes that do have a terminal": every row of a table or document is taken. */
function unfiltered(rules: readonly Rule[], group: Group, page: Page): string[] {
  const isOpen = rules.every(
    (rule) =>
      rule.filters.length === 0 &&
      ((rule.kind === "table" &&
        rule.sections === undefined &&
        rule.only === undefined &&
        rule.unless.length === 0) ||
        rule.kind === "tree"),
  );
  if (!isOpen) return [];
  const said = sentencesOf(page).find((text) => WHO.test(bare(text)) && !ALL.test(bare(text)));
  if (said !== undefined) return [`the page says which of them are wanted, and the rule takes all: ${said}`];
  const asked = sentencesOf(page).filter((text) => ASKS.test(bare(text).replace(/\bnot wanted\b/g, "")));
  const all = asked.length === 0 || asked.some((text) => EVERY.test(bare(text)));
  return group.examples.length > 0 || all
    ? []
    : ["the page does not say that all of them are wanted, and the rule takes all"];
}

const COMMON = new Set(
  "line number record item entry take tell count one each that with this from name value field first block the and which where stand stands show"
    .split(" ")
    .map(stem),
);

/** "Take the line that tells the voltage as the line of the record": no record has a word of what is told. */
function otherLine(records: readonly Extracted[], page: Page, lines: readonly string[]): string[] {
  for (const { told, weak } of recordLines([...page.statements, ...page.sourceStatements])) {
    if (weak || told === "") continue;
    const quoted = quotedIn(told).map((span) => span.text.trim());
    const lacks = quoted.find(
      (text) =>
        lines.some((line) => line.includes(text)) && records.some(({ content }) => !content.includes(text)),
    );
    if (lacks !== undefined && quoted.length === 1)
      return [`the page tells which line counts, and records stand elsewhere: ${told}`];
    const words = wordsOf(told)
      .map(stem)
      .filter((word) => word.length > 3 && !COMMON.has(word));
    const known = words.filter((word) => lines.some((line) => wordsOf(line).map(stem).includes(word)));
    if (known.length === 0) continue;
    const has = records.some(({ content }) =>
      wordsOf(content)
        .map(stem)
        .some((word) => known.includes(word)),
    );
    if (!has) return [`the page tells which line counts, and no record stands there: ${told}`];
  }
  return [];
}

/** "Either a JSON object or a line of text": the rule reads the objects, and the log has other lines as well. */
function otherForm(rules: readonly Rule[], page: Page, lines: readonly string[]): string[] {
  if (rules.some((rule) => rule.kind !== "tree")) return [];
  const said = sentencesOf(page).find(
    (text) =>
      /\bJSON\b/.test(text) &&
      /\b(?:either|or|both|mixed|others?)\b/i.test(text) &&
      /\b(?:text|line|pairs|key=value)\b/i.test(text),
  );
  if (said === undefined) return [];
  const filled = lines.filter((line) => line.trim() !== "");
  const others = filled.filter((line) => !line.includes("{"));
  return others.length < filled.length * 0.1
    ? []
    : [`the page speaks of two forms, and the rule reads one: ${said}`];
}

/** "`14` or `120->1`": the rule must read its example also with the other texts that the page shows for a part. */
function otherTexts(rules: readonly Rule[], group: Group): string[] {
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  for (const rule of rules) {
    if (rule.kind !== "line") continue;
    const { scope: _scope, above: _above, ...alone } = { ...rule, filters: [] };
    for (const line of shown) {
      const [record] = interpretRule(alone, [line]);
      if (record === undefined) continue;
      for (const hint of hints) {
        const partOf = (one: Extracted | undefined): string | undefined =>
          hint === group.value ? one?.value : one?.fields[hint.name];
        const own = partOf(record) ?? "";
        const others = quotedIn(hint.description)
          .filter((span) => span.mark === "code")
          .map((span) => span.text)
          .filter((text) => text !== own && !line.includes(text) && /\d/.test(text) && !/\s/.test(text));
        if (own === "" || !quotedIn(hint.description).some((span) => span.text === own)) continue;
        const unread = others.find((text) => {
          for (let at = line.indexOf(own); at >= 0; at = line.indexOf(own, at + 1)) {
            const changed = line.slice(0, at) + text + line.slice(at + own.length);
            if (partOf(interpretRule(alone, [changed])[0]) === text) return false;
          }
          return true;
        });
        if (unread !== undefined)
          return [`the page shows ${unread} for ${hint.name}, and the rule would not read it`];
      }
    }
  }
  return [];
}
