// Does the page restrict what is wanted, and the rules do not? A page that asks for "the peers that never answered"
// or "these three keys" is not served by rules that take every line of their form. And every line that the page shows
// as a record has to be taken.

import { isAmount, isThisOnly, withoutMere } from "../page/facts.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { assign } from "../parts/assign.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Extracted, Rule } from "../program/ir.ts";
import { titleVerdict } from "../readers/sections.ts";
import { aboveTables, isOnlyTable } from "./above-tables.ts";

/** Doubts about what the rules of a kind of record take together. */
export function restrictions(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length === 0) return [];
  return [
    ...exampleDoubts(rules, group, page, lines),
    ...literalDoubts(rules, records, page, lines),
    ...titleDoubts(rules, records, page),
    ...markDoubts(rules, records, page),
    ...clauseDoubts(rules, records, page, lines),
    ...innerStartDoubts(rules, lines),
  ];
}

/** A line that the page shows as a record in a form of its own, that no rule takes, and that the log has. */
function exampleDoubts(rules: readonly Rule[], group: Group, page: Page, lines: readonly string[]): string[] {
  const shown = group.examples.filter((one) => one.lines.length === 1).map((one) => one.lines[0] ?? "");
  if (shown.length < 2 || group.value === undefined || group.value.wholeLine) return [];
  if (rules.some((rule) => rule.kind === "block")) return [];
  // How well the value fits where all parts have a place; headings that the page shows beside records have none.
  const scores = shown.map((line) => {
    const { placed, missing } = assign(line, group.value, group.fields, page.lists);
    const odd = placed.some((one) => !one.hint.optional && one.score < -1.6);
    if (odd || missing.some((hint) => !hint.optional)) return Number.NEGATIVE_INFINITY;
    return placed.find((one) => one.hint === group.value)?.score ?? Number.NEGATIVE_INFINITY;
  });
  const best = Math.max(...scores);
  // The page may show a row that its own conditions leave out.
  const taken = new Set(
    rules
      .flatMap((rule) => interpretRule(rule.kind === "table" ? { ...rule, filters: [] } : rule, lines))
      .map((one) => formOf(one.content)),
  );
  return shown.flatMap((line, index) => {
    if ((scores[index] ?? 0) < best - 2 || taken.has(formOf(line))) return [];
    // A line above the records is read as such.
    const isHead = rules.some(
      (rule) => "above" in rule && (rule.above ?? []).some(({ pattern }) => new RegExp(pattern).test(line)),
    );
    if (isHead) return [];
    // The heading that the page shows beside a row is no record.
    if (rules.some((rule) => rule.kind === "table" && new RegExp(rule.header).test(line.trim()))) return [];
    const alone = rules.some(
      (rule) => rule.kind === "line" && interpretRule(withoutScope(rule), [line]).length > 0,
    );
    if (alone) return [];
    const others = lines.filter((one) => formOf(one) === formOf(line));
    return others.length === 0
      ? []
      : [
          `the page shows this line, and lines like it are not taken: ${line.trim()}, e.g. ${others[0]?.trim() ?? ""}`,
        ];
  });
}

function withoutScope(rule: Rule): Rule {
  if (rule.kind !== "line") return rule;
  const { scope: _scope, above: _above, ...alone } = rule;
  return { ...alone, filters: [] };
}

/** Words as one, numbers as one, and the marks between them. */
function formOf(line: string): string {
  return line
    .trim()
    .replace(/[\w.+:/@~-]*[A-Za-z0-9][\w.+:/@~-]*/g, "w")
    .replace(/\s{2,}/g, "  ");
}

const SELECTS =
  /\b(?:extract|take|find|collect|pick|report|only|wanted|of interest|count|these|those|whose|with|where|are (?:records|items)|is (?:a|the) (?:record|item)|we (?:need|want))\b/i;

/** Sentences of section 1 that say which records are wanted. */
function selecting(page: Page): string[] {
  return page.statements
    .filter(({ text }) => !ABOUT_PARTS.test(text))
    .flatMap((one) =>
      one.sentences.map(({ text }, index) => {
        // "Extract these three." is about what the sentence before it names.
        const before = one.sentences[index - 1]?.text ?? "";
        return /\b(?:these|those|them)\b/i.test(text) && ASKS.test(text) ? `${before} ${text}` : text;
      }),
    )
    .filter(
      (text) =>
        SELECTS.test(bare(text)) && !/^(?:the )?(?:value|fields?|its fields|line(?: number)?)\b/i.test(text),
    );
}

/** A statement that lists the value or the fields: what else it says is about them. */
const ABOUT_PARTS = /^\s*(?:the )?(?:value|fields?|its fields)\s*:|^\s*`\w+`\s*:/i;

