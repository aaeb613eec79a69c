// L4: global and selective waivers. A violation is marked in place or moved; none is lost or duplicated, and the order is
// kept. docs/contract.md, section 4.
import type { NormalizedConfig } from "../contract/config.ts";
import type { ResultItem, UnusedWaiver } from "../contract/results.ts";
import { type Verdict, violationLists } from "./document.ts";
import type { Matcher } from "./types.ts";

const BATCH = 4096;

/** The text that a waiver is compared with: `expected`, otherwise `value`, otherwise `description`. With `expect: absent`,
 * and for a record whose condition fails, it is `value`, since `expected` is then the matching pattern. */
export function waiverText(config: NormalizedConfig, violation: ResultItem): string {
  if (violation.reason !== undefined) return violation.value ?? violation.description;
  if (config.requirements.expect === "absent") return violation.value ?? violation.description;
  return violation.expected ?? violation.value ?? violation.description;
}

/** Applies the waivers of the config and returns a new verdict; types 1 and 2 are returned unchanged. */
export async function applyWaivers(
  config: NormalizedConfig,
  verdict: Verdict,
  matcher: Matcher,
): Promise<Verdict> {
  const { value } = config.waivers;
  if (value === null) return verdict;
  return value === 0 ? waiveAll(config, verdict) : waiveSelected(config, verdict, matcher);
}

function waiveAll(config: NormalizedConfig, verdict: Verdict): Verdict {
  const next: Verdict = { ...verdict, unused_waivers: [], passes: true };
  for (const list of violationLists(config)) {
    next[list] = verdict[list].map((item) => ({ ...item, severity: "INFO", tag: "[WAIVED_AS_INFO]" }));
  }
  next.waived = config.waivers.waive_items.map((pattern) => ({
    waiver_pattern: pattern,
    waiver_reason: "Global Waiver",
    tag: "[WAIVED_INFO]",
  }));
  return next;
}

async function waiveSelected(config: NormalizedConfig, verdict: Verdict, matcher: Matcher): Promise<Verdict> {
  const { waive_items: patterns, waive_reasons: reasons } = config.waivers;
  const violations = violationLists(config).flatMap((list) => verdict[list]);
  const waivedBy = new Map<ResultItem, number>();
  const used = new Set<number>();
  for (const [index, pattern] of patterns.entries()) {
    // The first matching waiver wins.
    const open = violations.filter((violation) => !waivedBy.has(violation));
    for (let start = 0; start < open.length; start += BATCH) {
      const part = open.slice(start, start + BATCH);
      const answers = await matcher(
        part.map((violation) => ({
          text: waiverText(config, violation),
          pattern,
          parsed_fields: null,
          default_match: "exact",
          regex_mode: "match",
        })),
      );
      part.forEach((violation, i) => {
        if (answers[i]?.is_match !== true) return;
        waivedBy.set(violation, index);
        used.add(index);
      });
    }
  }
  const next: Verdict = { ...verdict };
  for (const list of violationLists(config)) next[list] = verdict[list].filter((item) => !waivedBy.has(item));
  next.waived = violations.flatMap((violation) => {
    const index = waivedBy.get(violation);
    if (index === undefined) return [];
    return [
      {
        ...violation,
        waiver_pattern: patterns[index] ?? "",
        waiver_reason: reasons[index] ?? "N/A",
        tag: "[WAIVER]" as const,
      },
    ];
  });
  next.unused_waivers = patterns.flatMap((pattern, index): UnusedWaiver[] =>
    used.has(index) ? [] : [{ pattern, reason: "Not matched" }],
  );
  return next;
}
