// Which side a clause of the page is on: does it speak of records that are wanted, or of such that are not, and of which?
// The words for "wanted" and "not wanted" stand here.

import { splitList } from "./text.ts";

/** What says of its subject that it is not wanted. */
const NOT_WANTED = [
  "(?:not|never) (?:to be |be )?(?:wanted|needed|required|counted|taken|read|listed|reported|extracted|included|considered|relevant|interesting|asked for|of (?:any )?(?:interest|use|concern)|meant|part of (?:this|it)|(?:our|your|my) (?:concern|business|matter|problem))",
  "(?:unwanted|irrelevant|uninteresting|unimportant|fine|ok|okay|all right|in order|healthy|harmless|normal|clean|(?:mere |just |only )?noise|(?:some(?:one|body) else|others|another team)'s? (?:business|concern|matter)|out of scope|beside the point)",
  "(?:(?:to be |be |all )?(?:ignored|skipped|dropped|omitted|excluded|discarded|disregarded|passed over|filtered out|left (?:out|aside|away)))",
  "(?:of no (?:interest|use|concern|importance|relevance))",
  "(?:handled|treated|covered|checked|judged|dealt with|looked after|taken care of) (?:elsewhere|separately|somewhere else|by (?:another|someone|somebody|others)|in another|on another)",
  "(?:no|not an?|not) (?:items?|records?|findings?|results?|hits?|entries|errors?|violations?|offences?|remarks?|candidates?|cells?|parts?|matches?|ones)(?=$|[.,;:)]| (?:here|for us|either|and|but)\\b)",
].join("|");
const BE =
  "(?:is|are|was|were|should|must|shall|need|can|has to|have to|do|does)(?: (?:also|likewise|therefore|thus|all|both|here|simply))?";
/** An order, not a noun: "drop counters" are counters. */
const DROP =
  "drop(?= (?:the|all|any|it|them|these|those|every|each|such|lines?|rows?|records?|entries|items?|everything|anything|whatever|what|‹))";
/** All that may follow a subject to say that it is not wanted. */
const SAYS = `(?:(?:${BE})\\s+(?:(?:an? |the |only |just )?[a-z]+(?: (?:of|for|from|by|in) (?:the |an? )?[a-z]+)? and (?:so |thus |therefore |hence )?(?:are |is )?)?(?:${NOT_WANTED})|(?:do|does)(?: not|n't) (?:count|matter|belong|interest|concern|bother|apply)(?: us| here)?|(?:do|does|should|must|shall|may|can)(?: not|not|n't) (?:appear|show up|turn up|be (?:there|in it|among them))|adds? nothing|(?:play|plays) no (?:role|part)|(?:stay|stays|drop|drops|fall|falls|is|are) out|(?:belong|belongs|go|goes) elsewhere|(?:has|have) nothing to do with (?:it|this|that))(?![\\w-])`;
const PREDICATE = new RegExp(`^(.+?),?\\s+(?:and\\s+)?${SAYS}`, "i");
const ORDERS = `(?:(?:skip|ignore|omit|exclude|${DROP}|discard|disregard|filter out|pass over|do without|pay no attention to)|leave (?:[a-z]+ ){0,3}?(?:out|aside|away)|(?:do not|don't|never) (?:take|report|list|count|read|include|extract|want|care about|worry about|bother with|bother about|look at|consider|collect|keep|return))\\b`;
const UNWANTED = new RegExp(
  `\\b(?:${SAYS}|not wanted\\b|unwanted\\b)|(?:^|[.;:,] |\\band |\\bbut |\\bplease )${ORDERS}`,
  "i",
);

/** Does a sentence without its quoted texts say of something that it is not wanted? */
export function saysUnwanted(plain: string): boolean {
  return UNWANTED.test(plain);
}
const IMPERATIVE = new RegExp(
  `^(?:please |but |and |so )?(?:(?:skip|ignore|omit|exclude|${DROP}|discard|disregard|leave (?:out|aside|away)|filter out|pass over|do without|pay no attention to|(?:do not|don't|never) (?:take|report|list|count|read|include|extract|want|(?:care|worry) about|bother (?:with|about)|look at|mind|consider|collect|keep|return)|(?:we|you) (?:do not|don't) (?:want|need|count|take|report|look at|care about)|take (?:none|no(?=\\s)))\\s+(?:of )?(.+)|(?:leave|filter|sort|keep) (.+?) (?:out|aside|away)(?! of\\b))`,
  "i",
);
export const PRONOUN =
  /^(?:these|those|them|they|it|this|that|such(?: (?:ones|lines|rows|records|entries))?|both)$/i;

/** What a sentence is about: all in front of its verb. */
export function subjectOf(text: string): string {
  const at =
    /(?<!^[Tt]here)\s(?:(?:only|also|just|merely|simply|never) )?(?:is|are|was|were|says?|repeats?|tells?|have|has|belongs?|comes?|counts?|reads?|looks?|hands?|stands?|follows?|means?)\b/.exec(
      text,
    );
  const own = at === null ? text : text.slice(0, at.index);
  return own.replace(/^there (?:is|are|was|were) (?:also )?/i, "");
}

