// What a phrase of a claim asks of a record: texts and amounts of a part that it names, how a part begins, ends or what it
// contains, that a part is missing, letters in place of a number, or only words.

import { amounts } from "./claim-amounts.ts";
import { glossed, isMisread, scaled, writtenMissing } from "./claim-forms.ts";
import { numberWord } from "./names.ts";
import {
  cutOpen,
  HARD,
  HARDS,
  type How,
  isOpen,
  NOUN,
  RECORDS,
  spelled,
  type Test,
  test,
  textsIn,
} from "./test-words.ts";

export type { Test } from "./test-words.ts";

/** Tests, and whether all of the phrase was understood. */
export interface Reading {
  tests: Test[];
  whole: boolean;
}

/** The tests of a phrase whose quoted texts are ‹number›. */
export function readTests(phrase: string, quoted: readonly string[]): Reading {
  // "The states down and fail, with or without an asterisk": more may follow.
  const more = phrase.replace(OPTIONAL, "");
  // "With I (information), E (error) or F (fatal)": what the texts mean.
  const remarks = more.match(MEANING) ?? [];
  const plain = (remarks.length > 1 ? more.replace(MEANING, "$1") : more)
    // "Port 53 and port 123".
    .replace(/\b([a-z]+) ([\w‹›.]+) (and|or) (?:the )?\1 (?=\S)/gi, "$1 $2 $3 ");
  const text = plain.replace(/\s+/g, " ").trim();
  const found = readPlain({ text, quoted });
  // "Messages below level 6" is not of level 6.
  if (isMisread(text, found)) return { tests: [], whole: false };
  if (more === phrase) return found;
  const tests = found.tests.map((one) => (one.how === "is" ? { ...one, how: "prefix" as const } : one));
  return { ...found, tests };
}

const MEANING = /((?<![\w-])(?:‹\d+›|[A-Z][A-Z0-9]*)) \([a-z][a-z -]*\)/g;
const OPTIONAL = /,? (?:with or without|with and without)\b.*$/i;

