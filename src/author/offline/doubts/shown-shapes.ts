// Texts that the page shows for a part in several forms ("such as net_12 or t45"): each form that the log has must be among the
// texts of the part. And prose that tells of further lines of a record, read line by line.

import { escapeRegex } from "../escape.ts";
import type { Group, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import type { Extracted, Rule } from "../program/ir.ts";

/** Letters as they are, digits as any. */
function shapeOf(text: string): RegExp | undefined {
  if (!/^[A-Za-z][\w.:/-]*$/.test(text) || !/\d/.test(text)) return undefined;
  const body = text.replace(/\d+|[^\d]+/g, (one) => (/^\d/.test(one) ? "\\d+" : escapeRegex(one)));
  return new RegExp(`(?<![\\w./-])${body}(?![\\w/-])`);
}

/** A form that the page shows, the log has elsewhere, and no record has. */
export function shownShapes(records: readonly Extracted[], group: Group, lines: readonly string[]): string[] {
  const taken = new Set(records.map(({ content }) => content));
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  for (const hint of hints) {
    const shapes = hint.literals.flatMap((text) => {
      const shape = shapeOf(text);
      return shape === undefined ? [] : [{ text, shape }];
    });
    if (shapes.length < 2) continue;
    const texts = records.map((one) => (hint === group.value ? one.value : (one.fields[hint.name] ?? "")));
    const lacking = shapes.find(
      ({ shape }) =>
        !texts.some((text) => shape.test(text)) && lines.some((line) => !taken.has(line) && shape.test(line)),
    );
    if (lacking === undefined) continue;
    const line = lines.find((one) => !taken.has(one) && lacking.shape.test(one)) ?? "";
    return [`the page shows ${lacking.text} for ${hint.name}, and no record has one like it: ${line.trim()}`];
  }
  return [];
}

const NEXT_LINE =
  /\b(?:in|on|at the start of) the (?:next|following|second|third) lines?\b|\b(?:next|following|second) lines? (?:has|have|gives?|holds?|names?|shows?|carries|contains?)\b/i;

/** Prose that puts parts on the next line, where single lines are read. */
export function nextLines(rules: readonly Rule[], group: Group, page: Page): string[] {
  if (group.examples.length > 0) return [];
  if (rules.some((rule) => rule.kind !== "line" || (rule.above ?? []).length > 0)) return [];
  const said = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => text))
    .find((text) => NEXT_LINE.test(bare(text)));
  return said === undefined ? [] : [`the page speaks of the next line, and single lines are read: ${said}`];
}

const ANY_WORDING =
  /\b(?:whatever (?:their|the|its) wording|in (?:any|whatever) (?:wording|words)|however (?:they are |it is )?worded|differently worded|(?:the )?wordings? (?:differs?|varies|vary|changes?))\b/i;

/** Prose that wants messages in any wording, and a rule that knows one. */
export function oneWording(rules: readonly Rule[], group: Group, page: Page): string[] {
  const [rule, ...more] = rules;
  if (group.examples.length > 0 || more.length > 0 || rule?.kind !== "line" || rule.alternatives.length > 1)
    return [];
  const said = page.statements
    .flatMap((one) => one.sentences.map(({ text }) => text))
    .find((text) => ANY_WORDING.test(bare(text)));
  return said === undefined ? [] : [`the page wants them in any wording, and the rule knows one: ${said}`];
}
