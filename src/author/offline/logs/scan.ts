// Lays a rule over whole logs: every line that may be a record, what speaks against it, and its parts.
import { addDiff, type Diff } from "../examples/diffs.ts";
import { type Fit, Matcher } from "../examples/matcher.ts";
import type { Rule } from "../examples/rule.ts";
import type { Span } from "../examples/spans.ts";
import type { Template } from "../examples/template.ts";
import type { Anchor } from "./anchor.ts";
import { type Grid, gridRows } from "./grid.ts";
import type { LogText } from "./places.ts";

/** A line that may be a record. */
export interface Candidate {
  file: number;
  /** 0-based. */
  line: number;
  cost: number;
  /** What is not as in the examples, by stable names; equal sets are one kind of line. */
  diffs: Diff[];
  texts: ReadonlyMap<string, string>;
  /** Parts by line, 0-based; empty for nodes of documents. */
  placed: ReadonlyMap<number, ReadonlyMap<string, Span>>;
}

/** Above this cost a line has too little in common with the examples to be looked at. */
const MAX_COST = 9;
/** Up to this cost a line is certainly of the form of an anchor, so that the block of the one before ends there. */
const BORDER = 2.3;
const SATELLITE_COST = 3;
const ABSENT = 4;
/** Lines between the line that counts and a part on another line. */
const REACH = 400;
/** Up to this cost a line is certainly the one a part stands on. */
const SURE = 0.6;
/** A line above that holds for several records is much rarer than these. */
const HELD_SHARE = 0.7;

/** A line on which parts of a record may stand. */
interface Hit {
  line: number;
  fit: Fit;
}

export function scanLogs(rule: Rule, logs: readonly LogText[], grid?: Grid): Candidate[] {
  const matcher = new Matcher(rule.anchor, MAX_COST);
  const satellites = rule.satellites.map(({ template }) => new Matcher(template, SATELLITE_COST));
  const keys = keysOf(rule.anchor);
  return logs.flatMap(({ lines }, file) => {
    const rows = new Map(grid === undefined ? [] : gridRows(grid, rule, lines).map((row) => [row.line, row]));
    const anchors = lines.flatMap((text, line): Anchor[] => {
      const row = rows.get(line);
      if (row !== undefined) return [row];
      const fit = matcher.fit(text);
      if (fit === undefined) return keyed(keys, text, line);
      // Rows are told by their heading: other lines that only resemble them are none.
      if (grid !== undefined && "heading" in grid.shape && fit.diffs.length > 0) return [];
      return [{ line, fit, spans: undefined }];
    });
    const borders = anchors.filter(({ fit }) => fit.cost <= BORDER).map(({ line }) => line);
    const hits = satellites.map((own) => hitsOf(own, lines));
    const held = heldOf(rule, hits, borders.length);
    return anchors.flatMap(({ line, fit, spans }): Candidate[] => {
      let { cost } = fit;
      const diffs = [...fit.diffs];
      const beside: [number, Matcher][] = [];
      rule.satellites.forEach(({ side, optional }, index) => {
        const found = nearest(side, hits[index] ?? [], line, held[index] === true ? [] : borders);
        const own = satellites[index];
        if (optional === true && (found === undefined || found.fit.cost > SURE)) return;
        if (found === undefined || own === undefined) {
          cost += ABSENT;
          addDiff(diffs, { kind: "absent", at: String(index) });
          return;
        }
        cost += found.fit.cost;
        for (const diff of found.fit.diffs) addDiff(diffs, { ...diff, at: `${diff.at} of ${index}` });
        beside.push([found.line, own]);
      });
      if (cost > MAX_COST) return [];
      const place = (): Map<number, ReadonlyMap<string, Span>> => {
        const placed = new Map([[line, spans ?? matcher.spans(lines[line] ?? "")]]);
        for (const [at, own] of beside) placed.set(at, own.spans(lines[at] ?? ""));
        return placed;
      };
      return [lazyCandidate({ file, line, cost, diffs }, place, lines)];
    });
  });
}

