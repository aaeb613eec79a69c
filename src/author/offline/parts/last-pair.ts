// "what the last pair of parentheses contains", "the word in the last brackets": the part stands between the brackets
// that close the line.

import type { Say } from "./evidence.ts";

const PAIRS: Record<string, [string, RegExp]> = {
  p: ["(", /^\)\W*$/],
  b: ["[", /^\]\W*$/],
};
const LAST =
  /\b(?:last|final|closing) (?:pair of )?(?:round |square )?(parentheses|brackets)\b|\b(parentheses|brackets) at the end\b/i;

/** What the page says about the last brackets of a line. */
export function lastPairEvidence(text: string, before: string, after: string, say: Say): void {
  const told = LAST.exec(text);
  const pair = PAIRS[(told?.[1] ?? told?.[2] ?? "").charAt(0).toLowerCase()];
  if (
    told === null ||
    pair === undefined ||
    /\b(?:without|before|in front of)\b[^,;]*$/i.test(text.slice(0, told.index))
  )
    return;
  // "of the location in the last brackets": a piece of what they have in them.
  const isPiece = /\b(?:of|from) (?:the|its) [a-z]+ in (?:the )?$/i.test(text.slice(0, told.index));
  const close = pair[0] === "(" ? ")" : "]";
  const from = before.lastIndexOf(pair[0]);
  const within =
    from >= 0 &&
    !before.slice(from).includes(close) &&
    new RegExp(`^[^\\${close}]*\\${close}\\W*$`).test(after);
  if (isPiece) say(within ? 5 : -3, "in the last brackets");
  else say(before.endsWith(pair[0]) && pair[1].test(after) ? 7 : -3, "in the last brackets");
}
