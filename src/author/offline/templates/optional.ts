// Parts that only some lines have: where lines of the same form lack a part that the page calls optional, the part
// and what stands in front of it become optional in the expression.

import { escapeRegex } from "../escape.ts";
import { type Attempt, type Attempts, sameProjection, stillNumbers } from "./attempt.ts";
import { addsAllowed } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import { buildPattern, type Slot } from "./template.ts";

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
  return lastOnes(task, line, slots, chosen, attempt);
}

/** Optional parts behind keys at the end of a line, where other lines have something else, or nothing, there: the line
 * is read up to its last required part, and the others are looked for behind it. */
function lastOnes(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  const required = slots.filter(({ hint }) => !hint.optional || hint === task.value);
  const last = Math.max(0, ...required.map(({ span }) => span.end));
  const others = slots.filter((slot) => !required.includes(slot));
  const keys = others.map(
    ({ span }) => /(?:^|\s)([A-Za-z_][\w.-]*[=:])$/.exec(line.slice(0, span.start))?.[1],
  );
  if (required.length === 0 || others.length === 0 || !others.every(({ span }) => span.start > last))
    return best;
  if (!keys.every((key) => key !== undefined)) return best;
  const options = { ...best.options, tail: false };
  const head = buildPattern(line, required, options);
  const ahead = others.map(
    ({ group }, index) => `(?=.*?(?<![\\w.-])${escapeRegex(keys[index] ?? "")}(?<${group}>[^\\s,;]+)|)`,
  );
  const tried = attempt({ ...options, whole: head + ahead.join("") });
  if (tried.hits.length <= best.hits.length || !sameProjection(tried, best)) return best;
  return addsAllowed(task, line, best, tried) ? tried : best;
}
