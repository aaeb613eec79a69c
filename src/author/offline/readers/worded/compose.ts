// One expression for a set of lines whose parts are known in each of them: what stands between the parts, as far as
// all lines agree on it, and the words that make the set.

import { escapeClass, escapeRegex } from "../../escape.ts";
import { type Token, tokenize } from "../../logs/tokens.ts";
import type { Hint } from "../../page/page.ts";
import type { Span } from "../../parts/spans.ts";
import { learnClass } from "../../templates/template.ts";
import { type Recipe, sourceOf } from "./recipes.ts";

/** A part with its place in every line. */
export interface Found {
  group: string;
  hint: Hint;
  recipe: Recipe;
  /** Its place in each line, undefined where the line lacks it. */
  spans: (Span | undefined)[];
}

/** The expressions to try, the most readable first: the parts in their order with what stands between them, then each
 * part found by itself. */
export function expressionsOf(
  parts: readonly Found[],
  lines: readonly string[],
  anchors: readonly string[],
): string[] {
  const expressions: string[] = [];
  const required = parts.filter((part) => part.spans.every((span) => span !== undefined));
  const partial = parts.filter((part) => !required.includes(part));
  const looks = partial.map(({ recipe, group }) => `(?=.*?${sourceOf(recipe, group)}|)`).join("");
  const order = ordered(required);
  if (order !== undefined && order.length > 0) {
    const sequence = sequenceOf(order, lines, anchors);
    const missing = anchors.filter((one) => !sequence.covers(one));
    const front = missing.map(lookFor).join("") + looks;
    expressions.push(
      front === ""
        ? sequence.source
        : `^${front}${sequence.source.startsWith("^") ? sequence.source.slice(1) : `.*?${sequence.source}`}`,
    );
  }
  const all = parts.map(({ recipe, group }) => {
    const source = recipe.left.startsWith("^")
      ? `${sourceOf(recipe, group).slice(1)}`
      : `.*?${sourceOf(recipe, group)}`;
    return partial.some((one) => one.group === group) ? `(?=${source}|)` : `(?=${source})`;
  });
  expressions.push(`^${anchors.map(lookFor).join("")}${all.join("")}`);
  return expressions;
}

function lookFor(anchor: string): string {
  return anchor.startsWith("^") ? `(?=${anchor.slice(1)})` : `(?=.*?${anchor})`;
}

/** The parts in the order in which they stand in every line; undefined when lines differ in it or parts overlap. */
function ordered(parts: readonly Found[]): Found[] | undefined {
  const sorted = [...parts].sort((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0));
  for (let at = 1; at < sorted.length; at += 1) {
    const [left, right] = [sorted[at - 1], sorted[at]];
    if (left?.spans.some((span, line) => (span?.end ?? 0) > (right?.spans[line]?.start ?? 0)) === true)
      return undefined;
  }
  return sorted;
}

function sequenceOf(
  parts: readonly Found[],
  lines: readonly string[],
  anchors: readonly string[],
): { source: string; covers: (anchor: string) => boolean } {
  let source = "";
  const fixed: string[] = [];
  for (const [index, part] of parts.entries()) {
    const previous = parts[index - 1];
    const gaps = lines.map((line, at) =>
      line.slice(previous?.spans[at]?.end ?? 0, part.spans[at]?.start ?? 0),
    );
    const gap = previous === undefined ? headOf(gaps, part.recipe) : gapOf(gaps, anchors);
    fixed.push(...gap.kept);
    const texts = lines.map((line, at) => line.slice(part.spans[at]?.start ?? 0, part.spans[at]?.end ?? 0));
    const body = learnClass(texts, part.recipe.body, part.hint);
    source += `${gap.source}(?<${part.group}>${body})`;
  }
  const last = parts.at(-1);
  const tails = lines.map((line, at) => line.slice(last?.spans[at]?.end ?? 0));
  const tail = tailOf(tails, anchors);
  fixed.push(...tail.kept);
  return {
    source: source + tail.source,
    covers: (anchor) =>
      anchor.startsWith("^")
        ? source.startsWith("^\\s*(?<")
        : fixed.some((text) => new RegExp(anchor).test(text)),
  };
}

interface Gap {
  source: string;
  /** The fixed texts that it has. */
  kept: string[];
}

/** In front of the first part: from the last words that all lines share, or the start of the line. */
function headOf(gaps: readonly string[], recipe: Recipe): Gap {
  if (gaps.every((gap) => gap.trim() === "")) return { source: "^\\s*", kept: [] };
  const short = gaps.every((gap) => gap.trim().split(/\s+/).length <= 2) ? aligned(gaps) : undefined;
  if (short !== undefined)
    return { source: `^\\s*${short.source.replace(/^\\s[+*]/, "")}`, kept: short.kept };
  if (recipe.left.startsWith("^")) return { source: recipe.left, kept: [] };
  const end = commonEnd(gaps, 6);
  if (!/\w/.test(end.kept.join(""))) return { source: recipe.left === "" ? "" : recipe.left, kept: [] };
  const source = end.source.replace(/^\\s\+/, "");
  return { source: (/^\w/.test(source) ? "(?<!\\w)" : "") + source, kept: end.kept };
}

/** Between two parts: all of it where the lines agree, else both ends of it and the words in between that make the set. */
function gapOf(gaps: readonly string[], anchors: readonly string[]): Gap {
  const whole = aligned(gaps);
  if (whole !== undefined) return whole;
  const start = commonStart(gaps, 3);
  const end = commonEnd(gaps, 4);
  const inner = anchors.filter(
    (one) =>
      gaps.every((gap) => new RegExp(one).test(gap)) &&
      ![...start.kept, ...end.kept].some((text) => new RegExp(one).test(text)),
  );
  const middle = inner.length === 1 ? `.*?${inner[0] ?? ""}.*?` : ".*?";
  return {
    source: start.source + middle + end.source,
    kept: [...start.kept, ...end.kept, ...(inner.length === 1 ? gaps.slice(0, 1) : [])],
  };
}

