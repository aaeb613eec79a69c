// Does what the page says about which records are wanted, whatever reader made the rules: a claim is bound to the part
// that it names (or that alone has its texts), or to the line, and becomes a filter where some records break it.

import { escapeRegex } from "../escape.ts";
import type { Test } from "../page/claim-tests.ts";
import type { Claim } from "../page/claims.ts";
import { stemsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Extracted, Rule } from "../program/ir.ts";
import { atLeftEdge } from "../readers/told-scope.ts";
import { type Binding, bindCompared, bindCounters, bindPart, bindWords, type Seen } from "./bind.ts";
import { bindColumns } from "./bind-columns.ts";
import { bindUnnamed } from "./bind-more.ts";
import { narrowBlocks } from "./block-tests.ts";
import { codesOnly } from "./codes.ts";
import { define } from "./define.ts";
import { wordIn } from "./exclusions.ts";
import { narrowNumber } from "./free-number.ts";
import { withoutMarks } from "./front-marks.ts";
import { hiddenParts, withHidden } from "./hidden-columns.ts";
import { withoutKinds } from "./kinds.ts";
import { leftOut } from "./left-lines.ts";
import { narrowLines } from "./line-tests.ts";
import { COMMON, notDone } from "./not-done.ts";
import { names, type Part, partsOf, textOf } from "./parts.ts";
import { speaksOfPlace } from "./place-words.ts";
import { place } from "./places.ts";
import { bindShownKind } from "./shown-kinds.ts";
import { shownRecords } from "./shown-records.ts";

export interface Realised {
  rules: Rule[];
  /** Sentences that the rules do in full. */
  settled: ReadonlySet<string>;
  notes: string[];
  doubts: string[];
}

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
    // "Rows of udp and raw" may be below such a title, or have such texts.
    const isOpen = claim.tests.length === 0 || (isPlace && !isOfKinds(claim));
    const outcome = isOpen ? OPEN : apply(claim, current, group, page, known, lines);
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
    if (!outcome.done) doubts.push(...notDone(claim, isPlace, { rules: current, group, page, lines }));
    done.set(claim.said, outcome.done && (done.get(claim.said) ?? true));
  }
  const defined = define(current, group, page, lines);
  current = [...defined.rules];
  for (const said of defined.said) {
    notes.push(`As the page says of its records: ${said}`);
    if (!done.has(said)) done.set(said, true);
  }
  const isIndented = group.examples.some((one) => one.lines.length === 1 && /^\s/.test(one.lines[0] ?? ""));
  if (!isIndented)
    current = current.map((rule) => (rule.kind === "line" ? atLeftEdge(page, rule, lines) : rule));
  const plain = withoutComments(current, group, lines);
  if (plain !== undefined) {
    current = plain;
    notes.push("Without the lines that are commented out");
  }
  const coded = codesOnly(current, group, page, lines);
  if (coded !== undefined) {
    current = coded;
    notes.push("Only values that are codes like the one that the page shows");
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

/** Only words behind "rows of": they are bound where they are texts of one part and nothing else is said. */
function isOfKinds({ phrase, tests }: Claim): boolean {
  return (
    tests.every((one) => one.plain) &&
    /^(?:the |all )?(?:rows|lines|entries) of (?!the\b|an?\b)/i.test(phrase)
  );
}

/** Does the page say with texts which records are wanted? */
function isToldOtherwise({ rules, claims }: Page): boolean {
  const isText = (claim: Claim): boolean => claim.wanted && claim.tests.some((one) => !one.plain);
  return rules.length > 0 || claims.some(isText);
}

interface Outcome {
  /** The rules as they are narrowed; undefined when they stay. */
  rules?: Rule[];
  /** All that the claim asks for is done. */
  done: boolean;
  doubt?: string;
}

const OPEN: Outcome = { done: false };

/** What records are called on the page: its subject and its value. */
function nounsOf(group: Group, page: Page): ReadonlySet<string> {
  const title = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  const { name = "", description = "" } = group.value ?? {};
  const said = /^[^.;:("`]*/.exec(description)?.[0] ?? "";
  return stemsOf(`${COMMON} ${title} ${name.replace(/_/g, " ")} ${said}`);
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
    const seen = { records, parts, shown: shownRecords(open, group), examples: linesOf(group) };
    const byLabel = onLabel(claim, test, current, parts, lines);
    if (byLabel === "met") continue;
    if (byLabel !== undefined) {
      current = byLabel;
      narrowed = true;
      continue;
    }
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

/** "Devices of the class `x`": a line of the record with this label, where no part is called so. */
function onLabel(
  claim: Claim,
  test: Test,
  rules: readonly Rule[],
  parts: readonly Part[],
  lines: readonly string[],
): readonly Rule[] | "met" | undefined {
  const isBlock = (rule: Rule): rule is BlockRule => rule.kind === "block";
  if (test.of === "" || test.plain || test.how !== "is" || !rules.every(isBlock)) return undefined;
  if (parts.some((part) => names(part, test.of, []) > 0)) return undefined;
  const label = new RegExp(`^\\s*[\\w -]*\\b${escapeRegex(test.of)}\\s*[:=]`, "i");
  return lines.some((line) => label.test(line)) ? narrowBlocks(claim, test, rules, lines) : undefined;
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

function linesOf(group: Group): string[] {
  return group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
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
  const kinds = tables ? bindShownKind(claim, test, seen) : [];
  if (kinds.length > 0) return kinds;
  const told = test.plain || test.over !== undefined ? [] : bindPart(claim, test, seen);
  // "Corners without violations", and no count is blank.
  if (test.how === "blank" && told.every(({ met }) => met)) {
    const counts = bindUnnamed(claim, test, seen, known);
    if (counts.length > 0) return counts;
    // What is 0 in some of them is not there in all.
    const isZero = (text: string): boolean => /^0+(?:\.0+)?$/.test(text);
    const zeros = seen.parts.filter(
      (part) =>
        names(part, test.of, []) >= 0.65 && seen.records.some((record) => isZero(textOf(record, part))),
    );
    if (zeros.length > 0) return [];
  }
  const columns = tables && told.length === 0 ? bindColumns(claim, seen, page) : [];
  if (columns.length > 0) return columns;
  // "UDP and raw sockets": a word beside the texts is one of the list.
  const isMixed = !claim.whole && test.how === "is" && test.of === "" && test.every !== true;
  const mixed = isMixed ? bindWords(claim, test, seen, known) : [];
  if (mixed.length > 0) return mixed;
  const words = test.plain ? bindWords(claim, test, seen, known) : [];
  const bound = test.plain ? words : test.over === undefined ? told : bindCounters(claim, test, seen);
  return bound.length > 0 ? bound : bindUnnamed(claim, test, seen, known);
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

/** "Rules with 0 results are not wanted": an amount that could be bound to nothing, and some lines have it. */
function unboundAmount(claim: Claim, records: readonly Extracted[]): { doubt?: string } {
  const [test] = claim.tests;
  if (test?.how !== "amount" || claim.wanted || test.relation !== "=") return {};
  const [text = ""] = test.texts;
  const own = new RegExp(`(?<![\\w.])${escapeRegex(text)}(?![\\w.])`);
  const having = records.filter(({ content }) => own.test(content)).length;
  return having === 0 || having === records.length
    ? {}
    : { doubt: `the page rules records out by an amount, and nothing in the rule does: ${claim.said}` };
}
