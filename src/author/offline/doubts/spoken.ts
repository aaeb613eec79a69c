// Codes that the page speaks of ("a RUN record with call number 221") and that stand behind a key in some of the records
// a rule takes, while others have another text there: the rule does not tell them apart, the page does.

import { escapeRegex } from "../escape.ts";
import { similarity } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule } from "../program/ir.ts";

/** Doubts about records that differ in a code of the page. */
export function spoken(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  const records = interpretRule(rule, lines);
  const known = new Set([
    ...[...(group.value === undefined ? [] : [group.value]), ...group.fields].flatMap((hint) => [
      ...hint.choices,
      ...hint.literals,
      hint.name.toUpperCase(),
    ]),
    ...rule.filters.flatMap((filter) => filter.equals),
    ...records.flatMap((one) => [one.value, ...Object.values(one.fields)]),
  ]);
  const told = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
    // What is said of the fields tells no records apart.
    .filter((text) => !/^\s*(?:the |its )?(?:value|fields?)\b/i.test(text))
    .filter((text) => !/\b(?:or|e\.g\.|such as|for example|may|can)\b/.test(text));
  for (const { code, noun } of told.flatMap(codesIn)) {
    if (known.has(code)) continue;
    const pair = new RegExp(`(?<![\\w.-])([A-Za-z_][\\w.-]*)=["']?${escapeRegex(code)}(?![\\w.-])`);
    const keys = new Set(
      records.flatMap((one) => {
        const key = pair.exec(one.content)?.[1];
        return key === undefined || (noun !== "" && similarity(noun, key) < 0.7) ? [] : [key];
      }),
    );
    const [key] = keys;
    if (keys.size !== 1 || key === undefined) continue;
    const own = new RegExp(`(?<![\\w.-])${escapeRegex(key)}=`);
    const odd = records.find((one) => own.test(one.content) && !pair.test(one.content));
    if (odd !== undefined)
      return [`the page speaks of ${code}, and a record has another ${key}: ${odd.content.trim()}`];
  }
  return [];
}

/** Words in capitals, and numbers behind the noun that they belong to. */
function codesIn(text: string): { code: string; noun: string }[] {
  const words = [...text.matchAll(/(?<![\w-])[A-Z][A-Z\d_]{1,}(?![\w-])/g)].map(([code]) => ({
    code,
    noun: "",
  }));
  const numbers = [...text.matchAll(/\b([a-z]+) (?:number |no\.? |id |code )?(\d{2,6})\b/g)].map(
    ([, noun = "", code = ""]) => ({ code, noun }),
  );
  return [...words, ...numbers];
}
