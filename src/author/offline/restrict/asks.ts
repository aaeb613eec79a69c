// What a piece of a sentence asks of a record, wherever in it that stands: amounts, how a text begins, ends or what it
// contains, its shape, that a part is missing or given, and texts that a log may show. Nothing is bound to a part here.

import { numberWord } from "../page/names.ts";
import type { Match } from "../program/ir.ts";

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
}

const Q = "‹\\d+›";
/** A quoted text, or a word with something that no plain word has. */
const SHARP = `(?:${Q}|(?<![\\w./:@-])(?=[^\\s,;()]*[A-Z\\d_./:@])[\\w./:@+*-]*[\\w/*-])`;
const FUNCTION =
  "(?:is|are|was|were|in|of|on|at|and|or|with|that|which|only|the|an?|not|for|to|from|by|as|its|their|it|they|has|have|plus|other|than)";
const WORD = `(?:${Q}|(?!${FUNCTION}\\b)[\\w./:@+*$-]*[\\w/*_$-])`;
const listOf = (one: string): string =>
  `${one}(?:(?:, | or | and |, or |, and | nor )(?:(?:with|in|by) )?${one})*`;

const NUMBER = "[-+]?(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)(?:e[-+]?\\d+)?(?![\\w]*[.:]\\d)(?!\\w*_)";
const WORDED =
  "(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|(?:a|one) hundred|(?:a|one) thousand)";
const N = `(?<n>${NUMBER}|${WORDED}\\b)`;
const LESS = "(?:less|fewer|smaller|shorter|lower|weaker|narrower|lighter|younger|earlier|tinier|nearer)";
const MORE =
  "(?:more|greater|larger|bigger|longer|higher|stronger|wider|heavier|older|later|farther|further)";

const AMOUNTS: [RegExp, Match, Match?][] = [
  [new RegExp(`\\bbetween ${N} and (?<m>${NUMBER})`, "gi"), "least", "most"],
  [new RegExp(`\\b(?:no|not|nor) ${LESS} than ${N}`, "gi"), "least"],
  [new RegExp(`\\b(?:no|not|nor) ${MORE} than ${N}`, "gi"), "most"],
  [new RegExp(`\\b${LESS} than ${N}`, "gi"), "below"],
  [new RegExp(`\\b${MORE} than ${N}`, "gi"), "above"],
  [new RegExp(`\\bnot (?:below|under) ${N}`, "gi"), "least"],
  [new RegExp(`\\bnot (?:above|over|beyond) ${N}`, "gi"), "most"],
  [new RegExp(`\\b(?:below|under|beneath|short of|before line) ${N}`, "gi"), "below"],
  [
    new RegExp(
      `\\b(?:above|over|beyond|past|exceed(?:s|ing)?|in excess of|after line|upwards of) ${N}`,
      "gi",
    ),
    "above",
  ],
  [
    new RegExp(
      `\\b(?:at least|a minimum of|as (?:many|much|high) as|starting (?:at|with|from)|from) ${N}(?= |$|[.,;:)%]|[a-zA-Z%])(?!,? (?:to|through|up to)\\b)`,
      "gi",
    ),
    "least",
  ],
  [
    new RegExp(
      `\\b(?:at most|a maximum of|up to|within the first|among the first|the first|no later than) ${N}`,
      "gi",
    ),
    "most",
  ],
  [
    new RegExp(
      `${N}(?:\\s?%|\\s?[a-zA-Zµ]{1,6})?,? (?:or|and) (?:more|above|higher|greater|larger|longer|over|later|upwards?|stronger|wider|beyond|up)\\b`,
      "gi",
    ),
    "least",
  ],
  [
    new RegExp(
      `${N}(?:\\s?%|\\s?[a-zA-Zµ]{1,6})?,? (?:or|and) (?:less|below|lower|fewer|smaller|shorter|under|earlier|weaker|down(?:wards)?)\\b`,
      "gi",
    ),
    "most",
  ],
  [new RegExp(`${N}(?:\\s?%|\\s?[a-zA-Zµ]{1,6})? (?:upwards?|onwards?)\\b`, "gi"), "least"],
];

const SIGNS: [RegExp, Match, string, boolean][] = [
  [
    /\b(?:non-?zero|not (?:zero|0)|(?:other|different) (?:than|from) (?:zero|0)|differs? from (?:zero|0))(?![\w.])/gi,
    "number",
    "0",
    true,
  ],
  [/\bnot negative\b|\bnon-negative\b/gi, "least", "0", false],
  [/\bnot positive\b/gi, "most", "0", false],
  [/\bnegative\b/gi, "below", "0", false],
  [/\bpositive\b/gi, "above", "0", false],
  [/\bzero\b/gi, "number", "0", false],
];

