// A number at the end of the example goes on in other lines ("5" and "0.25", "0.02" and "9.1e-04"): all of it is meant.

import type { Attempt, Attempts } from "./attempt.ts";
import type { Slot } from "./template.ts";

const NUMBER = "[-+]?\\d[\\d.,]*(?:[eE][-+]?\\d+)?";

/** The attempt with numbers as long as they are, where some line goes on with more of one. */
export function wholeNumbers(
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
  lines: readonly string[],
): Attempt {
  const slot = slots.find(({ span }) => span.end >= line.trimEnd().length);
  if (slot === undefined || !/^[-+]?\d+(?:\.\d+)?$/.test(line.slice(slot.span.start, slot.span.end)))
    return best;
  const regex = new RegExp(best.pattern, "d");
  const isCut = best.hits.some((hit) => {
    const text = lines[hit] ?? "";
    const end = regex.exec(text)?.indices?.groups?.[slot.group]?.[1];
    return end !== undefined && /^(?:\.\d|[eE][-+]?\d)/.test(text.slice(end));
  });
  if (!isCut) return best;
  const whole = attempt({
    ...best.options,
    classes: new Map([...best.options.classes, [slot.group, NUMBER]]),
  });
  return whole.hits.length >= best.hits.length ? whole : best;
}