/** Texts of the log that a selecting sentence names: some records have one of them and others have none. */
function literalDoubts(
  rules: readonly Rule[],
  records: readonly Extracted[],
  page: Page,
  lines: readonly string[],
): string[] {
  if (rules.some((rule) => rule.kind === "block" || rule.filters.length > 0)) return [];
  return selecting(page).flatMap((text) => {
    if (NEGATIVE.test(bare(text)) || /\b(?:e\.g\.|for example|such as|like|may|can)\b/i.test(bare(text)))
      return [];
    const named = [
      ...quotedIn(text).map((span) => span.text),
      ...[...bare(text).matchAll(/(?<![\w-])[A-Z][A-Z0-9]+(?:[-_][A-Z0-9]+)+(?![\w-])/g)].map(
        (match) => match[0],
      ),
    ].filter(
      (one) => one.length < 30 && wordsOf(one).length <= 3 && lines.some((line) => hasText(line, one)),
    );
    if (named.length === 0) return [];
    const without = records.filter(
      ({ content, fields }) =>
        !named.some((one) => [content, ...Object.values(fields)].some((text) => hasText(text, one))),
    );
    // Where no record has it, it may be said of something else, but for "only".
    const none =
      without.length === records.length && !/^only\b.*\b(?:has|have|with|contains?) the word\b/i.test(text);
    if (without.length === 0 || none) return [];
    return [
      `the page asks for ${named.join(", ")}, but a record is taken from: ${without[0]?.content.trim() ?? ""}`,
    ];
  });
}

/** "Sockets that listen on all addresses (0.0.0.0)": a text in the first sentence that only some records have. */
function titleDoubts(rules: readonly Rule[], records: readonly Extracted[], page: Page): string[] {
  if (rules.some((rule) => rule.filters.length > 0)) return [];
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  return [...first.matchAll(/\(([^\s()]*\d[^\s()]*)\)/g)].flatMap(([, text = ""]) => {
    const without = records.filter(({ value }) => !hasText(value, text));
    if (without.length === 0 || without.length === records.length) return [];
    return [`the page speaks of ${text}, but a record is taken from: ${without[0]?.content.trim() ?? ""}`];
  });
}

function hasText(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    if (!/\w/.test(line.charAt(at - 1) + text.charAt(0)) || !/\w/.test(line.charAt(at - 1))) {
      if (!/\w/.test(line.charAt(at + text.length)) || !/\w$/.test(text)) return true;
    }
  }
  return false;
}

const MARKS: [RegExp, string][] = [
  [/\basterisk|\bstar\b/i, "*"],
  [/\bplus\b/i, "+"],
  [/\bminus\b/i, "-"],
  [/\bhash\b/i, "#"],
  [/\bexclamation mark/i, "!"],
  [/\bgreater-than/i, ">"],
];

/** Marks in front of the lines that the page tells apart, and the rules do not. */
function markDoubts(rules: readonly Rule[], records: readonly Extracted[], page: Page): string[] {
  if (rules.some((rule) => rule.filters.length > 0)) return [];
  const text = page.statements.map((one) => bare(one.text)).join(" ");
  const named = MARKS.filter(([words]) => words.test(text)).map(([, mark]) => mark);
  if (named.length < 2) return [];
  const firsts = new Set(
    records.map(({ content }) => content.trim().charAt(0)).filter((one) => /[^\w\s]/.test(one)),
  );
  const told = [...firsts].filter((one) => named.includes(one));
  const plain = records.some(({ content }) => /^\s*\w/.test(content));
  return told.length >= 2 || (told.length === 1 && plain)
    ? [`the page tells lines apart by the mark in front, and all of them are taken: ${[...firsts].join(" ")}`]
    : [];
}

const ASKS = /\b(?:extract|take|find|collect|pick|only|wanted|we (?:need|want)|of interest)\b/i;
/** What a page says about the headings and lines of a table restricts nothing. */
const LAYOUT =
  /\bwhose (?:columns?|headings?|headers?|titles?|lines?|rows?|names?)(?: \w+)? (?:is|are|has|have)\b/gi;
/** "Which signals sit on which pins": a question, no clause. */
const QUESTION =
  /(?<=^\W*(?:which|what|who|how|where|tell|show)\b[^.;]*)\b(?:of|in|on|for|to|from) which\b/gi;
