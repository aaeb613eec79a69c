// What a phrase of a claim asks of a record: texts and amounts of a part that it names, how a part begins, ends or what it
// contains, that a part is missing, letters in place of a number, or only words.

import { numberWord } from "./names.ts";
import {
  cutOpen,
  HARD,
  HARDS,
  type How,
  isOpen,
  NOUN,
  NUMBER,
  RECORDS,
  type Relation,
  spelled,
  type Test,
  test,
  textsIn,
} from "./test-words.ts";

export type { Test } from "./test-words.ts";

interface Reading {
  tests: Test[];
  whole: boolean;
}

/** The tests of a phrase whose quoted texts are ‹number›. */
export function readTests(phrase: string, quoted: readonly string[]): Reading {
  // "The states down and fail, with or without an asterisk": more may follow.
  const more = phrase.replace(OPTIONAL, "");
  // "With I (information), E (error) or F (fatal)": what the texts mean.
  const remarks = more.match(MEANING) ?? [];
  const plain = remarks.length > 1 ? more.replace(MEANING, "$1") : more;
  const text = plain.replace(/\s+/g, " ").trim();
  const found = readPlain({ text, quoted });
  if (more === phrase) return found;
  const tests = found.tests.map((one) => (one.how === "is" ? { ...one, how: "prefix" as const } : one));
  return { ...found, tests };
}

const MEANING = /((?<![\w-])(?:‹\d+›|[A-Z][A-Z0-9]*)) \([a-z][a-z -]*\)/g;
const OPTIONAL = /,? (?:with or without|with and without)\b.*$/i;

function readPlain(context: Context): Reading {
  const found =
    severalCounters(context) ??
    signed(context) ??
    wordsWithin(context) ??
    atEnd(context) ??
    lastPart(context) ??
    letters(context) ??
    affixes(context) ??
    amounts(context) ??
    without(context) ??
    missing(context) ??
    inColumn(context) ??
    listed(context, 2) ??
    named(context) ??
    listed(context, 1) ??
    bare(context) ??
    inState(context) ??
    nounWord(context) ??
    plain(context);
  return found ?? { tests: [], whole: false };
}

interface Context {
  text: string;
  quoted: readonly string[];
}

/** "both counters are 0", "at least one of the three counters is not 0", "all numbers are 0". */
function severalCounters({ text }: Context): Reading | undefined {
  const many =
    /\b(both|all|neither|none|no|at least one|one|any|each|every|either)(?: of)?(?: (?:the|these|those|its|their))?(?: (two|three|four|five|six))?(?: (?:error|event|packet))? (?:counters?|counts?|numbers?|columns|values|fields|figures|amounts)\b[^.;]*?\b(is|are|has|have|stands?|shows?) (not (?:at )?|non-?|above |over |more than |greater than |other than |larger than |anything but )?(?:at |a )?(?:0|zero|null)\b/i.exec(
      text,
    );
  if (many === null) return undefined;
  const word = (many[1] ?? "").toLowerCase();
  const isNot = many[4] !== undefined;
  const none = /^(?:neither|none|no)$/.test(word);
  const over = /^(?:both|all|each|every|neither|none|no)$/.test(word) ? "all" : "any";
  const count =
    many[2] === undefined ? (/^(?:both|neither|either)$/.test(word) ? 2 : undefined) : numberWord(many[2]);
  const one = test("", "amount", ["0"], { relation: "=", negate: isNot !== none, over });
  return { tests: [count === undefined ? one : { ...one, count }], whole: true };
}

/** "Whose end is negative", "with a positive slack". */
function signed({ text }: Context): Reading | undefined {
  const match =
    /\b(?:whose|the) (?<noun>[a-z][\w-]*(?: [\w-]+)?) (?:is|are|was) (?<not>not )?(?<sign>negative|positive)\b|\b(?:with|having|has|have|of) (?:an? )?(?<own>negative|positive) (?<behind>[a-z][\w-]*)/i.exec(
      text,
    );
  if (match === null) return undefined;
  const { noun, not, sign, own, behind } = match.groups ?? {};
  const relation = /^neg/i.test(sign ?? own ?? "") ? "<" : ">";
  return {
    tests: [test(noun ?? behind ?? "", "amount", ["0"], { relation, negate: not !== undefined })],
    whole: true,
  };
}

