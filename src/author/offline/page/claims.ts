// Every sentence or clause of a page that says which records are wanted and which are not, in whatever words, as claims:
// whether such records are wanted or unwanted, and the tests that tell them. Nothing is bound to the log here.

import type { Match } from "../program/ir.ts";
import { casesOf } from "./cases.ts";
import { readTests, type Test } from "./claim-tests.ts";
import { comparedParts } from "./comparisons.ts";
import { isMark, withMarks } from "./mark-words.ts";
import { stemsOf } from "./names.ts";
import type { FieldRule } from "./page.ts";
import { clausesOf, PRONOUN, phrasesOf, saysUnwanted, subjectOf } from "./polarity.ts";
import { HARD, HARDS } from "./test-words.ts";
import { bare, REST, type Statement, withoutQuoted } from "./text.ts";

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
  /** Said as a case: "if …, leave it out". */
  isCase?: true;
}

/** A text with its quoted spans replaced by ‹number›, so that what is quoted is no word of the sentence. */
interface Masked {
  text: string;
  quoted: string[];
}

function mask(text: string): Masked {
  const { text: masked, quoted } = withoutQuoted(text);
  // "Is 0 or a dash".
  const dashed = masked.replace(
    /\b(is|are|or|shows?|reads?) (?:only |just )?an? (?:dash|hyphen)\b/gi,
    (_all, verb: string) => `${verb} ‹${quoted.push("-") - 1}›`,
  );
  return withMarks(dashed, quoted);
}

function unmask(text: string, quoted: readonly string[]): string {
  return text.replace(/‹(\d+)›/g, (_all, index: string) => quoted[Number(index)] ?? "");
}

function titleOf(statements: readonly Statement[]): string {
  return bare(statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "");
}

/** What a page calls its records: the nouns of its title and of its value. */
export function itemNouns(statements: readonly Statement[]): ReadonlySet<string> {
  const value = statements.flatMap(({ sentences }) =>
    sentences.flatMap(
      ({ text }) =>
        /^\W*value\W*:\W*(?:the |its |an? )?([a-z]+(?: [a-z]+)?)/i.exec(text)?.[1] ??
        /\bvalue is (?:the |its |an? )?(?:names? of (?:the |an? )?)?([a-z]+(?: [a-z]+)?)/i.exec(text)?.[1] ??
        [],
    ),
  );
  return new Set([...stemsOf(`${titleOf(statements)} ${value.join(" ")}`)].filter((one) => one.length > 2));
}

/** "The row `x` is not a corner", on a page about corners: it is no item. */
function asItems({ text, quoted }: Masked, nouns: ReadonlySet<string>): Masked {
  const as = text.replace(
    /(?<!\b(?:it|they|this|that|these|those) )\b(?<be>is|are) (?:not an? (?:real |proper |true )?|no (?:real |proper |true )?)(?<noun>[a-z]+(?: [a-z]+)?)(?=$|[.,;:)]| (?:and|but|of its own|of their own|at all|either|itself|themselves|here)\b)/g,
    (all, be: string, noun: string) => (nouns.has([...stemsOf(noun)].at(-1) ?? "") ? `${be} no items` : all),
  );
  return { text: as.replace(/\b(is|are) no items of (?:its|their) own\b/g, "$1 no items"), quoted };
}

