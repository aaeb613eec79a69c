// Does what the page says about which records are wanted, whatever reader made the rules: a claim is bound to the part
// that it names (or that alone has its texts), or to the line, and becomes a filter where some records break it.

import { escapeRegex } from "../logs/tokens.ts";
import type { Test } from "../page/claim-tests.ts";
import type { Claim } from "../page/claims.ts";
import { stem, stemsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Extracted, Rule } from "../program/ir.ts";
import { atLeftEdge } from "../readers/told-scope.ts";
import { type Binding, bindCompared, bindCounters, bindPart, bindWords, type Seen } from "./bind.ts";
import { bindColumns } from "./bind-columns.ts";
import { narrowBlocks } from "./block-tests.ts";
import { codesOnly } from "./codes.ts";
import { ruledOutLines, wordIn } from "./exclusions.ts";
import { narrowNumber } from "./free-number.ts";
import { withoutMarks } from "./front-marks.ts";
import { hiddenParts, withHidden } from "./hidden-columns.ts";
import { withoutKinds } from "./kinds.ts";
import { narrowLines } from "./line-tests.ts";
import { names, partsOf, textOf } from "./parts.ts";
import { place } from "./places.ts";
import { shownRecords } from "./shown-records.ts";

export interface Realised {
  rules: Rule[];
  /** Sentences that the rules do in full. */
  settled: ReadonlySet<string>;
  notes: string[];
  doubts: string[];
}

/** Phrases about places of a log, not about its records. */
const PLACE =
  /^(?:the |of |only |all |these )*(?:(?!whose|with|that|which)\w+ )?(?:sections?|tables?|lists?|part|chapters?|director(?:y|ies)|listings?|summar(?:y|ies)|reports?|files?(?! (?:systems?|names?|types?|descriptors?))|trees?|statistics|metrics)\b/i;
/** Details below a title are a place. */
const BELOW =
  /^(?:the )?(?:details|entries|items|lines|members|rows|contents|children) (?:of|under|below|in|behind)\b(?! which)/i;
const FILES = /\b(?:next to it|beside it|below it|above it|in the same (?:directory|folder))\b/i;

/** The rules of one kind of record with the filters that the page's claims ask for. */
export function realise(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): Realised {
  let current: Rule[] = rules.map((rule) => withinLists(rule, group));
  const isWider = current.some((rule, index) => rule !== rules[index]);
  const known = nounsOf(group, page);
  const notes: string[] = isWider ? ["A text among others counts as well, as in the example"] : [];
  const doubts: string[] = [];
  const done = new Map<string, boolean>();
  for (const claim of page.claims) {
    const isPlace = speaksOfPlace(claim, known);
    const outcome =
      isPlace || claim.tests.length === 0 ? OPEN : apply(claim, current, group, page, known, lines);
    if (outcome.rules !== undefined) {
      current = outcome.rules;
      notes.push(`As the page says, ${claim.wanted ? "only" : "without"}: ${claim.phrase}`);
    }
    // Where the page says which kind is wanted, the others are out already.
    const told = outcome.done || isPlace || isToldOtherwise(page);
    const kinds = told ? undefined : withoutKinds(claim, current, group, lines);
    if (kinds !== undefined) {
      current = kinds;
      notes.push(`Without lines that have a word of: ${claim.phrase}`);
    }
    if (outcome.doubt !== undefined) doubts.push(outcome.doubt);
    if (!outcome.done && !isPlace) doubts.push(...stillThere(claim, current, group, lines));
    if (!outcome.done) doubts.push(...notDone(claim, page), ...(isPlace ? [] : openTexts(claim, current, page, lines)));
    done.set(claim.said, outcome.done && (done.get(claim.said) ?? true));
  }
  const isIndented = group.examples.some((one) => one.lines.length === 1 && /^\s/.test(one.lines[0] ?? ""));
  if (!isIndented)
    current = current.map((rule) => (rule.kind === "line" ? atLeftEdge(page, rule, lines) : rule));
  const plain = withoutComments(current, group, lines);
  if (plain !== undefined) {
    current = plain;
    notes.push("Without the lines that are commented out");
  }
  const coded = codesOnly(current, group, lines);
  if (coded !== undefined) {
    current = coded;
    notes.push("Only values with a number, as the code that the page shows");
  }
  const unmarked = withoutMarks(current, page, lines);
  if (unmarked !== undefined) {
    current = unmarked;
    notes.push("The value goes without the mark in front");
  }
  doubts.push(...leftOut(current, group, page, lines));
  const placed = place(current, page.places, group, lines);
  const settled = new Set([...done].flatMap(([said, all]) => (all ? [said] : [])));
  for (const said of placed.settled) settled.add(said);
  doubts.push(...placed.doubts);
  return { rules: placed.rules, settled, notes: [...notes, ...placed.notes], doubts: [...new Set(doubts)] };
}

