// Whether a page says that some records lack a part: "may be blank", "there is none for ICMP", "not every client sends
// one", "only printed with -v", "where known".

const ABSENT =
  "(?:missing|absent|empty|blank|left out|omitted|dropped|not (?:there|given|printed|shown|present|set|known|sent|logged|recorded|available|named|stated))";
const GIVEN =
  "(?:there|given|printed|present|shown|known|set|sent|logged|recorded|available|named|stated|reported)";
const SEND =
  "(?:send|sends|sent|have|has|had|give|gives|print|prints|report|reports|show|shows|carry|carries|name|names|need|needs|bear|bears|get|gets|come|comes with)";

const SAYINGS: readonly RegExp[] = [
  /\boptional(?:ly)?\b|\bif (?:any|anything|something)\b|\bor (?:empty|blank|nothing|none)\b|\bsome lines\b/,
  new RegExp(`\\b(?:may|can|could|might) (?:also )?be (?:\\w+ )?${ABSENT}`),
  /\b(?:may|can|could|might) (?:have|lack|contain) (?:none|nothing|it)\b/,
  new RegExp(`\\b(?:sometimes|possibly|perhaps|often|usually|mostly) (?:is |are )?${ABSENT}`),
  new RegExp(`\\b${ABSENT} (?:where|when|if|unless|for|in|on|with|from)\\b`),
  new RegExp(
    `\\b(?:if|when|where|whenever|as far as|only if|only when|only where) (?:it is |they are |it was |one is )?${GIVEN}\\b`,
  ),
  /\b(?:if|when|where|whenever|unless|only if|only where) (?:there is|there are|the \w+ has (?!the\b)|it has(?! \w+ed\b)|they have(?! \w+ed\b)|one is|any)\b/,
  new RegExp(`\\b(?:if|when|where|whenever|unless) an? [\\w-]+ (?:is|was) ${GIVEN}\\b`),
  /\b(?:do(?:es)? not|don't|doesn't|never) have(?=[.,;)]|$)|\b(?:do(?:es)? not|don't|doesn't|never) (?:have|carry|print|show|give|name|get) (?:any|one|it|that|this field|these fields|the field)\b/,
  /\b(?:have|has|prints?|shows?|gives?|names?|carry|carries|get|gets) (?:none|no such)\b/,
  /\b(?:lack|lacks|go without|are without|is without) (?:it|one|them|this field|these fields|the field)\b/,
  /\b(?:form|kind|variant|layout|version|type) \d only\b/,
  /\((?:for )?(?:[\w-]+ ){0,2}[\w-]+s only\)/,
  /\b(?:if|when|where) (?:it|they) (?:is|are|was|were) (?!(?:the|an?|in|on|at|of|one|not|no)\b)[a-z]+/,
  /\bonly (?:if|when|where|some|with|for|in|on)\b/,
  new RegExp(`\\b${GIVEN} only\\b|\\bonly ${GIVEN}\\b`),
  /\bnot (?:always|(?:(?:in|on|for|with|by|at) )?(?:all|every|each))\b/,
  new RegExp(
    `\\b(?:some|a few|many|most|older|newer|others?)\\b(?: \\w+){0,3} (?:lack|lacks|omit|omits|${SEND} (?:none|no|nothing)|do(?:es)? not ${SEND}|without)\\b`,
  ),
  /\b(?:have|has|with|there (?:is|are|may be)|often|sometimes) (?:none|nothing)\b/,
  /\b(?:\w+ )?\w+s (?:have|has|with|lack) none\b/,
  /\b(?:now and then|from time to time|at times|once in a while|not there (?:before|until|yet)|(?:by|on|in|from) (?:one|some|few|two) of the [\w-]+ only)\b/,
  // "and, for customers, `id`", "and for guests the `room`".
  /^\(?and for (?!the\b|each\b|every\b|all\b)(?:[\w-]+ )?[a-z]+s\b/,
  /\bnone (?:for|in|on|where|when|if|with)\b/,
  /\b(?:lacks?|miss(?:es)?|without|have no|has no|do(?:es)? not have) (?:this|that|such an?|the) (?:field|part|piece)\b/,
  /\b(?:this|that|the) field (?:is|stays|remains) (?:then )?(?:missing|absent|empty|blank|left out|omitted)\b/,
  /\b(?:leave|drop|omit|skip) (?:it|them|the field) (?:out )?(?:where|when|if|unless)\b/,
  // "a session that is not up prints none", "others show no such line".
  new RegExp(`\\b${SEND} (?:none|no such \\w+)\\b`),
  // "if the client gave one", "where the tool knows it", "as far as the run has one".
  /\b(?:if|when|where|whenever|as far as) (?:the|an?|its|their|that|this) [\w-]+(?: [\w-]+)? [a-z]+ (?:one|any|it|some|such an? \w+)(?=[,.;)]|$)/,
  /\bfor (?:those|the ones|[a-z]+s) (?:that|which|who|whose|with)\b/,
  /^\W*(?:nothing|none) (?:if|when|where|for|with|in|on|unless)\b/,
  /\b(?:leave|drop|omit|skip) (?:it|them|the field) (?:out |away )?then\b/,
];

/** "If an exception follows": said of a part that is there or not, unless the sentence goes on with what stands there else. */
const FOLLOWS =
  /\b(?:if|when|where|whenever|only if|only when|only where) (?:an?|any|some) [\w-]+(?: [\w-]+)? (?:follows?|exists?|occurs?|applies|appears?|stands there|comes behind it|(?:is|was|were|are) (?:\w+ed|found|there|known|shown|given|sent|set))\b/i;
const ELSE = /\b(?:else|otherwise|instead|or the|or its|in other lines|in the others)\b/i;

/** Does what the page says about a part say that records may lack it? */
export function mayBeMissing(description: string): boolean {
  // "with its tag if it has one" says that what goes with the part may be missing, not the part.
  const own = description.replace(
    /\bwith (?:its|the|an?|their) [\w -]+?\b(?:if|when|where)\b[^,;.)]*|\b\w+ (?:included|as well|too),? (?:if|when|where)\b[^,;.)]*|\bdoes not belong to\b.*$|[^.;]*\bdoes not belong to it\b/gi,
    " ",
  );
  return (
    (FOLLOWS.test(own) && !ELSE.test(own)) ||
    SAYINGS.some((saying) => new RegExp(saying.source, "i").test(own))
  );
}

/** "And, where lines are missing, `x`", "for failed runs also `x`": what stands in front of a name in a list of parts says
 * which records have it. Where a mark of the line stands is a place. */
const LEAD = [
  /^(?:if|when|whenever|unless|in case|as far as|where(?!(?: \w+){0,4} (?:ends?|begins?|starts?|stands?|opens?|closes?|stops?)\b))\b/i,
  /^only (?:if|when|where|with|for|in|on|at)\b/i,
  /^(?:for|on|in case of|with) (?!(?:the|its|an?|all|each|every|both|these|which|that)\b)(?:[\w-]+ ){0,2}?(?:[a-z]+s|failure|success|error|timeout|request|demand)(?:,? (?:the|an?|also|as well))*$/i,
];

/** Does what stands in front of a name say that only some records have it? */
export function isSometimes(lead: string): boolean {
  const own = lead
    .replace(/^[\s,;–—-]*(?:(?:and|or|plus|but|then|also)[\s,]+)*/i, "")
    .replace(/[\s,;–—-]+$/, "");
  return own !== "" && LEAD.some((one) => one.test(own));
}
