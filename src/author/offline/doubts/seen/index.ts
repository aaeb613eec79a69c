// Would a stranger who sees only the page and the records believe them? Independent of how a program was found.

import type { Group } from "../../page/page.ts";
import type { Rule } from "../../program/ir.ts";
import { inTheWay } from "./against.ts";
import { cuts } from "./cuts.ts";
import { otherKinds } from "./kinds.ts";
import { partsSeen } from "./parts.ts";
import { unlikeSaid } from "./said.ts";

/** Doubts about the records that the rules for one kind of record give. */
export function implausible(rules: readonly Rule[], group: Group, lines: readonly string[]): string[] {
  const seen = partsSeen(rules, group, lines);
  if (seen.records === 0) return [];
  return [
    ...seen.parts.flatMap((part) => (part.texts.length === 0 ? [] : otherKinds(part))),
    ...cuts(seen),
    ...unlikeSaid(seen),
    ...inTheWay(seen),
  ];
}