/** Cases and comparisons restrict for sure; what no other reader knows of them is a doubt. */
function notDone(claim: Claim, page: Page): string[] {
  const isTitle = page.statements[0]?.sentences[0]?.text === claim.said;
  if (!isTitle && claim.tests.some((one) => one.than !== undefined))
    return [`the page compares two parts of a record, and nothing in the rule does: ${claim.said}`];
  return claim.isCase === true && !isKnown(claim, page)
    ? [`the page says when a record counts, and nothing in the rule does: ${claim.said}`]
    : [];
}

/** "Those with the mark `x` are not wanted": a text that only some records have, and nothing in the rule does. */
function openTexts(claim: Claim, rules: readonly Rule[], page: Page, lines: readonly string[]): string[] {
  const [test, ...others] = claim.tests;
  if (test === undefined || others.length > 0 || !claim.whole || test.plain || test.than !== undefined)
    return [];
  if (!/^(?:is|contains|prefix|suffix)$/.test(test.how) || isKnown(claim, page)) return [];
  // Plain words of the sentence are no texts of the log for sure.
  const isHard = (text: string): boolean =>
    /^[^a-z]|[A-Z\d_]/.test(text) || new RegExp(`[\`"]${escapeRegex(text)}[\`"]`).test(claim.said);
  if (!test.texts.every(isHard)) return [];
  const words = test.texts.map((text) => wordIn(text));
  const contents = rules.flatMap((rule) => interpretRule(rule, lines)).map(({ content }) => content);
  const having = contents.filter((text) => words.some((word) => word.test(text))).length;
  return having === 0 || having === contents.length
    ? []
    : [`the page tells records by ${test.texts.join(", ")}, which ${having} of ${contents.length} have, and nothing in the rule does: ${claim.said}`];
}

/** Does the page say with texts which records are wanted? */
function isToldOtherwise({ rules, claims }: Page): boolean {
  const isText = (claim: Claim): boolean => claim.wanted && claim.tests.some((one) => !one.plain);
  return rules.length > 0 || claims.some(isText);
}

/** Where another reader knows the sentence, its own doubts tell whether it is done. */
function isKnown({ said }: Claim, page: Page): boolean {
  return page.rules.some((rule) => rule.said === said) || page.wishes.some((wish) => wish.text === said);
}

/** Does a claim speak of a place of the log, not of its records? */
function speaksOfPlace({ phrase, tests }: Claim, known: ReadonlySet<string>): boolean {
  // "The metrics `x` and `y`" are records.
  const isNamed = tests.some((one) => !one.plain && one.how === "is");
  if (isNamed && /^(?:the |only |all |these )*(?:statistics|metrics)\b/i.test(phrase)) return false;
  // Where files are the records, "files with 100%" are no place.
  const isRecord = known.has(stem("file")) && /^(?:the |of |only |all |these )*files?\b/i.test(phrase);
  // "Rows of files" are the records as well.
  const of = /^(?:the )?(?:rows|lines|entries|items) of (?:the )?([a-z]+)/i.exec(phrase)?.[1] ?? "";
  // "Rows in another state than `on`" says which rows, by a part of theirs.
  const isState = isNamed && /^(?:the )?\w+ in (?:an?|another|any|some|the) /i.test(phrase);
  const isBelow =
    BELOW.test(phrase) &&
    !isState &&
    !(of !== "" && (/^(?:another|other|different|any)$/i.test(of) || known.has(stem(of.toLowerCase()))));
  return (PLACE.test(phrase) && !isRecord) || FILES.test(phrase) || isBelow;
}

