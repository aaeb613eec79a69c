// Does the page restrict which records of several lines are wanted, by a word that only some of them have, and nothing
// in the rule does? "Only failed jobs count", "Suppressed findings are not wanted", "Ports that are down do not count".

import { isAmount, isThisOnly } from "../page/facts.ts";
import { stem, stemsOf, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { saysUnwanted } from "../page/polarity.ts";
import { bare, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, LineRule, Rule } from "../program/ir.ts";
import { regionsOf as recordTexts } from "./mentioned.ts";

const ONLY = /\bonly\b(?! (?:if|when|where|the (?:number|digits|name|first|last)))/i;
const PARTS = /^(?:the )?(?:value|fields?|line(?: number)?)\b/i;
/** "A task has failed when the last result is other than 0". */
const DEFINES =
  /^(?:an?|the|each|every) [\w ]{2,30}? (?:has|have|is|was|counts) (?:as )?\w+ (?:when|if|as long as|unless) (?:the|its|their|one of)\b/i;
/** Where the subject of a sentence ends. */
const VERB =
  /\b(?:that|which|who|whose|with|without|are|is|do|does|have|has|can|may|of|in|on|from|for|count)\b/i;
const PLAIN = new Set(
  [
    ...wordsOf(
      "only the are is was not and but with that this those these their its for from into wanted taken read count counts counted line lines row rows record records entry entries item items block blocks value values field fields one each every all any which whose where what when them they also same other others here below above named called marked matter needed relevant listed have has does without there some more most such like part parts list lists detailed detail details full complete long short brief indented separate nested expanded block blocks form forms",
    ),
  ].map(stem),
);

/** Doubts about restrictions of the page that some of the records do not fulfil. */
export function limits(rule: Rule, group: Group, page: Page, lines: readonly string[]): string[] {
  if (rule.kind !== "block" && (rule.kind !== "line" || rule.above === undefined)) return [];
  const regions = regionsOf(rule, lines);
  if (regions.length < 2) return [];
  const nouns = nounsOf(rule, group, page);
  const fixed = fixedText(rule);
  const known = new Set(stemsOf(fixed));
  const open = unread(page, rule, fixed, regions);
  if (open !== undefined)
    return [`the page wants only some of the records, and nothing in the rule does: ${open}`];
  for (const { sentences, text: whole } of [...page.statements, ...page.sourceStatements]) {
    // A bullet about one part restricts nothing.
    if (/^`\w+`\s*[-–—:(]/.test(whole)) continue;
    for (const { text } of sentences) {
      const plain = bare(text);
      // "The sums, `all_stats`, are not read": of a file.
      if (quotedIn(text).some((one) => isFile(one.text, page))) continue;
      const asks = ONLY.test(plain) && !isAmount(plain) && !isThisOnly(plain);
      const subject = subjectOf(plain);
      const about = subject !== undefined && nouns.has(subject);
      if (about && DEFINES.test(plain) && rule.filters.length === 0)
        return [`the page says which records are meant, and nothing in the rule does: ${text}`];
      if (PARTS.test(plain) || !(asks || (saysUnwanted(plain) && about))) continue;
      const words = wordsOf(plain.replace(/\([^)]*\)/g, " ")).filter((word) => word.length > 3);
      const telling = words.find((word) => {
        const own = stem(word);
        if (PLAIN.has(own) || nouns.has(own) || known.has(own)) return false;
        const having = regions.filter((region) => region.has(own)).length;
        return having > 0 && having < regions.length;
      });
      if (telling !== undefined)
        return [`the page restricts the records by "${telling}", and nothing in the rule does: ${text}`];
    }
  }
  return [];
}

/** A file that section 4.1 speaks of. */
function isFile(text: string, page: Page): boolean {
  return (
    page.files.some(({ glob }) => glob === text) ||
    (/^[\w*?./-]+$/.test(text) &&
      page.sourceStatements.some((one) =>
        one.sentences.some(
          (sentence) =>
            sentence.text.includes(`\`${text}\``) &&
            /\b(?:files?|directory|folder|read|searched|used|needed)\b/i.test(bare(sentence.text)),
        ),
      ))
  );
}

/** "Only records with an `s` in their flags": a text that neither the rule knows nor all records have. */
function unread(
  page: Page,
  rule: BlockRule | LineRule,
  fixed: string,
  regions: readonly ReadonlySet<string>[],
): string | undefined {
  if (rule.kind !== "block" || rule.filters.length > 0 || rule.scope !== undefined) return undefined;
  const said = new Set(
    [...page.statements, ...page.sourceStatements].flatMap((one) => one.sentences.map(({ text }) => text)),
  );
  const claim = page.claims.find(
    (one) =>
      one.wanted &&
      one.isCase !== true &&
      said.has(one.said) &&
      /^only\b/i.test(one.said) &&
      one.tests.some(
        ({ plain, how, texts }) =>
          !plain &&
          how !== "amount" &&
          texts.length > 0 &&
          texts.every((text) => !fixed.includes(text) || text.length < 2) &&
          !regions.every((region) => texts.some((text) => isIn(text, region))),
      ),
  );
  return claim?.said;
}

/** Has a record the words of a text? A single letter may be anywhere. */
function isIn(text: string, region: ReadonlySet<string>): boolean {
  return text.length > 1 && wordsOf(text).every((word) => region.has(stem(word)));
}

/** The stems of all lines of each record, those above it included. */
function regionsOf(rule: BlockRule | LineRule, lines: readonly string[]): ReadonlySet<string>[] {
  const [first] = rule.above ?? [];
  // What stands behind the end of a record is none of its text.
  if (rule.kind === "block" && first === undefined) return recordTexts([rule], lines).map(stemsOf);
  const own = rule.kind === "block" ? rule.start : (rule.alternatives[0]?.pattern ?? "(?!)");
  const top = new RegExp(first?.pattern ?? own);
  const tops = lines.flatMap((line, index) => (top.test(line) ? [index] : []));
  return interpretRule(rule, lines).map((record) => {
    const from = tops.findLast((index) => index < record.line) ?? record.line - 1;
    const to = tops.find((index) => index >= record.line) ?? lines.length;
    return stemsOf(lines.slice(from, Math.min(to, from + 200)).join(" "));
  });
}

/** What the records are called: the value, the first words of their lines, the subject of the page. */
function nounsOf(rule: BlockRule | LineRule, group: Group, page: Page): Set<string> {
  const examples = [
    ...(rule.above ?? []).map(({ example }) => example),
    rule.kind === "block" ? rule.startExample : (rule.alternatives[0]?.example ?? ""),
  ];
  const first = bare(page.statements[0]?.sentences[0]?.text ?? "");
  const nouns = new Set(wordsOf(group.value?.name.replace(/_/g, " ") ?? "").map(stem));
  for (const example of examples) for (const word of wordsOf(example).slice(0, 1)) nouns.add(stem(word));
  const subject = subjectOf(first);
  if (subject !== undefined) nouns.add(subject);
  for (const hint of group.fields) for (const word of wordsOf(hint.name)) nouns.add(stem(word));
  return nouns;
}

/** The last word of the subject of a sentence, as a stem. */
function subjectOf(text: string): string | undefined {
  const words = wordsOf(text.split(VERB)[0] ?? "");
  const last = words.at(-1);
  return last === undefined || words.length > 6 ? undefined : stem(last);
}

/** The fixed text of the expressions and the texts of the filters. */
function fixedText(rule: BlockRule | LineRule): string {
  const patterns =
    rule.kind === "block"
      ? [rule.start, ...(rule.inner ?? []).map(({ pattern }) => pattern), rule.title ?? ""]
      : [...rule.alternatives.map(({ pattern }) => pattern), rule.scope?.open ?? "", ...rule.unless];
  const above = (rule.above ?? []).map(({ pattern }) => pattern);
  const filters = rule.filters.flatMap((filter) => filter.equals);
  return [...patterns, ...above, ...filters]
    .join(" ")
    .replace(/\(\?<\w+>/g, " ")
    .replace(/\\[a-zA-Z]/g, " ");
}
