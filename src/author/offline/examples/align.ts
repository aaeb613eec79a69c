// Lays a template over a line: what is there, what is missing, what is there besides, and which text each part gets.
import type { Element, Leaf, Template } from "./template.ts";
import type { Token } from "./tokens.ts";

export interface Alignment {
  cost: number;
  /** Text of each leaf, in order; undefined for one that is not there. */
  texts: (string | undefined)[];
  /** Offsets of each leaf. */
  spans: ({ start: number; end: number } | undefined)[];
  /** Offsets of each part that holds others. */
  outer: ({ start: number; end: number } | undefined)[];
  /** Fixed elements that are not there, by index. */
  missing: number[];
  /** Fixed elements that another token stands for. */
  replaced: { element: number; by: string }[];
  /** Tokens that the template does not have, blanks apart, with the element in front of which they stand. */
  inserted: { before: number; token: Token }[];
}

/** Costs of what differs, in units of a mark. */
const COST = {
  missing: { word: 3, number: 1.5, mark: 1.6 },
  inserted: { word: 1.6, number: 1.2, mark: 1, space: 0.3 },
  replaced: { word: 2.5, number: 1, mark: 2.2 },
  space: 0.5,
  spaceBesideHole: 2.5,
  gap: 1.5,
  part: 6,
  /** Nothing between the marks around a part. */
  blankPart: 0.6,
  /** A blank inside a part whose samples have none. */
  blankInPart: 1.5,
  wideBlankInPart: 2.5,
  /** A blank inside a part or gap between two delimiters. */
  blankInFrame: 0.1,
  /** The mark behind a part inside the part, and the delimiter of a frame inside of it. */
  stopInPart: 0.8,
  stopInFrame: 3,
  /** Anything in front of a line that begins with fixed text. */
  prefix: 1,
  grow: 0.01,
} as const;

/** The best way to lay a template over a line; undefined above a cost. */
export function align(template: Template, tokens: readonly Token[], maxCost: number): Alignment | undefined {
  const lattice = new Lattice(template.elements, tokens, maxCost);
  return lattice.fill() ? lattice.trace(template) : undefined;
}

/** How a state was reached from the one before. */
const MOVE = { same: 1, replace: 2, skip: 3, insert: 4, close: 5, grow: 6 } as const;
type Move = (typeof MOVE)[keyof typeof MOVE];

/** The cheapest way to each state: so many elements laid over so many tokens, before an element or inside of a hole
 * that may grow. */
class Lattice {
  readonly #elements: readonly Element[];
  readonly #tokens: readonly Token[];
  readonly #maxCost: number;
  readonly #scale: readonly number[];
  readonly #frames: readonly (string | undefined)[];
  readonly #columns: number;
  readonly #cost: Float64Array;
  readonly #from: Int32Array;
  readonly #moves: Uint8Array;
  // Columns of this row and the next that can be reached at all: most lines differ early and fill few of them.
  #row = 0;
  #last = 0;
  #nextFirst = 0;
  #nextLast = -1;

  constructor(elements: readonly Element[], tokens: readonly Token[], maxCost: number) {
    this.#elements = elements;
    this.#tokens = tokens;
    this.#maxCost = maxCost;
    this.#scale = tailScale(elements);
    this.#frames = framesOf(elements);
    this.#columns = tokens.length + 1;
    const size = (elements.length + 1) * this.#columns * 2;
    this.#cost = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    this.#from = new Int32Array(size).fill(-1);
    this.#moves = new Uint8Array(size);
  }

