// config_schema and consistency: the config is complete and means what it says. Proves that it normalises, holds
// no placeholder, that every pattern compiles, and says what each pattern and waiver meets in the observed logs.
// Cannot prove that the requirement is the right one; where the page is at hand, config-words.ts says what its words suggest.
// Built against: placeholders, wrong counts, `regex:` together with `|`, waivers that can never match, `"two"`.
import type { AtomSession } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS, type ParsedItem } from "../contract/atoms.ts";
import type { ConfigReading, NormalizedConfig } from "../contract/config.ts";
import { fieldOf } from "../runtime/conditions.ts";
import { EXISTENCE_FAILED, readItemConfig } from "../runtime/index.ts";
import type { Findings } from "./findings.ts";
import { askMatcher, type MatchArgs } from "./matcher-calls.ts";
import { show } from "./show.ts";
import { checkWidePatterns } from "./wide-patterns.ts";

/** Longest config that is looked at, in characters. */
const MAX_CONFIG_CHARS = 256 * 1024;
/** Tokens of the program's own template (prompts/item/config_template.yaml). Anything else may be a value. */
const PLACEHOLDER = /<TO_BE_INFERRED>|\bTO_BE_INFERRED\b/;
/** Observed values each pattern is tried on. */
const MAX_VALUES = 20_000;

/** Reads the config as a generated one and reports what is wrong with it. */
export function runConfigSchemaGate(source: string, findings: Findings): ConfigReading | null {
  if (source.length > MAX_CONFIG_CHARS) {
    const message = `config.yaml has ${source.length} characters; at most ${MAX_CONFIG_CHARS} are read.`;
    findings.error("config_schema", "config", "config_too_large", message);
    findings.ran("config_schema");
    return null;
  }
  if (source.replace(/^\s*#.*$/gm, "").trim() === "") {
    if (!findings.hasErrors("config")) {
      findings.error("config_schema", "config", "file_empty", "config.yaml is missing or empty.");
    }
    findings.ran("config_schema");
    return null;
  }
  const reading = readItemConfig(source, "generated");
  if (!reading.ok) {
    for (const problem of reading.problems) {
      const at = problem.path === "" ? "config.yaml" : `\`${problem.path}\``;
      findings.error(
        "config_schema",
        "config",
        "config_invalid",
        `${at}: ${problem.message}.`,
        lineOf(problem),
      );
    }
  }
  for (const warning of reading.warnings) {
    findings.warn(
      "config_schema",
      "config",
      "config_doubtful",
      `\`${warning.path}\`: ${warning.message}.`,
      lineOf(warning),
    );
  }
  checkPlaceholders(source, reading, findings);
  findings.ran("config_schema");
  return reading;
}

function lineOf(problem: { line?: number }): { line?: number } {
  return problem.line === undefined ? {} : { line: problem.line };
}

function checkPlaceholders(source: string, reading: ConfigReading, findings: Findings): void {
  source.split("\n").forEach((line, i) => {
    const body = withoutComment(line);
    if (!PLACEHOLDER.test(body)) return;
    const message = `The config still holds a placeholder: ${show(body.trim())}. Write the real value, or N/A.`;
    findings.error("config_schema", "config", "placeholder", message, { line: i + 1 });
  });
  if (!reading.ok) return;
  const { config } = reading;
  const texts = [
    ...config.requirements.pattern_items.map((text) => ({ text, where: "requirements.pattern_items" })),
    ...config.waivers.waive_items.map((text) => ({ text, where: "waivers.waive_items" })),
    ...config.input_files.map((text) => ({ text, where: "input_files" })),
  ];
  for (const { text, where } of texts) {
    if (text.trim() === "") {
      const message = `\`${where}\` holds an empty text; an empty pattern is contained in everything.`;
      findings.error("config_schema", "config", "empty_pattern", message);
    }
  }
}

/** Drops a YAML comment; a `#` inside quotes stays. Good enough to look for placeholders. */
function withoutComment(line: string): string {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? "";
    if (quote !== "") {
      if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if (c === "#" && (i === 0 || /\s/.test(line[i - 1] ?? ""))) return line.slice(0, i);
  }
  return line;
}

export interface PatternUse {
  /** Per pattern item: how many observed values it matches. */
  patterns: Map<string, number>;
}

export interface ObservedItems {
  items: readonly ParsedItem[];
  hasLogs: boolean;
  /** Worked examples show what the value of a record is, and Atom A takes it. */
  valueShown: boolean;
  /** The page gives the config itself, in a check block. */
  fixed: boolean;
  /** What the page says of waivers; undefined when it is not at hand. */
  waiving: string | undefined;
}

/** Tries every pattern and waiver on what was observed, with the reference matcher in the sandbox. */
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
        const message = `\`${where}\`: ${show(pattern)} holds \`|\`, so it is a list of literal alternatives and no regex. Write several regexes, or one without \`|\`: \`(?!(?!a)(?!b))\` matches where \`a\` or \`b\` does.`;
        findings.error("config_schema", "config", "regex_with_alternatives", message, { example: pattern });
      } else if (pattern.includes("|") && pattern.split("|").every((part) => part.trim() === "")) {
        const message = `\`${where}\`: ${show(pattern)} has only empty alternatives and can never match.`;
        findings.error("config_schema", "config", "empty_alternatives", message, { example: pattern });
      } else if (/^\s+regex:|^regex\s*:|^Regex:|^re:/.test(pattern) && !pattern.startsWith("regex:")) {
        const message = `\`${where}\`: ${show(pattern)} is taken literally; a regex starts with exactly \`regex:\`.`;
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

/** Conditions: every expression can be used, and every field is one that records have. */
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

type Ask = (calls: MatchArgs[]) => Promise<boolean[]>;

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
      // One pattern may stand elsewhere by chance: then the author of Atom A is asked.
      const tell = patterns.length >= 2 ? "error" : "suspect";
      findings[tell]("consistency", "atom_a", "value_not_what_patterns_want", message, { example: pattern });
    } else findings.warn("consistency", "config", "pattern_unmatched", message, { example: pattern });
  }
  return use;
}

