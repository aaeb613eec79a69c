// Lines that `none` examples of a page show: sums below a table, the heading above it.
import type { ParsedItem } from "../contract/atoms.ts";
import type { WorkedExample } from "../spec/index.ts";

/** A test whether a `none` example shows a line. Lines that differ only in numbers are the same, unless a record of the log
 * differs from the example only in numbers, too. */
export function linesWithoutRecord(
  examples: readonly WorkedExample[],
  records: readonly ParsedItem[],
): (line: string) => boolean {
  const none = examples.filter((example) => example.records.length === 0);
  const lines = new Set(none.flatMap(({ text }) => text.split("\n")).map((line) => line.trimEnd()));
  const recordForms = new Set(records.map((record) => withoutNumbers(record.matched_content)));
  const forms = new Set([...lines].map(withoutNumbers).filter((form) => !recordForms.has(form)));
  return (line) => lines.has(line.trimEnd()) || forms.has(withoutNumbers(line));
}

function withoutNumbers(line: string): string {
  return line.replace(/\d+/g, "0").replace(/\s+/g, " ").trim();
}
