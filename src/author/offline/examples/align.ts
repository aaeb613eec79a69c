// Aligns a template with the tokens of a line, at the lowest cost: what is missing, replaced or inserted, and the text of
// each part.
import { AlignmentCosts } from "./align-costs.ts";
import { framesOf, isRun } from "./delimiters.ts";
import type { Element, Template } from "./template.ts";
import type { Token } from "./tokens.ts";

export interface Alignment {
  cost: number;
  /** Text of each leaf, in order; undefined if the line does not have it. */
  texts: (string | undefined)[];
  /** Offsets of each leaf. */
  spans: ({ start: number; end: number } | undefined)[];
  /** Offsets of each part that contains other parts. */
  outer: ({ start: number; end: number } | undefined)[];
  /** Indexes of fixed elements that the line does not have. */
  missing: number[];
  /** Fixed elements with another token in their place. */
  replaced: { element: number; by: string }[];
  /** Tokens that the template does not have, except blanks, with the index of the element that follows. */
  inserted: { before: number; token: Token }[];
}

/** The cheapest alignment of a template with a line; undefined if it costs more than `maxCost`. */
export function align(template: Template, tokens: readonly Token[], maxCost: number): Alignment | undefined {
  const lattice = new Lattice(template.elements, tokens, maxCost);
  return lattice.fill() ? lattice.trace(template) : undefined;
}

/** How a state was reached from the previous one. */
const MOVE = { match: 1, replace: 2, skip: 3, insert: 4, close: 5, grow: 6 } as const;
type Move = (typeof MOVE)[keyof typeof MOVE];

/** Dynamic programming over states: the number of aligned elements and tokens, and whether the next element is a part,
 * gap or free text that has begun and may grow. */
class Lattice {
  readonly #elements: readonly Element[];
  readonly #tokens: readonly Token[];
  readonly #maxCost: number;
  readonly #costs: AlignmentCosts;
  readonly #columns: number;
  readonly #cost: Float64Array;
  readonly #from: Int32Array;
  readonly #moves: Uint8Array;
  // Reachable columns of this row and the next: most lines differ early, so few columns are visited.
  #row = 0;
  #last = 0;
  #nextFirst = 0;
  #nextLast = -1;

  constructor(elements: readonly Element[], tokens: readonly Token[], maxCost: number) {
    this.#elements = elements;
    this.#tokens = tokens;
    this.#maxCost = maxCost;
    this.#costs = new AlignmentCosts(elements, framesOf(elements));
    this.#columns = tokens.length + 1;
    const size = (elements.length + 1) * this.#columns * 2;
    this.#cost = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    this.#from = new Int32Array(size).fill(-1);
    this.#moves = new Uint8Array(size);
  }

