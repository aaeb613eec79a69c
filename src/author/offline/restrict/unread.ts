// What a page rules out in words of no form that is known, although a word of it stands in the short texts of some of the
// records and not in others: "fill and decap cells are of no interest".

import { stemsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Scene } from "./bind.ts";
import type { Piece } from "./cues.ts";

/** Words of any page that tell no records. */
const GENERIC = stemsOf(
  "line lines row rows record records entry entries item items message messages block blocks file files table tables list value values field name names number numbers text texts column word words kind type level state time date first last other others page report report log they them these those which that with without from have their its are not wanted only also such into than there here when where what whose some more most many each every both either neither interest concern business matter",
);

/** "Swap and spares are not wanted": nothing was asked in a form that is known, and a word of it tells some of the records. */
export function unread(pieces: readonly Piece[], { rules, group, lines }: Scene, page: Page): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length < 2) return [];
  const title = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  const names = [group.value, ...group.fields].map(
    (one) => `${one?.name.replace(/_/g, " ") ?? ""} ${one?.description ?? ""}`,
  );
  const known = stemsOf(`${title} ${names.join(" ")}`);
  // In a text of many words it is said by the way.
  const own = records.map(({ value, fields }) =>
    stemsOf([value, ...Object.values(fields)].filter((one) => one.split(/\s+/).length <= 2).join(" ")),
  );
  for (const { keep, text } of pieces) {
    if (keep) continue;
    const words = [...stemsOf(text.replace(/‹\d+›|\([^)]*\)/g, " "))].filter(
      (one) => one.length > 3 && !GENERIC.has(one) && !known.has(one) && !/^\d/.test(one),
    );
    const telling = words.find((word) => {
      const having = own.filter((one) => one.has(word)).length;
      return having > 0 && having < own.length;
    });
    if (telling !== undefined)
      return [`the page rules records out, and nothing in the rule does what it says of "${telling}"`];
  }
  return [];
}
