// What a page asks of the parts of a record in the middle of its sentences: "a status of 500 or above", "operations with
// 0 samples are not wanted", "whose shell is neither nologin nor false", "processes that do have a terminal". Each is a
// test on a part that the page names or only hints at; which part that is, the log decides (`readers/wishes.ts`).

import { clausesOf } from "./clauses.ts";
import { numberWord, stem, wordsOf } from "./names.ts";
import { saysUnwanted } from "./polarity.ts";
import { bare, type Statement } from "./text.ts";

export type Comparison = "least" | "above" | "most" | "below" | "is" | "is_not";

export type Test =
  | { kind: "number"; how: Comparison; than: number }
  /** One of the texts, or the words of them. */
  | { kind: "texts"; texts: string[]; plain: boolean; match?: "prefix" | "suffix" | "contains" }
  /** There is a text at all, or none (a dash, a blank, zero). */
  | { kind: "present" }
  | { kind: "absent" };

export interface Wish {
  /** Words that name the part; none where the page names only its texts. */
  about: string;
  test: Test;
  /** Those that fulfil it are wanted; else they are what is not wanted. */
  keep: boolean;
  /** The sentence, for reasons and doubts. */
  text: string;
}

const ASKS =
  /\b(?:extract|take|find|collect|pick|list|report|keep|only|wanted|want|we (?:need|want|look for|are after)|look(?:ing)? for|of interest|select|gather|are (?:records|items))\b/i;

/** "Names without it are records, but lack this field": says what else is wanted, and restricts nothing. */
const INCLUDES =
  /\bare (?:records|items|wanted|findings),? (?:but|though|only they|as well|too|also|all the same|nevertheless|likewise)\b|\b(?:lacks?|without|have no|has no) (?:this|that|the) field\b/i;

/** All tests of section 1, in the order of the page. */
export function readWishes(statements: readonly Statement[]): Wish[] {
  const sentences = statements.flatMap((one) => one.sentences.map(({ text }) => text));
  const first = statements.find((one) => one.depth === 0)?.sentences[0]?.text;
  const asked = sentences.filter((text) => text === first || ASKS.test(bare(text)));
  const places = columnsNamed(sentences);
  const said = new Set(asked.flatMap((text) => wordsOf(bare(text)).map(stem)));
  const wishes: Wish[] = [];
  for (const text of sentences) {
    const plain = bare(text);
    if (INCLUDES.test(plain)) continue;
    // What stands in brackets says it of something else.
    const negative = saysUnwanted(plain.replace(/\([^)]*\)/g, " "));
    const isTitle = text === first;
    if (!negative && !isTitle && !ASKS.test(plain) && !defines(plain, said)) continue;
    if (clausesOf(text).length > 0 && !/\bonly\b/i.test(plain)) continue;
    for (const one of [...numbersIn(plain), ...textsIn(text), ...presenceIn(plain)]) {
      const wish = {
        ...one,
        about: places.get(stem(wordsOf(one.about).at(-1) ?? "")) ?? one.about,
        keep: one.keep === !negative,
        text,
      };
      if (!wishes.some((other) => JSON.stringify({ ...other, text }) === JSON.stringify(wish)))
        wishes.push(wish);
    }
  }
  return wishes;
}

/** "Processes without a terminal have a question mark in the column TTY": the terminal is told by that column. */
function columnsNamed(sentences: readonly string[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const text of sentences) {
    const match =
      /\b(?:without|with|have|has|no) (?:an? |the |any )?([a-z]+)\b[^.;]*? in (?:the |its )?column `?([\w%#/.-]+)`?/i.exec(
        text,
      ) ?? /\b([a-z]+) \(column `?([\w%#/.-]+)`?\)/i.exec(text);
    if (match !== null)
      places.set(stem((match[1] ?? "").toLowerCase()), (match[2] ?? "").replace(/[.]$/, ""));
  }
  return places;
}