/** What the page rules out in plain words that no rule does, and a part of some records is just such a word. */
function stillThere(claim: Claim, rules: readonly Rule[], group: Group, lines: readonly string[]): string[] {
  if (claim.wanted || !claim.tests.some((test) => test.plain)) return [];
  const words = new Set(claim.phrase.toLowerCase().match(/[a-z][a-z-]+/g) ?? []);
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  // "Whose protocol is up" says nothing of another part that is up.
  const all = partsOf(rules, group);
  const named = all.filter((part) => [...words].some((word) => names(part, word, []) >= 0.7));
  for (const part of named.length > 0 ? named : all) {
    const texts = records.map((record) => textOf(record, part));
    const hit = texts.find(
      (text) => words.has(text.toLowerCase()) && !COMMON.split(" ").includes(text.toLowerCase()),
    );
    if (hit !== undefined && texts.some((text) => text !== hit))
      return [`the page rules out "${claim.phrase}", and a record has ${part.hint.name} ${hit}`];
  }
  return [];
}

interface Outcome {
  /** The rules as they are narrowed; undefined when they stay. */
  rules?: Rule[];
  /** All that the claim asks for is done. */
  done: boolean;
  doubt?: string;
}

const OPEN: Outcome = { done: false };

const COMMON =
  "the and all any are not nor these those such plain mere only just with without level levels kind kinds type types line lines row rows record records entry entries item items message messages one ones result results finding findings event events case cases itself here also own state status";

/** What records are called on the page: its subject and its value. */
function nounsOf(group: Group, page: Page): ReadonlySet<string> {
  const title = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  return stemsOf(`${COMMON} ${title} ${group.value?.name.replace(/_/g, " ") ?? ""}`);
}

function apply(
  claim: Claim,
  rules: readonly Rule[],
  group: Group,
  page: Page,
  known: ReadonlySet<string>,
  lines: readonly string[],
): Outcome {
  if (isFiltered(claim, rules)) return { done: claim.whole };
  let current = rules;
  const tables = rules.every((rule) => rule.kind === "table");
  let narrowed = false;
  let leftOut = false;
  for (const test of claim.tests) {
    const open = withHidden(current);
    const records = open.flatMap((rule) => interpretRule(rule, lines));
    if (records.length === 0) return OPEN;
    const parts = [...partsOf(current, group), ...hiddenParts(current)];
    const seen = { records, parts, shown: shownRecords(open, group) };
    const bindings = bindingsOf(claim, test, seen, { tables, known, page });
    const outcome = firstThatFits(bindings, current, records, group, lines);
    if (outcome === "met") continue;
    if (outcome !== undefined) {
      current = outcome;
      narrowed = true;
      continue;
    }
    const byLine =
      test.plain || test.than !== undefined ? undefined : onLines(claim, test, current, group, lines);
    if (byLine === "met") {
      // No record has the text, but other lines of the log do: they are left out already.
      const [text = ""] = test.texts;
      leftOut ||= test.texts.length === 1 && text.length > 2 && lines.some((line) => line.includes(text));
      continue;
    }
    if (byLine === undefined) return { done: false, ...unboundAmount(claim, records) };
    current = byLine;
    narrowed = true;
  }
  const rest = current === rules ? {} : { rules: [...current] };
  return {
    ...rest,
    done: (narrowed || leftOut || claim.wanted || isPlain(claim)) && (claim.whole || claim.wanted),
  };
}

