// What sections 2, 3 and 4.2 say: checker type, patterns, waivers with reasons, whether an item is a find or a
// violation, and whether further items matter.

import type { CheckerType } from "../../../contract/config.ts";
import { bare, quotedIn, type Statement, splitList, statementsOf } from "../page/text.ts";
import { withoutBars } from "./alternatives.ts";
import { readExpect } from "./expect.ts";
import { readWaivers, type Waivers } from "./waivers.ts";
import { COUNT, countOf, isKeyword } from "./words.ts";

export interface LogicReading {
  type: CheckerType;
  patterns: string[];
  expect: "present" | "absent";
  extra: "fail" | "info" | "unsaid";
  waivers: Waivers;
  description: string;
  /** The page's own text of patterns that had to be written otherwise (`alternatives.ts`). */
  spelled: ReadonlyMap<string, string>;
  /** How each choice was made, for the reasoning. */
  why: string[];
  /** What is unclear; anything here keeps the config from being accepted. */
  open: string[];
}

/** Patterns that name what must not appear. */
const FORBIDDEN =
  /\b(?:must|may|should|shall) (?:not|never) (?:be (?:used|seen|present|found|listed|there|loaded|instantiated|installed)|appear|occur|exist|show up|contain|match)|\bdon't[- ]use\b|\b(?:forbidden|banned|prohibited)\b|\bnone of (?:them|these|the following)\b|\b(?:is|are) not (?:allowed|permitted)\b|\bno \w+ (?:may|must|should) (?:match|be|appear)/i;
const OPEN_SET =
  /\b(?:other|further|more|additional|extra)\b[^.;]{0,50}\b(?:allowed|fine|ok|okay|accepted|acceptable|permitted|welcome|ignored|expected|not (?:a )?violations?|no violations?|do(?:es)? not matter|irrelevant|harmless|may|are possible|informational)\b|\bmust (?:have )?(?:be(?:en)? )?(?:seen|present|found|reported|visited|listed|appear|exist|there)|\bat least\b|\bmust have (?:been )?\w+|\bmust (?:be|appear) (?:in|among|there)|\bare (?:required|expected)\b|\bneeds? to (?:be seen|appear)\b/i;
const CLOSED_SET =
  /\b(?:only|exactly|solely|nothing else|no (?:other|further)|all that (?:is|are) allowed|and nothing more|whitelist|allow(?:ed)? list|any other [\w ]+ (?:is|fails))\b/i;

export function readLogic(section2: string, section3: string, section42: string): LogicReading {
  const why: string[] = [];
  const open: string[] = [];
  const checks = statementsOf(section2);
  const waiverStatements = statementsOf(section3);
  const text = checks.map((one) => bare(one.text)).join(" ");
  const spelled = new Map<string, string>();
  const spell = (pattern: string): string => {
    const written = withoutBars(pattern);
    if (written !== pattern) spelled.set(written, pattern);
    return written;
  };
  const patterns = readPatterns(checks, text, open).map(spell);
  const asRead = readWaivers(waiverStatements, section3, open);
  const waivers = {
    ...asRead,
    items: asRead.items.map((waiver) => ({ ...waiver, pattern: spell(waiver.pattern) })),
  };
  const type = decideType(section2, patterns, waivers, why, open);
  const whole = `${text} ${bare(section42)}`;
  const wish = readExpect(text);
  const said = type === 2 || type === 3 ? FORBIDDEN.test(text) : wish === "absent";
  // Waivers by pattern excuse items that were found, so that finding them is the violation.
  const excused = type === 4 && wish === "unsaid" && waivers.items.length > 0;
  const absent = said || excused;
  // Existence and absence are opposite verdicts: where the page says neither, a person must.
  if ((type === 4 && !absent && wish === "unsaid") || (type !== 2 && type !== 3 && wish === "unclear"))
    open.push("Section 2 does not say clearly whether an item that is found is wanted or a violation.");
  const expect = absent ? "absent" : "present";
  why.push(
    absent
      ? "An item that is found is a violation (expect: absent)."
      : "Items are what must be found (expect: present).",
  );
  let extra: LogicReading["extra"] = "unsaid";
  if (OPEN_SET.test(whole)) extra = "info";
  else if (CLOSED_SET.test(text)) extra = "fail";
  const first = checks[0]?.sentences[0]?.text ?? "";
  return { type, patterns, expect, extra, waivers, description: describe(first), spelled, why, open };
}

