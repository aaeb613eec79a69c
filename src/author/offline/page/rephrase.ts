// Sentences that say by one part which records are wanted, in whatever words ("unless its state is `x`, a line does not
// count", "any state but `x` is left out"), put into the words that all readers know: "Only records whose state is `x`."
// A sentence is taken only where all of it is understood; every other one stays as it is.

import { type Condition, conditionOf } from "./rephrase-conditions.ts";
import { quotedIn, restated, type Statement } from "./text.ts";
import { recordNouns, takesTurn, withPlainVerdict } from "./verdicts.ts";

/** What stands for any record. */
const ANY =
  "(?:it|they|these|those|(?:an?|the|every|each|any|such an?|all|that|this|those)?\\s?(?:such )?(?:whole |log )?(?:lines?|rows?|records?|entr(?:y|ies)|items?|messages?|ones?|blocks?|findings?))";
const NOT_TAKEN =
  "(?:(?:is|are|was|were|can be|may be|should be|must be|has to be|have to be|is to be|are to be|need to be|needs to be) (?:simply |just |therefore |also )?(?:ignored|skipped|dropped|omitted|excluded|discarded|disregarded|passed over|filtered out|left (?:out|aside|away|alone))|(?:is|are|was|were) (?:not|never|no|of no|none|noise|fine|harmless|irrelevant|unwanted|out of scope|nothing)\\b(?! in\\b)[^,;]*|(?:do|does) not (?:count|matter|belong|interest|concern)[^,;]*|need not be [a-z]+(?: up)?|(?:must|should|shall|may|can) ?not (?:be (?:taken|read|counted|reported|listed|there|in it|among them)|appear|show up|turn up)[^,;]*|(?:go|goes|belong|belongs) elsewhere|(?:belong|belongs) to (?:another|other|a different) (?:items?|pages?|checks?)|(?:is|are) (?:handled|covered|treated|checked|counted|reported|looked at) (?:elsewhere|by (?:another|other|a different) (?:items?|checks?|pages?))|means? (?:that )?(?:nothing|there is nothing|all is|it is|everything is)[^,;]*|(?:stay|stays|fall|falls) out)";
const TAKEN =
  "(?:(?:is|are) (?:all |only |the ones? |what is |what )?(?:wanted|needed|taken|counted|reported|items?|records?|findings?|of interest|meant|considered|listed|to be (?:taken|read|reported|listed|extracted)|we want|we need)(?: here)?|(?:is|are) (?:an?|the) (?:item|record|finding|hit)s?|counts?|matters?)";
const TAKE =
  "(?:please )?(?:take|keep|extract|report|read|list|count|find|collect|use|get|pick|select|return|we (?:want|need|look for|are after|care about|count|take)|(?:the|this) (?:item|check|page) (?:wants|needs|looks for|is about|counts)|wanted (?:is|are)|of interest (?:is|are)|what (?:counts|matters) (?:is|are))";
const LEAVE =
  "(?:please )?(?:(?:skip|ignore|omit|exclude|drop|discard|disregard|pass over|filter out|do without)|leave (?:out|aside|away|alone)|(?:do not|don't|never) (?:take|report|list|count|read|include|extract|want|keep|look at|bother with|care about)|we (?:do not|don't) (?:want|need|count|take|report|look at|care about)|not wanted(?: here)?(?: are| is|:)|unwanted(?: are| is|:)|no|not)";
const REST =
  "(?:,? (?:and|but) |[,;] )(?:(?:leave|drop|skip|ignore|omit|discard) (?:out )?)?(?:the |all |any |no |nothing |none )?(?:rest|others?|else|other ones|of the others|other (?:lines|rows|records|entries))(?: (?:is|are|do|does|out|away|aside)\\b[^,;]*)?";

/** Frames of a sentence: the condition, whether records that fulfil it are kept, and whether every reader knows the frame
 * as it is. */