  /** Can the last state be reached below the limit? */
  fill(): boolean {
    this.#cost[this.#at(0, 0, 0)] = 0;
    let first = 0;
    for (let i = 0; i <= this.#elements.length; i += 1) {
      if (i > 0) [first, this.#last] = [this.#nextFirst, this.#nextLast];
      [this.#nextFirst, this.#nextLast] = [this.#columns, -1];
      this.#row = i;
      if (this.#last < 0) return false;
      // A step inside of the row moves its last column on.
      for (let j = first; j <= this.#last && j < this.#columns; j += 1) {
        this.#leaveHole(i, j);
        this.#step(i, j);
      }
    }
    return Number.isFinite(this.#cost[this.#end] ?? Number.POSITIVE_INFINITY);
  }

  get #end(): number {
    return this.#at(this.#elements.length, this.#tokens.length, 0);
  }

  #at(i: number, j: number, inside: 0 | 1): number {
    return ((i * this.#columns + j) << 1) | inside;
  }

  #put(target: number, source: number, value: number, move: Move): void {
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

  /** A hole under way: it ends here, or takes one more token. */
  #leaveHole(i: number, j: number): void {
    const source = this.#at(i, j, 1);
    const value = this.#cost[source] ?? Number.POSITIVE_INFINITY;
    const element = this.#elements[i];
    if (!Number.isFinite(value) || element === undefined) return;
    if (mayEnd(element, this.#tokens[j - 1])) this.#put(this.#at(i + 1, j, 0), source, value, MOVE.close);
    const token = this.#tokens[j];
    if (token === undefined) return;
    const more = growCost(this.#elements, i, token, this.#frames[i]);
    if (more !== undefined) this.#put(this.#at(i, j + 1, 1), source, value + more, MOVE.grow);
  }

  /** Before an element: it matches, is not there, another token stands for it, or a token is there besides. */
  #step(i: number, j: number): void {
    const source = this.#at(i, j, 0);
    const value = this.#cost[source] ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(value)) return;
    const factor = this.#scale[i] ?? 1;
    const token = this.#tokens[j];
    if (token !== undefined)
      this.#put(this.#at(i, j + 1, 0), source, value + this.#insertCost(i, j, token), MOVE.insert);
    const element = this.#elements[i];
    if (element === undefined) return;
    const skipped = value + factor * this.#skipCost(element, i);
    this.#put(this.#at(i + 1, j, 0), source, skipped, element.kind === "free" ? MOVE.same : MOVE.skip);
    if (token === undefined) return;
    const [over, into] = [this.#at(i + 1, j + 1, 0), this.#at(i, j + 1, 1)];
    if (element.kind === "fixed") {
      if (sameToken(element.text, token.text)) this.#put(over, source, value, MOVE.same);
      else if (token.kind === element.token)
        this.#put(over, source, value + factor * COST.replaced[element.token], MOVE.replace);
    } else if (element.kind === "space") {
      if (token.kind === "space") this.#put(over, source, value, MOVE.same);
    } else if (element.kind === "free") this.#put(into, source, value + COST.grow, MOVE.grow);
    else if (token.kind !== "space") this.#put(into, source, value + firstCost(element, token), MOVE.grow);
  }

  #insertCost(i: number, j: number, token: Token): number {
    if (i > 0 || this.#elements[0]?.kind !== "fixed")
      return (this.#scale[i] ?? 1) * COST.inserted[token.kind];
    return j === 0 ? COST.prefix : COST.grow;
  }

  #skipCost(element: Element, i: number): number {
    switch (element.kind) {
      case "fixed":
        return COST.missing[element.token];
      case "space":
        return isOpen(this.#elements[i - 1]) || isOpen(this.#elements[i + 1])
          ? COST.spaceBesideHole
          : COST.space;
      case "free":
        return 0;
      case "gap":
        return COST.gap;
      default:
        return this.#frames[i] === undefined ? COST.part : COST.blankPart;
    }
  }

  /** What the cheapest way to the last state says. */
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
      // Moves over a token: it matches, stands for another one, or is part of a hole.
      const over = (state >> 1) % this.#columns > j;
      if (over && move !== MOVE.insert) ranges.set(i, [j, ranges.get(i)?.[1] ?? j + 1]);
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

/** Offsets of what stands for the elements from one to another. */
function spanOf(
  tokens: readonly Token[],
  ranges: ReadonlyMap<number, readonly [number, number]>,
  first: number,
  last: number,
): { start: number; end: number } | undefined {
  const found = [...ranges].filter(([index]) => index >= first && index <= last).map(([, range]) => range);
  const from = tokens[Math.min(...found.map(([at]) => at))];
  const to = tokens[Math.max(...found.map(([, at]) => at)) - 1];
  if (from === undefined || to === undefined) return undefined;
  return { start: from.at, end: to.at + to.text.length };
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join("");
}

/** What the fixed text behind the last part may cost in all, and how much less than other text it costs at least. */
const TAIL_WEIGHT = 4;
const TAIL_SCALE = 0.6;

/** Factor per element, and for what stands behind the last one. */
function tailScale(elements: readonly Element[]): number[] {
  const last = elements.findLastIndex(({ kind }) => kind === "part");
  const scale = new Array<number>(elements.length + 1).fill(1);
  if (last < 0) return scale;
  const tail = elements.slice(last + 1);
  const weight = tail.reduce((sum, one) => sum + (one.kind === "fixed" ? COST.missing[one.token] : 0.5), 0);
  const factor = Math.min(TAIL_SCALE, TAIL_WEIGHT / Math.max(weight, 1));
  // The text right behind the part tells where it ends.
  return scale.fill(factor, last + 3);
}

/** Runs of one mark are the same at any length. */
function sameToken(fixed: string, token: string): boolean {
  return (
    fixed === token ||
    (fixed.length > 2 && token.length > 2 && fixed[0] === token[0] && isRun(fixed) && isRun(token))
  );
}

export function isRun(text: string): boolean {
  return text.length > 2 && !/[\p{L}\p{N}\s]/u.test(text) && text === text.charAt(0).repeat(text.length);
}

function mayEnd(element: Element, last: Token | undefined): boolean {
  return element.kind !== "part" || last?.kind !== "space";
}

function firstCost(element: Element, token: Token): number {
  return element.kind === "part" &&
    token.kind === "mark" &&
    !element.leaf.samples.some((text) => text.includes(token.text))
    ? 0.3
    : 0;
}

function isOpen(element: Element | undefined): boolean {
  return element?.kind === "part" || element?.kind === "gap";
}

function growCost(
  elements: readonly Element[],
  index: number,
  token: Token,
  frame: string | undefined,
): number | undefined {
  const element = elements[index];
  if (element === undefined) return undefined;
  if (element.kind === "free") return COST.grow;
  if (element.kind !== "gap" && element.kind !== "part") return undefined;
  if (frame !== undefined) {
    if (token.text === frame) return COST.stopInFrame;
    return token.kind === "space" ? COST.blankInFrame : COST.grow;
  }
  if (element.kind === "gap") return token.kind === "space" ? undefined : COST.grow;
  if (token.kind === "space") return blankCost(element.leaf, token.text);
  return stopsOf(elements, index).includes(token.text) ? COST.stopInPart : COST.grow;
}

/** Marks right beside a part that none of its samples has: the part goes no further than these. */
export function stopsOf(elements: readonly Element[], index: number): string[] {
  const element = elements[index];
  if (element?.kind !== "part") return [];
  return [elements[index - 1], elements[index + 1]].flatMap((beside) => {
    if (beside?.kind !== "fixed" || beside.token !== "mark") return [];
    const mark = beside.text.charAt(0);
    return element.leaf.samples.some((text) => text.includes(mark)) ? [] : [mark];
  });
}

const PAIRS: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "<": ">",
  '"': '"',
  "'": "'",
  "`": "`",
};
const DELIMITERS = ["|", ";", ",", "\t"];

/** For each hole the delimiter that closes it, where it stands between two of a kind or in brackets or quotes. */
export function framesOf(elements: readonly Element[]): (string | undefined)[] {
  return elements.map((element, index) => {
    if (element.kind !== "part" && element.kind !== "gap") return undefined;
    const [before, after] = [markBeside(elements, index, -1), markBeside(elements, index, 1)];
    if (before === undefined || after === undefined) return undefined;
    if (before.text === after.text && DELIMITERS.includes(before.text)) return after.text;
    return PAIRS[before.text] === after.text && before.near && after.near ? after.text : undefined;
  });
}

function markBeside(
  elements: readonly Element[],
  index: number,
  step: 1 | -1,
): { text: string; near: boolean } | undefined {
  const near = elements[index + step];
  const beside = near?.kind === "space" ? elements[index + 2 * step] : near;
  return beside?.kind === "fixed" && beside.token === "mark"
    ? { text: beside.text, near: beside === near }
    : undefined;
}

function blankCost(leaf: Leaf, blank: string): number {
  const blanks = leaf.samples.some((text) => /\s/.test(text));
  if (!isWide(blank)) return blanks ? 0.05 : COST.blankInPart;
  if (leaf.samples.some((text) => /\s\s|\t/.test(text))) return 0.05;
  return blanks ? COST.blankInPart : COST.wideBlankInPart;
}

/** A run of blanks as it stands between columns. */
function isWide(blank: string): boolean {
  return blank.length > 1 || blank === "\t";
}