/** "The `P` at the start of the flags": how a part begins or ends. */
function atEnd({ text, quoted }: Context): Reading | undefined {
  const match = new RegExp(
    `(?<list>${HARDS}) (?:stands? |is )?(?:right )?(?:at|in) the (?<where>start|beginning|front|head|end) of (?:the|its|their) (?<noun>[a-z][\\w]*)\\b`,
    "i",
  ).exec(text);
  const { list = "", where = "", noun = "" } = match?.groups ?? {};
  const texts = textsIn(list, quoted);
  if (texts.length === 0) return undefined;
  const how = /^end/i.test(where) ? "suffix" : "prefix";
  // The end of a line is no part.
  return { tests: [test(noun, RECORDS.test(noun) ? "contains" : how, texts)], whole: true };
}

/** "Whose shell's last path component is nologin or false". */
function lastPart({ text, quoted }: Context): Reading | undefined {
  const match = new RegExp(
    `\\bwhose (?<noun>[a-z][\\w-]*)(?:'s)? last (?:path )?(?:component|part|element|segment) (?:is|are|reads) (?<not>not |neither )?(?:either )?(?<list>${WORDED}(?:(?:, | or | and | nor |, or )${WORDED})*)`,
    "i",
  ).exec(text);
  const { noun = "", not, list = "" } = match?.groups ?? {};
  if (match === null) return undefined;
  const texts = wordedIn(list.replace(/ nor /g, " or "), quoted).map((one) => `/${one}`);
  return { tests: [test(noun, "suffix", texts, { negate: not !== undefined })], whole: true };
}

/** "That has the words faulty or spare in its state". */
function wordsWithin({ text, quoted }: Context): Reading | undefined {
  const match =
    /\b(?:has|have|with|contains?) the words? (?<list>(?:‹\d+›|[\w-]+)(?:(?:,| or|, or) (?:the (?:word )?)?(?:‹\d+›|[\w-]+))*) in (?:its|their|the) (?<noun>[a-z][\w]*)\b/i.exec(
      text,
    );
  const { list = "", noun = "" } = match?.groups ?? {};
  if (match === null) return undefined;
  const texts = list
    .split(/,? or |, /)
    .map((one) => spelled(one.replace(/^the (?:word )?/, ""), quoted).trim());
  return { tests: [test(noun, "contains", texts)], whole: true };
}

const RELATIONS: [RegExp, Relation][] = [
  [/^(?:at least|from|not (?:less|fewer|lower|below) than?)$/i, ">="],
  [/^(?:above|over|more than|greater than|larger than|higher than|longer than|exceeding|beyond)$/i, ">"],
  [/^(?:at most|up to|no more than|not (?:more|above) than?)$/i, "<="],
  [/^(?:below|under|less than|fewer than|lower than|smaller than|shorter than)$/i, "<"],
];
const COMPARED =
  "(?:at least|from|above|over|more than|greater than|larger than|higher than|longer than|exceeding|beyond|at most|up to|no more than|below|under|less than|fewer than|lower than|smaller than|shorter than)";

/** "Severity 3, 4 and 5": further numbers. */
const MORE = "(?<more>(?:(?:,\\s*|,?\\s+(?:and|or|nor)\\s+)[-+]?\\d+(?:\\.\\d+)?(?![\\w.:%-]*\\w))*)";
/** "Levels from 3 to 5", "a code between 400 and 499": both ends. */
const RANGE = new RegExp(
  `(?<![\\w%])(?:whose|where|with|of|having|in|for)?\\s*(?:an?\\s+|the\\s+|its\\s+)?${NOUN}\\s+(?:(?:is|are|of|lies|has|have)\\s+)?(?:(?:from|between)\\s+(?<from>[-+]?\\d+(?:\\.\\d+)?)\\s+(?:to|and|up to|through)\\s+(?<to>[-+]?\\d+(?:\\.\\d+)?)|(?<low>\\d+(?:\\.\\d+)?)\\s*(?:to|through|\\.\\.|-|–)\\s*(?<high>\\d+(?:\\.\\d+)?))(?![\\w.:%-]*\\w)`,
  "i",
);

