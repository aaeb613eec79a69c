// Lines that the page describes by the order of their parts, without an example: header parts between
// delimiters, or words in a row.

import { escapeRegex } from "../escape.ts";
import { filterOf } from "../page/conditions.ts";
import { fieldName, kindOf, matchNames, similarity } from "../page/names.ts";
import type { Group, Hint, Listed, Page } from "../page/page.ts";
import { kindEvidence } from "../parts/kinds.ts";
import { parseObject } from "../program/interpret.ts";
import type { GroupFilter, LineRule, Projection } from "../program/ir.ts";

export interface PartsCandidate {
  rule: LineRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** How pages speak of the delimiters. */
const SPOKEN: Record<string, string> = {
  "|": "pipes?|bars?|\\|",
  ",": "comma|csv",
  ";": "semicolon",
  ":": "colon",
};
const DELIMITERS = ["|", "\t", ";", ","];

export function listGroup(group: Group, page: Page, lines: readonly string[]): PartsCandidate | undefined {
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  let best: (PartsCandidate & { size: number }) | undefined;
  for (const list of page.lists) {
    const matched = matchNames(list.names, hints);
    const missing = hints.filter((hint) => !hint.optional && !matched.includes(hint));
    // Where only the later names of the list stand between separators, the line has more than a row of cells.
    if (missing.length > 0 || list.names.length < 3 || (list.separated?.from ?? 0) > 0) continue;
    const named = list.separated?.from === 0 ? list.separated.by : pageSeparator(page);
    for (const delimiter of named === undefined ? DELIMITERS : [named]) {
      if (!mayPart(group, delimiter)) continue;
      const read = byDelimiter(group, page, list, matched, delimiter, lines);
      const candidate = read === undefined ? undefined : { ...read, size: list.names.length };
      // The longer list of two says more.
      const more = (candidate?.size ?? 0) - (best?.size ?? 0);
      const better = (candidate?.confidence ?? 0) - (best?.confidence ?? 0);
      if (candidate !== undefined && (best === undefined || better > 0 || (better === 0 && more > 0)))
        best = candidate;
    }
  }
  return best;
}

/** The separator that a sentence beside the list names ("tab-separated columns"). */
function pageSeparator(page: Page): string | undefined {
  return page.lists.find((one) => one.separated !== undefined)?.separated?.by;
}

/** Where the page shows lines, some of them has the delimiter. */
function mayPart(group: Group, delimiter: string): boolean {
  const shown = group.examples.flatMap((one) => one.lines);
  return shown.length === 0 || shown.some((line) => line.includes(delimiter));
}

function byDelimiter(
  group: Group,
  page: Page,
  list: Listed,
  matched: readonly (Hint | undefined)[],
  delimiter: string,
  lines: readonly string[],
): PartsCandidate | undefined {
  const count = list.names.length;
  const rows = lines
    .filter((line) => parseObject(line) === undefined)
    .map((line) => ({ line, cells: splitEscaped(line, delimiter) }))
    .filter(({ cells }) => cells.length >= count);
  if (rows.length < 1) return undefined;
  const widths = new Map<number, number>();
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  const least = Math.min(...widths.keys());
  const offsets = Array.from({ length: Math.max(1, least - count + 1) }, (_, offset) => offset);
  const scored = offsets.map((offset) => ({
    offset,
    score: offsetScore(rows, list, matched, offset, delimiter),
  }));
  scored.sort((a, b) => b.score - a.score || a.offset - b.offset);
  const [first, second] = scored;
  if (first === undefined) return undefined;
  const groups = list.names.map((name, index) => groupName(matched[index]?.name ?? fieldName(name), index));
  const sep = delimiter === "\t" ? "\\t" : escapeRegex(delimiter);
  const cls = delimiter === "\t" ? "[^\\t]*" : `(?:[^${delimiter}\\\\]|\\\\.)*`;
  const last = first.offset + count;
  const wantedLast = matched.reduce((end, hint, index) => (hint === undefined ? end : index), 0);
  const head =
    first.offset === 0
      ? "^\\s*"
      : `${headPattern(
          rows.map((row) => row.cells),
          first.offset,
          delimiter,
        )}${sep}`;
  const filters = conditionsOn(page, list, matched, groups);
  const asked = new Set(filters.map((filter) => filter.group));
  const lastAsked = Math.max(
    wantedLast,
    ...groups.flatMap((name, index) => (asked.has(name) ? [index] : [])),
  );
  // Cells that are filled up with blanks go without them.
  const padded =
    delimiter !== "\t" &&
    !rows.some(({ line }) => line.includes("\\")) &&
    rows.some(({ cells }) => cells.some((one) => /\S\s+$|^\s+\S/.test(one)));
  const closed = last < least || lastAsked + 1 < count;
  const cellOf = (name: string, index: number): string => {
    if (!padded) return `(?<${name}>${cls})`;
    const end = index === lastAsked && !closed ? `(?=${sep}|$)` : "";
    const ink = `[^${delimiter}\\s]`;
    const front = index === 0 && first.offset === 0 ? "" : "\\s*";
    return `${front}(?<${name}>(?:${ink}(?:[^${delimiter}]*${ink})?)?)\\s*${end}`;
  };
  const parts = groups
    .slice(0, lastAsked + 1)
    .map((name, index) => (matched[index] === undefined && !asked.has(name) ? cls : cellOf(name, index)));
  const tail = closed ? sep : "";
  const pattern = `${head}${parts.join(sep)}${tail}`;
  const regex = new RegExp(pattern);
  const projection = projectionOf(group, matched, groups);
  if (projection === undefined) return undefined;
  const example = rows[0]?.line ?? "";
  const rule: LineRule = {
    kind: "line",
    alternatives: [{ pattern, projection, example }],
    unless: [],
    filters,
  };
  const hits = rows.filter(({ line }) => regex.test(line)).length;
  const doubts: string[] = [];
  let confidence = 0.9;
  if (second !== undefined && first.score - second.score < 0.8) {
    confidence -= 0.3;
    doubts.push("the parts could also be counted from another place in the line");
  }
  if (hits < rows.length) {
    confidence -= 0.15;
    doubts.push(`${rows.length - hits} lines with as many parts do not start like the others`);
  }
  const named = new RegExp(`\\b(?:${SPOKEN[delimiter] ?? "tab"})`, "i");
  const exact =
    first.offset === 0 && widths.size === 1 && isExact(group, delimiter, least, count, rows[0]?.line ?? "");
  if (!exact && !named.test(page.prose)) {
    confidence -= delimiter === "," || group.examples.length > 0 ? 0.4 : 0.15;
    doubts.push("the page does not name the delimiter");
  }
  if (group.value === undefined) {
    confidence -= 0.4;
    doubts.push("the page does not say what the value is");
  }
  return {
    rule,
    confidence,
    reasons: [`${hits} lines have the parts ${list.names.join(", ")} between ${JSON.stringify(delimiter)}`],
    doubts,
  };
}

/** An example with just as many cells as the list has names, and all rows have as many: each is the cell at its place. */
function isExact(group: Group, delimiter: string, width: number, count: number, row: string): boolean {
  // A mark that closes the row.
  const closed = row.trimEnd().endsWith(delimiter) ? 1 : 0;
  return (
    width === count + closed &&
    group.examples.some(
      ({ lines }) => lines.length === 1 && splitEscaped(lines[0] ?? "", delimiter).length === width,
    )
  );
}

/** The page's conditions on the parts of the list. */
function conditionsOn(
  page: Page,
  list: Listed,
  matched: readonly (Hint | undefined)[],
  groups: readonly string[],
): GroupFilter[] {
  return page.rules.flatMap((rule) => {
    if (rule.name === "") return [];
    const ranked = list.names
      .map((name, index) => ({
        index,
        like: Math.max(similarity(rule.name, name), similarity(rule.name, matched[index]?.name ?? "")),
      }))
      .sort((a, b) => b.like - a.like);
    const group = (ranked[0]?.like ?? 0) >= 0.7 ? groups[ranked[0]?.index ?? -1] : undefined;
    return group === undefined ? [] : [filterOf(rule, group)];
  });
}

function groupName(name: string, index: number): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : `part_${index + 1}`;
}