const FRAMES: [RegExp, boolean, "known"?][] = [
  [new RegExp(`^unless (?<cond>.+?),? (?:${ANY}|the [a-z]+|an? [a-z]+) ${NOT_TAKEN}$`, "i"), true],
  [
    new RegExp(
      `^unless (?<cond>.+?), (?:then )?(?:leave (?:${ANY}|(?:the|an?|that|this) [a-z]+) (?:out|aside|away|alone)|${LEAVE}(?: (?:${ANY}|(?:the|an?|that|this) [a-z]+))?(?: out| aside| away| alone)?)$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^(?:leave ${ANY} (?:out|aside|away|alone)|${LEAVE}(?: (?:${ANY}|(?:an?|the|every|each) [a-z]+))?(?: out| aside| away)?),? unless (?<cond>.+)$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^(?:${ANY}|(?:an?|the|every|each|all)? ?[a-z]+),? unless (?<cond>(?:its|their|the) .+?), ${TAKEN}$`,
      "i",
    ),
    false,
  ],
  [new RegExp(`^(?:${ANY}|(?:an?|the|every|each|all)? ?[a-z]+) ${TAKEN},? unless (?<cond>.+)$`, "i"), false],
  [
    new RegExp(
      `^(?:${ANY}|(?:an?|the|every|each|all)? ?[a-z]+) ${TAKEN},? (?:only |just )?(?:if|when|where|as long as|provided(?: that)?|if and only if) (?<cond>.+)$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^${TAKE} (?:${ANY}|(?:an?|the|every|each|all)? ?[a-z]+),? (?:if and only if|only if|only when|only where|as long as|provided that) (?<cond>.+)$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^only (?:if|when|where) (?<cond>.+?),? (?:(?:is|are) )?(?:${ANY}|(?:an?|the) [a-z]+) (?:${TAKEN}|wanted|counted|taken|reported|of interest|an? (?:item|record|finding))$`,
      "i",
    ),
    true,
  ],
  [
    /^(?:there is|we have|you have) nothing to (?:report|take|list|do|extract),? (?:if|when|where) (?<cond>.+)$/i,
    false,
  ],
  [
    /^(?:if|when|where) (?<cond>.+?),? (?:then )?there is (?:nothing|no [a-z]+)(?: to (?:report|take|list|do|extract))?$/i,
    false,
  ],
  // "All others than those with …", "any state but …", "whatever its state, except …".
  [new RegExp(`^(?:all|any|the) others? than (?<cond>.+?) ${NOT_TAKEN}$`, "i"), true],
  [/^(?:leave out|skip|ignore|drop|omit|exclude) (?:all|any|the) others? than (?<cond>.+)$/i, true],
  [
    new RegExp(
      `^(?:${ANY}|[a-z]+) ${TAKEN},? whatever (?:its|their|the) (?<of>[a-z][\\w ]{1,20}?)(?: is| are)?,? (?:except|but not|other than|save) (?<list>.+)$`,
      "i",
    ),
    false,
  ],
  // "Those with … are wanted, the others are not."
  [new RegExp(`^(?:only )?(?<cond>.+?) ${TAKEN}${REST}$`, "i"), true],
  [new RegExp(`^${TAKE} (?:only |just |all )?(?<cond>.+?)${REST}$`, "i"), true],
  [
    new RegExp(
      `^(?:out )?of (?:all|the|these|those)(?: [a-z]+){0,2}, (?:only |just )?(?<cond>.+?)(?: ${TAKEN})?$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^(?<cond>(?:the|its|their) [a-z][\\w ]{1,24}? (?:must|has to|have to|needs to|should|shall)(?: not)? (?:be|read|say|show|equal) .+?)(?:,? or (?:else )?(?:${ANY}|the [a-z]+) ${NOT_TAKEN})?$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^(?:the|its) (?<of>[a-z][\\w ]{1,24}?) of (?:${ANY}|(?:an?|the|every|each) [a-z]+) that (?:counts?|matters?|is wanted|are wanted|is of interest) (?:is|reads|says) (?<list>.+)$`,
      "i",
    ),
    true,
  ],
  // Orders and verdicts.
  [/^we (?:only|just) (?:want|need|look for|are after|care about|count|take|report) (?<cond>.+)$/i, true],
  [new RegExp(`^(?<cond>(?:any|every) .+? (?:but|except|other than) .+?) ${TAKEN}$`, "i"), true],
  [
    new RegExp(
      `^(?<cond>.+?) (?:aside|excepted|apart),? (?:all|every[a-z]*|any[a-z]*)(?: [a-z]+)? ${TAKEN}$`,
      "i",
    ),
    false,
  ],
  // "An empty place has the model x and is left out."
  [
    new RegExp(
      `^(?:an?|every|each|the) (?<subject>[a-z][\\w-]*(?: [\\w-]+){0,3}) (?<cond>(?:has|shows|reads|says) .+?)(?: (?:if|when|where) it [^,;]+?)?,? and (?:so |thus |therefore |hence )?${NOT_TAKEN}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(`^(?:${TAKE} )?(?:only|just|nothing but|exclusively|solely) (?<cond>.+?)(?: ${TAKEN})?$`, "i"),
    true,
    "known",
  ],
  [new RegExp(`^(?:${TAKE}) (?<cond>.+?),? (?:only|alone)$`, "i"), true, "known"],
  [/^wanted (?:is|are) (?:only )?(?<cond>.+)$/i, true],
  [/^(?:restrict|limit|confine) (?:yourself|this|it|the (?:list|search)) to (?<cond>.+)$/i, true, "known"],
  [
    new RegExp(
      `^(?:${TAKE} )?(?:all|every|everything|each|any)\\b[^,]*?,? (?:except(?: for)?|but(?: not)?|apart from|save|besides) (?<cond>(?:those|the ones|such|all|any|with|what) .+?)(?: ${TAKEN})?$`,
      "i",
    ),
    false,
  ],
  [new RegExp(`^${LEAVE} (?<cond>.+?)(?: out| aside| away| alone)?$`, "i"), false, "known"],
  [/^leave (?<cond>.+?) (?:out|aside|away|alone)$/i, false],
  [
    new RegExp(
      `^(?<cond>(?:those|the ones|entries|records|rows|lines|[a-z]+s)? ?without an? (?:proper|real|known|valid) .+? ${NOT_TAKEN.replace("(?:(?:is", "(?:(?:is")})$`,
      "i",
    ),
    false,
  ],
  [new RegExp(`^(?<cond>.+?),? (?:and )?(?:so |thus |therefore )?${NOT_TAKEN}$`, "i"), false, "known"],
  // "Requests without a method were not understood and are left out."
  [
    new RegExp(
      `^(?<cond>.+?) (?:is|are|was|were|has|have|had|comes?|do|does|did|belongs?|stands?|repeats?|only) (?<aside>[^,;]+?),? and (?:so |thus |therefore |hence )?${NOT_TAKEN}$`,
      "i",
    ),
    false,
  ],
  // "Take the sensors that are out of bounds, that is with state x or y."
  [
    new RegExp(
      `^${TAKE} .+?,? (?:that is|that means|i\\.e\\.|namely|meaning),? (?:to say )?(?<cond>(?:(?:those|the ones|all) )?(?:with|whose|where|in|of|having) .+)$`,
      "i",
    ),
    true,
  ],
  [new RegExp(`^(?<cond>.+?) ${TAKEN} only$`, "i"), true, "known"],
  [new RegExp(`^${TAKE} (?<cond>(?:all|every|each|the|those|any) .+)$`, "i"), true, "known"],
  [/^(?<cond>every .+)$/i, true],
];

const PLAIN_VERDICT =
  /^(?:(?:is|are) (?:not (?:wanted|needed|counted|items?|records?|of interest|an item)|ignored|skipped|left out|excluded)|(?:do|does) not count)$/i;

const MEANING = /(‹\d+›|(?<![\w-])[\w-]+) \([a-z][a-z -]*\)(?=,| or | and |[.;]?$)/g;
const NUMBER = "[-+]?\\d[\\d.,]*(?<![.,])%?";
const EXCEEDS = new RegExp(
  `\\b(exceeds?|goes (?:above|over)|falls below|stays below) (${NUMBER})(?![\\w:-])`,
  "gi",
);
const AMOUNT = new RegExp(
  `(?<![\\w‹])(?:(?:at least|at most|above|over|more than|greater than|higher than|larger than|longer than|beyond|below|under|less than|fewer than|lower than|smaller than|no more than|no less than) ${NUMBER}|${NUMBER} (?:or|and) (?:more|above|higher|over|greater|larger|longer|less|below|lower|fewer|under|smaller|shorter))(?![\\w:-])`,
  "gi",
);

/** "… means that nothing is wrong; such entries are skipped." */
const ONCE_MORE = new RegExp(
  `(\\bmeans? [^;]*?)(?:; |, (?:and |so )?)(?:such|these|those|they)(?: [a-z]+)? ${NOT_TAKEN}$`,
  "i",
);

/** What a page says of its parts, not of its records. */
const ABOUT_PARTS =
  /^\s*(?:the |its |their )?(?:item'?s )?(?:values?|fields?|line(?: number)?|‹\d+›|[\w ]{1,20})\s*(?::|=|\(‹)|^\s*(?:the )?(?:item'?s )?(?:values? (?:is|are)|fields? (?:is|are)|line number)\b/i;

/** "A length of 100 um or more": the unit says nothing of the comparison. */
const WITH_UNIT =
  /(?<=\d) ?(?:[unpm]?m|km|[munp]?s|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|[kKMGT]i?B|bytes?|bits?|percent|[kMG]?Hz|[mu]?[VAW]|[pf]F) (?=(?:or|and) (?:more|above|higher|over|greater|longer|larger|less|below|lower|fewer|under|shorter|smaller)\b)/g;

/** "Its toggle count, TC, is 0": the same part once more. */
const ONCE_MORE_NAMED =
  /(\b(?:its|whose|the) [a-z][\w ]*), [A-Z][A-Z\d_]*,(?= (?:is|are|has|have|reads|says|begins|ends|contains) )/g;

/** The statements with such sentences put into plain words. */
export function rephrased(
  statements: readonly Statement[],
  nouns: ReadonlySet<string> = recordNouns(statements),
): Statement[] {
  return statements.map((statement, number) => {
    const texts = statement.sentences.map(({ text }, index) => {
      const own = /`/.test(text) ? text : text.replace(WITH_UNIT, " ").replace(ONCE_MORE_NAMED, "$1");
      if (number === 0 && index === 0) return own;
      const plain = withPlainVerdict(own, nouns);
      // What is said in a turn may be a condition as it stands.
      const asItIs = takesTurn(own) ? inPlainWords(own) : undefined;
      return asItIs ?? inPlainWords(plain) ?? plain;
    });
    return texts.every((text, index) => text === statement.sentences[index]?.text)
      ? statement
      : restated(statement, texts);
  });
}