const AMOUNTS: RegExp[] = [
  new RegExp(
    `\\b(?:with|having|of|have|has|had|show|shows)\\s+(?:exactly\\s+)?(?<how>${COMPARED})?\\s*${NUMBER}\\s+(?<behind>(?:and|or) (?:an? )?(?:above|more|higher|greater|larger|up|below|less|lower|fewer|smaller)\\s+)?${NOUN}(?=[\\s,.)]|$)`,
    "i",
  ),
  new RegExp(
    `(?<![\\w%])(?:whose|where|with|of|having|in|for|by|to)?\\s*(?:an?\\s+|the\\s+|its\\s+)?${NOUN}(?:\\s*\\([^)]*\\))?\\s+(?:(?:is|are|of|equals|equal to|was|at|stands at|shows|=|has|have)\\s+)?(?:exactly\\s+)?(?<not>not(?: equal to| at)?\\s+|other than\\s+|different from\\s+|anything but\\s+)?(?<how>${COMPARED})?\\s*${NUMBER}${MORE}(?<behind>\\s+(?:and|or) (?:above|more|higher|up|over|below|less|lower|fewer|under))?(?![\\w:.-]*\\w)`,
    "i",
  ),
  new RegExp(`\\b(?:not |never )?(?<noun>[a-z]+)(?: at all| yet| so far)? \\(${NUMBER}\\)`, "i"),
  new RegExp(
    `\\b(?:with|of|at|on|exactly)\\s+(?:exactly\\s+)?(?<how>${COMPARED})?\\s*(?<number>\\d+(?:\\.\\d+)?)(?<percent>\\s?%)`,
    "i",
  ),
  /\b(?<not>non-?zero|nonzero) (?<noun>[a-z]+)/i,
  /\b(?<zero>zero) (?<noun>[a-z]+)/i,
];
/** The number in front of what is counted. */
const COUNTED = AMOUNTS[0];

/** Words in front of a number that is no amount. */
const NO_AMOUNT =
  /^(?:version|line|chapter|first|column|of|in)$|\b(?:first|last|other|these|those|which|that|and|or|the)$/i;

/** "whose %CPU is not 0.00", "with confidence 5", "with 0 results", "not used at all (0)", "level 7 and above", "with 100%". */
function amounts({ text, quoted }: Context): Reading | undefined {
  const range = RANGE.exec(text)?.groups;
  if (range !== undefined && !NO_AMOUNT.test(range["noun"] ?? "")) {
    const of = spelled(range["noun"] ?? "", quoted);
    const end = (digits: string, relation: Relation): Test => test(of, "amount", [digits], { relation });
    return {
      tests: [
        end(range["from"] ?? range["low"] ?? "", ">="),
        end(range["to"] ?? range["high"] ?? "", "<="),
      ],
      whole: true,
    };
  }
  for (const form of AMOUNTS) {
    const { noun = "", number, percent, how, behind, not, more = "" } = form.exec(text)?.groups ?? {};
    if (form.exec(text) === null || (NO_AMOUNT.test(noun) && how === undefined)) continue;
    const digits = digitsOf(number, how !== undefined);
    if (digits === undefined) continue;
    const name = spelled(noun, quoted);
    const of = percent === undefined || form === COUNTED ? name : `${name} percent`.trim();
    const negate = not !== undefined || /\bother\b.*\bthan\b/i.test(text);
    const relation = relationOf(how, behind);
    const others = relation === "=" ? (more.match(/[-+]?\d+(?:\.\d+)?/g) ?? []) : [];
    const one = test(of, "amount", [digits, ...others], { relation, negate });
    // "0 results": what is counted is no record.
    return { tests: [form === COUNTED && one.of === "" ? { ...one, of: noun } : one], whole: true };
  }
  return undefined;
}

function relationOf(how: string | undefined, behind: string | undefined): Relation {
  if (behind !== undefined) return /above|more|higher|greater|larger|up|over/i.test(behind) ? ">=" : "<=";
  return RELATIONS.find(([words]) => words.test(how?.trim() ?? ""))?.[1] ?? "=";
}

/** The digits of a number; a word for one counts things ("one of", "the two") where nothing is compared. */
function digitsOf(number: string | undefined, isCompared: boolean): string | undefined {
  if (number === undefined) return "0";
  if (/^[a-z]/i.test(number) && number.toLowerCase() !== "zero" && !isCompared) return undefined;
  const digits = `${numberWord(number) ?? number}`;
  return /^[-+]?\d+(?:[.,]\d+)*$/.test(digits) ? digits : undefined;
}

