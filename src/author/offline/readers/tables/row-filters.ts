// Which rows of a table are wanted: the page's conditions on its columns, marks in front of rows, closing totals.

import { escapeRegex } from "../../escape.ts";
import { filterOf, holds } from "../../page/conditions.ts";
import { similarity } from "../../page/names.ts";
import type { FieldRule, Hint, Page } from "../../page/page.ts";
import { bare } from "../../page/text.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { GroupFilter, TableRule } from "../../program/ir.ts";
import { filterFor } from "../wishes.ts";
import { filledFilters } from "./filled-conditions.ts";
import type { Header } from "./headers.ts";
import { ordinalFilters } from "./ordinal-conditions.ts";
import { clauseFilters } from "./row-conditions.ts";

/** The page's conditions on the columns of a table, and conditions beside them that no column fits. */
export function conditionsOn(
  page: Page,
  header: Header,
  groups: readonly string[],
): { filters: GroupFilter[]; unread: string[] } {
  const filters = filtersFor(page.rules, header, groups);
  const columns = (header.texts ?? []).map((texts, index) => {
    const names = [header.cells[index]?.name ?? "", header.hints[index]?.name ?? ""];
    return { group: groups[index] ?? "", names, texts, shown: shownIn(page, texts) };
  });
  for (const filter of [...ordinalFilters(page, columns), ...filledFilters(page, columns)])
    if (!filters.some((one) => one.group === filter.group)) filters.push(filter);
  const told = clauseFilters(page, columns);
  for (const filter of told.filters) {
    // Where the page lists the texts of the column that are wanted, a word of its title says less.
    const listed = page.claims.some(
      (claim) =>
        claim.wanted &&
        claim.tests.some(
          (one) => one.texts.length > 1 && filter.equals.every((text) => one.texts.includes(text)),
        ),
    );
    if (listed) continue;
    if (!filters.some((one) => one.group === filter.group)) filters.push(filter);
  }
  const parts = columns.map(({ group, names, texts }, index) => ({
    group,
    names,
    texts,
    description: header.hints[index]?.description ?? "",
  }));
  for (const wish of page.wishes) {
    const filter = filterFor(wish, parts);
    if (filter !== undefined && !filters.some((one) => one.group === filter.group)) filters.push(filter);
  }
  // "the stations that were learned, i.e. the rows of type X": what explains the clause was found.
  const explained = filters.length > 0 && told.unread.length > 0;
  // What another reader of conditions has bound is read.
  const isBound = (part: string): boolean =>
    filters.some(
      ({ equals, negate }) =>
        negate !== true &&
        equals.length === 1 &&
        new RegExp(`(?<![\\w-])${escapeRegex(equals[0] ?? "")}\\W*$`).test(part),
    );
  const unread = told.unread.filter(
    ({ part, said, parts: count }) =>
      !isBound(part) &&
      !(explained && isTitle(page, said) && asked(page, filters) >= count) &&
      (!explained ||
        !page.statements.some(({ sentences }) =>
          sentences.some(
            ({ text }) => text.includes(part) && /\bi\.e\.|\bthat is,|\bwhich means\b/i.test(text),
          ),
        )),
  );
  return { filters, unread: [...unread.map(({ part }) => part), ...secondKinds(page, filters)] };
}

function isTitle(page: Page, plain: string): boolean {
  const [first] = page.statements;
  return first?.depth === 0 && bare(first.sentences[0]?.text ?? "") === plain;
}

/** How many of the filters are what one sentence behind the title asks for with "only": "ports that are enabled but have no
 * link", and then "only rows with the state Up and the link No". */
function asked(page: Page, filters: readonly GroupFilter[]): number {
  const counts = page.statements.slice(1).flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      if (!/\bonly\b/i.test(text)) return [];
      const words = new Set(text.split(/[^\w/+-]+/));
      return filters.filter(
        ({ equals, negate }) => negate !== true && equals.length > 0 && equals.every((one) => words.has(one)),
      ).length;
    }),
  );
  return Math.max(0, ...counts);
}

/** "Those with security NONE and those that still offer WPA": only the first kind is told by a filter. */
function secondKinds(page: Page, filters: readonly GroupFilter[]): string[] {
  return page.statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }) => {
      const [, first = "", second = ""] =
        /\b(those (?:with|in|of|that|whose) .+?),? (?:and|as well as|or) (those (?:with|in|of|that|which|whose) .+)$/i.exec(
          text,
        ) ?? [];
      const isIn = (one: GroupFilter, said: string): boolean =>
        one.negate !== true && one.equals.some((own) => own.length > 1 && said.includes(own));
      const half = filters.some((one) => isIn(one, first)) && !filters.some((one) => isIn(one, second));
      return second !== "" && half ? [second] : [];
    }),
  );
}

/** Texts of a column of few texts that stand as a text of their own in a line that the page shows. */
function shownIn(page: Page, texts: readonly string[]): string[] {
  const pieces = new Set(
    page.groups.flatMap((group) =>
      group.examples.flatMap((one) => one.lines.flatMap((line) => line.trim().split(/[\s|;,]+/))),
    ),
  );
  return [...new Set(texts)].filter((text) => pieces.has(text));
}