/** The sentence in plain words; undefined where it says something else, or more. */
export function inPlainWords(sentence: string): string | undefined {
  if (sentence.length > 260) return undefined;
  const { text, quoted } = masked(sentence);
  if (ABOUT_PARTS.test(text)) return undefined;
  const end = /[.;]\s*$/.exec(text)?.[0] ?? ".";
  const plain = text
    .replace(/[.;]\s*$/, "")
    // "…; such entries are skipped" says once more that they are.
    .replace(ONCE_MORE, (all, means: string) => (means === "" ? all : means))
    .replace(/^(?:but|and|so|also|here|then|please|note that),? /i, "")
    .replace(/\s+/g, " ")
    .trim();
  for (const [frame, keep, isKnown] of FRAMES) {
    const groups = frame.exec(plain)?.groups;
    // What it says by the way of texts or numbers may matter.
    if (groups === undefined || /[‹A-Z\d]/.test(groups["aside"] ?? "")) continue;
    const condition = conditionOf(groups["cond"] ?? `whose ${groups["of"]} is ${groups["list"]}`, plain);
    if (condition === undefined) continue;
    // Twice not, and verdicts in other words, are for one reader only.
    const isTwice = condition.negate && !keep;
    const verdict = plain.replace(groups["cond"] ?? "", "").trim();
    const isPlain = keep || /^(?:skip|ignore|leave out)\b/i.test(plain) || PLAIN_VERDICT.test(verdict);
    if (condition.known && isKnown === "known" && !isTwice && isPlain) return undefined;
    const isFirst = plain.startsWith(condition.of);
    return `${spelledOut({ ...condition, of: isFirst ? lower(condition.of) : condition.of }, keep, quoted)}${end}`;
  }
  return undefined;
}

