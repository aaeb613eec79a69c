// "Events of any other severity are not wanted", "other buses are ignored": which one is wanted, the page's example and its
// own words tell.

import { escapeRegex } from "../escape.ts";
import type { Claim } from "./claims.ts";
import type { FieldRule, Group } from "./page.ts";

const OTHER = /(?:^|\b(?:of|with|in|from|on|at) )(?:all |any |an)?(?:other|different) ([a-z]+)$/i;

/** Conditions on the key of the example that has this noun, where the page names its text elsewhere. */
export function othersOf(claims: readonly Claim[], groups: readonly Group[], prose: string): FieldRule[] {
  const lines = groups.flatMap((group) => group.examples.flatMap((one) => one.lines));
  return claims.flatMap((claim): FieldRule[] => {
    const noun = claim.wanted ? undefined : OTHER.exec(claim.phrase.replace(/\s*\([^)]*\)$/, ""))?.[1];
    if (noun === undefined || /^(?:lines?|rows?|records?|entries|items?|ones?|messages?)$/i.test(noun))
      return [];
    const one = noun
      .replace(/(?<=us|ss|x|ch|sh)es$/i, "")
      .replace(/ies$/i, "y")
      .replace(/(?<![su])s$/i, "");
    const key = new RegExp(
      `(?<![\\w.-])["']?(?<key>[\\w.-]*${one})["']?\\s*[=:]\\s*["']?(?<text>[\\w.+-]+)`,
      "gi",
    );
    const found = lines.flatMap((line) => [...line.matchAll(key)].map((match) => match.groups ?? {}));
    const names = new Set(found.map(({ key: name = "" }) => name));
    const texts = new Set(found.map(({ text = "" }) => text));
    const [name] = names;
    const [text] = texts;
    if (names.size !== 1 || texts.size !== 1 || name === undefined || text === undefined) return [];
    const isNamed = new RegExp(`(?<![\\w.])${escapeRegex(text)}(?![\\w.])`, "i").test(prose);
    return isNamed ? [{ name, equals: [text], negate: false, said: claim.said }] : [];
  });
}