/** Calls that are asked for at once, at most (but all values of one pattern). */
const MAX_ASKED = 4_096;

/** Every pattern on every value; as many patterns in one go as there is room for. */
async function askEach(
  patterns: readonly string[],
  values: readonly string[],
  ask: Ask,
): Promise<boolean[][]> {
  const each = Math.max(1, Math.floor(MAX_ASKED / Math.max(1, values.length)));
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

/** Where unmatched patterns would match: a field, or the line. */
async function matchedElsewhere(
  patterns: readonly string[],
  items: readonly ParsedItem[],
  ask: Ask,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
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
    if (place !== undefined) found.set(pattern, place);
  }
  return found;
}

/** Waivers compare whole texts: `expected` of what is missing, `value` of what is extra or forbidden. */
async function tryWaivers(
  config: NormalizedConfig,
  values: string[],
  waiving: string | undefined,
  ask: Ask,
  findings: Findings,
): Promise<void> {
  const { value, waive_items: waivers } = config.waivers;
  if (value === null || value === 0) return;
  for (const waiver of waivers) {
    const match = async (texts: string[]): Promise<boolean> => {
      const call = { pattern: waiver, fields: null, defaultMatch: "exact", regexMode: "match" };
      const hits = await ask(texts.map((text) => ({ ...call, text })));
      return hits.includes(true);
    };
    const never = await whyNever(config, waiver, values, match);
    if (never !== undefined && waiving !== undefined && standsIn(waiver, waiving)) {
      const message = `The waiver ${show(waiver)} is on the page and ${never}`;
      findings.suspect("consistency", "config", "waiver_never_matches", message, { example: waiver });
    } else if (never !== undefined) {
      const message = `The waiver ${show(waiver)} ${never}`;
      findings.error("consistency", "config", "waiver_never_matches", message, { example: waiver });
    } else if (!(await match(violationTexts(config, values))) && values.length > 0) {
      const message = `The waiver ${show(waiver)} matches nothing that was observed or is required (whole text, case-sensitive).`;
      findings.warn("consistency", "config", "waiver_unmatched", message, { example: waiver });
    }
  }
}

