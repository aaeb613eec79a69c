// L5: the result document with exactly the keys of the checker type, and the status. docs/contract.md, section 4.
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, GlobalWaiverNote, ResultItem, UnusedWaiver } from "../contract/results.ts";

/** The result of L3 and L4, before it becomes a document. */
export interface Verdict {
  found: ResultItem[];
  missing: ResultItem[];
  extra: ResultItem[];
  waived?: (ResultItem | GlobalWaiverNote)[];
  unused_waivers?: UnusedWaiver[];
  /** Set by a global waiver: the check passes regardless of the lists. */
  passes?: boolean;
}

/** The lists of a verdict with violations, in the order in which waivers are applied. */
export function violationLists(
  config: NormalizedConfig,
): (keyof Pick<Verdict, "found" | "missing" | "extra">)[] {
  const { expect, extra } = config.requirements;
  if (expect === "absent") return ["found"];
  if (config.type === 1 || config.type === 4 || extra === "info") return ["missing"];
  return ["missing", "extra"];
}

/** Computes the status from the violations that remain after the waivers. The document has exactly its keys, empty lists
 * included. */
export function finishDocument(config: NormalizedConfig, verdict: Verdict): CheckDocument {
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