/** Behind the last part: what all lines have there, up to the last word that makes the set. */
function tailOf(tails: readonly string[], anchors: readonly string[]): Gap {
  if (tails.every((tail) => tail.trim() === "")) return { source: "\\s*$", kept: [] };
  const own = anchors.some((one) => tails.every((tail) => new RegExp(one).test(tail)));
  const whole = own ? aligned(tails) : undefined;
  if (whole !== undefined) return whole;
  const start = commonStart(tails, own ? 12 : 2);
  if (start.source !== "") return start;
  return { source: tails.every((tail) => /^\s|^$/.test(tail)) ? "(?=\\s|$)" : "", kept: [] };
}

/** The stretch as one expression, where it has the same form in all lines. Whole pieces between blanks without a word
 * that all lines have are data. */
function aligned(gaps: readonly string[]): Gap | undefined {
  const lists = gaps.map((gap) => gap.match(/\s+|\S+/g) ?? []);
  const [first] = lists;
  if (first === undefined || first.length > 60) return undefined;
  if (lists.some((pieces) => pieces.length !== first.length)) return undefined;
  let source = "";
  const kept: string[] = [];
  for (const at of first.keys()) {
    const column = lists.map((pieces) => pieces[at] ?? "");
    const spaces = column.filter((piece) => /^\s/.test(piece)).length;
    if (spaces > 0 && spaces < column.length) return undefined;
    const glued = at === 0 || at === first.length - 1;
    const one = spaces > 0 ? { source: "\\s+", kept: [] } : pieceOf(column, glued);
    if (one === undefined) return undefined;
    source += one.source;
    kept.push(...one.kept);
  }
  return { source, kept: kept.length === 0 ? [] : [kept.join(" ")] };
}

/** One piece between blanks over all lines. */
function pieceOf(column: readonly string[], glued: boolean): Gap | undefined {
  const [first = ""] = column;
  if (!/\d/.test(first) && column.every((piece) => piece === first))
    return { source: escapeRegex(first), kept: /[A-Za-z]/.test(first) ? [first] : [] };
  const lists = column.map((piece) => tokenize(piece));
  const base = lists[0] ?? [];
  const sources = lists.some((tokens) => tokens.length !== base.length)
    ? [undefined]
    : base.map((_, at) => columnOf(lists, at));
  const words = base.filter((token, at) => token.kind === "word" && sources[at] === escapeRegex(token.text));
  if (!glued && (words.length === 0 || sources.includes(undefined))) return { source: "\\S+", kept: [] };
  if (sources.includes(undefined)) return undefined;
  return { source: sources.join(""), kept: words.map((token) => token.text) };
}

/** The expression of the tokens of all lines at one place; undefined when they do not belong together. */
function columnOf(lists: readonly (readonly Token[])[], at: number): string | undefined {
  const tokens = lists.map((tokens) => tokens[at]);
  const [first] = tokens;
  if (first === undefined) return undefined;
  const same = tokens.every((token) => token?.text === first.text);
  if (tokens.every((token) => token?.kind === "space")) return "\\s+";
  if (same && (first.kind === "word" || first.kind === "punct")) return escapeRegex(first.text);
  if (tokens.some((token) => token?.kind === "space" || token?.kind === "punct")) return undefined;
  if (same && first.kind === "mixed" && !/\d/.test(first.text)) return escapeRegex(first.text);
  if (tokens.every((token) => token?.kind === "number")) return "[-+]?\\d[\\d.,]*";
  const next = lists.map((tokens) => tokens[at + 1]?.text.charAt(0) ?? "");
  const mark = next[0] ?? "";
  if (
    /[^\s\p{L}\p{N}]/u.test(mark) &&
    next.every((one) => one === mark) &&
    tokens.every((token) => token?.text.includes(mark) !== true)
  )
    return `[^\\s${escapeClass(mark)}]+`;
  return tokens.some((token) => token?.kind === "word") && next.some((one) => !/^\s?$/.test(one))
    ? "\\S+?"
    : "\\S+";
}

function commonEnd(gaps: readonly string[], most: number): Gap {
  const lists = gaps.map((gap) => [...tokenize(gap)].reverse());
  return common(lists, most, (sources) => sources.reverse().join(""));
}

function commonStart(gaps: readonly string[], most: number): Gap {
  return common(
    gaps.map((gap) => tokenize(gap)),
    most,
    (sources) => sources.join(""),
  );
}

function common(
  lists: readonly (readonly Token[])[],
  most: number,
  join: (sources: string[]) => string,
): Gap {
  const sources: string[] = [];
  const kept: string[] = [];
  for (let at = 0; at < most; at += 1) {
    const first = lists[0]?.[at];
    if (first === undefined || lists.some((tokens) => tokens[at] === undefined)) break;
    const tokens = lists.map((tokens) => tokens[at]);
    const space = tokens.every((token) => token?.kind === "space");
    const fixed =
      tokens.every((token) => token?.text === first.text) &&
      (["word", "punct"].includes(first.kind) || (first.kind === "mixed" && !/\d/.test(first.text)));
    if (!space && !fixed) break;
    sources.push(space ? "\\s+" : escapeRegex(first.text));
    if (first.kind === "word") kept.push(first.text);
  }
  while (sources.at(-1) === "\\s+" && sources.length === 1 && lists.some((tokens) => tokens[1] !== undefined))
    break;
  return { source: join(sources), kept };
}