/** The page's conditions on a column. */
function filtersFor(rules: readonly FieldRule[], header: Header, groups: readonly string[]): GroupFilter[] {
  const filters: GroupFilter[] = [];
  for (const rule of rules) {
    const ranked = header.cells
      .map((cell, index) => ({
        index,
        like: Math.max(
          similarity(rule.name, cell.name),
          similarity(rule.name, hintName(header.hints[index])),
        ),
      }))
      .filter(({ like }) => like > 0.5)
      .sort((a, b) => b.like - a.like);
    // "Session 0", with columns for the name of the session and its number: the one that has such a text.
    const has = ({ index }: { index: number }): boolean =>
      (header.texts?.[index] ?? []).some((text) => holds({ ...rule, negate: false }, text));
    const best = ranked.find(has) ?? ranked[0];
    const group = groups[best?.index ?? -1];
    // "The other tables begin with names, too, and are not wanted" has no texts of a column.
    if (
      group === undefined ||
      rule.equals.some((text) => /^(?:too|and|also|as|well|but|all|fully|yet|always|completely)$/.test(text))
    )
      continue;
    if (filters.some((one) => one.group === group && (one.negate ?? false) === rule.negate)) continue;
    filters.push(filterOf(rule, group));
  }
  return filters;
}

function hintName(hint: Hint | undefined): string {
  return hint?.name ?? "";
}
/** Only rows with one of the marks that the page wants in front. */
export function keepMarked(rule: TableRule, page: Page): void {
  const marks = page.marks?.wanted;
  if (marks === undefined) return;
  if (rule.row.by === "pattern" && rule.row.pattern.startsWith("^\\s*")) {
    rule.row.pattern = `^(?<mark>.)${rule.row.pattern.slice(1)}`;
  } else if (rule.row.by === "columns") {
    rule.row.columns.unshift({ group: "mark", start: 0, end: 1 });
  } else return;
  rule.filters.push({ group: "mark", equals: marks });
}

/** Closing rows ("Total") that the page calls no item. */
export function dropTotals(rule: TableRule, page: Page, lines: readonly string[]): void {
  const value = rule.projection.value;
  if (value.from !== "group") return;
  const unwanted = new Set<string>();
  const negative =
    page.prose
      .match(
        /[^.\n]*\b(?:not (?:an?|wanted|counted|items?)|is no|are no|ignor\w+|exclud\w+|skip\w*)\b[^.\n]*/gi,
      )
      ?.join(" ")
      .toLowerCase() ?? "";
  for (const record of interpretRule(rule, lines)) {
    const word = record.value.toLowerCase().replace(/[:*]+$/, "");
    if (
      /^(?:grand )?(?:total|sum|average|mean|overall|all|subtotal|summary)s?$/.test(word) &&
      negative.includes(word.split(" ").at(-1) ?? word)
    ) {
      unwanted.add(record.value);
    }
  }
  if (unwanted.size > 0) rule.filters.push({ group: value.group, equals: [...unwanted], negate: true });
}

const WHOLE =
  "(?:snapshots?|tables?|samples?|reports?|runs?|iterations?|summar(?:y|ies)|outputs?|lists?|blocks?|ones?|measurements?|passes|pass|stages?|steps?)";
const ONLY_ONE = [
  new RegExp(`\\bonly (?:the )?(?:rows of the |table of the )?(first|last)(?: ${WHOLE})?\\b`, "i"),
  new RegExp(
    `\\b(?:from|in|of|only|take|is) the (first|last) of the (?:two|three|four|several|\\w+) ${WHOLE}\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:take|use|extract|read|want|keep)\\b[^.;]*\\bthe (first|last) ${WHOLE}\\b(?! (?:column|line))`,
    "i",
  ),
  new RegExp(
    `\\bthe (first|last) ${WHOLE}(?: in (?:the|each|every) (?:file|log|report))? (?:counts?|matters?|is (?:wanted|valid|the one|of interest))`,
    "i",
  ),
];

/** "Only the last one in the file counts": which of several tables under the same heading is wanted. */
export function onlyTable(page: Page): "first" | "last" | undefined {
  // "two reports per run ... only the devices of the second report are of interest".
  const two = new RegExp(`\\btwo ${WHOLE}`, "i").test(page.prose);
  const second = new RegExp(
    `\\b(?:only|take|extract|wanted)\\b[^.;]*\\bthe second(?: of (?:the two|them))?(?: ${WHOLE})?\\b`,
    "i",
  );
  if (two && second.test(page.prose)) return "last";
  for (const statement of [...page.statements, ...page.sourceStatements]) {
    for (const { text } of statement.sentences) {
      for (const form of ONLY_ONE) {
        const found = form.exec(bare(text));
        const behind = text.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
        if (
          found === null ||
          /^[- ]*(?:\w+ )?(?:columns?|lines?|rows?|words?|parts?|numbers?|names?|fields?|characters?|letters?|digits?|times?)\b/i.test(
            behind,
          )
        )
          continue;
        return found[1]?.toLowerCase() === "first" ? "first" : "last";
      }
    }
  }
  return undefined;
}
