// Waivers in the gate consistency: each must be able to match a violation of the config; a waiver that matches nothing
// observed is a warning.
import type { NormalizedConfig } from "../contract/config.ts";
import { EXISTENCE_FAILED } from "../runtime/index.ts";
import type { Findings } from "./findings.ts";
import type { MatchArgs } from "./matcher-calls.ts";
import { show } from "./show.ts";

/** Matches texts with the reference matcher. */
export type Ask = (calls: MatchArgs[]) => Promise<boolean[]>;

/** Checks the waivers. They are compared with whole texts: missing patterns, and values of extra or forbidden records. */
export async function tryWaivers(
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
    if (never !== undefined && waiving !== undefined && occursIn(waiver, waiving)) {
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
function occursIn(waiver: string, text: string): boolean {
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

/** Why a waiver cannot match in any log; undefined if it can. */
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
      : "is for a check that expects items to be present; with `expect: absent`, waivers are compared with the `value` of extracted items.";
  }
  if (config.type === 4) {
    if (await match([EXISTENCE_FAILED])) return undefined;
    return `can never match: without patterns the only violation is ${show(EXISTENCE_FAILED)}. If extracted items are violations, write \`expect: absent\`.`;
  }
  if (extra === "fail" || (await match(patterns))) return undefined;
  return "can never match: with `extra: info` only missing patterns are violations, and it equals none of them.";
}
