// L3 and L4: the items that patterns consume, missing and extra items, waivers, and the status. The matcher (Atom B) and
// the exister (Atom C) are passed in. docs/contract.md, sections 3 and 4.
import type { ParsedItem } from "../contract/atoms.ts";
import type { FieldCondition, NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, ResultItem } from "../contract/results.ts";
import { judgeConditions } from "./conditions.ts";
import { finishDocument, type Verdict } from "./document.ts";
import type { Exister, MatchCall, Matcher } from "./types.ts";
import { applyWaivers } from "./waivers.ts";

/** Maximum calls of one batch, so that a batch stays small compared with a log. */
const BATCH = 4096;
/** First batch of a search for the first match: most patterns match early, or the list is short. */
const FIRST_BATCH = 256;

export const EXISTENCE_FAILED = "Existence check failed";

/** L3, L4 and L5 for one item. `items` are in the order of L2; `searchedFiles` are the files that were read. The result
 * has exactly the keys of the checker type. Unread inputs are not considered here; checkSet reports them. */
export async function judge(
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
  exister: Exister,
): Promise<CheckDocument> {
  const verdict =
    config.type === 1 || config.type === 4
      ? await judgeExistence(config, items, searchedFiles, matcher, exister)
      : await judgePatterns(config, items, searchedFiles, matcher);
  return finishDocument(config, await applyWaivers(config, verdict, matcher));
}

async function judgeExistence(
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
  exister: Exister,
): Promise<Verdict> {
  const existence = await exister([...items]);
  const where = config.requirements.where ?? [];
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  if (config.requirements.expect === "absent") {
    // The violations are the records themselves, not Atom C's evidence.
    const { meeting, failing } = await splitByConditions(items, where, matcher);
    const violations = new Map([
      ...meeting.map((item) => [item, undefined] as const),
      ...undecidedOf(failing),
    ]);
    verdict.found = items
      .filter((item) => violations.has(item))
      .map((item) => resultOf(config, item, violations.get(item)));
  } else if (existence.is_match) {
    const evidence = await splitByConditions(existence.evidence, where, matcher);
    verdict.found = evidence.meeting.map((item) => resultOf(config, item));
    const { failing } = where.length === 0 ? { failing: [] } : await splitByConditions(items, where, matcher);
    verdict.missing = failing.map(({ item, reason }) => resultOf(config, item, reason));
  } else {
    verdict.missing = [missingEntry(config, EXISTENCE_FAILED, searchedFiles)];
  }
  return verdict;
}

/** A record that does not meet a condition. */
interface Failing {
  item: ParsedItem;
  /** False when the condition could not be decided. */
  decided: boolean;
  reason: string;
}

/** Splits records into those that meet all conditions and the others with the reason, each in order. */
async function splitByConditions(
  items: readonly ParsedItem[],
  conditions: readonly FieldCondition[],
  matcher: Matcher,
): Promise<{ meeting: ParsedItem[]; failing: Failing[] }> {
  if (conditions.length === 0) return { meeting: [...items], failing: [] };
  const verdicts = await judgeConditions(items, conditions, matcher);
  const failing = items.flatMap((item, i): Failing[] => {
    const verdict = verdicts[i];
    return verdict === undefined || verdict.holds
      ? []
      : [{ item, decided: verdict.decided, reason: verdict.reason }];
  });
  return { meeting: items.filter((_, i) => verdicts[i]?.holds === true), failing };
}

/** Records whose condition cannot be decided; they count as present where records must be absent. */
function undecidedOf(failing: readonly Failing[]): [ParsedItem, string][] {
  return failing.filter(({ decided }) => !decided).map(({ item, reason }) => [item, reason]);
}

async function judgePatterns(
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
): Promise<Verdict> {
  const { pattern_items, where = [], pattern_where = [] } = config.requirements;
  const patterns = pattern_items.map((pattern, i) => ({
    pattern,
    conditions: [...where, ...(pattern_where[i] ?? [])],
  }));
  return config.requirements.expect === "absent"
    ? judgeAbsent(config, patterns, items, matcher)
    : judgePresent(config, patterns, items, searchedFiles, matcher);
}

interface ConditionalPattern {
  pattern: string;
  conditions: FieldCondition[];
}

/** expect: present. Each pattern in order consumes the first matching item that is not consumed yet; with conditions, the
 * first matching item that meets them, and every matching item that does not is a violation. */
