// A line with holes: fixed tokens, gaps of unlabelled text, and the parts of a record. Made from one labelled line,
// merged with others that say the same.
import { occurrences, type Placement, type Span } from "./spans.ts";
import { type Token, tokenize } from "./tokens.ts";

export type Element =
  /** A token that stands there letter by letter. */
  | { kind: "fixed"; token: "word" | "number" | "mark"; text: string }
  | { kind: "space" }
  /** Unlabelled text without blanks. */
  | { kind: "gap" }
  /** Unlabelled text of any kind, also none. */
  | { kind: "free" }
  /** A part of the record that has no other part in it. */
  | { kind: "part"; leaf: Leaf };

/** What the texts of a part looked like in the lines a template was made of. */
export interface Leaf {
  names: string[];
  samples: string[];
  /** Only these texts are of records. */
  category?: boolean;
}

export interface Template {
  elements: Element[];
  /** Parts that hold others: name, first element, element behind the last. */
  outer: { name: string; from: number; to: number }[];
}

/** Template of one line with its parts. `explode`: the text of parts is fixed too (a part that is the whole line). */
export function templateOf(whole: string, placement: Placement): Template {
  const line = whole.trimEnd();
  const [only] = placement.size === 1 ? [...placement] : [];
  if (
    only !== undefined &&
    only[1].start === line.length - line.trimStart().length &&
    only[1].end === line.length
  ) {
    // The whole line is the part: its own text has to tell which lines are meant.
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
    const leaf = leaves.find((one) => one.start <= start && end <= one.end);
    if (leaf !== undefined) {
      if (leaf.start === start)
        elements.push({
          kind: "part",
          leaf: { names: leaf.names, samples: [line.slice(leaf.start, leaf.end)] },
        });
    } else if (gaps.some((one) => one.start <= start && end <= one.end)) {
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

/** Spans without another span inside; equal ones are one leaf with several names. */
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
    const same = leaves.find(({ start, end }) => start === span.start && end === span.end);
    if (same) same.names.push(span.name);
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

/** Unlabelled text that repeats a part is data too. */
function addEchoes(line: string, text: string, leaves: readonly Span[], gaps: Span[]): void {
  if (text.length < 3 || !/[\p{L}]/u.test(text)) return;
  for (const span of occurrences(line, text)) {
    const apart = (one: Span): boolean => span.end <= one.start || one.end <= span.start;
    if (!leaves.every(apart)) continue;
    for (let k = gaps.length - 1; k >= 0; k -= 1) {
      const gap = gaps[k];
      if (gap !== undefined && !apart(gap) && span.start <= gap.start && gap.end <= span.end)
        gaps.splice(k, 1);
    }
    if (gaps.every(apart)) gaps.push(span);
  }
}

/** Dates and times of logs, as strptime and ISO 8601 write them. */
const STAMP =
  /(?:\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?(?:Z|[-+]\d\d:?\d\d)\b)?)?)|(?:\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\s+)?(?:\d{1,2}\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}(?:,?\s+\d{4})?(?:\s+\d\d:\d\d:\d\d(?:\.\d+)?)?(?:\s+\d{4})?)|(?:\b\d{1,2}[-/](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|\d{1,2})[-/]\d{2,4}(?:[: ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:\s[-+]\d{4})?)?)|(?:\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?)/g;

/** RFC 3164 and 5424: behind the time stands the host, then the program with its colon. */
const SYSLOG_HOST =
  /^(?<head>(?:<\d+>\d*\s*)?(?:[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*) )(?<host>\S+) \S+:(?:\s|$)/;

const NUMBER =
  /(?<![\w:-])(?:[0-9a-fA-F]{2}[:-]){3,}[0-9a-fA-F]{2}(?![\w-])|0x[0-9a-fA-F]+|(?<![A-Za-z0-9])[0-9a-f]*[0-9][0-9a-f]{5,}(?![A-Za-z0-9])|\d+(?:[.,:]\d+)*/g;
const PATH = /(?<![\w/])(?:[\w.~+-]*[/\\])+[\w.~+-]+/g;

/** Unlabelled text that varies by its nature: times, hosts of syslog lines, paths, numbers. */
function gapSpans(line: string, leaves: readonly Span[]): Span[] {
  let rest = line;
  for (const { start, end } of leaves)
    rest = rest.slice(0, start) + "\0".repeat(end - start) + rest.slice(end);
  const gaps: Span[] = [];
  const take = (start: number, text: string): void => {
    gaps.push({ start, end: start + text.length });
    rest = rest.slice(0, start) + "\0".repeat(text.length) + rest.slice(start + text.length);
  };
  const { head, host } = SYSLOG_HOST.exec(rest)?.groups ?? {};
  if (head !== undefined && host !== undefined && !host.includes("\0")) take(head.length, host);
  for (const pattern of [STAMP, PATH, NUMBER]) {
    for (const match of rest.matchAll(pattern)) take(match.index, match[0]);
  }
  return gaps;
}

/** Words of a template that stand right beside a part, so that nothing but their text tells where it ends. */
export function glueOf({ elements }: Template): { heads: string[]; tails: string[] } {
  const words = (step: 1 | -1): string[] =>
    elements.flatMap((element, index) => {
      const beside = elements[index + step];
      return element.kind === "fixed" && element.token === "word" && beside?.kind === "part"
        ? [element.text]
        : [];
    });
  return { heads: words(1), tails: words(-1) };
}

/** The template with further texts that its parts had. */
export function withSamples(template: Template, texts: (name: string) => readonly string[]): Template {
  const elements = template.elements.map((element): Element => {
    if (element.kind !== "part") return element;
    const samples = [...new Set([...element.leaf.samples, ...element.leaf.names.flatMap(texts)])];
    return { kind: "part", leaf: { ...element.leaf, samples } };
  });
  return { ...template, elements };
}
