// A line diff: the longest common subsequence of the lines between the common head and tail. Larger texts than the
// limit are reported as completely replaced.

export interface DiffLine {
  text: string;
  change: "same" | "added" | "removed";
}

/** Maximum cells of the table; beyond it the middle is reported as replaced. */
const MAX_CELLS = 4_000_000;

/** The lines of both texts in order, with their changes. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const same = (text: string): DiffLine => ({ text, change: "same" });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function middle(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ text, change: "removed" });
  const added = (text: string): DiffLine => ({ text, change: "added" });
  const width = b.length + 1;
  if ((a.length + 1) * width > MAX_CELLS) return [...a.map(removed), ...b.map(added)];
  // lengths[i * width + j]: common lines of a from i and b from j.
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const out: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      out.push({ text: a[i] ?? "", change: "same" });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) out.push(removed(a[i++] ?? ""));
    else out.push(added(b[j++] ?? ""));
  }
  return [...out, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}
