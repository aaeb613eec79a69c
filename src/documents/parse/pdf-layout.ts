// Joins pieces of text on a page to lines in reading order. The order in the file is the reading order in nearly all
// documents, including columns; otherwise pieces are sorted by position.

/** A piece of text; `transform` ends with its position, y growing upwards. */
export interface TextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
}

interface Line {
  y: number;
  x: number;
  end: number;
  size: number;
  text: string;
}

/** Above this share of upward jumps, the order in the file is not the reading order. A page with columns has few jumps. */
const JUMPS = 0.25;
const MIN_JUMPS = 4;

/** The text of a page. Pieces on one baseline become one line, so table rows are preserved. */
export function pageText(items: readonly TextItem[]): string {
  const pieces = items.flatMap(toLine);
  let lines = joined(pieces);
  const jumps = lines.filter(
    (line, at) => line.y > (lines[at - 1]?.y ?? Number.POSITIVE_INFINITY) + line.size,
  ).length;
  if (jumps >= MIN_JUMPS && jumps > lines.length * JUMPS) lines = joined(sorted(pieces));
  return lines
    .map((line, at) => (isApart(lines[at - 1], line) ? `\n${line.text.trim()}` : line.text.trim()))
    .join("\n")
    .trim();
}

function toLine({ str, transform, width, height }: TextItem): Line[] {
  if (str.trim() === "") return [];
  const [, , c = 0, d = 0, x = 0, y = 0] = transform;
  const size = Math.hypot(c, d) || height || 1;
  // A NUL stands for a glyph without a character.
  return [{ x, y, end: x + width, size, text: str.replaceAll("\0", "") }];
}

/** Joins consecutive pieces on one baseline to a line. */
function joined(pieces: readonly Line[]): Line[] {
  const lines: Line[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || !continues(last, piece)) {
      lines.push({ ...piece });
      continue;
    }
    last.text += spacing(piece.x - last.end, piece.size) + piece.text;
    last.end = piece.end;
    last.size = Math.max(last.size, piece.size);
  }
  return lines;
}

function continues(line: Line, piece: Line): boolean {
  const size = Math.max(line.size, piece.size);
  return Math.abs(line.y - piece.y) <= size * 0.4 && piece.x >= line.end - size;
}

/** Spaces for the gap between two pieces; cells of a table stay separated. */
function spacing(room: number, size: number): string {
  if (room > size * 1.5) return "   ";
  return room > size * 0.12 ? " " : "";
}

function sorted(pieces: readonly Line[]): Line[] {
  const rows: Line[][] = [];
  for (const piece of [...pieces].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && first.y - piece.y <= piece.size * 0.4) row.push(piece);
    else rows.push([piece]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x));
}

function isApart(above: Line | undefined, line: Line): boolean {
  if (above === undefined) return false;
  const step = above.y - line.y;
  return step < 0 || step > Math.max(above.size, line.size) * 1.8;
}