/** The test on the lines of the records, where no part answers it. */
function onLines(
  claim: Claim,
  test: Test,
  rules: readonly Rule[],
  group: Group,
  lines: readonly string[],
): readonly Rule[] | "met" | undefined {
  const isBlock = (rule: Rule): rule is BlockRule => rule.kind === "block";
  const blocks = rules.every(isBlock) ? narrowBlocks(claim, test, rules, lines) : undefined;
  return blocks ?? narrowLines(claim, test, rules, group, lines) ?? narrowNumber(claim, test, rules, lines);
}

/** What is met tells all that a case says, and that a part is never missing. */
function isPlain({ isCase, tests }: Claim): boolean {
  return isCase === true || tests.every((one) => one.how === "blank");
}

interface Around {
  /** All rules read tables. */
  tables: boolean;
  known: ReadonlySet<string>;
  page: Page;
}

/** How a test may be bound to the parts of the records. */
function bindingsOf(claim: Claim, test: Test, seen: Seen, { tables, known, page }: Around): Binding[] {
  // A text or an amount of a part that is named says more than that there is such a part.
  if (test.than !== undefined) return bindCompared(claim, test, seen);
  const told = test.plain || test.over !== undefined ? [] : bindPart(claim, test, seen);
  const columns = tables && told.length === 0 ? bindColumns(claim, seen, page) : [];
  if (columns.length > 0) return columns;
  if (test.plain) return bindWords(claim, test, seen, known);
  return test.over === undefined ? told : bindCounters(claim, test, seen);
}

/** "The remark `x`, alone or among others": where the page's own example has the text among others, so may the records. */
function withinLists(rule: Rule, group: Group): Rule {
  if (rule.kind !== "line" || rule.filters.length === 0) return rule;
  const shown = shownRecords([{ ...rule, filters: [] }], group);
  const parts = partsOf([rule], group);
  const filters = rule.filters.map((filter) => {
    const part = parts.find((one) => one.group === filter.group);
    if (
      part === undefined ||
      filter.match !== undefined ||
      filter.negate === true ||
      filter.also !== undefined
    )
      return filter;
    const own = shown.map((record) => textOf(record, part));
    const among = own.some(
      (text) =>
        !filter.equals.includes(text) && filter.equals.some((one) => one !== "" && wordIn(one).test(text)),
    );
    return among ? { ...filter, match: "contains" as const } : filter;
  });
  return filters.some((one, index) => one !== rule.filters[index]) ? { ...rule, filters } : rule;
}

/** Have the rules a filter with just these texts already, on a part that only the condition needs? */
function isFiltered(claim: Claim, rules: readonly Rule[]): boolean {
  return claim.tests.every(
    ({ how, texts, plain, negate, every }) =>
      how === "is" &&
      !plain &&
      every !== true &&
      texts.length > 0 &&
      rules.every(({ filters }) =>
        filters.some(
          (one) =>
            (one.negate ?? false) === (claim.wanted === negate) &&
            texts.length === one.equals.length &&
            texts.every((text) => one.equals.includes(text)),
        ),
      ),
  );
}

/** The first binding that leaves some records and the ones that the page shows; "met" when all records fulfil it. */
function firstThatFits(
  bindings: readonly Binding[],
  rules: readonly Rule[],
  records: readonly Extracted[],
  group: Group,
  lines: readonly string[],
): readonly Rule[] | "met" | undefined {
  for (const { filters, met } of bindings) {
    if (met) return "met";
    const narrowed = rules.map((rule) => ({ ...rule, filters: [...rule.filters, ...filters] }));
    const kept = narrowed.flatMap((rule) => interpretRule(rule, lines));
    if (kept.length === 0) continue;
    if (shownRecords(rules, group).length > shownRecords(narrowed, group).length) continue;
    return kept.length === records.length ? "met" : narrowed;
  }
  return undefined;
}

