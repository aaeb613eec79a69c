// Feedback from the logic author to the author of Atom A: statements about the form of records. Requirements and
// waivers are never passed on. See docs/contract.md, section 8.
import { policyTexts } from "../../author/disclosure.ts";
import type { ExtractionDoubt } from "../../author/types.ts";
import type { LogicSlice } from "../../spec/types.ts";

/** Maximum number of statements, and maximum length of one. */
const MAX_DOUBTS = 8;
const MAX_CHARS = 600;

/** Filters the statements that may go to the author of Atom A. Dropped and counted: statements whose quote is not
 * verbatim on the page, and those that contain a text of requirements or waivers. */
export function dropPolicyDoubts(
  doubts: readonly ExtractionDoubt[],
  slice: LogicSlice,
  config: string,
): { kept: ExtractionDoubt[]; dropped: number } {
  const page = normalizeSpace([slice.section_2, slice.section_3, slice.section_4_2].join("\n"));
  // With an unreadable config the policy texts are unknown: drop everything.
  const policy = policyTexts(config) ?? [""];
  const kept = doubts.slice(0, MAX_DOUBTS).filter(({ statement, quote }) => {
    if (statement.trim() === "" || normalizeSpace(quote) === "" || !page.includes(normalizeSpace(quote)))
      return false;
    if (statement.length > MAX_CHARS || quote.length > MAX_CHARS) return false;
    const statementText = `${statement}\n${quote}`.toLowerCase();
    return !policy.some((text) => statementText.includes(text));
  });
  return { kept, dropped: doubts.length - kept.length };
}

function normalizeSpace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
