// Merges two templates with the same parts: equal text remains, gaps replace the differences.
import { equalElements, mergeElements, weightOf } from "./merge-elements.ts";
import type { Element, Leaf, Template } from "./template.ts";

/** Factors for the cost and for the weight of text behind the last part. */
const TAIL_COST = 0.25;
const TAIL_WEIGHT = 0.05;

/** Highest cost of one segment of text between parts, in words. */
const MAX_SEGMENT_COST = 4;

/** Cost of different text directly beside a part, in words. */
const OTHER_CONTEXT = 4;

export interface Merge {
  template: Template;
  /** What the two do not share, in words. */
  cost: number;
  /** Average weight of the fixed text of the two, and weight of the fixed text of the merged template. */
  own: number;
  kept: number;
}

/** One template for both; undefined if their parts differ in name or order, or if the ends of a part would be unknown. */
export function mergeTemplates(a: Template, b: Template): Merge | undefined {
  const [left, right] = [segmentsOf(a), segmentsOf(b)];
  if (left.leaves.length !== right.leaves.length) return undefined;
  if (!left.leaves.every((leaf, k) => leaf.names.join("\0") === right.leaves[k]?.names.join("\0")))
    return undefined;
  const elements: Element[] = [];
  let [cost, own, kept] = [0, 0, 0];
  let hasUnknownEnd = false;
  left.texts.forEach((text, k) => {
    const other = right.texts[k] ?? [];
    const isTail = k === left.leaves.length && k > 0;
    const merged = mergeElements(text, other);
    cost += Math.min(MAX_SEGMENT_COST, (isTail ? TAIL_COST : 1) * merged.cost);
    const weight = isTail ? TAIL_WEIGHT : 1;
    own += (weight * (fixedWeight(text) + fixedWeight(other))) / 2;
    kept += weight * fixedWeight(merged.elements);
    elements.push(...merged.elements);
    const leaf = left.leaves[k];
    if (leaf === undefined) return;
    const [next, otherNext] = [left.texts[k + 1] ?? [], right.texts[k + 1] ?? []];
    // The text directly beside a part determines where it ends.
    if (isDifferentText(text.at(-1), other.at(-1)) || isDifferentText(next[0], otherNext[0]))
      hasUnknownEnd = true;
    // A part with other text beside it is probably another part of the line.
    if (!isSameContext([...text].reverse(), [...other].reverse())) cost += OTHER_CONTEXT;
    if (!isSameContext(next, otherNext)) cost += OTHER_CONTEXT;
    const samples = [...new Set([...leaf.samples, ...(right.leaves[k]?.samples ?? [])])];
    elements.push({ kind: "part", leaf: { ...leaf, samples } });
  });
  if (hasUnknownEnd || elements.some((_, index) => isUnbounded(elements, index))) return undefined;
  const outer = a.outer.map((part) => mergeOuter(part, a, elements)).filter((part) => part !== undefined);
  if (outer.length < a.outer.length || a.outer.length !== b.outer.length) return undefined;
  return { template: { elements, outer }, cost, own, kept };
}

/** Is the element a part of several words beside free text, so that its end is unknown? */
function isUnbounded(elements: readonly Element[], index: number): boolean {
  const element = elements[index];
  if (element?.kind !== "part" || !element.leaf.samples.some((text) => /\s/.test(text))) return false;
  return ([1, -1] as const).some((step) => {
    const [adjacent, next] = [elements[index + step], elements[index + 2 * step]];
    return (adjacent?.kind === "space" ? next : adjacent)?.kind === "free";
  });
}

/** Are both fixed text, a blank or the end of the line, and different? */
function isDifferentText(a: Element | undefined, b: Element | undefined): boolean {
  const fixed = (element: Element | undefined): boolean =>
    element === undefined || element.kind === "fixed" || element.kind === "space";
  return fixed(a) && fixed(b) && (a === undefined || b === undefined ? a !== b : !equalElements(a, b));
}

/** Are the elements equal up to the first word or blank? */
function isSameContext(a: readonly Element[], b: readonly Element[]): boolean {
  for (let k = 0; k < 4; k += 1) {
    const [x, y] = [a[k], b[k]];
    if (x === undefined || y === undefined) return x === y;
    if (!equalElements(x, y)) return false;
    if (x.kind !== "fixed" || x.token !== "mark") return true;
  }
  return true;
}

function fixedWeight(elements: readonly Element[]): number {
  return elements.reduce((sum, element) => sum + (element.kind === "fixed" ? weightOf(element) : 0), 0);
}

/** The range of an outer part in the merged elements, located by its leaves and the text around them. */
function mergeOuter(
  outer: Template["outer"][number],
  from: Template,
  elements: readonly Element[],
): Template["outer"][number] | undefined {
  const leafNumber = (end: number): number =>
    from.elements.slice(0, end).filter(({ kind }) => kind === "part").length;
  const [first, last] = [leafNumber(outer.from), leafNumber(outer.to)];
  const before = from.elements.slice(outer.from).findIndex(({ kind }) => kind === "part");
  const after = outer.to - 1 - from.elements.slice(0, outer.to).findLastIndex(({ kind }) => kind === "part");
  const leafIndexes = elements.flatMap(({ kind }, index) => (kind === "part" ? [index] : []));
  const [start, end] = [leafIndexes[first], leafIndexes[last - 1]];
  if (start === undefined || end === undefined) return undefined;
  const merged = {
    name: outer.name,
    from: outer.from === 0 ? 0 : start - before,
    to: outer.to === from.elements.length ? elements.length : end + 1 + after,
  };
  return merged.from < 0 || merged.to > elements.length ? undefined : merged;
}

/** The leaves of a template, and the unlabelled elements in front of, between and behind them. */
function segmentsOf(template: Template): { texts: Element[][]; leaves: Leaf[] } {
  const texts: Element[][] = [[]];
  const leaves: Leaf[] = [];
  for (const element of template.elements) {
    if (element.kind === "part") {
      leaves.push(element.leaf);
      texts.push([]);
    } else texts.at(-1)?.push(element);
  }
  return { texts, leaves };
}
