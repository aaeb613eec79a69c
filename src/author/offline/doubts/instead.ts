// Records of a kind that the page does not want, in lines built like the wanted ones: in the place of a word that the page says and
// its example has ("Warning"), they have one of a sentence on what is not wanted ("notes are not wanted"). And records that are
// counted by another of their lines than the page says.

import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { recordLines } from "../page/record-line.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";

/** Doubts about lines with an unwanted word in place of a wanted one, and about the line of a record. */
export function instead(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length === 0) return [];
  return rules.every(({ kind }) => kind === "line")
    ? otherWord(rules, records, group, page)
    : otherLine(rules, records, group, page);
}

function otherWord(
  rules: readonly Rule[],
  records: readonly Extracted[],
  group: Group,
  page: Page,
): string[] {
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  const shown = examples.flatMap((line) =>
    rules.flatMap((rule) => interpretRule({ ...rule, filters: [] }, [line]).map(besideParts)),
  );
  const [first, ...more] = shown;
  if (first === undefined) return [];
  const wanted = [...first].filter(
    (word) => word.length > 3 && page.stems.has(word) && more.every((one) => one.has(word)),
  );
  const has = new Map(records.map((one) => [one, besideParts(one)]));
  const odd = records.filter((one) => {
    const words = has.get(one) ?? new Set();
    const lacks = wanted.some((word) => !words.has(word) && !page.unwantedStems.has(word));
    return lacks && [...page.unwantedStems].some((word) => words.has(word) && !first.has(word));
  });
  const [hit] = odd;
  return hit === undefined || odd.length === records.length
    ? []
    : [
        `${odd.length} records have a word that the page does not want in place of one that it wants: ${hit.content.trim()}`,
      ];
}

/** The words of a line beside the parts of its record. */
function besideParts({ content, value, fields }: Extracted): Set<string> {
  let rest = content;
  for (const text of [value, ...Object.values(fields)]) rest = rest.replace(text, " ");
  return new Set(wordsOf(rest).map(stem));
}

/** "Line number: the Bay line": the page's block has one line that begins with the word, and records stand on lines that do
 * not. */
function otherLine(
  rules: readonly Rule[],
  records: readonly Extracted[],
  group: Group,
  page: Page,
): string[] {
  if (rules.some(({ kind }) => kind !== "block")) return [];
  const shown = group.examples.flatMap((one) => (one.lines.length > 1 ? one.lines : []));
  for (const { told, weak } of recordLines([...page.statements, ...page.sourceStatements])) {
    const word = /^(?:the |its )?([A-Z][\w-]*)(?: line| row)?$/.exec(told.trim())?.[1]?.toLowerCase();
    if (weak || word === undefined) continue;
    const begins = (line: string): boolean => wordsOf(line)[0] === word;
    if (!shown.some(begins)) continue;
    const off = records.filter(({ content }) => !begins(content));
    const [first] = off;
    if (first !== undefined && off.length >= records.length * 0.5)
      return [`the page counts records by ${told}, and they stand elsewhere: ${first.content.trim()}`];
  }
  return [];
}
