// Parts that only some lines have: where lines of the same form lack a part that the page calls optional, the part
// and what stands in front of it become optional in the expression.

import { type Attempt, type Attempts, sameProjection, stillNumbers } from "./attempt.ts";
import { addsAllowed } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";

/** The reading with the optional parts that give more lines, none of them read differently than before. */
export function optionalChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  let chosen = best;
  const optional = slots.filter(({ hint }) => hint.optional && hint !== task.value);
  // All of them at once first: a line may lack several.
  for (const groups of [optional, ...optional.map((slot) => [slot])]) {
    if (groups.length === 0) continue;
    const names = [...(chosen.options.optional ?? []), ...groups.map((slot) => slot.group)];
    const tried = attempt({ ...chosen.options, optional: new Set(names) });
    if (tried.hits.length <= chosen.hits.length || !sameProjection(tried, chosen)) continue;
    if (!stillNumbers(line, slots, tried, true)) continue;
    if (addsAllowed(task, line, chosen, tried)) chosen = tried;
  }
  return chosen;
}