/** The sentence with what is quoted, and amounts, as ‹number›. */
function masked(sentence: string): { text: string; quoted: string[] } {
  const quoted: string[] = [];
  let text = "";
  let at = 0;
  for (const span of quotedIn(sentence)) {
    text += `${sentence.slice(at, span.start)}‹${quoted.length}›`;
    quoted.push(sentence.slice(span.start, span.end));
    at = span.end;
  }
  // "Exceeds 5", "5 or more": an amount stands for a text.
  text = `${text}${sentence.slice(at)}`
    .replace(
      EXCEEDS,
      (_all, verb: string, than: string) => `${/^ex|^go/i.test(verb) ? "is above" : "is below"} ${than}`,
    )
    .replace(AMOUNT, (amount: string) => `‹${quoted.push(amount) - 1}›`);
  // "With state x (idle) or y (lost)": what the texts mean.
  const meanings = text.match(MEANING) ?? [];
  return { text: meanings.length > 1 ? text.replace(MEANING, "$1") : text, quoted };
}

/** The condition as a sentence about records that are wanted, or not. */
function spelledOut(condition: Condition, keep: boolean, quoted: readonly string[]): string {
  const { subject, of, texts, negate, verb, article = "" } = condition;
  const restore = (one: string): string =>
    one.replace(/‹(\d+)›/g, (_all, index: string) => quoted[Number(index)] ?? "");
  const all = texts.map((one) =>
    one.startsWith("‹") || /^[+-]?\d[\d.,]*%?$/.test(one) ? restore(one) : `\`${one}\``,
  );
  const list = [all.slice(0, -1).join(", "), all.at(-1) ?? ""].filter((one) => one !== "").join(" or ");
  const said =
    verb === "blank"
      ? `${subject} without ${article}${restore(of)}`
      : `${subject} whose ${restore(of)} ${spelledVerb(verb, keep && negate)} ${list}`;
  return keep || negate
    ? `Only ${lower(said)}`
    : `${said.charAt(0).toUpperCase()}${said.slice(1)} are not wanted`;
}

function lower(text: string): string {
  return text.replace(/^[A-Z](?=[a-z])/, (one) => one.toLowerCase());
}

/** "Begins with", "does not begin with". */
function spelledVerb(verb: string | undefined, negate: boolean): string {
  if (verb === undefined) return negate ? "is not" : "is";
  const one = verb.replace(/^(?:begin|start)$/, "begin with").replace(/^end$/, "end with");
  return negate ? `does not ${one}` : one.replace(/^\w+/, (word) => `${word}s`);
}
