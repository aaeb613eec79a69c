// Values that are other values with the same ending ("v1.0" and "v1.0^{}", "eth0" and "eth0 (v6)"): the log has two
// lines for each thing, and a page that does not speak of them leaves open whether both are wanted.

import type { Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";

/** A doubt when many values are others with a mark behind them that the page does not name. */
export function doubles(rules: readonly Rule[], page: Page, lines: readonly string[]): string[] {
  const values = new Set(rules.flatMap((rule) => interpretRule(rule, lines)).map((one) => one.value));
  const endings = new Map<string, number>();
  for (const value of values) {
    const ending = /[^\p{L}\p{N}\s./-]+$/u.exec(value)?.[0];
    if (ending === undefined || !values.has(value.slice(0, -ending.length))) continue;
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  return [...endings].flatMap(([ending, count]) =>
    count >= 3 && count >= values.size * 0.2 && !page.prose.includes(ending)
      ? [`${count} values are others with "${ending}" behind them, of which the page says nothing`]
      : [],
  );
}
