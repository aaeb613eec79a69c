// Parts that the page only says to stand above the rows ("the file name on a line of its own, its remarks below it"), found by
// where the lines of the log stand: the line that the rows below it hang on, or the first one of their paragraph.

import { escapeRegex } from "../escape.ts";
import { similarity, stemsOf, wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { fit } from "../parts/fit.ts";
import { interpretRule } from "../program/interpret.ts";
import { lineGroup } from "./groups.ts";
import type { Head } from "./heads.ts";

/** What a description says of a part above. */
const ABOVE =
  /\b(?:(?:line|row|heading|title|name) (?:right |directly )?above|above (?:it|them|the|its)|from (?:the )?(?:heading|head|title|line above)|(?:its|the|their) (?:heading|headline|title)|under (?:which|whose)|listed under|belongs? to|(?:stands?|is|printed|named|given|found) (?:once )?above)\b|^\W*(?:head(?:ing|line|er)?|title)\W*$/i;
/** What a sentence says of it. */
const OWN_LINE =
  /\b(?:on|in|has|with) (?:a |its |their )?(?:lines?|rows?) (?:of (?:its|their) own|by (?:itself|themselves))\b|\b(?:above|over|in front of|before) (?:its|the|their|all)\b|\bgrouped (?:by|under|below)\b|\b(?:below|under|beneath) (?=(?:the|its|their|each|every) (?:name|path|heading|title|file)\b)|\b(?:is|are|as|a) (?:a |the )?(?:heading|headline|title)s?\b|\bheads? (?:its|the|their)\b|\bonce,? (?:in front|above|before|at the (?:top|head))\b|\bfollow(?:s|ing)? (?:(?:the|a|its|their) )?(?:lines?|heading|title|path|name) (?:with|of|that)\b/i;

/** How many lines of the log may be looked at. */
const MOST = 60_000;

/** Heads for the fields that the page places above and that no other way found. */
export function placedHeads(
  group: Group,
  page: Page,
  lines: readonly string[],
  known: readonly Head[],
): Head[] {
  const single = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  if (single.length === 0 || group.examples.some((one) => one.lines.length > 1)) return [];
  const taken = new Set(known.map(({ hint }) => hint));
  const missing = group.fields.filter(
    (hint) =>
      !taken.has(hint) &&
      !hint.wholeLine &&
      !hint.literals.some((text) => single.some((line) => line.includes(text))) &&
      (isPlacedAbove(hint, page) || (hint.kind === "path" && !single.some(hasPath))),
  );
  const [hint] = missing;
  if (hint === undefined || missing.length > 1 || group.fields.length < 2 || lines.length > MOST) return [];
  const fields = group.fields.filter((one) => one !== hint && !taken.has(one));
  const rule = lineGroup({ ...group, fields }, page, lines)?.rule;
  if (rule === undefined) return [];
  const rows = interpretRule({ ...rule, filters: [] }, lines).map(({ line }) => line - 1);
  const head = [shallower, paragraph]
    .map((way) => headFrom(hint, rows, way(rows, lines), lines))
    .find((one) => one !== undefined);
  return head === undefined ? [] : [head];
}

/** A file that the page's line has nothing like must stand elsewhere. */
function hasPath(line: string): boolean {
  return /[\w.-]\/[\w.-]|(?<![\w.])[\w-]+\.[A-Za-z]\w{0,4}(?![\w.])|\\/.test(line);
}

function isPlacedAbove(hint: Hint, page: Page): boolean {
  if (ABOVE.test(hint.description)) return true;
  if (hint.kind === "number" || hint.kind === "letter") return false;
  const words = wordsOf(hint.name.replace(/_/g, " ")).filter((word) => word !== "name");
  return page.statements.some(({ sentences }) =>
    sentences.some(({ text }) => {
      const plain = bare(text);
      const stems = stemsOf(plain.replace(OWN_LINE, " "));
      const named =
        words.length > 0 && words.every((word) => [...stemsOf(word)].every((one) => stems.has(one)));
      return named && OWN_LINE.test(plain);
    }),
  );
}

/** For each row the nearest line above that is less deep. */
function shallower(rows: readonly number[], lines: readonly string[]): (number | undefined)[] {
  const depth = (at: number): number => (lines[at] ?? "").search(/\S/);
  return rows.map((row) => {
    const own = depth(row);
    for (let at = row - 1; at >= 0; at -= 1) if (depth(at) >= 0 && depth(at) < own) return at;
    return undefined;
  });
}

/** For each row the first line of its paragraph. */
function paragraph(rows: readonly number[], lines: readonly string[]): (number | undefined)[] {
  const isRow = new Set(rows);
  return rows.map((row) => {
    let at = row;
    while (at > 0 && (lines[at - 1] ?? "").trim() !== "") at -= 1;
    return at === row || isRow.has(at) ? undefined : at;
  });
}

/** The head of the lines that stand so, or undefined where they have no form of their own. */
function headFrom(
  hint: Hint,
  rows: readonly number[],
  places: readonly (number | undefined)[],
  lines: readonly string[],
): Head | undefined {
  if (rows.length === 0 || places.includes(undefined)) return undefined;
  const at = [...new Set(places)].filter((one) => one !== undefined);
  const texts = [...new Set(at.map((index) => (lines[index] ?? "").trim()))];
  if (texts.length < 2 && at.length > 1) return undefined;
  const group = /^[A-Za-z_]\w*$/.test(hint.name) ? hint.name : "head";
  const source = formOf(texts, group, hint);
  if (source === undefined) return undefined;
  const regex = new RegExp(source);
  const own = new Set(at);
  const isRow = new Set(rows);
  // Between such a line and its rows there is no other one of this form, and no row has it.
  let last: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (isRow.has(index)) {
      if (regex.test(line) || last === undefined || !own.has(last)) return undefined;
    } else if (regex.test(line)) last = index;
  }
  const example = lines[at[0] ?? 0] ?? "";
  const text = regex.exec(example)?.groups?.[group] ?? "";
  const start = example.indexOf(text);
  if (text === "" || fit(example, { start, end: start + text.length }, hint).score < 0) return undefined;
  return { hint, group, above: { pattern: source, example } };
}

