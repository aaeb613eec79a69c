// The parts of records as conditions see them: the value and the fields, with the group that the rules read each from.

import { similarity, stemsOf } from "../page/names.ts";
import type { Group, Hint } from "../page/page.ts";
import type { Extracted, Projection, Rule } from "../program/ir.ts";

export interface Part {
  hint: Hint;
  group: string;
  isValue: boolean;
}

/** The parts that all rules read from one group of the same name. */
export function partsOf(rules: readonly Rule[], group: Group): Part[] {
  const hints = [
    ...(group.value === undefined ? [] : [{ hint: group.value, isValue: true }]),
    ...group.fields.map((hint) => ({ hint, isValue: false })),
  ];
  const projections = rules.flatMap((rule): Projection[] =>
    rule.kind === "line" ? rule.alternatives.map((one) => one.projection) : [rule.projection],
  );
  return hints.flatMap(({ hint, isValue }) => {
    const groups = new Set(
      projections.map((one) => {
        const source = isValue ? one.value : one.fields.find((field) => field.name === hint.name)?.source;
        return source?.from === "group" ? source.group : undefined;
      }),
    );
    // A form of the record without the part has no text there.
    if (!isValue) groups.delete(undefined);
    const [name] = groups;
    return groups.size === 1 && name !== undefined ? [{ hint, group: name, isValue }] : [];
  });
}

export function textOf(record: Extracted, part: Part): string {
  return (part.isValue ? record.value : record.fields[part.hint.name]) ?? "";
}

const SINGULAR: [RegExp, string][] = [
  [/ies$/, "y"],
  [/(?:ses|xes|zes|ches|shes)$/, ""],
  [/s$/, ""],
];

/** How well a noun of the page names a part, 0 to 1. */
export function names(part: Part, noun: string, texts: readonly string[]): number {
  if (noun === "") return 0;
  const { hint } = part;
  const forms = [noun, ...SINGULAR.map(([end, rest]) => noun.replace(end, rest))];
  const byName = Math.max(...forms.map((one) => similarity(hint.name, one)));
  if (byName >= 0.7) return byName;
  // "The exit code" is `exit`.
  const short = /^([a-z]\w*) (?:codes?|values?|versions?|numbers?|counts?|texts?)$/i.exec(noun)?.[1];
  if (short !== undefined && similarity(hint.name, short) >= 0.95) return 0.8;
  const isPercent = /\bpercent(?:age)?$/i.test(noun);
  const own = noun.replace(/\s*\bpercent(?:age)?$/i, "");
  if (isPercent && (own === "" || !/^[a-z]/.test(own) || stemsIn(hint, own)))
    if (
      texts.some((text) => /^\d[\d.]*\s?%$/.test(text)) ||
      /%|\bpercent/i.test(`${hint.name} ${hint.description}`)
    )
      return 0.75;
  // "The old protocol version" is the version.
  const head = /\s(\S+)$/.exec(noun)?.[1];
  return stemsIn(hint, own) || (head !== undefined && similarity(hint.name, head) === 1) ? 0.65 : 0;
}

/** Does what the page says of the part have all words of the noun? */
function stemsIn(hint: Hint, noun: string): boolean {
  // "The remark behind the counters" is no counter.
  const description = hint.description.replace(
    /\b(?:behind|after|before|in front of|next to|beside|following|above|below) (?:the |its |all |these )*[\w-]+/gi,
    " ",
  );
  const own = stemsOf(`${hint.name.replace(/_/g, " ")} ${description}`);
  const said = [...stemsOf(noun)].filter((one) => one.length > 2);
  return said.length > 0 && said.every((one) => own.has(one));
}
