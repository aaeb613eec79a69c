// Names with a preposition: the part stands behind this very word of the line.

import type { Say } from "./evidence.ts";

/** `from_state` behind "from", `to_state` behind "to", where the line has the word in front of one text only. */
export function prepositionEvidence(before: string, after: string, name: string, say: Say): void {
  const word = /^(from|to|by|via|into|onto)_|_(from|to|by|via|into|onto)$/.exec(name);
  const own = word?.[1] ?? word?.[2];
  if (own === undefined) return;
  if (new RegExp(`(?:^|\\s)${own}:?\\s["'(\\[]?$`, "i").test(before))
    say(word?.[1] === undefined ? 2 : 4, `behind ${own}`);
  else if (new RegExp(`(?:^|\\s)${own}:?\\s`, "i").test(`${before}${after}`)) say(-2, `not behind ${own}`);
}