/** The expression of such lines: one word of a path, or what stands between that which all of them begin and end with. */
function formOf(texts: readonly string[], group: string, hint: Hint): string | undefined {
  if (hint.kind === "path" && texts.every((text) => /^\S*[/\\.]\S*$/.test(text))) {
    const colon = texts.every((text) => text.endsWith(":")) ? ":" : "";
    return `^\\s*(?<${group}>\\S*[/\\\\.]\\S*${colon === "" ? "" : "?"})${colon}\\s*$`;
  }
  const lead = common(texts.map((text) => text.split(/(?<=\s)|(?<=[:=(["'])/)));
  const tail = common(texts.map((text) => text.split(/(?=\s)|(?=[:)\]"'])/).reverse())).reverse();
  const [front, back] = [lead.join(""), tail.join("")];
  const inner = texts.map((text) => text.slice(front.length, text.length - back.length));
  if (inner.some((text) => text.trim() === "") || (front.trim() === "" && back.trim() === ""))
    return undefined;
  // The name of the part in front of it, or a mark; other words say something else.
  const words = front.match(/[A-Za-z]{2,}/g) ?? [];
  if (words.length > 0 && !words.some((word) => similarity(hint.name, word) >= 0.75)) return undefined;
  const fixed = (text: string): string => escapeRegex(text).replace(/\s+/g, "\\s+");
  return `^\\s*${fixed(front)}(?<${group}>\\S.*?)${fixed(back)}\\s*$`;
}

/** What all lists begin with, but for their last piece. */
function common(lists: readonly (readonly string[])[]): string[] {
  const [first = []] = lists;
  const found: string[] = [];
  for (const [at, piece] of first.entries()) {
    if (lists.some((list) => list[at] !== piece || at >= list.length - 1)) break;
    found.push(piece);
  }
  return found;
}
