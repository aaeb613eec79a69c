// "Rows with TID filled repeat them and are not wanted", "only rows whose remark is blank": conditions on whether a column has a
// text at all.

import { escapeRegex } from "../../escape.ts";
import type { Page } from "../../page/page.ts";
import { saysUnwanted } from "../../page/polarity.ts";
import { bare, NEGATIVE } from "../../page/text.ts";
import type { GroupFilter } from "../../program/ir.ts";

const FILLED = "filled|set|present|given|printed|non-?empty|non-?blank|not (?:empty|blank|missing)";
const OPEN = "empty|blank|missing|absent|unset|not (?:filled|set|present|given|printed)|without (?:a )?text";
const BLANK = ["", "-"];

/** Filters for such conditions, on columns that are blank in some rows. */
export function filledFilters(
  page: Page,
  columns: readonly { group: string; names: readonly string[]; texts: readonly string[] }[],
): GroupFilter[] {
  const filters: GroupFilter[] = [];
  for (const { text } of page.statements.flatMap((one) => one.sentences)) {
    const plain = text.replace(/`([\w%/# -]+)`/g, "$1");
    if (/^\W*(?:the )?(?:value|fields?)\b/i.test(plain) || !TELLS.test(bare(text))) continue;
    for (const { group, names, texts } of columns) {
      const blank = texts.filter((one) => BLANK.includes(one)).length;
      if (blank === 0 || filters.some((one) => one.group === group)) continue;
      const isFilled = stateOf(plain, names);
      if (isFilled === undefined) continue;
      const isOut =
        NEGATIVE.test(bare(text).replace(/\bnot (?:empty|blank|filled|set)\b/gi, "")) ||
        saysUnwanted(bare(text));
      filters.push({ group, equals: BLANK, ...(isFilled === isOut ? {} : { negate: true }) });
    }
  }
  return filters;
}

/** Sentences about which rows there are. */
const TELLS =
  /\b(?:only|wanted|unwanted|rows?|lines?|entries|records?|count|skip|ignore|leave|left|drop|whose|those|items?|take|keep)\b/i;

/** Does the sentence say that the column is filled, or that it is blank? */
function stateOf(text: string, names: readonly string[]): boolean | undefined {
  for (const name of names.filter((one) => /^[A-Za-z][\w %/#.-]+$/.test(one))) {
    const own = escapeRegex(name).replace(/[_ ]/g, "[_ ]");
    // A heading in capitals is meant as it is written.
    const form = (state: string): RegExp =>
      new RegExp(
        `(?<![\\w-])${own}(?: (?:column|cell|field))?(?: (?:is|are|was|being|stays?))? (?:${state})(?![\\w-])`,
        /[a-z]/.test(name) ? "i" : "",
      );
    if (form(OPEN).test(text)) return false;
    if (form(FILLED).test(text)) return true;
  }
  return undefined;
}
