// A condition on one part of a record, in the words of a page, taken apart as a whole: "entries with another state than `x`",
// "those that show `x` as their state", "its state is anything but `x`". What does not fit in full is no such condition.

/** Such a condition. */
export interface Condition {
  /** What the records are called. */
  subject: string;
  /** The noun of the part. */
  of: string;
  /** Its texts, quoted ones as ‹number›. */
  texts: string[];
  /** Records that fulfil it have none of the texts. */
  negate: boolean;
  /** How it has its texts, where it is not just one of them: begin, end, contain; or that it has none. */
  verb?: "begin" | "end" | "contain" | "blank";
  /** The article in front of the noun. */
  article?: string;
  /** Every reader knows these words as they are. */
  known: boolean;
}

const Q = "‹\\d+›";
/** Nouns whose text follows them in plain words: "with state down". */
const STATES =
  /(?:state|status|type|kind|class|severity|level|mode|result|action|rank|role|category|priority|protocol|outcome|verdict|phase|health|condition|direction|policy|target|facility|jail|flag|answer)s?$/i;
/** Words that are no text of a part. */
const NO_TEXT =
  /^(?:the|an?|its|their|this|that|these|those|it|they|not|no|none|any|all|each|every|other|another|than|of|in|on|at|by|to|from|for|with|without|as|and|or|nor|but|is|are|was|were|be|been|has|have|had|given|known|set|shown|printed|listed|named|called|there|here|missing|empty|blank|absent|present|equal|different|same|higher|lower|greater|less|more|most|least|larger|smaller|above|below|over|under|between|behind|before|after|one|two|three|only|also|just|wanted|taken|counted|unknown to|what|which|who|whose|where|when|if|unless|something|anything|nothing|everything|either|neither|both|zero|positive|negative|odd|even|wrong|right|so|too|very|text|number|word|name|plain|itself|line|lines|row|rows|column|columns|field|fields)$/i;
const WORD = "[A-Za-z][\\w.:/+-]*";
const TEXT = `(?:${Q}|[+-]?\\d[\\w.:%-]*|${WORD})`;
const LIST = `(?<list>(?:either |neither |exactly |one of |the word |the text )?${TEXT}(?:(?:, or |, and |, nor |, | or | and | nor )${TEXT})*)`;
const OF = `(?:column |field |key )?(?<of>${Q}|[A-Za-z%][\\w%-]*(?: [a-z][\\w-]*){0,2}?)(?: (?:column|field|key))?`;
const NAMED =
  "(?!(?:that|which|who|whose|with|without|of|in|on|at|are|is|have|has|having|not|printed|shown|reported|marked|listed|given)\\b)";
const SUBJECT = `(?<subject>(?:(?:the|all|any|every|each|those|these|such|an?) )*(?:${NAMED}[A-Za-z][\\w-]*(?: ${NAMED}[a-z][\\w-]*)?)|)`;
const ART = "(?:the |its |their |an? )?";
const NOT =
  "(?<not>not |never |neither |other than |anything but |anything other than |anything else than |anything else but |something other than |different from |unequal to )?";
const IS = "(?:is|are|was|were|reads?|says?|shows?|equals?|stands at|has been)";
/** "Requests without a method", "lines whose owner is missing". */
const MISSING = [
  new RegExp(
    `^${SUBJECT} ?(?:without|lacking|with no|that (?:have|has|show|name|give) no|that lack|which (?:have|has) no|(?:has|have|shows|names|gives) no) ?(?<article>an? |any |the )?(?<of>[a-z][\\w-]*(?: [a-z][\\w-]*)?)$`,
    "i",
  ),
  new RegExp(
    `^${SUBJECT} ?(?:whose|where the|where its) (?<of>[a-z][\\w-]*(?: [a-z][\\w-]*){0,2}?) (?:is|are) (?:empty|blank|missing|not (?:given|set|known|printed|there)|absent|unset)$`,
    "i",
  ),
];
/** How a part begins, ends, or what it contains. */
const HOW =
  "(?<verb>begin(?:s|ning)? (?:with|in)|start(?:s|ing)? (?:with|in)|end(?:s|ing)? (?:with|in)|contain(?:s|ing)?|includ(?:es?|ing))(?: the (?:word|text|letters?))?";
