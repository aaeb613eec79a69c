// Decides which text of a gate finding each author may read. The author of Atom A never reads a text of the config; the
// author of the logic never reads an observed value (docs/contract.md, section 1: isolation). First, the basis of a
// finding's code (src/contract/finding-codes.ts) decides whether its message is disclosed at all; then texts that the
// reader has not seen are removed from it.
import type { ParsedItem } from "../contract/atoms.ts";
import { FINDING_CODES, type FindingCode, isFindingCode } from "../contract/finding-codes.ts";
import { concernsParsing, type GateFinding } from "../contract/gates.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { readItemConfig } from "../runtime/index.ts";

/** Messages for the author of Atom A in place of findings that are based on the config. */
const WITHOUT_CONFIG: Partial<Record<FindingCode, { message: string; example?: true }>> = {
  nothing_found: {
    message: "Atom A finds nothing in the observed logs. It must extract what fits the format there.",
    example: true,
  },
  named_value_dropped: {
    message:
      "Values must not decide whether a record is extracted (PR5); the code leaves out records with particular texts, where any other text in the same place gives a record. Remove the literals that name particular values.",
  },
  value_not_what_patterns_want: {
    message:
      "The `value` of the records is not the text that the page is about: that text stands elsewhere in the same records. Read again what section 1 calls the value, and take it from there.",
  },
};
const GENERAL = "A rule about Atom A is broken; its details rest on texts that you may not see.";

/** Characters of the beginning of a secret by which it is recognized if it was truncated. */
const MIN_PREFIX = 8;
const HIDDEN = "…";

/** The findings for the author of Atom A.
 * @param config the current config; none of its texts is disclosed
 * @param known texts that this author has seen: prompts, its sections, its code, log lines */
export function findingsForParsing(
  findings: readonly GateFinding[],
  config: string,
  known: readonly string[],
): GateFinding[] {
  const seen = known.join("\n").toLowerCase();
  const secrets = (policyTexts(config) ?? []).filter((text) => !seen.includes(text));
  return findings.filter(concernsParsing).map((finding) => {
    const { message, example, ...rest } = finding;
    const disclosed = disclosedToParsing(finding);
    return {
      ...rest,
      message: withoutTexts(disclosed.message, secrets),
      ...(disclosed.example === undefined ? {} : { example: withoutTexts(disclosed.example, secrets) }),
    };
  });
}

function disclosedToParsing({ code, message, example }: GateFinding): { message: string; example?: string } {
  const withExample = example === undefined ? {} : { example };
  const basis = isFindingCode(code) ? FINDING_CODES[code] : undefined;
  if (basis === "source" || basis === "logs") return { message, ...withExample };
  const replacement = isFindingCode(code) ? WITHOUT_CONFIG[code] : undefined;
  return {
    message: replacement?.message ?? GENERAL,
    ...(replacement?.example === true ? withExample : {}),
  };
}

/** The findings for the author of the logic, with shapes in place of observed values.
 * @param records what Atom A extracts from the observed logs; none of their texts is disclosed
 * @param known texts that this author has seen: prompts, its sections, its config and atoms */
export function findingsForLogic(
  findings: readonly GateFinding[],
  records: readonly ParsedItem[],
  known: { config: string; texts: readonly string[] },
): GateFinding[] {
  const own = findings.filter((finding) => !concernsParsing(finding));
  if (own.length === 0) return [];
  const observed = new ObservedTexts(records, [...known.texts, known.config], patternsOf(known.config));
  return own.map((finding) => {
    const { message, example, ...rest } = finding;
    const basis = isFindingCode(finding.code) ? FINDING_CODES[finding.code] : undefined;
    if (basis === undefined || basis === "logs") {
      return { ...rest, message: `The rule ${finding.code} is broken.` };
    }
    return {
      ...rest,
      message: observed.shapesIn(message),
      ...(example === undefined ? {} : { example: observed.shapesOf(example) }),
    };
  });
}

/** Texts of patterns and waivers, in lower case: whole, by alternative, and the plain pieces of wildcards and regexes.
 * Undefined if the config is not valid. */
