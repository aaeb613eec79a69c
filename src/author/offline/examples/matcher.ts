// Matches one template with many lines: how each differs from the examples, and where its parts are.
import { type Alignment, align } from "./align.ts";
import { framesOf } from "./delimiters.ts";
import { addDiff, type Diff, type DiffKind } from "./diffs.ts";
import type { Span } from "./spans.ts";
import { type Element, glueOf, type Leaf, type Template } from "./template.ts";
import { textDiffs } from "./text-diffs.ts";
import { type Glue, isNumber, tokenizeGlued } from "./tokens.ts";

/** How well a line matches a template. */
export interface Fit {
  cost: number;
  diffs: Diff[];
}

/** Longer lines are not matched. */
const MAX_LINE_LENGTH = 4000;
/** Lower bound for the cost of a fixed word that a line does not contain. */
const MIN_WORD_COST = 0.5;
/** A clock time or a date. */
const STAMP = /\d\d:\d\d|\d{4}-\d\d-\d\d/;

/** Matches one template with many lines. Lines that differ only in digits are aligned once, unless they contain the
 * sample of a part. */
export class Matcher {
  private readonly template: Template;
  private readonly maxCost: number;
  private readonly words: readonly string[];
  private readonly cache = new Map<string, Fit | undefined>();
  private readonly glue: Glue;
  /** Samples with digits that are not numbers. */
  private readonly samples: readonly string[];
  private readonly leaves: { leaf: Leaf; framed: boolean; open: boolean }[];

  constructor(template: Template, maxCost: number) {
    this.template = template;
    this.maxCost = maxCost;
    this.glue = glueOf(template);
    const frames = framesOf(template.elements);
    this.words = template.elements.flatMap((element) =>
      element.kind === "fixed" && element.token === "word" ? [element.text] : [],
    );
    this.samples = template.elements
      .flatMap((element) => (element.kind === "part" ? element.leaf.samples : []))
      .filter((text) => /\d/.test(text) && !isNumber(text));
    this.leaves = template.elements.flatMap((element, index) =>
      element.kind === "part"
        ? [
            {
              leaf: element.leaf,
              framed: frames[index] !== undefined,
              open: isOpen(template.elements, index),
            },
          ]
        : [],
    );
  }

  /** How a line differs from the template; undefined if it costs more than the limit. */
  fit(line: string): Fit | undefined {
    if (line.length > MAX_LINE_LENGTH) return undefined;
    let minCost = 0;
    for (const word of this.words) {
      if (!line.includes(word)) minCost += MIN_WORD_COST;
      if (minCost > this.maxCost) return undefined;
    }
    const hasSample = this.samples.some((text) => line.includes(text));
    const key = hasSample ? line : line.replace(/\d+/g, (digits) => (/^0+$/.test(digits) ? "0" : "1"));
    if (this.cache.has(key)) return this.cache.get(key);
    const fit = this.computeFit(line);
    this.cache.set(key, fit);
    return fit;
  }

  private computeFit(line: string): Fit | undefined {
    const alignment = this.align(line);
    if (alignment === undefined) return undefined;
    if (alignment.spans.some((span, index) => span === undefined && !(this.leaves[index]?.framed ?? false)))
      return undefined;
    const { elements } = this.template;
    const last = elements.findLastIndex(({ kind }) => kind === "part");
    const diffs: Diff[] = [];
    let { cost } = alignment;
    const add = (kind: DiffKind, index: number): void =>
      addDiff(diffs, { kind, subject: String(index), ...(index > last ? { tail: true } : {}) });
    for (const index of [...alignment.missing, ...alignment.replaced.map(({ element }) => element)]) {
      const element = elements[index];
      if (element?.kind === "fixed") add(fixedDiffKind(elements, index, element.token), index);
    }
    const beginsFixed = elements[0]?.kind === "fixed";
    for (const { before } of alignment.inserted) {
      if (before > 0 || !beginsFixed) add("inserted", before);
    }
    const lastInFront = alignment.inserted.findLast(({ before }) => before === 0);
    if (beginsFixed && lastInFront !== undefined)
      add(STAMP.test(line.slice(0, lastInFront.token.start)) ? "stamp" : "prefix", 0);
    this.leaves.forEach(({ leaf, framed, open }, index) => {
      const subject = leaf.names[0] ?? "";
      if (alignment.spans[index] === undefined) addDiff(diffs, { kind: "blank", subject });
      else
        for (const [kind, weight] of textDiffs(leaf, alignment.texts[index] ?? "", framed, open && !framed)) {
          addDiff(diffs, { kind, subject });
          cost += weight;
        }
    });
    return cost > this.maxCost ? undefined : { cost, diffs };
  }

  align(line: string): Alignment | undefined {
    return align(this.template, tokenizeGlued(line.trimEnd(), this.glue), this.maxCost);
  }

  /** The spans of the parts in a line, by name. */
  spans(line: string): Map<string, Span> {
    const alignment = this.align(line);
    const spans = new Map<string, Span>();
    if (alignment === undefined) return spans;
    this.leaves.forEach(({ leaf }, index) => {
      const span = alignment.spans[index];
      if (span !== undefined) for (const name of leaf.names) spans.set(name, span);
    });
    this.template.outer.forEach(({ name }, index) => {
      const span = alignment.outer[index];
      if (span !== undefined) spans.set(name, span);
    });
    return spans;
  }
}

/** Is a part beside other text without a fixed mark or word between them? */
function isOpen(elements: readonly Element[], index: number): boolean {
  const isOpenOn = (step: 1 | -1): boolean => {
    const [adjacent, next] = [elements[index + step], elements[index + 2 * step]];
    if (adjacent === undefined || adjacent.kind === "fixed") return false;
    return adjacent.kind !== "space" || (next !== undefined && next.kind !== "fixed");
  };
  return isOpenOn(1) || isOpenOn(-1);
}

/** Kind of the difference in a fixed token. A word in front of `=` is a key, one behind it a member. */
function fixedDiffKind(
  elements: readonly Element[],
  index: number,
  token: "word" | "number" | "mark",
): DiffKind {
  if (token !== "word") return token;
  if (isKey(elements, index)) return "key";
  const [before, quoted] = [elements[index - 1], elements[index - 2]];
  const mark = before?.kind === "fixed" && before.text === '"' ? quoted : before;
  return mark?.kind === "fixed" && mark.text === "=" ? "member" : "word";
}

/** Is the word a key: in front of `=`, or of `:` without a blank behind it? */
function isKey(elements: readonly Element[], index: number): boolean {
  const [element, next, second] = [elements[index], elements[index + 1], elements[index + 2]];
  if (element?.kind !== "fixed" || element.token !== "word" || next?.kind !== "fixed") return false;
  if (next.text === "=") return true;
  if (next.text === '"' && second?.kind === "fixed" && second.text === ":") return true;
  return next.text === ":" && second !== undefined && second.kind !== "space";
}
