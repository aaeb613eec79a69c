// The way back from the logic author to Atom A: statements about the form of records. Requirements and waivers never
// travel with them. Contract, section 8.
import { policyTexts } from "../../author/disclosure.ts";
import type { ExtractionDoubt } from "../../author/types.ts";
import type { LogicSlice } from "../../spec/types.ts";

/** Statements at most, and characters of one. */
const MAX_DOUBTS = 8;
const MAX_CHARS = 600;

/** The statements that may go to Atom A's author, and how many may not: those without a quote that stands on the page
 * letter by letter, and those that hold a text of requirements or waivers. */
export function withoutPolicy(
  doubts: readonly ExtractionDoubt[],
  slice: LogicSlice,
  config: string,
): { kept: ExtractionDoubt[]; dropped: number } {
  const page = plain([slice.section_2, slice.section_3, slice.section_4_2].join("\n"));
  // Without a config that can be read nothing may travel.
  const policy = policyTexts(config) ?? [""];
  const kept = doubts.slice(0, MAX_DOUBTS).filter(({ statement, quote }) => {
    if (statement.trim() === "" || plain(quote) === "" || !page.includes(plain(quote))) return false;
    if (statement.length > MAX_CHARS || quote.length > MAX_CHARS) return false;
    const said = `${statement}\n${quote}`.toLowerCase();
    return !policy.some((text) => said.includes(text));
  });
  return { kept, dropped: doubts.length - kept.length };
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
