// Warns about open points of a page that a default decides, before an author is paid for. docs/contract.md, section 8.
import type { SpecFinding } from "./finding.ts";
import type { SpecSection } from "./types.ts";

/** A list entry that is only a text in backticks. */
const BARE = /^\s*(?:[-*+•]|\d+[.)])\s+(`+)[^`]+\1\s*$/;

/** A check section that is only a list of patterns does not mention other records, which then fail. With a check block
 * nothing is open. */
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
