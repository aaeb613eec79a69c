// Kinds of rows that only the row on the page shows: "rows without it are fine" behind a remark that some rows lack, "only rows
// with the longer remark:" in front of the row. The column is the only one that tells the rows apart so.

import type { Test } from "../page/claim-tests.ts";
import type { Claim } from "../page/claims.ts";
import type { Binding, Seen } from "./bind.ts";
import { type Part, textOf } from "./parts.ts";

/** Texts of a column that tells kinds of rows. */
const MOST_KINDS = 8;
const BLANK = ["", "-", "--"];
const REMARK =
  /^(?:it|them|that|this|one|(?:such )?(?:an? |the )?(?:remark|mark|flag|sign|note|asterisk|star|addition|suffix|comment|label|tag)s?)$/i;
const LIKE_THIS =
  /\b(?:remark|mark|flag|sign|note|suffix|comment|label|tag|state|status|verdict|kind|type|form|word|text|ending|like (?:this|these))\b/i;

/** The column that has just one text in the rows of the page, and in some others another one, as a condition. */
export function bindShownKind(claim: Claim, test: Test, seen: Seen): Binding[] {
  if ((seen.examples ?? []).length === 0) return [];
  if (!claim.wanted && test.how === "blank" && !test.negate && REMARK.test(test.of.trim())) {
    const blank = columns(seen, (text) => !BLANK.includes(text)).filter(({ others }) =>
      others.every((text) => BLANK.includes(text)),
    );
    const [only, more] = blank;
    return only === undefined || more !== undefined
      ? []
      : [{ filters: [{ group: only.part.group, equals: BLANK, negate: true }], met: false }];
  }
  const shows = (seen.examples ?? []).some((line) => claim.phrase.includes(line.trim()));
  if (!claim.wanted || !shows || !LIKE_THIS.test(claim.phrase)) return [];
  const [only, more] = columns(seen, (text) => text !== "");
  return only === undefined || more !== undefined
    ? []
    : [{ filters: [{ group: only.part.group, equals: [only.shown] }], met: false }];
}

interface Kind {
  part: Part;
  shown: string;
  others: string[];
}

/** Columns beside the parts of the records with a few texts, of which the page shows one that some rows have. */
function columns(seen: Seen, isShown: (text: string) => boolean): Kind[] {
  const { records, parts } = seen;
  return parts.flatMap((part): Kind[] => {
    const texts = new Set(records.map((record) => textOf(record, part)));
    const own = new Set(shownTexts(part, seen));
    const [text = ""] = own;
    const isPart = part.isValue || part.hint.description !== "";
    const isKind = texts.size >= 2 && texts.size <= MOST_KINDS && [...texts].every((one) => !/\d/.test(one));
    if (isPart || !isKind || own.size !== 1 || !isShown(text) || !texts.has(text)) return [];
    return [{ part, shown: text, others: [...texts].filter((one) => one !== text) }];
  });
}

/** What a part has in the rows of the page. */
export function shownTexts(part: Part, { records, shown, examples = [] }: Seen): string[] {
  if (shown.length > 0) return shown.map((record) => textOf(record, part));
  const texts = [...new Set(records.map((record) => textOf(record, part)))];
  return examples.map((line) => textIn(line, texts));
}

/** The text of a column that stands in a line as a cell of its own; columns at fixed places are not read off an example. */
function textIn(line: string, texts: readonly string[]): string {
  const cells = line.trim().split(/\s{2,}/);
  return texts.find((text) => text !== "" && cells.includes(text)) ?? "";
}
