// What a page says of records that are not wanted comes in many words ("belong to another team", "have an item of their
// own", "`Total` is no corner", "…, so leave them out"). Put into the plain ones: "… are not wanted."

import { stem, stemsOf, wordsOf } from "./names.ts";
import { quotedIn, type Statement } from "./text.ts";
import { turned } from "./turns.ts";

const CHECK =
  "(?:items?|pages?|checks?|lists?|reports?|reviews?|rules?|tickets?|teams?|groups?|owners?|projects?|places?)";
const WHO = `(?:somebody else|someone else|anybody else|others|(?:an)?other (?:[a-z]+ )?${CHECK}|(?:an? )?(?:different|separate|second|neighbouring|own) ${CHECK}|(?:its|their) own ${CHECK}|(?:an? )(?:[a-z]+ )?${CHECK} of (?:its|their) own)`;
const BE = "(?:is|are|was|were|gets?|(?:can|may|should|must|will|has to|have to) be)";
const LEFT =
  "(?:simply |just |therefore |also |safely )?(?:ignored|skipped|dropped|omitted|excluded|discarded|disregarded|passed over|filtered out|left (?:out|aside|away|alone)|let be|not wanted)";
const DONE =
  "(?:handled|covered|treated|checked|counted|reported|looked (?:at|after|into)|watched|tracked|dealt with|reviewed|listed|monitored|judged|examined|followed up|taken care of|collected|found|kept)";
/** What may follow a verdict. */
const TAIL =
  "(?: (?:here|for us|in this item|on this page|in this list|either|too|at all|for now|any ?more|by design|as well|anyway|in any case))*";
const WHY = "(?:,? (?:since|because|as|for) .*|: (?:they|it|these|those|this) .*|, (?:they|it|these) .*)?";

/** Verdicts in other words, each the whole predicate of a clause. */
const VERDICTS = [
  `belongs? (?:to|on|in|into|with) ${WHO}`,
  `(?:goes?|comes?|belongs?) (?:elsewhere|somewhere else)`,
  `goes? (?:to|on|into) ${WHO}`,
  `${BE} ${DONE} (?:elsewhere|separately|somewhere else|on (?:its|their) own|(?:by|in|on|with|at|under) ${WHO})`,
  `(?:has|have|gets?) (?:an? )?(?:its own|their own|separate|own) ${CHECK}`,
  `(?:has|have|gets?) an? (?:[a-z]+ )?${CHECK} of (?:its|their) own`,
  `${BE} (?:somebody else|someone else|others?|another [a-z]+|the [a-z]+)(?:'s|') (?:business|concern|matter|job|problem|task|affair)s?`,
  `${BE} (?:somebody else|someone else)'s`,
  `${BE} not (?:ours|for us|our (?:own|business|concern|matter|job|problem|code)|under our control|in our hands)`,
  `${BE} (?:exempt(?:ed)?(?: from (?:this|it|the check))?|excepted|let be|off limits|of no account|outside (?:of )?(?:the |this )?(?:scope|check|item)|not looked (?:at|for|into)|not considered|not worth [a-z ]+|nothing (?:to worry about|to report|we (?:look after|look at|care about|need|want|report|check)|for (?:us|this item|this list)))`,
  `(?:needs?|deserves?|wants?) no (?:attention|report|item|action|look|entry)`,
  `${BE} too [a-z]+ to (?:matter|count|report|care(?: about)?|worry(?: about)?|mention|be of interest|be [a-z]+ed|be taken)`,
  `(?:does|do) not (?:concern|interest|bother) (?:us|anyone|anybody)`,
  `${BE} (?:only |just |merely )?(?:an? |the )?(?:mere |plain )?(?:grand )?(?:summary|totals?|sums?|subtotals?|headings?|headers?|footers?|comments?|separators?|repetitions?|duplicates?|placeholders?|averages?)(?: (?:lines?|rows?))?(?: (?:of|for|over) (?:the |all |all the )?[a-z]+)?`,
];
const VERDICT = new RegExp(
  `^(?<subject>.+?),? (?<and>(?:and|so|thus|therefore) )?(?:${VERDICTS.join("|")})${TAIL}${WHY}$`,
  "i",
);

