// A part of a name that has several words: right beside it the rule passes over any text, and some lines have more words there than
// others ("Local Area Connection" of which the last word is read).

import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { type Unit, unitsOf, withoutAhead } from "./units.ts";

/** Doubts about parts with a varying number of unread words beside them. */
export function looseBeside(rule: Rule, lines: readonly string[]): string[] {
  if (interpretRule(rule, lines).length < 3) return [];
  const patterns =
    rule.kind === "line"
      ? rule.alternatives.map((one) => one.pattern)
      : rule.kind === "block"
        ? [rule.start, ...(rule.inner ?? []).map((one) => one.pattern)]
        : [];
  return patterns.flatMap((pattern) => looseIn(pattern, lines)).slice(0, 1);
}

function looseIn(pattern: string, lines: readonly string[]): string[] {
  const { rest } = withoutAhead(pattern);
  const units = unitsOf(rest);
  if (units === undefined) return [];
  return units.flatMap((unit, at) => {
    const name = /^\(\?<(\w+)>/.exec(unit.raw)?.[1];
    if (name === undefined) return [];
    return [-1, 1].flatMap((side) => {
      const next = units[at + side]?.kind === "space" ? at + 2 * side : at + side;
      const gap = units[next];
      if (
        gap?.kind !== "other" ||
        !/\.[*+]/.test(gap.raw) ||
        next === 0 ||
        /^\^/.test(units[next - 1]?.raw ?? "")
      )
        return [];
      if (units[next + side] === undefined) return [];
      const texts = textsOf(units.with(next, { ...gap, raw: `(?<gap__>${gap.raw})` }), lines);
      const counts = new Set(texts.map((text) => text.trim().split(/\s+/).filter(Boolean).length));
      const filled = texts.filter((text) => text.trim() !== "");
      const [some] = filled;
      const isName = filled.every((text) =>
        /^[A-Za-z][\w()*/-]*(?:\s+[A-Za-z(][\w()*/-]*)*$/.test(text.trim()),
      );
      return counts.size < 2 || some === undefined || !isName || new Set(texts).size < 3
        ? []
        : [`some lines have more words beside the ${name} than others, which are not read: ${some.trim()}`];
    });
  });
}

function textsOf(units: readonly Unit[], lines: readonly string[]): string[] {
  const regex = new RegExp(units.map(({ raw }) => raw).join(""));
  return lines.flatMap((line) => {
    const found = line.length > 500 ? null : regex.exec(line);
    return found === null ? [] : [found.groups?.["gap__"] ?? ""];
  });
}