/** The type that section 2 states, else the one that follows from patterns and waivers. */
function decideType(
  section2: string,
  patterns: string[],
  waivers: LogicReading["waivers"],
  why: string[],
  open: string[],
): CheckerType {
  const waived = waivers.value !== null;
  const stated = /\btype[\s:-]*([1-4])\b/i.exec(section2)?.[1];
  if (stated === undefined) {
    const type: CheckerType = patterns.length > 0 ? (waived ? 3 : 2) : waived ? 4 : 1;
    why.push(`Type ${type} follows from ${patterns.length} patterns and ${waived ? "the" : "no"} waivers.`);
    return type;
  }
  const type = Number(stated) as CheckerType;
  why.push(`Section 2 says type ${type}.`);
  const asks = type === 2 || type === 3;
  if (asks && patterns.length === 0) open.push("Section 2 asks for patterns, but none could be read.");
  if (!asks) patterns.length = 0;
  if (type >= 3 && !waived) {
    open.push(`Type ${type} has waivers, but section 3 gives none that could be read.`);
  }
  if (type <= 2 && waived) {
    open.push(`Type ${type} has no waivers, but section 3 gives some.`);
    waivers.value = null;
  }
  return type;
}

function describe(text: string): string {
  const plain = text
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .replace(/[:;,]\s*$/, "")
    .trim();
  return plain === "" ? "Check of the extracted items" : plain.slice(0, 160);
}

/** Patterns: backticked texts of the statements; else quoted ones; else a plain list behind a colon. */
function readPatterns(checks: readonly Statement[], text: string, open: string[]): string[] {
  const patterns: string[] = [];
  const take = (statement: Statement, mark: "code" | "quote"): void => {
    for (const sentence of statement.sentences) {
      // Remarks such as "other stages, e.g. `x`, are fine" name no requirement.
      if (
        /\b(?:others?|further|e\.g\.|for example|such as|unlike)\b/i.test(bare(sentence.text)) &&
        !/\bmust\b/i.test(sentence.text)
      )
        continue;
      for (const span of quotedIn(sentence.text)) {
        if (span.mark === mark && !isKeyword(span.text, sentence.text.slice(0, span.start)))
          patterns.push(span.text);
      }
    }
    for (const block of statement.blocks) {
      if (mark !== "code") continue;
      patterns.push(
        ...block
          .map((line) => line.replace(/^\s*[-*]\s+["']?|["']\s*$/g, "").trim())
          .filter((line) => line !== "" && !/^\w+:\s*$/.test(line)),
      );
    }
  };
  for (const statement of checks) take(statement, "code");
  if (patterns.length === 0) for (const statement of checks) take(statement, "quote");
  const stated = countOf(text);
  if (patterns.length === 0 && /\bpatterns?\b|\btype\s*[23]\b/i.test(text)) {
    for (const statement of checks) {
      const list = /[:：]\s*(.+?)[.]?\s*$/.exec(statement.text)?.[1];
      if (list === undefined) continue;
      const parts = splitList(list).map((part) => part.replace(/^(?:and|or)\s+/, "").trim());
      if (parts.length === (stated ?? parts.length) && parts.every((part) => part.split(/\s+/).length <= 6))
        patterns.push(...parts);
    }
    const bullets = checks.filter((statement) => statement.depth > 0);
    if (patterns.length === 0 && bullets.length > 0 && (stated === undefined || bullets.length === stated)) {
      patterns.push(...bullets.map((statement) => statement.text.replace(/[.]$/, "")));
    }
  }
  if (stated !== undefined && patterns.length > 0 && stated !== patterns.length) {
    // "`x` for each block: two patterns, `a` and `b`": what follows the number is the list.
    const listed = afterCount(checks);
    if (listed.length === stated) return listed;
    const unique = [...new Set(patterns)];
    if (unique.length === stated) return unique;
    open.push(
      `Section 2 speaks of ${stated} patterns, but ${patterns.length} were read: ${patterns.join(", ")}.`,
    );
  }
  return patterns;
}

/** The backticked texts behind the words that give their number. */
function afterCount(checks: readonly Statement[]): string[] {
  for (const statement of checks) {
    const at = COUNT.exec(statement.text);
    if (at === null) continue;
    return statement.quoted
      .filter((span) => span.mark === "code" && span.start > at.index)
      .map((span) => span.text);
  }
  return [];
}
