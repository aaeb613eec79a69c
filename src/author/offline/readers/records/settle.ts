// A line of a block on which two readings of a part are nearly as good, read once more by the readers of single lines: they
// see what the lines like it in the log share and what varies, and in which order the page names the parts.

import type { Listed } from "../../page/page.ts";
import { assign } from "../../parts/assign.ts";
import { sharedWith } from "../../parts/shared.ts";
import { variationIn } from "../../templates/family.ts";
import type { Distribution, Put } from "./distribute.ts";
import type { Shown } from "./shown.ts";

/** How clear a part has to be to need no second reading, and how clear the second reading. */
const CLEAR = 0.6;

/** What little speaks for may as well stand on another line. */
const LEAST = 1.5;

/** The distribution with the parts of unclear lines as the other readers see them, where these are sure. */
export function settled(
  found: Distribution,
  { lines: shown }: Shown,
  lists: readonly Listed[],
  log: readonly string[],
): Distribution {
  const unclear = new Set(
    found.puts.flatMap((put) =>
      (found.within.get(put.hint) ?? 9) < CLEAR && put.score >= LEAST ? [put.line] : [],
    ),
  );
  if (unclear.size === 0) return found;
  const within = new Map(found.within);
  const puts = [...found.puts];
  for (const at of unclear) {
    const own = puts.filter((put) => put.line === at);
    const better = again(shown[at] ?? "", own, lists, log);
    if (better === undefined) continue;
    for (const { put, by } of better) {
      puts[puts.findIndex((one) => one.hint === put.hint)] = put;
      within.set(put.hint, Math.max(by, within.get(put.hint) ?? 0));
    }
  }
  return { ...found, puts, within };
}

/** The parts of the line, each clear of every other, or undefined. */
function again(
  line: string,
  own: readonly Put[],
  lists: readonly Listed[],
  log: readonly string[],
): { put: Put; by: number }[] | undefined {
  const hints = own.map(({ hint }) => hint);
  const read = assign(
    line,
    undefined,
    hints,
    lists,
    variationIn(line, log),
    undefined,
    sharedWith(line, log),
  );
  const better = own.map((put) => {
    const placed = read.placed.find(({ hint }) => hint === put.hint);
    const by = read.margins.get(put.hint.name) ?? 0;
    return placed === undefined || by < CLEAR ? undefined : { put: { ...put, span: placed.span }, by };
  });
  const sure = better.filter((one) => one !== undefined);
  return sure.length === own.length ? sure : undefined;
}