/** "Is up to date and left out": what is said besides says nothing about which. */
const BESIDE = new RegExp(
  `^(?<subject>.+?)(?<! (?:that|which|who|not)) (?:is|are) (?:[^,;‹]{1,60}?),? (?:and|so) (?:therefore |so |thus |hence )?(?:${LEFT}|not (?:of interest|wanted|counted|needed|reported|taken|an item|items|relevant))${TAIL}${WHY}$`,
  "i",
);

/** "Is no corner", "are not units of their own", "is a sum, not a test". */
const NOUN_VERDICT =
  /^(?<subject>.+?),? (?<and>(?:and|so|thus|therefore) )?(?:is|are|was|were) (?:[^,;‹]{1,50}, (?:and |but )?(?:not|no)|not|no|never|none of|not one of|not among)(?: (?:an?|the|any))?(?: (?:real|proper|actual|true|genuine|own))? (?<noun>[a-z][a-z-]*(?: [a-z][a-z-]*)?)(?: of (?:its|their) own| in (?:our|this|that|the proper) sense| (?:at all|here|either|proper|itself|themselves|for us))*$/i;
const NONE =
  /^(?<subject>.+?),? (?<and>(?:and|but) )?(?:is|are) (?:none|not one)(?: of (?:them|these|those))?$/i;

