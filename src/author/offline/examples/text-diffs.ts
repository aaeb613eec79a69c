// Differences between the text of a part and its texts in the examples.
import type { DiffKind } from "./diffs.ts";
import type { Leaf } from "./template.ts";
import { isNumber, toNumber } from "./tokens.ts";

/** The differences between a text and the samples of a part, each with its cost.
 * @param framed the part is between delimiters
 * @param open the part is beside other text without a mark between them, so that words may belong to either */
export function textDiffs(leaf: Leaf, text: string, framed: boolean, open = !framed): [DiffKind, number][] {
  const diffs: [DiffKind, number][] = [];
  const numeric = leaf.samples.every(isNumber);
  if (numeric && !isNumber(text)) return [["type", framed ? 0.8 : 2]];
  if (numeric) {
    if (leaf.samples.every((sample) => /^\d+$/.test(sample)) && !PLAIN_NUMBER.test(text))
      diffs.push(["digits", 0.2]);
    const value = toNumber(text);
    const values = leaf.samples.map(toNumber);
    if (value === 0 && values.every((sample) => sample !== 0)) diffs.push(["zero", 0]);
    const isFirstNegative = value < 0 && values.every((sample) => sample >= 0);
    const isFirstPositive = value > 0 && values.every((sample) => sample < 0);
    if (isFirstNegative || isFirstPositive) diffs.push(["sign", 0]);
    return diffs;
  }
  if ((leaf.samples.length === 1 || leaf.category === true) && !leaf.samples.includes(text))
    diffs.push(["constant", 0]);
  if (!hasLetterOrDigit(text) && leaf.samples.every(hasLetterOrDigit))
    diffs.push(open ? ["marks", 1.5] : ["constant", 0]);
  if (open && hasBlank(text) && !leaf.samples.some(hasBlank)) diffs.push(["words", 0]);
  else if (!framed && hasLeadingMark(text) && !leaf.samples.some(hasLeadingMark)) diffs.push(["marks", 0.5]);
  else if (
    !hasBlank(text) &&
    isUnbalanced(text) &&
    !leaf.samples.some((sample) => hasBlank(sample) || isUnbalanced(sample))
  )
    diffs.push(["marks", 0.5]);
  return diffs;
}

/** Digits, optionally with commas between thousands and a fraction behind a point. */
const PLAIN_NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

function hasBlank(text: string): boolean {
  return /\s/.test(text);
}

function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Does a text begin with a mark of a list or tree, or with text in brackets? */
function hasLeadingMark(text: string): boolean {
  return /^[*>+|`\u2500-\u257f\u2022]|^\[[^\]]*\]\s|^\([^)]*\)\s/.test(text);
}

/** Has a text brackets without their counterpart? */
function isUnbalanced(text: string): boolean {
  return ["()", "[]", "{}"].some(
    ([open = "", close = ""]) => text.split(open).length !== text.split(close).length,
  );
}
