// L5: the strict result document, exactly the keys of the checker type, and the status. Contract, section 4.
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, GlobalWaiverNote, ResultItem, UnusedWaiver } from "../contract/results.ts";

/** What L3 found and L4 changed, before it becomes a document. */
export interface Verdict {
  found: ResultItem[];
  missing: ResultItem[];
  extra: ResultItem[];
  waived?: (ResultItem | GlobalWaiverNote)[];
  unused_waivers?: UnusedWaiver[];
  /** Set by a global waiver: passes with any content of the lists. */
  passes?: boolean;
}

/** The lists of a verdict that hold violations, in the order in which waivers see them. */
export function violationLists(
  config: NormalizedConfig,
): (keyof Pick<Verdict, "found" | "missing" | "extra">)[] {
  const { expect, extra } = config.requirements;
  if (expect === "absent") return ["found"];
  if (config.type === 1 || config.type === 4 || extra === "info") return ["missing"];
  return ["missing", "extra"];
}

/** Computes the status from what is left after the waivers and gives the document its exact keys, present even
 * when empty. */
export function sealDocument(config: NormalizedConfig, verdict: Verdict): CheckDocument {
  const clean = violationLists(config).every((list) => verdict[list].length === 0);
  const document: CheckDocument = {
    status: clean || verdict.passes === true ? "PASS" : "FAIL",
    found_items: verdict.found,
    missing_items: verdict.missing,
  };
  if (config.type === 2 || config.type === 3) document.extra_items = verdict.extra;
  if (config.type === 3 || config.type === 4) {
    document.waived = verdict.waived ?? [];
    document.unused_waivers = verdict.unused_waivers ?? [];
  }
  return document;
}
