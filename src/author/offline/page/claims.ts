// Every sentence or clause of a page that says which records are wanted and which are not, in whatever words, as claims:
// whether such records are wanted or unwanted, and the tests that tell them. Nothing is bound to the log here.

import type { Match } from "../program/ir.ts";
import { readTests, type Test } from "./claim-tests.ts";
import { stemsOf } from "./names.ts";
import type { FieldRule } from "./page.ts";
import { bare, quotedIn, type Statement } from "./text.ts";

export interface Claim {
  /** The sentence that it was read from. */
  said: string;
  /** Such records alone are wanted; else such records are not wanted. */
  wanted: boolean;
  /** What tells such records: each of them for those that are wanted, all together for those that are not. */
  tests: Test[];
  /** The words of the phrase, quoted texts as they are. */
  phrase: string;
  /** Every piece of the phrase was understood. */
  whole: boolean;
  /** The case of letters does not matter. */
  fold: boolean;
}

/** A text with its quoted spans replaced by ‹number›, so that what is quoted is no word of the sentence. */
interface Masked {
  text: string;
  quoted: string[];
}

function mask(text: string): Masked {
  const quoted: string[] = [];
  let masked = "";
  let at = 0;
  for (const span of quotedIn(text)) {
    masked += `${text.slice(at, span.start)}‹${quoted.length}›`;
    quoted.push(span.text);
    at = span.end;
  }
  return { text: masked + text.slice(at), quoted };
}

function unmask(text: string, quoted: readonly string[]): string {
  return text.replace(/‹(\d+)›/g, (_all, index: string) => quoted[Number(index)] ?? "");
}

/** What says of its subject that it is not wanted. */
const NOT_WANTED = [
  "(?:not|never) (?:be )?(?:wanted|needed|required|counted|taken|read|listed|reported|extracted|included|considered|relevant|interesting|of (?:any )?(?:interest|use|concern)|meant|part of (?:this|it))",
  "(?:unwanted|irrelevant|uninteresting|unimportant|fine|ok|okay|all right|in order|healthy|harmless|normal|clean)",
  "(?:(?:to be |all )?(?:ignored|skipped|dropped|omitted|excluded|discarded|disregarded|passed over|filtered out|left (?:out|aside|away)))",
  "(?:of no (?:interest|use|concern|importance))",
  "(?:no|not an?|not) (?:items?|records?|findings?|results?|hits?|entries|errors?|violations?|offences?|remarks?|candidates?|cells?|parts?|matches?|ones)",
].join("|");
const BE =
  "(?:is|are|was|were|should|must|shall|need|can|do|does)(?: (?:also|likewise|therefore|thus|all|both|here|simply))?";
