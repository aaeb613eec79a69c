// Templates: the tokens that lines have in common, gaps of unlabelled text, and the parts of a record. A template is
// created from one labelled line and merged with others (merge.ts).
import { findOccurrences, type Placement, type Span } from "./spans.ts";
import { type Token, tokenize } from "./tokens.ts";

export type Element =
  /** A token with exactly this text. */
  | { kind: "fixed"; token: "word" | "number" | "mark"; text: string }
  | { kind: "space" }
  /** Unlabelled text without blanks. */
  | { kind: "gap" }
  /** Unlabelled text of any length, with or without blanks. */
  | { kind: "free" }
  /** A part of the record that contains no other part. */
  | { kind: "part"; leaf: Leaf };

/** A part with its texts in the lines that a template was derived from. */
export interface Leaf {
  /** Several names if several parts have the same span. */
  names: string[];
  samples: string[];
  /** Records have only these texts. */
  category?: boolean;
}

export interface Template {
  elements: Element[];
  /** Parts that contain other parts: name, first element, element behind the last. */
  outer: { name: string; from: number; to: number }[];
}

/** The template of one line with its parts. */
export function templateOf(text: string, placement: Placement): Template {
  const line = text.trimEnd();
  const [only] = placement.size === 1 ? [...placement] : [];
  if (
    only !== undefined &&
    only[1].start === line.length - line.trimStart().length &&
    only[1].end === line.length
  ) {
    // The part is the whole line, so only its text can identify records.
    const { elements } = templateOf(line, new Map());
    return {
      elements,
      outer: [{ name: only[0], from: elements[0]?.kind === "space" ? 1 : 0, to: elements.length }],
    };
  }
  const spans = [...placement].map(([name, span]) => ({ name, ...span }));
  const leaves = leavesOf(spans);
  const elements: Element[] = [];
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  const gaps = gapSpans(line, leaves);
  for (const { start, end } of leaves) addEchoes(line, line.slice(start, end), leaves, gaps);
  const borders = [...new Set([...leaves, ...gaps, ...spans].flatMap(({ start, end }) => [start, end]))].sort(
    (a, b) => a - b,
  );
  const cuts = [...new Set([0, ...borders, line.length])].sort((a, b) => a - b);
  for (let k = 0; k + 1 < cuts.length; k += 1) {
    const [start = 0, end = 0] = [cuts[k], cuts[k + 1]];
    if (!starts.has(start)) starts.set(start, elements.length);
    const leaf = leaves.find((span) => span.start <= start && end <= span.end);
    if (leaf !== undefined) {
      if (leaf.start === start)
        elements.push({
          kind: "part",
          leaf: { names: leaf.names, samples: [line.slice(leaf.start, leaf.end)] },
        });
    } else if (gaps.some((gap) => gap.start <= start && end <= gap.end)) {
      const kind = /\s/.test(line.slice(start, end)) ? "free" : "gap";
      if (elements.at(-1)?.kind !== kind) elements.push({ kind });
    } else elements.push(...fixedElements(tokenize(line.slice(start, end))));
    ends.set(end, elements.length);
  }
  const outer = spans
    .filter((span) => !leaves.some((leaf) => leaf.names.includes(span.name)))
    .map(({ name, start, end }) => ({
      name,
      from: starts.get(start) ?? 0,
      to: ends.get(end) ?? elements.length,
    }));
  return { elements, outer };
}

interface NamedSpan extends Span {
  name: string;
}

/** Spans that contain no other span; equal spans are one leaf with several names. */
function leavesOf(spans: readonly NamedSpan[]): (Span & { names: string[] })[] {
  const leaves: (Span & { names: string[] })[] = [];
  for (const span of spans) {
    const inner = spans.some(
      (other) =>
        other !== span &&
        span.start <= other.start &&
        other.end <= span.end &&
        other.end - other.start < span.end - span.start,
    );
    if (inner) continue;
    const equal = leaves.find(({ start, end }) => start === span.start && end === span.end);
    if (equal) equal.names.push(span.name);
    else leaves.push({ start: span.start, end: span.end, names: [span.name] });
  }
  return leaves.sort((a, b) => a.start - b.start);
}