const COMMENTS = ["# ", "// ", "; ", "-- "];

/** Rows of a table that are commented out, where few are and the page shows none. */
function withoutComments(rules: readonly Rule[], group: Group, lines: readonly string[]): Rule[] | undefined {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  const isOut = (text: string): boolean => COMMENTS.some((mark) => text.trim().startsWith(mark));
  const out = records.filter(({ value, content }) => isOut(value) && isOut(content)).length;
  if (out === 0 || out > records.length * 0.3) return undefined;
  if (group.examples.some((one) => one.lines.some(isOut))) return undefined;
  return rules.map((rule) => {
    if (rule.kind === "line") return rule;
    const { value } = rule.projection;
    if (value.from !== "group") return rule;
    const filter = { group: value.group, equals: COMMENTS, match: "prefix", negate: true } as const;
    return { ...rule, filters: [...rule.filters, { ...filter, equals: [...COMMENTS] }] };
  });
}

/** "Log prefix `DROP-IN` only": lines with the text that wanted lines have, which no rule reads. */
function leftOut(rules: readonly Rule[], group: Group, page: Page, lines: readonly string[]): string[] {
  const isPlain = (rule: Rule): boolean =>
    rule.kind === "line" && rule.scope === undefined && rule.above === undefined;
  if (!rules.every(isPlain)) return [];
  const asked = page.claims
    .filter((claim) => claim.wanted && claim.whole && !PLACE.test(claim.phrase))
    .flatMap(({ tests }) => tests)
    .filter((test) => !test.plain && !test.negate && (test.how === "is" || test.how === "prefix"))
    .filter((test) => test.texts.every((text) => /\W|_/.test(text) || text.length > 3));
  if (asked.length === 0) return [];
  const taken = new Set(
    rules.flatMap((rule) => interpretRule({ ...rule, filters: [] }, lines)).map((record) => record.content),
  );
  const excluded = ruledOutLines(page, group);
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  return asked.flatMap(({ texts, how }) => {
    const words = texts.map((text) => wordIn(text, how === "prefix"));
    // In front of it stands what stands in front of it in the example: elsewhere it is part of a message.
    const known = [...examples, ...taken];
    const fronts = new Set(words.flatMap((one) => known.flatMap((line) => frontOf(line, one))));
    const having = lines.filter((line) =>
      words.some((one) => frontOf(line, one).some((front) => fronts.has(front))),
    );
    const left = having.filter(
      (line) => !taken.has(line) && !excluded(line) && !page.unwanted.some((text) => line.includes(text)),
    );
    return left.length === 0 || left.length * 2 > having.length
      ? []
      : [`${left.length} lines with "${texts.join('", "')}" are not read, e.g. ${left[0]?.trim() ?? ""}`];
  });
}

/** The form of what stands in front of a text in a line: any word, any number, and the marks as they are. */
function frontOf(line: string, text: RegExp): string[] {
  const at = text.exec(line)?.index;
  if (at === undefined) return [];
  const front = line.slice(0, at).replace(/[\p{L}\p{N}_.-]+/gu, "w");
  return [front.replace(/\s+/g, " ").trim()];
}

/** "Rules with 0 results are not wanted": an amount that could be bound to nothing, and some lines have it. */
function unboundAmount(claim: Claim, records: readonly Extracted[]): { doubt?: string } {
  const [test] = claim.tests;
  if (test?.how !== "amount" || claim.wanted || test.relation !== "=") return {};
  const [text = ""] = test.texts;
  const own = new RegExp(`(?<![\\w.])${text.replace(/[^\d]/g, "\\$&")}(?![\\w.])`);
  const having = records.filter(({ content }) => own.test(content)).length;
  return having === 0 || having === records.length
    ? {}
    : { doubt: `the page rules records out by an amount, and nothing in the rule does: ${claim.said}` };
}
