// The tests of a page on the parts of finished rules: filters on their values and fields.

import { stem } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import type { Wish } from "../page/wishes.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, GroupFilter, Projection, Rule, Source } from "../program/ir.ts";
import { filterFor, type WishedPart } from "./wishes.ts";

/** Adds a filter for each test of the page that no filter of the rule is about yet; the tests that found no part. */
export function addWished(rule: Rule, group: Group, page: Page, lines: readonly string[]): Wish[] {
  if (page.wishes.length === 0) return [];
  const open: Wish[] = [];
  for (const wish of page.wishes) {
    const parts = partsOf(rule, group, lines);
    const filter = filterFor(wish, parts);
    if (filter === undefined && addKey(rule, wish, lines)) continue;
    if (filter === undefined) {
      const { test } = wish;
      // "At least one" is not 0.
      const isNone = ({ equals, negate }: GroupFilter): boolean =>
        negate === true && equals.length > 0 && equals.every((text) => /^0+(?:[.,]0+)?%?$/.test(text));
      const counters =
        test.kind === "number" &&
        rule.filters.some(
          (one) =>
            one.also !== undefined ||
            one.equals.includes(String(test.than)) ||
            (test.than <= 1 && isNone(one)),
        );
      if (!counters && !rule.filters.some((one) => isAbout(one.group, wish))) open.push(wish);
    } else if (
      !rule.filters.some(
        (one) => isOn(one.group, filter.group, rule) || one.also?.includes(filter.group) === true,
      )
    ) {
      rule.filters.push(filter);
    }
  }
  return open;
}

/** Is a condition about the part, or about the whole cell that it is a part of? */
function isOn(condition: string, group: string, rule: Rule): boolean {
  const from = rule.kind === "table" ? rule.parts?.find((one) => one.group === group)?.from : undefined;
  return condition === group || (from !== undefined && condition === from);
}

/** "rules which are enabled": the lines of the records have a key of this name that says yes or no. */
function addKey(rule: Rule, { test, keep }: Wish, lines: readonly string[]): boolean {
  if (rule.kind !== "block" || rule.keyLine === "" || test.kind !== "texts" || !test.plain) return false;
  const keyLine = new RegExp(rule.keyLine);
  const own = stem((test.texts[0] ?? "").toLowerCase());
  const texts = new Map<string, Set<string>>();
  for (const line of lines) {
    const { key, text } = keyLine.exec(line)?.groups ?? {};
    if (key === undefined || stem(key.trim().toLowerCase()) !== own) continue;
    texts.set(key.trim(), (texts.get(key.trim()) ?? new Set()).add((text ?? "").trim()));
  }
  const [entry, other] = texts;
  if (entry === undefined || other !== undefined) return false;
  const [label, said] = entry;
  const yes = [...said].filter((text) => /^(?:yes|true|on|enabled|active)$/i.test(text));
  if (yes.length === 0 || said.size < 2 || said.size > 4) return false;
  const known = rule.keys.find((one) => one.label === label)?.group;
  const group = known ?? `is_${label.toLowerCase().replace(/\W+/g, "_")}`;
  if (known === undefined) rule.keys.push({ label, group });
  rule.filters.push({ group, equals: yes, ...(keep ? {} : { negate: true }) });
  return true;
}

/** Doubts about tests of the page that found no part: an amount that nothing compares, texts that some records have. */
export function unwished(
  rules: readonly Rule[],
  open: readonly Wish[],
  page: Page,
  lines: readonly string[],
): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  return open.flatMap(({ test, text }) => {
    if (test.kind === "number" && test.than >= 0) return [`nothing in the rule compares an amount: ${text}`];
    if (test.kind !== "texts") return [];
    // "The inbound rules which are enabled": where the one is a filter, the other should be one as well.
    const beside = page.wishes.some((one) => one.text === text && !open.includes(one));
    if (test.plain) return beside ? unmet(rules, test.texts[0] ?? "", text) : [];
    if (page.rules.some((rule) => test.texts.some((one) => rule.equals.includes(one)))) return [];
    const has = records.filter(({ content }) => test.texts.some((one) => content.includes(one)));
    return has.length === 0 || has.length === records.length
      ? []
      : [`the page speaks of ${test.texts.join(", ")}, which only some of the records have: ${text}`];
  });
}

/** A state that is asked for, and nothing in rules for whole records says it. */
function unmet(rules: readonly Rule[], word: string, text: string): string[] {
  if (rules.some((rule) => rule.kind !== "block")) return [];
  const known = JSON.stringify(rules).toLowerCase();
  return known.includes(stem(word.toLowerCase()))
    ? []
    : [`the page asks for ${word}, and nothing in the rule does: ${text}`];
}

function isAbout(name: string, wish: Wish): boolean {
  return wish.about.toLowerCase().includes(name.toLowerCase()) || wish.test.kind === "texts";
}

/** The value and the fields of a rule with the texts that they have in its records. */
function partsOf(rule: Rule, group: Group, lines: readonly string[]): WishedPart[] {
  const projections: Projection[] =
    rule.kind === "line" ? rule.alternatives.map((one) => one.projection) : [rule.projection];
  const records = interpretRule(rule, lines);
  const part = (hint: Hint, source: Source | undefined, textOf: (one: Extracted) => string): WishedPart[] => {
    if (source?.from !== "group") return [];
    return [
      {
        group: source.group,
        names: [hint.name, source.group],
        description: hint.description,
        texts: records.map(textOf),
      },
    ];
  };
  const same = (sources: readonly (Source | undefined)[]): Source | undefined => {
    const [first] = sources;
    return sources.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined;
  };
  return [
    ...group.fields.flatMap((hint) =>
      part(
        hint,
        same(projections.map((one) => one.fields.find((field) => field.name === hint.name)?.source)),
        (one) => one.fields[hint.name] ?? "",
      ),
    ),
    ...(group.value === undefined
      ? []
      : part(group.value, same(projections.map((one) => one.value)), (one) => one.value)),
  ];
}
