// Sentences with a "not" that say how the log is, and rule no record out: "the port is not printed when it is the usual
// one", "the rows are not sorted", "names do not repeat".

import { NEGATIVE } from "./text.ts";

const SAYS_LITTLE =
  "(?:always |necessarily |yet |really |actually |otherwise |further |even |themselves |itself |in itself |any more |(?:a |the )?(?:separate|proper) )*";

/** What is said of a part or of the layout. What is said of records ("not wanted", "not an error") is not among it. */
const FACT = new RegExp(
  "\\b(?:is|are|was|were)(?:n't| not|,? never) " +
    SAYS_LITTLE +
    "(?:printed|shown|displayed|given|known|set|stated|specified|there|present|available|quoted|padded|sorted|ordered|aligned|indented|unique|repeated|filled|written|logged|counted from|case|translated|cut|wrapped|shortened|truncated|rounded|escaped|zero|empty|blank|constant|fixed|stable|reset|resolved|split|grouped|separated|followed|preceded|visible|part of (?:it|its|the|that|this)|in (?:any |a )?(?:particular |fixed |strict )?order|the same)\\b" +
    "|\\b(?:do|does|did)(?:n't| not) " +
    SAYS_LITTLE +
    "(?:have|carry|show|print|name|give|tell|say|mean|repeat|depend|change|affect|alter|differ|vary|contain|include|stop|end|start|begin|exist|know|use|need|follow|fit|add up|overlap|refer|reset|say|distinguish|stand|come)\\b" +
    "|\\bnever (?:has|have|appears?|occurs?|contains?|changes?|repeats?|empty|blank|missing|printed|shown|more|less|longer)\\b" +
    "|\\b(?:(?:has|have|is|are|with|there (?:is|are)) no (?:fixed|particular|set|certain|special)\\b|no (?:particular|fixed) (?:order|width|place))" +
    "|\\b(?:hold|holds|have|has|contain|contains) no (?:records?|items?|entr(?:y|ies)|such)\\b" +
    "|\\bno matter (?:what|how|which|where|whether)\\b|\\bnot (?:only|every|all|always|necessarily)\\b",
  "gi",
);

/** What asks for records restricts them by what they are not. */
const ASKS =
  /\b(?:extract|take|find|collect|report|list the|only|just|wanted|we (?:want|need)|whose|those|keep|counts?)\b|\b(?:that|which|who) (?:is|are|was|were|do|does|did|have|has|never)\b/i;

/** Does a sentence, without its quoted texts, rule something out? */
export function rulesOut(plain: string): boolean {
  if (!NEGATIVE.test(plain)) return false;
  return ASKS.test(plain) || NEGATIVE.test(plain.replace(FACT, " "));
}

/** "Only one partition or none has the boot star": how many there are, not which are wanted. */
export function isAmount(plain: string): boolean {
  if (ONLY_CAN.test(plain) || ONLY_FILE.test(plain)) return true;
  return (
    ONLY_SOME.test(plain) &&
    !/\b(?:wanted|taken|counts?|matters?|of interest|items?|records?|needed|considered|reported)\b/i.test(
      plain,
    )
  );
}

/** "Only the owner can change it", "only the log itself is read": of people and files. */
const ONLY_CAN =
  /^\W*only [^,;:]*? (?:can|could|may|might|will|would|is able to|are able to) (?!be (?:wanted|taken|counted|read|reported|considered|extracted|an? )|count\b|matter\b)[a-z]+/i;
const ONLY_FILE =
  /^\W*only (?:the|this|that|one|its) (?:[a-z]+ )?(?:logs?|files?|reports?|output|listing)(?: itself)? (?:is|are) (?:read|looked at|used|needed|of interest|considered|opened|given)\b/i;

const ONLY_SOME =
  /^\W*only (?:one|two|three|four|some|a few|few|very few|a handful|half|part of|the first|the last)\b.*\b(?:has|have|had|is|are|was|were|shows?|carry|carries|gives?|prints?|names?|contains?|ends?|begins?)\b/i;

/** "Only this table": what the page has just shown. */
export function isThisOnly(plain: string): boolean {
  return /^\W*only (?:this|that|these|those|the one|the ones)(?: (?:one|ones|table|list|section|part|file|report|block|rows?|lines?|entries|records))?\W*$/i.test(
    plain,
  );
}

/** "The log begins with `x`", "at the end stands `y`", "the first lines (`z`) only say ...": behind what is said of value and fields. */
export function isFrame(plain: string): boolean {
  return (
    FRAME.test(plain) &&
    !/\b(?:wanted|counts?|taken|included|items?|records?|forms?|variants?)\b/i.test(plain)
  );
}

const FRAME =
  /\b(?:log|file|report|output|listing|run)s? (?:begins?|starts?|opens?|ends?|closes?) with\b|^\W*at (?:the|its) (?:very )?(?:end|start|beginning|top|bottom)\b[^.;]*\b(?:stands?|comes?|is|are|follows?|prints?)\b|^\W*(?:the|its) (?:very )?(?:first|last|opening|closing) (?:few |two |three )?(?:lines?|rows?)\b/i;

/** "Between the records stand lines such as `x`", "the tool also prints `y`": lines that are shown by the way. */
export function isAside(plain: string): boolean {
  return (
    ASIDE.test(plain) &&
    !/\b(?:wanted|counts?|taken|included|records? (?:as well|too)|items?|forms?|variants?|likewise|same)\b/i.test(
      plain,
    )
  );
}

const ASIDE =
  /^\W*(?:in )?(?:between|among|amid|around|near|beside|besides|next to) (?:the |these |those |its |all |two )?(?:records?|entries|rows|findings|messages|results?|blocks?|them)\b|\b(?:tool|log|report|program|output|file|script|run|job|console) also (?:prints?|has|contains?|writes?|shows?|gives?|holds?|carries|logs?)\b|\b(?:there are|the log has|you will (?:see|find)|one (?:sees|finds)) also (?:lines|messages|entries|rows|remarks|notes)\b/i;

/** "Which only tells where one is": this "only" restricts nothing. */
export function withoutMere(plain: string): string {
  return plain.replace(
    /\b(which|that|who|it|they|these|those|this|and|but) (?:only|just|merely|simply) (?=(?!if\b|when\b|where\b|with\b|of\b|the\b|those\b|in\b|on\b|an?\b|one\b|as\b|once\b)[a-z]+)/gi,
    "$1 ",
  );
}