/** "A request has failed if its status is 500 or more", where failed requests are asked for. */
function defines(text: string, said: ReadonlySet<string>): boolean {
  const told =
    /^(?:an?|the|such an?) [\w ]+? (?:is|has|counts as|are|have) (?:been )?([\w -]+?) (?:if|when|where)\b/i.exec(
      text,
    )?.[1];
  if (told !== undefined) return wordsOf(told).some((word) => word.length > 3 && said.has(stem(word)));
  return (
    /^[\w ]+ (?:means|are those|is one)\b/i.test(text) &&
    wordsOf(text.split(/\bmeans|\bare those|\bis one/)[0] ?? "").some(
      (word) => word.length > 3 && said.has(stem(word)),
    )
  );
}

type Found = Omit<Wish, "text">;

const NUMBER = "(-?\\d[\\d,]*(?:\\.\\d+)?|zero|one|two|three|four|five|ten)";
const NAME = "((?:[A-Za-z][\\w./%-]*\\s+){0,3}?[A-Za-z%][\\w./%-]*)";
const IS =
  "(?:\\s*\\(([^)]*)\\))?\\s+(?:of|is|are|was|were|has|have|equals|being|=)\\s+(?:exactly\\s+|still\\s+|at\\s+(?!least|most))?";
const AMOUNTS: [string, Comparison][] = [
  [
    `${NUMBER}(?:\\s*[%\\w]{1,3})? (?:or|and) (?:more|above|higher|greater|over|later|up|larger|longer|upwards)`,
    "least",
  ],
  [`(?:at least|no less than|not (?:below|under|less than)) ${NUMBER}`, "least"],
  [`${NUMBER}(?:\\s*[%\\w]{1,3})? or (?:less|fewer|below|lower|smaller|under)`, "most"],
  [`(?:at most|no more than|not (?:above|over|more than)) ${NUMBER}`, "most"],
  [
    `(?:above|over|more than|greater than|higher than|larger than|longer than|bigger than|beyond|exceeding|>) ${NUMBER}`,
    "above",
  ],
  [`(?:below|under|less than|fewer than|lower than|smaller than|shorter than|<) ${NUMBER}`, "below"],
  [
    `(?:not (?:at )?|other than |different from |anything (?:but|other than|except) |unequal (?:to )?)${NUMBER}`,
    "is_not",
  ],
  [`${NUMBER}(?![\\w:/-]|\\.\\d)`, "is"],
];

/** "a status of 500 or above", "with 0 samples", "a negative slack". */
function numbersIn(text: string): Found[] {
  const full = fullness(text);
  if (full.length > 0) return full;
  const named = AMOUNTS.map((amount) => comparedIn(text, amount)).find((one) => one.length > 0);
  if (named !== undefined) return named;
  const exceeds = new RegExp(
    `${NAME}\\s+(exceeds?|goes (?:above|over)|stays? (?:below|under))\\s+${NUMBER}`,
    "i",
  ).exec(text);
  if (exceeds !== null)
    return amount(
      lastWords(exceeds[1] ?? ""),
      /below|under/.test(exceeds[2] ?? "") ? "below" : "above",
      exceeds[3] ?? "",
    );
  const sign =
    // "The worst negative slack" is what the part is called.
    /(?<!\b(?:worst|total|most|largest|smallest|least|max|maximum|min|minimum|sum of) )\b(negative|positive|non-?zero)\s+([a-z][\w-]*)|([a-z][\w-]*) (?:is|are) (negative|positive|non-?zero)\b/i.exec(
      text,
    );
  if (sign !== null) {
    const word = (sign[1] ?? sign[4] ?? "").toLowerCase();
    return amount(
      sign[2] ?? sign[3] ?? "",
      word === "negative" ? "below" : word === "positive" ? "above" : "is_not",
      0,
    );
  }
  // "Resources that are not used at all (0)".
  const bracket = /\b([a-z]+)(?: at all| yet)? \((\d+)\)/i.exec(text);
  return bracket === null ? [] : amount(bracket[1] ?? "", "is", bracket[2] ?? "");
}

