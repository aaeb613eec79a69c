// What two templates have in common: equal text stays, holes stand where they differ, parts must be the same.
import type { Element, Leaf, Template } from "./template.ts";

/** How much text behind the last part counts, against the text in front of it. */
const TAIL = 0.25;

/** What one stretch of text between parts costs at most, in words. */
const MAX_SEGMENT = 4;

/** Different text right beside a part, in words. */
const BESIDE = 4;

export interface Merge {
  template: Template;
  /** What the two do not share, in words. */
  cost: number;
  /** Weight of the fixed text that either has, and of what both keep; text behind the last part counts less. */
  own: number;
  kept: number;
}

/** One template for both, or undefined when their parts differ or stand in another order. */
export function mergeTemplates(a: Template, b: Template): Merge | undefined {
  const [left, right] = [segments(a), segments(b)];
  if (left.leaves.length !== right.leaves.length) return undefined;
  const same = left.leaves.every((leaf, k) => leaf.names.join("\0") === right.leaves[k]?.names.join("\0"));
  if (!same) return undefined;
  const elements: Element[] = [];
  let [cost, own, kept] = [0, 0, 0];
  let torn = false;
  left.texts.forEach((text, k) => {
    const other = right.texts[k] ?? [];
    const weight = k === left.leaves.length && k > 0 ? TAIL : 1;
    const merged = mergeElements(text, other);
    cost += Math.min(MAX_SEGMENT, weight * merged.cost);
    const share = weight < 1 ? 0.05 : 1;
    own += (share * (fixedWeight(text) + fixedWeight(other))) / 2;
    kept += share * fixedWeight(merged.elements);
    elements.push(...merged.elements);
    const leaf = left.leaves[k];
    if (leaf === undefined) return;
    // Where a part ends is told by the text right beside it.
    if (isTorn(text.at(-1), other.at(-1)) || isTorn(left.texts[k + 1]?.[0], right.texts[k + 1]?.[0]))
      torn = true;
    // A part with other text beside it is probably another part of the line.
    if (!isSameContext([...text].reverse(), [...other].reverse())) cost += BESIDE;
    if (!isSameContext(left.texts[k + 1] ?? [], right.texts[k + 1] ?? [])) cost += BESIDE;
    const samples = [...new Set([...leaf.samples, ...(right.leaves[k]?.samples ?? [])])];
    elements.push({ kind: "part", leaf: { ...leaf, samples } });
  });
  if (torn || elements.some((_, index) => isUnbounded(elements, index))) return undefined;
  const outer = a.outer.map((one) => mergeOuter(one, a, elements)).filter((one) => one !== undefined);
  if (outer.length < a.outer.length || a.outer.length !== b.outer.length) return undefined;
  return { template: { elements, outer }, cost, own, kept };
}

/** Has a part of several words text of any kind beside it, so that nothing tells where it ends? */
function isUnbounded(elements: readonly Element[], index: number): boolean {
  const element = elements[index];
  if (element?.kind !== "part" || !element.leaf.samples.some((text) => /\s/.test(text))) return false;
  return ([1, -1] as const).some((step) => {
    const [near, next] = [elements[index + step], elements[index + 2 * step]];
    return (near?.kind === "space" ? next : near)?.kind === "free";
  });
}

function isTorn(a: Element | undefined, b: Element | undefined): boolean {
  const fixed = (element: Element | undefined): boolean =>
    element === undefined || element.kind === "fixed" || element.kind === "space";
  return fixed(a) && fixed(b) && (a === undefined || b === undefined ? a !== b : !equalElements(a, b));
}

/** Is the text that begins here the same, up to the first word or blank? */
function isSameContext(a: readonly Element[], b: readonly Element[]): boolean {
  for (let k = 0; k < 4; k += 1) {
    const [x, y] = [a[k], b[k]];
    if (x === undefined || y === undefined) return x === y;
    if (!equalElements(x, y)) return false;
    if (x.kind !== "fixed" || x.token !== "mark") return true;
  }
  return true;
}

export function fixedWeight(elements: readonly Element[]): number {
  return elements.reduce((sum, element) => sum + (element.kind === "fixed" ? weightOf(element) : 0), 0);
}

