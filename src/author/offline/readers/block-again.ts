// Keys that stand again below one start line: a record of keys reads only the first of each, and what follows may be records
// of their own ("its name is printed only once").

import type { Hint } from "../page/page.ts";
import type { BlockRule } from "../program/ir.ts";
import type { KeyLine } from "./block-openings.ts";

/** The second line with the key of the value below one start line, where that of another part is repeated as well. */
export function repeatedKey(
  rule: BlockRule,
  lines: readonly string[],
  keyLines: readonly KeyLine[],
  value: Hint,
  labels: ReadonlyMap<Hint, string>,
): string | undefined {
  const own = labels.get(value);
  const start = new RegExp(rule.start);
  const starts = lines.flatMap((line, index) => (start.test(line) ? [index] : []));
  if (own === undefined) return undefined;
  const others = new Set([...labels.values()].filter((label) => label !== own));
  for (const [at, from] of starts.entries()) {
    const inside = keyLines.filter(({ index }) => index >= from && index < (starts[at + 1] ?? lines.length));
    const second = inside.filter(({ key }) => key === own)[1];
    const isRepeated = [...others].some((label) => inside.filter(({ key }) => key === label).length > 1);
    if (second !== undefined && isRepeated) return lines[second.index]?.trim();
  }
  return undefined;
}
