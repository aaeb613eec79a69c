// The forms in which a piece of a sentence asks something of a record: amounts, signs of numbers, beginnings and ends, shapes,
// what is missing or given, and the words that say what is compared. Vocabulary only; `asks.ts` reads a piece with it.

import { numberWord } from "../page/names.ts";
import type { Match } from "../program/ir.ts";

const Q = "‹\\d+›";
/** A quoted text, or a word with something that no plain word has. */
export const SHARP = `(?:${Q}|(?<![\\w./:@-])(?=[^\\s,;()]*[A-Z\\d_./:@])[\\w./:@+*-]*[\\w/*-])`;
const FUNCTION =
  "(?:is|are|was|were|in|of|on|at|and|or|with|that|which|only|the|an?|not|for|to|from|by|as|its|their|it|they|has|have|plus|other|than)";
const WORD = `(?:${Q}|(?!${FUNCTION}\\b)[\\w./:@+*$-]*[\\w/*_$-])`;
/** One or several of them. */
export const listOf = (one: string): string =>
  `${one}(?:(?:, | or | and |, or |, and | nor )(?:(?:with|in|by) )?${one})*`;

const NUMBER =
  "[-+]?(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)(?:e[-+]?\\d+)?(?![\\w]*[.:]\\d)(?!\\.[x*])(?!\\w*_)(?![\\d.]*/\\d)";
const WORDED =
  "(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|(?:a|one) hundred|(?:a|one) thousand|half)";
const N = `(?<n>${NUMBER}|${WORDED}\\b)`;
const LESS =
  "(?:less|fewer|smaller|shorter|lower|weaker|narrower|lighter|younger|earlier|tinier|nearer|cheaper|cooler|colder|thinner|slower|shallower|quicker)";
const MORE =
  "(?:more|greater|larger|bigger|longer|higher|stronger|wider|heavier|older|later|farther|further|deeper|hotter|warmer|thicker|faster|worse)";

export const AMOUNTS: [RegExp, Match, Match?][] = [
  [new RegExp(`\\bbetween ${N} and (?<m>${NUMBER})`, "gi"), "least", "most"],
  [
    new RegExp(`(?<!\\w)(?:from )?${N} (?:to|through|up to) (?<m>${NUMBER})(?! ?%?[a-z]*:)`, "gi"),
    "least",
    "most",
  ],
  // What stands above a line comes before it.
  [new RegExp(`\\b(?:above|before|in front of|up to but not) line ${N}`, "gi"), "below"],
  [new RegExp(`\\b(?:below|beneath|under|after|behind|past|beyond) line ${N}`, "gi"), "above"],
  [new RegExp(`\\bfrom line ${N}(?: on(?:wards?)?)?\\b`, "gi"), "least"],
  [new RegExp(`\\b(?:up to|until) line ${N}`, "gi"), "most"],
  [new RegExp(`\\b(?:exactly|precisely) ${N}`, "gi"), "number"],
  [new RegExp(`\\b(?:no|not|nor) ${LESS} than ${N}`, "gi"), "least"],
  [new RegExp(`\\b(?:no|not|nor) ${MORE} than ${N}`, "gi"), "most"],
  [new RegExp(`\\b${LESS} than ${N}`, "gi"), "below"],
  [new RegExp(`\\b${MORE} than ${N}`, "gi"), "above"],
  [new RegExp(`\\bnot (?:below|under) ${N}`, "gi"), "least"],
  [new RegExp(`\\bnot (?:above|over|beyond) ${N}`, "gi"), "most"],
  [
    new RegExp(`\\b(?:below|under|(?:${LESS}) than) (?:an? |the )?(?<of>(?!line\\b)[a-z]{3,}) ${N}`, "gi"),
    "below",
  ],
  [
    new RegExp(
      `\\b(?:above|over|beyond|(?:${MORE}) than) (?:an? |the )?(?<of>(?!line\\b)[a-z]{3,}) ${N}`,
      "gi",
    ),
    "above",
  ],
  [new RegExp(`\\b(?:below|under|beneath|short of) ${N}`, "gi"), "below"],
  [new RegExp(`\\b(?:above|over|beyond|past|exceed(?:s|ing)?|in excess of|upwards of) ${N}`, "gi"), "above"],
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
      `${N}(?:\\s?%|\\s?[a-zA-Zµ]{1,12})?,? (?:or|and) (?:more|above|higher|greater|larger|longer|over|later|upwards?|stronger|wider|beyond|up)\\b`,
      "gi",
    ),
    "least",
  ],
  [
    new RegExp(
      `${N}(?:\\s?%|\\s?[a-zA-Zµ]{1,12})?,? (?:or|and) (?:less|below|lower|fewer|smaller|shorter|under|earlier|weaker|down(?:wards)?)\\b`,
      "gi",
    ),
    "most",
  ],
  [new RegExp(`${N}(?:\\s?%|\\s?[a-zA-Zµ]{1,12})? (?:upwards?|onwards?)\\b`, "gi"), "least"],
];

