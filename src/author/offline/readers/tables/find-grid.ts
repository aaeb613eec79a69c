// The table whose columns are the parts that the page asks for, among the tables that a log has by its structure.

import { escapeRegex } from "../../escape.ts";
import { stem, wordsOf } from "../../page/names.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import { titleVerdict } from "../sections.ts";
import { celledGrids } from "./celled.ts";
import { matchColumns } from "./columns.ts";
import { CLOCK } from "./gaps.ts";
import { type Grid, gridsOf } from "./grids.ts";
import type { Header } from "./headers.ts";
import type { FoundHeaders } from "./tables.ts";

/** The heading rows of the likeliest table, or undefined. */
export function findGrid(lines: readonly string[], group: Group, page: Page): FoundHeaders | undefined {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const wanted = value === undefined ? [...group.fields] : [value, ...group.fields];
  if (wanted.length < 2) return undefined;
  const required = wanted.filter((hint) => !hint.optional);
  const said = new Set(wanted.flatMap((hint) => wordsOf(`${hint.name} ${hint.description}`)).map(stem));
  const isNamed = (heading: string): boolean =>
    wordsOf(heading).some((word) => said.has(stem(word)) || [...said].some((one) => one.startsWith(word)));
  const grids = [...gridsOf(lines, isNamed), ...celledGrids(lines, isNamed)];
  const texts = new Map<string, Grid[]>();
  for (const grid of grids) {
    const key = grid.columns.map((one) => one.name).join("|");
    texts.set(key, [...(texts.get(key) ?? []), grid]);
  }
  const all: Match[] = [];
  for (const same of texts.values()) {
    const [first] = same;
    if (first === undefined) continue;
    const { hints, scores, doubts, inside } = matchColumns(first.columns, wanted, page, group);
    const found = hints.filter((hint) => hint !== undefined).length + inside.length;
    if (found < Math.max(2, Math.ceil(wanted.length * 0.6))) continue;
    const sum = scores.reduce((all, score) => all + Math.min(1, score), 0);
    const likeness = (sum + inside.length) / wanted.length;
    const covered = 0.1 * (found / first.columns.length);
    all.push({ grids: same, hints, likeness: likeness + covered, doubts, inside });
  }
  const titled = byTitles(all, page, lines);
  const [best] = [...titled].sort((a, b) => b.likeness - a.likeness);
  if (best === undefined) return undefined;
  const headersOf = ({ grids: same, hints, likeness, inside }: Match): Header[] =>
    same.map((grid) => ({ ...headerOf(lines, grid, hints, Math.min(1, likeness)), inside }));
  return {
    headers: headersOf(best),
    missing: required.filter(
      (hint) => !best.hints.includes(hint) && !best.inside.some((one) => one.hint === hint),
    ),
    layouts: all
      .filter((one) => (titled.includes(one) && isLayout(one, best, value)) || isShownToo(one, best, group))
      .map(headersOf),
    doubts: best.doubts,
  };
}

/** Without the tables below titles that the page does not want; only those below the ones that it names. */
function byTitles(all: readonly Match[], page: Page, lines: readonly string[]): readonly Match[] {
  const verdicts = new Map(
    all.map((one) => [
      one,
      one.grids.map((grid) => titleVerdict(page, lines, grid.index - grid.heads.length + 1)),
    ]),
  );
  const most = Math.max(...all.map((one) => one.likeness));
  const named = all.filter(
    (one) => one.likeness > most - 0.4 && verdicts.get(one)?.every((verdict) => verdict === "wanted"),
  );
  if (named.length > 0) return named;
  return all.filter((one) => !verdicts.get(one)?.every((verdict) => verdict === "unwanted"));
}

/** Tables under one heading, and which column is which part. */
interface Match {
  grids: Grid[];
  hints: (Hint | undefined)[];
  likeness: number;
  doubts: string[];
  inside: NonNullable<Header["inside"]>;
}

/** Is it another table, of which the page shows a row as well? Its rows have as many texts as that row, and those of the best
 * one as many as another row that the page shows. */
function isShownToo(one: Match, best: Match, group: Group): boolean {
  const shown = group.examples
    .filter(({ lines }) => lines.length === 1)
    .map(({ lines }) => countOf(lines[0] ?? ""));
  if (
    one === best ||
    shown.length < 2 ||
    !best.hints.every((hint) => hint === undefined || one.hints.includes(hint))
  )
    return false;
  const own = new Set(one.grids.flatMap(({ rows }) => rows.map(countOf)));
  const other = new Set(best.grids.flatMap(({ rows }) => rows.map(countOf)));
  return (
    shown.some((count) => own.has(count) && !other.has(count)) && shown.some((count) => other.has(count))
  );
}

function countOf(row: string): number {
  return row.trim().split(/\s+/).length;
}

/** Is it the same table with other columns around the wanted ones? The column of the value has the same name then. */
function isLayout(one: Match, best: Match, value: Hint | undefined): boolean {
  if (one === best || value === undefined || one.likeness < best.likeness - 0.25) return false;
  const nameOf = ({ grids, hints }: Match): string | undefined =>
    grids[0]?.columns[hints.indexOf(value)]?.name.toLowerCase();
  return (
    nameOf(one) !== undefined &&
    nameOf(one) === nameOf(best) &&
    best.hints.every((hint) => hint === undefined || one.hints.includes(hint))
  );
}

function headerOf(
  lines: readonly string[],
  grid: Grid,
  hints: (Hint | undefined)[],
  likeness: number,
): Header {
  const line = lines[grid.index] ?? "";
  const cells = grid.columns.map(({ name, start, end }) => ({ name, start, end }));
  const clock = CLOCK.exec(line)?.[0] ?? "";
  const words = line.slice(clock.length).trim().split(/\s+/).map(escapeRegex);
  const front = clock === "" ? "" : `\\d\\d:\\d\\d:\\d\\d${/M$/.test(clock) ? " [AP]M" : ""}\\s+`;
  return {
    line,
    index: grid.index,
    separator: grid.separator ?? { by: "blanks" },
    cells,
    hints,
    likeness,
    lines: grid.heads.length,
    fixed: grid.fixed,
    ...(grid.counted === true ? { counted: true } : {}),
    texts: grid.columns.map((one) => one.texts),
    ...(grid.seen === undefined ? {} : { rows: grid.seen }),
    ...(grid.wrapped === true ? { wrapped: true } : {}),
    pattern: `^\\s*${front}${words.join("\\s+")}\\s*$`,
  };
}
