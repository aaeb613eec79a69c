// A few sentences about what was seen in the logs, so that a later step does not read the same lines twice.
import { isAbsolute, relative } from "node:path";
import { truncate } from "../core/limits.ts";
import type { ToolsSnapshot } from "../tools/types.ts";

const SUMMARY_BYTES = 2500;

/** A path as the tools show it: relative to the search root. */
export function shownPath(path: string, searchRoot: string): string {
  const inside = relative(searchRoot, path);
  return isAbsolute(path) && inside !== "" && !inside.startsWith("..") ? inside : path;
}

/** The author's own words, then which lines of which files were seen. */
export function logSummary(words: string, snapshot: ToolsSnapshot, searchRoot: string): string {
  const ranges = new Map<string, string[]>();
  for (const { path: real, startLine, lines } of snapshot.observed) {
    if (lines.length === 0) continue;
    const path = shownPath(real, searchRoot);
    const last = startLine + lines.length - 1;
    ranges.set(path, [
      ...(ranges.get(path) ?? []),
      startLine === last ? `${startLine}` : `${startLine}-${last}`,
    ]);
  }
  const seen = [...ranges].map(
    ([path, parts]) => `${path}: lines ${[...new Set(parts)].slice(0, 12).join(", ")}`,
  );
  const text = [
    words.split("\nLines seen:")[0]?.trim() ?? "",
    seen.length > 0 ? `Lines seen:\n${seen.join("\n")}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
  return truncate(text, SUMMARY_BYTES).text;
}
