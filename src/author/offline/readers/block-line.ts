// Which of its lines a record of keys is counted by: its first one, or that of the value, by what the page says about lines.

import type { Group, Hint, Page } from "../page/page.ts";
import { labelOf } from "./families.ts";
import type { Put } from "./records/distribute.ts";
import { numberedBy } from "./records/numbered.ts";
import { shownLines } from "./records/shown.ts";

/** The line that the page means in its own block; undefined where it says nothing or shows no block. */
export function countedLine(
  group: Group,
  page: Page,
  log: readonly string[],
  start: { pattern: string; groups: ReadonlyMap<Hint, string> },
  labels: ReadonlyMap<Hint, string>,
): "start" | "value" | "other" | undefined {
  const { value } = group;
  const shown = shownLines(group, page, log);
  if (value === undefined || shown.lines.length < 2) return undefined;
  const form = new RegExp(start.pattern);
  const first = shown.lines.findIndex((line) => form.test(line));
  if (first < 0) return undefined;
  const hints = [value, ...group.fields];
  const puts = hints.flatMap((hint): Put[] => {
    const label = labels.get(hint);
    const line = start.groups.has(hint)
      ? first
      : shown.lines.findIndex((text) => label !== undefined && labelOf(text) === label);
    return line < 0
      ? []
      : [{ hint, line, span: { start: 0, end: (shown.lines[line] ?? "").length }, score: 0 }];
  });
  const own = puts.find((put) => put.hint === value)?.line ?? -1;
  const { line } = numberedBy(page, shown, puts, own);
  if (line === undefined) return undefined;
  return line === first ? "start" : line === own ? "value" : "other";
}