function fixedElements(tokens: readonly Token[]): Element[] {
  return tokens.map((token): Element => {
    if (token.kind === "space") return { kind: "space" };
    return { kind: "fixed", token: token.kind, text: token.text };
  });
}

/** Adds a gap for each unlabelled repetition of the text of a part: it varies with the part. */
function addEchoes(line: string, text: string, leaves: readonly Span[], gaps: Span[]): void {
  if (text.length < 3 || !/[\p{L}]/u.test(text)) return;
  for (const span of findOccurrences(line, text)) {
    const isDisjoint = (other: Span): boolean => span.end <= other.start || other.end <= span.start;
    if (!leaves.every(isDisjoint)) continue;
    for (let k = gaps.length - 1; k >= 0; k -= 1) {
      const gap = gaps[k];
      if (gap !== undefined && !isDisjoint(gap) && span.start <= gap.start && gap.end <= span.end)
        gaps.splice(k, 1);
    }
    if (gaps.every(isDisjoint)) gaps.push(span);
  }
}

/** Dates and times in the formats of strptime and ISO 8601. */
const STAMP =
  /(?:\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?(?:Z|[-+]\d\d:?\d\d)\b)?)?)|(?:\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\s+)?(?:\d{1,2}\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}(?:,?\s+\d{4})?(?:\s+\d\d:\d\d:\d\d(?:\.\d+)?)?(?:\s+\d{4})?)|(?:\b\d{1,2}[-/](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|\d{1,2})[-/]\d{2,4}(?:[: ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:\s[-+]\d{4})?)?)|(?:\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?)/g;

/** RFC 3164 and 5424: the time, the host, and the program with a colon. */
const SYSLOG_HOST =
  /^(?<head>(?:<\d+>\d*\s*)?(?:[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*) )(?<host>\S+) \S+:(?:\s|$)/;

const NUMBER =
  /(?<![\w:-])(?:[0-9a-fA-F]{2}[:-]){3,}[0-9a-fA-F]{2}(?![\w-])|0x[0-9a-fA-F]+|(?<![A-Za-z0-9])[0-9a-f]*[0-9][0-9a-f]{5,}(?![A-Za-z0-9])|\d+(?:[.,:]\d+)*/g;
const PATH = /(?<![\w/])(?:[\w.~+-]*[/\\])+[\w.~+-]+/g;

/** Unlabelled text that varies by its form: times, hosts of syslog lines, paths, numbers. */
function gapSpans(line: string, leaves: readonly Span[]): Span[] {
  let rest = line;
  for (const { start, end } of leaves)
    rest = rest.slice(0, start) + "\0".repeat(end - start) + rest.slice(end);
  const gaps: Span[] = [];
  const addGap = (start: number, text: string): void => {
    gaps.push({ start, end: start + text.length });
    rest = rest.slice(0, start) + "\0".repeat(text.length) + rest.slice(start + text.length);
  };
  const { head, host } = SYSLOG_HOST.exec(rest)?.groups ?? {};
  if (head !== undefined && host !== undefined && !host.includes("\0")) addGap(head.length, host);
  for (const pattern of [STAMP, PATH, NUMBER]) {
    for (const match of rest.matchAll(pattern)) addGap(match.index, match[0]);
  }
  return gaps;
}

/** Fixed words directly beside a part, without a mark or blank between them. */
export function glueOf({ elements }: Template): { heads: string[]; tails: string[] } {
  const words = (step: 1 | -1): string[] =>
    elements.flatMap((element, index) => {
      const neighbour = elements[index + step];
      return element.kind === "fixed" && element.token === "word" && neighbour?.kind === "part"
        ? [element.text]
        : [];
    });
  return { heads: words(1), tails: words(-1) };
}

/** The template with additional samples of its parts. */
export function withSamples(template: Template, texts: (name: string) => readonly string[]): Template {
  const elements = template.elements.map((element): Element => {
    if (element.kind !== "part") return element;
    const samples = [...new Set([...element.leaf.samples, ...element.leaf.names.flatMap(texts)])];
    return { kind: "part", leaf: { ...element.leaf, samples } };
  });
  return { ...template, elements };
}
