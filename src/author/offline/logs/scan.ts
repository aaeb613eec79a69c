// Scans whole logs for a rule: all lines that may be records, with their differences from the examples and their parts.
import { addDiff, type Diff } from "../examples/diffs.ts";
import { type Fit, Matcher } from "../examples/matcher.ts";
import type { Rule } from "../examples/rule.ts";
import type { Span } from "../examples/spans.ts";
import type { Template } from "../examples/template.ts";
import type { Anchor } from "./anchor.ts";
import { type Grid, gridRows } from "./grid.ts";
import type { LogText } from "./places.ts";

/** A line that may be the anchor of a record. */
export interface Candidate {
  file: number;
  /** 0-based. */
  line: number;
  cost: number;
  diffs: Diff[];
  texts: ReadonlyMap<string, string>;
  /** Parts by line, 0-based; empty for nodes of documents. */
  placed: ReadonlyMap<number, ReadonlyMap<string, Span>>;
}

/** Lines that cost more have too little in common with the examples to be candidates. */
const MAX_COST = 9;
/** Anchors up to this cost end the block of the record above them. */
const MAX_BORDER_COST = 2.3;
const MAX_SATELLITE_COST = 3;
/** Cost of a satellite that was not found. */
const ABSENT_COST = 4;
/** Lines between an anchor and a satellite. */
const MAX_SATELLITE_DISTANCE = 400;
/** Up to this cost a line is certainly a satellite. */
const MAX_SURE_COST = 0.6;
/** A line above applies to several records if the logs have fewer of them than this share of the records. */
const MAX_HELD_SHARE = 0.7;

/** A line that may be a satellite. */
interface Hit {
  line: number;
  fit: Fit;
}

/** The candidates for a rule in all logs; with a grid, its rows are candidates, too. */
export function scanLogs(rule: Rule, logs: readonly LogText[], grid?: Grid): Candidate[] {
  const matcher = new Matcher(rule.anchor, MAX_COST);
  const satellites = rule.satellites.map(({ template }) => new Matcher(template, MAX_SATELLITE_COST));
  const keys = keysBeforeParts(rule.anchor);
  return logs.flatMap(({ lines }, file) => {
    const rows = new Map(grid === undefined ? [] : gridRows(grid, rule, lines).map((row) => [row.line, row]));
    const anchors = lines.flatMap((text, line): Anchor[] => {
      const row = rows.get(line);
      if (row !== undefined) return [row];
      const fit = matcher.fit(text);
      if (fit === undefined) return anchorWithKeys(keys, text, line);
      // Rows are identified by their heading: lines elsewhere that resemble them are not rows.
      if (grid !== undefined && "heading" in grid.shape && fit.diffs.length > 0) return [];
      return [{ line, fit, spans: undefined }];
    });
    const borders = anchors.filter(({ fit }) => fit.cost <= MAX_BORDER_COST).map(({ line }) => line);
    const hits = satellites.map((satellite) => hitsOf(satellite, lines));
    const held = heldFlags(rule, hits, borders.length);
    return anchors.flatMap(({ line, fit, spans }): Candidate[] => {
      let { cost } = fit;
      const diffs = [...fit.diffs];
      const matched: [number, Matcher][] = [];
      rule.satellites.forEach(({ side, optional }, index) => {
        const hit = bestHit(side, hits[index] ?? [], line, held[index] === true ? [] : borders);
        const satellite = satellites[index];
        if (optional === true && (hit === undefined || hit.fit.cost > MAX_SURE_COST)) return;
        if (hit === undefined || satellite === undefined) {
          cost += ABSENT_COST;
          addDiff(diffs, { kind: "absent", subject: String(index) });
          return;
        }
        cost += hit.fit.cost;
        for (const diff of hit.fit.diffs) addDiff(diffs, { ...diff, subject: `${diff.subject} of ${index}` });
        matched.push([hit.line, satellite]);
      });
      if (cost > MAX_COST) return [];
      const locate = (): Map<number, ReadonlyMap<string, Span>> => {
        const placed = new Map([[line, spans ?? matcher.spans(lines[line] ?? "")]]);
        for (const [hitLine, satellite] of matched)
          placed.set(hitLine, satellite.spans(lines[hitLine] ?? ""));
        return placed;
      };
      return [lazyCandidate({ file, line, cost, diffs }, locate, lines)];
    });
  });
}

/** A candidate whose parts are located on first access: for most candidates only the cost is used. */
function lazyCandidate(
  known: Pick<Candidate, "file" | "line" | "cost" | "diffs">,
  locate: () => Map<number, ReadonlyMap<string, Span>>,
  lines: readonly string[],
): Candidate {
  let placed: Map<number, ReadonlyMap<string, Span>> | undefined;
  let texts: ReadonlyMap<string, string> | undefined;
  return {
    ...known,
    get placed() {
      placed ??= locate();
      return placed;
    },
    get texts() {
      texts ??= textsIn(this.placed, lines);
      return texts;
    },
  };
}