/** What a page says of its parts, not of its records. */
const ABOUT_PARTS =
  /^\s*(?:the |its |their )?(?:value|fields?|columns?|line(?: number)?|‹\d+›|[\w ]{1,20})\s*(?::|=|\(‹)|^\s*(?:the )?(?:value|fields?|line number)\b/i;

/** "Not wanted: …", "Skip other blocks: …", "Tables on top: skip." */
const TELEGRAM =
  /^(?:please )?(?:(?:not |also not )?wanted|unwanted|not(?=:)|excluded|of interest|not of interest|to be (?:ignored|skipped|left out)|ignored|skip|ignore|leave out|omit|drop|exclude)\b|:\s*(?:please )?(?:skip|ignore|leave out|leave (?:them|it) out|omit|drop|not wanted|no (?:items?|records?)|unwanted|of no interest|to be (?:ignored|skipped))(?: (?:them|it|these|those))?[.;]?$|\bonly[.;]?$/i;

const FOLD =
  /\b(?:in any case|any case of (?:the )?letters|case[- ]insensitive(?:ly)?|(?:in )?upper or lower case|upper- or lower-?case|whatever the case|regardless of (?:the )?case|ignoring (?:the )?case)\b/i;

/** All claims of the page, clause by clause. */
export function readClaims(statements: readonly Statement[]): Claim[] {
  const claims: Claim[] = [];
  const title = titleOf(statements);
  const nouns = itemNouns(statements);
  for (const [number, { sentences }] of statements.entries()) {
    sentences.forEach(({ text }, index) => {
      const masked = asItems(mask(text), nouns);
      const told =
        ABOUT_PARTS.test(masked.text) &&
        // "Fillers (`x`) are not wanted."
        !(/^[\w ]{1,30}\(‹[^:=]*$/.test(masked.text) && saysUnwanted(masked.text)) &&
        !TELEGRAM.test(masked.text) &&
        !/^\s*(?:only|just)\b(?! (?:the )?(?:value|fields?)\b)/i.test(masked.text);
      if (told || masked.text.length > 600) return;
      const compared = inComparison(text, masked, number === 0 && index === 0);
      if (compared.length > 0) {
        claims.push(...compared);
        return;
      }
      const sign = TOLD_BY.exec(masked.text)?.[1];
      const last = claims.at(-1);
      if (sign !== undefined && last !== undefined && last.said === sentences[index - 1]?.text) {
        const phrase = sign.replace(/[.;,\s]+$/, "");
        const { tests, whole } = readTests(phrase, masked.quoted);
        claims.push({
          said: text,
          wanted: last.wanted,
          tests,
          whole,
          fold: false,
          phrase: unmask(phrase, masked.quoted),
        });
        return;
      }
      const cases = inCases(text, masked);
      const found = cases.length > 0 ? cases : inSentence(text, masked, sentences[index - 1]?.text);
      const own = found.length > 0 ? found : defined(text, masked, title);
      // "Only these matter: fillers and taps are left out": what is out is not what is wanted.
      const isTurned = ({ wanted, phrase }: Claim): boolean =>
        wanted &&
        /: .*\b(?:is|are) (?:left out|skipped|ignored|not (?:wanted|counted|reported))$/i.test(phrase);
      claims.push(...own.filter((claim) => !mayHaveMark(claim) && !isTurned(claim)));
      const next = bare(sentences[index + 1]?.text ?? "");
      // "Leases in x belong to the lab; they are left out."
      const isTurnedNext =
        /^\W*(?:they|these|those|such|it|both|leave|skip|ignore|do not)\b/i.test(next) && saysUnwanted(next);
      if (own.length === 0 && number > 0 && !isTurnedNext) claims.push(...bareClaim(text, masked));
    });
  }
  return claims;
}

/** "Each of them also with an asterisk": some have the mark, and others have not. */
function mayHaveMark({ tests, phrase }: Claim): boolean {
  const marks =
    tests.length > 0 && tests.every(({ texts }) => texts.every((text) => /^[^\w\s]+$/.test(text)));
  return (
    marks &&
    /\b(?:also|sometimes|often|possibly|perhaps|(?:may|can|could|might)(?: also)? (?:have|be)|or without)\b/i.test(
      phrase,
    )
  );
}

/** "A star means that the cell is excluded from sizing" says what is done elsewhere. */
const DONE_ELSEWHERE =
  /\b(?:means?|says?|shows?|tells|stands for|indicates?|denotes?)(?: that)?\b[^.;]*\b(?:excluded|dropped|skipped|omitted|left out|ignored) (?:from|by|during|in|for) (?!(?:this|our|the) (?:report|check|list|item|page)|here\b)[a-z]+/i;

function inSentence(said: string, { text, quoted }: Masked, before: string | undefined): Claim[] {
  if (DONE_ELSEWHERE.test(text)) return [];
  const rest = REST.exec(text);
  if (rest !== null) return withoutRest(said, { text: text.slice(0, rest.index), quoted }, before);
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
    const { tests, whole } = wanted ? readAll(own.replace(/:\s*‹\d+›$/, ""), quoted) : readTests(own, quoted);
    // A mark stands beside the parts.
    const placed = tests.map((one) =>
      one.how === "is" && one.texts.length > 0 && one.texts.every(isMark) ? { ...one, of: "" } : one,
    );
    claims.push({ said, wanted, tests: placed, whole, fold: FOLD.test(said), phrase: unmask(own, quoted) });
  };
  for (const clause of clausesOf(text)) {
    const told = TOLD_BY.exec(clause)?.[1];
    const last = claims.at(-1);
    if (told !== undefined && last !== undefined) {
      add(last.wanted, told);
      continue;
    }
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

/** "Skip the placeholders; you can tell them by `x` in the column y". */
const TOLD_BY =
  /^(?:and )?(?:(?:you|one|we) (?:can )?|(?:they|these|those|it) (?:can|may|are to) be )?(?:tell|told|recogni[sz]ed?|know|known|spot|spotted|identify|identified)(?: them| these| it)? (?:by|from) (?:the |their |its )?(.+)$/i;

const SECOND = new RegExp(
  `^(.*?${HARD}.*?),? (?:(?:and )?(?=(?:with|whose|of|in|that have|which have|having) )|and (?=the ))((?:(?:with|whose|of|in|that have|which have|having) )?(?:the |an? )?[a-z][\\w-]*(?: [a-z][\\w-]*)?(?: (?:is|are))? ${HARDS})$`,
);

/** "Items called `x` with the part number `y`": both have to hold. */
function readAll(phrase: string, quoted: readonly string[]): ReturnType<typeof readTests> {
  const first = readTests(phrase, quoted);
  const [, front = "", behind = ""] = SECOND.exec(phrase) ?? [];
  if (front === "" || first.tests.length !== 1 || /\b(?:or|than|between|from)\b/.test(front)) return first;
  const isTold = ({ tests }: typeof first): boolean =>
    tests.length === 1 && tests.every((one) => !one.plain && one.how !== "amount" && one.texts.length > 0);
  const [one, two] = [
    readTests(front, quoted),
    readTests(`items ${behind.replace(/^(?=the )/, "with ")}`, quoted),
  ];
  const isBoth = isTold(one) && isTold(two) && one.tests[0]?.texts.join() !== two.tests[0]?.texts.join();
  return isBoth ? { tests: [...one.tests, ...two.tests], whole: one.whole && two.whole } : first;
}

/** "Keep X and leave out the rest"; alone the rest is what the sentence before does not speak of. */
function withoutRest(said: string, head: Masked, before: string | undefined): Claim[] {
  const isAlone = head.text.trim() === "" && before !== undefined;
  const { text, quoted } = isAlone ? mask(before) : head;
  const phrase = text
    .replace(
      /^(?:please |we (?:want|need) |take |keep |extract |report |list |collect |find |get |select |pick |only )+/i,
      "",
    )
    .replace(/[.;:,\s]+$/, "")
    .trim();
  if (phrase === "") return [];
  const { tests, whole } = readTests(phrase, quoted);
  const own = { wanted: true, tests, whole, fold: FOLD.test(said), phrase: unmask(phrase, quoted) };
  return isAlone
    ? [
        { said: before, ...own },
        { said, ...own },
      ]
    : [{ said, ...own }];
}

const ASKS =
  /\b(?:extract|take|find|collect|pick|report|list|keep|only|wanted|want|needs?|count|counts|of interest|select|violation)\b/i;

/** "Extract the settings whose value is not the default": two parts compared, in a sentence that says what is wanted or not. */
function inComparison(said: string, { text, quoted }: Masked, isTitle: boolean): Claim[] {
  const compared = comparedParts(text, quoted);
  const isOut = saysUnwanted(text);
  if (compared === undefined || !(isTitle || isOut || ASKS.test(text))) return [];
  const wanted = !isOut || /^\s*(?:only|just)\b/i.test(text);
  const isUnless = /\bunless\b/i.test(text);
  return [{ said, wanted: wanted !== isUnless, tests: [compared], phrase: said, whole: true, fold: false }];
}

/** "If …, leave it out", "the code has to be 5". */
function inCases(said: string, { text, quoted }: Masked): Claim[] {
  return casesOf(text, quoted).map(({ wanted, condition }) => {
    const { tests, whole } = readTests(condition, quoted);
    return {
      said,
      wanted,
      tests,
      whole,
      fold: FOLD.test(said),
      phrase: unmask(condition, quoted),
      isCase: true,
    };
  });
}

const BARE =
  /^(?:the |all )?[A-Za-z-]+(?: [a-z-]+)? (?:with|whose|in|of|having) (?:the |an? |its |their )?[^:]+$/;
const VERB =
  /\b(?:no|none|not|nothing|play|stay|should|must|appear|is|are|was|were|be|has|have|had|can|may|will|do|does|stands?|gives?|shows?|begins?|starts?|ends?|follows?|comes?|means?|tells?|says?|prints?|lists?|written|printed|separated|shown|see|like)\b/i;

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
    if (test.how === "blank" || test.how === "letters" || test.than !== undefined) return [];
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
