// Summary of the logs that an author has read, so that later steps do not read the same lines again.
import { isAbsolute, relative } from "node:path";
import { truncate } from "../core/limits.ts";
import type { ToolsSnapshot } from "../tools/types.ts";

const MAX_SUMMARY_BYTES = 2500;

/** A path as the tools show it: relative to the search root. */
export function shownPath(path: string, searchRoot: string): string {
  const inside = relative(searchRoot, path);
  return isAbsolute(path) && inside !== "" && !inside.startsWith("..") ? inside : path;
}

/** The author's own summary, and the lines of each file that were read. */
export function logSummary(text: string, snapshot: ToolsSnapshot, searchRoot: string): string {
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
  const linesRead = [...ranges].map(
    ([path, parts]) => `${path}: lines ${[...new Set(parts)].slice(0, 12).join(", ")}`,
  );
  const summary = [
    text.split("\nLines seen:")[0]?.trim() ?? "",
    linesRead.length > 0 ? `Lines seen:\n${linesRead.join("\n")}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
  return truncate(summary, MAX_SUMMARY_BYTES).text;
}