/** Cuts at semicolons, and where another subject begins. */
export function clausesOf(text: string): string[] {
  return text
    .split(
      /;\s+|,?\s+(?=nor\b)|,\s+(?=(?:and )?neither\b)|,\s+(?=(?:but |and )?(?:not|no)\s)|\s+[-–—]\s+(?=not\b)|,\s+(?=(?:and )?(?:nothing else|no others?)\b)|,?\s+(?:and|but)\s+(?=(?:ignore|skip|omit|drop|disregard|exclude|so (?:is|are|do|does))\s)/i,
    )
    .map((one) => one.replace(/[.;]\s*$/, "").trim())
    .filter((one) => one !== "");
}

export interface Phrase {
  wanted: boolean;
  phrase: string;
}

/** The phrases of a clause that its polarity holds for. */
export function phrasesOf(clause: string, last: boolean | undefined): Phrase[] {
  const isAlso = /\b(?:as well(?! as\b)|too|also wanted|wanted also|likewise wanted)\b[^,]*$/i.test(clause);
  if (isAlso && !/\bnot\b|\bno\b/i.test(clause)) return [];
  // "Whatever else is said about `x` is ignored" says nothing of x.
  if (/^(?:whatever|anything|everything|all|nothing) else\b/i.test(clause)) return [];
  const unless =
    /^(?:please )?(?:take|report|list|extract|collect|find|keep|we (?:want|need))\b.*?,? unless (?:its |their |the |it |they )([^,]+)$/i.exec(
      clause,
    )?.[1];
  if (unless !== undefined) return [{ wanted: false, phrase: `rows whose ${unless}` }];
  const dropped = ordered(clause, last) ?? excepted(clause);
  if (dropped !== undefined) return dropped.map((phrase) => ({ wanted: false, phrase }));
  const kept = limited(clause) ?? OF_INTEREST.exec(clause)?.[1] ?? onlyPhrase(clause);
  if (kept !== undefined) return conjuncts(kept).map((phrase) => ({ wanted: true, phrase }));
  const unwanted = PREDICATE.exec(clause);
  const subject = ownSubject(unwanted?.[1] ?? "").replace(/^(?:but|and|also|all) /i, "");
  // What stands in brackets is said beside the way, and an order has no subject.
  const isSubject = count(subject, "(") === count(subject, ")") && !ORDER.test(subject);
  if (unwanted !== null) return isSubject ? [{ wanted: false, phrase: subject }] : [];
  const whose = WHOSE.exec(clause);
  return whose === null ? [] : [{ wanted: true, phrase: whose[0] }];
}

/** "The row Design stands for all of them and is no item": what is said of a row that is named tells nothing more. */
function ownSubject(subject: string): string {
  const own = subjectOf(subject);
  const named = /‹\d+›|(?<!^)\b[A-Z]/;
  return own !== subject &&
    named.test(own) &&
    !named.test(subject.slice(own.length)) &&
    !/\b(?:that|which|whose|if|when)\b/.test(subject)
    ? own
    : subject;
}

/** "Skip X", "not X", "nor X", "not wanted: X, Y". */
function ordered(clause: string, last: boolean | undefined): string[] | undefined {
  const telegram = DROPPED_FRONT.exec(clause) ?? DROPPED_BEHIND.exec(clause);
  if (telegram !== null) return splitList(telegram[1] ?? "");
  const so = /^so (?:is|are|do|does) (.+)$/i.exec(clause)?.[1];
  if (so !== undefined && last === false) return [so];
  const nor = /^(?:and )?(?:nor|neither)\s+(?:(?:is|are|do|does|should)\s+)?(.+)$/i.exec(clause);
  if (nor !== null && last !== true) return [nor[1] ?? ""];
  const not = /^(?:but |and )?(?:not|no)\s+(?!(?:only|every|all|always|each|longer|matter|one)\b)(.+)$/i.exec(
    clause,
  )?.[1];
  const front = not?.split(/\b(?:that|which|whose|where)\b/i)[0] ?? "";
  if (not !== undefined && !/\b(?:is|are|was|were|has|have)\b(?! (?:in|of|on)\b)/i.test(front)) return [not];
  // "Ignore bans in the jail x: they repeat earlier ones."
  const order = IMPERATIVE.exec(clause.replace(/:\s+(?:they|it|these|those|this|that|such|the)\b.*$/i, ""));
  return order === null ? undefined : also(order[1] ?? order[2] ?? "");
}

