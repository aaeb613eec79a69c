// consistency: the expressions and conditions of the config are valid, and its patterns and waivers are tried on the
// observed records. Cannot prove that a requirement is correct; with the page, config-words.ts compares its words.
// Targets `regex:` together with `|`, waivers that can never match, and patterns that match only another field.
import type { AtomSession } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import { fieldOf } from "../runtime/conditions.ts";
import type { Findings } from "./findings.ts";
import { askMatcher, type MatchArgs } from "./matcher-calls.ts";
import { show } from "./show.ts";
import { type Ask, tryWaivers } from "./waiver-consistency.ts";
import { checkWidePatterns } from "./wide-patterns.ts";

/** Observed values on which each pattern is tried. */
const MAX_VALUES = 20_000;

export interface PatternUse {
  /** Number of observed values that each pattern matches. */
  patterns: Map<string, number>;
}

export interface ObservedItems {
  items: readonly ParsedItem[];
  hasLogs: boolean;
  /** Worked examples define the value of records, and Atom A extracts it. */
  valueShown: boolean;
  /** The config is the check block of the page. */
  fixed: boolean;
  /** Text of the page about waivers; undefined if the page is not available. */
  waiving: string | undefined;
}

/** Runs the gate, with the reference matcher in the sandbox. */
export async function runConsistencyGate(
  config: NormalizedConfig,
  observed: ObservedItems,
  reference: AtomSession,
  findings: Findings,
): Promise<PatternUse> {
  const ask = async (calls: MatchArgs[]): Promise<boolean[]> => {
    const answers = await askMatcher(reference, calls);
    return answers.map((answer) => answer.ok && answer.result.is_match);
  };
  await checkRegexes(config, reference, findings);
  await checkConditions(config, observed.items, reference, findings);
  const values = [...new Set(observed.items.slice(0, MAX_VALUES).map((item) => item.value))];
  const use = await tryPatterns(config, observed, values, ask, findings);
  checkWidePatterns(config, values, observed.fixed, findings);
  await tryWaivers(config, values, observed.waiving, ask, findings);
  findings.ran("consistency");
  return use;
}

async function checkRegexes(
  config: NormalizedConfig,
  session: AtomSession,
  findings: Findings,
): Promise<void> {
  const lists = [
    {
      where: "requirements.pattern_items",
      patterns: config.requirements.value === null ? [] : config.requirements.pattern_items,
      waive: false,
    },
    {
      where: "waivers.waive_items",
      patterns: (config.waivers.value ?? 0) > 0 ? config.waivers.waive_items : [],
      waive: true,
    },
  ];
  for (const { where, patterns } of lists) {
    const seen = new Set<string>();
    for (const pattern of patterns) {
      if (pattern.includes("|") && pattern.split("|").some((part) => part.trim().startsWith("regex:"))) {
        const message = `\`${where}\`: ${show(pattern)} contains \`|\`, so it is a list of literal alternatives and not a regex. Write several regexes, or one without \`|\`: \`(?!(?!a)(?!b))\` matches where \`a\` or \`b\` does.`;
        findings.error("config_schema", "config", "regex_with_alternatives", message, { example: pattern });
      } else if (pattern.includes("|") && pattern.split("|").every((part) => part.trim() === "")) {
        const message = `\`${where}\`: ${show(pattern)} has only empty alternatives and can never match.`;
        findings.error("config_schema", "config", "empty_alternatives", message, { example: pattern });
      } else if (/^\s+regex:|^regex\s*:|^Regex:|^re:/.test(pattern) && !pattern.startsWith("regex:")) {
        const message = `\`${where}\`: ${show(pattern)} is compared literally; a regex starts with exactly \`regex:\`.`;
        findings.error("config_schema", "config", "regex_misspelled", message, { example: pattern });
      }
      if (seen.has(pattern)) {
        const message = `\`${where}\` has ${show(pattern)} more than once; each needs a separate item.`;
        findings.warn("consistency", "config", "pattern_repeated", message);
      }
      seen.add(pattern);
    }
    const regexes = patterns.filter((p) => !p.includes("|") && p.startsWith("regex:"));
    const answers = await askMatcher(
      session,
      regexes.map((pattern) => ({ text: "", pattern })),
    );
    regexes.forEach((pattern, i) => {
      const answer = answers[i];
      const reason = answer?.ok ? answer.result.reason : (answer?.message ?? "");
      if (answer?.ok && !reason.startsWith("Invalid Regex:")) return;
      const message = `\`${where}\`: the regex ${show(pattern)} cannot be used: ${reason}.`;
      findings.error("config_schema", "config", "bad_regex", message, { example: pattern });
    });
  }
}

