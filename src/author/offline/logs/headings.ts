// Comparison of headings. runtime/headings.js finds them.

/** Have two headings the same number of words in each line, at least half of them equal? Then they differ only in names
 * and numbers. */
export function isSimilarHeading(a: string, b: string): boolean {
  const [left, right] = [a.split("\n"), b.split("\n")].map((lines) => lines.map((line) => line.split(" ")));
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  return left.every((words, line) => {
    const others = right[line] ?? [];
    const equal = words.filter((word, k) => word === others[k]).length;
    return (
      words.length === others.length && (equal * 2 >= words.length || words.join(" ") === others.join(" "))
    );
  });
}
