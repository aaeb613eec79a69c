// What a page leaves open and a default decides: said before anybody pays for an author. Contract, section 8.
import type { SpecFinding } from "./finding.ts";
import type { SpecSection } from "./types.ts";

/** A list entry that is nothing but a text in backticks. */
const BARE = /^\s*(?:[-*+•]|\d+[.)])\s+(`+)[^`]+\1\s*$/;

/** A check section that is a bare list of patterns says nothing of other records, and they fail. A check block says
 * all that counts, and nothing is said of it. */
export function silenceFindings(check: SpecSection | undefined, hasCheck: boolean): SpecFinding[] {
  if (check === undefined || hasCheck) return [];
  const lines = check.text.split("\n").filter((line) => line.trim() !== "");
  const listed = lines.filter((line) => BARE.test(line)).length;
  const rest = lines.filter((line) => !BARE.test(line));
  // A line that only introduces the list is not a statement.
  if (listed === 0 || rest.length > 1 || !rest.every((line) => /[:：]\s*$/.test(line))) return [];
  const message = `Section 2 is a bare list, silent on other records: they fail. If they are fine, say so, or write \`extra: info\` in a check block.`;
  return [{ severity: "warning", code: "silent_on_others", message, line: check.line }];
}
