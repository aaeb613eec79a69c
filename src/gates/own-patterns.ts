// gate2_equivalence on a set's own data: Atom B must agree with the reference matcher on the patterns of the config and the
// observed values.
import type { AtomSession } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS, type ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import { EXISTENCE_FAILED } from "../runtime/index.ts";
import type { Findings } from "./findings.ts";
import { askMatcher, type MatchArgs } from "./matcher-calls.ts";
import { show } from "./show.ts";

/** Compares Atom B with the reference on the set's own patterns and observed values. */
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
  const index = calls.findIndex((_, i) => {
    const reference = expected[i];
    const answer = actual[i];
    return reference?.ok && (!answer?.ok || answer.result.is_match !== reference.result.is_match);
  });
  const call = calls[index];
  const answer = expected[index];
  if (call === undefined || !answer?.ok) return;
  const message = `For the pattern ${show(call.pattern)} of this item and the text ${show(call.text)}, \`${ATOM_FUNCTIONS.atom_b}\` must return is_match ${answer.result.is_match}.`;
  findings.error("gate2_equivalence", "atom_b", "own_pattern", message, {
    example: show([call.text, call.pattern]),
  });
}
