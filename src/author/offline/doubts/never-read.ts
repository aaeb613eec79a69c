// A field that the page names, and no record has it: where it may be missing, it is still there in some lines of a log, or the page
// would not ask for it. And marks in front of the value that only some records have: a part of its own is glued to it.

import type { Group } from "../page/page.ts";
import type { Extracted } from "../program/ir.ts";

/** Records from which on something that none of them has is a sign, and where each of them may lack it. */
const SEVERAL = 2;
const MANY = 8;

/** Doubts about fields that are nowhere and values with different marks in front. */
export function neverRead(records: readonly Extracted[], group: Group): string[] {
  if (records.length < SEVERAL) return [];
  const none = group.fields.filter(
    (hint) =>
      (!hint.optional || records.length >= MANY) &&
      records.every(({ fields }) => (fields[hint.name] ?? "") === ""),
  );
  const marks = new Map<string, string>();
  for (const { value } of records) {
    const mark = /^([*+#!<>=~^%?&-])[\p{L}\p{N}]/u.exec(value)?.[1];
    if (mark !== undefined && !/^[-+~<>=]?[\d.,]+\D{0,4}$/.test(value)) marks.set(mark, value);
  }
  const bare = records.some(({ value }) => /^[\p{L}\p{N}]/u.test(value));
  const [first] = marks.values();
  return [
    ...none.map((hint) => `no record has the field ${hint.name}`),
    ...(marks.size >= 2 && bare
      ? [`several marks stand in front of the value: ${[...marks.keys()].join(" ")}, ${first}`]
      : []),
  ];
}
