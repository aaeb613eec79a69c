// First lines of records that the expression learned from the page's own line does not match: the log has the further
// lines of a record where no first line was seen, and what stands in the place of one is built like the example.

import type { Slot } from "../../templates/template.ts";
import type { FoundLine } from "./lines-found.ts";
import { learnedLine } from "./learned-line.ts";

const MOST = 400;

/** An expression for these lines as well, or undefined when there are none or they are not alike. */
export function withMissed(
  line: string,
  slots: readonly Slot[],
  main: FoundLine,
  below: readonly FoundLine[],
  lines: readonly string[],
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
  const missed = next.hits
    .map((hit) => hit - usual)
    .filter((at) => {
      const text = lines[at] ?? "";
      return !known.has(at) && chunks(text) === chunks(line) && !inner.some((regex) => regex.test(text));
    })
    .slice(0, MOST);
  if (missed.length === 0) return undefined;
  const read = main.hits.slice(0, MOST).map((hit) => lines[hit] ?? "");
  const pattern = learnedLine(line, slots, [...read, ...missed.map((at) => lines[at] ?? "")]);
  if (pattern === undefined) return undefined;
  const [strict, wide] = [new RegExp(main.pattern), new RegExp(pattern)];
  const same = read.every((text) => {
    const [one, other] = [strict.exec(text)?.groups ?? {}, wide.exec(text)?.groups];
    return other !== undefined && Object.entries(one).every(([name, part]) => other[name] === part);
  });
  const hits = lines.flatMap((text, index) => (text.length < 2000 && wide.test(text) ? [index] : []));
  // What it reads beside these lines has to stand in their place as well.
  const placed = hits.every((hit) => known.has(hit) || taken.has(hit + usual));
  return same && placed && hits.length > main.hits.length ? { ...main, pattern, hits } : undefined;
}