/** "…, so leave it out", "…: skip such rows", "…; ignore them, and `x` as well". */
const ORDER =
  /^(?<subject>.+?)(?:,? (?:and )?(?:so|therefore|hence|thus)|[:;]|,? and) (?:please )?(?:(?:skip|ignore|omit|drop|exclude|discard|disregard|pass over|leave out) (?:it|them|these|those|such(?: [a-z]+)?|these [a-z]+|those [a-z]+)|leave (?:it|them|these|those|such(?: [a-z]+)?) (?:out|aside|away|alone)|(?:do not|don't|never) (?:take|report|list|count|read) (?:it|them|these|those|such(?: [a-z]+)?))(?:,? (?:and|as well as) (?:the |also )?(?<more>[^,;]+?)(?: as well| too|, too)?)?$/i;

/** Words that no page means when it says that something is none. */
const GENERIC = new Set(
  stemsOf(
    "number line text name file column field value time date row table part first last place list page log report order",
  ).values(),
);

/** What records are called: in the title, and in what is said of the value. */
export function recordNouns(statements: readonly Statement[]): ReadonlySet<string> {
  const title = statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  const value = statements.flatMap(
    ({ text }) => /^\W*(?:the )?values?\b[^:]{0,20}:\s*([^.;("`]*)/i.exec(text)?.[1] ?? [],
  );
  const all = stemsOf(`${title.replace(/`[^`]*`|"[^"]*"/g, " ")} ${value.join(" ")}`);
  return new Set([...all].filter((one) => one.length > 2 && !GENERIC.has(one)));
}

/** The sentence with its verdicts in plain words; the same where it has none. */
export function withPlainVerdict(sentence: string, nouns: ReadonlySet<string>): string {
  if (sentence.length > 400) return sentence;
  const spans = quotedIn(sentence);
  const masked = maskedIn(sentence);
  if (ABOUT_PARTS.test(masked)) return sentence;
  const plain = inClauses(masked, nouns);
  return plain === masked
    ? sentence
    : plain.replace(/‹(\d+)›/g, (_all, index: string) => {
        const span = spans[Number(index)];
        return span === undefined ? "" : sentence.slice(span.start, span.end);
      });
}

/** Does the sentence say which records are wanted without naming them first? */
export function takesTurn(sentence: string): boolean {
  return turned(maskedIn(sentence).replace(/[.;]\s*$/, "")) !== undefined;
}

/** The sentence with its quoted texts as ‹number›. */
function maskedIn(sentence: string): string {
  let masked = "";
  let at = 0;
  for (const [index, span] of quotedIn(sentence).entries()) {
    masked += `${sentence.slice(at, span.start)}‹${index}›`;
    at = span.end;
  }
  return masked + sentence.slice(at);
}

/** What a page says of its parts, not of its records. */
const ABOUT_PARTS =
  /^\s*(?:the |its |their )?(?:values?|fields?|columns?|line(?: number)?|‹\d+›|[\w ]{1,20})\s*(?::\s|=)(?!.*\b(?:skip|ignore|leave|drop|omit)\b)|^\s*(?:the )?(?:values?|fields?|line number)\b/i;

function inClauses(text: string, nouns: ReadonlySet<string>): string {
  const end = /[.;]\s*$/.exec(text)?.[0] ?? "";
  const body = text.slice(0, text.length - end.length);
  const turn = turned(body);
  if (turn !== undefined) return `${turn}${end}`;
  const order = ORDER.exec(body)?.groups;
  // "Some messages name no file; skip them": what the clause says tells them.
  const isSome = /^(?:some|many|most|several|a few|others?|there|if|when|where|a|an)\b/i.test(
    order?.["subject"] ?? "",
  );
  if (
    order?.["subject"] !== undefined &&
    !isPronoun(order["subject"]) &&
    (!isSome || HARD.test(headOf(order["subject"])))
  )
    return `${listed(headOf(order["subject"]), order["more"])} are not wanted${end}`;
  const clauses = body.split(/;\s+/);
  return `${clauses.map((one) => inClause(one, nouns)).join("; ")}${end}`;
}

function listed(subject: string, more: string | undefined): string {
  return more === undefined ? subject : `${subject} and ${more}`;
}

function inClause(clause: string, nouns: ReadonlySet<string>): string {
  // "Nor are rafts": as the sentence before says of others.
  const nor =
    /^(?:nor|neither) (?:are|is|do|does) (?<subject>.+?)(?: (?:wanted|counted|count|needed|of interest))?$/i.exec(
      clause,
    )?.[1];
  if (nor !== undefined && isFit(nor)) return `${nor.charAt(0).toUpperCase()}${nor.slice(1)} are not wanted`;
  const groups =
    VERDICT.exec(clause)?.groups ??
    BESIDE.exec(clause)?.groups ??
    NONE.exec(clause)?.groups ??
    ofNoun(clause, nouns);
  const { subject, and } = groups ?? {};
  // "-1 means that a step was not run" says what a text means.
  const isMeaning = /\b(?:means?|stands for) (?:that )?(?:an?|the|no|this|it|there)\b/i.test(subject ?? "");
  // "The first factor is called 1FA and is not wanted".
  const isCalled =
    !/[‹\d]|\b[A-Z]{2,}/.test(subject ?? "") &&
    /^ (?:is|are) (?:called|named|labell?ed|marked|printed|shown|written|listed)\b[^,;]* and\b/i.test(
      clause.slice((subject ?? "").length),
    );
  if (subject === undefined || isMeaning || isCalled || !isFit(subject)) return coordinated(clause);
  return coordinated(`${and === undefined ? subject : headOf(subject)} are not wanted`);
}

/** What may be said not to be wanted: no pronoun, no condition, no part. */
function isFit(subject: string): boolean {
  return (
    !isPronoun(subject) &&
    // "…, nor is the summary": two subjects.
    !/\b(?:nor|neither|so|it|they|this|these|are not wanted)$/i.test(subject) &&
    !/^(?:if|when|where|unless|only|but only|for|in|on|at|there|note that)\b/i.test(subject) &&
    subject.split("(").length === subject.split(")").length
  );
}

function isPronoun(subject: string): boolean {
  return /^(?:and |but )?(?:it|they|this|that|these|those|both|which|what|he|she|we|you|i)$/i.test(
    subject.trim(),
  );
}

function ofNoun(clause: string, nouns: ReadonlySet<string>): Record<string, string | undefined> | undefined {
  const groups = NOUN_VERDICT.exec(clause)?.groups;
  const noun = groups?.["noun"] ?? "";
  const own = stem(wordsOf(noun).at(-1) ?? "");
  const isNoun = nouns.has(own) || /^(?:items?|records?|findings?|entr(?:y|ies))$/i.test(noun);
  return isNoun ? groups : undefined;
}

const COORDINATED = new RegExp(
  `^(?<subject>.+?),? and (?:so |thus |therefore |hence )?(?:(?:is|are) (?:${LEFT}|not (?!always|necessarily|every|yet|known|printed|shown|given|set|present|there)[a-z ]+|of no [a-z]+)|(?:does|do) not (?:count|matter))${TAIL}$`,
  "i",
);

/** "Fillers draw no current and are left out": what the first verb says tells nothing about which. */
function coordinated(clause: string): string {
  const subject = COORDINATED.exec(clause)?.groups?.["subject"];
  if (subject === undefined) return clause;
  const head = headOf(subject);
  // "The messages themselves, as they appear in the course of the log, have no count": nothing else tells them.
  const tells =
    /[‹(\d]|\b[A-Z]{2,}/.test(head) ||
    (head.split(" ").length <= 3 && !/^(?:some|many|most|several|others?|an?|the)\b/i.test(head));
  // "An empty place has the model N.A. and is left out": by that text it is told.
  const isTold =
    !/[‹\d]|\b[A-Z]{2,}/.test(head) &&
    /‹|(?<![\w-])\d*[A-Z][A-Z.\d]+(?![\w-])|\b(?:have|has|shows?) (?:an? |the )?(?:empty|blank|missing)\b/.test(
      subject.slice(head.length),
    );
  return head === subject || !tells || isTold ? clause : `${head} are not wanted`;
}

const FUNCTION =
  /^(?:the|an?|all|any|some|every|each|no|of|in|on|at|by|to|from|for|with|without|under|below|above|behind|before|after|between|about|like|as|than|into|over|and|or|nor|but|not|that|which|who|whose|where|when|if|is|its|their|these|those|this|other|another|such|only|both|own)$/i;
const FOLLOWS =
  /^(?:the|an?|no|all|any|its|their|up|out|off|down|to|from|with|on|in|at|as|what|that|something|nothing|it|them|here|there|elsewhere|only|just|merely|for|by|one|more|again|twice|‹.*)$/i;
const AUX =
  /^(?:is|are|was|were|has|have|had|does|do|did|can|cannot|may|will|must|should|means?|comes?|belongs?|stands?|repeats?|tells?|says?|follows?|explains?|shows?|gives?|contains?|lists?|draws?|carr(?:y|ies)|runs?|makes?|holds?|needs?|uses?|adds?|sums?|goes?|exists?|occurs?|appears?|happens?|announces?|describes?|counts?|serves?|only|just|merely|simply|never|always)$/i;

/** A text of the log: quoted, in capitals, or with letters and digits. */
const HARD = /‹|\b[A-Z]{2,}\b|\b(?=\w*\d)(?=\w*[A-Z])\w+\b/;

/** The head of a sentence: all in front of its finite verb; the whole where none is found. */
export function headOf(text: string): string {
  const words = text.split(" ");
  let depth = 0;
  let inClause = false;
  for (const [index, word] of words.entries()) {
    const open = depth > 0;
    depth += word.split("(").length - word.split(")").length;
    if (open || depth > 0 || index === 0) continue;
    if (/^(?:that|which|who|whose|where)$/i.test(word)) inClause = true;
    if (FUNCTION.test(word) && !/^(?:is|only)$/i.test(word)) continue;
    const before = words[index - 1] ?? "";
    if (/^(?:that|which|who|where|not|to)$/i.test(before)) continue;
    const isNoun = !FUNCTION.test(before.replace(/[.,)]+$/, "")) || before.endsWith(")");
    if (!isNoun) continue;
    const next = words[index + 1] ?? "";
    const isVerb =
      AUX.test(word) ||
      (/^[a-z]+$/.test(word) &&
        !/(?:ed|ing|ly|wn|en|[^o]ne)$|^(?:built|made|found|held|left|sent|set|put|cut|kept|told|said|meant|lost|bound)$/.test(
          word,
        ) &&
        FOLLOWS.test(next) &&
        (/s$/.test(word) ? !/s$/.test(before) || before.endsWith("›") : /[s›)]$/.test(before)) &&
        // "Warnings in tests", "rows of totals": nouns behind one another.
        !/^(?:of)$/i.test(next));
    if (!isVerb) continue;
    // The verb of a clause with "that" is not the main one.
    if (inClause) {
      inClause = false;
      continue;
    }
    const head = words.slice(0, index).join(" ").replace(/,$/, "");
    // The text that tells which stays in.
    const isLost = HARD.test(text.slice(head.length)) && !HARD.test(head);
    return isLost ? text : head;
  }
  return text;
}