/** "the ones with letters instead of a number". */
function letters({ text }: Context): Reading | undefined {
  const found =
    /\b(?:letters?|(?:a )?words?|(?:a )?name|text)\s+(?:instead of|in place of|rather than|where [^,]*?) (?:an? |the )?(?<noun>[a-z]*\s?(?:number|digits?|counter|index|id))s?\b/i.exec(
      text,
    );
  return found === null
    ? undefined
    : { tests: [test(found.groups?.["noun"] ?? "", "letters", [])], whole: true };
}

const AFFIX = new RegExp(
  `(?:(?:\\b(?:whose|where the|where)\\s+)?(?<noun>‹\\d+›|[A-Za-z][\\w-]*(?: [\\w-]+)?)\\s+)?(?:that |which |who )?(?<not>(?:do|does) not |(?:not |never ))?(?<verb>begin(?:s|ning)?|start(?:s|ing)?|end(?:s|ing)?|contain(?:s|ing)?|includ(?:es?|ing)|carr(?:y|ies|ying)|mention(?:s|ing)?|say(?:s|ing)?|read(?:s|ing)?|(?:has|have|with) (?:the (?:word|text|extension|suffix|prefix|ending)s? |(?=(?:‹\\d+›|[A-Z]\\w+)(?:(?:, | or | and )‹\\d+›)* in (?:it|them|their|its)\\b))|(?:has|have|with) an? (?:extension|ending|suffix|prefix)|call(?:s|ed)|named|titled|labell?ed|marked|tagged|flagged|shown as|listed as|printed as|reported as|set to|answered with|typed)\\s*(?:with |in |by |as |either )?(?:the |an? )?(?:plain |single |final )?(?:word |remark |error |text |letters? |character |prefix |mark |status |code )?(?<list>${HARDS})`,
  "i",
);

/** "Types that start with CUSTOMER or ADMIN", "whose type has the word x", "services named X", "answered with 404". */
function affixes({ text, quoted }: Context): Reading | undefined {
  const match = AFFIX.exec(text);
  if (match === null) return undefined;
  const { noun = "", verb = "", list = "", not } = match.groups ?? {};
  const texts = textsIn(list, quoted);
  if (texts.length === 0) return undefined;
  const word = verb.toLowerCase();
  const how: How = /^(?:begin|start)|prefix/.test(word)
    ? "prefix"
    : /^end|suffix|extension|ending/.test(word)
      ? "suffix"
      : /^(?:contain|includ|carr|mention|say|read|has|have|with)/.test(word)
        ? "contains"
        : "is";
  const open = isOpen(texts);
  const cut = texts.map(cutOpen);
  // A mark stands beside the part, not in it.
  const isMark = /^(?:marked|tagged|flagged)/.test(word);
  return {
    tests: [
      test(
        isMark ? "" : noun.replace(/\b(?:are|is|that|which|whose)\b/gi, "").trim(),
        open ? "prefix" : how,
        cut,
        {
          negate: not !== undefined,
        },
      ),
    ],
    whole: true,
  };
}

/** "Only cells without `Privacy` in the capability line": none of the texts stands in the record. */
function without({ text, quoted }: Context): Reading | undefined {
  const list = new RegExp(
    `\\b(?:without|lacking|(?:have|has|with) no)\\s+(?:the |an? |any )?(?:word |text |mark |flag |key |field |member )?(?<list>${HARDS})`,
  ).exec(text)?.groups?.["list"];
  const texts = textsIn(list ?? "", quoted);
  if (texts.length === 0) return undefined;
  return { tests: [test("", "contains", texts, { negate: true })], whole: true };
}

/** "rows with `Dis` in the column STP", "a dash in WHEN_FAILED". */
function inColumn({ text, quoted }: Context): Reading | undefined {
  const match = new RegExp(
    `(?<list>${HARDS}|(?:a |an )?(?:dash|hyphen|asterisk|star))\\s+(?:in|under|as)\\s+(?:the |their |its )?(?:(?:column|field|key|part)\\s+(?<name>${HARD}|[a-z]+)|(?<hard>${HARD})|(?<noun>[a-z]\\w*(?: [a-z]+)?)\\s+(?:column|field|cell))(?=$|[\\s,.)])`,
  ).exec(text);
  const { list = "", name, hard, noun } = match?.groups ?? {};
  if (match === null) return undefined;
  const mark = /dash|hyphen/.test(list) ? "-" : /asterisk|star/.test(list) ? "*" : undefined;
  const texts = mark === undefined || /[‹A-Z]/.test(list) ? textsIn(list, quoted) : [mark];
  const own = name ?? hard ?? noun ?? "";
  const of = spelled(own, quoted);
  return texts.length === 0 ? undefined : { tests: [test(of, "is", texts)], whole: true };
}

