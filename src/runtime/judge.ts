// L3 and L4: which items the patterns consume, what is missing or extra, what the waivers take, and the status.
// Pure: the matcher (Atom B) and the exister (Atom C) are passed in. Contract, sections 3 and 4.
import type { ParsedItem } from "../contract/atoms.ts";
import type { FieldCondition, NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, ResultItem } from "../contract/results.ts";
import { judgeConditions } from "./conditions.ts";
import { sealDocument, type Verdict } from "./document.ts";
import type { Exister, MatchCall, Matcher } from "./types.ts";
import { applyWaivers } from "./waivers.ts";

/** Calls of one batch at most, so that a batch stays small compared with a log. */
const BATCH = 4096;
/** First batch of a search for the first match: most patterns match early or the list is short. */
const FIRST_BATCH = 256;

export const EXISTENCE_FAILED = "Existence check failed";

/** L3, L4 and L5 for one item. `items` come in the order of L2; `searchedFiles` are those really read.
 * The result has exactly the keys of the checker type. It knows nothing of unread inputs: the envelope does. */
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
  return sealDocument(config, await applyWaivers(config, verdict, matcher));
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
    // The records themselves are the violations, not Atom C's evidence.
    const { holds, broken } = await split(items, where, matcher);
    const meant = new Map([...holds.map((item) => [item, undefined] as const), ...undecidedOf(broken)]);
    verdict.found = items
      .filter((item) => meant.has(item))
      .map((item) => resultOf(config, item, meant.get(item)));
  } else if (existence.is_match) {
    const evidence = await split(existence.evidence, where, matcher);
    verdict.found = evidence.holds.map((item) => resultOf(config, item));
    const { broken } = where.length === 0 ? { broken: [] } : await split(items, where, matcher);
    verdict.missing = broken.map(({ item, reason }) => resultOf(config, item, reason));
  } else {
    verdict.missing = [ghost(config, EXISTENCE_FAILED, searchedFiles)];
  }
  return verdict;
}

interface Broken {
  item: ParsedItem;
  /** False when the condition could not be decided. */
  decided: boolean;
  reason: string;
}

/** The records that meet all conditions, and the others with the reason, each in order. */
async function split(
  items: readonly ParsedItem[],
  conditions: readonly FieldCondition[],
  matcher: Matcher,
): Promise<{ holds: ParsedItem[]; broken: Broken[] }> {
  if (conditions.length === 0) return { holds: [...items], broken: [] };
  const verdicts = await judgeConditions(items, conditions, matcher);
  const broken = items.flatMap((item, i): Broken[] => {
    const verdict = verdicts[i];
    return verdict === undefined || verdict.holds
      ? []
      : [{ item, decided: verdict.decided, reason: verdict.reason }];
  });
  return { holds: items.filter((_, i) => verdicts[i]?.holds === true), broken };
}

/** Where records must be absent, one whose condition cannot be decided counts as there. */
function undecidedOf(broken: readonly Broken[]): [ParsedItem, string][] {
  return broken.filter(({ decided }) => !decided).map(({ item, reason }) => [item, reason]);
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
    ? namedViolations(config, patterns, items, matcher)
    : consumption(config, patterns, items, searchedFiles, matcher);
}

interface ConditionalPattern {
  pattern: string;
  conditions: FieldCondition[];
}

/** expect: present. Each pattern in order consumes the first item not yet consumed that matches; with conditions the
 * first that meets them, and every other item that it matches and that does not meet them is a violation. */
async function consumption(
  config: NormalizedConfig,
  patterns: readonly ConditionalPattern[],
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
): Promise<Verdict> {
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  let open = [...items];
  for (const { pattern, conditions } of patterns) {
    const { taken, broken } =
      conditions.length === 0
        ? { taken: open[await firstMatch(open, pattern, matcher)], broken: [] }
        : await judged(open, { pattern, conditions }, matcher);
    if (taken !== undefined) verdict.found.push(resultOf(config, taken));
    else if (broken.length === 0) verdict.missing.push(ghost(config, pattern, searchedFiles));
    for (const { item, reason } of broken) {
      verdict.missing.push({ ...resultOf(config, item, reason), expected: pattern });
    }
    const gone = new Set([taken, ...broken.map(({ item }) => item)]);
    open = open.filter((item) => !gone.has(item));
  }
  const rest = await split(open, config.requirements.where ?? [], matcher);
  verdict.missing.push(...rest.broken.map(({ item, reason }) => resultOf(config, item, reason)));
  verdict.extra = rest.holds.map((item) => resultOf(config, item));
  return verdict;
}

async function judged(
  open: readonly ParsedItem[],
  { pattern, conditions }: ConditionalPattern,
  matcher: Matcher,
): Promise<{ taken: ParsedItem | undefined; broken: Broken[] }> {
  const { holds, broken } = await split(await allMatches(open, pattern, matcher), conditions, matcher);
  return { taken: holds[0], broken };
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

/** Index of the first item that matches, -1 for none. Asks in growing batches, so that an early match is cheap. */
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

/** expect: absent. Every item that any pattern matches and whose conditions hold is a violation; the first pattern
 * that does names it. */
async function namedViolations(
  config: NormalizedConfig,
  patterns: readonly ConditionalPattern[],
  items: readonly ParsedItem[],
  matcher: Matcher,
): Promise<Verdict> {
  const namedBy = new Map<ParsedItem, { pattern: string; reason?: string }>();
  for (const { pattern, conditions } of patterns) {
    const open = items.filter((item) => !namedBy.has(item));
    const { holds, broken } = await split(await allMatches(open, pattern, matcher), conditions, matcher);
    for (const item of holds) namedBy.set(item, { pattern });
    for (const [item, reason] of undecidedOf(broken)) namedBy.set(item, { pattern, reason });
  }
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  for (const item of items) {
    const named = namedBy.get(item);
    if (named === undefined) verdict.extra.push(resultOf(config, item));
    else verdict.found.push({ ...resultOf(config, item, named.reason), expected: named.pattern });
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

/** The entry for something that was searched and not found. */
function ghost(config: NormalizedConfig, expected: string, searchedFiles: readonly string[]): ResultItem {
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
