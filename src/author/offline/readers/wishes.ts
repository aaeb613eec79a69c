// Which part of the log a test of the page is about: by the name of the part, by what the page says of it, and by its
// texts. A test becomes a filter where the log has records that fulfil it and, mostly, others that do not.

import { holds } from "../page/conditions.ts";
import { similarity, stem, stemsOf, wordsOf } from "../page/names.ts";
import type { Comparison, Wish } from "../page/wishes.ts";
import type { GroupFilter } from "../program/ir.ts";

/** A part of the records as tests see it. */
export interface WishedPart {
  group: string;
  /** Heading or key, and name on the page. */
  names: readonly string[];
  description: string;
  texts: readonly string[];
}

/** The filter for a test; undefined where no part, or more than one, could be meant. */
export function filterFor(wish: Wish, parts: readonly WishedPart[]): GroupFilter | undefined {
  const filters = candidates(wish, parts);
  const [first] = filters;
  if (first === undefined) return undefined;
  const own = kept(first.filter, parts);
  // Several parts that keep the same records are one.
  const others = filters.filter((one) => one.rank === first.rank);
  return others.every((one) => kept(one.filter, parts) === own) ? first.filter : undefined;
}

function kept(filter: GroupFilter, parts: readonly WishedPart[]): string {
  const texts = parts.find((one) => one.group === filter.group)?.texts ?? [];
  return texts.map((text) => (holds({ negate: false, ...filter }, text) ? "1" : "0")).join("");
}

interface Ranked {
  filter: GroupFilter;
  /** 0 named, 1 described, 2 by its texts alone. */
  rank: number;
}

