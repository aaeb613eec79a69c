// Paths in the log that the path of the example says nothing of: with blanks in the names of their folders.

import { type Attempt, type Attempts, sameProjection } from "./attempt.ts";
import { addsAllowed } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import { isPath, looseClass, type Slot } from "./template.ts";

/** The reading with blanks in paths that begin at a root and end at the mark that ends the example's, where the log has
 * such paths; else `best`. */
export function pathChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  if (best.options.whole !== undefined) return best;
  let chosen = best;
  for (const { group, hint, span } of slots) {
    const mark = line.charAt(span.end);
    if (!isPath(line.slice(span.start, span.end)) || !/[:,;(]/.test(mark)) continue;
    const plain = chosen.options.classes.get(group) ?? looseClass(line, span, false, hint);
    const ends = mark === ":" ? mark : `:${mark}`;
    const rooted = `(?:[A-Za-z]:[\\\\/]|[\\\\/])[^${ends}]*[^\\s${ends}]`;
    const classes = new Map([...chosen.options.classes, [group, `(?:${rooted}|${plain})`]]);
    const tried = attempt({ ...chosen.options, classes });
    if (tried.hits.length <= chosen.hits.length || !sameProjection(tried, chosen)) continue;
    if (addsAllowed(task, line, chosen, tried, true)) chosen = tried;
  }
  return chosen;
}
