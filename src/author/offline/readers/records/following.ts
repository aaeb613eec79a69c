// The line right below another line of the block, whatever stands on it: "two lines belong together, the second one is the
// reason". It is told by its place alone, and is no line that begins like the one above it.

import { escapeRegex } from "../../escape.ts";
import type { Hint } from "../../page/page.ts";
import type { Slot } from "../../templates/template.ts";
import { learnedLine } from "./learned-line.ts";
import type { Shown } from "./shown.ts";

export interface Following {
  pattern: string;
  /** The expression of the line above. */
  after: string;
  /** Lines of the log that stand there. */
  hits: number[];
}

/** How many of the lines above must have such a line below them. */
const MOST = 0.5;

/** The expression of a line of the block by the line right above it, `above`, which is known; undefined where the block
 * shows a gap between them, or where few lines of the log have such a line. */
export function followingLine(
  shown: Shown,
  at: number,
  slots: readonly Slot[],
  above: { pattern: string; hits: readonly number[] } | undefined,
  lines: readonly string[],
): Following | undefined {
  const text = shown.lines[at] ?? "";
  const adjacent = (shown.offsets[at] ?? 0) - (shown.offsets[at - 1] ?? 0) === 1 && !shown.gaps.has(at);
  if (above === undefined || !adjacent || slots.length === 0) return undefined;
  const front = frontOf(
    above.hits.map((hit) => lines[hit] ?? ""),
    text,
  );
  const begins = front === undefined ? undefined : new RegExp(`^\\s*${front}`);
  const starts = new Set(above.hits);
  const hits = above.hits
    .map((hit) => hit + 1)
    .filter((hit) => {
      const line = lines[hit] ?? "";
      return (
        line.trim() !== "" &&
        !starts.has(hit) &&
        begins?.test(line) !== true &&
        indented(line) === indented(text)
      );
    });
  if (hits.length === 0 || hits.length < above.hits.length * MOST) return undefined;
  const own = hits.map((hit) => lines[hit] ?? "");
  const [only] = slots;
  const whole =
    slots.length === 1 && only !== undefined && text.trim() === text.slice(only.span.start, only.span.end);
  const pattern = whole
    ? `^${indented(text) ? "\\s+" : ""}(?<${only.group}>\\S.*?)\\s*$`
    : learnedLine(text, slots, own);
  if (pattern === undefined) return undefined;
  const closed = front === undefined ? pattern : pattern.replace(/^\^/, `^(?!\\s*${front})`);
  return { pattern: closed, after: above.pattern, hits };
}

/** Words that place a part on a line by its number. */
const NEXT_LINE = /\b(?:second|third|fourth|next|following) (?:line|row|one)\b|\bline (?:right )?below\b/i;

/** Does the page say of a part that it stands on the second line, whatever else stands there? */
export function isToldByNumber(hints: readonly Hint[]): boolean {
  return hints.some(({ description }) => NEXT_LINE.test(description));
}

/** Does the line found by its place stand below more of the lines above than the one found by its words? */
export function readsMore(
  below: Pick<Following, "hits">,
  known: Pick<Following, "hits"> | undefined,
  above: Pick<Following, "hits"> | undefined,
): boolean {
  if (known === undefined || above === undefined) return false;
  return known.hits.length <= above.hits.length * 0.9 && below.hits.length > known.hits.length;
}

function indented(line: string): boolean {
  return /^\s/.test(line);
}

/** How all of the lines begin, when that is a date, a time or another word with digits, and the text does not. */
function frontOf(lines: readonly string[], text: string): string | undefined {
  const forms = new Set(lines.map((line) => formOf(line)));
  const [form] = forms;
  if (forms.size !== 1 || form === undefined || !/\\d/.test(form) || formOf(text) === form) return undefined;
  return form;
}

function formOf(line: string): string {
  const first = /^\s*(\S+)/.exec(line)?.[1] ?? "";
  return escapeRegex(first).replace(/\d+/g, "\\d+");
}