function readPlain(context: Context): Reading {
  const found =
    writtenMissing(context) ??
    glossed(context, readTests) ??
    scaled(context) ??
    severalCounters(context) ??
    signed(context) ??
    wordsWithin(context) ??
    among(context) ??
    atEnd(context) ??
    lastPart(context) ??
    letters(context) ??
    capitalised(context) ??
    affixes(context) ??
    amounts(context) ??
    without(context) ??
    present(context) ??
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

/** A phrase whose quoted texts are ‹number›. */
export interface Context {
  text: string;
  quoted: readonly string[];
}

/** "both counters are 0", "at least one of the three counters is not 0", "all numbers are 0". */
function severalCounters({ text }: Context): Reading | undefined {
  const many =
    /\b(both|all|neither|none|no|at least one|one|any|each|every|either)(?: of)?(?: (?:the|these|those|its|their))?(?: (two|three|four|five|six))?(?: (?:error|event|packet))? (?:counters?|counts?|numbers?|columns|values|fields|figures|amounts)\b[^.;]*?\b(is|are|has|have|stands?|shows?) (not (?:at )?|non-?|above |over |more than |greater than |other than |larger than |anything but |at least )?(?:at |a )?(\d+|zero|null)(?![\w.])/i.exec(
      text,
    );
  if (many === null) return undefined;
  const word = (many[1] ?? "").toLowerCase();
  const isNot = many[4] !== undefined;
  const none = /^(?:neither|none|no)$/.test(word);
  const over = /^(?:both|all|each|every|neither|none|no)$/.test(word) ? "all" : "any";
  const count =
    many[2] === undefined ? (/^(?:both|neither|either)$/.test(word) ? 2 : undefined) : numberWord(many[2]);
  const digits = /^\d+$/.test(many[5] ?? "") ? (many[5] ?? "0") : "0";
  // "At least one of the three counters is more than 5".
  const isAbove = /^(?:above|over|more|greater|larger|at least)/i.test(many[4] ?? "");
  const one =
    digits === "0" || !isAbove
      ? test("", "amount", [digits], { relation: "=", negate: isNot !== none, over })
      : test("", "amount", [digits], {
          relation: /^at least/i.test(many[4] ?? "") ? ">=" : ">",
          negate: none,
          over,
        });
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

/** "(`x` among the permissions)", "with `ro` as one of its options": one of several texts of a part. */
function among({ text, quoted }: Context): Reading | undefined {
  const {
    list = "",
    not,
    where = "",
    noun = "",
  } = new RegExp(
    `(?<list>${HARDS}) (?:(?:is|are|stands?|appears?|occurs?) )?(?<not>not )?(?<where>among|amongst|as one of|is one of|in) (?:the|its|their) (?<noun>[a-z][\\w]*(?: [a-z]\\w*)?)\\b`,
    "i",
  ).exec(text)?.groups ?? {};
  const texts = textsIn(list, quoted);
  if (texts.length === 0 || RECORDS.test(noun)) return undefined;
  // "With an `x` in its flags": one letter of them.
  const isLetter = texts.every((one) => /^[a-zA-Z]$/.test(one)) && /\b(?:its|their) [\w ]+$/.test(text);
  if (/^in$/i.test(where) && !isLetter) return undefined;
  return { tests: [test(noun, "contains", texts, { negate: not !== undefined })], whole: true };
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

/** "The row Overall", "the lines named Total and Average": a name with a capital inside of a sentence. */
function capitalised({ text }: Context): Reading | undefined {
  const name = "[A-Z][a-z][\\w.-]*";
  const list =
    new RegExp(
      `(?:^(?:the |an? |all |each |every )*(?:rows?|lines?|entr(?:y|ies)|records?|ones?)|\\b(?:named|called|labell?ed|titled|headed)),? (?<list>${name}(?:(?:, | or | and |, or |, and )${name})*)$`,
    ).exec(text)?.groups?.["list"] ?? "";
  const texts = list.split(/, (?:or |and )?| or | and /).filter((one) => one !== "");
  const {
    noun,
    verb = "",
    word,
  } = /\bwhose (?<noun>[a-z][\w ]*?) (?<verb>begin|start|end)s? (?:with|in|on) (?<word>[A-Z][a-z]\w*)$/.exec(
    text,
  )?.groups ?? {};
  if (noun !== undefined && word !== undefined)
    return { tests: [test(noun, verb === "end" ? "suffix" : "prefix", [word])], whole: true };
  return texts.length === 0 ? undefined : { tests: [test("", "is", texts)], whole: true };
}

const AFFIX = new RegExp(
  `(?:(?:\\b(?:whose|where the|where)\\s+)?(?<noun>‹\\d+›|[A-Za-z][\\w-]*(?: (?!(?:do|does|did)\\b)[\\w-]+)?)\\s+)?(?:that |which |who )?(?<not>(?:do|does) not |(?:not |never ))?(?<verb>begin(?:s|ning)?|start(?:s|ing)?|end(?:s|ing)?|contain(?:s|ing)?|includ(?:es?|ing)|carr(?:y|ies|ying)|mention(?:s|ing)?|say(?:s|ing)?|read(?:s|ing)?|(?:has|have|with) (?:the (?:word|text|extension|suffix|prefix|ending)s? |(?=(?:‹\\d+›|[A-Z]\\w+)(?:(?:, | or | and )‹\\d+›)* in (?:it|them|their|its)\\b))|(?:has|have|with) an? (?:extension|ending|suffix|prefix)|call(?:s|ed)|named|titled|labell?ed|marked|tagged|flagged|shown as|listed as|printed as|reported as|set to|answered with|typed)\\s*(?:with |in |by |as |either )?(?:the |an? )?(?:plain |single |final )?(?:word |remark |error |text |letters? |character |prefix |mark |status |code )?(?<list>${HARDS})`,
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
    `(?<list>${HARDS}|(?:a |an )?(?:dash|hyphen|asterisk|star))\\s+(?:in|under|as|for)\\s+(?:the |their |its )?(?:(?:column|field|key|part)\\s+(?<name>${HARD}|[a-z]+)|(?<hard>${HARD})|(?<noun>[a-z]\\w*(?: [a-z]+)?)\\s+(?:column|field|cell)|(?<=(?:dash|hyphen|›) (?:for|as) (?:the|their|its) )(?<own>[a-z]\\w*)$)(?=$|[\\s,.)])`,
  ).exec(text);
  const { list = "", name, hard, noun, own: last } = match?.groups ?? {};
  if (match === null) return undefined;
  const mark = /dash|hyphen/.test(list) ? "-" : /asterisk|star/.test(list) ? "*" : undefined;
  const texts = mark === undefined || /[‹A-Z]/.test(list) ? textsIn(list, quoted) : [mark];
  const own = name ?? hard ?? noun ?? last ?? "";
  const of = spelled(own, quoted);
  return texts.length === 0 ? undefined : { tests: [test(of, "is", texts)], whole: true };
}

/** "Whose assignment is filled in", "whose owner is not empty": there is a text. */
function present({ text }: Context): Reading | undefined {
  const noun =
    /\b(?:whose|(?:in|of|for|on) which(?: the| its)?) (?<noun>[a-z][\w ]{1,24}?) (?:is|are|was) (?:filled(?: in)?|not (?:empty|blank|missing|absent)|present|given|set)$/i.exec(
      text,
    )?.groups?.["noun"] ?? "";
  return noun === "" || RECORDS.test(noun)
    ? undefined
    : { tests: [test(noun, "blank", [], { negate: true })], whole: true };
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
  // "Without a name (`?` in front)": how the log writes it is not understood.
  const whole = !/\([^)]*‹/.test(text);
  return RECORDS.test(noun) ? undefined : { tests: [test(noun, "blank", [])], whole };
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
    `\\bwhose\\s+${NOUN}\\s+(?:is|are|was|equals|reads|says|shows|stands at|=|(?=differs? from|deviates? from))\\s*(?<not>not |other than |anything but |different from |differs? from |deviates? from )?(?:either |exactly |the |an? )?(?<list>${HARDS})`,
    "i",
  ).exec(text);
  const of = new RegExp(
    `\\b(?:of|in|with|for|under|by|on|from|having|at|to|over|via|using)\\s+(?:the\\s+|an?\\s+|its\\s+)?${NOUN}\\s+(?<not>other than |not )?(?:either )?(?<list>${HARDS})`,
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
