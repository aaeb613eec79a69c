// Words of sections 2 and 3 beside the patterns: names of keys, and how many patterns there are said to be.

import { numberWord } from "../page/names.ts";

/** Names of config keys and modes are no patterns. */
export function isKeyword(text: string, before: string): boolean {
  // "The result is `FAIL`", not "`STOR`, `PASS` and `QUIT`".
  if (/^(?:PASS|FAIL|N\/A)$/.test(text))
    return /\b(?:is|be|then|gives?|result|status|verdict|means|as|an?)\s*$/i.test(before);
  return (
    /^(?:value|contains|exact|search|match|absent|present|requirements?(?:\.\w+)?|waivers?(?:\.\w+)?|pattern_items|waive_items|expect|extra|parsed_fields|default_match|regex_mode)$/.test(
      text,
    ) || /\b(?:fields?|value of|column)\s*$/i.test(before)
  );
}

/** "four patterns", "4 site types", "these three names": a number in front of what is listed. */
export const COUNT =
  /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\s+(?:[\w-]+\s+){0,2}?(?:patterns?|types?|names?|items?|events?|entries|strings?|texts?|steps?|requirements?|expressions?|values?|keywords?|waivers?)\b/i;

export function countOf(text: string): number | undefined {
  const match = COUNT.exec(text.replace(/\btype\s*\d\b/gi, ""));
  return match === null ? undefined : numberWord(match[1] ?? "");
}
