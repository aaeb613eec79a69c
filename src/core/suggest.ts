// "Did you mean …?": the nearest known word by edit distance.

/** Damerau-Levenshtein distance (an adjacent swap counts as one edit). */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(rows, i - 2, j - 2) + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: number[][], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

/** The known word nearest to `word`, if one is near enough. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: { word: string; score: number } | undefined;
  for (const candidate of known) {
    const lower = candidate.toLowerCase();
    const score = editDistance(wanted, lower);
    const length = Math.max(wanted.length, lower.length);
    const near = score < length && score <= Math.max(1, Math.floor(length / 3));
    const prefix = wanted.length >= 3 && (lower.startsWith(wanted) || wanted.startsWith(lower));
    if ((near || prefix) && (!best || score < best.score)) best = { word: candidate, score };
  }
  return best?.word;
}

/** ` (did you mean X?)` or nothing. */
export function didYouMean(word: string, known: readonly string[], prefix = ""): string {
  const found = suggest(word, known);
  return found === undefined ? "" : `; did you mean ${prefix}${found}?`;
}