/** A candidate whose parts are found when they are asked for: of most only the cost counts. */
function lazyCandidate(
  known: Pick<Candidate, "file" | "line" | "cost" | "diffs">,
  place: () => Map<number, ReadonlyMap<string, Span>>,
  lines: readonly string[],
): Candidate {
  let placed: Map<number, ReadonlyMap<string, Span>> | undefined;
  let texts: ReadonlyMap<string, string> | undefined;
  return {
    ...known,
    get placed() {
      placed ??= place();
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

/** The likeliest line of a part above or below an anchor, not beyond the next border; of equal ones the nearest. */
function nearest(
  side: "above" | "below",
  hits: readonly Hit[],
  anchor: number,
  borders: readonly number[],
): Hit | undefined {
  const down = side === "below";
  const border = down
    ? borders[after(borders, anchor, (line) => line)]
    : borders[after(borders, anchor - 1, (line) => line) - 1];
  const start = after(hits, anchor, ({ line }) => line);
  let best: Hit | undefined;
  for (let at = down ? start : start - 1; at >= 0 && at < hits.length; at += down ? 1 : -1) {
    const hit = hits[at];
    if (hit === undefined || Math.abs(hit.line - anchor) > REACH) break;
    if (hit.line === anchor) continue;
    if (border !== undefined && (down ? hit.line >= border : hit.line <= border)) break;
    if (best === undefined || hit.fit.cost < best.fit.cost) best = hit;
    if (best.fit.cost <= SURE) break;
  }
  return best;
}

/** Index of the first entry behind a line. */
function after<T>(sorted: readonly T[], line: number, lineOf: (entry: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = sorted[middle];
    if (entry !== undefined && lineOf(entry) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function heldOf(rule: Rule, hits: readonly (readonly Hit[])[], records: number): boolean[] {
  return rule.satellites.map(({ side }, index) => {
    const sure = (hits[index] ?? []).filter(({ fit }) => fit.cost <= SURE).length;
    return side === "above" && sure <= records * HELD_SHARE;
  });
}

/** Which lines above hold for several records each, in any of the logs. */
export function heldSatellites(rule: Rule, logs: readonly LogText[]): boolean[] {
  if (rule.satellites.length === 0) return [];
  const anchor = new Matcher(rule.anchor, MAX_COST);
  const satellites = rule.satellites.map(({ template }) => new Matcher(template, SATELLITE_COST));
  const all = logs.map(({ lines }) => {
    const records = lines.filter((text) => (anchor.fit(text)?.cost ?? MAX_COST) <= BORDER).length;
    return heldOf(
      rule,
      satellites.map((own) => hitsOf(own, lines)),
      records,
    );
  });
  return rule.satellites.map((_, index) => all.some((one) => one[index]));
}

/** Keys in front of parts, where a line has at least two: `src=`, `"port":`. */
function keysOf({ elements }: Template): [string, string][] {
  const keys = elements.flatMap((element, index): [string, string][] => {
    if (element.kind !== "part") return [];
    let at = index - 1;
    let glue = "";
    for (
      let mark = elements[at];
      mark?.kind === "fixed" && mark.token === "mark";
      at -= 1, mark = elements[at]
    )
      glue = mark.text + glue;
    const word = elements[at];
    return word?.kind === "fixed" && word.token === "word" && /^"?[=:]/.test(glue)
      ? [[element.leaf.names[0] ?? "", word.text + glue]]
      : [];
  });
  return keys.length > 1 ? keys : [];
}

/** A line with nothing of a rule but the keys of its parts. */
function keyed(keys: readonly [string, string][], text: string, line: number): Anchor[] {
  const there = keys.filter(([, key]) => text.includes(key));
  if (there.length < 2 || there.length * 3 < keys.length * 2) return [];
  const spans = new Map(
    there.map(([name, key]): [string, Span] => {
      const start = text.indexOf(key) + key.length;
      return [name, { start, end: start + (/^[^\s"',;]*/.exec(text.slice(start))?.[0].length ?? 0) }];
    }),
  );
  return [{ line, fit: { cost: MAX_COST, diffs: [{ kind: "keys", at: "" }] }, spans }];
}
