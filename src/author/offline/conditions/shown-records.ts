// The records that the page itself shows: what a condition must not leave out.

import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";
import { shownRows } from "./hidden-columns.ts";

/** The records that the page itself shows, as the rules read them. */
export function shownRecords(rules: readonly Rule[], group: Group): Extracted[] {
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  return rules.flatMap((rule) => {
    if (rule.kind === "table") return shownRows(rule, group);
    // A record of several lines is shown as such.
    if (rule.kind === "block")
      return group.examples.flatMap((one) => (one.lines.length > 1 ? interpretRule(rule, one.lines) : []));
    if (rule.kind !== "line") return [];
    const { scope: _scope, above: _above, ...alone } = rule;
    return shown.flatMap((line) => interpretRule({ ...alone, unless: [] }, [line]));
  });
}
