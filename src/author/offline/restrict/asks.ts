// What a piece of a sentence asks of a record, wherever in it that stands: amounts, how a text begins, ends or what it
// contains, its shape, that a part is missing or given, and texts that a log may show. Nothing is bound to a part here.

import { numberWord } from "../page/names.ts";
import type { Match } from "../program/ir.ts";
import {
  AFFIXES,
  AMONG,
  AMOUNTS,
  amountIn,
  BLANKS,
  COUNTS,
  EDGES,
  listOf,
  markOf,
  NEGATED,
  SHAPES,
  SHARP,
  SIGNS,
  SORTS,
  TIMES,
} from "./forms.ts";
import { timesIn } from "./times.ts";

export interface Ask {
  /** How a text is compared; `is`: it is one of the texts, `blank`: there is none. */
  how: "is" | "blank" | Match;
  texts: string[];
  negate: boolean;
  /** Offsets in the piece. */
  start: number;
  end: number;
  /** The words that must name the part, where the form has a place for them. */
  of?: string;
  /** What stands behind an amount. */
  unit?: string;
  /** Names of parts that a word of comparison speaks of: what is longer has a length. */
  sort?: readonly string[];
  /** Of several parts at once: "at least one of the three counts". */
  among?: { how: "any" | "all" | "none"; noun: string; count?: number };
  /** A number together with the word in front of it. */
  phrase?: string;
}

function spelled(list: string, quoted: readonly string[]): string[] {
  return list
    .split(/, (?:or |and )?(?:(?:with|in|by) )?| (?:or|and|nor) (?:(?:with|in|by) )?/)
    .map((one) => one.trim().replace(/^‹(\d+)›$/, (_all, index: string) => quoted[Number(index)] ?? ""))
    .filter((one) => one !== "");
}

/** The piece with what was read as blanks, so that nothing is read twice. */
class Reader {
  readonly asks: Ask[] = [];
  private rest: string;
  private readonly quoted: readonly string[];

  constructor(piece: string, quoted: readonly string[]) {
    this.rest = piece;
    this.quoted = quoted;
  }

  /** Tries a form on what is left; `make` gives the asks of a match, none when it is no such thing. */
  read(
    form: RegExp,
    make: (groups: Record<string, string | undefined>, before: string, behind: string, own: string) => Own[],
    open = false,
  ): void {
    for (const match of this.rest.matchAll(form)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (this.rest.slice(start, end) !== match[0]) continue;
      const own = make(match.groups ?? {}, this.rest.slice(0, start), this.rest.slice(end), match[0]);
      for (const one of own) this.asks.push({ ...one, start, end });
      if (own.length > 0 && !open)
        this.rest = this.rest.slice(0, start) + " ".repeat(end - start) + this.rest.slice(end);
    }
  }

  /** What is found is blanked. */
  cut(form: RegExp): RegExpExecArray | undefined {
    const match = form.exec(this.rest);
    if (match === null) return undefined;
    const end = match.index + match[0].length;
    this.rest = this.rest.slice(0, match.index) + " ".repeat(match[0].length) + this.rest.slice(end);
    return match;
  }

  /** What was read elsewhere. */
  take(start: number, end: number, own: readonly Own[]): void {
    if (/^\s*$/.test(this.rest.slice(start, end))) return;
    for (const one of own) this.asks.push({ ...one, start, end });
    this.rest = this.rest.slice(0, start) + " ".repeat(end - start) + this.rest.slice(end);
  }

  texts(list: string): string[] {
    return spelled(list, this.quoted);
  }
}

type Own = Omit<Ask, "start" | "end">;

