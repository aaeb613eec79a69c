// Where exactly a part begins and ends in its line, and what is glued to it there: a text that goes on behind a mark, other in each
// line, was cut. The places are those of the expressions, not the first ones where the text stands.

import type { Group, Hint } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { Extracted, Projection, Rule } from "../../program/ir.ts";
import type { Part } from "./parts.ts";

/** A part at its place. */
export interface Placed {
  host: string;
  start: number;
  end: number;
  /** The places of the other parts of this line. */
  others: readonly [number, number][];
}

/** Records that are looked at. */
const MOST = 300;

/** The places of each part of the page, by its name; the value has its own. */
export function placed(rules: readonly Rule[], group: Group, lines: readonly string[]): Map<Hint, Placed[]> {
  const result = new Map<Hint, Placed[]>();
  for (const rule of rules) {
    const records = interpretRule(rule, lines).slice(0, MOST);
    const forms = formsOf(rule);
    for (const record of records) {
      for (const [at, { regex, projection }] of forms.entries()) {
        const host = hostOf(rule, record, regex, lines);
        const match = host === undefined ? null : regex.exec(host);
        if (host === undefined || match === null) continue;
        add(result, group, projection, match, host);
        if (rule.kind === "line" && at >= 0) break;
      }
    }
  }
  return result;
}

function add(
  result: Map<Hint, Placed[]>,
  group: Group,
  projection: Projection,
  match: RegExpExecArray,
  host: string,
): void {
  const spans = match.indices?.groups ?? {};
  const all = Object.entries(spans).flatMap(([name, span]) => (span === undefined ? [] : [{ name, span }]));
  const put = (hint: Hint | undefined, source: Projection["value"] | undefined): void => {
    if (hint === undefined || source?.from !== "group" || source.op !== undefined) return;
    const own = spans[source.group];
    if (own === undefined || own[1] <= own[0]) return;
    const text = host.slice(own[0], own[1]);
    const start = own[0] + (text.length - text.trimStart().length);
    const others = all.filter(({ name }) => name !== source.group).map(({ span }) => span);
    result.set(hint, [...(result.get(hint) ?? []), { host, start, end: start + text.trim().length, others }]);
  };
  put(group.value, projection.value);
  for (const field of group.fields)
    put(field, projection.fields.find(({ name }) => name === field.name)?.source);
}

function formsOf(rule: Rule): { regex: RegExp; projection: Projection }[] {
  if (rule.kind === "line")
    return rule.alternatives.map(({ pattern, projection }) => ({
      regex: new RegExp(pattern, "d"),
      projection,
    }));
  const { projection } = rule.kind === "tree" ? { projection: rule.projection } : rule;
  if (rule.kind === "block")
    return [rule.start, ...(rule.inner ?? []).map(({ pattern }) => pattern)].map((pattern) => ({
      regex: new RegExp(pattern, "d"),
      projection,
    }));
  return rule.kind === "table" && rule.row.by === "pattern" && rule.parts === undefined
    ? [{ regex: new RegExp(rule.row.pattern, "d"), projection }]
    : [];
}

/** Lines of a record of several lines that are looked at. */
const FAR = 60;

function hostOf(rule: Rule, record: Extracted, regex: RegExp, lines: readonly string[]): string | undefined {
  if (rule.kind !== "block") return record.content;
  return lines.slice(record.line - 1, record.line - 1 + FAR).find((line) => regex.test(line));
}

/** What is glued to a part behind a mark on its left and on its right, up to a blank, a bracket, a quote or another part. */
export function restsOf({ host, start, end, others }: Placed): { left: string; right: string } {
  const before = Math.max(0, ...others.flatMap(([, to]) => (to <= start ? [to] : [])));
  const behind = Math.min(host.length, ...others.flatMap(([from]) => (from >= end ? [from] : [])));
  const left = /([^\s,;()[\]{}<>"'`|=]*[\p{L}\p{N}])[./:@+\\-]+$/u.exec(host.slice(before, start))?.[1];
  const right = /^[./:@+\\-]+([\p{L}\p{N}][^\s,;()[\]{}<>"'`|]*)/u.exec(host.slice(end, behind))?.[1];
  return { left: left ?? "", right: right ?? "" };
}

/** Words by which a page asks for a piece of a longer text. */
const PIECE =
  /\b(?:between|piece|part|parts|digits?|letters?|characters?|half|at sign|only|alone|without|bare|after|behind|from|first|second|third|fourth|last|suffix|ends?|before|in front of|up to|until|prefix|base ?name|leading|trailing|component|sides?|short|plain)\b|@/i;

/** A doubt about a part with the rest of the word glued to it behind a mark, another one in other lines. */
export function torn({ hint, name }: Part, places: readonly Placed[]): string[] {
  if (hint.wholeLine || PIECE.test(`${hint.description} ${hint.name.replace(/_/g, " ")}`)) return [];
  return (["left", "right"] as const).flatMap((side) => {
    const cut = places.filter((one) => isCut(one, side));
    const rests = new Set(cut.map((one) => restsOf(one)[side]));
    const [first] = cut;
    if (first === undefined || cut.length < places.length * 0.5 || rests.size < 2) return [];
    const { host, start, end } = first;
    return [`the ${name} goes on behind a mark: ${host.slice(start, end)}, in ${host.trim().slice(0, 120)}`];
  });
}

function isCut(one: Placed, side: "left" | "right"): boolean {
  const { host, start, end } = one;
  const rest = restsOf(one)[side];
  if (rest === "") return false;
  const text = host.slice(start, end);
  const mark = side === "left" ? host.charAt(start - 1) : host.charAt(end);
  // What a colon closes is whole.
  if (side === "right" && mark === ":") return false;
  // A row of cells between colons.
  if (side === "left" && mark === ":" && rest.includes(":")) return false;
  // Places and ranges are numbers by themselves.
  return !(/^\d+$/.test(text) && /^\d+(?:[:-]\d+)*:?$/.test(rest) && /[:-]/.test(mark));
}
