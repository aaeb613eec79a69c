// Records are read from JSON objects, and the page's example is a plain line: where the log has plain lines with all
// words of the example and no rule reads them, they are wanted as well.

import { wordsOf } from "../page/names.ts";
import type { Group } from "../page/page.ts";
import type { Extracted, Rule } from "../program/ir.ts";

/** Words of an example that tell its lines: fewer say too little. */
const LEAST_WORDS = 4;

/** Doubts about plain lines beside the documents that are read. */
export function plainBeside(
  rules: readonly Rule[],
  records: readonly Extracted[],
  group: Group,
  lines: readonly string[],
): string[] {
  if (!rules.every((rule) => rule.kind === "tree" && rule.syntax.startsWith("json"))) return [];
  const read = new Set(records.map(({ line }) => line - 1));
  return group.examples.flatMap((example) => {
    const [shown = ""] = example.lines;
    if (example.lines.length !== 1 || /^\s*[{[<]\s*["<\w]+"?\s*:/.test(shown)) return [];
    // What stands in quotes or has digits varies.
    const words = new Set(wordsOf(shown.replace(/"[^"]*"|'[^']*'|\S*\d\S*/g, " ")));
    if (words.size < LEAST_WORDS) return [];
    const unread = lines.filter((line, at) => {
      if (read.has(at) || /^\s*[{<]/.test(line)) return false;
      const own = new Set(wordsOf(line));
      return [...words].every((word) => own.has(word));
    });
    const [first] = unread;
    return first === undefined
      ? []
      : [
          `${unread.length} plain lines with the words of the page's example are not read, e.g. ${first.trim()}`,
        ];
  });
}
