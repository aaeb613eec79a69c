// Would a stranger who sees only the page and the records believe them? Independent of how a program was found.

import type { Group } from "../../page/page.ts";
import type { Rule } from "../../program/ir.ts";
import { inTheWay } from "./against.ts";
import { beside } from "./beside.ts";
import { cuts, longer } from "./cuts.ts";
import { edges } from "./edges.ts";
import { placed, torn } from "./exact.ts";
import { otherKinds } from "./kinds.ts";
import { type Part, partsSeen, type Sign } from "./parts.ts";
import { unlikeSaid } from "./said.ts";

/** Doubts about the records that the rules for one kind of record give. */
export function implausible(rules: readonly Rule[], group: Group, lines: readonly string[]): string[] {
  return signsOf(rules, group, lines).map(({ says }) => says);
}

/** The same with the parts that they are about. */
export function signsOf(rules: readonly Rule[], group: Group, lines: readonly string[]): Sign[] {
  const seen = partsSeen(rules, group, lines);
  if (seen.records === 0) return [];
  const { parts } = seen;
  const isCells = rules.every((rule) => rule.kind === "line" && rule.cells !== undefined);
  const about = (part: Part, doubts: readonly string[]): Sign[] => doubts.map((says) => ({ part, says }));
  const places = placed(rules, group, lines);
  return [
    ...parts.flatMap((part) => {
      const own = places.get(part.hint) ?? [];
      return about(part, [...edges(part, own), ...torn(part, own)]);
    }),
    ...parts.flatMap((part) =>
      part.texts.length === 0 ? [] : about(part, [...otherKinds(part), ...unlikeSaid(part, seen)]),
    ),
    ...parts.flatMap((part) => [
      ...(isCells ? [] : cuts(part, seen)),
      ...about(part, [...longer(part), ...inTheWay(part, seen), ...beside(part, seen)]),
    ]),
  ];
}
