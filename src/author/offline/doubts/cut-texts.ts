// Texts that the report itself cuts short ("nom_t…"): what was cut is not in the log, so nobody can say that the text is
// the one that is meant.

import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";

const CUT = /\S(?:…|\.\.\.)$/;

/** Doubts about values and fields that end in the mark of a cut, where the page does not speak of it. */
export function cutTexts(rule: Rule, group: Group, page: Page, lines: readonly string[]): string[] {
  if (/\b(?:cut|truncat\w*|shorten\w*|abbreviat\w*)\b|…/i.test(page.prose)) return [];
  const records = interpretRule(rule, lines);
  const names = [undefined, ...group.fields.map((hint) => hint.name)];
  return names.flatMap((name) => {
    const cut = records
      .map((one) => (name === undefined ? one.value : (one.fields[name] ?? "")))
      .filter((text) => CUT.test(text));
    const free =
      (name === undefined ? group.value : group.fields.find((hint) => hint.name === name))?.kind === "text";
    const few = free && cut.length < records.length * 0.5;
    return cut.length === 0 || few ? [] : [`the log itself cuts the ${name ?? "value"} short: ${cut[0]}`];
  });
}
