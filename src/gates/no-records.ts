// Lines that the worked examples of a page show to be no records: the sums below a table, the heading above it.
import type { ParsedItem } from "../contract/atoms.ts";
import type { WorkedExample } from "../spec/index.ts";

/** Does an example call this line no record? A line with other numbers only counts as the same line, unless a record
 * of the log differs from it in nothing else. */
export function linesWithoutRecord(
  examples: readonly WorkedExample[],
  records: readonly ParsedItem[],
): (line: string) => boolean {
  const none = examples.filter((example) => example.records.length === 0);
  const lines = new Set(none.flatMap(({ text }) => text.split("\n")).map((line) => line.trimEnd()));
  const seen = new Set(records.map((record) => withoutNumbers(record.matched_content)));
  const forms = new Set([...lines].map(withoutNumbers).filter((form) => !seen.has(form)));
  return (line) => lines.has(line.trimEnd()) || forms.has(withoutNumbers(line));
}

function withoutNumbers(line: string): string {
  return line.replace(/\d+/g, "0").replace(/\s+/g, " ").trim();
}