/** Do all words of a waiver occur in a text of the page? */
function standsIn(waiver: string, text: string): boolean {
  const words =
    waiver
      .replace(/^regex:/, "")
      .replace(/\\[a-zA-Z]/g, " ")
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  const known = new Set(text.match(/[\p{L}\p{N}_]+/gu) ?? []);
  return words.length > 0 && words.every((word) => known.has(word));
}

function violationTexts(config: NormalizedConfig, values: string[]): string[] {
  const { expect, pattern_items: patterns, extra } = config.requirements;
  if (expect === "absent") return values;
  if (config.type === 4) return [EXISTENCE_FAILED, ...(hasConditions(config) ? values : [])];
  return [...patterns, ...(extra === "fail" || hasConditions(config) ? values : [])];
}

/** Records that do not meet a condition are violations, shown by their value. */
function hasConditions({ requirements: { where, pattern_where } }: NormalizedConfig): boolean {
  return where !== undefined || pattern_where !== undefined;
}

/** Why a waiver can never match, for any log; undefined when it can. */
async function whyNever(
  config: NormalizedConfig,
  waiver: string,
  values: string[],
  match: (texts: string[]) => Promise<boolean>,
): Promise<string | undefined> {
  const { expect, pattern_items: patterns, extra } = config.requirements;
  if (hasConditions(config)) return undefined;
  if (expect === "absent") {
    if (!(await match([EXISTENCE_FAILED])) || (await match(values))) return undefined;
    return waiver.replace(/[*?]/g, "").trim() === ""
      ? undefined
      : "is for a check that expects items to be present; with `expect: absent` waivers are compared with the `value` of the items that were found.";
  }
  if (config.type === 4) {
    if (await match([EXISTENCE_FAILED])) return undefined;
    return `can never match: without patterns the only violation is ${show(EXISTENCE_FAILED)}. If the items that were found are the violations, write \`expect: absent\`.`;
  }
  if (extra === "fail" || (await match(patterns))) return undefined;
  return "can never match: with `extra: info` only missing patterns are violations, and it equals none of them.";
}

/** Atom B on the set's own patterns and observed values, against the reference: where it counts most. */
export async function runOwnPatterns(
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  candidate: AtomSession,
  reference: AtomSession,
  findings: Findings,
): Promise<void> {
  const values = [...new Set(items.map((item) => item.value))].slice(0, 40);
  const patterns = [...config.requirements.pattern_items, ...config.waivers.waive_items].slice(0, 60);
  const texts = [...values, ...patterns, EXISTENCE_FAILED];
  const calls: MatchArgs[] = patterns.flatMap((pattern) =>
    texts.flatMap((text) => [
      { text, pattern, fields: null, defaultMatch: "contains", regexMode: "search" },
      { text, pattern, fields: null, defaultMatch: "exact", regexMode: "match" },
    ]),
  );
  if (calls.length === 0) return;
  const [expected, actual] = await Promise.all([askMatcher(reference, calls), askMatcher(candidate, calls)]);
  const at = calls.findIndex((_, i) => {
    const want = expected[i];
    const got = actual[i];
    return want?.ok && (!got?.ok || got.result.is_match !== want.result.is_match);
  });
  const call = calls[at];
  const want = expected[at];
  if (call === undefined || !want?.ok) return;
  const message = `On this item's own pattern ${show(call.pattern)} and the text ${show(call.text)}, \`${ATOM_FUNCTIONS.atom_b}\` must give is_match ${want.result.is_match}.`;
  findings.error("gate2_equivalence", "atom_b", "own_pattern", message, {
    example: show([call.text, call.pattern]),
  });
}
