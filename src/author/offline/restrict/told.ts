// What is asked of no part that was read, but told by the lines of a record: the lines get a group of their own that only the
// filter reads.

import { withAhead } from "../conditions/ahead.ts";
import { escapeRegex } from "../escape.ts";
import { holds } from "../page/conditions.ts";
import { makeHint } from "../page/make-hint.ts";
import { interpretRule } from "../program/interpret.ts";
import type { GroupFilter, Rule } from "../program/ir.ts";
import type { Ask } from "./asks.ts";
import { alone, type Fit } from "./fits.ts";

export interface Told {
  rules: Rule[];
  fit: Fit;
}

/** The ask bound to the lines of the records, when these tell some records from others. */
export function toldByLines(ask: Ask, rules: readonly Rule[], lines: readonly string[]): Told | undefined {
  if (rules.some(({ kind }) => kind === "block") && isLabel(ask, lines)) return undefined;
  for (const { source, filter } of sourcesOf(ask)) {
    const own = withGroup(rules, source, lines);
    if (own === undefined) return undefined;
    const { group } = own;
    const records = own.rules.flatMap((rule) => interpretRule(showing(rule, group), lines));
    const full: GroupFilter = { ...filter, group };
    const hits = records.map((record) => holds({ negate: false, ...full }, record.fields[group] ?? ""));
    if (hits.every(Boolean) || !hits.some(Boolean)) continue;
    if (ask.negate) for (const [at, hit] of hits.entries()) hits[at] = !hit;
    const { negate, ...plain } = full;
    const turned = (negate === true) !== ask.negate;
    const part = { hint: makeHint(group, ""), group, isValue: false };
    return {
      rules: own.rules,
      fit: {
        part,
        filter: { ...plain, ...(turned ? { negate: true } : {}) },
        hits,
        score: 0,
        isNamed: false,
      },
    };
  }
  return undefined;
}

/** Keys that are not wanted do not make their record unwanted. */
function isLabel({ texts }: Ask, lines: readonly string[]): boolean {
  return texts.some((text) => {
    const label = new RegExp(`^\\s*${escapeRegex(text)}[\\s.]*[:=]`);
    return lines.some((line) => label.test(line));
  });
}

const HAVING = { equals: [""], negate: true } as const;

/** Expressions with the group `told`, and what is asked of it. */
function sourcesOf({ how, texts, unit }: Ask): { source: string; filter: Omit<GroupFilter, "group"> }[] {
  const having = { equals: [...HAVING.equals], negate: HAVING.negate };
  if (how === "is" || how === "contains") {
    if (texts.some((text) => text.length < 2 && !/[^\u0000-\u007f]/.test(text))) return [];
    return [{ source: `(?<told>${texts.map(alone).join("|")})`, filter: having }];
  }
  if (how === "like") {
    const [text = ""] = texts;
    return /^\^|\$$/.test(text) ? [] : [{ source: `(?<told>${text})`, filter: having }];
  }
  if (how === "before" || how === "until" || how === "since" || how === "after") {
    const [text = ""] = texts;
    const source = /^\d{4}/.test(text)
      ? `(?<!\\d)(?<told>\\d{4}[-/.]\\d{2}[-/.]\\d{2}${text.length > 10 ? "[T ]\\d{2}:\\d{2}(?::\\d{2})?" : ""})`
      : /^\d{1,2}:\d{2}/.test(text)
        ? "(?<![\\d.:])(?<told>\\d{2}:\\d{2}:\\d{2})(?![\\d:])"
        : undefined;
    return source === undefined ? [] : [{ source, filter: { equals: [...texts], match: how } }];
  }
  if (
    how === "blank" ||
    how === "prefix" ||
    how === "suffix" ||
    unit === undefined ||
    !/^[a-z]{3,}$/i.test(unit)
  )
    return [];
  const noun = escapeRegex(unit.replace(/s$/, ""));
  return [
    {
      source: `(?<![\\w.])(?<told>[-+]?\\d[\\d.,]*) ${noun}(?:s|es)?(?![a-z])`,
      filter: { equals: [...texts], match: how },
    },
  ];
}

/** The rules with a group for what the expression finds on a line of the record. */
function withGroup(
  rules: readonly Rule[],
  source: string,
  lines: readonly string[],
): { rules: Rule[]; group: string } | undefined {
  const known = JSON.stringify(rules);
  let group = "told";
  for (let number = 2; known.includes(`<${group}>`); number += 1) group = `told_${number}`;
  const own = source.replace("(?<told>", `(?<${group}>`);
  const ahead = `(?:(?=.*?${own})|)`;
  const regex = new RegExp(own);
  const example = lines.find((line) => regex.test(line));
  if (example === undefined) return undefined;
  const result: Rule[] = [];
  for (const rule of rules) {
    if (rule.kind === "line") {
      const alternatives = rule.alternatives.map((one) => ({
        ...one,
        pattern: withAhead(one.pattern, ahead),
      }));
      result.push({ ...rule, alternatives });
    } else if (rule.kind === "block") {
      result.push({ ...rule, inner: [...(rule.inner ?? []), { pattern: `^.*?${own}`, example }] });
    } else if (rule.kind === "table" && rule.row.by === "pattern") {
      result.push({ ...rule, row: { ...rule.row, pattern: withAhead(rule.row.pattern, ahead) } });
    } else return undefined;
  }
  return { rules: result, group };
}

/** The rule with the group as a field. */
function showing(rule: Rule, group: string): Rule {
  const field = { name: group, source: { from: "group" as const, group } };
  if (rule.kind !== "line")
    return { ...rule, projection: { ...rule.projection, fields: [...rule.projection.fields, field] } };
  const alternatives = rule.alternatives.map((one) => ({
    ...one,
    projection: { ...one.projection, fields: [...one.projection.fields, field] },
  }));
  return { ...rule, alternatives };
}
