// The diff of two texts in the unified format.
import { type DiffLine, diffLines } from "./line-diff.ts";

/** Lines of context before and after a change. */
const CONTEXT = 3;
const SIGN = { same: " ", added: "+", removed: "-" } as const;

/** A unified diff of one file, empty when nothing differs. */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const lines = diffLines(before ?? "", after);
  const hunks = hunksOf(lines);
  if (hunks.length === 0) return "";
  const head = [before === null ? "--- /dev/null" : `--- a/${path}`, `+++ b/${path}`];
  return `${[...head, ...hunks].join("\n")}\n`;
}

function hunksOf(lines: readonly DiffLine[]): string[] {
  const near = lines.map(() => false);
  lines.forEach(({ change }, at) => {
    if (change !== "same") near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const out: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let at = 0; at < lines.length; ) {
    const end = near.indexOf(near[at] !== true, at);
    const part = lines.slice(at, end < 0 ? lines.length : end);
    const removed = part.filter(({ change }) => change !== "added").length;
    const added = part.filter(({ change }) => change !== "removed").length;
    if (near[at]) {
      out.push(`@@ -${start(oldLine, removed)},${removed} +${start(newLine, added)},${added} @@`);
      out.push(...part.map(({ text, change }) => SIGN[change] + text));
    }
    oldLine += removed;
    newLine += added;
    at += part.length;
  }
  return out;
}

/** For an empty range, the format gives the line before it. */
function start(line: number, count: number): number {
  return count === 0 ? line - 1 : line;
}
