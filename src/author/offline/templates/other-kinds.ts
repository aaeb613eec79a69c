// "Queries and zone transfers that were denied": where the page names several kinds of records in its first sentence and the
// example is one of them, lines of another kind that say the same are wanted as well.

import { tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { isNamed } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot } from "./template.ts";

/** Lines of another kind with all words of the example that the page speaks of, and no word that it rules out. */
export function otherKinds(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  hits: readonly number[],
): string[] {
  const kinds = task.kinds ?? [];
  const own = new Set(wordsOf(line).map(stem));
  const others = kinds.filter((kind) => !kind.every((word) => own.has(word)));
  if (others.length === 0 || others.length === kinds.length) return [];
  const said = tokenize(line)
    .filter((token) => token.kind === "word" && token.text.length > 3)
    .filter((token) => !slots.some(({ span }) => token.start < span.end && token.end > span.start))
    .map((token) => stem(token.text.toLowerCase()))
    .filter((one) => (task.wantedStems ?? task.stems).has(one) && !kinds.some((kind) => kind.includes(one)));
  if (said.length === 0) return [];
  const known = new Set(hits);
  return task.lines.filter((text, index) => {
    if (known.has(index) || task.excluded?.(text) === true || isNamed(task, text, undefined)) return false;
    const words = new Set(wordsOf(text).map(stem));
    return (
      said.every((one) => words.has(one)) && others.some((kind) => kind.every((word) => words.has(word)))
    );
  });
}
