// Fields that do not stand on the line of a record: on lines above it (a file name as heading, a time stamp of its
// own, the nearest "Net:" of a tree) or below it, up to the next record.

import { likeness } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import { assign } from "../parts/assign.ts";
import { type Family, variationOf } from "./families.ts";

export interface Place {
  hint: Hint;
  family: Family;
  side: "above" | "below";
  score: number;
}

const ABOVE =
  /\b(?:above|heading|headings|head|header|preced\w*|in front of it|on top|last seen|it belongs to|belongs? to|grouped|section|introduc\w*|of the (?:file|block|group|device|table|section|report))\b/i;
const BELOW =
  /\b(?:below|beneath|next line|following line|second line|line after|under(?:neath)?|follows)\b/i;

/** Where a hint stands around the anchors, the likeliest first. */
export function placesOf(
  hint: Hint,
  anchors: readonly number[],
  families: readonly Family[],
  lines: readonly string[],
  cue: string,
): Place[] {
  const places: Place[] = [];
  const own = new Set(anchors);
  const words = `${hint.description} ${cue}`;
  const cued = ABOVE.test(words) || BELOW.test(words);
  for (const family of families) {
    if (!cued && !isNamed(hint, family)) continue;
    const indices = family.indices.filter((index) => !own.has(index));
    if (indices.length === 0) continue;
    const sides = sidesOf(anchors, indices, lines);
    if (sides.length === 0) continue;
    const placed = onFamily(hint, family, lines);
    if (placed === undefined) continue;
    places.push(...onSides(hint, family, sides, placed, words));
  }
  return places.sort((a, b) => b.score - a.score);
}

/** The sides on which a part of a family may be the hint, with what the page's words about its place say. */
function onSides(
  hint: Hint,
  family: Family,
  sides: readonly { side: Place["side"]; score: number }[],
  placed: { score: number; named: boolean },
  words: string,
): Place[] {
  return sides.flatMap(({ side, score: own }) => {
    const told = (side === "above" ? ABOVE : BELOW).test(words);
    const against = (side === "above" ? BELOW : ABOVE).test(words) && !told;
    const score = placed.score + (told ? 2 : 0) - (against ? 2 : 0) + own;
    const weak = placed.named ? placed.score < 3 : !told || placed.score < 0.5;
    return weak ? [] : [{ hint, family, side, score }];
  });
}

const known = new WeakMap<Family, Map<Hint, { score: number; named: boolean } | undefined>>();

/** How well a part of the lines of a family fits a hint, and whether the line begins with the name of it. */
function onFamily(
  hint: Hint,
  family: Family,
  lines: readonly string[],
): { score: number; named: boolean } | undefined {
  const byHint = known.get(family) ?? new Map<Hint, { score: number; named: boolean } | undefined>();
  known.set(family, byHint);
  if (byHint.has(hint)) return byHint.get(hint);
  const placed = assign(family.example, undefined, [hint], [], variationOf(family, lines)).placed[0];
  const named = isNamed(hint, family);
  const result = placed === undefined ? undefined : { score: placed.score, named };
  byHint.set(hint, result);
  return result;
}

/** Do the lines of a family begin with the name of the hint? */
function isNamed(hint: Hint, family: Family): boolean {
  const first = family.label ?? /^\W*([A-Za-z][\w -]*?)\s*[:=]/.exec(family.example)?.[1] ?? "";
  return likeness(hint, first) >= 0.6;
}

/** On which sides of the anchors lines of a family stand, for nearly every anchor. */
function sidesOf(
  anchors: readonly number[],
  indices: readonly number[],
  lines: readonly string[],
): { side: Place["side"]; score: number }[] {
  let above = 0;
  let below = 0;
  let aboveFar = 0;
  let belowFar = 0;
  let at = 0;
  anchors.forEach((anchor, number) => {
    while (at < indices.length && (indices[at] ?? 0) < anchor) at += 1;
    const before = indices[at - 1];
    const after = indices[at];
    const next = anchors[number + 1] ?? lines.length;
    if (before !== undefined) {
      above += 1;
      if (hasBlank(lines, before, anchor)) aboveFar += 1;
    }
    if (after !== undefined && after < next) {
      below += 1;
      if (hasBlank(lines, anchor, after)) belowFar += 1;
    }
  });
  const least = Math.max(1, anchors.length * 0.9);
  const sides: { side: Place["side"]; score: number }[] = [];
  if (above >= least) sides.push({ side: "above", score: -aboveFar / anchors.length });
  if (below >= Math.max(1, anchors.length * 0.7)) {
    sides.push({ side: "below", score: -(1.5 * belowFar) / anchors.length - (1 - below / anchors.length) });
  }
  // Deeper lines belong to what stands above them.
  const indent = (index: number | undefined): number => (lines[index ?? 0] ?? "").search(/\S/);
  const deeper = indent(indices[0]) - indent(anchors[0]);
  for (const one of sides) {
    if (deeper > 0) one.score += one.side === "below" ? 1 : -1.5;
    if (deeper < 0) one.score += one.side === "above" ? 1 : -1.5;
  }
  return sides;
}

function hasBlank(lines: readonly string[], from: number, to: number): boolean {
  for (let at = from + 1; at < to && at < from + 60; at += 1)
    if ((lines[at] ?? "").trim() === "") return true;
  return false;
}
