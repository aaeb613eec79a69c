// Records of several lines that are begun and then dropped, since a part is missing that the rule requires: they have
// other parts of the record below their first line, or have the missing one in a form that the rule does not read.

import { wordIn } from "../../conditions/exclusions.ts";
import type { Page } from "../../page/page.ts";
import { endsRecord, interpretRule } from "../../program/interpret.ts";
import type { BlockRule, Extracted } from "../../program/ir.ts";
import { unitsOf } from "../units.ts";
import { relaxedFrom, skipsLacking, strengthOf } from "./lines.ts";

/** How many lines of a record are looked at. */
const LENGTH = 60;
/** Of longer logs only a part may have been read. */
const LONG = 300;
/** What is left of the expression of a further line has to tell this much. */
const STRENGTH = 3;

/** Dropped records beside those that are taken, if nothing but their first line is known. */
const FEW = 0.2;
/** What the expression of a first line has to tell then. */
const STRONG = 5;

/** Part of a record, as it stands below its first line. */
interface Body {
  /** The line in front of it that is not blank. */
  above: string;
  texts: string[];
  /** The next record begins behind it. */
  next: boolean;
  /** Nothing stands behind it. */
  last: boolean;
}

/** The first lines of records that are dropped although more than their first line is there, or although they are few. */
export function droppedStarts(
  rule: BlockRule,
  taken: ReadonlySet<number>,
  page: Page,
  lines: readonly string[],
  isOut: (line: string) => boolean,
): Extracted[] {
  if (rule.scope !== undefined || rule.required.length === 0) return [];
  const shown = [rule.projection.value, ...rule.projection.fields.map(({ source }) => source)];
  const parts = new Set(shown.flatMap((one) => (one.from === "group" ? [one.group] : [])));
  // What no part is required for is a condition.
  const asked = rule.required.filter((one) => !parts.has(one) || isTold(rule, one, page));
  const whole = { ...rule, lineOf: "start" as const };
  const own = new Set(interpretRule({ ...whole, filters: [] }, lines).map(({ line }) => line));
  const all = interpretRule({ ...whole, required: asked }, lines).filter(
    ({ line }) => !own.has(line) && !taken.has(line),
  );
  if (all.length === 0) return [];
  const has = partTests(rule, parts);
  const like = looseTests(rule, page);
  const few =
    all.length <= own.size * FEW && strengthOf(unitsOf(rule.start) ?? []) >= STRONG && !skipsLacking(page);
  const parted = [...own].filter((line) => isParted(bodyOf(rule, line, lines).texts)).length > own.size * FEW;
  const chained = [...own].filter((line) => bodyOf(rule, line, lines).next).length > own.size * (1 - FEW);
  const isCut = (texts: readonly string[]): boolean =>
    lines.length > LONG || texts.some((text) => text.trim() !== "");
  return all.filter(({ line, content, value }) => {
    const { above, texts, next, last } = bodyOf(rule, line, lines);
    // Of a big file only pieces were read, and a record may be cut off at the end of one.
    if (!parted && isParted(texts)) return false;
    if (!next && (last ? isCut(texts) : chained)) return false;
    if (isOut(content) || isOut(above)) return false;
    if (value !== "" && (few || texts.some((text) => has.some((one) => one(text))))) return true;
    return value !== "" && [content, ...texts].some((text) => like.some((one) => one.test(text)));
  });
}

/** Is the line of a part told by a word in capitals that the page says: "slack (VIOLATED)"? */
function isTold(rule: BlockRule, group: string, page: Page): boolean {
  const own = (rule.inner ?? []).filter(({ pattern }) => pattern.includes(`(?<${group}>`));
  return own.some(({ pattern }) =>
    (pattern.match(/(?<![\w\\[])[A-Z]{3,}(?!\w)/g) ?? []).some((word) => wordIn(word).test(page.prose)),
  );
}

function bodyOf(rule: BlockRule, line: number, lines: readonly string[]): Body {
  const start = new RegExp(rule.start);
  const first = lines[line - 1] ?? "";
  const texts: string[] = [];
  for (let at = line; at < Math.min(lines.length, line + LENGTH); at += 1) {
    const text = lines[at] ?? "";
    if (start.test(text) || endsRecord(rule, first, text)) break;
    texts.push(text);
  }
  const behind = lines.slice(line + texts.length).find((text) => text.trim() !== "");
  let at = line - 2;
  while (at > 0 && (lines[at] ?? "").trim() === "") at -= 1;
  return {
    above: lines[at] ?? "",
    texts,
    next: behind !== undefined && start.test(behind),
    last: behind === undefined,
  };
}

/** Is there a blank line inside? */
function isParted(texts: readonly string[]): boolean {
  return texts.some((text, at) => text.trim() === "" && texts.slice(at).some((one) => one.trim() !== ""));
}

/** Is a part of the record read from a line below its first one? */
function partTests(rule: BlockRule, parts: ReadonlySet<string>): ((line: string) => boolean)[] {
  const inner = (rule.inner ?? []).flatMap(({ pattern }) => {
    const regex = new RegExp(pattern);
    const groups = [...pattern.matchAll(/\(\?<(\w+)>/g)].map((match) => match[1] ?? "");
    return groups.some((one) => parts.has(one)) ? [(line: string) => regex.test(line)] : [];
  });
  const labels = new Set(rule.keys.flatMap(({ label, group }) => (parts.has(group) ? [label] : [])));
  if (labels.size === 0) return inner;
  const keyLine = new RegExp(rule.keyLine);
  return [...inner, (line) => labels.has(keyLine.exec(line)?.groups?.["key"]?.trim() ?? "")];
}

/** The lines below the first one, relaxed; they may stand on the first one as well. */
function looseTests(rule: BlockRule, page: Page): RegExp[] {
  return (rule.inner ?? []).flatMap(({ pattern }) =>
    [{ pattern, strength: strengthOf(unitsOf(pattern) ?? []) }, ...relaxedFrom(pattern, page)]
      .filter(({ strength }) => strength >= STRENGTH)
      .map((one) => new RegExp(one.pattern.replace(/^\^(?:\\s\*)?/, ""))),
  );
}