/** "an entry with an empty model", "without a link", "that name no key", "whose list is blank". */
function missing({ text }: Context): Reading | undefined {
  const match =
    /\b(?:whose|(?:in|of|for|on) which(?: the| its)?) (?<whose>[a-z][\w ]{1,24}?) (?:is|are|was) (?:empty|blank|missing|not (?:given|set|known|printed|there)|absent|unset)\b|\bwith (?:an? |the )?(?:empty|blank|missing) (?<empty>[a-z]\w*(?: [a-z]\w*)?)|\b(?:name|names|have|has|with|show|shows|give|gives|carry|carries|print|prints) no (?<no>[a-z]\w*(?: [a-z]\w*)?)|\bwithout (?:an? |any |the )?(?<without>[a-z]\w*(?: [a-z]\w*)?)/i.exec(
      text,
    );
  if (match === null) return undefined;
  const { whose, empty, no, without } = match.groups ?? {};
  const noun = whose ?? empty ?? no ?? without ?? "";
  return RECORDS.test(noun) ? undefined : { tests: [test(noun, "blank", [])], whole: true };
}

/** Nouns of what a record is in, of or at: the word behind them is their text. */
const STATE =
  "(?:type|kind|class|state|status|severity|level|mode|result|action|rank|role|category|priority|protocol|outcome|verdict|phase|facility)";
const WORDED =
  "(?:‹\\d+›|(?!(?:is|are|was|in|of|on|at|and|or|with|that|which|only|the|an?|not|column|field|other|has|have|to|for|from|by|says?|line|word|name|code|number|begins?|starts?|ends?|contains?)\\b)[A-Za-z][\\w-]+)";

function wordedIn(list: string, quoted: readonly string[]): string[] {
  return list
    .split(/, or |, | or | and /)
    .map((one) => spelled(one, quoted).trim())
    .filter((one) => one !== "");
}

/** "of the type `x`", "in the state `0A`", "routes with the flags `!n`", "the jail recidive", "status bounced". */
function named({ text, quoted }: Context): Reading | undefined {
  const another = new RegExp(
    `\\b(?:an|any )?other\\s+(?<noun>[a-z]\\w*(?: [a-z]\\w*)?)\\s+than\\s+(?<list>${HARDS})`,
    "i",
  ).exec(text);
  if (another !== null) {
    const { noun = "", list = "" } = another.groups ?? {};
    return { tests: [test(noun, "is", textsIn(list, quoted), { negate: true })], whole: true };
  }
  const is = new RegExp(
    `\\bwhose\\s+${NOUN}\\s+(?:is|are|was|equals|reads|says|shows|stands at|=)\\s+(?<not>not |other than |anything but )?(?:either |exactly |the |an? )?(?<list>${HARDS})`,
    "i",
  ).exec(text);
  const of = new RegExp(
    `\\b(?:of|in|with|for|under|by|on|from|having|at|to)\\s+(?:the\\s+|an?\\s+|its\\s+)?${NOUN}\\s+(?<not>other than |not )?(?:either )?(?<list>${HARDS})`,
    "",
  ).exec(text);
  const front = new RegExp(
    `^(?:the |those )?(?:in the )?${NOUN}\\s+(?<list>${HARDS})(?=$|[\\s,.(])`,
    "",
  ).exec(text);
  // "Only type Partition", "rows of level warning": such a noun is followed by its text.
  const state = new RegExp(
    `(?<![\\w-])(?<noun>${STATE})s?\\s+(?<not>other than |not )?(?<list>${WORDED}(?:(?:, | or | and |, or )${WORDED})*)(?=$|[\\s,.(;])`,
  ).exec(text.charAt(0).toLowerCase() + text.slice(1));
  // "Whose shell is nologin or false": words, where two of them stand side by side.
  const words = new RegExp(
    `\\bwhose\\s+${NOUN}\\s+(?:is|are|reads|says)\\s+(?<not>not |neither )?(?:either )?(?<list>${WORDED}(?:, ${WORDED})*,? (?:or|nor) ${WORDED})$`,
    "i",
  ).exec(text);
  for (const match of [is, of, front, state, words]) {
    if (match === null) continue;
    const { noun = "", list = "", not } = match.groups ?? {};
    const texts =
      match === state || match === words
        ? wordedIn(list.replace(/ nor /g, " or "), quoted)
        : textsIn(list, quoted);
    if (texts.length === 0 || /\b(?:that|which|instead|rather|as|like|than|and|or)\b/i.test(noun)) continue;
    const name = spelled(noun, quoted);
    const negate = (not ?? "") !== "" || /\bother\b[^‹]*\bthan\b/i.test(text);
    return { tests: [test(name, "is", texts, { negate })], whole: true };
  }
  return undefined;
}