function candidates(wish: Wish, parts: readonly WishedPart[]): Ranked[] {
  return parts
    .flatMap((part) => {
      const rank = rankOf(wish.about, part);
      const filter = testOn(wish, part, rank);
      if (filter === undefined) return [];
      const hits = part.texts.filter((text) => holds({ negate: false, ...filter }, text)).length;
      // A test that all fulfil tells nothing of which part is meant, unless the part is named.
      if (hits === 0 || (hits === part.texts.length && rank > 0)) return [];
      return [{ filter, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}

const GENERIC = new Set("number count value amount total first last new other".split(" "));

/** "use (or capacity)", "number of objects (num_objs)": one of the names. */
function rankOf(about: string, part: WishedPart): number {
  if (about === "") return 2;
  return Math.min(...about.split(/\s*,\s*|\bor\b|\bcolumn\b/).map((one) => nameRank(one.trim(), part)));
}

function nameRank(about: string, part: WishedPart): number {
  if (about === "") return 3;
  const words = wordsOf(about).filter((word) => word.length > 1);
  const head = words.at(-1) ?? "";
  const named = part.names.some((name) => {
    if (name === "") return false;
    if (similarity(name, about) >= 0.7 || (head !== "" && similarity(name, head) >= 0.8)) return true;
    return wordsOf(name).some(
      (word) => word.length > 2 && !GENERIC.has(word) && words.some((one) => stem(one) === stem(word)),
    );
  });
  if (named) return 0;
  const said = stemsOf(part.description);
  return words.some((word) => word.length > 3 && !GENERIC.has(word) && said.has(stem(word))) ? 1 : 3;
}

const NUMBER = /^[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?\s?(?:%|[a-zA-Zµ/]{1,4})?$/i;
/** What stands where there is nothing. */
const NOTHING = /^(?:-+|\?+|\*|none|n\/?a|no|null|nil|unknown|\(none\)|<none>|\(null\)|)$/i;

function testOn({ test, keep }: Wish, part: WishedPart, rank: number): GroupFilter | undefined {
  const negate = keep ? {} : { negate: true };
  switch (test.kind) {
    case "number":
      return rank > 2 || (rank > 1 && test.than === 0)
        ? undefined
        : amountOn(test.how, test.than, keep, part);
    case "texts":
      if (rank > 2) return undefined;
      if (test.match !== undefined)
        return rank > 1 ? undefined : { group: part.group, equals: test.texts, match: test.match, ...negate };
      return test.plain ? stateOn(test.texts, keep, part) : textsOn(test.texts, negate, part, rank);
    default:
      return rank > 1 ? undefined : presenceOn((test.kind === "absent") === keep, part);
  }
}

const filledOf = (part: WishedPart): string[] => part.texts.filter((text) => !NOTHING.test(text.trim()));

function amountOn(how: Comparison, than: number, keep: boolean, part: WishedPart): GroupFilter | undefined {
  const filled = filledOf(part);
  if (filled.length === 0 || !filled.every((text) => NUMBER.test(text.trim()))) return undefined;
  const equals = [String(than)];
  if (how !== "is" && how !== "is_not")
    return { group: part.group, equals, match: how, ...(keep ? {} : { negate: true }) };
  return { group: part.group, equals, match: "number", ...((how === "is") === keep ? {} : { negate: true }) };
}

/** Those without a text, or those with one. */
function presenceOn(absent: boolean, part: WishedPart): GroupFilter | undefined {
  const negate = absent ? {} : { negate: true };
  const nothing = part.texts.map((text) => text.trim()).filter((text) => NOTHING.test(text));
  if (nothing.length > 0) return { group: part.group, equals: [...new Set([...nothing, ""])], ...negate };
  const filled = filledOf(part);
  const counts =
    filled.length > 0 &&
    filled.every((text) => NUMBER.test(text)) &&
    filled.some((text) => /^0+(?:\.0+)?$/.test(text));
  return counts ? { group: part.group, equals: ["0"], match: "number", ...negate } : undefined;
}

/** Texts as they are, as the last part of a path, or as words of the texts. */
function textsOn(
  texts: readonly string[],
  negate: { negate?: boolean },
  part: WishedPart,
  rank: number,
): GroupFilter | undefined {
  const own = new Set(part.texts.map((text) => text.trim()));
  const known = texts.filter((text) => own.has(text));
  const enough = rank < 2 ? known.length > 0 : known.length > 0 && known.length >= texts.length * 0.5;
  if (enough) return { group: part.group, equals: [...texts], ...negate };
  const inPath = texts.map((text) => `/${text}`);
  if ([...own].some((text) => inPath.some((one) => text.endsWith(one))))
    return { group: part.group, equals: inPath, match: "suffix", ...negate };
  return undefined;
}

/** "exited", "enabled": the first word of the texts of a part of few states, or a part of this name that says yes. */
function stateOn(texts: readonly string[], keep: boolean, part: WishedPart): GroupFilter | undefined {
  const words = texts.map((text) => text.toLowerCase());
  const owns = words.map(stem);
  const [own = ""] = owns;
  const firsts = new Map<string, number>();
  for (const text of part.texts) {
    const first = /^[^\s(:]+/.exec(text.trim())?.[0] ?? "";
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  if (firsts.size < 2) return undefined;
  const negate = keep ? {} : { negate: true };
  if (part.names.some((name) => stem(name.toLowerCase()) === own)) {
    const yes = [...firsts.keys()].filter((text) => /^(?:yes|true|on|enabled|1|y)$/i.test(text));
    if (yes.length > 0 && firsts.size <= 3 && ![...firsts.keys()].some((text) => /\d\d|[2-9]/.test(text)))
      return { group: part.group, equals: yes, ...negate };
  }
  if (firsts.size > 10 || firsts.size > part.texts.length * 0.8) return undefined;
  const said = [...firsts.keys()].filter(
    (text) =>
      /^[A-Za-z][\w-]*$/.test(text) &&
      (owns.includes(stem(text.toLowerCase())) || words.includes(text.toLowerCase())),
  );
  return said.length === 0 ? undefined : { group: part.group, equals: said, match: "prefix", ...negate };
}
