// Rows that go on on the next line, since the text of their first column is too long for it: a line with that text alone, and
// below it, indented, the rest.

/** May a line be the first one of such a row, and the next one its rest? */
export function mayGoOn(line: string, next: string | undefined): boolean {
  if (next === undefined || !/^\s*\S{8,}\s*$/.test(line)) return false;
  return /\S\s+\S/.test(next) && next.search(/\S/) >= line.search(/\S/) + 4;
}

/** Both lines as one row, the rest where it stands when there is room for it. */
export function joinLines(line: string, next: string): string {
  const own = line.trimEnd();
  const fits = next.slice(0, own.length + 1).trim() === "";
  return fits ? own + next.slice(own.length) : `${own} ${next.trim()}`;
}

/** The rows with such lines as one, those that are whole as they are, and whether there are others. */
export function joinWrapped(rows: readonly string[]): { rows: string[]; whole: string[]; wrapped: boolean } {
  const counts = rows.map((row) => row.trim().split(/\s+/).length);
  const usual = modeOf(counts.filter((count) => count > 1));
  const found: string[] = [];
  const whole: string[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? "";
    const next = rows[at + 1];
    const rest = counts[at + 1] ?? 0;
    if (next !== undefined && mayGoOn(row, next) && rest >= usual - 1 && rest > 1) {
      found.push(joinLines(row, next));
      at += 1;
    } else {
      found.push(row);
      whole.push(row);
    }
  }
  return { rows: found, whole, wrapped: whole.length < found.length };
}

/** The most frequent number of texts; the smaller one of equals. */
function modeOf(counts: readonly number[]): number {
  const used = new Map<number, number>();
  for (const count of counts) used.set(count, (used.get(count) ?? 0) + 1);
  return [...used].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
}

/** The line with the next one, where only both are a row. */
export function joinedRow(line: string, next: string | undefined, row: RegExp): string | undefined {
  if (next === undefined || !mayGoOn(line, next) || row.test(line)) return undefined;
  const joined = joinLines(line, next);
  return row.test(joined) ? joined : undefined;
}

/** The function as text for an atom. */
export const JOINED_ROW = `// A line whose text is too long for its column, and the next one with the rest of its row.
function joinedRow(line, next, row) {
  if (next === undefined || !/^\\s*\\S{8,}\\s*$/.test(line) || row.test(line)) return undefined;
  if (!/\\S\\s+\\S/.test(next) || next.search(/\\S/) < line.search(/\\S/) + 4) return undefined;
  const own = line.trimEnd();
  const fits = next.slice(0, own.length + 1).trim() === "";
  const joined = fits ? own + next.slice(own.length) : \`\${own} \${next.trim()}\`;
  return row.test(joined) ? joined : undefined;
}`;
