// All doubts about what the rules of one kind of record do on the observed lines. None of them knows how a rule was found.

import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { borders } from "./borders.ts";
import { inconsistencies } from "./consistency.ts";
import { cutTexts } from "./cut-texts.ts";
import { doubled } from "./doubled.ts";
import { doubles } from "./doubles.ts";
import { elastic } from "./elastic.ts";
import { filtered } from "./filtered.ts";
import { gapDoubts } from "./gaps.ts";
import { headedLists } from "./headed-lists.ts";
import { headless } from "./headless.ts";
import { instead } from "./instead.ts";
import { lackings } from "./lacking.ts";
import { leftCells } from "./left-cells.ts";
import { limits } from "./limits.ts";
import { looseBeside } from "./loose-beside.ts";
import { mentioned } from "./mentioned.ts";
import { namedTables } from "./named-tables.ts";
import { namedWords } from "./named-words.ts";
import { neverRead } from "./never-read.ts";
import { oddRows } from "./odd-rows.ts";
import { opposed } from "./opposed.ts";
import { otherKeys } from "./other-keys.ts";
import { otherLayouts } from "./other-layouts.ts";
import { plainBeside } from "./plain-beside.ts";
import { relaxed } from "./relaxed/index.ts";
import { restrictions } from "./restrictions.ts";
import { unrealised } from "./rules.ts";
import { saidOut } from "./said-out.ts";
import { implausible } from "./seen/index.ts";
import { several } from "./several.ts";
import { shownButOut } from "./shown-out.ts";
import { nextLines, oneWording, shownShapes } from "./shown-shapes.ts";
import { spoken } from "./spoken.ts";
import { told } from "./told.ts";
import { unfounded } from "./unfounded.ts";
import { unusedTexts, unusedWords, unwantedTitles } from "./unused-texts.ts";
import { vetoes } from "./vetoes.ts";

/** What rules are judged by. */
export interface Judged {
  group: Group;
  /** What the page says and the rules do not do yet. */
  page: Page;
  /** All that the page says. */
  whole: Page;
  lines: readonly string[];
}

/** Each doubt in words; some of them twice. */
export function doubtsOf(rules: readonly Rule[], judged: Judged): string[] {
  const { group, page, whole, lines } = judged;
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  return [
    ...rules.flatMap((rule) => aboutRule(rule, judged)),
    ...restrictions(rules, group, page, lines),
    ...neverRead(records, group),
    ...saidOut(records, group, whole),
    ...mentioned(rules, group, page, lines),
    ...told(rules, group, page, lines),
    ...doubles(rules, page, lines),
    ...otherLayouts(rules, group, lines),
    ...plainBeside(rules, records, group, lines),
    ...namedWords(rules, group, page, lines),
    ...shownButOut(rules, group),
    ...shownShapes(records, group, lines),
    ...nextLines(rules, group, whole),
    ...oneWording(rules, group, whole),
    ...implausible(rules, group, lines),
    ...unusedTexts(rules, group, page, lines),
    ...unusedWords(rules, group, page, lines),
    ...unwantedTitles(rules, page, lines),
    ...relaxed(rules, judged),
    ...instead(rules, group, whole, lines),
    ...several(rules, group, whole),
  ];
}

function aboutRule(rule: Rule, { group, page, whole, lines }: Judged): string[] {
  const doubts = [
    ...unrealised(rule, page, lines),
    ...vetoes(rule, group, lines, whole.unwanted),
    ...doubled(rule, group, page, lines),
    ...headless(rule, whole, lines),
    ...limits(rule, group, page, lines),
    ...inconsistencies(rule, group, whole, lines),
    ...lackings(rule, group, page, lines),
    ...cutTexts(rule, group, page, lines),
    ...namedTables(rule, page, lines),
    ...filtered(rule, whole, lines),
    ...looseBeside(rule, lines),
    ...headedLists(rule, whole, lines),
  ];
  if (rule.kind === "table") doubts.push(...oddRows(rule, lines));
  if (rule.kind !== "line") return doubts;
  doubts.push(
    ...unfounded(rule, group, whole, lines),
    ...gapDoubts(rule, group, whole, lines),
    ...otherKeys(rule, group, lines),
    ...leftCells(rule, group, whole, lines),
    ...spoken(rule, group, page, lines),
    ...opposed(rule, group, page, lines),
    ...elastic(rule, group, whole, lines),
  );
  if (group.examples.length === 0) doubts.push(...borders(rule, group.value, group.fields, lines));
  return doubts;
}
