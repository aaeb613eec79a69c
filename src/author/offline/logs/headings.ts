// Headings as readings of a log tell them apart; how they are found is in runtime/headings.js.

/** Do two headings differ in names and numbers alone? They have as many words, and at least half of them are equal. */
export function isAlike(a: string, b: string): boolean {
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
