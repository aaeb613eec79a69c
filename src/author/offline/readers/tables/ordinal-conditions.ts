// "With `n` in the fifth column", "(third column `down`)": conditions on a column that the page tells by its place.

import type { Page } from "../../page/page.ts";
import { saysUnwanted } from "../../page/polarity.ts";
import { bare } from "../../page/text.ts";
import type { GroupFilter } from "../../program/ir.ts";

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
  " ",
);
const PLACE = `(?:the )?(?<place>${ORDINALS.join("|")}|last) (?:column|cell)|(?:the )?(?:column|cell) (?:number )?(?<number>\\d\\d?)`;
const TEXT = '(?:`(?<code>[^`]+)`|"(?<quote>[^"]+)")';
const FORMS = [
  new RegExp(`${TEXT} (?:[a-z]+ ){0,2}(?:in|as) (?:${PLACE})\\b`, "gi"),
  new RegExp(
    `(?:${PLACE})(?: \\([^()]*\\))?,? (?:(?:is|are|has|have|holds?|says?|reads?|shows?|being|with|contains?|equals?|=) )?(?:an? |the )?${TEXT}`,
    "gi",
  ),
];

/** Filters for such conditions, on columns that have the text in some rows. */
export function ordinalFilters(
  page: Page,
  columns: readonly { group: string; texts: readonly string[] }[],
): GroupFilter[] {
  const filters: GroupFilter[] = [];
  for (const { text } of page.statements.flatMap((one) => one.sentences)) {
    if (/^\W*(?:the )?(?:value|fields?)\b/i.test(bare(text))) continue;
    for (const groups of FORMS.flatMap((form) =>
      [...text.matchAll(form)].map((match) => match.groups ?? {}),
    )) {
      const word = (groups["place"] ?? "").toLowerCase();
      const at =
        groups["number"] !== undefined
          ? Number(groups["number"]) - 1
          : word === "last"
            ? columns.length - 1
            : ORDINALS.indexOf(word);
      const said = groups["code"] ?? groups["quote"] ?? "";
      const column = columns[at];
      if (column === undefined || !column.texts.includes(said)) continue;
      if (filters.some((one) => one.group === column.group)) continue;
      const negate = saysUnwanted(bare(text)) ? { negate: true } : {};
      filters.push({ group: column.group, equals: [said], ...negate });
    }
  }
  return filters;
}