/** "All X except Y", "X aside", "X, which we do not need". */
function excepted(clause: string): string[] | undefined {
  const except =
    /^(?:please |.*[:,] )?(?:we (?:want|need) |take |extract |report |list |collect |find |keep |wanted (?:is|are) )?(?:all|every|any|everything|anything|each)\b(.*?),?\s+(?:except(?: for)?|but(?: not)?|other than|apart from|save(?: for)?|besides)\s+(.+?)(?: (?:is|are) (?:an? )?(?:wanted|taken|of interest|items?|records?))?$/i.exec(
      clause,
    );
  if (except !== null) return [`${(except[1] ?? "").trim()} ${except[2] ?? ""}`.trim()];
  // "Entries of level INFO aside, everything is wanted", "all entries, minus those of level INFO".
  const aside =
    /^(.+?) (?:aside|apart|excepted|excluded)(?:,.*)?$/i.exec(clause)?.[1] ??
    /^(?:take |we want )?(?:all|every|everything)\b.*?,? (?:minus|bar|save|less|without) (?:those |the ones )?(.+)$/i.exec(
      clause,
    )?.[1];
  if (aside !== undefined && !ORDER.test(aside)) return [aside];
  const which =
    /^(.+?),? (?:which|that|whom|who) (?:we|you|nobody|no one) (?:(?:do|does) not |don't |doesn't )?(?:needs?|wants?|reports?|counts?|takes?|cares? about|asks? for)$/i.exec(
      clause,
    )?.[1];
  const isNot = /\bnot\b|n't|nobody|no one/i.test(clause);
  return which !== undefined && isNot ? [subjectOf(which)] : undefined;
}

const LIMITS = [
  /^(?:please )?(?:(?:restrict|limit|confine) (?:(?:yourself|this|it|that|the (?:list|search|result|extraction)) )?to|(?:we are|i am) (?:only |just )?interested (?:only |just )?in|we (?:only|just) (?:care about|want|need|look at|look for|count)|what (?:counts|matters) (?:is|are)(?: only)?)\s+(.+?)(?: alone| only)?$/i,
  /^(.+?) (?:are|is) (?:the (?:ones?|entries|records|rows|lines)|what) (?:that )?we (?:want|need|are after|look for)$/i,
  /^(?:out )?of (?:all|the|these|those)(?: [a-z]+){0,2},? (?:only|just) (.+?)(?: (?:is|are) (?:wanted|taken|of interest|needed|meant))?$/i,
];

/** "Restrict yourself to X", "X are the ones we want", "of all entries just X". */
function limited(clause: string): string | undefined {
  return LIMITS.map((form) => form.exec(clause)?.[1]).find((one) => one !== undefined);
}

/** "Not wanted: …", "Lists without the remark: skip". */
const DROPPED_FRONT =
  /^(?:not wanted|unwanted|not|excluded|left out|not of interest|not needed|to be (?:ignored|skipped|left out)|ignored|(?:skip|ignore|leave out|omit|drop|exclude)[^:,;‹]{0,30}?)(?: here)?(?: are| is)?:\s+(?!(?:they|it|these|those|this|that|such|the)\b)(.+)$/i;
const DROPPED_BEHIND =
  /^(.+?):\s*(?:please )?(?:skip|ignore|leave out|leave (?:them|it) out|omit|drop|not wanted|no (?:items?|records?)|unwanted|of no interest|to be (?:ignored|skipped))(?: (?:them|it|these|those))?$/i;

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
  /^(?:please )?(?:(?:extract|take|find|collect|keep|want|pick|get|give)\b|(?:report|list|read|show|use) (?:the|all|each|every|only|just|any|it|them|these|those|what|an?)\b)/i;
/** "Everything whose key has `x` in it", "all lines that begin with `x`". */
const WHOSE =
  /\b(?:everything|anything|all(?: the)?(?: [a-z]+){0,2}|every [a-z]+|any [a-z]+|each [a-z]+|those|the ones) (?:whose|that (?:begin|start|end|contain|carry|have|are (?:called|named|marked|set))|containing|beginning|starting|ending)\b.*$/i;

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

const ASKED =
  "(?:are|is) (?:wanted|items?|records?|taken|counted|needed|of interest|meant|reported|considered|listed|to be (?:taken|read|reported|listed))|(?:count|matter)(?=$|[.,;)]| (?:here|as|for)\\b)";

/** "Only X (are wanted)", "X only", "nothing but X", "just X", "X, nothing else". */
function onlyPhrase(clause: string): string | undefined {
  const first =
    /^(?:(?:please |so |and |of (?:it|them|these|those) |here |but )*)?(?:(?:take|keep|extract|report|read|list|count|find|collect|wanted (?:are|is)|we want|it is) )?(?:only|just|nothing but|exclusively|solely)\s+(?!(?:if|when|where there|once|then|after|before)\b)(.+)$/i.exec(
      clause,
    );
  if (first !== null) return (first[1] ?? "").replace(new RegExp(`\\s+(?:${ASKED})\\b.*$`, "i"), "");
  const alone = /^(?:the |all )?(.+?),? (?:and|but) (?:nothing|no one|none|no other\w*)(?: else)?$/i.exec(
    clause,
  );
  if (alone !== null)
    return (alone[1] ?? "").replace(
      /^(?:please |we (?:want|need) |take |report |list |extract |collect |find )+(?:the )?/i,
      "",
    );
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
