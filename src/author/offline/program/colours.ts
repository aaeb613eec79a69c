// Escape sequences that a terminal takes for colours and the like. They are no part of any text: lines are read as if they were not
// there, and a record keeps its line as it is printed.

/** The expression of one sequence, as source. */
export const COLOURS = "\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\([A-Z0-9])";

const SEQUENCE = new RegExp(COLOURS, "g");

/** Has any of the lines such a sequence? */
export function isColoured(lines: readonly string[]): boolean {
  const one = new RegExp(COLOURS);
  return lines.some((line) => line.includes("\u001b") && one.test(line));
}

/** A line as a terminal shows it, without colours. */
export function withoutColours(line: string): string {
  return line.includes("\u001b") ? line.replace(SEQUENCE, "") : line;
}