/** "With three parts or more", "of more than two words": an amount of what a text is made of, not of what it says. */
export const MADE_OF =
  /\b(?:\d+|two|three|four|five|six|seven|eight|nine) (?<noun>parts|components|segments|levels|dots|letters|characters|words|pieces)\b/i;

export const SIGNS: [RegExp, Match, string, boolean][] = [
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

const MARK_NAME =
  "(?:semi)?colons?|commas?|dots?|periods?|full stops?|hyphens?|dash(?:es)?|(?:back)?slash(?:es)?|underscores?|hash(?: sign)?s?|asterisks?|stars?|plus signs?|minus signs?|arrows?|(?:square )?brackets?|curly brackets?|braces|parenthes[ie]s|round brackets?|blanks?|spaces?|at signs?|tildes?|pipes?|vertical bars?|question marks?|exclamation marks?|percent signs?|dollar signs?|equals? signs?|ampersands?|apostrophes?";

export const AFFIXES: [RegExp, Match][] = [
  [
    new RegExp(
      `\\b(?:(?<not>without|(?:with|has|have|having|contains?|containing) no|lack(?:s|ing)?|free of)|with|has|have|having|contains?|containing|carry(?:ing)?|carries|bear(?:s|ing)?|shows?|(?:recogni[sz]able|recogni[sz]ed|marked|told|given away|identified|characteri[sz]ed) by) (?:an? |the |any |its |their |own )*(?<list>${MARK_NAME})(?=\\W*$|[.,;:)]| (?:in|within|inside|is|are|was|were|do|does|need|needs|belongs?|stays?|can|cannot|may|must|should|and|or|have|has|comes?|counts?|matters?|at|as|anywhere|somewhere)\\b)(?: (?:in|within|inside) (?:the|its|their|his) (?<of>[a-z][\\w-]*(?: [a-z]\\w*)?))?`,
      "gi",
    ),
    "contains",
  ],
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
  // "Jails with smtp or imap in the name".
  [
    /(?:\b(?:with|has|have|having) |\()(?:the words? )?(?<list>[a-z][\w-]*(?:(?:, | or |, or )[a-z][\w-]*)*) in (?:the|its|their) (?<of>names?)\b/g,
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

/** "Names ending in a digit": a kind of sign at an edge. */
export const EDGES: [RegExp, string][] = [
  [/\b(?:end(?:s|ing)? (?:in|with|on)|at the end) (?:an? )?(?:digits?|numbers?|figures?)\b/gi, "\\d$"],
  [/\b(?:begin|start)(?:s|ning|ing)? (?:with|in) (?:an? )?(?:digits?|numbers?|figures?)\b/gi, "^\\d"],
  [/\b(?:begin|start)(?:s|ning|ing)? (?:with|in) (?:an? )?(?:capital|upper[- ]case) letters?\b/gi, "^[A-Z]"],
  [/\b(?:begin|start)(?:s|ning|ing)? (?:with|in) (?:an? )?(?:small|lower[- ]case) letters?\b/gi, "^[a-z]"],
];

/** What happened how often: an amount of a count. */
export const TIMES: [RegExp, Match, string][] = [
  [
    /\bmore than (?:once|1 time|one time)\b|\b(?:several|many|multiple) times\b|\brepeatedly\b/gi,
    "above",
    "1",
  ],
  [/\bat least (?:once|one time)\b/gi, "least", "1"],
  [/\bat least twice\b|\btwice or more\b/gi, "least", "2"],
  [/\b(?:exactly|only|just|merely) (?:once|one time)\b|\b(?:a|one) single time\b/gi, "number", "1"],
  [/\bexactly twice\b/gi, "number", "2"],
];
export const COUNTS: readonly string[] = [
  "count",
  "times",
  "number",
  "hits",
  "calls",
  "uses",
  "occurrences",
  "instances",
  "total",
];

export const SHAPES: [RegExp, (groups: Record<string, string | undefined>) => string | undefined][] = [
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
  "(?<of>(?!(?:more|less|other|such|longer|further|an?|the|its|their|whose|where|empty|blank|missing|negative|positive|wrong|different|own)\\b)[a-z][\\w-]*(?: (?!(?:is|are|was|were|and|or|in|of|on|at|with|without|that|which|has|have|need|needs?|belongs?|stands?|can|cannot|could|may|might|must|should|will|do|does|did|although|though|because|as|if|when|where|while|only|just|either|too|for|to|from|by|below|above|over|under|beyond|at|so|here|there|not|get|gets|come|comes)\\b)[a-z][\\w-]*){0,2}|‹\\d+›)";
export const BLANKS: [RegExp, boolean][] = [
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

export const NEGATED =
  /\b(?:not|never|n't|other than(?: (?:those|the ones|ones|that|the one))?|another [a-z]+ than|differs? from|different from|anything but|unlike|neither|nor)(?: (?:the|an?|in|on|of|at|by|with|below|under|above|beneath|inside|within|called|named|marked|set to|from|for|equal to|simply|just|either))*[\s]*$/i;

export const AMONG =
  /\b(?<how>at least one|any|one or more|either|all|both|each|every one|none|neither)(?: of)?(?: the| its| these| their)? (?:(?<count>two|three|four|five|six) )?(?<noun>[a-z][\w-]*s)\b(?= (?:is|are|has|have|exceeds?|lies?|be|being|above|below|of|at|over|under|with)\b)/;

/** The amount that a number or a word for one says. */
export function amountIn(text: string): number | undefined {
  const worded = /hundred$/i.test(text)
    ? 100
    : /thousand$/i.test(text)
      ? 1000
      : numberWord(text.toLowerCase());
  if (worded !== undefined) return worded;
  if (/^half$/i.test(text)) return 50;
  const own = Number(text.replace(/,/g, ""));
  return Number.isNaN(own) ? (text.toLowerCase() === "zero" ? 0 : undefined) : own;
}

/** What words of comparison speak of. */
export const SORTS: [RegExp, readonly string[]][] = [
  [/\b(?:longer|shorter)\b/i, ["length", "len", "duration", "time", "elapsed"]],
  [/\b(?:bigger|smaller|larger|tinier)\b/i, ["size", "area", "bytes"]],
  [/\b(?:heavier|lighter)\b/i, ["weight", "mass"]],
  [/\b(?:older|younger)\b/i, ["age"]],
  [/\b(?:wider|narrower)\b/i, ["width"]],
  [/\b(?:higher|taller)\b/i, ["height"]],
  [/\b(?:deeper|shallower)\b/i, ["depth", "level"]],
  [/\b(?:thicker|thinner)\b/i, ["thickness"]],
  [/\b(?:hotter|warmer|cooler|colder)\b/i, ["temperature", "temp"]],
  [/\b(?:farther|further|nearer)\b/i, ["distance"]],
  [/\b(?:faster|slower|quicker)\b/i, ["speed", "rate", "time", "duration"]],
  [/\bcheaper\b/i, ["price", "cost"]],
];

/** What is counted in such units. */
const UNIT_SORTS: [RegExp, readonly string[]][] = [
  [/^(?:degrees?|°C?|celsius)$/i, ["temperature", "temp"]],
  [/^(?:[kmgt]i?b|bytes?|kilobytes|megabytes)$/i, ["size", "bytes"]],
  [
    /^(?:[munpf]?s|(?:nano|micro|milli|pico)?seconds?|minutes?|hours?|days?)$/,
    ["time", "duration", "elapsed", "delay", "seconds", "secs"],
  ],
  [/^(?:m?V|volts?)$/, ["voltage", "volts"]],
  [/^(?:[munp]?W|watts?)$/, ["power", "watts"]],
  [/^(?:[munp]?A|amps?|amperes?)$/, ["current", "amps"]],
  [/^(?:%|percent)$/i, ["percent", "share", "ratio", "usage", "use"]],
];

/** Names of parts that are given in a unit. */
export function sortsOfUnit(unit: string): readonly string[] {
  return UNIT_SORTS.find(([units]) => units.test(unit))?.[1] ?? [];
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
  "square bracket": "[",
  "curly bracket": "{",
  brace: "{",
  "round bracket": "(",
  parenthesi: "(",
  parenthese: "(",
  parenthesis: "(",
  "full stop": ".",
  "hash sign": "#",
  "plus sign": "+",
  "minus sign": "-",
  "at sign": "@",
  tilde: "~",
  pipe: "|",
  "vertical bar": "|",
  "question mark": "?",
  "exclamation mark": "!",
  "percent sign": "%",
  "dollar sign": "$",
  "equal sign": "=",
  "equals sign": "=",
  ampersand: "&",
  apostrophe: "'",
  blank: " ",
  space: " ",
};

/** "Starts with a semicolon": the mark. */
export function markOf(text: string): string {
  const low = text.toLowerCase();
  return MARKS[low] ?? MARKS[low.replace(/(?:es|s)$/, "")] ?? MARKS[low.replace(/s$/, "")] ?? text;
}
