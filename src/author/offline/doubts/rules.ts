// Does a rule do what the page says with "only" and "not"? What it does not realise is a doubt that keeps it from
// being accepted.

import { escapeRegex } from "../escape.ts";
import { withoutNames } from "../logs/proper-names.ts";
import { holds, readConditions } from "../page/conditions.ts";
import { isAmount, isThisOnly } from "../page/facts.ts";
import { similarity, stem, wordsOf } from "../page/names.ts";
import type { FieldRule, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { aboveTables, isOnlyTable } from "./above-tables.ts";

/** Doubts about records that the page rules out and the rule takes. */
export function unrealised(rule: Rule, page: Page, lines: readonly string[]): string[] {
  return [
    ...sectionDoubts(rule, page, lines),
    ...recordDoubts(rule, page, lines),
    ...conditionDoubts(rule, page, lines),
    ...onlyDoubts(rule, page, lines),
    ...amountDoubts(rule, page),
  ];
}

const PART = "(?:section|table|part|block|chapter|paragraph|group)";

/** "only the hold section": the rule must know the name, by its scope, heading row or template. */
function sectionDoubts(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const doubts: string[] = [];
  const source = new Set(wordsOf(JSON.stringify({ ...rule, example: "", headerExample: "" })).map(stem));
  for (const { name, said } of sectionNames(page)) {
    if (isOnlyTable(said, rule, lines)) continue;
    const words = wordsOf(name).filter((word) => word.length > 2);
    if (words.length === 0 || words.some((word) => source.has(stem(word)))) continue;
    // Where the log has no such words at all, there is nothing to tell apart.
    const named = lines.filter((line) => words.some((word) => wordsOf(line).map(stem).includes(stem(word))));
    if (named.length > 0) doubts.push(`the page speaks of the ${name} only, and nothing in the rule does`);
  }
  return doubts;
}

function sectionNames(page: Page): { name: string; said: string }[] {
  const names: { name: string; said: string }[] = [];
  for (const statement of [...page.statements, ...page.sourceStatements]) {
    for (const sentence of statement.sentences) {
      const text = sentence.text.replace(/[`"[\]]/g, "");
      if (!/\bonly\b|\bin the\b|\bof the\b/i.test(text)) continue;
      const only = new RegExp(`\\b[Oo]nly (?:the )?((?:[\\w-]+ ){1,3}?)${PART}s?\\b`).exec(text)?.[1];
      const called = new RegExp(
        `\\bonly\\b[^.;]*\\b${PART}s? (?:called |named |on |of )?([\\w-]+(?: [\\w-]+)?) (?:is|are)\\b`,
        "i",
      ).exec(text)?.[1];
      // "Only this table", "only the part up to the mark": no name.
      const NO_NAME =
        /^(?:(?:the|this|that|these|those|each|every|one|first|last|its|their|a|an|such)$|(?:whose|that|which|with|where|of|in)\b)/i;
      for (const name of [only, called])
        if (name !== undefined && !NO_NAME.test(name.trim()))
          names.push({ name: name.trim(), said: sentence.text });
    }
  }
  return names;
}

/** Records in whose fixed text stands a word that only the page's exclusions have. */
function recordDoubts(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const records = interpretRule(rule, lines);
  for (const record of records) {
    let text = fromMatch(rule, record.content);
    for (const part of [record.value, ...Object.values(record.fields)].sort((a, b) => b.length - a.length)) {
      if (part.length > 1 && part !== record.content.trim()) text = text.replace(part, " ");
    }
    // What a line quotes in brackets is no sign of its own kind.
    const own = withoutNames(text.replace(/"[^"]*"|\((?:[^()]|\([^()]*\))*\)/g, " "));
    const word = wordsOf(own).find((one) => one.length > 3 && page.unwantedStems.has(stem(one)));
    if (word !== undefined)
      return [
        `a record is taken from a line with "${word}", which the page excludes: ${record.content.trim()}`,
      ];
    // "Keys refused because the gate was closed are not of interest": a reason that only some records have.
    // A message of many words says more than its kind.
    const parts = Object.values(record.fields)
      .filter((part) => wordsOf(part).length <= 4)
      .flatMap((part) => wordsOf(part))
      .filter((one) => one.length > 3);
    const excluded = parts.find(
      (one) =>
        page.unwantedStems.has(stem(one)) &&
        records.some((other) => !wordsOf(other.content).map(stem).includes(stem(one))),
    );
    if (
      excluded !== undefined &&
      /\s/.test(Object.values(record.fields).find((part) => part.includes(excluded)) ?? "")
    )
      return [
        `a field of a record speaks of "${excluded}", which the page excludes: ${record.content.trim()}`,
      ];
    const literal = page.unwanted.find((one) => one.trim().length > 2 && record.content.includes(one));
    if (literal !== undefined && !records.every((one) => one.content.includes(literal))) {
      return [`a record is taken from a line with "${literal}", which the page excludes`];
    }
  }
  return [];
}

/** A line from where a rule reads it: what is in front of that says nothing about the record. */
function fromMatch(rule: Rule, line: string): string {
  if (rule.kind !== "line") return line;
  const found = rule.alternatives.map(({ pattern }) => new RegExp(pattern).exec(line)).find(Boolean);
  return line.slice(found?.index ?? 0);
}

/** Conditions of the page that some record does not fulfil, and "only" sentences that nothing realises. */
function conditionDoubts(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const records = interpretRule(rule, lines);
  const doubts: string[] = [];
  const filters = JSON.stringify(rule.filters);
  for (const condition of page.rules) {
    if (filters.includes(JSON.stringify(condition.equals)) || looksAhead(rule, condition)) continue;
    if (scopedBy(rule, condition)) continue;
    const broken = records.find((record) => !fulfils(condition, record));
    if (broken !== undefined) {
      const what = `${condition.name} ${condition.negate ? "other than " : ""}${condition.equals.join(" or ")}`;
      doubts.push(`the page asks for ${what.trim()}, but a record is taken from: ${broken.content.trim()}`);
    }
  }
  return doubts;
}

/** "Only the details of X": the records are those below the heading X. */
function scopedBy(rule: Rule, condition: FieldRule): boolean {
  // "Only the table of data disks": the tables below this title.
  if (rule.kind === "table" && rule.sections !== undefined && !condition.negate) {
    const titles = rule.sections.wanted.map((title) => title.toLowerCase());
    return condition.equals.every((text) => titles.some((title) => title.includes(text.toLowerCase())));
  }
  if (rule.kind !== "line" || rule.scope === undefined || condition.negate) return false;
  const { open } = rule.scope;
  return condition.equals.every((word) => open.includes(escapeRegex(word)));
}

/** Does the expression look for the words of a condition, or for their absence? */
function looksAhead(rule: Rule, condition: FieldRule): boolean {
  if (rule.kind !== "line" || condition.match !== "contains") return false;
  const sign = condition.negate ? "(?!.*" : "(?=.*";
  return rule.alternatives.every(({ pattern }) =>
    condition.equals.every((word) => pattern.startsWith(`^${sign}`) && pattern.includes(escapeRegex(word))),
  );
}

function fulfils(condition: FieldRule, record: { content: string; fields: Record<string, string> }): boolean {
  const field = Object.keys(record.fields).find((name) => similarity(name, condition.name) >= 0.6);
  const text = field === undefined ? undefined : record.fields[field];
  if (text !== undefined && holds(condition, text)) return true;
  // Nothing can be said of a part that is no field and must only be there.
  if (text === undefined && condition.equals.every((one) => one === "")) return true;
  // Parts of other lines of the record say it as well.
  const away = Object.values(record.fields).filter((part) => !record.content.includes(part));
  const tokens = ` ${[record.content, ...away].join(" ; ")} `;
  const stands = condition.equals.some((word) => {
    // A number may stand anywhere in a line: it counts where its name is in front of it.
    if (/^\d{1,2}$/.test(word) && condition.name !== "") {
      const named = new RegExp(`\\b${escapeRegex(condition.name)}\\b\\W{0,3}${word}(?!\\w)`, "i");
      return named.test(record.content);
    }
    for (let at = tokens.indexOf(word); at >= 0; at = tokens.indexOf(word, at + 1)) {
      // "Imports are not sorted": the line says itself that it is not.
      if (condition.negate && /\b(?:not|never) $/i.test(tokens.slice(0, at))) continue;
      if (!/\w/.test(tokens.charAt(at - 1)) && !/\w/.test(tokens.charAt(at + word.length))) return true;
    }
    return false;
  });
  if (!condition.negate) return stands;
  return text === undefined ? !stands : false;
}

const AMOUNT =
  /\b(?:not (?:at )?(?:0|zero)\b|non-?zero|(?:more|less|[a-z]+er) than (?!(?:one|that|the|those|what|which|others?)\b)|above (?:\d|zero)|below (?:\d|zero)|at least (?:\d|one|two|three)\b|at most \d|exceed\w*|over \d|under \d)/i;

/** "Only rows with a count above 10": an amount that no filter of the rule compares. */
function amountDoubts(rule: Rule, page: Page): string[] {
  if (rule.filters.length > 0) return [];
  return page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      const plain = bare(text);
      const asks =
        /\bonly\b|\b(?:extract|take|find|list|report) the\b|\b(?:is|are) (?:not )?(?:wanted|items?|records?|taken|of interest)\b/i.test(
          plain,
        );
      // "Trips that took more than 30 minutes": the first sentence says what is wanted.
      const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text;
      const limits =
        text === first &&
        /\b(?:that|which|whose|with|where)\b.*\b(?:more|less|longer|fewer|greater|higher|lower) than \d/i.test(
          plain,
        );
      return (asks || limits) && AMOUNT.test(plain)
        ? [`nothing in the rule compares an amount: ${text}`]
        : [];
    }),
  );
}

const PLAIN = new Set(
  "only the are is was not and but with that this those these their its for from into wanted taken read count counts counted line lines row rows record records entry entries item items message messages file files report reports log logs table tables section block blocks value values field fields one each every all any which whose where what when them they extracted interest important part parts first last once also same other others here below above named called marked matter needed relevant considered listed"
    .split(" ")
    .map(stem),
);

/** "Only" sentences in which no condition was found: each of their words that the log knows must be in the rule or
 * in all records. */
function onlyDoubts(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const open = [...page.statements].flatMap(({ sentences }) =>
    sentences.filter(({ text }) => /^only\b|\bonly[.]?$/i.test(text)),
  );
  const records = interpretRule(rule, lines);
  const plain = JSON.stringify(rule, (key, part: unknown) => (/example$/i.test(key) ? undefined : part));
  const source = new Set(wordsOf(plain.replace(/\\\\[a-zA-Z]/g, " ")).map(stem));
  for (const one of aboveTables(rule, lines)) source.add(one);
  const names = new Set(
    page.groups.flatMap((group) =>
      [group.value, ...group.fields].flatMap((hint) => wordsOf(hint?.name ?? "").map(stem)),
    ),
  );
  const known = new Set(lines.flatMap((line) => wordsOf(line).map(stem)));
  return open.flatMap((sentence) => {
    // Which of several tables is wanted is realised as such.
    if (rule.kind === "table" && rule.only !== undefined && sentence.text.includes(rule.only)) return [];
    if (sentence.text.endsWith(";") || readConditions(sentence).length > 0) return [];
    if (isAmount(bare(sentence.text)) || isThisOnly(bare(sentence.text))) return [];
    const words = wordsOf(
      sentence.text
        .replace(
          /[,;]? (?:(?:i\.e\.|that is),? )?(?:not|but|so no|so not|neither|nor)\b.*$|[:;,]? (?:skip|ignore|leave|drop|omit)\b.*$/i,
          "",
        )
        .replace(/\([^)]*\)/g, " ")
        // "Only reason FailedMount": the noun says what kind of text it is.
        .replace(/^only (?:the )?[a-z]+ (?=[A-Z`"])/i, "Only "),
    ).map(stem);
    const missed = words.find(
      (word) =>
        word.length > 2 &&
        !PLAIN.has(word) &&
        !names.has(word) &&
        !source.has(word) &&
        known.has(word) &&
        !records.every((record) => wordsOf(record.content).map(stem).includes(word)),
    );
    return missed === undefined ? [] : [`nothing in the rule realises: ${sentence.text}`];
  });
}
