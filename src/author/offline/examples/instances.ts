// Places the parts of worked examples in their log text: the line and span of each part, and the anchor line, whose
// number the record reports.
import type { ExampleRecord, WorkedExample } from "../../../spec/example.ts";
import { findOccurrences, type Placement, type Span } from "./spans.ts";

/** Name of the part that is the value. All other parts are fields; no field of an example has this name. */
export const VALUE = "value";

/** One possible placement of a record in the text of its example. */
export interface Instance {
  /** Lines of the example's text. */
  lines: readonly string[];
  /** Anchor line, 0-based. */
  anchor: number;
  /** Parts by line. */
  placed: ReadonlyMap<number, Placement>;
  /** Parts whose text is blank. */
  blank: readonly string[];
  /** How unlikely the placement is; comparable between placements of the same record. */
  cost: number;
}

/** Width of the beam search over placements. */
const BEAM_WIDTH = 48;
/** Costs: two parts on the same span, a part inside another one, a part that is not on the anchor line, a part that
 * begins or ends inside a word. */
const SAME_SPAN = 3;
const NESTED = 0.4;
const OTHER_LINE = 1;
const INSIDE_WORD = 1;

/** The possible placements of a record in its text, the likeliest first; empty if the text lacks a part.
 * @param named spans that a heading row assigns to parts, by line */
export function instancesOf(
  example: WorkedExample,
  record: ExampleRecord,
  named: (line: number) => ReadonlyMap<string, Span> = () => new Map(),
): Instance[] {
  const lines = example.text.split("\n");
  const texts: [string, string][] = [
    [VALUE, record.value.text],
    ...[...record.fields].map(([name, { text }]): [string, string] => [name, text]),
  ];
  const blank = texts.filter(([, text]) => text === "").map(([name]) => name);
  const recordLine = record.line === null ? undefined : record.line - 1;
  let beam: PartialPlacement[] = [{ placed: [], cost: 0 }];
  for (const [name, text] of texts) {
    if (text === "") continue;
    const spans = lines.flatMap((content, line) =>
      findOccurrences(content, text).map((span) => ({ line, span })),
    );
    const next = beam.flatMap(({ placed, cost: costSoFar }) =>
      spans.flatMap(({ line, span }, index) => {
        const part = { name, line, span };
        const cost =
          costSoFar + 0.15 * index + placeCost(part, placed, lines, recordLine, named(line).get(name));
        return Number.isFinite(cost) ? [{ placed: [...placed, part], cost }] : [];
      }),
    );
    beam = next.sort((a, b) => a.cost - b.cost).slice(0, BEAM_WIDTH);
  }
  return beam.map(({ placed, cost }) => {
    const byLine = new Map<number, Map<string, Span>>();
    for (const { name, line, span } of placed) {
      const spans = byLine.get(line) ?? new Map<string, Span>();
      byLine.set(line, spans.set(name, span));
    }
    const anchor = recordLine ?? placed.find(({ name }) => name === VALUE)?.line ?? 0;
    return { lines, anchor, placed: byLine, blank, cost };
  });
}

interface PlacedPart {
  name: string;
  line: number;
  span: Span;
}

interface PartialPlacement {
  placed: PlacedPart[];
  cost: number;
}

/** How unlikely the place of a part is. Parts are expected in order, without overlap, and beside their name; a part that
 * overlaps another one partially is impossible. */
function placeCost(
  { name, line, span }: PlacedPart,
  others: readonly PlacedPart[],
  lines: readonly string[],
  recordLine: number | undefined,
  named: Span | undefined,
): number {
  const text = lines[line] ?? "";
  const isNamed = named?.start === span.start && named.end === span.end;
  let cost = isNamed ? -2 : nameCost(name, span, text);
  if (isInsideWord(text, span.start) || isInsideWord(text, span.end)) cost += INSIDE_WORD;
  const anchor = recordLine ?? others.find((other) => other.name === VALUE)?.line;
  if (anchor !== undefined && line !== anchor) cost += OTHER_LINE;
  for (const other of others) if (other.line === line) cost += overlapCost(span, other.span);
  const last = others.at(-1);
  return last === undefined ? cost : cost + orderCost(line, span, last);
}

function overlapCost(span: Span, other: Span): number {
  if (span.end <= other.start || other.end <= span.start) return 0;
  if (span.start === other.start && span.end === other.end) return SAME_SPAN;
  return contains(span, other) || contains(other, span) ? NESTED : Number.POSITIVE_INFINITY;
}

/** A part is expected behind the part placed before it, and near it. */
function orderCost(line: number, span: Span, last: PlacedPart): number {
  const before = line < last.line || (line === last.line && span.end <= last.span.start);
  const distance = line === last.line ? Math.min(Math.abs(span.start - last.span.end), 400) / 400 : 1;
  return (before ? (last.name === VALUE ? 0.1 : 0.3) : 0) + 0.1 * distance;
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Is the offset between two letters or digits? */
function isInsideWord(text: string, offset: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(offset - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(offset));
}

/** Letters and digits in lower case, by which names are compared. */
function plainName(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Negative if the text in front of the span is the name of the part, as in `port 22` or `"port": 22`, or ends with it. */
function nameCost(name: string, span: Span, line: string): number {
  const before = line
    .slice(Math.max(0, span.start - name.length - 8), span.start)
    .replace(/[^\p{L}\p{N}]+$/u, "");
  if (name === "" || !plainName(before).endsWith(plainName(name))) return 0;
  return plainName(/[\p{L}\p{N}_ -]*$/u.exec(before)?.[0].trim() ?? "") === plainName(name) ? -2 : -1;
}

/** Are two names equal except for case and marks? */
export function isSameName(a: string, b: string): boolean {
  return plainName(a) === plainName(b);
}

/** Is the text of a part its own name, as in a heading row? */
export function isName(part: string, text: string): boolean {
  return part !== VALUE && isSameName(part, text);
}
