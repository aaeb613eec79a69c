// "The name as written after `End of`": a part that the page places right behind a text it quotes has to stand there in
// every record whose line has that text.

import type { Hint } from "../page/page.ts";
import { occurrences, relationsOf } from "../parts/relations.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule } from "../program/ir.ts";

/** Doubts about parts that do not stand behind the text that the page names, in lines that have it. */
export function borders(
  rule: LineRule,
  value: Hint | undefined,
  fields: readonly Hint[],
  lines: readonly string[],
): string[] {
  const hints = value === undefined ? [...fields] : [value, ...fields];
  const named = hints.flatMap((hint) => {
    const marks = relationsOf(hint.description).after.filter((mark) => /[A-Za-z]{2}/.test(mark.name));
    return marks.length === 0 || hint.wholeLine ? [] : [{ hint, marks }];
  });
  if (named.length === 0) return [];
  const records = interpretRule(rule, lines);
  return named.flatMap(({ hint, marks }) => {
    const odd = records.find((one) => {
      const text = hint === value ? one.value : one.fields[hint.name];
      if (text === undefined || text === "") return false;
      const ends = marks.flatMap((mark) => occurrences(one.content, mark).map(({ end }) => end));
      if (ends.length === 0) return false;
      return !ends.some((end) =>
        one.content
          .slice(end)
          .replace(/^[\s"'`([{<:=]+/, "")
          .startsWith(text),
      );
    });
    if (odd === undefined) return [];
    const mark = marks.map((one) => one.name).join(" or ");
    return [
      `the page places ${hint.name} behind "${mark}", and it is read elsewhere in: ${odd.content.trim()}`,
    ];
  });
}
