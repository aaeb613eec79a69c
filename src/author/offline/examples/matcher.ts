// One template over many lines: what each lacks, has besides, and where its parts stand.
import { type Alignment, align, framesOf } from "./align.ts";
import { addDiff, type Diff, type DiffKind } from "./diffs.ts";
import type { Span } from "./spans.ts";
import { type Element, glueOf, type Leaf, type Template } from "./template.ts";
import { type Glue, isNumber, tokenizeGlued } from "./tokens.ts";

export interface Fit {
  cost: number;
  diffs: Diff[];
}

/** Lays one template over many lines; lines that differ in digits alone are laid once, unless one of them has the very
 * text of an example. */
export class Matcher {
  private readonly template: Template;
  private readonly maxCost: number;
  private readonly words: readonly string[];
  private readonly known = new Map<string, Fit | undefined>();
  private readonly glue: Glue;
  /** Texts with digits that are compared as such. */
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

  fit(line: string): Fit | undefined {
    if (line.length > MAX_LINE) return undefined;
    let least = 0;
    for (const word of this.words) {
      if (!line.includes(word)) least += LEAST_WORD;
      if (least > this.maxCost) return undefined;
    }
    const own = this.samples.some((text) => line.includes(text));
    const key = own ? line : line.replace(/\d+/g, (digits) => (/^0+$/.test(digits) ? "0" : "1"));
    if (this.known.has(key)) return this.known.get(key);
    const fit = this.lay(line);
    this.known.set(key, fit);
    return fit;
  }

  private lay(line: string): Fit | undefined {
    const found = this.align(line);
    if (found === undefined) return undefined;
    if (found.spans.some((span, index) => span === undefined && !(this.leaves[index]?.framed ?? false)))
      return undefined;
    const { elements } = this.template;
    const last = elements.findLastIndex(({ kind }) => kind === "part");
    const diffs: Diff[] = [];
    let { cost } = found;
    const add = (kind: DiffKind, at: number): void =>
      addDiff(diffs, { kind, at: String(at), ...(at > last ? { tail: true } : {}) });
    for (const index of [...found.missing, ...found.replaced.map(({ element }) => element)]) {
      const element = elements[index];
      if (element?.kind === "fixed") add(kindOf(elements, index, element.token), index);
    }
    const first = elements[0]?.kind === "fixed";
    for (const { before } of found.inserted) {
      if (before > 0 || !first) add("inserted", before);
    }
    const front = found.inserted.findLast(({ before }) => before === 0);
    if (first && front !== undefined)
      add(STAMPED.test(line.slice(0, front.token.at)) ? "stamp" : "prefix", 0);
    this.leaves.forEach(({ leaf, framed, open }, index) => {
      if (found.spans[index] === undefined) addDiff(diffs, { kind: "blank", at: leaf.names[0] ?? "" });
      else
        for (const [kind, weight] of textDiffs(leaf, found.texts[index] ?? "", framed, open && !framed)) {
          addDiff(diffs, { kind, at: leaf.names[0] ?? "" });
          cost += weight;
        }
    });
    return cost > this.maxCost ? undefined : { cost, diffs };
  }

  align(line: string): Alignment | undefined {
    return align(this.template, tokenizeGlued(line.trimEnd(), this.glue), this.maxCost);
  }

  /** Where the parts stand in a line, by name. */
  spans(line: string): Map<string, Span> {
    const found = this.align(line);
    const spans = new Map<string, Span>();
    if (found === undefined) return spans;
    this.leaves.forEach(({ leaf }, index) => {
      const span = found.spans[index];
      if (span !== undefined) for (const name of leaf.names) spans.set(name, span);
    });
    this.template.outer.forEach(({ name }, index) => {
      const span = found.outer[index];
      if (span !== undefined) spans.set(name, span);
    });
    return spans;
  }
}

/** Characters of a line that is looked at. */
const MAX_LINE = 4000;
/** A fixed word that is nowhere in a line costs at least this. */
const LEAST_WORD = 0.5;
/** A clock time or a date. */
const STAMPED = /\d\d:\d\d|\d{4}-\d\d-\d\d/;

