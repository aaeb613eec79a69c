// What sections 2, 3 and 4.2 say: checker type, patterns, waivers with reasons, whether an item is a find or a
// violation, and whether further items matter.

import type { CheckerType } from "../../../contract/config.ts";
import { numberWord } from "../page/names.ts";
import { bare, quotedIn, type Statement, splitList, statementsOf } from "../page/text.ts";
import { branches } from "./alternatives.ts";

export interface Waiver {
  pattern: string;
  reason: string;
}

export interface LogicReading {
  type: CheckerType;
  patterns: string[];
  expect: "present" | "absent";
  extra: "fail" | "info" | "unsaid";
  waivers: { value: number | null; items: Waiver[] };
  description: string;
  /** How each choice was made, for the reasoning. */
  why: string[];
  /** What is unclear; anything here keeps the config from being accepted. */
  open: string[];
}

const ABSENT =
  /\b(?:is|are|counts? as|means|be) (?:an? |each an? )?(?:violation|failure|finding|error|problem|defect)s?\b|\b(?:no|not any|without|zero|free of)\b[^.;]{0,40}\b(?:error|violation|warning|item|entr|line|record|match|failure|such|offen|finding)|\bmust (?:not|never)\b|\bmay not\b|\bshall not\b|\bnot allowed\b|\bforbidden\b|\bmust be (?:clean|empty|absent)\b|\b(?:is|are) (?:clean|not permitted|prohibited|banned)\b|\bfails? (?:if|when|on) (?:any|an?|one)\b|\bany (?:such )?(?:item|record|line|match|entry|finding|hit)s? (?:is|fails|means)\b|\beach (?:one|item|record|such [\w-]+|of them)? ?is an?\b|\bevery [\w -]{0,30} is an?\b|\bdon't[- ]use\b|\bnone (?:may|must|should)\b|\b(?:must|should|shall|may) be none\b|\bnone (?:is|are) (?:allowed|accepted|tolerated)\b|\bno such\b|\bno\b[^.;]{1,50}\b(?:is|are) (?:acceptable|allowed|tolerated|permitted|accepted)\b|\bno \w+ (?:is|are) allowed\b|\bviolations?\b.*\b(?:each|every|all|any)\b|\b(?:each|every|all|any)\b[^.;]*\bviolations?\b/i;
/** Patterns that name what must not appear. */
const FORBIDDEN =
  /\b(?:must|may|should|shall) (?:not|never) (?:be (?:used|seen|present|found|listed|there|loaded|instantiated|installed)|appear|occur|exist|show up|contain|match)|\bdon't[- ]use\b|\b(?:forbidden|banned|prohibited)\b|\bnone of (?:them|these|the following)\b|\b(?:is|are) not (?:allowed|permitted)\b|\bno \w+ (?:may|must|should) (?:match|be|appear)/i;
const PRESENT =
  /\bmust (?:be (?:seen|present|found|reported|listed|there|visited|loaded|named|in)|have|exist|appear|contain|run|show|occur|include)|\bat least one\b|\bhave been seen\b|\bexpected\b|\brequired\b|\bneeds? to (?:be|appear)\b/i;
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
  const patterns = readPatterns(checks, text, open);
  const waivers = readWaivers(waiverStatements, section3, open);
  const type = decideType(section2, patterns, waivers, why, open);
  const whole = `${text} ${bare(section42)}`;
  const said = type === 2 || type === 3 ? FORBIDDEN.test(text) : ABSENT.test(text);
  // Waivers by pattern excuse items that were found, so that finding them is the violation.
  const excused = type === 4 && !PRESENT.test(text) && !/\bexist/i.test(text) && waivers.items.length > 0;
  const absent = said || excused;
  // Existence and absence are opposite verdicts: where the page says neither, a person must.
  if (type === 4 && !absent && !PRESENT.test(text) && !/\bexist/i.test(text)) {
    open.push("Section 2 does not say whether an item that is found is wanted or a violation.");
  }
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
  return { type, patterns, expect, extra, waivers, description: describe(first), why, open };
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

/** Names of config keys and modes are no patterns. */
function isKeyword(text: string, before: string): boolean {
  return (
    /^(?:value|contains|exact|search|match|absent|present|requirements?(?:\.\w+)?|waivers?(?:\.\w+)?|pattern_items|waive_items|expect|extra|PASS|FAIL|N\/A|parsed_fields|default_match|regex_mode)$/.test(
      text,
    ) || /\b(?:fields?|value of|column)\s*$/i.test(before)
  );
}