const IN_PART =
  "(?: (?:in|within|inside|as part of|somewhere in) (?:the|its|their|his) (?<of>[a-z][\\w-]*(?: [a-z]\\w*)?))?";
const NOT = "(?<not>(?:do|does|did) not |(?:is|are|was) not |not |never |don't |doesn't )?";
const KIND =
  "(?:(?:the|an?|either|both) )?(?:(?:word|text|letters?|prefix|suffix|character|string|ending|extension|digits?|number|name|path|code|sign)s? )?";

const AFFIXES: [RegExp, Match][] = [
  [
    new RegExp(`${NOT}\\b(?:begin|start)(?:s|ning|ing)? (?:with|in|by) ${KIND}(?<list>${listOf(WORD)})`, "g"),
    "prefix",
  ],
  [new RegExp(`\\b(?:with|has|have|having) the prefix(?:es)? (?<list>${listOf(WORD)})`, "g"), "prefix"],
  [
    new RegExp(
      `(?<list>${listOf(SHARP)}) (?:stands )?(?:at|in) the (?:beginning|start|front)(?: of (?:the|its|their) (?<of>[a-z]\\w*))?`,
      "g",
    ),
    "prefix",
  ],
  [new RegExp(`(?<list>${listOf(SHARP)}) in front\\b`, "g"), "prefix"],
  [new RegExp(`${NOT}\\bend(?:s|ing)? (?:with|in|on|by) ${KIND}(?<list>${listOf(WORD)})`, "g"), "suffix"],
  [
    new RegExp(
      `\\b(?:with|has|have|having|of|in) the (?:suffix|ending|extension)(?:es|s)? (?<list>${listOf(WORD)})`,
      "g",
    ),
    "suffix",
  ],
  [
    new RegExp(
      `(?<list>${listOf(SHARP)}) (?:stands )?at the end(?: of (?:the|its|their) (?<of>[a-z]\\w*))?`,
      "g",
    ),
    "suffix",
  ],
  [
    new RegExp(
      `${NOT}\\b(?:contain|includ|mention|carr)(?:s|ing|es|e|y|ies|ying)? ${KIND}(?<list>${listOf(WORD)})${IN_PART}`,
      "g",
    ),
    "contains",
  ],
  [
    new RegExp(
      `\\b(?<not>without |with no |lacking )${KIND}(?<list>${listOf(Q)}) in (?:the|its|their|his) (?<of>[a-z][\\w-]*(?: [a-z]\\w*)?)`,
      "g",
    ),
    "contains",
  ],
  [
    new RegExp(
      `(?:\\b(?:with|has|have|having) )?(?<list>${listOf(SHARP)}) (?:in|within|inside) (?:the|its|their|his) (?<of>[a-z][\\w-]*(?: [a-z]\\w*)?)`,
      "g",
    ),
    "contains",
  ],
];

const SHAPES: [RegExp, (groups: Record<string, string | undefined>) => string | undefined][] = [
  [
    /\b(?<n>\d|one|two|three|four|five|six|seven|eight|nine)[ -]digits?\b/gi,
    ({ n = "" }) => {
      const count = amountIn(n);
      return count === undefined ? undefined : `(?<!\\d)\\d{${count}}(?!\\d)`;
    },
  ],
  [/\be-?mail addresses?\b|\bmail addresses?\b/gi, () => "^[^\\s@]+@[^\\s@]+$"],
  [/\bIPv6\b/g, () => "^[\\dA-Fa-f]*:[\\dA-Fa-f:.]*:[\\dA-Fa-f:.]*"],
  [/\bIPv4\b/g, () => "^\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\d.])"],
  [/\b(?:in|all) (?:capitals?|capital letters|upper[ -]?case)\b/gi, () => "^[^a-z]*[A-Z][^a-z]*$"],
  [/\b(?:in|all) (?:small letters|lower[ -]?case)\b/gi, () => "^[^A-Z]*[a-z][^A-Z]*$"],
];

const NOUN =
  "(?<of>(?!(?:more|less|other|such|longer|further)\\b)[a-z][\\w-]*(?: (?!(?:is|are|was|and|or|in|of|on|at|with|that|which|has|have|need|belong|stand)\\b)[a-z][\\w-]*){0,2}|‹\\d+›)";