const FULL = "(?:full|filled|used|loaded|occupied|busy|utili[sz]ed|covered|charged|complete)";

/** "Filled to 75 or more", "at least 90% full": the part that says how full, in percent. */
function fullness(text: string): Found[] {
  for (const [form, how] of AMOUNTS) {
    if (how === "is_not") continue;
    const own = form.replace("(?:\\s*[%\\w]{1,3})?", "(?:\\s*%|\\s+percent)?");
    const sides =
      how === "is"
        ? [`${own}\\s*(?:%|percent) ${FULL}\\b`]
        : [
            `\\b${FULL}(?: up)? (?:to |at |by |for )?${own}`,
            `${own}(?:\\s*%| percent)?(?: or more| or less)? ${FULL}\\b`,
          ];
    for (const side of sides) {
      const than = new RegExp(side, "i").exec(text)?.[1];
      if (than !== undefined) return amount("percent", how, than);
    }
  }
  return [];
}

/** One kind of comparison behind a name, or in front of it. */
function comparedIn(text: string, [form, how]: [string, Comparison]): Found[] {
  const behind = [...text.matchAll(new RegExp(`(?:^|[\\s(])${NAME}${IS}${form}`, "gi"))].flatMap((match) =>
    amount(
      `${lastWords(match[1] ?? "")}${match[2] === undefined ? "" : `, ${match[2]}`}`,
      how,
      match[3] ?? "",
    ),
  );
  if (behind.length > 0) return behind;
  const front = new RegExp(
    `\\b(?:with|have|has|having|contain\\w*|show\\w*|found|took|takes|needed|used|lasted|of)\\s+${form}\\s+([a-z][\\w-]*(?:\\s+[a-z][\\w-]*)?)`,
    "gi",
  );
  return [...text.matchAll(front)].flatMap((match) => amount(match[2] ?? "", how, match[1] ?? ""));
}

/** A test on a number; none where the words name no part. */
function amount(about: string, how: Comparison, than: string | number): Found[] {
  const value = typeof than === "number" ? than : amountOf(than);
  const own = about
    .replace(ARTICLES, "")
    .replace(/\s+(?:is|are|was|were|did|do|does|has|have|had|that|which)$/i, "")
    .trim();
  if (value === undefined || own === "" || EMPTY_SUBJECT.test(own)) return [];
  if (/^(?:one|two|three|four|five|ten)$/.test(String(than)) && how === "is") return [];
  return [{ about: own, test: { kind: "number", how, than: value }, keep: true }];
}

const ARTICLES =
  /^(?:(?:an?|the|its|their|whose|where|with|that|which|if|when|those|and|or|of|as|for|have|has|had|in|on|by|at|only|is|are|was|were|from) )+/i;
const EMPTY_SUBJECT =
  /^(?:it|this|that|which|there|one|they|these|those|lines?|rows?|records?|entries|version|section|sections|column|line|page|release|first|last|number|part|parts|chapter|type|types|tables?|hours?|of|an?|the|least|most|more|less)$/i;

/** "requests answered with a status": the words at the end that can name a part. */
function lastWords(text: string): string {
  const words = text.replace(
    /^.*\b(?:whose|where|with|that|which|if|when|its|their|the|an?|and|or|as|in|on|by|for|from|to)\s+/i,
    "",
  );
  return words.split(/\s+/).slice(-3).join(" ");
}

function amountOf(text: string): number | undefined {
  if (/^zero$/i.test(text)) return 0;
  const word = numberWord(text);
  const plain = Number(text.replace(/,/g, ""));
  return Number.isFinite(plain) ? plain : word;
}

const WORD = '(?:`[^`]+`|"[^"]+"|[\\w./+!*?-]+)';

