// What a piece asks, tried on the parts of the records that were read: an ask fits a part when it tells some of its texts
// from others. The part that the words beside the ask name goes first.

import { names, type Part, textOf } from "../conditions/parts.ts";
import { escapeRegex } from "../escape.ts";
import { holds } from "../page/conditions.ts";
import type { Extracted, GroupFilter, Match } from "../program/ir.ts";
import type { Ask } from "./asks.ts";

export interface Fit {
  part: Part;
  /** Keeps the records that do what is asked. */
  filter: GroupFilter;
  /** For each record: does it do what is asked? */
  hits: boolean[];
  score: number;
  isNamed: boolean;
}

interface Comparison {
  equals: string[];
  match?: Match;
  fold?: boolean;
  /** How much the comparison says for itself. */
  weight: number;
}

const NUMERIC = /^[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?/i;

/** The ways in which the texts of an ask may be meant, the closest first. */
function comparisonsOf(ask: Ask, texts: readonly string[]): Comparison[] {
  if (ask.how === "blank") return [{ equals: ["", "-", "--"], weight: 1 }];
  if (ask.how === "like") return [{ equals: ask.texts, match: "like", weight: 0.8 }];
  if (ask.how === "prefix" || ask.how === "suffix" || ask.how === "contains") {
    const own = ask.texts.map((one) => one.replace(/(?:\.{3}|…|\*)$|^(?:\.{3}|…|\*)/g, ""));
    const plain: Comparison = { equals: own, match: ask.how, weight: 0.8 };
    const low = own.map((one) => one.toLowerCase());
    return [plain, { equals: low, match: ask.how, fold: true, weight: 0.5 }];
  }
  if (ask.how !== "is") {
    const known = texts.filter((one) => one !== "");
    const numeric = known.filter((one) => NUMERIC.test(one)).length;
    return numeric >= known.length * 0.8 && numeric > 0
      ? [{ equals: ask.texts, match: ask.how, weight: 0.8 }]
      : [];
  }
  return ask.texts.length === 0 ? [] : literally(ask.texts, texts);
}

function literally(own: readonly string[], texts: readonly string[]): Comparison[] {
  const all: Comparison[] = [{ equals: [...own], weight: 1.2 }];
  const numeric = texts.filter((one) => NUMERIC.test(one)).length;
  if (own.every((one) => /^[-+]?\d[\d.,]*(?:e[-+]?\d+)?$/i.test(one)) && numeric >= texts.length * 0.8)
    return [...all, { equals: [...own], match: "number", weight: 1 }];
  if (own.every((one) => /\w.*(?:\.{3}|…|\*)$/.test(one)))
    all.push({ equals: own.map((one) => one.replace(/(?:\.{3}|…|\*)$/, "")), match: "prefix", weight: 1 });
  const network = own.map((one) => networkOf(one));
  if (network.every((one) => one !== undefined))
    return [...all, { equals: network.flatMap((one) => one ?? []), match: "prefix", weight: 1 }];
  all.push({ equals: own.map((one) => one.toLowerCase()), fold: true, weight: 1 });
  if (own.every((one) => /^[._/@-]\w/.test(one) && !/^\/.*\//.test(one)))
    all.push({ equals: [...own], match: "suffix", weight: 0.9 });
  if (own.every((one) => /^(?:\.{0,2}\/|~\/|[\w.-]+\/)/.test(one)))
    all.push({ equals: own.map((one) => one.replace(/\/?$/, "/")), match: "prefix", weight: 0.9 });
  if (own.every((one) => /[/_.:@-]$/.test(one))) all.push({ equals: [...own], match: "prefix", weight: 0.8 });
  const inside = own.map((one) => `(?<![A-Za-z0-9])${escapeRegex(one)}(?![A-Za-z0-9])`);
  const isPlain = texts.every((text) =>
    own.every((one, at) => text.includes(one) === new RegExp(inside[at] ?? "").test(text)),
  );
  if (own.every((one) => one.length > 1 || /\W/.test(one)))
    all.push(
      isPlain
        ? { equals: [...own], match: "contains", weight: 0.5 }
        : { equals: inside, match: "like", weight: 0.5 },
    );
  return all;
}

/** "192.168.3", "192.168.0.0/16": the addresses in front of whose last numbers it stands. */
function networkOf(text: string): string | undefined {
  const [, address = "", bits] = /^(\d{1,3}(?:\.\d{1,3}){1,3})\.?(?:\.x|\.\*|\/(8|16|24))?$/.exec(text) ?? [];
  if (address === "") return undefined;
  const numbers = address.split(".");
  const count = bits === undefined ? numbers.length : Number(bits) / 8;
  return count >= 4 ? undefined : `${numbers.slice(0, count).join(".")}.`;
}

/** How well the piece names the part beside the ask, 0 to 4: by the words, and how near they stand; undefined when it does not. */
function naming(piece: string, ask: Ask, part: Part, texts: readonly string[]): number | undefined {
  if (ask.of !== undefined && ask.of !== "") {
    const words = ask.of.split(" ");
    const forms = words.map((_, from) => words.slice(0, words.length - from).join(" "));
    const best = Math.max(...forms.map((one) => names(part, one, texts)));
    if (best >= 0.65) return 3 + best;
    if (ask.how === "blank") return undefined;
  }
  const words = [...piece.matchAll(/[A-Za-z%][\w%-]*/g)].map((one) => ({
    start: one.index,
    end: one.index + one[0].length,
  }));
  let best: number | undefined;
  words.forEach(({ start }, index) => {
    for (const length of [3, 2, 1]) {
      const last = words[index + length - 1];
      if (last === undefined || (start < ask.end && last.end > ask.start && ask.how === "is")) continue;
      const noun = piece.slice(start, last.end);
      if (/[,;.()]/.test(noun) || noun.length < 2) continue;
      const away =
        last.end <= ask.start ? ask.start - last.end : start >= ask.end ? (start - ask.end) * 1.5 : 0;
      const name = away > 60 ? 0 : names(part, noun, texts);
      if (name >= 0.65) best = Math.max(best ?? 0, 2 + name - away / 40);
    }
  });
  return best;
}

/** All fits of an ask, the best first; parts that are named but told by nothing are given with all or no hits. */
export function fitsOf(
  piece: string,
  ask: Ask,
  records: readonly Extracted[],
  parts: readonly Part[],
): Fit[] {
  const fits: Fit[] = [];
  // A text that a part does not have is not meant of it, however near that is named.
  const isTold = ask.how !== "blank" && ask.texts.some((one) => /[^\W\d]/.test(one) || !/\w/.test(one));
  for (const part of parts) {
    const texts = records.map((record) => textOf(record, part));
    const named = naming(piece, ask, part, texts);
    if (ask.how === "blank" && named === undefined) continue;
    const isCalled = part.isValue && /\b(?:names?|called|named|what|those|ones?)\b/i.test(piece);
    const own = (named ?? 0) + (part.isValue ? 0.4 : 0) + (isCalled ? 0.5 : 0);
    for (const { weight, ...compared } of asked(ask, texts)) {
      const hits = texts.map((text) => holds({ ...compared, negate: ask.negate }, text));
      const count = hits.filter(Boolean).length;
      const filter = { group: part.group, ...compared, ...(ask.negate ? { negate: true } : {}) };
      const isSplit = count > 0 && count < hits.length;
      if (!isSplit && named === undefined) continue;
      fits.push({
        part,
        filter,
        hits,
        score: own + weight - (isSplit ? 0 : isTold ? 3 : 0.3),
        isNamed: named !== undefined,
      });
      if (isSplit) break;
    }
  }
  return fits.sort((a, b) => b.score - a.score);
}

/** An amount of none is a part that is blank, or a count of 0. */
function asked(ask: Ask, texts: readonly string[]): Comparison[] {
  const all = comparisonsOf(ask, texts);
  if (ask.how !== "blank") return all;
  const isCount = texts.every((one) => NUMERIC.test(one));
  return isCount ? [{ equals: ["0"], match: "number", weight: 1 }] : all;
}

/** Words of the piece that are just the texts of a part that tells kinds, as an ask for each such part. */
export function worded(
  piece: string,
  taken: readonly Ask[],
  records: readonly Extracted[],
  parts: readonly Part[],
): Fit[] {
  // What stands in brackets explains.
  const bare = piece.replace(/\([^)]*\)/g, (one) => " ".repeat(one.length));
  const words = [...bare.matchAll(/(?<![\w-])[A-Za-z][\w-]*(?![\w-])/g)]
    .filter(
      (one) => !taken.some((ask) => ask.start <= one.index && one.index < ask.end && ask.how !== "blank"),
    )
    .map((one) => one[0]);
  const said = new Map(
    words.flatMap((word) => [word, ...singularOf(word)].map((one) => [one.toLowerCase(), word] as const)),
  );
  return parts
    .flatMap((part) => {
      const texts = records.map((record) => textOf(record, part));
      const kinds = [...new Set(texts.filter((one) => one !== ""))];
      const meant = kinds.filter((text) => {
        if (!/^[A-Za-z][\w-]*$/.test(text) || text.length < 3 || COMMON.test(text)) return false;
        const word = said.get(text.toLowerCase());
        return word !== undefined && !(names(part, word, []) >= 0.7);
      });
      if (meant.length === 0 || (kinds.length > 12 && !meant.every((one) => words.includes(one)))) return [];
      const hits = texts.map((text) => meant.includes(text));
      if (hits.every(Boolean)) return [];
      const isNamed = words.some((word) => names(part, word, texts) >= 0.65);
      const score = (isNamed ? 2.5 : 0) + (kinds.length <= 12 ? 1 : 0.6);
      return [{ part, filter: { group: part.group, equals: meant }, hits, score, isNamed }];
    })
    .sort((a, b) => b.score - a.score);
}

/** "Warnings": the text may be the word for one of them. */
function singularOf(word: string): string[] {
  return [
    ...(/ies$/.test(word) ? [word.replace(/ies$/, "y")] : []),
    ...(/(?:s|x|z|ch|sh)es$/.test(word) ? [word.replace(/es$/, "")] : []),
    ...(/[^s]s$/.test(word) ? [word.replace(/s$/, "")] : []),
  ];
}

const COMMON =
  /^(?:the|and|are|not|for|any|all|one|two|with|that|which|whose|from|this|than|only|name|names|line|lines|file|files|other|list|listed|value|item|items|row|rows|test|user|time|line)$/i;
