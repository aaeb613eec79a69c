// A mark that some texts of a part have at their end and that belongs to the part: "the asterisk included where there is
// one", "with its plus sign". Texts that the page lists for the part may have it as well.

import { similarity } from "./names.ts";
import type { FieldRule, Hint } from "./page.ts";

const MARKS: Readonly<Record<string, string>> = {
  asterisk: "*",
  star: "*",
  "plus sign": "+",
  plus: "+",
  hash: "#",
  tilde: "~",
  "exclamation mark": "!",
  "question mark": "?",
  "percent sign": "%",
  "dollar sign": "$",
};
const NAMES = Object.keys(MARKS).join("|");
const INCLUDED = new RegExp(
  `\\b(?:the|its|an?|any) (?:trailing |final )?(${NAMES}),? (?:is |being )?(?:included|kept|belongs)\\b|\\b(?:including|with) (?:the|its|an?|any) (?:trailing |final )?(${NAMES})\\b(?! (?:in front|before|left out|dropped))`,
  "i",
);

/** The mark at the end of a part that the page counts as part of it. */
export function includedMark({ description }: Hint): string | undefined {
  const said = INCLUDED.exec(description);
  return MARKS[(said?.[1] ?? said?.[2] ?? "").toLowerCase()];
}

/** Texts that the page lists for such a part are meant with the mark as well, in conditions, too. */
export function addMarked(hints: readonly Hint[], rules: readonly FieldRule[]): void {
  for (const hint of hints) {
    const mark = includedMark(hint);
    if (mark === undefined) continue;
    const both = (texts: readonly string[]): string[] => [
      ...new Set([...texts.filter((one) => !one.endsWith(mark)).map((one) => one + mark), ...texts]),
    ];
    if (hint.choices.length > 0) hint.choices = both(hint.choices);
    for (const rule of rules)
      if (similarity(rule.name, hint.name) >= 0.9 && rule.match === undefined)
        rule.equals = both(rule.equals);
  }
}
