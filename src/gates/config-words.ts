// Part of the gate consistency, where the page is at hand: does the config say what sections 2 and 3 say in plain
// words? Only words that leave no doubt make an error (a type by its number, "Selective", "two patterns", "every
// refusal is a violation"); everything softer is a warning. A page without such words says nothing here.
// Built against: configs of the wrong type, wrong counts, a global waiver in place of a selective one, a check
// that is right only the other way round.
import type { NormalizedConfig } from "../contract/config.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";

const GATE = "consistency";
const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** The items that are found are the violations. */
const VIOLATIONS =
  /\b(?:every|each|any|all)\b[^.\n]{0,80}\b(?:is|are|counts? as) (?:a )?violations?\b|\b(?:must|should|may) be no\b|\bthere (?:must|should) not be\b|\bno [a-z -]{1,40} (?:is|are) (?:allowed|permitted|accepted)\b|\bis clean (?:when|if|only if)\b/i;
const MUST_BE_THERE =
  /\b(?:must|has to|have to|should) (?:exist|be present|be there|be found|appear)\b|\bat least one\b/i;
const MUST_NOT_APPEAR =
  /\b(?:must|may|shall|should) not (?:appear|be used|occur|be present|contain|be there)\b|\bdon'?t[- ]use\b|\bforbidden\b|\bprohibited\b|\bnot allowed\b|\bbanned\b/i;
const OTHERS_FINE =
  /\b(?:other|further|more|additional)\b[^.\n]{0,60}\b(?:are|is) (?:fine|allowed|ok(?:ay)?|not violations?|no violations?|ignored|permitted|harmless)\b/i;

/** Compares the config with the words of the page. */
export function checkConfigWords(config: NormalizedConfig, spec: ItemSpec, findings: Findings): void {
  const logic = spec.sections["2"]?.text ?? "";
  const waiving = spec.sections["3"]?.text ?? "";
  const error = (code: string, message: string): void => findings.error(GATE, "config", code, message);
  checkType(config, logic, error);
  checkCounts(config, logic, waiving, error);
  checkWaivers(config, waiving, error);
  checkExpectation(config, logic, error, findings);
  checkPatternsOnPage(config, spec, findings);
}

type Report = (code: string, message: string) => void;

function checkType(config: NormalizedConfig, logic: string, error: Report): void {
  const types = new Set([...logic.matchAll(/\btype[ -]?([1-4])\b/gi)].map((m) => Number(m[1])));
  const [type] = types;
  if (types.size !== 1 || type === undefined || type === config.type) return;
  const value = (n: number | null): string => (n === null ? "N/A" : String(n));
  error(
    "type_differs",
    `Section 2 says type ${type}; the config is type ${config.type} (requirements.value ${value(config.requirements.value)}, waivers.value ${value(config.waivers.value)}).`,
  );
}

function checkCounts(config: NormalizedConfig, logic: string, waiving: string, error: Report): void {
  const patterns = countOf(logic, "patterns?");
  const required = config.requirements.value;
  if (patterns !== undefined && required !== null && patterns !== required) {
    error("pattern_count", `Section 2 speaks of ${patterns} patterns; requirements.value is ${required}.`);
  }
  const waivers = countOf(waiving, "waivers?");
  const waived = config.waivers.value;
  if (waivers !== undefined && waived !== null && waived > 0 && waivers !== waived) {
    error("waiver_count", `Section 3 speaks of ${waivers} waivers; waivers.value is ${waived}.`);
  }
}

/** "four patterns" as a number; undefined when it is not said or said differently twice. */
function countOf(text: string, noun: string): number | undefined {
  const words = new RegExp(`\\b(${NUMBERS.join("|")}|\\d{1,3}) ${noun}\\b`, "gi");
  const counts = new Set([...text.matchAll(words)].map((m) => toNumber(m[1] ?? "")));
  const [count] = counts;
  return counts.size === 1 ? count : undefined;
}

function toNumber(word: string): number {
  const at = NUMBERS.indexOf(word.toLowerCase());
  return at >= 0 ? at : Number(word);
}

function checkWaivers(config: NormalizedConfig, waiving: string, error: Report): void {
  const text = waiving.trim();
  const { value } = config.waivers;
  if (/^\W*(?:N\s*\/\s*A|none|no waivers?)\W*$/i.test(text) && value !== null) {
    error("waivers_not_on_page", `Section 3 is ${show(text)}; waivers.value must be N/A, not ${value}.`);
  }
  const global = /\bglobal(?:ly)?\b/i.test(text);
  const selective = /\bselective(?:ly)?\b/i.test(text);
  if (global && !selective && value !== 0) {
    error(
      "waiver_mode",
      `Section 3 asks for a global waiver; waivers.value must be 0, not ${value ?? "N/A"}.`,
    );
  }
  if (selective && !global && (value === null || value === 0)) {
    error(
      "waiver_mode",
      `Section 3 asks for selective waivers; waivers.value must be their number, not ${value ?? "N/A"}.`,
    );
  }
}

function checkExpectation(config: NormalizedConfig, logic: string, error: Report, findings: Findings): void {
  const { expect, extra } = config.requirements;
  const warn = (code: string, message: string): void => findings.warn(GATE, "config", code, message);
  if (config.type === 1 || config.type === 4) {
    const violations = VIOLATIONS.exec(logic);
    if (violations && expect === "present") {
      error(
        "expect_wrong",
        `Section 2 says ${show(violations[0])}: what is found is the violation, so \`expect: absent\` is needed.`,
      );
    } else if (!violations && expect === "absent" && MUST_BE_THERE.test(logic)) {
      error(
        "expect_wrong",
        "Section 2 says that something must be there; `expect: absent` passes when it is not.",
      );
    }
    return;
  }
  const forbidden = MUST_NOT_APPEAR.exec(logic);
  if (forbidden && expect === "present") {
    warn(
      "expect_doubtful",
      `Section 2 says ${show(forbidden[0])}; \`expect: present\` asks for the patterns to be there.`,
    );
  }
  if (!forbidden && !VIOLATIONS.test(logic) && expect === "absent") {
    warn(
      "expect_doubtful",
      "Nothing in section 2 says that the patterns must not appear; `expect: absent` fails when they do.",
    );
  }
  const others = OTHERS_FINE.exec(logic);
  if (others && expect === "present" && extra === "fail") {
    warn(
      "extra_doubtful",
      `Section 2 says ${show(others[0])}; \`extra: fail\` fails for items that match no pattern.`,
    );
  }
}

/** Patterns and waivers of which no word stands on the page. */
function checkPatternsOnPage(config: NormalizedConfig, spec: ItemSpec, findings: Findings): void {
  const page = Object.values(spec.sections)
    .map((section) => section?.text ?? "")
    .join("\n")
    .toLowerCase();
  const lists = [
    ["pattern", config.requirements.value === null ? [] : config.requirements.pattern_items],
    ["waiver", (config.waivers.value ?? 0) > 0 ? config.waivers.waive_items : []],
  ] as const;
  for (const [kind, patterns] of lists) {
    for (const pattern of patterns) {
      const words =
        pattern
          .toLowerCase()
          .replace(/^regex:/, "")
          .match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
      if (words.length === 0 || words.some((word) => page.includes(word))) continue;
      findings.warn(
        GATE,
        "config",
        "not_on_page",
        `No word of the ${kind} ${show(pattern)} stands on the page.`,
      );
    }
  }
}
