// Costs of an alignment: how much each difference between a template and a line counts, in units of a mark.
import { stopsOf } from "./delimiters.ts";
import type { Element, Leaf } from "./template.ts";
import type { Token } from "./tokens.ts";

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
  /** A part begins with a mark that no sample contains. */
  leadingMark: 0.3,
  /** A blank, or a wide one, inside a part. */
  knownBlank: 0.05,
  blankInPart: 1.5,
  wideBlankInPart: 2.5,
  /** A blank inside a part or gap between two delimiters. */
  blankInFrame: 0.1,
  /** A mark that should end a part, and the delimiter of a frame, inside of it. */
  stopInPart: 0.8,
  stopInFrame: 3,
  /** Text in front of a line whose template begins with fixed text. */
  prefix: 1,
  grow: 0.01,
} as const;

/** Costs of the elements of one template. */
export class AlignmentCosts {
  readonly #elements: readonly Element[];
  readonly #frames: readonly (string | undefined)[];
  readonly #scale: readonly number[];

  constructor(elements: readonly Element[], frames: readonly (string | undefined)[]) {
    this.#elements = elements;
    this.#frames = frames;
    this.#scale = tailScale(elements);
  }

  /** A token that the template does not have, in front of an element. */
  inserted(element: number, position: number, token: Token): number {
    if (element > 0 || this.#elements[0]?.kind !== "fixed")
      return (this.#scale[element] ?? 1) * COST.inserted[token.kind];
    return position === 0 ? COST.prefix : COST.grow;
  }

  /** An element that the line does not have. */
  skipped(element: Element, index: number): number {
    return (this.#scale[index] ?? 1) * this.#skipped(element, index);
  }

  #skipped(element: Element, index: number): number {
    switch (element.kind) {
      case "fixed":
        return COST.missing[element.token];
      case "space":
        return isHole(this.#elements[index - 1]) || isHole(this.#elements[index + 1])
          ? COST.spaceBesideHole
          : COST.space;
      case "free":
        return 0;
      case "gap":
        return COST.gap;
      default:
        return this.#frames[index] === undefined ? COST.part : COST.blankPart;
    }
  }

  /** Another token of the same kind in place of a fixed one. */
  replaced(element: Element & { kind: "fixed" }, index: number): number {
    return (this.#scale[index] ?? 1) * COST.replaced[element.token];
  }

  /** The first token of a part, gap or free text; undefined if none of these can begin with it. */
  begin(element: Element, token: Token): number | undefined {
    if (element.kind === "free") return COST.grow;
    if (token.kind === "space") return undefined;
    const isUnusual =
      element.kind === "part" &&
      token.kind === "mark" &&
      !element.leaf.samples.some((text) => text.includes(token.text));
    return isUnusual ? COST.leadingMark : 0;
  }

  /** A further token of a part, gap or free text; undefined if it cannot contain the token. */
  grow(index: number, token: Token): number | undefined {
    const element = this.#elements[index];
    if (element === undefined) return undefined;
    if (element.kind === "free") return COST.grow;
    if (element.kind !== "gap" && element.kind !== "part") return undefined;
    const frame = this.#frames[index];
    if (frame !== undefined) {
      if (token.text === frame) return COST.stopInFrame;
      return token.kind === "space" ? COST.blankInFrame : COST.grow;
    }
    if (element.kind === "gap") return token.kind === "space" ? undefined : COST.grow;
    if (token.kind === "space") return blankCost(element.leaf, token.text);
    return stopsOf(this.#elements, index).includes(token.text) ? COST.stopInPart : COST.grow;
  }
}

/** Upper limit of the cost of all fixed text behind the last part, and the highest factor for it: this text counts
 * less than other text. */
const TAIL_WEIGHT = 4;
const TAIL_SCALE = 0.6;

/** Factor for each element, and for text behind the last one. */
function tailScale(elements: readonly Element[]): number[] {
  const last = elements.findLastIndex(({ kind }) => kind === "part");
  const scale = new Array<number>(elements.length + 1).fill(1);
  if (last < 0) return scale;
  const tail = elements.slice(last + 1);
  const weight = tail.reduce(
    (sum, element) => sum + (element.kind === "fixed" ? COST.missing[element.token] : 0.5),
    0,
  );
  const factor = Math.min(TAIL_SCALE, TAIL_WEIGHT / Math.max(weight, 1));
  // The elements directly behind the part count fully: they determine its end.
  return scale.fill(factor, last + 3);
}

function isHole(element: Element | undefined): boolean {
  return element?.kind === "part" || element?.kind === "gap";
}

function blankCost(leaf: Leaf, blank: string): number {
  const hasBlanks = leaf.samples.some((text) => /\s/.test(text));
  if (!isWide(blank)) return hasBlanks ? COST.knownBlank : COST.blankInPart;
  if (leaf.samples.some((text) => /\s\s|\t/.test(text))) return COST.knownBlank;
  return hasBlanks ? COST.blankInPart : COST.wideBlankInPart;
}

/** Is it a run of blanks or a tab, as between columns? */
function isWide(blank: string): boolean {
  return blank.length > 1 || blank === "\t";
}
