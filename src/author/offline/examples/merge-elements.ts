// Merges two runs of unlabelled template elements: equal text remains, gaps replace the differences.
import type { Element } from "./template.ts";

/** Are two elements of the same kind, with the same text? */
export function equalElements(a: Element, b: Element): boolean {
  if (a.kind !== b.kind) return false;
  return a.kind !== "fixed" || b.kind !== "fixed" || a.text === b.text;
}

/** Merges two runs of elements. Their common beginning and end remain; the rest is paired chunk by chunk, so that columns
 * remain columns. The cost is what they do not share, in words. */
export function mergeElements(
  a: readonly Element[],
  b: readonly Element[],
): { elements: Element[]; cost: number } {
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
  let hasUnpaired = false;
  const add = (elements: readonly Element[]): void => {
    for (const element of elements) {
      const before = merged.at(-1)?.kind;
      if (element.kind === "free" && before === "gap") merged.pop();
      if ((element.kind !== "free" && element.kind !== "gap") || before !== "free") merged.push(element);
    }
  };
  const flush = (): void => {
    if (hasUnpaired) add([{ kind: "free" }]);
    hasUnpaired = false;
  };
  const { pairs, cost } = pairChunks(left, right);
  for (const [x, y] of pairs) {
    if (x !== undefined && y !== undefined) {
      flush();
      add(mergeChunks(x, y));
    } else hasUnpaired = true;
  }
  flush();
  add(a.slice(a.length - tail));
  return { elements: simplify(merged), cost };
}

/** Free text absorbs the blanks and gaps beside it, except for the outermost blanks. */
function simplify(elements: readonly Element[]): Element[] {
  const simple: Element[] = [];
  for (let start = 0; start < elements.length; ) {
    let end = start;
    while (end < elements.length && elements[end]?.kind !== "fixed") end += 1;
    const run = elements.slice(start, end);
    if (run.some(({ kind }) => kind === "free")) {
      if (run[0]?.kind === "space") simple.push({ kind: "space" });
      simple.push({ kind: "free" });
      if (run.length > 1 && run.at(-1)?.kind === "space") simple.push({ kind: "space" });
    } else simple.push(...run);
    const next = elements[end];
    if (next !== undefined) simple.push(next);
    start = end + 1;
  }
  return simple;
}

function equalAt(a: readonly Element[], b: readonly Element[], i: number, j: number): boolean {
  const [x, y] = [a[i], b[j]];
  return x !== undefined && y !== undefined && equalElements(x, y);
}

/** The elements between two blanks, a blank, or free text. */
type Chunk = readonly Element[];

function chunksOf(elements: readonly Element[]): Chunk[] {
  const chunks: Element[][] = [];
  let mayGrow = false;
  for (const element of elements) {
    const isSeparate = element.kind === "space" || element.kind === "free";
    if (isSeparate || !mayGrow) chunks.push([element]);
    else chunks.at(-1)?.push(element);
    mayGrow = !isSeparate;
  }
  return chunks;
}

const isSpace = (chunk: Chunk): boolean => chunk.length === 1 && chunk[0]?.kind === "space";
const isFree = (chunk: Chunk): boolean => chunk.length === 1 && chunk[0]?.kind === "free";

/** Cost of pairing two chunks, in words; undefined if a blank would be paired with text. */
function pairCost(a: Chunk, b: Chunk): number | undefined {
  if (isSpace(a) || isSpace(b)) return isSpace(a) && isSpace(b) ? 0 : undefined;
  if (isFree(a) || isFree(b)) return isFree(a) && isFree(b) ? 0 : 0.5;
  const total = [...a, ...b].reduce((sum, element) => sum + weightOf(element), 0);
  const shared = 2 * (longestCommon(a, b)[0]?.[0] ?? 0);
  return total === 0 ? 0 : 1.5 * (1 - shared / total);
}

/** Costs of a chunk without a partner. */
const UNPAIRED = { space: 0.4, chunk: 1 };

type Pair = [Chunk | undefined, Chunk | undefined];

function unpairedCost(chunk: Chunk | undefined): number {
  if (chunk === undefined) return Number.POSITIVE_INFINITY;
  return isFree(chunk) ? 0 : isSpace(chunk) ? UNPAIRED.space : UNPAIRED.chunk;
}

/** Cost of a pair, or of a chunk without a partner. */
function stepCost([x, y]: Pair): number {
  if (x === undefined || y === undefined) return unpairedCost(x ?? y);
  return pairCost(x, y) ?? Number.POSITIVE_INFINITY;
}

/** Pairs the chunks of two runs in order, at the lowest cost. */
function pairChunks(a: readonly Chunk[], b: readonly Chunk[]): { pairs: Pair[]; cost: number } {
  const costs = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const costAt = (i: number, j: number): number => costs[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const steps = (i: number, j: number): { pair: Pair; cost: number }[] => {
    const [x, y] = [a[i], b[j]];
    const both =
      x === undefined || y === undefined ? [] : [{ pair: [x, y] as Pair, rest: costAt(i + 1, j + 1) }];
    const first = x === undefined ? [] : [{ pair: [x, undefined] as Pair, rest: costAt(i + 1, j) }];
    const second = y === undefined ? [] : [{ pair: [undefined, y] as Pair, rest: costAt(i, j + 1) }];
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
    const step = steps(i, j).find(({ cost }) => cost === costAt(i, j));
    if (step === undefined) break;
    pairs.push(step.pair);
    if (step.pair[0] !== undefined) i += 1;
    if (step.pair[1] !== undefined) j += 1;
  }
  return { pairs, cost: costAt(0, 0) };
}

/** Merges two chunks: equal tokens remain, with a gap where they differ. A chunk with several gaps becomes a single one,
 * behind its key if it has one. */
function mergeChunks(a: Chunk, b: Chunk): Element[] {
  if (isFree(a) || isFree(b)) return [{ kind: "free" }];
  const table = longestCommon(a, b);
  const merged: Element[] = [];
  let gaps = 0;
  let [i, j] = [0, 0];
  let [onlyA, onlyB] = [0, 0];
  const flush = (): void => {
    if (onlyA + onlyB > 0) {
      gaps += 1;
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
  if (gaps > 1 || kinds.includes("free")) {
    const sign = merged.findIndex((element) => element.kind === "fixed" && element.text === "=");
    const head =
      sign >= 0 && merged.slice(0, sign).every(({ kind }) => kind === "fixed")
        ? merged.slice(0, sign + 1)
        : [];
    return [...head, { kind: "gap" }];
  }
  return merged;
}

/** Weights of the longest common subsequences of all suffixes; `[0][0]` is that of the whole chunks. */
function longestCommon(a: readonly Element[], b: readonly Element[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const weightAt = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [x, y] = [a[i], b[j]];
      const best = Math.max(weightAt(i + 1, j), weightAt(i, j + 1));
      const row = table[i];
      if (row === undefined || x === undefined || y === undefined) continue;
      row[j] = equalElements(x, y) ? Math.max(best, weightAt(i + 1, j + 1) + weightOf(x)) : best;
    }
  }
  return table;
}

/** Weight of an element; words count most. */
export function weightOf(element: Element): number {
  if (element.kind === "fixed") return element.token === "word" ? 4 : 2;
  return element.kind === "space" ? 0.5 : 1;
}
