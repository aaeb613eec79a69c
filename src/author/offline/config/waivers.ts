// What section 3 waives: patterns with their reasons, or everything. A reason stands in brackets, behind a dash or a comma, in a
// clause or a sentence of its own, in front of the patterns, or in the words that open the section.

import { bare, quotedIn, type Statement } from "../page/text.ts";
import { countOf, isKeyword } from "./words.ts";

export interface Waiver {
  pattern: string;
  reason: string;
}

export interface Waivers {
  /** 0: all is waived; null: nothing is. */
  value: number | null;
  items: Waiver[];
}

const NONE =
  /^\s*(?:n\/?a\b|none\b|no waivers?\b|not applicable\b|-+\s*$|nothing (?:can|may|is)\b|there are no waivers\b|waivers? (?:are|is) not (?:allowed|supported|applicable|used))/i;
const GLOBAL =
  /\bglobal(?:ly)?\b|\b(?:all|every(?:thing)?|any) (?:violations?|items?|findings?|of them|missing items?)?\s*(?:is|are|may be|can be) waived\b|\bfor information only\b|\binformational only\b/i;

/**
 * Reads section 3.
 * @param section its text as it is
 * @param open what is unclear is added here
 */
export function readWaivers(statements: readonly Statement[], section: string, open: string[]): Waivers {
  const text = statements
    .map((one) => bare(one.text))
    .join(" ")
    .trim();
  if (section.trim() === "" || NONE.test(text.replace(/[‹›]/g, "").trim())) return { value: null, items: [] };
  const items = withReasons(statements);
  if (GLOBAL.test(text)) {
    // The remark stands in the report for what is waived.
    const remark = statements
      .map((one) =>
        one.text.replace(/^(?:a )?global(?:ly)?(?: waivers?)?(?: \((?:value )?0\))?[\s:;,.–—-]*/i, "").trim(),
      )
      .map((one) => one.replace(/^["“]|["”]$|[.]$/g, "").replace(/["”]$/, ""))
      .filter((one) => one !== "")
      .join(" ");
    return { value: 0, items: items.length > 0 || remark === "" ? items : [{ pattern: remark, reason: "" }] };
  }
  if (items.length === 0) {
    const quoted = statements.flatMap((one) => quotedIn(one.text)).map((span) => span.text);
    const reason = statements.map((one) => reasonInLead(bare(one.text))).find((one) => one !== "") ?? "";
    if (quoted.length > 0)
      return { value: quoted.length, items: quoted.map((pattern) => ({ pattern, reason })) };
    open.push("Section 3 speaks of waivers, but says neither which nor that they are global.");
    return { value: null, items: [] };
  }
  const stated = countOf(text);
  if (stated !== undefined && stated !== items.length) {
    open.push(
      `Section 3 speaks of ${stated} waivers, but ${items.length} were read: ${items.map((one) => one.pattern).join(", ")}.`,
    );
  }
  return { value: items.length, items };
}

/** The patterns of all statements with their reasons. */
function withReasons(statements: readonly Statement[]): Waiver[] {
  const items: Waiver[] = [];
  let shared = "";
  for (const statement of statements) {
    const own = ofStatement(statement);
    items.push(...own);
    const [first] = statement.quoted.filter((span) => span.mark === "code");
    shared ||= reasonInLead(first === undefined ? statement.text : statement.text.slice(0, first.start));
    for (const block of statement.blocks)
      items.push(
        ...block
          .filter((line) => line.trim() !== "")
          .map((line) => ({ pattern: line.replace(/^\s*[-*]\s+/, "").trim(), reason: "" })),
      );
  }
  for (const item of items) item.reason ||= shared;
  return items;
}

/** The patterns of one statement; a reason holds for all patterns in front of it that have none. */
function ofStatement({ text }: Statement): Waiver[] {
  const spans = quotedIn(text).filter((span) => span.mark === "code" && !isKeyword(span.text, ""));
  const items: Waiver[] = [];
  let pending: Waiver[] = [];
  for (const [index, span] of spans.entries()) {
    const waiver = { pattern: span.text, reason: "" };
    items.push(waiver);
    pending.push(waiver);
    const before = text.slice(spans[index - 1]?.end ?? 0, span.start);
    const behind = text.slice(span.end, spans[index + 1]?.start ?? text.length);
    const reason = reasonBehind(behind);
    const ahead = reason === "" ? reasonAhead(before, behind) : "";
    if (ahead !== "") waiver.reason = ahead;
    if (reason === "") continue;
    for (const one of pending) one.reason ||= reason;
    pending = [];
  }
  return items;
}

/** What follows a pattern, up to the next one, without the words that only connect. */
function reasonBehind(text: string): string {
  const bracket = /^[^`(]{0,30}\(([^()]*(?:\([^()]*\)[^()]*)*)\)/.exec(text)?.[1];
  if (bracket !== undefined && !/^\s*(?:is|are|was|were)\b/.test(text)) return clean(bracket);
  // "(`a`) and spare bumps (`b`)": what stands in front of the next one.
  if (/^\)/.test(text)) return "";
  const own = clean(
    text
      .replace(/^[\s,;:.–—-]+/, "")
      .replace(WITHOUT, " ")
      .replace(TARGET, " ")
      .replace(/(?:[\s,;:.]+(?:and|or|also|as well as|plus|then|finally|further))+[\s,;:]*$/i, "")
      .replace(/[\s,;:.(]+$/, ""),
  )
    .replace(
      /^(?:(?:is|are|was|were|both|all|they|may be|can be) )*(?:waived|excused|accepted|allowed|tolerated|exempt(?:ed)?)\b[\s,;:.]*/i,
      "",
    )
    .replace(/^(?:(?:because|since|reason(?: is)?:?|for the reason that|due to)\s+)/i, "")
    .replace(
      /^(?:(?:is|are)\s+(?=(?:an?|the|our|only|just|no|not|known|planned)\b)|as\s+(?=(?:we|it|they|the|this)\b)|for\s+(?=we\b))/i,
      "",
    );
  // "`x`: frozen" is a reason of one word.
  const isReason = /\s\S/.test(own) || /^\s*[:–—-]\s*\w/.test(text);
  return isReason && !CONNECTS.test(own) ? clean(own) : "";
}

/** "without reasons", "no reason given". */
const WITHOUT =
  /\b(?:without|no) (?:a |any |further )?reasons?(?: (?:is |are )?(?:given|stated|needed|recorded))?\b/gi;

/** What the patterns are held against: "on the path", "by kind". */
const TARGET = /^(?:matched |compared |held )?(?:on|by|against) (?:the )?[a-z]+(?: [a-z]+)?(?=[\s,;.]*$)/i;

const CONNECTS =
  /^(?:and|or|also|as well|too|both|each|respectively|then|the (?:value|pattern|name|pin|rule)s?|patterns?)(?:\s+(?:and|or|also|too|as well|the))*$/i;

/** "We ordered a test, hence `x` is waived", "Signal bumps (`x`)". */
function reasonAhead(before: string, behind: string): string {
  const noun = /(?:^|[.:,;]\s+|\band\s+)([^.:,;()`]{3,60}?)\s+\($/i.exec(before)?.[1];
  if (noun !== undefined && /^\)/.test(behind)) return clean(noun.replace(/^(?:and|selective)\s+/i, ""));
  const cause = /(?:^|[.:]\s+)([^.:`]{8,}?),?\s+(?:hence|so|therefore|thus|which is why)\s*,?\s*$/i.exec(
    before,
  )?.[1];
  const because = /(?:^|[.:]\s+)(?:because|since|as) ([^.:`]{8,}?),\s*$/i.exec(before)?.[1];
  return clean(cause ?? because ?? "");
}

/** "Selective, optional packages:", "two waivers because diodes are added at top level:"; how many there are and what they are
 * held against is no reason. */
function reasonInLead(text: string): string {
  const lead = /^([^`]*?)(?::|$)/.exec(bare(text))?.[1] ?? "";
  const because =
    /\b(?:because(?: of)?|since|as|for|reason(?: is)?:?)\s+((?:the|our|we|of|it|they|this|these|all|no)?\b.+)$/i.exec(
      lead,
    )?.[1];
  const own = lead
    .replace(/^(?:selective(?:ly)?)\b[\s,;:.]*/i, "")
    .replace(
      /\b(?:one|two|three|four|five|six|seven|eight|\d+)\b(?: (?!(?:on|by|for|against|because|since|as)\b)[a-z]+){0,2}/gi,
      " ",
    )
    .replace(/\b(?:waivers?|patterns?|entries|items?)\b/gi, " ")
    .replace(/\b(?:matched |compared |held )?(?:on|by|against|for) (?:the )?[a-z]+(?: [a-z]+)?\s*$/i, " ")
    .replace(WITHOUT, " ")
    .replace(/\b(?:(?:is|are|be|as) )?waived\b/gi, " ");
  return clean(because ?? own).replace(/^(?:because(?: of)?|since|as|for)\s+/i, "");
}

function clean(text: string): string {
  return text
    .replace(/[‹›`]/g, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:.]+|[\s,;:.]+$/g, "")
    .trim();
}
