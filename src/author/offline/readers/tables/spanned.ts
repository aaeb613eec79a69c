// Headings that span several columns: "Reads" above "Ok" and "Failed", "Writes" above the same two words. Each column is
// called by both.

/** A cell of a heading and where it stands. */
interface Cell {
  text: string;
  start: number;
  end: number;
}

/** Names of columns between bars, where the line above has fewer cells and its bars stand above some of theirs: the name of
 * the cell above each column; undefined where the line above is no such heading. */
export function spansAbove(above: string, heading: string, bar: RegExp): string[] | undefined {
  const own = placesOf(heading, bar);
  const upper = placesOf(above, bar);
  // A line of one cell is a title.
  if (upper.length < 3 || upper.length >= own.length || !upper.every((at) => own.includes(at)))
    return undefined;
  const names = own.slice(0, -1).map((at) => {
    const left = Math.max(...upper.filter((one) => one <= at));
    const right = Math.min(...upper.filter((one) => one > at));
    return Number.isFinite(left) && Number.isFinite(right) ? above.slice(left + 1, right).trim() : "";
  });
  return names.some((name) => /[A-Za-z]/.test(name)) ? names : undefined;
}

function placesOf(line: string, bar: RegExp): number[] {
  return [...line.matchAll(new RegExp(bar.source, "g"))].map((match) => match.index);
}

/** A blank cell above a name that other columns have as well: the heading on its left spans it. */
export function filledAbove(upper: readonly string[], names: readonly string[]): string[] {
  const isTwice = (name: string): boolean => names.filter((one) => one === name).length > 1;
  let last = "";
  return upper.map((text, at) => {
    const name = names[at] ?? "";
    if (text !== "" || !isTwice(name) || name === "") {
      last = text;
      return text;
    }
    return last;
  });
}

export interface SpannedWords {
  /** Headings in front of the lower line's first. */
  lead: string[];
  names: string[];
}

/** Words of a heading between blanks that come again in the same order ("Used Avail Used Avail"), below as many headings:
 * those with the heading above in front; undefined where it is not so. */
export function spannedWords(above: string, heading: string): SpannedWords | undefined {
  const all = runsOf(above);
  for (const lower of [runsOf(heading), wordsOf(heading)]) {
    const found = repeated(lower.map(({ text }) => text));
    if (found === undefined) continue;
    const { from, length, times } = found;
    const first = lower[from];
    // "Region" above the names of the rows, with nothing below it.
    const lead = all.filter(({ end }) => end <= (lower[0]?.start ?? 0)).map(({ text }) => text);
    const upper = all.slice(lead.length);
    const over = upper.filter(({ end }) => first !== undefined && end > first.start);
    if (over.length !== times || upper.length - over.length > from) continue;
    // Each stands above its own columns.
    const isAbove = over.every((cell, number) => {
      const start = lower[from + number * length]?.start ?? 0;
      const end = lower[from + (number + 1) * length - 1]?.end ?? 0;
      return cell.start < end + 3 && start < cell.end + 3;
    });
    if (!isAbove) continue;
    const names = lower.map(({ text, start, end }, at) => {
      const number = Math.floor((at - from) / length);
      const own = at < from ? upper.find((one) => one.start < end && start < one.end) : over[number];
      return at >= from + length * times || own === undefined ? text : `${own.text} ${text}`;
    });
    return { lead, names };
  }
  return undefined;
}

function runsOf(line: string): Cell[] {
  return [...line.matchAll(/\S+(?: \S+)*/g)].map(toCell);
}

function wordsOf(line: string): Cell[] {
  return [...line.matchAll(/\S+/g)].map(toCell);
}

function toCell(match: RegExpExecArray): Cell {
  return { text: match[0], start: match.index, end: match.index + match[0].length };
}

/** The first names that come again right behind themselves, up to the last but for a few. */
function repeated(names: readonly string[]): { from: number; length: number; times: number } | undefined {
  for (let from = 0; from < names.length - 1 && from <= 4; from += 1)
    for (let length = 1; length <= (names.length - from) / 2; length += 1) {
      let times = 1;
      const isSame = (number: number): boolean =>
        Array.from({ length }, (_, at) => at).every(
          (at) => names[from + at] === names[from + number * length + at],
        );
      while (from + (times + 1) * length <= names.length && isSame(times)) times += 1;
      if (times > 1 && names.length - from - times * length <= 2) return { from, length, times };
    }
  return undefined;
}