/** All that the piece asks, in order; what one form has read is not read by another. */
export function asksOf(piece: string, quoted: readonly string[]): Ask[] {
  const reader = new Reader(
    piece
      .replace(/\b(?:i\.e|e\.g)\.?/g, (one) => " ".repeat(one.length))
      // "(5 is the worst)" explains.
      .replace(/\((?:[^()]*\s)?(?:is|are|means?|was|were|being)\s[^()]*\)/g, (one) =>
        /\b(?:that|which|whose|who)\b/.test(one) ? one : " ".repeat(one.length),
      ),
    quoted,
  );
  for (const [form, source] of EDGES)
    reader.read(form, (_groups, before) => [{ how: "like", texts: [source], negate: NEGATED.test(before) }]);
  for (const [form, how, text] of TIMES)
    reader.read(form, (_groups, before) => [
      { how, texts: [text], negate: /\b(?:not|never)\s+$/i.test(before), sort: COUNTS },
    ]);
  for (const [form, how] of AFFIXES)
    reader.read(form, ({ list = "", not, of }) => {
      const texts = reader.texts(list).map(markOf);
      const named = of === undefined ? {} : { of };
      return texts.length === 0 ? [] : [{ how, texts, negate: not !== undefined, ...named }];
    });
  const among = reader.cut(AMONG);
  // Neither is an amount.
  reader.cut(/\bat least one of\b|\bthe first one\b/i);
  for (const { start, end, asks } of timesIn(piece)) reader.take(start, end, asks);
  for (const [form, how, also] of AMOUNTS)
    reader.read(form, (groups, before, behind, own) => {
      const [n, m] = [amountIn(groups["n"] ?? ""), amountIn(groups["m"] ?? "")];
      if (n === undefined) return [];
      const half = /\bhalf$/i.test(own) ? "%" : undefined;
      const unit = half ?? /^(?:\s?(%)|\s?([a-zA-Zµ°]{1,8})\b)/.exec(behind)?.slice(1).find(Boolean);
      const sort = SORTS.find(([words]) => words.test(own))?.[1];
      const isTurned = /\b(?:not|never|n't)(?: (?:be|have|has|had|with|an?|the))*\s+$/i.test(before);
      const first: Own = {
        how,
        texts: [String(n)],
        negate: isTurned,
        ...(sort === undefined ? {} : { sort }),
        ...(unit === undefined ? {} : { unit }),
        ...(groups["of"] === undefined ? {} : { of: groups["of"] }),
        ...(/\bline (?:\d+|\w+)$/.test(own.trim()) || /\bfrom line\b/.test(own) ? { of: "line" } : {}),
      };
      return also === undefined || m === undefined
        ? [first]
        : [first, { ...first, how: also, texts: [String(m)] }];
    });
  for (const [form, make] of SHAPES)
    reader.read(form, (groups, before) => {
      const source = make(groups);
      return source === undefined ? [] : [{ how: "like", texts: [source], negate: NEGATED.test(before) }];
    });
  for (const [form, filled] of BLANKS)
    reader.read(
      form,
      ({ of = "" }) => [{ how: "blank", texts: [], negate: filled, of: reader.texts(of)[0] ?? of }],
      true,
    );
  for (const [form, how, text, negate] of SIGNS) reader.read(form, () => [{ how, texts: [text], negate }]);
  reader.read(new RegExp(`(?<list>${listOf(SHARP)})`, "g"), ({ list = "" }, before) => {
    const texts = reader.texts(list).map((one) => one.replace(/[.,;:]+$/, ""));
    // The first word of a sentence is always in capitals.
    const isFirst = before.trim() === "" && /^[A-Z][a-z]*$/.test(list);
    return isFirst || texts.every((one) => one === "" || /^[AI]$/.test(one))
      ? []
      : [
          {
            how: "is",
            texts,
            negate: NEGATED.test(before),
            ...phraseOf(piece.slice(0, before.length), texts),
          },
        ];
  });
  const isUnit = ({ how, texts, start }: Ask): boolean =>
    how === "is" &&
    reader.asks.some(
      ({ unit, end }) => unit !== undefined && texts[0] === unit && start >= end && start < end + 3,
    );
  const asks = reader.asks.filter((one) => !isUnit(one)).sort((a, b) => a.start - b.start);
  const at = among === undefined ? -1 : asks.findIndex((one) => one.start >= among.index);
  return among === undefined
    ? asks
    : asks.map((one, index) => (index === at ? { ...one, ...amongOf(among) } : one));
}

function amongOf(match: RegExpExecArray): Pick<Ask, "among"> {
  const { how = "", count, noun = "" } = match.groups ?? {};
  const own = /^(?:none|neither)/.test(how) ? "none" : /^(?:all|both|each|every)/.test(how) ? "all" : "any";
  const both = /^(?:both|either|neither)/.test(how) ? 2 : undefined;
  const number = count === undefined ? both : numberWord(count);
  return { among: { how: own, noun, ...(number === undefined ? {} : { count: number }) } };
}

/** "Enclosure 0": the number with the word in front of it. */
function phraseOf(before: string, texts: readonly string[]): { phrase?: string } {
  const [text = "", ...others] = texts;
  if (others.length > 0 || !/^\d{1,6}[A-Za-z]?$/.test(text)) return {};
  const word = /(?<![\w-])([A-Za-z][\w-]*) $/.exec(before)?.[1];
  const isPlain =
    word === undefined || /^(?:in|of|on|at|is|are|with|to|by|than|from|the|for|or|and|uid)$/i.test(word);
  return isPlain ? {} : { phrase: `${word} ${text}` };
}