/** Conditions: the expressions are valid, and records have the fields. */
async function checkConditions(
  { requirements: { where = [], pattern_where = [] } }: NormalizedConfig,
  items: readonly ParsedItem[],
  session: AtomSession,
  findings: Findings,
): Promise<void> {
  const conditions = [...where, ...pattern_where.flat()];
  const regexes = conditions.filter(({ test }) => test === "matches");
  const calls = regexes.map(({ wanted }) => ({ text: "", pattern: `regex:${wanted}` }));
  const answers = await askMatcher(session, calls);
  regexes.forEach(({ field, wanted }, i) => {
    const answer = answers[i];
    const reason = answer?.ok ? answer.result.reason : (answer?.message ?? "");
    if (answer?.ok && !reason.startsWith("Invalid Regex:")) return;
    const message = `\`where\`: the regex ${show(wanted)} for the field \`${field}\` cannot be used: ${reason}.`;
    findings.error("config_schema", "config", "bad_regex", message, { example: wanted });
  });
  const sample = items.slice(0, MAX_VALUES);
  for (const field of new Set(conditions.map((condition) => condition.field))) {
    if (sample.length === 0 || sample.some((item) => fieldOf(item, field) !== undefined)) continue;
    const known = [...new Set(sample.flatMap((item) => Object.keys(item.parsed_fields)))].slice(0, 10);
    const message = `\`where\`: no observed record has the field \`${field}\`; fields are ${known.map((name) => `\`${name}\``).join(", ") || "none"}.`;
    findings.warn("consistency", "config", "where_field_missing", message, { example: field });
  }
}

async function tryPatterns(
  config: NormalizedConfig,
  { items, hasLogs, valueShown }: ObservedItems,
  values: string[],
  ask: Ask,
  findings: Findings,
): Promise<PatternUse> {
  const use: PatternUse = { patterns: new Map() };
  if (config.requirements.value === null) return use;
  const { pattern_items: patterns, expect } = config.requirements;
  const unmatched: string[] = [];
  const hits = await askEach(patterns, values, ask);
  for (const [i, pattern] of patterns.entries()) {
    const count = (hits[i] ?? []).filter(Boolean).length;
    use.patterns.set(pattern, count);
    if (count > 0 || !hasLogs || items.length === 0 || expect === "absent") continue;
    unmatched.push(pattern);
  }
  if (unmatched.length === 0) return use;
  const elsewhere = await matchedElsewhere(unmatched, items, ask);
  const all = unmatched.length === patterns.length;
  for (const pattern of unmatched) {
    const hint = elsewhere.get(pattern);
    const where =
      hint === undefined ? "" : ` It does match ${hint}; is \`value\` the text the patterns are about?`;
    const message = `The pattern ${show(pattern)} matches none of the ${values.length} observed values, e.g. ${show(values[0] ?? "")}.${where}`;
    if (
      pattern !== pattern.trim() &&
      (await ask(values.map((text) => ({ text, pattern: pattern.trim() })))).includes(true)
    ) {
      const spaces = `The pattern ${show(pattern)} matches no observed value only because of the spaces around it.`;
      findings.error("consistency", "config", "pattern_spaces", spaces, { example: pattern });
      continue;
    }
    const wrongValue = !valueShown && all && patterns.every((p) => elsewhere.has(p));
    if (wrongValue) {
      // A single pattern may match another text by chance: then the author of Atom A is asked.
      const report = patterns.length >= 2 ? "error" : "suspect";
      findings[report]("consistency", "atom_a", "value_not_what_patterns_want", message, {
        example: pattern,
      });
    } else findings.warn("consistency", "config", "pattern_unmatched", message, { example: pattern });
  }
  return use;
}

/** Limit for the calls of one request, which has at least all values of one pattern. */
const MAX_CALLS = 4_096;

/** Matches every pattern with every value. */
async function askEach(
  patterns: readonly string[],
  values: readonly string[],
  ask: Ask,
): Promise<boolean[][]> {
  const each = Math.max(1, Math.floor(MAX_CALLS / Math.max(1, values.length)));
  const out: boolean[][] = [];
  for (let from = 0; from < patterns.length; from += each) {
    const some = patterns.slice(from, from + each);
    const hits = await ask(some.flatMap((pattern) => values.map((text) => ({ text, pattern }))));
    some.forEach((_, i) => {
      out.push(hits.slice(i * values.length, (i + 1) * values.length));
    });
  }
  return out;
}

/** The field or line that unmatched patterns match. */
async function matchedElsewhere(
  patterns: readonly string[],
  items: readonly ParsedItem[],
  ask: Ask,
): Promise<Map<string, string>> {
  const placeByPattern = new Map<string, string>();
  const sample = items.slice(0, 2_000);
  for (const pattern of patterns) {
    const places = sample.flatMap((item) => [
      ...Object.entries(item.parsed_fields)
        .filter((entry): entry is [string, string] => typeof entry[1] === "string")
        .map(([key, text]) => ({ text, place: `the field \`${key}\`` })),
      { text: item.matched_content, place: "`matched_content`" },
    ]);
    const hits = await ask(places.map(({ text }) => ({ text, pattern })));
    const place = places[hits.indexOf(true)]?.place;
    if (place !== undefined) placeByPattern.set(pattern, place);
  }
  return placeByPattern;
}
