// Free text beside the parts: what a compiler or a daemon says in its own words is different in every line, and an
// example shows one of the texts. Kept are the words that the page or all lines of the log have, and the marks beside
// the parts; what stands between them may be anything, where the log shows that it is.

import { type Token, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { kindEvidence } from "../parts/kinds.ts";
import { messageTokens } from "../parts/shared.ts";
import { type Attempt, type Attempts, sameProjection, stillNumbers } from "./attempt.ts";
import { addsAllowed } from "./left-out.ts";
import type { LineTask } from "./task.ts";
import type { Slot, TemplateOptions } from "./template.ts";

/** So many different texts at least make a text free. */
const LEAST_TEXTS = 4;
/** So often words that tell kinds of lines apart are looked for. */
const MOST_KINDS = 3;

/** The reading with free text between what is kept, where the log has many such texts; else `best`. */
export function widerChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt | undefined,
  base: TemplateOptions,
  attempt: Attempts,
): Attempt | undefined {
  let chosen = best;
  if (task.single !== true) return best;
  for (const { kept, formed } of keepSets(task, line, slots)) {
    const options = { ...base, ...tailOf(line, slots, best, kept), prefix: "all" as const };
    const tried = withKinds(task, line, attempt({ ...options }), attempt);
    if (tried.hits.length <= (chosen?.hits.length ?? 0)) continue;
    if (chosen !== undefined && !sameProjection(tried, chosen)) continue;
    if (!stillNumbers(line, slots, tried) || oddKinds(line, slots, tried)) continue;
    if (!sameBody(task, slots, tried, chosen) && textsBeside(task, tried) < LEAST_TEXTS) continue;
    const none: Attempt = { ...tried, hits: [] };
    if (addsAllowed(task, line, chosen ?? none, tried, formed)) chosen = tried;
  }
  return chosen;
}

/** The reading that keeps the words in whose place the lines have few texts, each again and again: they tell kinds of
 * lines apart. */
function withKinds(task: LineTask, line: string, tried: Attempt, attempt: Attempts): Attempt {
  let chosen = tried;
  for (let look = 0; look < MOST_KINDS; look += 1) {
    const words = kindWords(task, line, chosen.pattern, chosen.hits);
    if (words.length === 0) return chosen;
    chosen = attempt({ ...chosen.options, kept: new Set([...(chosen.options.kept ?? []), ...words]) });
  }
  return chosen;
}

/** Offsets of such words of the example. */
function kindWords(task: LineTask, line: string, pattern: string, hits: readonly number[]): number[] {
  let gaps = 0;
  const source = pattern.replace(/(?<![(>])\.\*\?(?!\))/g, () => {
    gaps += 1;
    return `(?<gap_${gaps}>.*?)`;
  });
  const regex = new RegExp(source, "d");
  const own = regex.exec(line);
  if (own === null || gaps === 0) return [];
  const seen = new Map<string, string[]>();
  for (const hit of hits) {
    const groups = regex.exec(task.lines[hit] ?? "")?.groups ?? {};
    for (const [name, text] of Object.entries(groups))
      if (name.startsWith("gap_"))
        seen.set(name, [...(seen.get(name) ?? []), (text ?? "").replace(/\d+/g, "9").toLowerCase()]);
  }
  return [...seen].flatMap(([name, texts]) => {
    const [start = 0, end = 0] = own.indices?.groups?.[name] ?? [];
    const words = tokenize(line).filter(
      (token) => token.kind === "word" && token.text.length > 2 && token.start >= start && token.end <= end,
    );
    // A remark that some lines lack tells nothing.
    const kinds = new Set(texts.filter((text) => /[a-z]/i.test(text)));
    if (words.length === 0 || kinds.size < 2 || kinds.size >= LEAST_TEXTS || kinds.size > texts.length / 2)
      return [];
    // A text that nobody else has is of the example alone.
    const same = texts.some((text) => words.every((token) => text.includes(token.text.toLowerCase())));
    return same ? words.map((token) => token.start) : [];
  });
}

/** Behind the last part stays what stayed there before, or else the words that stay anyway. */
function tailOf(
  line: string,
  slots: readonly Slot[],
  best: Attempt | undefined,
  kept: ReadonlySet<number>,
): Pick<TemplateOptions, "tail" | "kept"> & { tailEnd?: number } {
  const last = Math.max(0, ...slots.map(({ span }) => span.end));
  const behind = tokenize(line).filter((token) => token.start >= last && token.kind !== "space");
  if (best !== undefined) {
    const end = best.options.tailEnd ?? line.trimEnd().length;
    if (!best.options.tail || behind.length === 0) return { tail: false, kept };
    const stays = behind.filter((token) => token.end <= end && ["word", "punct"].includes(token.kind));
    return { tail: true, tailEnd: end, kept: new Set([...kept, ...stays.map((token) => token.start)]) };
  }
  const end = Math.max(
    0,
    ...behind.filter((token) => token.kind !== "punct" && kept.has(token.start)).map((token) => token.end),
  );
  return end > last ? { tail: true, tailEnd: end, kept } : { tail: false, kept };
}

/** Offsets of the tokens that stay: first with the words that all like lines have, then only with those of the page, or
 * with none of the message where the form of the line tells it. */
