// "the number of the hotfix with KB", "as printed, with the `*64`": texts that a part is said to carry.

import { quotedIn } from "../page/text.ts";
import type { Say } from "./evidence.ts";

const MAYBE = /\b(?:if|where|when|sometimes|optional|perhaps|possibly|may)\b/i;

/** The texts that a part is said to have in it; `always` is false when only some have it. */
export function carriedTexts(description: string): { text: string; always: boolean }[] {
  const found: { text: string; always: boolean }[] = [];
  for (const match of description.matchAll(
    /(?<!\bnot )\b(?:with|including) (?:its |the |an? )?(?:(?:leading|trailing|prefix|suffix|letters|word|sign|ending) )*(`[^`]+`|"[^"]+"|[A-Z]{2,6}\b|percent sign|dollar sign|at sign|hash|unit (?:`[^`]+`|\w{1,3}\b))/g,
  )) {
    const said = match[1] ?? "";
    const text =
      quotedIn(said)[0]?.text.trim() ??
      { "percent sign": "%", "dollar sign": "$", "at sign": "@", hash: "#" }[said] ??
      said;
    const end = match.index + match[0].length;
    const rest = match[0] + description.slice(end, end + 40).replace(/[,;)].*$/s, "");
    if (text !== "" && !text.startsWith("unit")) found.push({ text, always: !MAYBE.test(rest) });
  }
  return found;
}

/** Speaks for parts that carry them. */
export function carriedEvidence(text: string, line: string, description: string, say: Say): void {
  for (const one of carriedTexts(description)) {
    if (!line.includes(one.text)) continue;
    if (text.includes(one.text)) say(text.trim() === one.text ? -3 : 4, `carries ${one.text}`);
    else say(-3, `lacks ${one.text}`);
  }
}