const CLAUSE =
  /\b(?:that|which|who) (?:(?:were|was|are|is|have|has|had|do|does|did|could|can|will|would) )?(?:never|no|not|still|yet|already|only|cannot|failed|lost|exceed\w*)\b|\b(?:whose|where the|with an?) \w+(?: \w+)? (?:is|are|was|were|has|have)\b|(?<!\b(?:each|all|both|some|many|most|one|two|three|none) )\b(?:of|in|on|for) which\b|\bnever\b|\b(?:rows|lines|entries|records|ones|those) (?:that|which) (?:is|are|was|were) (?:marked|flagged|shown|listed|reported|given|set|in|of|on|from)\b/i;

/** "Extract the peers that never had a handshake": rules without any fixed text or filter take all of them. */
function clauseDoubts(
  rules: readonly Rule[],
  records: readonly Extracted[],
  page: Page,
  lines: readonly string[],
): string[] {
  if (rules.some(isSelective)) return [];
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text;
  const texts = page.statements
    .flatMap((one) => one.sentences.map((sentence) => sentence.text))
    .filter((text) => !/^(?:the )?(?:value|fields?|its fields|line(?: number)?)\b/i.test(text))
    .filter(
      (text) =>
        text === first ||
        (ASKS.test(withoutMere(bare(text))) && !/\bonly (?:if|when|where there)\b/i.test(text)),
    );
  const restricting = texts.find(
    (text) =>
      !isAmount(bare(text)) &&
      !isThisOnly(bare(text)) &&
      (CLAUSE.test(withoutMere(bare(text)).replace(LAYOUT, " ").replace(QUESTION, " ")) ||
        /^\s*only\b/i.test(text)),
  );
  if (restricting === undefined) return [];
  const statement = page.statements.find((one) => one.text.includes(restricting))?.text ?? restricting;
  if (rules.some((rule) => realises(rule, statement))) return [];
  if (rules.every((rule) => standsAbove(rule, restricting, lines))) return [];
  if (rules.every((rule) => isOnlyTable(restricting, rule, lines))) return [];
  if (rules.every((rule) => hasNumber(rule, bare(restricting)))) return [];
  // "Rows in which it is blank are not wanted": rows without the text are no records anyway.
  const blank = /\b(?:it|which|name|value|cell|column) (?:is|are) (?:blank|empty)\b/i.test(bare(restricting));
  if (blank && rules.every((rule) => rule.kind === "table" && rule.required.length > 0)) return [];
  // "Only the rows between the two dashed rules": a table ends there.
  const ruled =
    /\b(?:between|above|below|inside|within) the (?:[a-z]+ ){0,2}(?:rules?|rulers?|dashes|dashed lines?|lines? of (?:dashes|hyphens|equals signs))\b/i;
  if (ruled.test(bare(restricting)) && rules.every((rule) => rule.kind === "table" && rule.ends === "ruler"))
    return [];
  // What the page is about is all that the table has which it names.
  if (restricting === first && rules.every((rule) => isNamedTable(rule, page, lines))) return [];
  // Where all lines of the log are records, there is nothing that was left out.
  const filled = lines.filter((line) => line.trim() !== "").length;
  if (rules.every((rule) => rule.kind === "line") && records.length < filled * 0.5) return [];
  return [`the page restricts what is wanted, and nothing in the rule does: ${restricting}`];
}

/** "Only calls that return -1": the number stands in the expression as it is. */
function hasNumber(rule: Rule, said: string): boolean {
  const numbers = said.match(/(?<=\s)-?\d+(?![\w-]|\.\d)/g) ?? [];
  return (
    rule.kind === "line" &&
    numbers.length > 0 &&
    rule.alternatives.every(({ pattern }) =>
      numbers.every((number) =>
        new RegExp(`(?:\\\\s[*+]|[=:(])${number}(?:\\\\s|\\\\?[),;]|$)`).test(pattern),
      ),
    )
  );
}

/** "Only the moored boats are wanted": the title above the tables that are read says so, and is no title of others. */
function standsAbove(rule: Rule, sentence: string, lines: readonly string[]): boolean {
  const only =
    /^\s*only (?:the |rows of the |entries of the )?([\w -]+?) (?:are|is) (?:wanted|items?|of interest|needed|taken)\b/i.exec(
      bare(sentence),
    )?.[1];
  if (only === undefined) return false;
  const above = aboveTables(rule, lines);
  return wordsOf(only)
    .filter((word) => word.length > 3 && !/^(?:part|table|section|rows|first|second|last)$/.test(word))
    .every((word) => above.has(stem(word)));
}

/** Does every table that the rule reads stand below a title that the page wants? */
function isNamedTable(rule: Rule, page: Page, lines: readonly string[]): boolean {
  if (rule.kind !== "table") return false;
  const header = new RegExp(rule.header);
  const heads = lines.flatMap((line, index) => (header.test(line) ? [index] : []));
  // The heading may have several lines.
  const isNamed = (at: number): boolean =>
    [at, at - 1, at - 2].some((index) => titleVerdict(page, lines, index) === "wanted");
  return heads.length > 0 && heads.every(isNamed);
}