const BLANKS: [RegExp, boolean][] = [
  [new RegExp(`\\b(?:without|lack(?:s|ing)?|missing) (?:an? |any |the |its |their )?${NOUN}`, "gi"), false],
  [
    new RegExp(
      `\\b(?:with|ha(?:s|ve|d|ving)|gives?|gave|giving|shows?|names?|prints?|carr(?:y|ies)|tells?|holds?|mentions?|us(?:e|es|ed|ing)|got|gets?|make|makes) no ${NOUN}`,
      "gi",
    ),
    false,
  ],
  [
    new RegExp(`\\b(?:do|does|did) not (?:have|give|show|name|carry|print) (?:an? |any |the )?${NOUN}`, "gi"),
    false,
  ],
  [
    new RegExp(
      `(?:\\bwhose |\\bwhere (?:the |no )?|\\bif (?:the |its )?|\\bwith |^|\\b(?:the|an?|its|their) )${NOUN} (?:is |are |was |column |field )*(?:left )?(?:empty|blank|missing|absent|not (?:given|set|there|printed|filled)|unset)\\b`,
      "gi",
    ),
    false,
  ],
  [new RegExp(`\\b(?:an? |the )?(?:empty|blank|missing) ${NOUN}`, "gi"), false],
  [
    new RegExp(
      `(?:\\bwhose |\\bwhere (?:the |an? )?|\\bif (?:the |its )?|^|\\b(?:the|an?|its|their) )${NOUN} (?:is|are|was) (?:given|filled(?: in)?|present|set|not (?:empty|blank|missing)|there|printed)\\b`,
      "gi",
    ),
    true,
  ],
  [
    new RegExp(
      `\\b(?:with|having|that (?:do )?have|that has|that (?:do )?give|that (?:do )?name) an? (?:own )?${NOUN}`,
      "gi",
    ),
    true,
  ],
];

const NEGATED =
  /\b(?:not|never|n't|other than|another [a-z]+ than|differs? from|different from|anything but|unlike|neither|nor)(?: (?:the|an?|in|on|of|at|by|with|called|named|marked|set to|from|for|equal to|simply|just|either))*[\s]*$/i;

function amountIn(text: string): number | undefined {
  const worded = /hundred$/i.test(text)
    ? 100
    : /thousand$/i.test(text)
      ? 1000
      : numberWord(text.toLowerCase());
  if (worded !== undefined) return worded;
  const own = Number(text.replace(/,/g, ""));
  return Number.isNaN(own) ? (text.toLowerCase() === "zero" ? 0 : undefined) : own;
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
    make: (groups: Record<string, string | undefined>, before: string) => Own[],
    open = false,
  ): void {
    for (const match of this.rest.matchAll(form)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (this.rest.slice(start, end) !== match[0]) continue;
      const own = make(match.groups ?? {}, this.rest.slice(0, start));
      for (const one of own) this.asks.push({ ...one, start, end });
      if (own.length > 0 && !open)
        this.rest = this.rest.slice(0, start) + " ".repeat(end - start) + this.rest.slice(end);
    }
  }

  texts(list: string): string[] {
    return spelled(list, this.quoted);
  }
}

type Own = Omit<Ask, "start" | "end">;

/** All that the piece asks, in order; what one form has read is not read by another. */
export function asksOf(piece: string, quoted: readonly string[]): Ask[] {
  const reader = new Reader(
    piece.replace(/\b(?:i\.e|e\.g)\.?/g, (one) => " ".repeat(one.length)),
    quoted,
  );
  for (const [form, how] of AFFIXES)
    reader.read(form, ({ list = "", not, of }) => {
      const texts = reader.texts(list).map(markOf);
      const named = of === undefined ? {} : { of };
      return texts.length === 0 ? [] : [{ how, texts, negate: not !== undefined, ...named }];
    });
  for (const [form, how, also] of AMOUNTS)
    reader.read(form, (groups) => {
      const [n, m] = [amountIn(groups["n"] ?? ""), amountIn(groups["m"] ?? "")];
      if (n === undefined) return [];
      const first: Own = { how, texts: [String(n)], negate: false };
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
      : [{ how: "is", texts, negate: NEGATED.test(before) }];
  });
  return reader.asks.sort((a, b) => a.start - b.start);
}

const MARKS: Record<string, string> = {
  semicolon: ";",
  colon: ":",
  comma: ",",
  dot: ".",
  period: ".",
  hyphen: "-",
  dash: "-",
  slash: "/",
  backslash: "\\",
  underscore: "_",
  hash: "#",
  asterisk: "*",
  star: "*",
  plus: "+",
  minus: "-",
  arrow: "->",
  bracket: "[",
  blank: " ",
  space: " ",
};

/** "Starts with a semicolon": the mark. */
function markOf(text: string): string {
  return MARKS[text] ?? text;
}
