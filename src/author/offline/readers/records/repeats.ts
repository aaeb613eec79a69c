// A block of the page that shows two records one below the other: the first one tells how a record is built.

import { tokenize } from "../../logs/tokens.ts";
import type { Group } from "../../page/page.ts";
import { labelOf } from "../families.ts";

/** How many lines of the block the first record takes, counting what stands above it; all of them where the page shows
 * one record, or where the others show a text of a part that the first one has not. */
export function firstRecord(lines: readonly string[], context: number, group: Group): number {
  for (let from = context; from < lines.length - 2; from += 1) {
    for (let at = from + 2; at < lines.length; at += 1) {
      const headed = from === context && areHeadings(lines[from] ?? "", lines[at] ?? "");
      if ((!headed && !startsAgain(lines, from, at, from > context)) || !isRepeated(lines, from, at))
        continue;
      return keepsAll(lines.slice(0, at), lines.slice(at), group) ? at : lines.length;
    }
  }
  return lines.length;
}

/** Is a line built like one further up, with lines of another form between them? */
function startsAgain(lines: readonly string[], from: number, at: number, inner: boolean): boolean {
  const [first = "", again = ""] = [lines[from], lines[at]];
  const depth = first.search(/\S/);
  if (depth !== again.search(/\S/) || !isAlike(first, again)) return false;
  if (inner && lines.slice(from, at).some((line) => line.search(/\S/) < depth)) return false;
  return lines.slice(from + 1, at).every((line) => !isAlike(first, line));
}

/** Do both lines only announce what stands below them ("Frame drop:" and "Flow drop:")? */
function areHeadings(one: string, other: string): boolean {
  return (
    [one, other].every((line) => /[A-Za-z][^:=]*:\s*$/.test(line)) && one.search(/\S/) === other.search(/\S/)
  );
}

/** Every further line is as deep as one of the first record and has no label that this lacks. */
function isRepeated(lines: readonly string[], from: number, at: number): boolean {
  const depthOf = (line: string): number => line.search(/\S/);
  const own = lines.slice(from, at);
  const depths = new Set(own.map(depthOf));
  const labels = new Set(own.map(labelOf));
  return lines.slice(at).every((line) => depths.has(depthOf(line)) && labels.has(labelOf(line)));
}

/** The first record has all texts that the page shows for its parts. */
function keepsAll(kept: readonly string[], cut: readonly string[], group: Group): boolean {
  const texts = [...(group.value === undefined ? [] : [group.value]), ...group.fields].flatMap((hint) =>
    hint.literals.filter((text) => hint.choices.length < 2 || !hint.choices.includes(text)),
  );
  return texts.every(
    (text) => kept.some((line) => line.includes(text)) || !cut.some((line) => line.includes(text)),
  );
}

/** The same label with the same form behind it, or the same words and marks with other names and numbers. */
export function isAlike(one: string, other: string): boolean {
  const [first, second] = [labelOf(one), labelOf(other)];
  if (first !== undefined || second !== undefined) return first === second;
  const [a, b] = [shapeOf(one), shapeOf(other)];
  return a === b || (a === "w" && b === "w");
}

/** Words stay, names with digits or marks and numbers do not; one single word is any word. */
function shapeOf(line: string): string {
  const chunks = line.trim().split(/\s+/);
  if (chunks.length === 1) return /[:=]$/.test(chunks[0] ?? "") ? `w${chunks[0]?.slice(-1) ?? ""}` : "w";
  return chunks
    .map((chunk) =>
      /^\W*[A-Za-z-]+\W*$/.test(chunk) ? chunk : /[A-Za-z]/.test(chunk) ? "n" : numbers(chunk),
    )
    .join(" ");
}

function numbers(chunk: string): string {
  return tokenize(chunk)
    .map((token) => (token.kind === "punct" ? token.text : "9"))
    .join("");
}
