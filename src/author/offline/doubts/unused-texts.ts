// Every text that the page quotes is put to a use: it is an example, a name, a file, or a rule knows it. One that stands in
// some of the records and not in others, and that no rule knows, tells which records are wanted.

import { isGlob } from "../page/files.ts";
import { stemsOf, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";
import { regionsOf } from "./mentioned.ts";

/** What the page says of parts, of files, or by the way. */
const ABOUT_PARTS =
  /^\s*(?:the |its |their )?(?:value|fields?|columns?|line(?: number)?|‹›|[\w ]{1,24})\s*(?:[:=(]|is\b|are\b)/i;
const BY_THE_WAY =
  /\b(?:e\.g\.|for example|for instance|such as|like|may|can|might|also|optional|if|sometimes|some|usually|most|either|or|as well)\b/i;
const ASKS =
  /(?:^|[,;:(] ?|\b(?:are|is|wanted|take|report|count|keep|extract|need|of|but|and) )(?:only|just)\b(?! (?:read|seen|used|written|printed|shown|set|given)\b)|\bonly\W*$|\b(?:extract|take|find|collect|pick|list|report|keep|wanted|want|need|of interest|gather|whose|those|must|has to|have to|records?|items?)\b/i;

const DEFINES =
  /^[\w ]{2,30} (?:is|are) (?:the |those |all )?[\w ]{2,20} (?:that|which) (?:ends?|begins?|starts?|contains?|have|has) (?:in |with |on )?(?:the )?\s*‹/i;

/** Doubts about quoted texts that tell records apart and that no rule knows. */
export function unusedTexts(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const sentences = page.statements.flatMap((one) =>
    one.sentences.flatMap(({ text }) => text.split(/;\s+(?=[a-z])/)),
  );
  const [title] = sentences;
  const told = sentences.filter((text) => {
    const plain = bare(text);
    // "Archives are the files that end in `.x`".
    if (DEFINES.test(plain)) return true;
    // The title says which records there are.
    if (
      text === title &&
      /\b(?:whose|in|with|without|not|other|another|except|only|that|which)\b[^.]*‹›/i.test(plain)
    )
      return true;
    return !NEGATIVE.test(plain) && !ABOUT_PARTS.test(plain) && !BY_THE_WAY.test(plain) && ASKS.test(plain);
  });
  const texts = new Set(told.flatMap((text) => quotedIn(text).map((span) => span.text.trim())));
  if (texts.size === 0) return [];
  const regions = regionsOf(rules, lines);
  if (regions.length < 2) return [];
  const source = JSON.stringify(rules, (key, part: unknown) => (/example$/i.test(key) ? undefined : part));
  const known = new Set(wordsOf(source.replace(/\\\\[a-zA-Z]/g, " ")));
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  for (const text of texts) {
    if (text.length < 2 || text.length > 60 || (isGlob(text) && !/^\.\w/.test(text))) continue;
    if (group.examples.some((one) => one.lines.join("\n").trim() === text)) continue;
    const words = wordsOf(text);
    if (words.length > 0 && words.every((word) => known.has(word))) continue;
    if (hints.some((hint) => hint.name === text || hint.literals.some((one) => one.includes(text)))) continue;
    const having = regions.filter((region) => region.includes(text)).length;
    if (having === 0 || having === regions.length) continue;
    return [
      `the page quotes "${text}", which only ${having} of ${regions.length} records have, and nothing in the rule does`,
    ];
  }
  return [];
}

/** Lines above a heading row that may be its title. */
const TITLES = 3;

/** A text that the page rules out stands above some of the tables that are read, and the rule does not know it. */
export function unwantedTitles(rules: readonly Rule[], page: Page, lines: readonly string[]): string[] {
  return rules.flatMap((rule) => {
    if (rule.kind === "line" && rule.scope === undefined) return aboveLines(rule, page, lines);
    if (rule.kind !== "table" || rule.sections !== undefined) return [];
    const header = new RegExp(rule.header);
    const heads = lines.flatMap((line, index) => (header.test(line) ? [index] : []));
    const above = heads.map((at) => lines.slice(Math.max(0, at - TITLES), at).join("\n"));
    const text = page.unwanted
      .map((one) => one.replace(/\s*(?:\.{3}|…)$/, "").trim())
      .find(
        (one) =>
          one.length > 5 &&
          above.some((own) => own.includes(one)) &&
          !above.every((own) => own.includes(one)),
      );
    return text === undefined ? [] : [`the page rules out "${text}", which stands above some of the tables`];
  });
}

/** The same for lines: the text stands in the first line of the paragraphs that some records stand in. */
function aboveLines(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const texts = page.unwanted
    .map((one) => one.replace(/\s*(?:\.{3}|…)$/, "").trim())
    .filter((one) => one.length > 5);
  if (texts.length === 0) return [];
  const firsts = new Set<string>();
  for (const { line } of interpretRule(rule, lines)) {
    let at = line - 1;
    while (at > 0 && line - at < 60 && (lines[at - 1] ?? "").trim() !== "") at -= 1;
    if (at < line - 1 && line - at < 60) firsts.add(lines[at] ?? "");
  }
  const isTitle = (first: string): boolean => first.length < 80 && !/\d\d:\d\d|\||:\s+\S/.test(first);
  const text = texts.find((one) => {
    const having = [...firsts].filter((first) => first.includes(one));
    return having.length > 0 && having.length < firsts.size && having.every(isTitle);
  });
  return text === undefined
    ? []
    : [`the page rules out "${text}", which stands at the head of what some records stand in`];
}

const PLAIN = stemsOf(
  "line lines row rows record records entry entries item items message messages file files report log table list value field fields each every with from that this which what when where time date name number text user host client server address line only their there these those want wanted need find extract take",
);

/** "Login calls answered 403": words of what the page asks for that stand in its example, and not in all records. */
export function unusedWords(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  if (shown.length === 0 || rules.some((rule) => rule.filters.length > 0)) return [];
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text;
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  const named = stemsOf(hints.map((hint) => `${hint.name.replace(/_/g, " ")} ${hint.description}`).join(" "));
  const asked = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
    // What is said of a part asks for no line.
    .filter((text) => !/^\W*(?:the )?(?:values?|fields?)\b/i.test(text))
    .filter((text) => !NEGATIVE.test(text) && (text === bare(first ?? "") || /\b(?:only|just)\b/i.test(text)))
    // "Alarm and warning flags": several kinds, none of which all records have.
    .map((text) => text.replace(/\b[\w-]+,? (?:and|or|as well as) [\w-]+|\d+(?:\.\d+){2,}/gi, " "))
    .flatMap((text) => [...stemsOf(text)])
    .filter((word) => /^\d{3,}$/.test(word) || (word.length > 3 && !PLAIN.has(word) && !named.has(word)));
  if (asked.length === 0) return [];
  const examples = shown.map((line) => stemsOf(line));
  const telling = new Set(asked.filter((word) => examples.every((one) => one.has(word))));
  if (telling.size === 0) return [];
  const regions = rules.flatMap((rule) => interpretRule(rule, lines)).map(besideParts);
  const lacked = [...telling].filter((word) => {
    const having = regions.filter((one) => one.has(word)).length;
    return having > 0 && having < regions.length;
  });
  // One word may well be another one in some lines; a code, or two words that the same records lack, may not.
  const both = regions.some((one) => lacked.filter((word) => !one.has(word)).length > 1);
  return both || lacked.some((word) => /^\d+$/.test(word))
    ? [`the page asks for ${lacked.join(", ")}, as in its example, and some records lack it`]
    : [];
}

/** The words of a record's line beside its parts. */
function besideParts({ content, value, fields }: Extracted): ReadonlySet<string> {
  let rest = content;
  const parts = [value, ...Object.values(fields)].sort((a, b) => b.length - a.length);
  for (const part of parts) if (part.length > 1) rest = rest.replace(part, " ");
  return stemsOf(rest);
}