function textsIn(placed: Candidate["placed"], lines: readonly string[]): Map<string, string> {
  return new Map(
    [...placed].flatMap(([line, spans]) =>
      [...spans].map(([name, { start, end }]): [string, string] => [
        name,
        (lines[line] ?? "").slice(start, end).trim(),
      ]),
    ),
  );
}

function hitsOf(matcher: Matcher, lines: readonly string[]): Hit[] {
  return lines.flatMap((text, line): Hit[] => {
    const fit = matcher.fit(text);
    return fit === undefined ? [] : [{ line, fit }];
  });
}

/** The hit with the lowest cost above or below an anchor, not beyond the next border; of equal hits the nearest one. */
function bestHit(
  side: "above" | "below",
  hits: readonly Hit[],
  anchor: number,
  borders: readonly number[],
): Hit | undefined {
  const isBelow = side === "below";
  const border = isBelow
    ? borders[upperBound(borders, anchor, (line) => line)]
    : borders[upperBound(borders, anchor - 1, (line) => line) - 1];
  const start = upperBound(hits, anchor, ({ line }) => line);
  let best: Hit | undefined;
  for (let k = isBelow ? start : start - 1; k >= 0 && k < hits.length; k += isBelow ? 1 : -1) {
    const hit = hits[k];
    if (hit === undefined || Math.abs(hit.line - anchor) > MAX_SATELLITE_DISTANCE) break;
    if (hit.line === anchor) continue;
    if (border !== undefined && (isBelow ? hit.line >= border : hit.line <= border)) break;
    if (best === undefined || hit.fit.cost < best.fit.cost) best = hit;
    if (best.fit.cost <= MAX_SURE_COST) break;
  }
  return best;
}

/** Index of the first entry behind a line. */
function upperBound<T>(sorted: readonly T[], line: number, lineOf: (entry: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = sorted[middle];
    if (entry !== undefined && lineOf(entry) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function heldFlags(rule: Rule, hits: readonly (readonly Hit[])[], records: number): boolean[] {
  return rule.satellites.map(({ side }, index) => {
    const sure = (hits[index] ?? []).filter(({ fit }) => fit.cost <= MAX_SURE_COST).length;
    return side === "above" && sure <= records * MAX_HELD_SHARE;
  });
}

/** For each satellite: is it a line above that applies to several records in one of the logs? */
export function heldSatellites(rule: Rule, logs: readonly LogText[]): boolean[] {
  if (rule.satellites.length === 0) return [];
  const anchor = new Matcher(rule.anchor, MAX_COST);
  const satellites = rule.satellites.map(({ template }) => new Matcher(template, MAX_SATELLITE_COST));
  const flagsByLog = logs.map(({ lines }) => {
    const records = lines.filter((text) => (anchor.fit(text)?.cost ?? MAX_COST) <= MAX_BORDER_COST).length;
    const hits = satellites.map((satellite) => hitsOf(satellite, lines));
    return heldFlags(rule, hits, records);
  });
  return rule.satellites.map((_, index) => flagsByLog.some((flags) => flags[index]));
}

/** The keys in front of parts, such as `src=` or `"port":`, by the name of the part; empty if there are fewer than two. */
function keysBeforeParts({ elements }: Template): [string, string][] {
  const keys = elements.flatMap((element, index): [string, string][] => {
    if (element.kind !== "part") return [];
    let wordIndex = index - 1;
    let marks = "";
    for (
      let mark = elements[wordIndex];
      mark?.kind === "fixed" && mark.token === "mark";
      wordIndex -= 1, mark = elements[wordIndex]
    )
      marks = mark.text + marks;
    const word = elements[wordIndex];
    return word?.kind === "fixed" && word.token === "word" && /^"?[=:]/.test(marks)
      ? [[element.leaf.names[0] ?? "", word.text + marks]]
      : [];
  });
  return keys.length > 1 ? keys : [];
}

/** A line that has only the keys in common with a rule, at least two thirds of them. */
function anchorWithKeys(keys: readonly [string, string][], text: string, line: number): Anchor[] {
  const present = keys.filter(([, key]) => text.includes(key));
  if (present.length < 2 || present.length * 3 < keys.length * 2) return [];
  const spans = new Map(
    present.map(([name, key]): [string, Span] => {
      const start = text.indexOf(key) + key.length;
      return [name, { start, end: start + (/^[^\s"',;]*/.exec(text.slice(start))?.[0].length ?? 0) }];
    }),
  );
  return [{ line, fit: { cost: MAX_COST, diffs: [{ kind: "keys", subject: "" }] }, spans }];
}
