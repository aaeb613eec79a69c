// Compiles templates to regular expressions with one group per part, and rules to readers that the generated code runs.
import { framesOf, isRun, stopsOf } from "../examples/delimiters.ts";
import type { Rule } from "../examples/rule.ts";
import type { Element, Leaf, Template } from "../examples/template.ts";
import { isNumber } from "../examples/tokens.ts";
import type { Grid } from "../logs/grid.ts";
import type { RuleReader } from "./program.ts";

/** Properties of the satellites of a rule in the observed logs, by index. */
export interface SatelliteFlags {
  /** The line above applies to several records. */
  held: readonly boolean[];
  /** Records may lack the line. */
  optional: readonly boolean[];
}

/** Compiles a rule; with a grid, its anchor is read as a row of a table. */
export function compileRule(rule: Rule, flags: SatelliteFlags, grid?: Grid): RuleReader {
  const beside = rule.satellites.map(({ template, side }, index) => ({
    side,
    ...compileTemplate(template),
    ...(flags.held[index] ? { held: true } : {}),
    ...(flags.optional[index] ? { optional: true } : {}),
  }));
  const anchor =
    grid === undefined
      ? compileTemplate(rule.anchor)
      : { grid: grid.shape, parts: Object.fromEntries(grid.parts), ...placeholdersOf(grid) };
  return { ...anchor, ...(beside.length > 0 ? { beside } : {}) };
}

function placeholdersOf({ placeholders }: Grid): { nothing?: Record<string, readonly string[]> } {
  const used = [...placeholders].filter(([, texts]) => texts.length > 0);
  return used.length === 0 ? {} : { nothing: Object.fromEntries(used) };
}

/** Compiles a template to an expression; `parts` maps names to the numbers of groups. */
export function compileTemplate(template: Template): { line: RegExp; parts: Record<string, number> } {
  const { elements, outer } = template;
  const frames = framesOf(elements);
  const parts: Record<string, number> = {};
  let source = "^";
  let group = 0;
  elements.forEach((element, index) => {
    const opening = outer.filter(({ from }) => from === index).sort((a, b) => b.to - a.to);
    for (const { name } of opening) {
      source += "(";
      group += 1;
      parts[name] = group;
    }
    if (element.kind === "part") {
      group += 1;
      for (const name of element.leaf.names) parts[name] = group;
      const open = elements[index + 1]?.kind === "free";
      source += `(${partPattern(element.leaf, stopsOf(elements, index), frames[index], open)})`;
    } else {
      const beside = elements[index - 1]?.kind === "free" || elements[index + 1]?.kind === "free";
      source += elementPattern(element, frames[index], beside);
    }
    source += ")".repeat(outer.filter(({ to }) => to === index + 1).length);
  });
  const open = elements.at(-1)?.kind === "free";
  if (open) source = source.replace(/\.\*\?$/, "");
  return { line: new RegExp(open ? source : `${source}$`), parts };
}

function elementPattern(
  element: Exclude<Element, { kind: "part" }>,
  frame: string | undefined,
  beside: boolean,
): string {
  if (element.kind === "fixed") {
    return isRun(element.text) ? `${escapeRegex(element.text.charAt(0))}{3,}` : escapeRegex(element.text);
  }
  // Free text matches the remaining blanks.
  if (element.kind === "space") return beside ? "\\s" : "\\s+";
  if (element.kind === "free") return ".*?";
  return frame === undefined ? "\\S+?" : `[^${escapeClass(frame)}]+?`;
}

export type TextClass = "digits" | "number" | "token" | "text";

/** The most specific class that contains all samples of a part. */
export function classOf(samples: readonly string[]): TextClass {
  if (samples.every((text) => /^\d+$/.test(text))) return "digits";
  if (samples.every(isNumber)) return "number";
  return samples.some((text) => /\s/.test(text)) ? "text" : "token";
}

function partPattern(leaf: Leaf, stops: readonly string[], frame: string | undefined, open: boolean): string {
  const kind = classOf(leaf.samples.filter((text) => text !== "" || frame === undefined));
  if (leaf.samples.includes("") && frame !== undefined) return `[^${escapeClass(frame)}]*?`;
  if (kind === "digits") return "\\d+";
  if (kind === "number") return "[-+]?[\\d.,]+(?:[eE][-+]?\\d+)?";
  const closes = frame !== undefined && !leaf.samples.some((text) => text.includes(frame));
  const marks = [...new Set(closes ? [...stops, frame] : stops)];
  const blanks = kind === "text" || frame !== undefined;
  // A part in front of free text is as long as possible.
  const lazy = open ? "" : "?";
  if (marks.length > 0) return `[^${marks.map(escapeClass).join("")}${blanks ? "" : "\\s"}]+${lazy}`;
  return blanks ? `\\S(?:.*${lazy}\\S)?${lazy}` : `\\S+${lazy}`;
}

export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function escapeClass(text: string): string {
  return text.replace(/[\\\]^-]/g, "\\$&");
}
