// Lines and tables some of whose parts stand on lines above them, as proposals, and what speaks against such a reading.

import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule, Rule } from "../program/ir.ts";
import { addHeads, type Head, headsOf, withoutHeads, withoutNames } from "./heads.ts";
import { placedHeads } from "./heads-placed.ts";
import { toldHeads } from "./heads-told.ts";
import { lineGroupListed } from "./listed-conditions.ts";
import { rowsBelow } from "./rows-below.ts";
import { tableGroup } from "./tables/tables.ts";

interface Headed {
  rule: Rule;
  also?: Rule[];
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** Lines and tables some of whose parts the page shows on lines above them. */
export function withHeads(
  group: Group,
  page: Page,
  lines: readonly string[],
): { proposals: Headed[]; told: readonly Head[] } {
  // A part that the page's own example has on its line stands there, not above.
  const single = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  const shown = headsOf(group, page, lines).filter(({ hint, above }) => {
    const head = new RegExp(above.pattern);
    return !single.some(
      (line) => !head.test(line) && hint.literals.some((text) => text.length > 3 && line.includes(text)),
    );
  });
  const told = toldHeads(group, lines, shown);
  const known = [...shown, ...told];
  const heads = [...known, ...placedHeads(group, page, lines, known)];
  const below = rowsBelow(group, page, lines);
  const rows =
    below === undefined
      ? []
      : underHeads(below.group, page, lines, below.heads).filter(({ rule }) => !readsAny(rule, below.others));
  for (const one of rows) apartOf(one, below?.apart === true, lines);
  return { proposals: [...rows, ...underHeads(group, page, lines, heads)], told };
}

/** What the readers of lines and tables make of the group without the parts above. */
function underHeads(group: Group, page: Page, lines: readonly string[], heads: readonly Head[]): Headed[] {
  if (heads.length === 0) return [];
  const inner = withoutHeads(group, heads);
  const rest = withoutNames(page, heads);
  const line = inner.examples.some((one) => one.mark !== "block")
    ? lineGroupListed(inner, rest, lines)
    : undefined;
  const table = tableGroup(inner, rest, lines);
  const names = heads.map((head) => head.hint.name).join(", ");
  return [line, table].flatMap((found) => {
    const rule = found === undefined ? undefined : addHeads(found.rule, group, heads, lines);
    if (found === undefined || rule === undefined) return [];
    const also = "also" in found ? found.also.map((one) => addHeads(one, group, heads, lines)) : [];
    if (also.includes(undefined)) return [];
    const rest = also.filter((one) => one !== undefined);
    const unread = rule.kind === "line" ? unreadShown(rule, group) : undefined;
    if (unread !== undefined)
      return [
        {
          ...found,
          rule,
          also: rest,
          confidence: found.confidence - 0.45,
          doubts: [...found.doubts, `the page shows a line that is not read: ${unread.trim()}`],
        },
      ];
    if (rule.kind === "line" && valueAbove(group, heads) && !perLine(page)) {
      // A block that begins with the value is a record that begins there.
      const doubt =
        "the value stands on a line above, and the page does not say that every line below is a record";
      return [
        { ...found, rule, also: rest, confidence: found.confidence - 0.45, doubts: [...found.doubts, doubt] },
      ];
    }
    return [{ ...found, rule, also: rest, reasons: [...found.reasons, `Above the records: ${names}`] }];
  });
}

/** Does a rule take a line of the page's block for a record that is none? */
function readsAny(rule: Rule, others: readonly string[]): boolean {
  if (rule.kind !== "line") return false;
  const patterns = rule.alternatives.map(({ pattern }) => new RegExp(pattern));
  return others.some((line) => patterns.some((regex) => regex.test(line)));
}

/** Records set apart by a blank line from what holds for them, where most are not and the block shows none. */
function apartOf(one: Headed, shown: boolean, lines: readonly string[]): void {
  const { rule } = one;
  if (shown || rule.kind !== "line") return;
  const heads = (rule.above ?? []).map(({ pattern }) => new RegExp(pattern));
  const records = interpretRule(rule, lines);
  const apart = records.filter(({ line }) => {
    for (let at = line - 2; at >= 0 && !heads.some((head) => head.test(lines[at] ?? "")); at -= 1)
      if ((lines[at] ?? "").trim() === "") return true;
    return false;
  });
  if (apart.length === 0 || apart.length > records.length / 2) return;
  one.doubts.push(
    `a blank line sets a record apart from what stands above it: ${apart[0]?.content.trim() ?? ""}`,
  );
  one.confidence -= 0.45;
}

/** A line that the page shows with the text of a part, which neither the records nor the lines above them are like. */
function unreadShown(rule: LineRule, group: Group): string | undefined {
  const known = [...rule.alternatives, ...(rule.above ?? [])].map(({ pattern }) => new RegExp(pattern));
  const texts = [...(group.value === undefined ? [] : [group.value]), ...group.fields].flatMap(
    (hint) => hint.literals,
  );
  return group.examples
    .flatMap((one) => one.lines)
    .find(
      (line) =>
        !known.some((regex) => regex.test(line)) &&
        (group.examples.some((one) => one.lines.length === 1 && one.lines[0] === line) ||
          texts.some((text) => text.length > 1 && line.includes(text))),
    );
}

/** Does a block of the page show the value on its first line, and the other parts below? */
function valueAbove(group: Group, heads: readonly Head[]): boolean {
  const head = heads.find(({ hint }) => hint === group.value);
  if (head === undefined) return false;
  const regex = new RegExp(head.above.pattern);
  return group.examples.some((one) => one.lines.length > 1 && regex.test(one.lines[0] ?? ""));
}

/** "One item per metric line", "every port is a record". */
function perLine(page: Page): boolean {
  return /\b(?:one|an?) (?:items?|records?|entry) (?:per|for each|for every)\b|\b(?:each|every) [^.;]{0,40}\b(?:is|are|counts as|gives|makes) (?:an?|one|its own) (?:items?|records?)\b|\bline(?: number)?s? ?(?:is|are|:|counts)/i.test(
    page.prose,
  );
}

/** A part that the page places above the records, and the log has there, is not on their lines. */
export function placedAbove(
  one: { rule: Rule; confidence: number; doubts: string[] },
  told: readonly Head[],
): void {
  const { rule } = one;
  if (rule.kind !== "line") return;
  const wrong = told.find(({ hint }) =>
    rule.alternatives.some(({ pattern, projection }) => {
      const source = projection.fields.find((field) => field.name === hint.name)?.source;
      return source?.from === "group" && pattern.includes(`(?<${source.group}>`);
    }),
  );
  if (wrong === undefined) return;
  one.doubts.push(`the page places ${wrong.hint.name} above the records`);
  one.confidence -= 0.45;
}
