// L3 and L4: which items the patterns consume, what is missing or extra, what the waivers take, and the status.
// Pure: the matcher (Atom B) and the exister (Atom C) are passed in. Contract, sections 3 and 4.
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, ResultItem } from "../contract/results.ts";
import { sealDocument, type Verdict } from "./document.ts";
import type { Exister, MatchCall, Matcher } from "./types.ts";
import { applyWaivers } from "./waivers.ts";

/** Calls of one batch at most, so that a batch stays small beside a log. */
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
      ? await judgeExistence(config, items, searchedFiles, exister)
      : await judgePatterns(config, items, searchedFiles, matcher);
  return sealDocument(config, await applyWaivers(config, verdict, matcher));
}

async function judgeExistence(
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  exister: Exister,
): Promise<Verdict> {
  const existence = await exister([...items]);
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  if (config.requirements.expect === "absent") {
    // The records themselves are the violations, whatever Atom C says of them.
    verdict.found = items.map((item) => resultOf(config, item));
  } else if (existence.is_match) {
    verdict.found = existence.evidence.map((item) => resultOf(config, item));
  } else {
    verdict.missing = [ghost(config, EXISTENCE_FAILED, searchedFiles)];
  }
  return verdict;
}

async function judgePatterns(
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
): Promise<Verdict> {
  const patterns = config.requirements.pattern_items;
  return config.requirements.expect === "absent"
    ? namedViolations(config, patterns, items, matcher)
    : consumption(config, patterns, items, searchedFiles, matcher);
}

/** expect: present. Each pattern in order consumes the first item not yet consumed that matches. */
async function consumption(
  config: NormalizedConfig,
  patterns: string[],
  items: readonly ParsedItem[],
  searchedFiles: readonly string[],
  matcher: Matcher,
): Promise<Verdict> {
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  let open = [...items];
  for (const pattern of patterns) {
    const at = await firstMatch(open, pattern, matcher);
    const taken = open[at];
    if (taken === undefined) verdict.missing.push(ghost(config, pattern, searchedFiles));
    else {
      verdict.found.push(resultOf(config, taken));
      open = [...open.slice(0, at), ...open.slice(at + 1)];
    }
  }
  verdict.extra = open.map((item) => resultOf(config, item));
  return verdict;
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

/** expect: absent. Every item that any pattern matches is a violation; the first pattern that does names it. */
async function namedViolations(
  config: NormalizedConfig,
  patterns: string[],
  items: readonly ParsedItem[],
  matcher: Matcher,
): Promise<Verdict> {
  const namedBy = new Map<ParsedItem, string>();
  let open = [...items];
  for (const pattern of patterns) {
    const next: ParsedItem[] = [];
    for (let start = 0; start < open.length; start += BATCH) {
      const part = open.slice(start, start + BATCH);
      const answers = await matcher(part.map((item) => patternCall(item, pattern)));
      part.forEach((item, i) => {
        if (answers[i]?.is_match) namedBy.set(item, pattern);
        else next.push(item);
      });
    }
    open = next;
  }
  const verdict: Verdict = { found: [], missing: [], extra: [] };
  for (const item of items) {
    const pattern = namedBy.get(item);
    if (pattern === undefined) verdict.extra.push(resultOf(config, item));
    else verdict.found.push({ ...resultOf(config, item), expected: pattern });
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

function resultOf(config: NormalizedConfig, item: ParsedItem): ResultItem {
  return { ...item, description: config.description };
}

/** The entry that stands for something that was looked for and not found. */
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
