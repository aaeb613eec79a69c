// A part that stands behind one key in the page's example (`name='x'`) and behind another one in a record that has this key as
// well: then it was read from the wrong place there.

import type { Group } from "../page/page.ts";
import type { LineRule } from "../program/ir.ts";

const KEY = /(?<![\w.-])([A-Za-z_][\w.-]*)\s*=\s*["']?$/;

/** Doubts about parts of a rule for lines that are read from behind different keys. */
export function otherKeys(rule: LineRule, group: Group, lines: readonly string[]): string[] {
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  return rule.alternatives.flatMap(({ pattern }) => {
    const regex = new RegExp(pattern, "d");
    const keys = new Map(examples.flatMap((line) => [...keysOf(regex, line)]));
    if (keys.size === 0) return [];
    for (const line of lines) {
      for (const [part, key] of keysOf(regex, line)) {
        const own = keys.get(part);
        if (own === undefined || own === key) continue;
        if (new RegExp(`(?<![\\w.-])${own.replace(/\./g, "\\.")}\\s*=`).test(line))
          return [
            `the ${part} stands behind ${own} in the page's example, and is read behind ${key}: ${line.trim()}`,
          ];
      }
    }
    return [];
  });
}

/** The key right in front of each part of a line that has one. */
function keysOf(regex: RegExp, line: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [part, at] of Object.entries(regex.exec(line)?.indices?.groups ?? {})) {
    const key = at === undefined ? undefined : KEY.exec(line.slice(0, at[0]))?.[1];
    if (key !== undefined) found.set(part, key);
  }
  return found;
}
