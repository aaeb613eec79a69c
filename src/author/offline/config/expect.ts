// Whether section 2 wants the items found (present) or takes each of them for a violation (absent), for types 1 and 4.

/** "No step may be missing", "the list must not be empty": two negations that ask for something. */
const DOUBLE_NEGATIONS: RegExp[] = [
  /\b(?:must|may|shall|should|can|cannot|has to|have to)(?: not| never|n't)? (?:never |not )?(?:be|stay|remain) (?:empty|missing|absent|left out|lost|skipped|omitted)\b/gi,
  /\b(?:is|are) (?:not|never) (?:empty|missing|absent|left out|lost|skipped|omitted)\b/gi,
  /\bno(?:ne|thing)?\b[^.;]{0,40}? (?:must|may|shall|should|can|is allowed to) (?:be (?:missing|absent|left out|lost|skipped|omitted|without an? (?:entry|record))|lack|miss)\b/gi,
];

const FINDING = "(?:violation|failure|finding|error|problem|defect|offence|issue|fault|fail)s?";
const MODAL =
  "(?:may|must|shall|should|can|could|ought to|is to|are to|has to|have to|needs? to|is allowed to|are allowed to)";

/** Words that make each item a violation. */
const ABSENT: RegExp[] = [
  new RegExp(`\\b(?:is|are|counts? as|means|be) (?:an? |each an? )?${FINDING}\\b`, "i"),
  /\beach (?:one|item|record|such [\w-]+|of them)? ?is an?\b|\bevery [\w -]{0,30} is an?\b/i,
  /\bviolations?\b.*\b(?:each|every|all|any)\b|\b(?:each|every|all|any)\b[^.;]*\b(?:violations?|violates?)\b/i,
  new RegExp(`\\bone ${FINDING} (?:per|for each|for every)\\b`, "i"),
  /\b(?:no|not any|without|zero|free of)\b[^.;]{0,40}\b(?:error|violation|warning|item|entr|line|record|match|failure|such|offen|finding|complaint)/i,
  new RegExp(`\\b${MODAL} (?:not|never)\\b|\\bcannot\\b`, "i"),
  // "No session may have ended by a crash", "nothing of this kind may be in the log", "none may be left".
  new RegExp(`\\b(?:no|none|nothing|not (?:a single|one|any))\\b[^.;]{0,60}?\\b${MODAL}\\b`, "i"),
  new RegExp(
    `\\b${MODAL} (?:have|contain|show|report|give|list|hold|log|be|find|yield) (?:no|none|nothing|zero|without|free of)\\b`,
    "i",
  ),
  /\bexpect(?:ed|s)?\b[^.;]{0,20}\b(?:none|nothing|no|zero)\b|\b(?:none|nothing|zero|no \w+) (?:is |are |was |were )?(?:expected|wanted|acceptable|accepted|allowed|tolerated|permitted)\b/i,
  new RegExp(`\\b${MODAL} (?:be|stay|remain) (?:all )?(?:clean|empty|absent|none)\\b`, "i"),
  /\bno\b[^.;]{1,50}\b(?:is|are) (?:acceptable|allowed|tolerated|permitted|accepted)\b/i,
  /\bnot allowed\b|\bforbidden\b|\b(?:is|are) (?:clean|not permitted|prohibited|banned)\b|\bdon't[- ]use\b|\bno such\b/i,
  /\bfails? (?:if|when|on|with) (?:any|an?|one|there)\b|\bany (?:such )?(?:item|record|line|match|entry|finding|hit)s? (?:is|fails|means)\b/i,
  // "Not a single one is tolerated", "errors are not acceptable", "passes only if no drive with errors is found".
  /\bnot (?:a single|one|any|even one)\b[^.;]{1,60}\b(?:is|are|was|were|be|being) (?:tolerated|acceptable|accepted|allowed|permitted|expected|found|seen|there|left|listed|reported|present)\b/i,
  /\b(?:is|are) (?:not|never|in no case) (?:acceptable|accepted|tolerated|tolerable|admissible|permissible|ok|okay|all right)\b|\bunacceptable\b|\bintolerable\b/i,
  /\b(?:passes|clean|passed|succeeds|ok|met|fulfilled|satisfied) only (?:if|when|where|as long as|while) (?:no|none|nothing|not (?:a single|one|any))\b/i,
  /\bnothing (?:of (?:this|the|that) (?:kind|sort)|like (?:it|this|that)|such)\b/i,
];

const PRESENT =
  /\bmust (?:be (?:seen|present|found|reported|listed|there|visited|loaded|named|in)|have|exist|appear|contain|run|show|occur|include)|\bat least one\b|\bhave been seen\b|\bexpected\b|\brequired\b|\bneeds? to (?:be|appear)\b|\bexist/i;

export type Wish = "present" | "absent" | "unsaid" | "unclear";

/**
 * Reads section 2 of a page of type 1 or 4.
 * @param text its words without quoted texts
 * @returns `unclear` when it says something of the kind that is not understood
 */
export function readExpect(text: string): Wish {
  const plain = DOUBLE_NEGATIONS.reduce((rest, one) => rest.replace(one, " required "), text);
  if (ABSENT.some((one) => one.test(plain))) return "absent";
  if (PRESENT.test(plain)) return "present";
  const own = plain.replace(
    /\btype\s*\d\b|\b(?:no|without|not|nothing)\b(?: \w+){0,2} (?:patterns?|search|waivers?|to search for)\b|\bpatterns? (?:are |is )?not used\b/gi,
    " ",
  );
  return /\b(?:no|not|none|nothing|never|without|zero|free|clean|empty|n't)\b/i.test(own)
    ? "unclear"
    : "unsaid";
}