/** Cells of a line; a delimiter behind a backslash separates nothing. */
function splitEscaped(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === "\\" && at + 1 < line.length) {
      cell += char + line.charAt(at + 1);
      at += 1;
    } else if (char === delimiter) {
      cells.push(cell);
      cell = "";
    } else cell += char;
  }
  return [...cells, cell];
}

/** How well the cells from an offset fit the kinds of text that the names suggest. */
function offsetScore(
  rows: readonly { cells: string[] }[],
  list: Listed,
  matched: readonly (Hint | undefined)[],
  offset: number,
  delimiter: string,
): number {
  const sample = rows.slice(0, 30);
  let score = 0;
  list.names.forEach((name, index) => {
    const hint = matched[index] ?? plainHint(name);
    for (const { cells } of sample) {
      const text = (cells[offset + index] ?? "").trim();
      kindEvidence(text, hint, false, (points) => {
        score += points / sample.length;
      });
      if (text === "") score -= 0.3 / sample.length;
      if (text.length > 60) score -= 1 / sample.length;
    }
  });
  // "after the X come …": the first part of the line is not the first of the list.
  const skips =
    /\bafter (?:the |a |an )?[\w ]{2,30}?\s*(?:come|comes|follow|follows|there are|stand)\b/i.test(
      list.context,
    );
  if (skips) score += offset === 1 ? 2 : -1;
  if (!skips && offset === 0) score += delimiter === "|" ? 0.3 : 0.8;
  return score;
}