/** Does a part stand beside other text without a fixed mark or word between them? */
function isOpen(elements: readonly Element[], index: number): boolean {
  const loose = (step: 1 | -1): boolean => {
    const [near, next] = [elements[index + step], elements[index + 2 * step]];
    if (near === undefined || near.kind === "fixed") return false;
    return near.kind !== "space" || (next !== undefined && next.kind !== "fixed");
  };
  return loose(1) || loose(-1);
}

/** What a fixed word says: `key` in front of `=`, `member` behind it, else a word of the message. */
function kindOf(elements: readonly Element[], index: number, token: "word" | "number" | "mark"): DiffKind {
  if (token !== "word") return token;
  if (isKey(elements, index)) return "key";
  const [before, quoted] = [elements[index - 1], elements[index - 2]];
  const mark = before?.kind === "fixed" && before.text === '"' ? quoted : before;
  return mark?.kind === "fixed" && mark.text === "=" ? "member" : "word";
}

/** Is the word a key: in front of `=`, or of `:` without a blank? */
function isKey(elements: readonly Element[], index: number): boolean {
  const [element, next, second] = [elements[index], elements[index + 1], elements[index + 2]];
  if (element?.kind !== "fixed" || element.token !== "word" || next?.kind !== "fixed") return false;
  if (next.text === "=") return true;
  if (next.text === '"' && second?.kind === "fixed" && second.text === ":") return true;
  return next.text === ":" && second !== undefined && second.kind !== "space";
}

/** How the text of a part differs in kind from those of the examples, with what it costs. */
/** @param framed between delimiters
 * @param open beside other text without a mark between them, so that words may belong to either */
export function textDiffs(leaf: Leaf, text: string, framed: boolean, open = !framed): [DiffKind, number][] {
  const diffs: [DiffKind, number][] = [];
  const numeric = leaf.samples.every(isNumber);
  if (numeric && !isNumber(text)) return [["type", framed ? 0.8 : 2]];
  if (numeric) {
    if (leaf.samples.every((one) => /^\d+$/.test(one)) && !PLAIN_NUMBER.test(text))
      diffs.push(["digits", 0.2]);
    const value = toNumber(text);
    const values = leaf.samples.map(toNumber);
    if (value === 0 && values.every((one) => one !== 0)) diffs.push(["zero", 0]);
    if ((value < 0 && values.every((one) => one >= 0)) || (value > 0 && values.every((one) => one < 0))) {
      diffs.push(["sign", 0]);
    }
    return diffs;
  }
  if ((leaf.samples.length === 1 || leaf.category === true) && !leaf.samples.includes(text))
    diffs.push(["constant", 0]);
  const spoken = (one: string): boolean => /[\p{L}\p{N}]/u.test(one);
  if (!spoken(text) && leaf.samples.every(spoken)) diffs.push(open ? ["marks", 1.5] : ["constant", 0]);
  if (open && /\s/.test(text) && !leaf.samples.some((one) => /\s/.test(one))) diffs.push(["words", 0]);
  else if (!framed && edges(text) && !leaf.samples.some(edges)) diffs.push(["marks", 0.5]);
  else if (!/\s/.test(text) && isTorn(text) && !leaf.samples.some((one) => /\s/.test(one) || isTorn(one)))
    diffs.push(["marks", 0.5]);
  return diffs;
}

/** Digits, with thousands set apart by commas or a fraction behind a point. */
const PLAIN_NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

/** Does a text begin with a mark of a list or tree, or with brackets that set something apart? */
function edges(text: string): boolean {
  return /^[*>+|`\u2500-\u257f\u2022]|^\[[^\]]*\]\s|^\([^)]*\)\s/.test(text);
}

/** Has a text brackets that open or close outside of it? */
function isTorn(text: string): boolean {
  return ["()", "[]", "{}"].some(
    ([open = "", close = ""]) => text.split(open).length !== text.split(close).length,
  );
}

function toNumber(text: string): number {
  return Number(text.replace(/,/g, ""));
}