/** The elements of an outer part in the merged list, found by the leaves in it and the text around them. */
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
  const at = elements.flatMap(({ kind }, index) => (kind === "part" ? [index] : []));
  const [start, end] = [at[first], at[last - 1]];
  if (start === undefined || end === undefined) return undefined;
  const whole = { from: outer.from === 0, to: outer.to === from.elements.length };
  const result = {
    name: outer.name,
    from: whole.from ? 0 : start - before,
    to: whole.to ? elements.length : end + 1 + after,
  };
  return result.from < 0 || result.to > elements.length ? undefined : result;
}

function segments(template: Template): { texts: Element[][]; leaves: Leaf[] } {
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

export function equalElements(a: Element, b: Element): boolean {
  if (a.kind !== b.kind) return false;
  return a.kind !== "fixed" || b.kind !== "fixed" || a.text === b.text;
}

/** What two runs of elements share, with holes where they differ. What they begin and end with alike is set apart;
 * the rest is set side by side chunk by chunk (what stands between blanks), so that columns stay columns. */
function mergeElements(a: readonly Element[], b: readonly Element[]): { elements: Element[]; cost: number } {
  let head = 0;
  while (head < a.length && head < b.length && equalAt(a, b, head, head)) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    equalAt(a, b, a.length - 1 - tail, b.length - 1 - tail)
  ) {
    tail += 1;
  }
  const merged: Element[] = a.slice(0, head);
  const [left, right] = [chunksOf(a.slice(head, a.length - tail)), chunksOf(b.slice(head, b.length - tail))];
  let [onlyA, onlyB]: [Chunk[], Chunk[]] = [[], []];
  const add = (elements: readonly Element[]): void => {
    for (const element of elements) {
      const before = merged.at(-1)?.kind;
      if (element.kind === "free" && before === "gap") merged.pop();
      if ((element.kind !== "free" && element.kind !== "gap") || before !== "free") merged.push(element);
    }
  };
  const flush = (): void => {
    if (onlyA.length + onlyB.length > 0) add([{ kind: "free" }]);
    [onlyA, onlyB] = [[], []];
  };
  const { pairs, cost } = sideBySide(left, right);
  for (const [x, y] of pairs) {
    if (x !== undefined && y !== undefined) {
      flush();
      add(mergeChunks(x, y));
    } else if (x !== undefined) onlyA.push(x);
    else if (y !== undefined) onlyB.push(y);
  }
  flush();
  add(a.slice(a.length - tail));
  return { elements: simplify(merged), cost };
}

/** Text of any kind swallows the blanks and holes beside it, but for the outermost blanks. */
function simplify(elements: readonly Element[]): Element[] {
  const simple: Element[] = [];
  for (let at = 0; at < elements.length; ) {
    let end = at;
    while (end < elements.length && elements[end]?.kind !== "fixed") end += 1;
    const run = elements.slice(at, end);
    if (run.some(({ kind }) => kind === "free")) {
      if (run[0]?.kind === "space") simple.push({ kind: "space" });
      simple.push({ kind: "free" });
      if (run.length > 1 && run.at(-1)?.kind === "space") simple.push({ kind: "space" });
    } else simple.push(...run);
    const next = elements[end];
    if (next !== undefined) simple.push(next);
    at = end + 1;
  }
  return simple;
}

function equalAt(a: readonly Element[], b: readonly Element[], i: number, j: number): boolean {
  const [x, y] = [a[i], b[j]];
  return x !== undefined && y !== undefined && equalElements(x, y);
}

/** Elements between two blanks, or one blank. */
type Chunk = readonly Element[];

function chunksOf(elements: readonly Element[]): Chunk[] {
  const chunks: Element[][] = [];
  let open = false;
  for (const element of elements) {
    const apart = element.kind === "space" || element.kind === "free";
    if (apart || !open) chunks.push([element]);
    else chunks.at(-1)?.push(element);
    open = !apart;
  }
  return chunks;
}

const isSpace = (chunk: Chunk): boolean => chunk.length === 1 && chunk[0]?.kind === "space";
const isFree = (chunk: Chunk): boolean => chunk.length === 1 && chunk[0]?.kind === "free";

/** Cost of setting two chunks side by side, in words; undefined where they cannot be. */
function pairCost(a: Chunk, b: Chunk): number | undefined {
  if (isSpace(a) || isSpace(b)) return isSpace(a) && isSpace(b) ? 0 : undefined;
  if (isFree(a) || isFree(b)) return isFree(a) && isFree(b) ? 0 : 0.5;
  const own = a.reduce((sum, one) => sum + weightOf(one), 0) + b.reduce((sum, one) => sum + weightOf(one), 0);
  const shared = 2 * (longestCommon(a, b)[0]?.[0] ?? 0);
  return own === 0 ? 0 : 1.5 * (1 - shared / own);
}