/** A letter or mark that the sentence names stands in the expression as it is: "only entries of level E". */
function realises(rule: Rule, sentence: string): boolean {
  if (rule.kind !== "line") return false;
  const words = (bare(sentence).match(/\b[A-Z]{1,12}\b/g) ?? []).filter((word) => !/^(?:A|I)$/.test(word));
  const marks = MARKS.filter(([named]) => named.test(sentence)).map(([, mark]) => mark);
  return rule.alternatives.every((one) => {
    const fixed = fixedText(one.pattern).split(/[^A-Za-z]+/);
    // "in the state `F0`": the text stands beside the parts of the rule.
    const shown = fixedText(one.pattern).split(/[\s+*?()]+/);
    return (
      words.some((word) => fixed.includes(word)) ||
      quotedIn(sentence).some(({ text }) => shown.includes(text.trim())) ||
      marks.some(
        (mark) =>
          one.pattern.replace(/\)[*+]|\\.[*+?]+|[*+]\?/g, " ").includes(mark) ||
          one.pattern.includes(`\\${mark}`),
      )
    );
  });
}

/** A filter, a scope, or fixed text beside the parts. */
function isSelective(rule: Rule): boolean {
  if (rule.filters.length > 0) return true;
  if (rule.kind === "line") {
    return (
      rule.unless.length > 0 ||
      rule.scope !== undefined ||
      rule.alternatives.some((one) => /[A-Za-z]{3}|\d{2}/.test(fixedText(one.pattern)))
    );
  }
  if (rule.kind === "table") {
    // "Deleted files" of which the name ends in `(deleted)`.
    const needed = (rule.parts ?? []).filter((part) => rule.required.includes(part.group));
    const worded = needed.some((part) => /[A-Za-z]{3}/.test(fixedText(part.pattern)));
    return worded || rule.sections !== undefined || rule.only !== undefined || rule.unless.length > 0;
  }
  if (rule.kind === "tree") {
    const needed = rule.parts.filter((part) => rule.required.includes(part.group));
    return needed.some((part) => part.patterns?.every((one) => /[A-Za-z]{3}/.test(fixedText(one))));
  }
  if (rule.kind === "block") {
    const inner = (rule.inner ?? []).some((one) =>
      rule.required.some((name) => one.pattern.includes(`<${name}>`)),
    );
    return rule.title !== undefined || inner || /[A-Za-z]{3}/.test(fixedText(rule.start));
  }
  return false;
}

/** The fixed text of an expression, choices of a part included. */
function fixedText(pattern: string): string {
  return pattern
    .replace(/\(\?<\w+>(?!\(\?:)/g, "(")
    .replace(/\(\?<\w+>/g, "")
    .replace(/\\[^a-zA-Z]/g, " ")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\\[a-zA-Z]/g, " ");
}

/** A record of several lines that goes on over a line like its own first one: another record starts there. */
function innerStartDoubts(rules: readonly Rule[], lines: readonly string[]): string[] {
  return rules.flatMap((rule) => {
    if (rule.kind !== "block" || rule.ends !== "start") return [];
    const foreign = foreignStart(rule, lines);
    return foreign === undefined
      ? []
      : [`a record goes on over a line that starts another one: ${foreign.trim()}`];
  });
}

/** The line like a start line between the start of a record and a line that the record is read from. */
function foreignStart(rule: BlockRule, lines: readonly string[]): string | undefined {
  const start = new RegExp(rule.start);
  const own = [...(rule.inner ?? []), ...(rule.above ?? [])].map(({ pattern }) => new RegExp(pattern));
  const keyLine = rule.keys.length > 0 ? new RegExp(rule.keyLine) : undefined;
  const labels = new Set(rule.keys.map(({ label }) => label));
  const isOwn = (line: string): boolean =>
    own.some((regex) => regex.test(line)) || labels.has(keyLine?.exec(line)?.groups?.["key"]?.trim() ?? "");
  const opening = lines.find((line) => start.test(line));
  const end = opening?.trimEnd().at(-1) ?? "";
  if (opening === undefined || /\w/.test(end)) return undefined;
  const indent = opening.search(/\S/);
  const isLike = (line: string): boolean => line.search(/\S/) === indent && line.trimEnd().endsWith(end);
  let open = false;
  let foreign: string | undefined;
  for (const line of lines) {
    if (start.test(line)) {
      open = true;
      foreign = undefined;
    } else if (open && isOwn(line)) {
      if (foreign !== undefined) return foreign;
    } else if (open && isLike(line)) foreign ??= line;
  }
  return undefined;
}
