// "`>f` at its beginning means that a file was sent": a text that the wanted part begins with. It becomes a filter on
// the part of the example that begins like that.

import type { Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import type { GroupFilter, LineRule } from "../program/ir.ts";

const BEGINS =
  /\b(?:at (?:its|the|their) (?:very )?(?:beginning|start|front)|begins?|beginning|starts?|starting|leading|in front|prefix(?:ed)?)\b/i;

/** Filters for the texts that the page says a part of the wanted lines begins with. */
export function beginningFilters(rule: LineRule, page: Page, examples: readonly string[]): GroupFilter[] {
  const [first] = rule.alternatives;
  if (first === undefined || rule.alternatives.length !== 1) return [];
  const regex = new RegExp(first.pattern);
  const groups = examples.map((line) => regex.exec(line)?.groups).find(Boolean) ?? {};
  const filters: GroupFilter[] = [];
  for (const sentence of page.statements.flatMap((one) => one.sentences)) {
    const plain = bare(sentence.text);
    if (!BEGINS.test(plain) || NEGATIVE.test(plain) || /\bline\b/i.test(plain)) continue;
    for (const span of quotedIn(sentence.text)) {
      if (span.text.length > 12 || /\s/.test(span.text)) continue;
      const own = Object.entries(groups).filter(
        ([, text]) => text?.startsWith(span.text) === true && text !== span.text,
      );
      const [found] = own.sort((a, b) => (a[1] ?? "").length - (b[1] ?? "").length);
      if (found === undefined) continue;
      filters.push({ group: found[0], equals: [span.text], match: "prefix" });
    }
  }
  return filters;
}
