// The expression of one line of a block that the page shows: strict where the log follows it, loose where it varies.

import { tokenize } from "../logs/tokens.ts";
import type { Group, Page } from "../page/page.ts";
import type { Placed } from "../parts/assign.ts";
import { nearest } from "../templates/align.ts";
import { relatives } from "../templates/left-out.ts";
import { searchPattern } from "../templates/search.ts";
import type { LineTask } from "../templates/task.ts";
import { buildPattern, type Slot } from "../templates/template.ts";
import { groupName } from "./stanza.ts";

/** A line of the block and the parts on it. */
export interface Row {
  line: string;
  placed: Placed[];
}

export interface LinePattern {
  pattern: string;
  example: string;
  /** Indices of the observed lines that it matches. */
  hits: number[];
  /** Lines much like those that it matches. */
  near: string[];
  /** Expressions with one or two of its words open. */
  looser: () => string[];
}

/** The expression that the lines of the log like a line of the block follow. */
export function rowPattern(
  row: Row,
  group: Group,
  page: Page,
  lines: readonly string[],
): LinePattern | undefined {
  const task: LineTask = {
    example: row.line,
    value: undefined,
    fields: [],
    lists: [],
    constants: new Map(),
    lines,
    stems: page.stems,
    real: false,
    unwanted: page.unwanted,
    unwantedStems: page.unwantedStems,
    conditions: page.rules,
  };
  const slots = row.placed.map(({ hint, span }) => ({ group: groupName(hint, group), hint, span }));
  return search(task, row.line, slots, new Set()) ?? searchNear(task, row, slots);
}

function searchNear(task: LineTask, row: Row, slots: readonly Slot[]): LinePattern | undefined {
  const near = nearest(
    row.line,
    { placed: row.placed, missing: [], others: [], score: 0, margins: new Map() },
    task.lines,
  );
  if (near === undefined || near.likeness < 0.75) return undefined;
  const moved = slots.flatMap((slot) => {
    const span = near.move(slot.span);
    return span === undefined ? [] : [{ ...slot, span }];
  });
  return moved.length === slots.length ? search(task, near.line, moved, near.loose) : undefined;
}

function search(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  differing: ReadonlySet<number>,
): LinePattern | undefined {
  const best = searchPattern(task, line, slots, differing, []);
  if (best === undefined) return undefined;
  const last = Math.max(...slots.map(({ span }) => span.end));
  const closed = closes(line, last, best.pattern);
  const fixed = tokenize(line).filter(
    (token) =>
      token.kind === "word" &&
      !slots.some(({ span }) => token.start >= span.start && token.end <= span.end) &&
      !best.options.loose.has(token.start),
  );
  const looser = (): string[] =>
    fixed.map((token) =>
      buildPattern(line, slots, { ...best.options, loose: new Set([...best.options.loose, token.start]) }),
    );
  if (!closed) {
    return {
      pattern: best.pattern,
      example: task.lines[best.hits[0] ?? 0] ?? line,
      hits: best.hits,
      near: relatives(task, line, slots, best, []),
      looser,
    };
  }
  const pattern = `${/^\S/.test(line) ? best.pattern.replace(/^\^\\s\*/, "^") : best.pattern}\\s*$`;
  const regex = new RegExp(pattern);
  const hits = best.hits.filter((hit) => regex.test(task.lines[hit] ?? ""));
  if (hits.length === 0) return undefined;
  return { pattern, example: task.lines[hits[0] ?? 0] ?? line, hits, near: [], looser };
}

/** A line that is one part and little else has to end where the part ends. */
function closes(line: string, last: number, pattern: string): boolean {
  const words = line
    .replace(/[^A-Za-z\s]/g, " ")
    .trim()
    .split(/\s+/).length;
  return last >= line.trimEnd().length - 1 && words <= 3 && !/\\S\.\*\)?$/.test(pattern);
}