export function policyTexts(config: string): string[] | undefined {
  const reading = readItemConfig(config, "handwritten");
  if (!reading.ok) return undefined;
  const { requirements, waivers, description } = reading.config;
  const conditions = [...(requirements.where ?? []), ...(requirements.pattern_where ?? []).flat()];
  const patterns = [
    ...requirements.pattern_items,
    ...waivers.waive_items,
    ...waivers.waive_reasons,
    ...conditions.map(({ wanted }) => String(wanted)),
  ];
  const pieces = patterns.flatMap((pattern) => [
    pattern,
    ...pattern
      .replace(/^regex:/, "")
      .replace(/\\[A-Za-z]/g, " ")
      .split(/[|*?^$()[\]{}+\\]+/),
  ]);
  const texts = [...pieces, description ?? ""].map((text) => text.trim().toLowerCase());
  return [...new Set(texts)].filter(
    (text) => text !== "n/a" && (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2,
  );
}

function patternsOf(config: string): string[] {
  const reading = readItemConfig(config, "handwritten");
  if (!reading.ok) return [];
  return [...reading.config.requirements.pattern_items, ...reading.config.waivers.waive_items]
    .flatMap((pattern) => pattern.split("|"))
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .sort((a, b) => b.length - a.length);
}

/** Hides secrets (in lower case) in a text, also if they are escaped as JSON or truncated. */
function withoutTexts(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length).reduce(withoutText, text);
}

function withoutText(text: string, secret: string): string {
  const start = secret.slice(0, MIN_PREFIX);
  const lower = text.toLowerCase();
  let out = "";
  let end = 0;
  for (let offset = lower.indexOf(start); offset >= 0; offset = lower.indexOf(start, end)) {
    let length = start.length;
    while (length < secret.length && lower[offset + length] === secret[length]) length += 1;
    out += text.slice(end, offset) + HIDDEN;
    end = offset + length;
  }
  return out + text.slice(end);
}

/** Replaces observed texts by their shapes, unless the author of the logic has seen them. */
class ObservedTexts {
  private readonly corpus: string;
  private readonly values: Set<string>;
  private readonly known: string;
  private readonly patterns: readonly string[];

  constructor(records: readonly ParsedItem[], known: readonly string[], patterns: readonly string[]) {
    this.values = new Set(records.flatMap(textsOf).filter((text) => text.trim().length >= 2));
    this.corpus = [...this.values].join("\n");
    this.known = known.join("\n");
    this.patterns = patterns;
  }

  /** Replaces observed texts in the quotes of a message, and whole values anywhere. */
  shapesIn(message: string): string {
    const quoted = message.replace(QUOTED, (whole, mark: string, inside: string) =>
      whole.length < 3 ? whole : `${mark}${this.shapesOf(inside)}${mark}`,
    );
    let text = quoted;
    for (const value of this.values) {
      if (text.includes(value) && !this.isKnown(value)) text = text.replaceAll(value, this.shape(value));
    }
    return text;
  }

  /** Replaces observed texts in a quoted text: the whole text, its quotes, or its words. */
  shapesOf(text: string): string {
    if (this.isKnown(text)) return text;
    const bare = text.replace(/ ?…\[cut, \d+ bytes in all\].*$/s, "");
    if (bare.trim().length > 1 && this.corpus.includes(unescaped(bare))) return this.shape(text);
    return text
      .replace(QUOTED, (whole, mark: string, inside: string) =>
        inside !== text && this.corpus.includes(unescaped(inside)) && !this.isKnown(inside)
          ? `${mark}${this.shape(inside)}${mark}`
          : whole,
      )
      .replace(/[\p{L}\p{N}_]+/gu, (word) =>
        this.corpus.includes(word) && !this.isKnown(word) ? this.shape(word) : word,
      );
  }

  private isKnown(text: string): boolean {
    return this.known.includes(text) || this.known.includes(unescaped(text));
  }

  /** The text with digits as 9 and letters as a, one per run; patterns of the config remain. */
  private shape(text: string): string {
    const pattern = this.patterns.find((known) => text.includes(known));
    if (pattern === undefined) return text.replace(/\p{Nd}+/gu, "9").replace(/\p{L}+/gu, "a");
    const start = text.indexOf(pattern);
    return this.shape(text.slice(0, start)) + pattern + this.shape(text.slice(start + pattern.length));
  }
}

/** A text between double quotes with JSON escapes, or between backquotes. */
const QUOTED = /(["`])((?:\\.|(?!\1)[^\\])*)\1/gs;

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

function textsOf({ value, matched_content, source_file, parsed_fields }: ParsedItem): string[] {
  return [value, matched_content, source_file, ...leaves(parsed_fields)];
}

function leaves(value: JsonValue): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isJsonObject(value) ? Object.values(value).flatMap(leaves) : [];
}