const CAPITALS = '(?:[A-Z][A-Z0-9_.-]*|`[^`]+`|"[^"]+")';
const QUOTES = '((?:`[^`]+`|"[^"]+")(?:(?:, | or |, or | and )(?:`[^`]+`|"[^"]+"))*)';

/** "neither nologin nor false", "in the states CA, OR and WA", "(tmpfs, devtmpfs)", "that are Running or Completed". */
function textsIn(sentence: string): Found[] {
  return [...namedTexts(sentence), ...listedTexts(sentence), ...statesIn(bare(sentence))];
}

type TextTest = Extract<Test, { kind: "texts" }>;

function texts(about: string, list: string, keep: boolean, more: Partial<TextTest> = {}): Found[] {
  const own = list
    .split(/\s*,\s*(?:and |or )?|\s+(?:and|or|nor)\s+/)
    .map((one) =>
      one
        .replace(/[.,;:]+$/, "")
        .replace(/^[`"]|[`"]$/g, "")
        .trim(),
    )
    .filter((one) => one !== "");
  if (own.length === 0) return [];
  return [
    {
      about: about.replace(ARTICLES, "").trim(),
      test: { kind: "texts", texts: own, plain: false, ...more },
      keep,
    },
  ];
}

/** Texts behind the name of the part. */
function namedTexts(sentence: string): Found[] {
  const found: Found[] = [];
  const neither = new RegExp(
    `${NAME}\\s+(?:is|are|was|were)\\s+neither\\s+(${WORD})\\s+nor\\s+(${WORD})`,
    "i",
  ).exec(sentence);
  if (neither !== null)
    found.push(...texts(lastWords(neither[1] ?? ""), `${neither[2]}, ${neither[3]}`, false));
  const listed = new RegExp(
    `\\b(?:in|of|on|from|with) (?:one of )?the ([a-z]+?)s? (${CAPITALS}(?:(?:, | and | or |, and |, or )${CAPITALS})+)`,
    "g",
  );
  for (const match of sentence.matchAll(listed)) found.push(...texts(match[1] ?? "", match[2] ?? "", true));
  const affix = new RegExp(
    `\\b([a-z]+?)s? (?:that|which) (contain|include|begin|start|end)s?(?: (?:with|in))? (?:one of )?(?:the (?:words?|texts?) )?${QUOTES}`,
    "i",
  ).exec(sentence);
  if (affix !== null) {
    const match = /^[ci]/i.test(affix[2] ?? "")
      ? "contains"
      : /^end/i.test(affix[2] ?? "")
        ? "suffix"
        : "prefix";
    found.push(...texts(affix[1] ?? "", affix[3] ?? "", true, { match }));
  }
  // "functions of the library (type VLib)".
  const typed =
    /\((?:the )?([a-z]+) ((?:[A-Z][\w-]*|`[^`]+`)(?:(?:, | or | and )(?:[A-Z][\w-]*|`[^`]+`))*)\)/.exec(
      sentence,
    );
  if (typed !== null && ASKS.test(sentence)) found.push(...texts(typed[1] ?? "", typed[2] ?? "", true));
  // "these have a link such as <Link#5> in the network column".
  const like = /\b(?:such as|like|e\.g\.) `?(\S+?)`? in the ([a-z]+) column/i.exec(sentence);
  if (like !== null)
    found.push(...texts(like[2] ?? "", (like[1] ?? "").replace(/\d.*$/, ""), true, { match: "prefix" }));
  // "with status 200", "answered with status 200 or 206".
  const coded = /\bwith (?:an? |the )?([a-z][\w-]*) (\d{2,}(?:(?:,| or| and) \d{2,})*)(?=[\s,.;)]|$)/i.exec(
    bare(sentence),
  );
  if (coded !== null && !/^(?:at|over|about|more|less|than)$/i.test(coded[1] ?? ""))
    found.push(...texts(coded[1] ?? "", coded[2] ?? "", true));
  return found;
}

