// Lines that are nothing but cells between marks, without a heading: `a:b:c`, `a;b;c`, `"a","b c",3`, tabs and bars. The page shows
// one, and the rows of the log have as many cells of the same kinds.

/** A cell of a line: its text without blanks and quotes around it. */
export interface Cell {
  start: number;
  end: number;
  text: string;
  /** It stands in double quotes. */
  quoted: boolean;
}

/** How a line is cut. */
export interface Cut {
  mark: string;
  /** The mark stands at both ends of the line, too. */
  framed: boolean;
  cells: Cell[];
}

export const MARKS = ["\t", "|", ";", ",", ":", " "] as const;
const LEAST: Record<string, number> = { "\t": 3, "|": 3, ";": 3, ",": 3, ":": 3 };
const MOST = 40;

/** Blanks as a mark: any number of them. */
export const BLANKS = " ";

/** The cells of a line between such marks; undefined where these set no cells apart. `most`: the last of so many cells has
 * all that follows. */
export function cutAt(line: string, mark: string, most = MOST): Cut | undefined {
  if (mark === BLANKS) return atBlanks(line, most);
  const end = line.replace(/[ \r]+$/, "").length;
  const text = line.slice(0, end);
  const framed = mark !== ":" && mark !== "," && text.startsWith(mark) && text.endsWith(mark) && end > 1;
  const cells: Cell[] = [];
  let open = framed ? 1 : 0;
  const last = framed ? end - 1 : end;
  let quoted = false;
  for (let at = open; at <= last; at += 1) {
    const char = at === last ? mark : line.charAt(at);
    if (char === '"' && mark !== ":" && (quoted || line.slice(open, at).trim() === "")) quoted = !quoted;
    if ((char !== mark || (quoted && at < last) || cells.length === most - 1) && at < last) continue;
    cells.push(cellOf(line, open, at, mark));
    open = at + 1;
    quoted = false;
  }
  return cells.length >= (LEAST[mark] ?? 3) && cells.length <= MOST ? { mark, framed, cells } : undefined;
}

function atBlanks(line: string, most: number): Cut | undefined {
  const words = [...line.matchAll(/\S+/g)].map((one) => ({
    start: one.index,
    end: one.index + one[0].length,
  }));
  const end = line.trimEnd().length;
  const spans =
    words.length > most ? [...words.slice(0, most - 1), { start: words[most - 1]?.start ?? 0, end }] : words;
  const cells = spans.map((span) => ({ ...span, text: line.slice(span.start, span.end), quoted: false }));
  return cells.length >= 4 && cells.length <= MOST ? { mark: BLANKS, framed: false, cells } : undefined;
}

function cellOf(line: string, from: number, to: number, mark: string): Cell {
  const raw = line.slice(from, to);
  const start = from + raw.length - raw.trimStart().length;
  const end = Math.max(start, from + raw.trimEnd().length);
  const inner = line.slice(start, end);
  const quoted = mark !== ":" && /^".*"$/.test(inner) && inner.length > 1;
  return quoted
    ? { start: start + 1, end: end - 1, text: inner.slice(1, -1), quoted }
    : { start, end, text: inner, quoted };
}

/** Are the cells of the example such that a reader sees a row of cells in it, and no sentence with marks in it? */
export function isRow({ mark, cells }: Cut, line: string): boolean {
  if (mark === BLANKS) {
    // No sentence: nothing in quotes or brackets, no mark behind a word, no time of day at the head.
    const plain = cells.slice(0, -1).every(({ text }) => !/["'()[\]{}<>|;]|[,:]$/.test(text));
    return plain && cells.length <= 12 && !/^(?:[A-Z][a-z]{2}$|\d\d:\d\d)/.test(cells[0]?.text ?? "");
  }
  if (mark === ":") {
    // "key: text", "12:30:01" and "C:\x" have colons of their own.
    return cells.length >= 3 && !/:\s|\s:|:\/\/|\b\d\d:\d\d(?::\d\d)?\b/.test(line);
  }
  if (mark === ",") {
    const words = cells.filter(({ text, quoted }) => !quoted && text.split(/\s+/).length > 3).length;
    return !/[a-z], [a-z]/.test(line.replace(/"[^"]*"/g, "")) && words <= 1;
  }
  return true;
}
