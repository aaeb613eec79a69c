// What speaks for a family of lines that a page may describe, and what speaks against the reading that was made of it.

import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import type { Built, DescribedCandidate, Reading } from "./described.ts";
import type { Family } from "./families.ts";

/** How many words of the page stand in the fixed text of a family; words of exclusions count against it. */
export function overlapsOf(
  families: readonly Family[],
  lines: readonly string[],
  page: Page,
  group: Group,
): Map<Family, number> {
  const wanted = group.wanted.filter((text) => text.length > 2 && lines.some((line) => line.includes(text)));
  const frequency = new Map<string, number>();
  const words = new Map<Family, Set<string>>();
  for (const family of families) {
    const counts = new Map<string, number>();
    const sample = family.indices.slice(0, 40);
    for (const index of sample) {
      for (const word of new Set(wordsOf(lines[index] ?? "").map(stem)))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const own = [...counts].filter(([word, count]) => word.length > 2 && count * 2 > sample.length);
    words.set(family, new Set(own.map(([word]) => word)));
    for (const [word] of own) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return new Map(
    families.map((family) => {
      let overlap = 0;
      for (const word of words.get(family) ?? []) {
        if (page.unwantedStems.has(word)) overlap -= 3;
        else if (page.stems.has(word)) overlap += 1.2 - (frequency.get(word) ?? 1) / families.length;
      }
      if (wanted.length > 0) overlap += wanted.some((text) => family.example.includes(text)) ? 2 : -3;
      for (const text of page.unwanted) if (family.example.includes(text)) overlap -= 4;
      return [family, overlap];
    }),
  );
}

/** Quoted words of the line: two or more of them together are no part. */
export function wordsIn(group: Group): string[] {
  return group.wanted.filter((text) => /\S\s+\S/.test(text) && /[A-Za-z]/.test(text));
}

/** What the page says about the text around a part, and the evidence that uses it. */
const RELATION =
  /\b(?:between|inside|after the|before the|behind the|up to|without the|following the)\b[^,;.)]*/i;
const REALISED =
  /^(?:after|before|by its brackets|begins with|up to the end|without|in front|at the end|with what)/;

export function judge(
  built: Built,
  rival: Reading | undefined,
  group: Group,
  lines: readonly string[],
): DescribedCandidate {
  const { candidate } = built;
  const doubts = [...candidate.doubts];
  let confidence = candidate.doubts.length > 0 ? 0.48 : 0.9;
  const lower: Lower = (by, doubt) => {
    confidence -= by;
    doubts.push(doubt);
  };
  if (group.fields.length === 0)
    lower(0.25, "the page names no field that would tell the records from other lines");
  judgeLines(built, rival, group, lines, lower);
  judgeParts(built, group, lower);
  return {
    rule: built.rule,
    confidence,
    reasons: [`${candidate.hits.length} lines of one kind fit the description of the page best`],
    doubts,
  };
}

type Lower = (by: number, doubt: string) => void;

/** Are these the lines, all of them, and no others? */
function judgeLines(
  { reading, candidate }: Built,
  rival: Reading | undefined,
  group: Group,
  lines: readonly string[],
  lower: Lower,
): void {
  const first = (indices: readonly number[]): string => lines[indices[0] ?? 0]?.trim() ?? "";
  if (candidate.hits.length < 2) lower(0.35, "only one line fits");
  const taken = new Set(candidate.hits);
  const left = reading.family.indices.filter((index) => !taken.has(index));
  if (left.length > reading.family.indices.length * 0.2)
    lower(0.35, `lines built like the others are left out, e.g. ${first(left)}`);
  for (const text of wordsIn(group)) {
    const own = lines.flatMap((line, index) => (line.includes(text) ? [index] : []));
    const missed = own.filter((index) => !taken.has(index));
    if (own.length > missed.length && missed.length > own.length * 0.2)
      lower(0.35, `lines with "${text}" are left out, e.g. ${first(missed)}`);
  }
  if (rival === undefined) return;
  const gap = reading.score - rival.score;
  const line = first(rival.family.indices);
  if (gap < 2) lower(0.35, `other lines fit the page nearly as well: ${line}`);
  else if (gap < 4) lower(0.12, `other lines fit the page, too: ${line}`);
}

/** "without the sign", and the part is nothing but a number. */
export function isBare(told: string, text: string): boolean {
  return /^without the (?:\w+ )?(?:sign|unit|symbol|suffix)\b/i.test(told) && /^[-+]?\d[\d.,]*$/.test(text);
}

/** Is each part what the page means? */
function judgeParts({ reading, candidate, lost }: Built, group: Group, lower: Lower): void {
  for (const { hint, span, score, why } of reading.assignment.placed) {
    const isValue = hint === group.value;
    const told = RELATION.exec(hint.description)?.[0];
    const text = reading.family.example.slice(span.start, span.end);
    if (told !== undefined && !why.some((one) => REALISED.test(one)) && !isBare(told, text))
      lower(isValue ? 0.35 : 0.15, `nothing in the line was found for "${told}" of ${hint.name}`);
    if (hint.optional) continue;
    const margin = reading.assignment.margins.get(hint.name) ?? 0;
    if (score < 0) lower(0.2, `little speaks for the part taken as ${hint.name}`);
    if (isValue && margin < 0.5) lower(0.4, "another part of the line could be the value nearly as well");
    else if (margin < 0.25) lower(0.35, `two readings of the line fit the page equally well (${hint.name})`);
    else if (margin < 0.8)
      lower(0.12, `another reading of the line fits the page nearly as well (${hint.name})`);
  }
  for (const hint of [...candidate.missing, ...lost])
    lower(0.4, `no part of the lines could be taken for ${hint.name}`);
}
