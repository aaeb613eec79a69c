// Suspicions of the gate consistency, if the page is available: does the config agree with the prose of sections 2 and 3?
// Words of a natural language prove nothing, so the findings are not errors: the author is asked about each of them once
// before the set is accepted (docs/contract.md, section 8), or they are warnings if no author can be asked. Only waivers
// for a section 3 without any text are an error.
// Targets configs of the wrong type, wrong counts, a global waiver in place of a selective one, an inverted check.
import type { NormalizedConfig } from "../contract/config.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import { withoutBlocks } from "../spec/index.ts";
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

/** Phrases by which extracted items are violations. */
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
  const suspect = (code: FindingCode, message: string): void =>
    findings.suspect(GATE, "config", code, message);
  checkType(config, logic, suspect);
  checkCounts(config, logic, waiving, suspect);
  checkWaivers(config, waiving, suspect);
  checkNothingToWaive(config, spec, findings);
  checkExpectation(config, logic, suspect);
  checkPatternsOnPage(config, spec, findings);
}

type Report = (code: FindingCode, message: string) => void;

function checkType(config: NormalizedConfig, logic: string, suspect: Report): void {
  const types = new Set([...logic.matchAll(/\btype[ -]?([1-4])\b/gi)].map((m) => Number(m[1])));
  const [type] = types;
  if (types.size !== 1 || type === undefined || type === config.type) return;
  const value = (n: number | null): string => (n === null ? "N/A" : String(n));
  suspect(
    "type_differs",
    `Section 2 says type ${type}; the config is type ${config.type} (requirements.value ${value(config.requirements.value)}, waivers.value ${value(config.waivers.value)}).`,
  );
}

function checkCounts(config: NormalizedConfig, logic: string, waiving: string, suspect: Report): void {
  const patterns = countOf(logic, "patterns?");
  const required = config.requirements.value;
  if (patterns !== undefined && required !== null && patterns !== required) {
    suspect("pattern_count", `Section 2 mentions ${patterns} patterns; requirements.value is ${required}.`);
  }
  const waivers = countOf(waiving, "waivers?");
  const waived = config.waivers.value;
  if (waivers !== undefined && waived !== null && waived > 0 && waivers !== waived) {
    suspect("waiver_count", `Section 3 mentions ${waivers} waivers; waivers.value is ${waived}.`);
  }
}

/** "four patterns" as a number; undefined if there is none, or several different ones. */
function countOf(text: string, noun: string): number | undefined {
  const words = new RegExp(`\\b(${NUMBERS.join("|")}|\\d{1,3}) ${noun}\\b`, "gi");
  const counts = new Set([...text.matchAll(words)].map((m) => toNumber(m[1] ?? "")));
  const [count] = counts;
  return counts.size === 1 ? count : undefined;
}

function toNumber(word: string): number {
  const index = NUMBERS.indexOf(word.toLowerCase());
  return index >= 0 ? index : Number(word);
}

function checkWaivers(config: NormalizedConfig, waiving: string, suspect: Report): void {
  const text = waiving.trim();
  const { value } = config.waivers;
  if (/^\W*(?:none|no waivers?)\W*$/i.test(text) && value !== null) {
    suspect("waivers_not_on_page", `Section 3 is ${show(text)}; waivers.value is ${value}.`);
  }
  const global = /\bglobal(?:ly)?\b/i.test(text);
  const selective = /\bselective(?:ly)?\b/i.test(text);
  if (global && !selective && value !== 0) {
    suspect(
      "waiver_mode",
      `Section 3 requires a global waiver, with waivers.value 0; it is ${value ?? "N/A"}.`,
    );
  }
  if (selective && !global && (value === null || value === 0)) {
    suspect(
      "waiver_mode",
      `Section 3 requires selective waivers, with their number as waivers.value; it is ${value ?? "N/A"}.`,
    );
  }
}

/** An empty section 3, or one with only `N/A`, requires no waiver in any language. */
function checkNothingToWaive(config: NormalizedConfig, spec: ItemSpec, findings: Findings): void {
  const section = spec.sections["3"];
  const { value } = config.waivers;
  if (section === undefined || value === null) return;
  if (!/^[^\p{L}\p{N}]*(?:N\s*\/\s*A)?[^\p{L}\p{N}]*$/u.test(withoutBlocks(section.text))) return;
  // check-block.ts compares the block.
  if (spec.blocks.some(({ kind }) => kind === "check")) return;
  const message = `Section 3 has no text; waivers.value must be N/A, not ${value}.`;
  findings.error(GATE, "config", "waivers_not_on_page", message);
}

function checkExpectation(config: NormalizedConfig, logic: string, suspect: Report): void {
  const { expect, extra } = config.requirements;
  if (config.type === 1 || config.type === 4) {
    const violations = VIOLATIONS.exec(logic);
    if (violations && expect === "present") {
      suspect(
        "expect_wrong",
        `Section 2 says ${show(violations[0])}: are the extracted items violations? Then \`expect: absent\` is needed.`,
      );
    } else if (!violations && expect === "absent" && MUST_BE_THERE.test(logic)) {
      suspect(
        "expect_wrong",
        "Section 2 says that something must be present; `expect: absent` passes if it is not.",
      );
    }
    return;
  }
  const forbidden = MUST_NOT_APPEAR.exec(logic);
  if (forbidden && expect === "present") {
    suspect(
      "expect_doubtful",
      `Section 2 says ${show(forbidden[0])}; \`expect: present\` requires the patterns to be present.`,
    );
  }
  if (!forbidden && !VIOLATIONS.test(logic) && expect === "absent") {
    suspect(
      "expect_doubtful",
      "Nothing in section 2 says that the patterns must not appear; `expect: absent` fails if they do.",
    );
  }
  const others = OTHERS_FINE.exec(logic);
  if (others && expect === "present" && extra === "fail") {
    suspect(
      "extra_doubtful",
      `Section 2 says ${show(others[0])}; \`extra: fail\` fails for items that match no pattern.`,
    );
  }
}

/** Patterns and waivers that have no word in common with the page. */
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
      findings.suspect(
        GATE,
        "config",
        "not_on_page",
        `No word of the ${kind} ${show(pattern)} occurs on the page.`,
      );
    }
  }
}