const ALONE = { space: 0.4, chunk: 1 };

type Pair = [Chunk | undefined, Chunk | undefined];

const aloneCost = (chunk: Chunk | undefined): number => {
  if (chunk === undefined) return Number.POSITIVE_INFINITY;
  return isFree(chunk) ? 0 : isSpace(chunk) ? ALONE.space : ALONE.chunk;
};

/** Cost of a pair, or of one chunk that stands alone. */
function stepCost([x, y]: Pair): number {
  if (x === undefined || y === undefined) return aloneCost(x ?? y);
  return pairCost(x, y) ?? Number.POSITIVE_INFINITY;
}

/** Sets two runs of chunks side by side at the least cost. */
function sideBySide(a: readonly Chunk[], b: readonly Chunk[]): { pairs: Pair[]; cost: number } {
  const costs = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => costs[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const steps = (i: number, j: number): { pair: Pair; cost: number }[] => {
    const [x, y] = [a[i], b[j]];
    const both = x === undefined || y === undefined ? [] : [{ pair: [x, y] as Pair, rest: at(i + 1, j + 1) }];
    const first = x === undefined ? [] : [{ pair: [x, undefined] as Pair, rest: at(i + 1, j) }];
    const second = y === undefined ? [] : [{ pair: [undefined, y] as Pair, rest: at(i, j + 1) }];
    return [...both, ...first, ...second].map(({ pair, rest }) => ({ pair, cost: stepCost(pair) + rest }));
  };
  for (let i = a.length; i >= 0; i -= 1) {
    for (let j = b.length; j >= 0; j -= 1) {
      const row = costs[i];
      if (row !== undefined && (i < a.length || j < b.length))
        row[j] = Math.min(...steps(i, j).map(({ cost }) => cost));
    }
  }
  const pairs: Pair[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const step = steps(i, j).find(({ cost }) => cost === at(i, j));
    if (step === undefined) break;
    pairs.push(step.pair);
    if (step.pair[0] !== undefined) i += 1;
    if (step.pair[1] !== undefined) j += 1;
  }
  return { pairs, cost: at(0, 0) };
}

/** One chunk for both: equal tokens stay, one hole where they differ; a chunk with several holes is one hole. */
function mergeChunks(a: Chunk, b: Chunk): Element[] {
  if (isFree(a) || isFree(b)) return [{ kind: "free" }];
  const table = longestCommon(a, b);
  const merged: Element[] = [];
  let holes = 0;
  let [i, j] = [0, 0];
  let [onlyA, onlyB] = [0, 0];
  const flush = (): void => {
    if (onlyA + onlyB > 0) {
      holes += 1;
      merged.push({ kind: onlyA > 0 && onlyB > 0 ? "gap" : "free" });
    }
    [onlyA, onlyB] = [0, 0];
  };
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x !== undefined && y !== undefined && equalElements(x, y)) {
      flush();
      merged.push(x);
      [i, j] = [i + 1, j + 1];
    } else if (y === undefined || (x !== undefined && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))) {
      onlyA += 1;
      i += 1;
    } else {
      onlyB += 1;
      j += 1;
    }
  }
  flush();
  const kinds = merged.map(({ kind }) => kind);
  if (holes > 1 || kinds.includes("free")) {
    const keyed = merged.findIndex((one) => one.kind === "fixed" && one.text === "=");
    const head =
      keyed >= 0 && merged.slice(0, keyed).every(({ kind }) => kind === "fixed")
        ? merged.slice(0, keyed + 1)
        : [];
    return [...head, { kind: "gap" }];
  }
  return merged;
}

/** Lengths of the longest common subsequences of the tails, words counting most. */
function longestCommon(a: readonly Element[], b: readonly Element[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [x, y] = [a[i], b[j]];
      const best = Math.max(at(i + 1, j), at(i, j + 1));
      const row = table[i];
      if (row === undefined || x === undefined || y === undefined) continue;
      row[j] = equalElements(x, y) ? Math.max(best, at(i + 1, j + 1) + weightOf(x)) : best;
    }
  }
  return table;
}

export function weightOf(element: Element): number {
  if (element.kind === "fixed") return element.token === "word" ? 4 : 2;
  return element.kind === "space" ? 0.5 : 1;
}
