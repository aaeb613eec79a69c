// Of several expressions that read the same lines the same way, the one with more parts comes first: the first that matches
// a line makes its record.

import type { LineAlternative, Source } from "../program/ir.ts";

/** The expressions in an order in which none hides a fuller one. */
export function fullerFirst(
  alternatives: readonly LineAlternative[],
  lines: readonly string[],
): LineAlternative[] {
  const found: LineAlternative[] = [];
  for (const one of alternatives) {
    const at = found.findIndex((other) => isFuller(one, other, lines));
    found.splice(at < 0 ? found.length : at, 0, one);
  }
  return found;
}

function isFuller(one: LineAlternative, other: LineAlternative, lines: readonly string[]): boolean {
  const [own, less] = [one, other].map(
    ({ projection }) => new Set(projection.fields.map(({ name }) => name)),
  );
  if (own === undefined || less === undefined || own.size <= less.size) return false;
  if (![...less].every((name) => own.has(name))) return false;
  const [a, b] = [new RegExp(one.pattern), new RegExp(other.pattern)];
  let both = 0;
  for (const line of lines) {
    const [left, right] = [a.exec(line)?.groups, b.exec(line)?.groups];
    if (left === undefined || right === undefined) continue;
    both += 1;
    const same = [other.projection.value, ...other.projection.fields.map(({ source }) => source)].every(
      (source, index) =>
        textOf(source, right) ===
        textOf(
          index === 0
            ? one.projection.value
            : one.projection.fields.find(({ name }) => name === other.projection.fields[index - 1]?.name)
                ?.source,
          left,
        ),
    );
    if (!same) return false;
  }
  return both > 0;
}

function textOf(source: Source | undefined, groups: Record<string, string>): string | undefined {
  return source?.from === "group" ? groups[source.group]?.trim() : source?.from;
}