function plainHint(name: string): Hint {
  return {
    name: fieldName(name),
    description: name,
    literals: [],
    choices: [],
    kind: kindOf(fieldName(name)),
    optional: false,
    wholeLine: false,
    basename: false,
  };
}

/** What stands in front of the parts: the end that all lines share, digits generalised. */
function headPattern(cells: readonly string[][], offset: number, delimiter: string): string {
  const heads = cells.map((row) => row.slice(0, offset).join(delimiter));
  let shared = heads[0] ?? "";
  for (const head of heads) {
    while (shared !== "" && !head.endsWith(shared)) shared = shared.slice(1);
  }
  const whole = heads.every((head) => head === shared);
  const text = shared.replace(/^\S*?\s+/, (lead) => (whole ? lead : lead));
  const source = escapeRegex(text.trimStart()).replace(/\d+/g, "\\d+");
  if (text.trim() === "")
    return (
      `^[^${delimiter}]*`.repeat(1) +
      `(?:${escapeRegex(delimiter)}[^${delimiter}]*){${offset - 1}}`.repeat(offset > 1 ? 1 : 0)
    );
  return whole ? `^\\s*${source}` : `(?:^|\\s)${source}`;
}

function projectionOf(
  group: Group,
  matched: readonly (Hint | undefined)[],
  groups: readonly string[],
): Projection | undefined {
  const nameOf = (hint: Hint | undefined): string | undefined => {
    const index = hint === undefined ? -1 : matched.indexOf(hint);
    return index < 0 ? undefined : groups[index];
  };
  const value = nameOf(group.value);
  if (group.value !== undefined && value === undefined) return undefined;
  return {
    value: value === undefined ? { from: "line" } : { from: "group", group: value },
    fields: group.fields.flatMap((hint) => {
      const name = nameOf(hint);
      return name === undefined ? [] : [{ name: hint.name, source: { from: "group" as const, group: name } }];
    }),
  };
}
