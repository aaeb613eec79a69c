// Labelled records out of worked examples: in which line each part stands, where, and which line counts.
import type { ExampleRecord, WorkedExample } from "../../../spec/example.ts";
import { occurrences, type Placement, type Span } from "./spans.ts";

/** The part that is the value; every other part is a field and has its name, which in an example is never this one. */
export const VALUE = "value";

/** One record of an example, laid into its text in one of the possible ways. */
export interface Instance {
  /** Lines of the example's text. */
  lines: readonly string[];
  /** 0-based line that counts. */
  anchor: number;
  /** Parts by line. */
  placed: ReadonlyMap<number, Placement>;
  /** Parts whose text is blank. */
  blank: readonly string[];
  /** How unlikely this way is; ways of one record compare. */
  cost: number;
}

const MAX_WAYS = 48;
/** Two parts with the same text, and a part inside another one, against one beside it. */
const SAME = 3;
const NESTED = 0.4;
/** A part on another line than the one that counts. */
const ELSEWHERE = 1;

/** The ways to lay a record into its text, likelier ones first. Empty when a text stands nowhere in it.
 * @param named by line, the places that a heading row names, by part */
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
  const line = record.line === null ? undefined : record.line - 1;
  let ways: Way[] = [{ placed: [], cost: 0 }];
  for (const [name, text] of texts) {
    if (text === "") continue;
    const places = lines.flatMap((one, index) =>
      occurrences(one, text).map((span) => ({ line: index, span })),
    );
    const next = ways.flatMap((way) =>
      places.flatMap(({ line: at, span }, index) => {
        const cost =
          way.cost + 0.15 * index + placeCost(name, at, span, way.placed, lines, line, named(at).get(name));
        return Number.isFinite(cost) ? [{ placed: [...way.placed, { name, line: at, span }], cost }] : [];
      }),
    );
    ways = next.sort((a, b) => a.cost - b.cost).slice(0, MAX_WAYS);
  }
  return ways.map(({ placed, cost }) => {
    const byLine = new Map<number, Map<string, Span>>();
    for (const one of placed) {
      const there = byLine.get(one.line) ?? new Map<string, Span>();
      byLine.set(one.line, there.set(one.name, one.span));
    }
    const anchor = line ?? placed.find(({ name }) => name === VALUE)?.line ?? 0;
    return { lines, anchor, placed: byLine, blank, cost };
  });
}

interface Placed {
  name: string;
  line: number;
  span: Span;
}

interface Way {
  placed: Placed[];
  cost: number;
}

/** How unlikely it is that a part stands there: parts come in their order, apart from one another, and beside a text
 * that is their name; what cuts another part is impossible. */
function placeCost(
  name: string,
  line: number,
  span: Span,
  others: readonly Placed[],
  lines: readonly string[],
  anchor: number | undefined,
  named: Span | undefined,
): number {
  const text = lines[line] ?? "";
  const isNamed = named?.start === span.start && named.end === span.end;
  let cost = isNamed ? -2 : nameCost(name, span, text);
  if (isInsideWord(text, span.start) || isInsideWord(text, span.end)) cost += INSIDE;
  const own = anchor ?? others.find((other) => other.name === VALUE)?.line;
  if (own !== undefined && line !== own) cost += ELSEWHERE;
  for (const other of others) if (other.line === line) cost += overlapCost(span, other.span);
  const last = others.at(-1);
  return last === undefined ? cost : cost + orderCost(line, span, last);
}

/** Parts side by side cost nothing, one inside of another little, the same text twice more. */
function overlapCost(span: Span, other: Span): number {
  if (span.end <= other.start || other.end <= span.start) return 0;
  if (span.start === other.start && span.end === other.end) return SAME;
  return contains(span, other) || contains(other, span) ? NESTED : Number.POSITIVE_INFINITY;
}

/** Parts stand behind those placed before, and near them. */
function orderCost(line: number, span: Span, last: Placed): number {
  const before = line < last.line || (line === last.line && span.end <= last.span.start);
  const distance = line === last.line ? Math.min(Math.abs(span.start - last.span.end), 400) / 400 : 1;
  return (before ? (last.name === VALUE ? 0.1 : 0.3) : 0) + 0.1 * distance;
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** A part that begins or ends between letters or digits. */
const INSIDE = 1;

function isInsideWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at));
}

/** Is the text in front of the span the name of the part, as in `port 22` or `"port": 22`, or does it end with it? */
function nameCost(name: string, span: Span, line: string): number {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const before = line
    .slice(Math.max(0, span.start - name.length - 8), span.start)
    .replace(/[^\p{L}\p{N}]+$/u, "");
  if (name === "" || !plain(before).endsWith(plain(name))) return 0;
  return plain(/[\p{L}\p{N}_ -]*$/u.exec(before)?.[0].trim() ?? "") === plain(name) ? -2 : -1;
}

/** Is the text of a part its own name, as in a heading row? */
export function isName(part: string, text: string): boolean {
  const plain = (one: string): string => one.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  return part !== VALUE && plain(part) === plain(text);
}
