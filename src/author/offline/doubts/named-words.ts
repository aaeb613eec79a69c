// "the name of the step in quotes after the word skipping": lines with a word that the page names are records, or the
// page would say so, and the word itself is no part of one.

import { escapeRegex } from "../escape.ts";
import type { Group, Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";

const NAMED =
  /\b(?:after|behind|follow\w*|by|has|have|holds?|contains?|with|says|begins? with|then|brackets|,|and) the words? (?:`([^`]+)`|"([^"]+)"|([A-Za-z][\w-]+))(?=[\s,.;]|$)/gi;
const LONGEST = 2_000;

/** Doubts about words that a page in prose names and the rules pass over. */
export function namedWords(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  if (group.examples.length > 0) return [];
  const words = page.statements
    .flatMap((one) => one.sentences)
    .filter(({ text }) => !NEGATIVE.test(bare(text)) && !/\bwhere\b|\bif\b|\bunless\b/i.test(text))
    .flatMap(({ text }) => [...text.matchAll(NAMED)].map((match) => match[1] ?? match[2] ?? match[3] ?? ""))
    .filter((word) => !/^(?:in|of|is|that|which|for|behind|after|before|from)$/i.test(word));
  const quoted = page.statements.flatMap((one) =>
    one.sentences.flatMap(({ text }) =>
      NEGATIVE.test(bare(text)) ? [] : quotedIn(text).map((span) => span.text.trim()),
    ),
  );
  if (words.length === 0 && quoted.length === 0) return [];
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length === 0) return [];
  for (const text of quoted.filter((one) => /^[A-Za-z][\w ]{3,}$/.test(one))) {
    const [doubt] = oddOnes(text, records, page);
    if (doubt !== undefined) return [doubt];
  }
  if (words.length === 0) return [];
  const taken = new Set(records.map((one) => one.content));
  const odd = words.flatMap((word) => oddOnes(word, records, page));
  if (odd.length > 0) return odd.slice(0, 1);
  for (const word of new Set(words)) {
    const regex = new RegExp(`(?<![A-Za-z])${escapeRegex(word)}(?![A-Za-z])`, "i");
    if (!records.some((one) => regex.test(one.content))) continue;
    const inside = Object.entries(records[0]?.fields ?? {}).find(
      ([name]) => records.length > 1 && records.every((one) => regex.test(one.fields[name] ?? "")),
    );
    if (inside !== undefined) return [`the word ${word} that the page names stands in every ${inside[0]}`];
  }
  const all = [...new Set(words)].map((word) => new RegExp(`(?<![A-Za-z])${escapeRegex(word)}(?![A-Za-z])`));
  const left = lines.filter(
    (line) =>
      line.length <= LONGEST &&
      !taken.has(line) &&
      all.every((regex) => regex.test(line)) &&
      !page.unwanted.some((text) => line.includes(text)),
  );
  const has = records.filter((one) => all.every((regex) => regex.test(one.content)));
  if (has.length === 0 || rules.some((rule) => rule.filters.length > 0)) return [];
  return left.length > taken.size * 0.2
    ? [`${left.length} lines with the words that the page names are not taken, e.g. ${left[0]?.trim() ?? ""}`]
    : [];
}

/** Records without a word that others have as the page spells it, and those with another word right in front of it. */
function oddOnes(word: string, records: readonly Extracted[], page: Page): string[] {
  const whole = new RegExp(`(?:(?<![A-Za-z-])([a-z]{4,}) )?(?<![A-Za-z])${escapeRegex(word)}(?![A-Za-z])`);
  const found = records.map(({ content }) => whole.exec(content));
  const having = found.filter((match) => match !== null).length;
  if (having === 0) return [];
  if (having < records.length && having >= records.length * 0.5) {
    const without = records[found.indexOf(null)];
    return [`the page names ${word}, and a record is taken without it: ${without?.content.trim() ?? ""}`];
  }
  const fronts = found.flatMap((match) => match?.[1] ?? []);
  const strange = fronts.filter((front) => !page.prose.toLowerCase().includes(front));
  const isRare = strange.length > 0 && strange.length < records.length * 0.5;
  const at = found.findIndex((match) => match?.[1] === strange[0]);
  return isRare
    ? [
        `a word that the page does not speak of stands in front of ${word}: ${records[at]?.content.trim() ?? ""}`,
      ]
    : [];
}