/** "The state x". */
const BARE = new RegExp(`^${ART}${OF} (?:of )?${NOT}${LIST}$`, "i");
/** The forms, and whether every reader knows it as it is. */
const FORMS: [RegExp, boolean][] = [
  // "entries whose state is not x", "those where the state says x".
  [
    new RegExp(
      `^${SUBJECT} ?(?:whose|(?:where|(?:in|for|of|on) which) ${ART})\\s?${OF} ${IS} ${NOT}${LIST}$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^${SUBJECT} ?(?:whose|(?:where|(?:in|for|of|on) which) ${ART})\\s?${OF} (?<not>differs? from|does not (?:read|say|equal|show)|do not (?:read|say|equal|show)) ${LIST}$`,
      "i",
    ),
    false,
  ],
  // "its state is not x", "the state must not be x".
  [
    new RegExp(
      `^(?:the|its|their) ${OF} (?:${IS}|(?:must|has to|have to|needs to|should|shall) (?:be|read|say|show|equal)) ${NOT}${LIST}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(
      `^(?:the|its|their) ${OF} (?<not>differs? from|(?:must|should|shall) not (?:be|read|say|show|equal)|does not (?:read|say|equal|show)) ${LIST}$`,
      "i",
    ),
    false,
  ],
  // "entries whose name begins with x", "names that do not end with x", "its name contains x".
  [
    new RegExp(
      `^${SUBJECT} ?(?:whose|(?:where|(?:in|for|of|on) which) ${ART})\\s?${OF} (?<not>(?:does|do) not )?${HOW} ${LIST}$`,
      "i",
    ),
    true,
  ],
  [
    new RegExp(
      `^(?:the|its|their) ${OF} (?<not>(?:(?:does|do|must|should|shall|may) ?not )|(?:must |has to |have to )?)${HOW} ${LIST}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(
      `^${SUBJECT} ?(?:with|having) ${ART}${OF} (?<not>not )?(?:that (?:does )?)?${HOW} ${LIST}$`,
      "i",
    ),
    false,
  ],
  // "entries with another state than x".
  [
    new RegExp(
      `^${SUBJECT} ?(?:with|of|in|having|that have|which have|that are (?:in|of)|that show|under|at) (?:an? |any |the )?(?<not>other|another|different) ${OF} than ${LIST}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(
      `^${SUBJECT} ?(?:with|of|in|having|that have|which have|that are in|that show) (?:an? |any |the )?${OF} (?<not>other than|but|except|different from) ${LIST}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(
      `^(?:any|every|each|all|an?) (?:other )?${OF} (?<not>but|except|other than|than|different from) ${LIST}$`,
      "i",
    ),
    false,
  ],
  // "those that do not have the state x", "entries not in state x".
  [
    new RegExp(
      `^${SUBJECT} ?(?<not>that do not have|that does not have|that have not|which do not have|who do not have|that are not in|that is not in|not in|not of|not with|that lack) ${ART}${OF} ${LIST}$`,
      "i",
    ),
    false,
  ],
  // "those that show x as their state", "printed with x as state", "marked x in the state", "given as x in the state".
  [
    new RegExp(
      `^${SUBJECT} ?(?:that (?:show|have|read|carry|say|are (?:marked|shown|listed|printed|given)(?: with| as)?)|which (?:show|have)|(?:shows|has|reads|carries|says)|with|having|showing|(?:printed|reported|shown|listed|marked|given|flagged|tagged)(?: with| as| by)?) ${LIST} (?:as|in|for|under) ${ART}${OF}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(
      `^${SUBJECT} ?without (?:an? |any |the )?(?:proper |real |known |valid |usable |good )?${OF}, (?:printed|shown|listed|given|marked|written|reported) (?:as|with) ${LIST}$`,
      "i",
    ),
    false,
  ],
  [
    new RegExp(
      `^${SUBJECT} ?with ${ART}${OF} (?:printed|shown|listed|given|written|reported|set) (?:as|to) ${LIST}$`,
      "i",
    ),
    false,
  ],
  // "x is their state", "x as state", "x in the state".
  [new RegExp(`^${LIST} (?:is|are|stands as|stands in|stands as) (?:the|its|their) ${OF}$`, "i"), false],
  [new RegExp(`^${LIST} (?:as|in|for) ${ART}${OF}$`, "i"), false],
  // "entries with the state x", "an entry in order has the state x", "state x".
  [
    new RegExp(
      `^${SUBJECT} ?(?:with|of|in|having|that have|which have|that are (?:in|of)|that show|(?:reported|printed|shown|listed|marked) with|has|have|under|at) ${ART}${OF} (?:of )?${NOT}${LIST}$`,
      "i",
    ),
    true,
  ],
  [BARE, true],
];

/** What is no name of a part. */
const NO_PART =
  /^(?:lines?|rows?|records?|entr(?:y|ies)|items?|messages?|ones?|those|blocks?|files?|sections?|tables?|reports?|logs?|paths?|form|number|order|place|list|directory|page|version|time|front|brackets?|parentheses|quotes|case|end|start|beginning|title|heading|words?|texts?|letters?|part|example|columns?|fields?|values?|what|it|they|to be|that|which|shows?|has|have|printed|shown|marked|option|range|the|an?|sentence|overview|summary|capture|header|metrics?|details|lists?|cells?|groups?|servers?)$/i;
/** What no name of a part is, or ends with. */
const NO_NAME =
  /^(?:lines?|rows?|records?|entr(?:y|ies)|items?|ones?|those|what|it|they|to be|that|which|the|an?|shows?|has|have|printed|shown|marked|first|second|third|fourth|fifth|last|next|other|same)$|\b(?:named|called|titled|marked|flagged|tagged|labell?ed|printed|shown|under|below|behind|above|after|before|without|between|set|to|both|own|still|plain)$|\b(?:is|are|was|were|that|which|whose|who|with|of|in|on|at|by|from|than|and|or|but|not|as|shows?|reads?|says?|other|another|different|any)\b/i;
/** What a record may be called, or said to be, in front of its condition. */
const NO_SUBJECT =
  /\b(?:is|are|was|were|that|which|whose|who|with|without|of|in|on|at|by|from|than|and|or|but|not|as|if|unless|when|where|other|others|another|only|no|nothing|none|first|last|next|more|further|part|section|table|file|list|below|above)\b/i;

/** The condition; undefined where the words say something else, or more. */
export function conditionOf(words: string, sentence: string): Condition | undefined {
  const missing = missingOf(words.trim());
  if (missing !== undefined) return missing;
  const text = words.trim().replace(/^(?:(?:only|just|all of|any of|each of) )+/i, "");
  for (const [form, known] of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined || !isFit(groups, /\bwhose\b|^(?:its|their)\b/i.test(text))) continue;
    const { of = "", list = "", subject = "", verb } = groups;
    const isState = STATES.test(of);
    // "The summary `x`" is no part: a noun right in front of its text is one of state, kind or the like.
    if (form === BARE && !isState) continue;
    const texts = list
      .replace(/^(?:either|neither|exactly|one of|the word|the text) /i, "")
      .split(/, or |, and |, nor |, | or | and | nor /);
    if (!texts.every((one) => isText(one, isState, sentence))) continue;
    const not = NOT_WORDS.test(groups["not"] ?? "") ? groups["not"] : undefined;
    const isPlain = texts.every((one) => one.startsWith("‹") || /^[A-Z][A-Z\d_-]+$|\d/.test(one));
    return {
      subject: subjectOf(subject),
      of,
      texts,
      negate: not !== undefined,
      ...verbOf(verb),
      known: known && isPlain && (not === undefined || /^not /i.test(not)),
    };
  }
  return undefined;
}

const NOT_WORDS = /\bnot|n't|other|differ|lack|but|except|than|never|neither|else|unequal/i;

/** "Requests without a method". */
function missingOf(words: string): Condition | undefined {
  const groups = MISSING.map((form) => form.exec(words)?.groups).find((one) => one !== undefined);
  // "It has no owner" says it of what the sentence before speaks of.
  if (
    groups === undefined ||
    !isFit(groups, false) ||
    /^(?:it|they|this|that)$/i.test(groups["subject"] ?? "")
  )
    return undefined;
  const { of = "", subject = "", article } = groups;
  const own = { subject: subjectOf(subject), of, texts: [], negate: false, known: true };
  return { ...own, verb: "blank", ...(article === undefined ? {} : { article }) };
}

/** Can the noun be a part, and the subject records? */
function isFit({ of = "", subject = "" }: Record<string, string | undefined>, isOwn: boolean): boolean {
  if (NO_NAME.test(of.trim()) || (!isOwn && NO_PART.test(of.trim()))) return false;
  return subject === "" || !NO_SUBJECT.test(subject);
}

function isText(one: string, isState: boolean, sentence: string): boolean {
  return (
    new RegExp(`^${Q}$`).test(one) ||
    /^[A-Z][A-Z\d_-]+$|\d|\w_\w/.test(one) ||
    // The first word of a sentence is always in capitals.
    (/^[A-Z]/.test(one) && !sentence.startsWith(one)) ||
    (!NO_TEXT.test(one) && isState && /^[a-z][\w-]+$/.test(one))
  );
}

function verbOf(verb: string | undefined): Pick<Condition, "verb"> {
  const word = verb?.toLowerCase() ?? "";
  if (/^(?:begin|start)/.test(word)) return { verb: "begin" };
  if (/^end/.test(word)) return { verb: "end" };
  return /^(?:contain|includ)/.test(word) ? { verb: "contain" } : {};
}

/** What the records are called: "records" where the words only point at them. */
function subjectOf(subject: string): string {
  const isRecord =
    /^(?:the |all |any |every |each |these |such )*(?:what|everything|anything|those|ones|it)?$/i.test(
      subject,
    );
  return isRecord ? "records" : subject.replace(/^(?:the|all|any|every|each|those|these|such|an?) /i, "");
}
