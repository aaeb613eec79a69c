// "Sealed, rented and other sheds are not wanted": a list of words that tell kinds, none of which is a part of the records.
// Lines that have one of them beside their parts are left out.

import { escapeRegex } from "../escape.ts";
import type { Claim } from "../page/claims.ts";
import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule, Rule } from "../program/ir.ts";
import { lookingAhead } from "./ahead.ts";

const LIST =
  /^(?:the |all )?([A-Za-z][\w-]*(?:, [A-Za-z][\w-]*)*),? (?:and|or) (?:any |all )?(?:other|others|[A-Za-z][\w-]*)(?: [a-z]+)?$/;

/** What stands right in front of a word and right behind it, its letters and digits as one each. */
function placeOf(line: string, start: number, word: string): string {
  const form = (text: string): string => text.replace(/[A-Za-z]+/g, "w").replace(/\d+/g, "9");
  const before = /\S+\s*$/.exec(line.slice(0, start))?.[0].trim() ?? "";
  const after = /^[^\w\s]*/.exec(line.slice(start + word.length))?.[0] ?? "";
  return `${form(before)}|${after}`;
}

/** The places of all words of the lines that the page shows. */
function placesIn(shown: readonly string[]): ReadonlySet<string> {
  return new Set(
    shown.flatMap((line) =>
      [...line.matchAll(/(?<![\w-])[A-Za-z][\w-]*/g)].map((match) => placeOf(line, match.index, match[0])),
    ),
  );
}

/** The rules for lines without those that have a word of the list; undefined when none has. */
export function withoutKinds(
  claim: Claim,
  rules: readonly Rule[],
  group: Group,
  lines: readonly string[],
): Rule[] | undefined {
  const isLine = (rule: Rule): rule is LineRule => rule.kind === "line";
  if (claim.wanted || !claim.tests.every((one) => one.plain) || !rules.every(isLine)) return undefined;
  const listed = LIST.exec(claim.phrase)?.[1]?.split(", ") ?? [];
  const shown = group.examples.flatMap((one) => one.lines);
  if (shown.length === 0) return undefined;
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  const words = listed.flatMap((word) => {
    const regex = new RegExp(`(?<![\\w-])${escapeRegex(word)}(?![\\w-])`, "i");
    if (word.length < 4 || shown.some((line) => regex.test(line))) return [];
    const found = records.flatMap(({ content, value, fields }) => {
      // What a part says is no kind of line.
      const text = regex.exec(content)?.[0];
      // It stands where the example has another word.
      if (text !== undefined && !placesIn(shown).has(placeOf(content, regex.exec(content)?.index ?? 0, text)))
        return [];
      const inPart = [value, ...Object.values(fields)].some((part) => regex.test(part));
      return text === undefined || inPart ? [] : [text];
    });
    return found.length === 0 || found.length === records.length ? [] : [...new Set(found)];
  });
  if (words.length === 0) return undefined;
  const ahead = `(?!.*(?<![\\w-])(?:${words.map(escapeRegex).join("|")})(?![\\w-]))`;
  const narrowed = rules.map((rule) => lookingAhead(rule, ahead, lines));
  const kept = narrowed.flatMap((rule) => interpretRule(rule, lines)).length;
  return kept > 0 && kept < records.length ? narrowed : undefined;
}