/** "Sensors in state ok": the text of a part that tells states. */
function inState({ text }: Context): Reading | undefined {
  const match =
    /^(?:the |all )?[A-Za-z-]+s? (?:in|with|of|at) (?:the |an? )?(?<noun>state|status|mode|phase|condition|health|level|severity|result|verdict) (?<state>[a-z][a-z-]*)$/i.exec(
      text,
    );
  const { noun = "", state = "" } = match?.groups ?? {};
  return match === null ? undefined : { tests: [test(noun, "is", [state])], whole: true };
}

/** "The bans in the jail recidive: …": a noun and its text at the end of a phrase. */
function nounWord({ text }: Context): Reading | undefined {
  const match =
    /\b(?:in|of|with|for|from|on|under) the (?<noun>[a-z]+) (?<word>(?!(?:of|in|on|at|and|or|is|are|with|that|which|itself|below|above|only|for|from|to|by|as)\b)[a-z][\w-]{2,})(?=$|:)/i.exec(
      text,
    );
  const { noun = "", word = "" } = match?.groups ?? {};
  if (match === null || RECORDS.test(noun) || RECORDS.test(word) || /(?:s|ed|ing|er)$/.test(word))
    return undefined;
  return { tests: [test(noun, "is", [word])], whole: false };
}

/** "Memory file systems (tmpfs, devtmpfs)": texts in brackets behind what they are. */
function listed({ text, quoted }: Context, least: number): Reading | undefined {
  const one = "(?:‹\\d+›|[\\w./+-]+)";
  const match = new RegExp(
    `^(?<noun>[^()]+?) \\((?:e\\.g\\. |such as |like |i\\.e\\. )?(?<list>${one}(?:(?:, | or | and |, or |, and )${one})*)(?:,? (?:\\.\\.\\.|etc\\.?|and so on))?\\)`,
  ).exec(text);
  const { noun = "", list = "" } = match?.groups ?? {};
  const texts = list
    .split(/, (?:or |and )?| or | and /)
    .map((own) => own.replace(/^‹(\d+)›$/, (_all, index: string) => quoted[Number(index)] ?? ""))
    .filter((own) => own !== "" && !/^(?:the|an?|in|of|see|also|not)$/i.test(own));
  return match === null || texts.length < least
    ? undefined
    : {
        tests: [test(noun, isOpen(texts) ? "prefix" : "is", texts.map(cutOpen), { every: true })],
        whole: true,
      };
}

/** "`FATAL`, `WARNING` and LOG messages", "the TOTAL line", "Inst lines": texts of a record, of no part. */
function bare({ text, quoted }: Context): Reading | undefined {
  const texts = [...text.matchAll(new RegExp(`(?<![\\w‹-])${HARD}`, "g"))].flatMap(([one]) =>
    textsIn(one, quoted),
  );
  const alone = new RegExp(`^(?:the |all )?(?:text |word )?${HARDS}$`).test(text);
  const are = alone || new RegExp(`^[a-z]+ (?:that|which|who) (?:are|is) (?:in )?${HARDS}$`).test(text);
  // "A" and "I" are words where no other letters stand beside them.
  const letters = texts.length > 1 && texts.every((one) => /^[A-Z]$/.test(one));
  const kept = texts.filter((one) => (letters || !/^[AI]$/.test(one)) && !/^\d/.test(one));
  return kept.length === 0 ? undefined : { tests: [test("", "is", [...new Set(kept)])], whole: are };
}

/** Only words: "findings of level warning", "passed tests", "the bans of the jail recidive". */
function plain({ text }: Context): Reading | undefined {
  const own = text.replace(/\([^)]*\)/g, " ");
  const words = own.match(/[A-Za-z][\w-]{2,}/g) ?? [];
  return words.length === 0 || words.length > 12
    ? undefined
    : { tests: [test("", "is", words, { plain: true })], whole: false };
}