function keepSets(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
): { kept: Set<number>; formed: boolean }[] {
  const tokens = tokenize(line);
  const beside = tokens.filter(
    (token) => !slots.some(({ span }) => token.start < span.end && token.end > span.start),
  );
  // A word that stands in the text of a part as well was said of the part.
  const inParts = new Set(slots.flatMap(({ span }) => wordsOf(line.slice(span.start, span.end)).map(stem)));
  const isSaid = (token: Token): boolean =>
    token.kind === "word"
      ? token.text.length > 3 &&
        wordsOf(token.text).every((word) => task.stems.has(stem(word))) &&
        !wordsOf(token.text).every((word) => inParts.has(stem(word)))
      : ["number", "mixed"].includes(token.kind) && task.said?.has(token.text) === true;
  // A word in capitals that the log has as well says what kind of line it is.
  const isCapital = (token: Token): boolean =>
    /^[A-Z]{5,}$/.test(token.text) &&
    /(?:^|\s)$/.test(line.slice(0, token.start)) &&
    /^(?:[\s:]|$)/.test(line.slice(token.end)) &&
    task.lines.some((text) => text.includes(token.text));
  const said = beside.filter((token) => isSaid(token) || isCapital(token));
  const common = new Set(messageTokens(line, task.lines));
  const message = beside.filter((token) => token.kind === "word" && common.has(token.start));
  const sets = message.length === 0 ? [] : [[...said, ...message]];
  if (said.length > 0) sets.push(said);
  const formed = said.length === 0 && isFramed(line, slots) ? wordsBeside(line, beside, slots) : undefined;
  if (formed !== undefined) sets.push(formed);
  // The key of a part says which part it is.
  const keys = beside.filter(
    (token) =>
      token.kind === "word" &&
      slots.some(({ span }) => /^\s?[=:]\s?["'([<]?$/.test(line.slice(token.end, span.start))),
  );
  for (const set of sets) set.push(...keys.filter((token) => !set.includes(token)));
  return sets.map((set) => ({
    kept: new Set([...set, ...marksOf(line, beside, slots, set)].map((token) => token.start)),
    formed: set === formed,
  }));
}

/** Where the page speaks of no word of the line, its form has to tell it: every part stands between marks. */
function isFramed(line: string, slots: readonly Slot[]): boolean {
  const marks = slots.filter(
    ({ span }) =>
      /(?:^|[^\s\p{L}\p{N}]) ?$/u.test(line.slice(0, span.start)) &&
      /^(?: ?[^\s\p{L}\p{N}]|\s*$)/u.test(line.slice(span.end)),
  );
  return slots.length > 2 && marks.length === slots.length;
}

/** The words right beside the parts. */
function wordsBeside(line: string, beside: readonly Token[], slots: readonly Slot[]): Token[] {
  return beside.filter(
    (token) =>
      token.kind === "word" &&
      slots.some(
        ({ span }) =>
          (token.end <= span.start && /^\s*$/.test(line.slice(token.end, span.start))) ||
          (token.start >= span.end && /^\s*$/.test(line.slice(span.end, token.start))),
      ),
  );
}

/** Marks right beside a part or a word that stays. */
function marksOf(
  line: string,
  beside: readonly Token[],
  slots: readonly Slot[],
  words: readonly Token[],
): Token[] {
  const borders = [...slots.map(({ span }) => span), ...words];
  const starts = new Set(borders.map(({ start }) => start));
  const ends = new Set(borders.map(({ end }) => end));
  const marks = beside.filter((token) => token.kind === "punct");
  // A mark beside a mark that stays, stays as well: `):`. What a bracket opens with is data.
  for (const token of marks) if (ends.has(token.start) && !/[([{<]/.test(token.text)) ends.add(token.end);
  for (const token of [...marks].reverse())
    if (starts.has(token.end) && !/[)\]}>]/.test(token.text)) starts.add(token.start);
  const apart = (text: string): boolean => /^ ?$/.test(text);
  return marks.filter(
    (token) =>
      ends.has(token.start) ||
      starts.has(token.end) ||
      slots.some(({ span }) => token.end <= span.start && apart(line.slice(token.end, span.start))),
  );
}

/** Parts whose text in some line is of another kind than the example's. */
export function oddKinds(line: string, slots: readonly Slot[], tried: Attempt): boolean {
  return slots.some(({ group, hint, span }) => {
    const score = (text: string): number => {
      let sum = 0;
      kindEvidence(text, hint, false, (points) => {
        sum += points;
      });
      return sum;
    };
    if (score(line.slice(span.start, span.end)) < 1.5) return false;
    return (tried.texts.get(group) ?? []).some((text) => text !== "" && score(text) < 0);
  });
}

/** From the first part on, the lines read the same as those read before: only what is in front of it differs. */
function sameBody(
  task: LineTask,
  slots: readonly Slot[],
  tried: Attempt,
  before: Attempt | undefined,
): boolean {
  if (before === undefined) return false;
  const first = [...slots].sort((a, b) => a.span.start - b.span.start)[0]?.group ?? "";
  const bodies = (attempt: Attempt): string[] =>
    attempt.hits.map((hit, index) => {
      let rest = task.lines[hit] ?? "";
      const start = rest.indexOf(attempt.texts.get(first)?.[index] ?? "");
      rest = rest.slice(Math.max(0, start));
      for (const list of attempt.texts.values()) rest = rest.replace(list[index] ?? "", "\u0000");
      return rest.replace(/\d+/g, "9");
    });
  const known = new Set(bodies(before));
  return bodies(tried).every((body) => known.has(body));
}

/** How many different texts stand beside the parts of the lines, numbers aside. */
function textsBeside(task: LineTask, tried: Attempt): number {
  const texts = new Set<string>();
  tried.hits.forEach((hit, index) => {
    let rest = task.lines[hit] ?? "";
    for (const list of tried.texts.values()) {
      const text = list[index] ?? "";
      if (text !== "") rest = rest.replace(text, "\u0000");
    }
    texts.add(rest.replace(/[\d.:,]+/g, "9"));
  });
  return texts.size;
}