/** Texts in brackets or behind "are", whatever the part. */
function listedTexts(sentence: string): Found[] {
  const found: Found[] = [];
  const bracket =
    /([A-Za-z]+) \(((?:[\w./+-]+)(?:, (?:and |or )?| or | and )(?:[\w./+-]+(?:, (?:and |or )?| or | and )?)*)\)/.exec(
      sentence,
    );
  const before = sentence.slice(0, bracket?.index ?? 0);
  const restricts = saysUnwanted(bare(sentence)) || /\b(?:only|extract|take|wanted)\b/i.test(before);
  if (bracket !== null && restricts && !/\b(?:e\.g|for example|the|of|its|as|in)\b/i.test(bracket[2] ?? ""))
    found.push(...texts("", bracket[2] ?? "", true));
  const state = /\b(?:that|which) (?:are|is|were|was) ([A-Z][\w-]*(?:(?:, | or | and )[A-Z][\w-]*)*)/.exec(
    sentence,
  );
  if (state !== null) found.push(...texts("", state[1] ?? "", true));
  return found;
}

/** "containers that have exited", "the active routes": a state in plain words. */
function statesIn(text: string): Found[] {
  const found: Found[] = [];
  const done =
    /\b(?:that|which|who) (?:have|has|are|is|were|was)(?: been| still| currently| now)? ((?:not )?)([a-z]{4,}(?:(?:, [a-z]{4,})*,? or [a-z]{4,})?)(?=[\s,.;]|$)/.exec(
      text.replace(
        /(?<= or |, )(?:that |which |who )?(?:have|has|are|is|were|was) (?:been )?(?=[a-z]{4,})/g,
        "",
      ),
    );
  if (done !== null && !PLAIN_STATE.test(done[2] ?? ""))
    found.push(...texts("", done[2] ?? "", (done[1] ?? "") === "", { plain: true }));
  const asked =
    /^(?:we (?:want|need|look for)|extract|take|find|collect|list|report|only|wanted are)(?: only)? (?:all |every |each )?(?:the |those )?([a-z]{4,}) ([a-z]{3,})s\b/i.exec(
      text,
    );
  if (asked !== null && !PLAIN_STATE.test(asked[1] ?? ""))
    found.push(...texts("", asked[1] ?? "", true, { plain: true }));
  return found;
}

const PLAIN_STATE =
  /^(?:listed|shown|printed|given|wanted|named|called|found|told|needed|made|written|read|taken|also|only|both|then|each|reported|used|marked|meant|said|left|first|last|next|same|other|others|whose|with|that|this|rows?|lines?|name|names|file|files|test|following|kept|counted|these|those|such|part|parts|framed|separated|followed|preceded|indented)$/i;

const NOUN = "([a-z][\\w-]*(?: [a-z][\\w-]*)?)";

/** "that do have a terminal", "without objects", "that have no lease". */
function presenceIn(text: string): Found[] {
  const has = new RegExp(
    `\\b(?:that|which|who) (?:do |did |does |really |actually )?(?:have|has|had|report|reports|carry|carries|show|shows|came with|come with) (?:such |at least )?(?:an?|any|some|their own) ${NOUN}`,
    "i",
  ).exec(text);
  const lacks = new RegExp(
    `\\b(?:(?:that|which|who) (?:have|has|had|show|shows|report|reports|carry) (?:no|not any|neither)|(?:s|ones|those|entries) (?:without|with no)(?: an?| any)?) ${NOUN}`,
    "i",
  ).exec(text);
  const found: Found[] = [];
  // "Lines that show a further protocol" have one like all others do.
  const more = /^(?:further|other|second|third|another|more|next|different|new)\b/i.test(has?.[1] ?? "");
  if (has !== null && !more) found.push({ about: has[1] ?? "", test: { kind: "present" }, keep: true });
  if (lacks !== null) found.push({ about: lacks[1] ?? "", test: { kind: "absent" }, keep: true });
  return found;
}
