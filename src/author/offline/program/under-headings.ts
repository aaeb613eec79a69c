// Rows whose cells stand below their headings, at other columns in every table. The interpreter and the code that is
// written for an atom share what is said here: `UNDER_HEADINGS` is the same in JavaScript text.

/** Where the names of the columns stand in a heading row: start and end of each. */
export function headingsOf(line: string, names: readonly string[]): [number, number][] {
  let at = 0;
  return names.map((name) => {
    const start = line.indexOf(name, at);
    at = start + name.length;
    return [start, at];
  });
}

/** The text of a row below each heading; undefined where there is none. */
export function cellsUnder(
  line: string,
  heads: readonly (readonly [number, number])[],
  piece: RegExp,
): (string | undefined)[] {
  const found: ([number, number] | undefined)[] = heads.map(() => undefined);
  for (const match of line.matchAll(piece)) {
    const from = match.index;
    const to = from + match[0].length;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    heads.forEach(([start, end], index) => {
      const gap = Math.max(start - to, from - end);
      if (gap >= least) return;
      least = gap;
      best = index;
    });
    const known = found[best];
    found[best] = known === undefined ? [from, to] : [known[0], to];
  }
  return found.map((span) => (span === undefined ? undefined : line.slice(span[0], span[1])));
}

/** The two functions as text for an atom. */
export const UNDER_HEADINGS = `// Where the names of the columns stand in a heading row.
function headingsOf(line, names) {
  let at = 0;
  return names.map((name) => {
    const start = line.indexOf(name, at);
    at = start + name.length;
    return [start, at];
  });
}

// The text of a row below each heading: every piece belongs to the heading above it or nearest to it.
function cellsUnder(line, heads, piece) {
  const found = heads.map(() => undefined);
  for (const match of line.matchAll(piece)) {
    const from = match.index;
    const to = from + match[0].length;
    let best = 0;
    let least = Infinity;
    heads.forEach(([start, end], index) => {
      const gap = Math.max(start - to, from - end);
      if (gap >= least) return;
      least = gap;
      best = index;
    });
    const known = found[best];
    found[best] = known === undefined ? [from, to] : [known[0], to];
  }
  return found.map((span) => (span === undefined ? undefined : line.slice(span[0], span[1])));
}`;

/** What a piece of a row is. */
export const PIECES = { words: "\\S+", runs: "\\S+(?: \\S+)*" } as const;