async function judgePresent(
  config: NormalizedConfig,
  patterns: readonly ConditionalPattern[],
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
): Promise<Verdict> {
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  let open = [...items];
  for (const { pattern, conditions } of patterns) {
    const { consumed, failing } =
      conditions.length === 0
        ? { consumed: open[await firstMatch(open, pattern, matcher)], failing: [] }
        : await matchWithConditions(open, { pattern, conditions }, matcher);
    if (consumed !== undefined) verdict.found.push(resultOf(config, consumed));
    else if (failing.length === 0) verdict.missing.push(missingEntry(config, pattern, searchedFiles));
    for (const { item, reason } of failing) {
      verdict.missing.push({ ...resultOf(config, item, reason), expected: pattern });
    }
    const used = new Set([consumed, ...failing.map(({ item }) => item)]);
    open = open.filter((item) => !used.has(item));
  }
  const rest = await splitByConditions(open, config.requirements.where ?? [], matcher);
  verdict.missing.push(...rest.failing.map(({ item, reason }) => resultOf(config, item, reason)));
  verdict.extra = rest.meeting.map((item) => resultOf(config, item));
  return verdict;
}

async function matchWithConditions(
  open: readonly ParsedItem[],
  { pattern, conditions }: ConditionalPattern,
  matcher: Matcher,
): Promise<{ consumed: ParsedItem | undefined; failing: Failing[] }> {
  const matches = await allMatches(open, pattern, matcher);
  const { meeting, failing } = await splitByConditions(matches, conditions, matcher);
  return { consumed: meeting[0], failing };
}

async function allMatches(
  items: readonly ParsedItem[],
  pattern: string,
  matcher: Matcher,
): Promise<ParsedItem[]> {
  const matches: ParsedItem[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    const part = items.slice(start, start + BATCH);
    const answers = await matcher(part.map((item) => patternCall(item, pattern)));
    matches.push(...part.filter((_, i) => answers[i]?.is_match === true));
  }
  return matches;
}

/** Index of the first matching item, or -1. The first batch is small, so that an early match is cheap. */
async function firstMatch(items: ParsedItem[], pattern: string, matcher: Matcher): Promise<number> {
  let size = FIRST_BATCH;
  for (let start = 0; start < items.length; ) {
    const part = items.slice(start, start + size);
    const answers = await matcher(part.map((item) => patternCall(item, pattern)));
    const hit = answers.findIndex((answer) => answer.is_match);
    if (hit >= 0) return start + hit;
    start += part.length;
    size = BATCH;
  }
  return -1;
}

/** expect: absent. Every item that a pattern matches and that meets the conditions is a violation; `expected` is the
 * first such pattern. */
async function judgeAbsent(
  config: NormalizedConfig,
  patterns: readonly ConditionalPattern[],
  items: readonly ParsedItem[],
  matcher: Matcher,
): Promise<Verdict> {
  const violations = new Map<ParsedItem, { pattern: string; reason?: string }>();
  for (const { pattern, conditions } of patterns) {
    const open = items.filter((item) => !violations.has(item));
    const matches = await allMatches(open, pattern, matcher);
    const { meeting, failing } = await splitByConditions(matches, conditions, matcher);
    for (const item of meeting) violations.set(item, { pattern });
    for (const [item, reason] of undecidedOf(failing)) violations.set(item, { pattern, reason });
  }
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  for (const item of items) {
    const violation = violations.get(item);
    if (violation === undefined) verdict.extra.push(resultOf(config, item));
    else verdict.found.push({ ...resultOf(config, item, violation.reason), expected: violation.pattern });
  }
  return verdict;
}

function patternCall(item: ParsedItem, pattern: string): MatchCall {
  return {
    text: item.value,
    pattern,
    parsed_fields: item.parsed_fields,
    default_match: "contains",
    regex_mode: "search",
  };
}

function resultOf(config: NormalizedConfig, item: ParsedItem, reason?: string): ResultItem {
  return { ...item, description: config.description, ...(reason === undefined ? {} : { reason }) };
}

/** The entry for a pattern that was searched for and not found. */
function missingEntry(
  config: NormalizedConfig,
  expected: string,
  searchedFiles: readonly string[],
): ResultItem {
  return {
    description: config.description,
    expected,
    searched_files: [...searchedFiles],
    line_number: null,
    source_file: "",
    matched_content: "",
    parsed_fields: {},
  };
}