/** "four patterns", "4 site types", "these three names": a number in front of what is listed. */
const COUNT =
  /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\s+(?:[\w-]+\s+){0,2}?(?:patterns?|types?|names?|items?|events?|entries|strings?|texts?|steps?|requirements?|expressions?|values?|keywords?|waivers?)\b/i;

function countOf(text: string): number | undefined {
  const match = COUNT.exec(text.replace(/\btype\s*\d\b/gi, ""));
  return match === null ? undefined : numberWord(match[1] ?? "");
}

function readWaivers(
  statements: readonly Statement[],
  section: string,
  open: string[],
): { value: number | null; items: Waiver[] } {
  const text = statements
    .map((one) => bare(one.text))
    .join(" ")
    .trim();
  const items: Waiver[] = [];
  let shared = "";
  for (const statement of statements) {
    const spans = quotedIn(statement.text).filter(
      (span) => span.mark === "code" && !isKeyword(span.text, ""),
    );
    let pending: Waiver[] = [];
    spans.forEach((span, index) => {
      const waiver = { pattern: span.text, reason: "" };
      items.push(waiver);
      pending.push(waiver);
      const rest = statement.text.slice(span.end, spans[index + 1]?.start ?? statement.text.length);
      const reason = reasonIn(rest);
      if (reason === "") return;
      for (const one of pending) one.reason = reason;
      pending = [];
    });
    for (const block of statement.blocks) {
      items.push(
        ...block
          .filter((line) => line.trim() !== "")
          .map((line) => ({ pattern: line.replace(/^\s*[-*]\s+/, "").trim(), reason: "" })),
      );
    }
    const because = /\b(?:because|since|as|reason(?: is)?:?)\s+(.+?)(?::|\.|$)/i.exec(
      bare(statement.text),
    )?.[1];
    const lead =
      /^(?:selective)?[,:]?\s*(?:(?:one|two|three|four|five|six|\d+) waivers?)?[,:]?\s*(.*?):/i.exec(
        bare(statement.text),
      )?.[1];
    shared ||= clean(because ?? lead ?? "");
  }
  for (const item of items) item.reason ||= shared === "" ? "" : shared;
  const none =
    /^\s*(?:n\/?a\b|none\b|no waivers?\b|not applicable\b|-+\s*$|nothing (?:can|may|is)\b|there are no waivers\b|waivers? (?:are|is) not (?:allowed|supported|applicable|used))/i;
  if (section.trim() === "" || none.test(text.replace(/[‹›]/g, "").trim())) {
    return { value: null, items: [] };
  }
  if (
    /\bglobal(?:ly)?\b/i.test(text) ||
    /\b(?:all|every(?:thing)?|any) (?:violations?|items?|findings?|of them|missing items?)?\s*(?:is|are|may be|can be) waived\b|\bfor information only\b|\binformational only\b/i.test(
      text,
    )
  ) {
    return { value: 0, items };
  }
  if (items.length === 0) {
    const quoted = statements.flatMap((one) => quotedIn(one.text)).map((span) => span.text);
    if (quoted.length > 0)
      return { value: quoted.length, items: quoted.map((pattern) => ({ pattern, reason: shared })) };
    open.push("Section 3 speaks of waivers, but says neither which nor that they are global.");
    return { value: null, items: [] };
  }
  const stated = countOf(text);
  if (stated !== undefined && stated !== items.length) {
    open.push(
      `Section 3 speaks of ${stated} waivers, but ${items.length} were read: ${items.map((one) => one.pattern).join(", ")}.`,
    );
  }
  // One of several is waived by any of them; of requirements each is needed, so those are left as they stand.
  const split = items.flatMap((one) => branches(one.pattern).map((pattern) => ({ ...one, pattern })));
  return { value: split.length, items: split };
}

/** The reason behind a pattern: in brackets, after a dash or colon, or after "because". */
function reasonIn(rest: string): string {
  const bracket = /^[^`(]{0,30}\(([^()]*(?:\([^()]*\)[^()]*)*)\)/.exec(rest)?.[1];
  if (bracket !== undefined) return clean(bracket);
  const after =
    /^\s*(?:[:–—-]\s|because\s|since\s|as\s|,?\s*reason:?\s)\s*([^`]+?)(?:[;.]\s*|,\s*(?:and\s*)?)?$/i.exec(
      rest,
    )?.[1];
  return after === undefined ? "" : clean(after);
}

function clean(text: string): string {
  return text
    .replace(/[‹›`]/g, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:.]+|[\s,;:.]+$/g, "")
    .trim();
}
