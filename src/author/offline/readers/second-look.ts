// A reading whose records no stranger would believe is made once more: the parts that looked wrong may not be what they were taken
// for, and the next best reading of the example takes their place.

import type { Sign } from "../doubts/seen/parts.ts";
import type { Group, Hint } from "../page/page.ts";

/** The kind of record with what its parts are not, as the signs in the records tell; undefined when the example tells nothing. */
export function withoutWrong(group: Group, signs: readonly Sign[]): Group | undefined {
  const refused = new Map<string, Set<string>>();
  for (const { part, some } of signs) {
    if (some === true) continue;
    const key = keyOf(part.hint, group);
    const texts = refused.get(key) ?? new Set(part.hint.refused);
    // What the page shows for the part is the part: there the expression is wrong.
    for (const { text } of part.shown) if (!part.hint.literals.includes(text)) texts.add(text);
    refused.set(key, texts);
  }
  const told = (hint: Hint): Hint => {
    const texts = refused.get(keyOf(hint, group));
    return texts === undefined || texts.size === 0 ? hint : { ...hint, refused: [...texts] };
  };
  const value = group.value === undefined ? undefined : told(group.value);
  const fields = group.fields.map(told);
  const isNew = value !== group.value || fields.some((one, index) => one !== group.fields[index]);
  return isNew ? { ...group, value, fields } : undefined;
}

function keyOf(hint: Hint, group: Group): string {
  return hint === group.value ? "" : hint.name;
}
