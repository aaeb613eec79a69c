// A line taken apart at its keys, and the look-aheads that find its parts: one for what stands in front of the first key, and
// one for each key with a part behind it.

import { tokenize } from "../logs/tokens.ts";
import { runPattern } from "./attempt.ts";
import { type Region, regionsOf } from "./regions.ts";
import type { LineTask } from "./task.ts";
import { buildPattern, type Slot, type TemplateOptions } from "./template.ts";
import { isSaid } from "./told-words.ts";

/** A line taken apart: what its keys announce, and the slots in front of the first of them. */
export interface Anatomy {
  line: string;
  regions: readonly Region[];
  /** Regions with the slots in them. */
  keyed: readonly { region: Region; slots: readonly Slot[] }[];
  /** Slots in front of the first key. */
  head: readonly Slot[];
}

/** Two parts at least stand behind keys of their own, and all others in front of the first key. */
export function anatomyOf(task: LineTask, line: string, slots: readonly Slot[]): Anatomy | undefined {
  const regions = regionsOf(line, slots, task.lines, task.anyCase);
  const keyed = regions.flatMap((region) => {
    const inside = slots.filter(({ span }) => span.start >= region.open && span.end <= region.close);
    return inside.length === 0 ? [] : [{ region, slots: inside }];
  });
  if (keyed.length < 2) return;
  const first = Math.min(...keyed.map(({ region }) => region.start));
  const head = slots.filter(({ span }) => !keyed.some((one) => one.slots.some((slot) => slot.span === span)));
  if (head.some(({ span }) => span.end > first)) return;
  return { line, regions, keyed, head };
}

/** What stands in brackets of its own with keys is another matter. */
export const NESTED = /\[[A-Za-z_][\w.-]*=/;

/** A look-ahead for the head and one for each region with a part in it; `loose` parts may be missing. */
export function looksOf(
  task: LineTask,
  anatomy: Anatomy,
  options: TemplateOptions,
  loose: ReadonlySet<Slot>,
): string {
  const { line, keyed } = anatomy;
  const some = NESTED.test(line) ? ".*?" : `(?:(?!${NESTED.source}).)*?`;
  const looks = keyed.map(({ region, slots }) => {
    const found = sourceOf(task, line, region, slots, options);
    const optional = slots.every((slot) => slot.hint.optional || loose.has(slot));
    return `(?=${optional ? some : ".*?"}${region.lead}${found}${optional ? "|" : ""})`;
  });
  return headSource(task, anatomy, options) + looks.join("");
}

function headSource(task: LineTask, { line, head, keyed }: Anatomy, options: TemplateOptions): string {
  if (head.length === 0) return "";
  const first = Math.min(...keyed.map(({ region }) => region.start));
  const last = Math.max(...head.map(({ span }) => span.end));
  const next = /^[^\s\p{L}\p{N}]+/u.exec(line.slice(last, first))?.[0] ?? "";
  const text = line.slice(0, last + next.length);
  const strict = buildPattern(text, head, { ...options, tail: true });
  const border = next === "" ? "(?=\\s)" : "";
  const source = (pattern: string): string => `(?=${pattern.replace(/^\^/, "")}${border})`;
  const hits = (pattern: string): number => runPattern(pattern, head, options, task.lines).hits.length;
  // Of the words in front of a part only those stay that the page speaks of.
  const kept = new Set(
    tokenize(text)
      .filter((token) => token.kind === "punct" || (token.kind === "word" && isSaid(task, token)))
      .map((token) => token.start),
  );
  const free = buildPattern(text, head, { ...options, tail: true, kept });
  return hits(`^${source(free)}`) > hits(`^${source(strict)}`) ? source(free) : source(strict);
}

/** The text of a region: the part itself, or what the example has around its parts. */
function sourceOf(
  task: LineTask,
  line: string,
  region: Region,
  slots: readonly Slot[],
  options: TemplateOptions,
): string {
  const [only] = slots;
  if (slots.length === 1 && only?.span.start === region.open && only.span.end === region.close) {
    return `(?<${only.group}>${options.classes.get(only.group) ?? region.body})${region.stop}`;
  }
  const address = slots.length === 1 && only !== undefined ? addressIn(line, region, only) : undefined;
  if (address !== undefined) return address;
  const end = Math.min(line.length, region.by === "closer" ? region.close + 1 : region.end);
  const text = line.slice(region.open, end);
  const moved = slots.map((slot) => ({
    ...slot,
    span: { start: slot.span.start - region.open, end: slot.span.end - region.open },
  }));
  const lead = `.*?${region.lead}`;
  const variants = [
    { ...options, tail: true },
    { ...options, tail: false },
    { ...options, tail: false, codes: false },
    { ...options, tail: false, prefix: "word" as const, codes: false },
  ].map((one) => buildPattern(text, moved, one).replace(/^\^(?:\\s\*)?/, ""));
  const hits = variants.map((pattern) => runPattern(lead + pattern, slots, options, task.lines).hits.length);
  const most = Math.max(...hits);
  return variants[hits.indexOf(most)] ?? "";
}

/** An address alone in its region, the port left out: others have no port, or are of version 6. */
function addressIn(line: string, region: Region, { group, span }: Slot): string | undefined {
  const rest = line.slice(span.end, region.close);
  if (span.start !== region.open || !/^:\d+$/.test(rest)) return;
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)$/.test(line.slice(span.start, span.end)))
    return;
  const address = "\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*?[0-9a-fA-F]|[\\w.-]+?";
  const stop = region.stop === "" ? "(?![\\w.:])" : region.stop;
  return `(?<${group}>${address})(?::\\d+)?${stop}`;
}
