// Advice on the page of an item that needs review: which sections to clarify, and when to split the item. It depends on
// the gates, error sources and attempts, not on words of the page.
import type { InterventionFacts } from "./intervention-facts.ts";

const PARSING =
  "Sections 1 and 4.1 may be ambiguous: name the files in 4.1, and say in section 1 which lines are records, what the value is and what each field is. A worked example (a fenced `example` block) removes the ambiguity.";
const LOGIC =
  "Sections 2 and 3 may be ambiguous: write patterns and waivers word for word, say whether other records fail the check, and whether a record is required or a violation. A fenced `check` block removes the ambiguity.";
const SOURCE =
  "Compare section 4.1 with the logs below the search root: the paths it names, the extraction patterns, and whether the log lines still have the format that section 1 shows.";
const SPLIT =
  "Split the item when section 1 describes records of more than one format, or section 2 more than one check: one page for each is easier to write and to prove.";
const DOUBTS =
  "Section 4.2 contains rules about the form of records; move them to section 1, which the author of Atom A sees.";

/** What to change on the page, most likely first. */
export function pageAdvice(facts: InterventionFacts): string[] {
  const sources = new Set(facts.attempts.map(({ error_source }) => error_source));
  const read = facts.looked_at.length > 0 || facts.lines.length > 0;
  const parsing = sources.has("atom_a") || sources.has("unknown") || sources.size === 0;
  const logic = sources.has("yaml") || facts.blocks.some(({ kind }) => kind === "check");
  const both = parsing && logic;
  return [
    ...facts.spec_warnings.map((warning) => `spec lint: ${warning}`),
    ...(read ? [] : [SOURCE]),
    ...(parsing ? [PARSING] : []),
    ...(logic ? [LOGIC] : []),
    ...(facts.doubts_sent ? [DOUBTS] : []),
    ...(read ? [SOURCE] : []),
    ...(facts.attempts.length > 1 || both ? [SPLIT] : []),
  ];
}