  /** Fills the table; false if the final state costs too much. */
  fill(): boolean {
    this.#cost[this.#state(0, 0, 0)] = 0;
    let first = 0;
    for (let i = 0; i <= this.#elements.length; i += 1) {
      if (i > 0) [first, this.#last] = [this.#nextFirst, this.#nextLast];
      [this.#nextFirst, this.#nextLast] = [this.#columns, -1];
      this.#row = i;
      if (this.#last < 0) return false;
      // Steps within the row increase #last.
      for (let j = first; j <= this.#last && j < this.#columns; j += 1) {
        this.#leaveHole(i, j);
        this.#step(i, j);
      }
    }
    return Number.isFinite(this.#cost[this.#end] ?? Number.POSITIVE_INFINITY);
  }

  get #end(): number {
    return this.#state(this.#elements.length, this.#tokens.length, 0);
  }

  #state(i: number, j: number, inside: 0 | 1): number {
    return ((i * this.#columns + j) << 1) | inside;
  }

  /** Records a move if it reaches the target at a lower cost. */
  #relax(target: number, source: number, value: number, move: Move): void {
    if (value >= (this.#cost[target] ?? 0) || value > this.#maxCost) return;
    this.#cost[target] = value;
    this.#from[target] = source;
    this.#moves[target] = move;
    const cell = target >> 1;
    const column = cell % this.#columns;
    if (cell - column === this.#row * this.#columns) this.#last = Math.max(this.#last, column);
    else {
      this.#nextFirst = Math.min(this.#nextFirst, column);
      this.#nextLast = Math.max(this.#nextLast, column);
    }
  }

  /** From inside an element: it ends, or grows by a token. */
  #leaveHole(i: number, j: number): void {
    const source = this.#state(i, j, 1);
    const value = this.#cost[source] ?? Number.POSITIVE_INFINITY;
    const element = this.#elements[i];
    if (!Number.isFinite(value) || element === undefined) return;
    if (mayEnd(element, this.#tokens[j - 1]))
      this.#relax(this.#state(i + 1, j, 0), source, value, MOVE.close);
    const token = this.#tokens[j];
    if (token === undefined) return;
    const more = this.#costs.grow(i, token);
    if (more !== undefined) this.#relax(this.#state(i, j + 1, 1), source, value + more, MOVE.grow);
  }

  /** From in front of an element: a token is inserted, or the element is skipped, matches, is replaced or begins. */
  #step(i: number, j: number): void {
    const source = this.#state(i, j, 0);
    const value = this.#cost[source] ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(value)) return;
    const token = this.#tokens[j];
    if (token !== undefined)
      this.#relax(this.#state(i, j + 1, 0), source, value + this.#costs.inserted(i, j, token), MOVE.insert);
    const element = this.#elements[i];
    if (element === undefined) return;
    const skipped = value + this.#costs.skipped(element, i);
    const skip = element.kind === "free" ? MOVE.match : MOVE.skip;
    this.#relax(this.#state(i + 1, j, 0), source, skipped, skip);
    if (token === undefined) return;
    const over = this.#state(i + 1, j + 1, 0);
    if (element.kind === "fixed") {
      if (isSameToken(element.text, token.text)) this.#relax(over, source, value, MOVE.match);
      else if (token.kind === element.token)
        this.#relax(over, source, value + this.#costs.replaced(element, i), MOVE.replace);
    } else if (element.kind === "space") {
      if (token.kind === "space") this.#relax(over, source, value, MOVE.match);
    } else {
      const begin = this.#costs.begin(element, token);
      if (begin !== undefined) this.#relax(this.#state(i, j + 1, 1), source, value + begin, MOVE.grow);
    }
  }

  /** Reads the alignment from the moves that lead to the final state. */
  trace(template: Template): Alignment {
    const tokens = this.#tokens;
    const ranges = new Map<number, readonly [number, number]>();
    const result: Alignment = {
      cost: this.#cost[this.#end] ?? 0,
      texts: [],
      spans: [],
      outer: [],
      missing: [],
      replaced: [],
      inserted: [],
    };
    for (let state = this.#end; (this.#from[state] ?? -1) >= 0; state = this.#from[state] ?? -1) {
      const before = (this.#from[state] ?? 0) >> 1;
      const i = Math.floor(before / this.#columns);
      const j = before % this.#columns;
      const token = tokens[j];
      const move = this.#moves[state];
      if (move === MOVE.replace) result.replaced.unshift({ element: i, by: token?.text ?? "" });
      else if (move === MOVE.skip && this.#elements[i]?.kind === "fixed") result.missing.unshift(i);
      else if (move === MOVE.insert && token !== undefined && token.kind !== "space")
        result.inserted.unshift({ before: i, token });
      // The token belongs to the element, unless it was inserted.
      const isOverToken = (state >> 1) % this.#columns > j;
      if (isOverToken && move !== MOVE.insert) ranges.set(i, [j, ranges.get(i)?.[1] ?? j + 1]);
    }
    for (const [index, { kind }] of template.elements.entries()) {
      if (kind !== "part") continue;
      const range = ranges.get(index);
      result.spans.push(spanOf(tokens, ranges, index, index));
      result.texts.push(range && textOf(tokens.slice(...range)));
    }
    result.outer = template.outer.map(({ from, to }) => spanOf(tokens, ranges, from, to - 1));
    return result;
  }
}

/** Offsets of the tokens aligned with a range of elements. */
function spanOf(
  tokens: readonly Token[],
  ranges: ReadonlyMap<number, readonly [number, number]>,
  first: number,
  last: number,
): { start: number; end: number } | undefined {
  const aligned = [...ranges].filter(([index]) => index >= first && index <= last).map(([, range]) => range);
  const firstToken = tokens[Math.min(...aligned.map(([start]) => start))];
  const lastToken = tokens[Math.max(...aligned.map(([, end]) => end)) - 1];
  if (firstToken === undefined || lastToken === undefined) return undefined;
  return { start: firstToken.start, end: lastToken.start + lastToken.text.length };
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join("");
}

/** Are the texts equal, or runs of the same mark? */
function isSameToken(fixed: string, token: string): boolean {
  return (
    fixed === token ||
    (fixed.length > 2 && token.length > 2 && fixed[0] === token[0] && isRun(fixed) && isRun(token))
  );
}

/** Parts do not end with a blank. */
function mayEnd(element: Element, last: Token | undefined): boolean {
  return element.kind !== "part" || last?.kind !== "space";
}
