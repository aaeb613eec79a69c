// First lines of records that the expression learned from the page's own line does not match: the log has the further
// lines of a record where no first line was seen, and what stands in the place of one is built like the example.

import { escapeRegex } from "../../escape.ts";
import type { Hint } from "../../page/page.ts";
import type { Slot } from "../../templates/template.ts";
import { learnedLine } from "./learned-line.ts";
import type { FoundLine } from "./line-ways.ts";

const MOST = 400;

/** An expression for these lines as well, or undefined when there are none or they are not alike. */
export function withMissed(
  line: string,
  slots: readonly Slot[],
  main: FoundLine,
  below: readonly FoundLine[],
  lines: readonly string[],
  value: Hint | undefined,
): FoundLine | undefined {
  const [next] = [...below].sort((a, b) => b.hits.length - a.hits.length);
  if (next === undefined || main.hits.length === 0 || next.hits.length <= main.hits.length) return undefined;
  const taken = new Set(next.hits);
  const distance = main.hits.map((hit) => [1, 2, 3, 4, 5, 6].find((step) => taken.has(hit + step)) ?? 0);
  const usual = [1, 2, 3, 4, 5, 6].find(
    (step) => distance.filter((one) => one === step).length > main.hits.length * 0.9,
  );
  if (usual === undefined) return undefined;
  const known = new Set(main.hits);
  const chunks = (text: string): number => text.trim().split(/\s+/).length;
  const inner = below.map(({ pattern }) => new RegExp(pattern));
  // Where only the last part is the value, lines that end in front of it start no record, but end the one before.
  const last = slots.find(({ span }) => span.end === line.trimEnd().length);
  const short = last !== undefined && (last.hint === value || last.hint.optional) ? 1 : 0;
  const missed = next.hits
    .map((hit) => hit - usual)
    .filter((at) => {
      const text = lines[at] ?? "";
      const less = chunks(line) - chunks(text);
      return (
        !known.has(at) &&
        less >= 0 &&
        less <= short &&
        saysTheSame(line, text, slots) &&
        !inner.some((regex) => regex.test(text))
      );
    })
    .slice(0, MOST);
  if (missed.length === 0) return undefined;
  const read = main.hits.slice(0, MOST).map((hit) => lines[hit] ?? "");
  const all = [...read, ...missed.map((at) => lines[at] ?? "")];
  const pattern = byChunks(line, slots, all) ?? (short === 0 ? learnedLine(line, slots, all) : undefined);
  if (pattern === undefined) return undefined;
  const [strict, wide] = [new RegExp(main.pattern), new RegExp(pattern)];
  const same = read.every((text) => {
    const [one, other] = [strict.exec(text)?.groups ?? {}, wide.exec(text)?.groups];
    return other !== undefined && Object.entries(one).every(([name, part]) => other[name] === part);
  });
  const hits = lines.flatMap((text, index) => (text.length < 2000 && wide.test(text) ? [index] : []));
  const counts = new Set(all.map(chunks));
  if (!hits.every((hit) => counts.has(chunks(lines[hit] ?? "")))) return undefined;
  // What it reads beside these lines has to stand in their place as well.
  const placed = hits.every((hit) => known.has(hit) || taken.has(hit + usual));
  return same && placed && hits.length > main.hits.length ? { ...main, pattern, hits } : undefined;
}

/** Other words beside the parts tell another kind of line. */
function saysTheSame(line: string, text: string, slots: readonly Slot[]): boolean {
  const chunks = text.trim().split(/\s+/);
  return [...line.matchAll(/\S+/g)].every((match, index) => {
    const end = match.index + match[0].length;
    const isPart = slots.some(({ span }) => span.start < end && span.end > match.index);
    return isPart || !/^[^\w\s]*[A-Za-z]{3,}[^\w\s]*$/.test(match[0]) || chunks[index] === match[0];
  });
}

/** Lines of as many chunks as the example, whose parts are whole chunks: what all lines share stays, the rest varies. */
function byChunks(line: string, slots: readonly Slot[], all: readonly string[]): string | undefined {
  const rows = all.map((text) => text.trim().split(/\s+/));
  const own = [...line.matchAll(/\S+/g)];
  const shorter = rows.some((row) => row.length < own.length);
  if (rows.some((row) => row.length > own.length)) return undefined;
  const slotAt = own.map((match) =>
    slots.find(({ span }) => span.start === match.index && span.end === match.index + match[0].length),
  );
  if (slotAt.filter((slot) => slot !== undefined).length !== slots.length) return undefined;
  const pieces = own.map((_, index) => {
    const slot = slotAt[index];
    if (slot !== undefined) return `(?<${slot.group}>\\S+)`;
    const texts = new Set(rows.flatMap((row) => row[index] ?? []));
    const [text] = texts;
    if (texts.size === 1 && text !== undefined) return escapeRegex(text);
    // Marks that all of them have stay ("00:00", "fd:01").
    const forms = new Set([...texts].map((one) => one.replace(/\w+/g, "w")));
    const [form] = forms;
    return forms.size === 1 && form !== undefined ? escapeRegex(form).replace(/w/g, "\\w+") : "\\S+";
  });
  const end = shorter ? `(?:\\s+${pieces.pop() ?? ""})?` : "";
  return `^\\s*${pieces.join("\\s+")}${end}\\s*$`;
}
