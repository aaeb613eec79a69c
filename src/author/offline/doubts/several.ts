// "A line may have several": then a rule that takes one record from each line misses the others of a line.

import { stemsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare, NEGATIVE } from "../page/text.ts";
import type { Rule } from "../program/ir.ts";

const MANY = "(?:several|more than one|two or more|any number|many)(?: of (?:them|these|those))?";
/** Of lines of the log; a line of a source that a record is about is another one. */
const LINES = "(?:a|an|one|each|every|the same|a single) (?:log )?(?:line|row)";
const SAYS = [
  new RegExp(
    `\\b${LINES} (?:(?:may|can|could|might|often|sometimes|also) )*(?:have|has|hold|holds|contain|contains|list|lists|name|names|carry|carries) ${MANY}(?<rest>[^.;,:()]*)`,
    "i",
  ),
  new RegExp(
    `\\b(?:there (?:may|can) be|may (?:have|hold)) ${MANY}(?<rest> [\\w ]*?)? (?:on|in|per) (?:${LINES}|line)\\b`,
    "i",
  ),
];

/** A doubt where the page says that a line has several records and the rules take no more than one. */
export function several(rules: readonly Rule[], group: Group, page: Page): string[] {
  if (rules.some(({ kind }) => kind !== "line")) return [];
  const title = page.statements[0]?.sentences[0]?.text ?? "";
  const names = stemsOf(`${title} ${group.value?.name.replace(/_/g, " ") ?? ""}`);
  const open = page.statements.filter(({ text }) => !/\b(?:only|just|once)\b/i.test(bare(text)));
  for (const { text } of open.flatMap(({ sentences }) => sentences)) {
    const plain = bare(text);
    if (NEGATIVE.test(plain)) continue;
    for (const says of SAYS) {
      const match = says.exec(plain);
      if (match === null) continue;
      // "Several blanks" are no records.
      const rest = [...stemsOf(match.groups?.["rest"] ?? "")];
      if (rest.length === 0 || rest.some((word) => names.has(word)))
        return [`the page says that a line may have several records, and one is taken from each: ${text}`];
    }
  }
  return [];
}
