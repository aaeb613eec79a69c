// Records of several lines with a start that is not seen: their lines are then read as lines of the record before, and
// one record has several lines of which the page shows one. That is a doubt, whatever reader the rule comes from.

import { stemsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { endsRecord } from "../program/interpret.ts";
import type { BlockRule, Rule } from "../program/ir.ts";

/** Share of the records that may have a line of theirs twice. */
const MOST = 0.1;

/** Doubts about lines of the records that stand more often than once in them, or in front of the first one. */
export function doubled(rule: Rule, group: Group, page: Page, lines: readonly string[]): string[] {
  if (rule.kind !== "block") return [];
  const start = new RegExp(rule.start);
  const needed = neededGroups(rule, group, page);
  const matchers = [
    ...(rule.inner ?? [])
      .filter(
        ({ pattern, after }) => after === undefined && needed.some((name) => pattern.includes(`(?<${name}>`)),
      )
      .map(({ pattern }) => new RegExp(pattern)),
    ...rule.keys
      .filter((key) => needed.includes(key.group))
      .map(({ label }) => ({ test: (line: string) => keyOf(rule, line) === label })),
  ];
  return matchers.flatMap((matcher) => {
    let first: string | undefined;
    let seen = 0;
    let starts = 0;
    const again: string[] = [];
    for (const line of lines) {
      if (start.test(line)) {
        first = line;
        seen = 0;
        starts += 1;
      } else if (first !== undefined && endsRecord(rule, first, line)) first = undefined;
      else if (first !== undefined && matcher.test(line)) {
        seen += 1;
        if (seen === 2) again.push(line);
      }
    }
    if (again.length <= Math.max(0, starts * MOST)) return [];
    return [
      `${again.length} records have a line twice of which the page shows one: ${again[0]?.trim() ?? ""}`,
    ];
  });
}

function keyOf(rule: BlockRule, line: string): string | undefined {
  return new RegExp(rule.keyLine).exec(line)?.groups?.["key"]?.trim();
}

/** The groups of the value and of the fields that every record has, but for those of which the page wants the first. */
function neededGroups(rule: BlockRule, group: Group, page: Page): string[] {
  const fields = rule.projection.fields.filter(
    ({ name }) =>
      !mayRepeat(
        group.fields.find((hint) => hint.name === name),
        page,
      ),
  );
  const value = mayRepeat(group.value, page) ? [] : [rule.projection.value];
  return [...value, ...fields.map((field) => field.source)].flatMap((source) =>
    source.from === "group" ? [source.group] : [],
  );
}

/** "owner and serial are those of the first certificate": the record may have several of them. */
function mayRepeat(hint: Hint | undefined, page: Page): boolean {
  if (hint === undefined || hint.optional || /\bfirst\b/i.test(hint.description)) return true;
  const own = [...stemsOf(hint.name.replace(/_/g, " "))];
  return page.statements.some(({ sentences }) =>
    sentences.some(({ text }) => {
      const stems = stemsOf(text);
      return /\bfirst\b/i.test(text) && own.length > 0 && own.every((one) => stems.has(one));
    }),
  );
}
