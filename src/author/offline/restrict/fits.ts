// What a piece asks, tried on the parts of the records that were read: an ask fits a part when it tells some of its texts
// from others. The part that the words beside the ask name goes first.

import { names, type Part, textOf } from "../conditions/parts.ts";
import { escapeRegex } from "../escape.ts";
import { holds } from "../page/conditions.ts";
import type { Extracted, GroupFilter, Match } from "../program/ir.ts";
import type { Ask } from "./asks.ts";
import { unitsIn } from "./figures.ts";
import { sortsOfUnit } from "./forms.ts";
import { cutFor } from "./times.ts";

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
  cut?: string;
  /** How much the comparison says for itself. */
  weight: number;
}

/** An amount in front of a text that is no time, address or number of another kind. */
const NUMERIC = /^[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?\.?(?![\w]*[:./-]?\d)/i;
const PLAIN_NUMBER = /^[-+]?\d[\d,]*(?:\.\d+)?\s?%?$/;

/** The ways in which the texts of an ask may be meant, the closest first. */
function comparisonsOf(ask: Ask, part: Part, texts: readonly string[]): Comparison[] {
  if (ask.how === "blank") return [{ equals: ["", "-", "--"], weight: 1 }];
  if (ask.how === "like") return [{ equals: ask.texts, match: "like", weight: 0.8 }];
  if (ask.how === "prefix" || ask.how === "suffix" || ask.how === "contains") {
    const own = ask.texts.map((one) => one.replace(/(?:\.{3}|…|\*)$|^(?:\.{3}|…|\*)/g, ""));
    // One letter is one of a row of flags, and not just somewhere in a name or a path.
    const isFlag = ask.how === "contains" && own.every((one) => /^[A-Za-z]$/.test(one));
    if (isFlag && texts.some((text) => !/^[-+.A-Za-z]{1,12}$/.test(text))) return [];
    const plain: Comparison = { equals: own, match: ask.how, weight: 0.8 };
    const low = own.map((one) => one.toLowerCase());
    return [plain, { equals: low, match: ask.how, fold: true, weight: 0.5 }];
  }
  if (/^(?:before|until|since|after)$/.test(ask.how)) return inTime(ask, texts);
  if (ask.how !== "is") return asAmount(ask, part, texts);
  const told = ask.phrase === undefined ? undefined : phrased(ask.phrase, texts);
  return told !== undefined ? [told] : ask.texts.length === 0 ? [] : literally(ask.texts, texts);
}

/** A time, date or version, and what of the texts it is compared with. */
function inTime({ how, texts: own }: Ask, texts: readonly string[]): Comparison[] {
  const cut = cutFor(own[0] ?? "", texts);
  if (cut === undefined || how === "is" || how === "blank") return [];
  return [{ equals: own, match: how, weight: 0.8, ...(cut === "" ? {} : { cut }) }];
}

function scaled(number: string, factor: number): string {
  return String(Number((Number(number) * factor).toPrecision(12)));
}

/** Units of one dimension. */
const UNITS = [
  ["b", "byte", "bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "tib"],
  [
    ...["fs", "ps", "ns", "us", "µs", "ms", "s", "sec", "second", "seconds", "min", "minute", "minutes"],
    ...["h", "hour", "hours", "day", "days", "nanosecond", "nanoseconds", "microsecond", "microseconds"],
    ...["millisecond", "milliseconds", "picosecond", "picoseconds"],
  ],
  ["nm", "um", "µm", "mm", "cm", "m", "km", "micron", "microns"],
  ["nw", "uw", "µw", "mw", "w", "kw"],
  ["ff", "pf", "nf"],
  ["hz", "khz", "mhz", "ghz"],
  ["mv", "v", "kv"],
];

function asAmount({ how, texts: own, unit, of }: Ask, part: Part, texts: readonly string[]): Comparison[] {
  if (how === "is" || how === "blank") return [];
  const known = texts.filter((one) => one !== "");
  // The port of an address.
  if (/port/i.test(part.hint.name) && known.length > 0 && known.every((one) => /[^\d:]:\d{1,5}$/.test(one)))
    return [{ equals: own, match: how, cut: ":(?<cut>\\d+)$", weight: 0.8 }];
  const numeric = known.filter((one) => NUMERIC.test(one)).length;
  if (numeric === 0 || numeric < known.length * 0.8) return [];
  const low = unit?.toLowerCase();
  // A share is compared with shares alone.
  const { name, description } = part.hint;
  const isShare =
    known.some((one) => /\d\s?%$/.test(one)) || /%|percent|share|ratio/i.test(`${name} ${description}`);
  if (low === "%" && !isShare) return [];
  if (of === "line" && !/\bline|^row$/i.test(name)) return [];
  const factor = unit === undefined ? factorWithout(known) : factorOf(unit, known, description);
  if (factor === undefined) return [];
  const equals = factor === 1 ? own : own.map((one) => scaled(one, factor));
  return [{ equals, match: how, weight: 0.8 }];
}

/** Without a unit texts in several units cannot be compared. */
function factorWithout(known: readonly string[]): 1 | undefined {
  const units = new Set(known.flatMap((one) => /\d\s?([kKMGT]i?B?|B|[munpf]?[sWVFA])$/.exec(one)?.[1] ?? []));
  return units.size > 1 ? undefined : 1;
}

/** What an amount is multiplied with to be in the unit of the texts; undefined where it is of another kind. */
function factorOf(unit: string, known: readonly string[], description: string): number | undefined {
  const low = unit.toLowerCase();
  const family = UNITS.find((one) => one.includes(low));
  if (family === undefined) return factorWithout(known);
  const units = new Set(
    known.flatMap((one) => /^[-+\d.,e]+\s?([a-zA-Zµ]+)$/.exec(one)?.[1]?.toLowerCase() ?? []),
  );
  const said = family.filter((one) => new RegExp(`(?<![\\w])${one}(?!\\w)`, "i").test(description));
  const same = (one: string): boolean => one === low || one.replace(/s$/, "") === low.replace(/s$/, "");
  const isOther = units.size > 0 ? ![...units].every(same) : said.length > 0 && !said.some(same);
  if (!isOther) return 1;
  const [to, ...others] = units.size > 0 ? [...units] : said;
  return to === undefined || others.length > 0 ? undefined : unitsIn(unit, to);
}

/** The words of a phrase stand in some texts just so. */
function phrased(phrase: string, texts: readonly string[]): Comparison | undefined {
  const words = escapeRegex(phrase.toLowerCase()).replace(/ /g, "[\\s=:#_.-]{1,3}");
  const source = `(?<![a-z0-9])${words}(?![a-z0-9])`;
  const comparison: Comparison = { equals: [source], match: "like", fold: true, weight: 1.7 };
  const having = texts.filter((one) => new RegExp(source, "u").test(one.toLowerCase())).length;
  return having > 0 && having < texts.length ? comparison : undefined;
}

/** What stands for any text within a text. */
const INSIDE = /(?<=[A-Za-z_-])(?:\.{3}|…|\*)(?=[A-Za-z_-])/;

function literally(own: readonly string[], texts: readonly string[]): Comparison[] {
  const all: Comparison[] = [{ equals: [...own], weight: 1.2 }];
  const numeric = texts.filter((one) => NUMERIC.test(one)).length;
  if (own.every((one) => /^[-+]?\d[\d.,]*(?:e[-+]?\d+)?$/i.test(one)) && numeric >= texts.length * 0.8)
    return [...all, { equals: [...own], match: "number", weight: 1 }];
  if (own.every((one) => /\w.*(?:\.{3}|…|\*)$/.test(one)))
    all.push({ equals: own.map((one) => one.replace(/(?:\.{3}|…|\*)$/, "")), match: "prefix", weight: 1 });
  // "`Miss...Note`", "`Miss*Note`": anything stands between.
  if (own.every((one) => INSIDE.test(one))) {
    const like = own.map((one) => `^${one.split(INSIDE).map(escapeRegex).join(".*")}$`);
    all.push({ equals: like, match: "like", weight: 1 });
  }
  const network = own.map((one) => networkOf(one));
  if (network.every((one) => one !== undefined))
    return [...all, { equals: network.flatMap((one) => one ?? []), match: "prefix", weight: 1 }];
  all.push({ equals: own.map((one) => one.toLowerCase()), fold: true, weight: 1 });
  if (own.every((one) => /^[._/@-]\w/.test(one) && !/^\/.*\//.test(one)))
    all.push({ equals: [...own], match: "suffix", weight: 0.9 });
  if (own.every((one) => /^(?:\.{0,2}\/|~\/|[\w.-]+\/)/.test(one)))
    all.push({ equals: own.map((one) => one.replace(/\/?$/, "/")), match: "prefix", weight: 0.9 });
  if (own.every((one) => /[/_.:@-]$/.test(one))) all.push({ equals: [...own], match: "prefix", weight: 0.8 });
  const inside = own.map(alone);
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

/** A text where it is a word of its own, for an expression; behind letters may stand a number. */
export function alone(text: string): string {
  const front = /^[A-Za-z]/.test(text) ? "(?<![A-Za-z])" : /^\d/.test(text) ? "(?<![A-Za-z0-9])" : "";
  const behind = /[A-Za-z]$/.test(text) ? "(?![A-Za-z])" : /\d$/.test(text) ? "(?![A-Za-z0-9])" : "";
  return `${front}${escapeRegex(text)}${behind}`;
}

/** "192.168.3", "192.168.0.0/16": the addresses in front of whose last numbers it stands. */
function networkOf(text: string): string | undefined {
  const [, address = "", bits] =
    /^(\d{1,3}(?:\.\d{1,3}){0,3})\.?((?:\.[x*])+|\/(?:8|16|24))?$/i.exec(text) ?? [];
  if (address === "") return undefined;
  const numbers = address.split(".");
  if (numbers.length < 2 && bits === undefined) return undefined;
  const count = bits?.startsWith("/") === true ? Number(bits.slice(1)) / 8 : numbers.length;
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
  const sorted = Math.max(0, ...(ask.sort ?? []).map((noun, at) => names(part, noun, texts) - at / 20));
  if (sorted >= 0.6) return 2.5 + sorted;
  const words = [...piece.matchAll(/(?<![\w-])(?!(?:the|an?|its|their)\b)[A-Za-z%][\w%-]*/g)].map((one) => ({
    start: one.index,
    end: one.index + one[0].length,
  }));
  let best: number | undefined;
  words.forEach(({ start }, index) => {
    for (const length of [3, 2, 1]) {
      const last = words[index + length - 1];
      if (last === undefined || (start < ask.end && last.end > ask.start && ask.how === "is")) continue;
      const noun = piece.slice(start, last.end).replace(/ (?:the|an?|its|their)(?= )/g, "");
      if (/[,;.()]/.test(noun) || noun.length < 2) continue;
      const away =
        last.end <= ask.start ? ask.start - last.end : start >= ask.end ? (start - ask.end) * 1.5 : 0;
      const name = away > 60 ? 0 : names(part, noun, texts);
      if (name >= 0.65) best = Math.max(best ?? 0, 2 + name - away / 40);
    }
  });
  if (best !== undefined || ask.unit === undefined) return best;
  const counted = sortsOfUnit(ask.unit).some((noun) => names(part, noun, texts) >= 0.65);
  return counted ? 2 : undefined;
}

/** All fits of an ask, the best first; parts that are named but told by nothing are given with all or no hits. */
export function fitsOf(
  piece: string,
  ask: Ask,
  records: readonly Extracted[],
  parts: readonly Part[],
): Fit[] {
  // A text that a part does not have is not meant of it, however near that is named.
  const isTold = ask.how !== "blank" && ask.texts.some((one) => !PLAIN_NUMBER.test(one));
  const fits = parts.flatMap((part) => fitsOfPart(piece, ask, records, part, isTold));
  // What one part is in all records restricts no other.
  const done = ask.how === "like" && !ask.negate ? fits.filter(({ hits }) => hits.every(Boolean)) : [];
  return (done.length > 0 ? done : fits).sort((a, b) => b.score - a.score);
}

function fitsOfPart(
  piece: string,
  ask: Ask,
  records: readonly Extracted[],
  part: Part,
  isTold: boolean,
): Fit[] {
  const fits: Fit[] = [];
  const texts = records.map((record) => textOf(record, part));
  const named = naming(piece, ask, part, texts);
  if (ask.how === "blank" && named === undefined) return [];
  const isCalled = part.isValue && /\b(?:names?|called|named|what|those|ones?)\b/i.test(piece);
  const own = (named ?? 0) + (part.isValue ? 0.4 : 0) + (isCalled ? 0.5 : 0);
  for (const { weight, ...compared } of asked(ask, part, texts)) {
    const hits = texts.map((text) => holds({ ...compared, negate: ask.negate }, text));
    const filter = { group: part.group, ...compared, ...(ask.negate ? { negate: true } : {}) };
    const isSplit = hits.some(Boolean) && !hits.every(Boolean);
    const isFilled = ask.how === "like" && hits.every(Boolean);
    if (!isSplit && named === undefined && !isFilled) continue;
    const score = own + weight - (isSplit ? 0 : isTold ? 3 : 0.3);
    fits.push({ part, filter, hits, score, isNamed: named !== undefined });
    if (isSplit) break;
  }
  return fits;
}

/** An amount of none is a part that is blank, or a count of 0. */
function asked(ask: Ask, part: Part, texts: readonly string[]): Comparison[] {
  const all = comparisonsOf(ask, part, texts);
  if (ask.how !== "blank") return all;
  const isCount = texts.every((one) => NUMERIC.test(one));
  return isCount ? [{ equals: ["0"], match: "number", weight: 1 }] : all;
}