const PREDICATE = new RegExp(
  `^(.+?),?\\s+(?:and\\s+)?(?:(?:${BE})\\s+(?:(?:an? |the |only |just )?[a-z]+ and (?:so |thus |therefore |hence )?(?:are |is )?)?(?:${NOT_WANTED})|(?:do|does)(?: not|n't) (?:count|matter|belong|interest)(?: us| here)?|adds? nothing)(?![\\w-])`,
  "i",
);
const IMPERATIVE =
  /^(?:please |but |and |so )?(?:(?:skip|ignore|omit|exclude|drop|discard|disregard|leave (?:out|aside|away)|filter out|(?:do not|don't|never) (?:take|report|list|count|read|include|extract|want))\s+(.+)|leave (.+?) (?:out|aside|away))/i;
const PRONOUN =
  /^(?:these|those|them|they|it|this|that|such(?: (?:ones|lines|rows|records|entries))?|both)$/i;

/** What a page says of its parts, not of its records. */
const ABOUT_PARTS =
  /^\s*(?:the |its |their )?(?:value|fields?|columns?|line(?: number)?|‹\d+›|[\w ]{1,20})\s*(?::|=|\(‹)|^\s*(?:the )?(?:value|fields?|line number)\b/i;

const FOLD =
  /\b(?:in any case|any case of (?:the )?letters|case[- ]insensitive(?:ly)?|(?:in )?upper or lower case|upper- or lower-?case|whatever the case|regardless of (?:the )?case|ignoring (?:the )?case)\b/i;

/** All claims of the page, clause by clause. */
export function readClaims(statements: readonly Statement[]): Claim[] {
  const claims: Claim[] = [];
  const title = bare(statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "");
  for (const [number, { sentences }] of statements.entries()) {
    sentences.forEach(({ text }, index) => {
      const masked = mask(text);
      if (ABOUT_PARTS.test(masked.text) || masked.text.length > 600) return;
      const found = inSentence(text, masked, sentences[index - 1]?.text);
      const own = found.length > 0 ? found : defined(text, masked, title);
      claims.push(...own);
      if (own.length === 0 && number > 0) claims.push(...bareClaim(text, masked));
    });
  }
  return claims;
}

function inSentence(said: string, { text, quoted }: Masked, before: string | undefined): Claim[] {
  const claims: Claim[] = [];
  let subject = before === undefined ? "" : before;
  const add = (wanted: boolean, phrase: string): void => {
    const own = phrase.replace(/[.;:,\s]+$/, "").trim();
    if (own === "") return;
    // "Rows of another kind (a, b) or without any kind": either alone is not wanted.
    const either = wanted ? null : /^(.*\)) or ((?:without|with no) .*)$/.exec(own);
    if (either !== null) {
      add(false, either[1] ?? "");
      add(false, `${/^(?:the )?[\w-]+/.exec(own)?.[0] ?? ""} ${either[2] ?? ""}`);
      return;
    }
    // "Sensors in state ok and those without a reading", "as well as the discrete ones".
    const several = wanted
      ? []
      : own.split(/,? (?:and|or) (?:also )?(?=(?:those|the ones|ones)\b)|,? as well as (?:the )?/i);
    if (several.length > 1) {
      for (const one of several) add(false, one);
      return;
    }
    const { tests, whole } = readTests(own, quoted);
    claims.push({ said, wanted, tests, whole, fold: FOLD.test(said), phrase: unmask(own, quoted) });
  };
  for (const clause of clausesOf(text)) {
    for (const { wanted, phrase } of phrasesOf(clause, claims.at(-1)?.wanted)) {
      if (PRONOUN.test(phrase)) {
        // "Options called x only say what was asked for; leave them out."
        if (subject !== "") {
          const earlier = subject === before ? mask(before) : { text: subject, quoted };
          const own = subjectOf(earlier.text);
          const { tests, whole } = readTests(own, earlier.quoted);
          claims.push({ said, wanted, tests, whole, fold: false, phrase: unmask(own, earlier.quoted) });
        }
      } else add(wanted, phrase);
    }
    subject = clause;
  }
  return claims;
}

const BARE =
  /^(?:the |all )?[A-Za-z-]+(?: [a-z-]+)? (?:with|whose|in|of|having) (?:the |an? |its |their )?[^:]+$/;
const VERB =
  /\b(?:is|are|was|were|be|has|have|had|can|may|will|do|does|stands?|gives?|shows?|begins?|starts?|ends?|follows?|comes?|means?|tells?|says?|prints?|lists?|written|printed|separated|shown|see|like)\b/i;

/** "Rules with the target DROP or REJECT.": a statement that is nothing but what is wanted. */
function bareClaim(said: string, { text, quoted }: Masked): Claim[] {
  const phrase = text.replace(/[.;:,\s]+$/, "").trim();
  if (
    !BARE.test(phrase) ||
    VERB.test(phrase.replace(/\([^)]*\)/g, " ").replace(/\bwhose [\w -]+? (?:is|are)\b/g, " "))
  )
    return [];
  const { tests, whole } = readTests(phrase, quoted);
  const [test] = tests;
  // Only texts of a part that is named.
  if (tests.length !== 1 || test === undefined || test.plain || test.of === "") return [];
  return [{ said, wanted: true, tests, whole, fold: FOLD.test(said), phrase: unmask(phrase, quoted) }];
}

const DEFINED =
  /^(?:an?|the|every|each) (?<noun>[a-z][\w-]*(?: [\w-]+)?) (?:is|are|has|have|counts?(?: as)?|was|were)\s+(?<what>[^,;]{2,50}?),? (?:if|when|whenever|as soon as|where)\s+(?<condition>.+)$/i;

/** "A task has failed when its result is other than 0", on a page about tasks that failed; "is wanted if". */
function defined(said: string, { text, quoted }: Masked, title: string): Claim[] {
  const { noun = "", what = "", condition = "" } = DEFINED.exec(text.replace(/[.;]\s*$/, ""))?.groups ?? {};
  if (condition === "" || /\b(?:not|missing|absent|blank|empty|left out|printed|given)\b/i.test(what))
    return [];
  const known = stemsOf(title);
  const own = [...stemsOf(noun)].at(-1) ?? "";
  const isMeant =
    /\bwanted\b|\bof interest\b|\b(?:an? )?(?:items?|records?|findings?)$/i.test(what) ||
    [...stemsOf(what)].some((one) => one.length > 3 && known.has(one)) ||
    /\b(?:that|which|who|whose|with|without)\b/i.test(title);
  if (!isMeant || !known.has(own)) return [];
  const { tests, whole } = readTests(condition, quoted);
  if (!whole || tests.some((one) => one.how === "blank")) return [];
  return [{ said, wanted: true, tests, whole, fold: false, phrase: unmask(condition, quoted) }];
}

/** What a sentence is about: all in front of its verb. */
function subjectOf(text: string): string {
  const at =
    /\s(?:(?:only|also|just|merely|simply|never) )?(?:is|are|was|were|says?|repeats?|tells?|have|has|belongs?|comes?|counts?|reads?|looks?|hands?|stands?|follows?|means?)\b/.exec(
      text,
    );
  return at === null ? text : text.slice(0, at.index);
}

/** Cuts at semicolons, and where another subject begins. */
function clausesOf(text: string): string[] {
  return text
    .split(
      /;\s+|,?\s+(?=nor\b)|,\s+(?=(?:and )?neither\b)|,\s+(?=(?:but |and )?(?:not|no)\s)|\s+[-–—]\s+(?=not\b)|,\s+(?=(?:and )?(?:nothing else|no others?)\b)/i,
    )
    .map((one) => one.replace(/[.;]\s*$/, "").trim())
    .filter((one) => one !== "");
}

interface Phrase {
  wanted: boolean;
  phrase: string;
}

/** The phrase of a clause that its polarity holds for. */
function phrasesOf(clause: string, last: boolean | undefined): Phrase[] {
  if (
    /\b(?:as well(?! as\b)|too|also wanted|wanted also|likewise wanted)\b[^,]*$/i.test(clause) &&
    !/\bnot\b|\bno\b/i.test(clause)
  )
    return [];
  const nor = /^(?:and )?(?:nor|neither)\s+(?:(?:is|are|do|does|should)\s+)?(.+)$/i.exec(clause);
  if (nor !== null && last !== true) return [{ wanted: false, phrase: nor[1] ?? "" }];
  const not = /^(?:but |and )?(?:not|no)\s+(?!(?:only|every|all|always|each|longer|matter|one)\b)(.+)$/i.exec(
    clause,
  );
  if (
    not !== null &&
    !/\b(?:is|are|was|were|has|have)\b(?! (?:in|of|on)\b)/i.test(
      not[1]?.split(/\b(?:that|which|whose|where)\b/i)[0] ?? "",
    )
  )
    return [{ wanted: false, phrase: not[1] ?? "" }];
  const order = IMPERATIVE.exec(clause);
  if (order !== null) return also(order[1] ?? order[2] ?? "").map((one) => ({ wanted: false, phrase: one }));
  const except =
    /^(?:take |extract |report |wanted (?:is|are) )?(?:all|every|any|everything|anything|each)\b(.*?),?\s+(?:except(?: for)?|but(?: not)?|other than|apart from|save(?: for)?|besides)\s+(.+?)(?: (?:is|are) (?:wanted|taken|of interest|items?|records?))?$/i.exec(
      clause,
    );
  if (except !== null) {
    const rest = except[2] ?? "";
    return [{ wanted: false, phrase: `${(except[1] ?? "").trim()} ${rest}`.trim() }];
  }
  const asked = OF_INTEREST.exec(clause);
  if (asked !== null) return conjuncts(asked[1] ?? "").map((phrase) => ({ wanted: true, phrase }));
  const only = onlyPhrase(clause);
  if (only !== undefined) return conjuncts(only).map((phrase) => ({ wanted: true, phrase }));
  const unwanted = PREDICATE.exec(clause);
  const subject = (unwanted?.[1] ?? "").replace(/^(?:but|and|also|all) /i, "");
  // What stands in brackets is said beside the way, and an order has no subject.
  const isSubject = count(subject, "(") === count(subject, ")") && !ORDER.test(subject);
  if (unwanted !== null) return isSubject ? [{ wanted: false, phrase: subject }] : [];
  const whose = WHOSE.exec(clause);
  return whose === null ? [] : [{ wanted: true, phrase: whose[0] }];
}

const OF_INTEREST =
  /^(?:of interest|wanted|needed|of importance|to be (?:reported|listed|taken|extracted)|relevant)(?: here)?(?: is| are|:)\s+(?:only\s+)?(.+)$/i;

/** "Names that contain `error`, and only if the count is greater than 0": each of them has to hold. */
function conjuncts(phrase: string): string[] {
  return phrase.split(
    /,?\s+(?:and|but) only (?:if|when|where|those with)\s+|,\s+(?:if|provided|as long as)\s+/i,
  );
}

/** "Leave out those whose reading is `na` as well as the discrete ones, too". */
function also(phrase: string): string[] {
  return phrase
    .replace(/,? (?:too|as well|also|either|please)$/i, "")
    .split(/,?\s+(?:as well as|and also)\s+/i);
}

const ORDER =
  /^(?:please )?(?:extract|take|find|collect|report|list|keep|want|read|pick|get|give|show|use)\b/i;
/** "Everything whose key has `x` in it", "all lines that begin with `x`". */
const WHOSE =
  /\b(?:everything|anything|all(?: the)?(?: [a-z]+){0,2}|every [a-z]+|any [a-z]+|each [a-z]+|those|the ones) (?:whose|that (?:begin|start|end|contain|carry|have|are (?:called|named|marked|set))|containing|beginning|starting|ending)\b.*$/i;

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

const ASKED =
  "(?:are|is) (?:wanted|items?|records?|taken|counted|needed|of interest|meant|reported|considered|listed|to be (?:taken|read|reported|listed))|count|matter";

/** "Only X (are wanted)", "X only", "nothing but X", "just X", "X, nothing else". */
function onlyPhrase(clause: string): string | undefined {
  const first =
    /^(?:(?:please |so |and |of (?:it|them|these|those) |here |but )*)?(?:(?:take|keep|extract|report|read|list|count|find|collect|wanted (?:are|is)|we want|it is) )?(?:only|just|nothing but|exclusively|solely)\s+(?!(?:if|when|where there|once|then|after|before)\b)(.+)$/i.exec(
      clause,
    );
  if (first !== null) return (first[1] ?? "").replace(new RegExp(`\\s+(?:${ASKED})\\b.*$`, "i"), "");
  const wantedOnly = /^(.+?)\s+(?:alone|only)?\s*(?:are|is) the only (?:ones?|wanted|items?)/i.exec(clause);
  if (wantedOnly !== null) return wantedOnly[1];
  const last = /^(?!.*\b(?:if|when|with) only$)(.+?)[,]? only$/i.exec(clause);
  if (
    last !== null &&
    !/\b(?:number|digits?|name|text|part|letters?|address|program|words?)$/i.test(last[1] ?? "")
  )
    return last[1];
  return undefined;
}

/** How numbers are compared, by the relation that a test states. */
export const MATCHES: Record<string, Match> = {
  "=": "number",
  ">": "above",
  ">=": "least",
  "<": "below",
  "<=": "most",
};

/** A claim about a part that it names as conditions on that part. */
export function fieldRules(claim: Claim): FieldRule[] {
  return claim.tests.flatMap((test) => {
    if (test.of === "" || test.plain || test.over !== undefined || test.every === true) return [];
    if (test.how === "blank" || test.how === "letters") return [];
    const match = test.how === "amount" ? MATCHES[test.relation ?? "="] : test.how;
    const negate = claim.wanted === test.negate;
    return [
      {
        name: test.of,
        equals: test.texts,
        negate,
        ...(match === undefined || match === "is" ? {} : { match }),
        said: claim.said,
      },
    ];
  });
}
