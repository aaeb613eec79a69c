// Which pieces of a sentence say that records are wanted, and which that they are not: cues of either sign, wherever they
// stand. What a piece asks of a record is read elsewhere; a cue alone binds nothing.

export interface Cue {
  start: number;
  end: number;
  keep: boolean;
  isOrder: boolean;
}

/** A piece of a sentence with its sign; its cues are blanked, quoted texts stand as ‹number›. */
export interface Piece {
  keep: boolean;
  /** Only an order ("report the …") says so. */
  isOrder: boolean;
  text: string;
}

const AUX = "(?:is|are|was|were|be|being|get|gets|stay|stays|remain|remains)";
const ADVERB =
  "(?:simply|just|also|all|both|therefore|deliberately|always|again|still|to be|being|here|then|safely) ";
const LEFT =
  "(?:ignored|skipped|omitted|excluded|dropped|discarded|disregarded|filtered out|passed over|left out|left aside|left alone|forgotten|exempt(?:ed)?|waved through)";
const LEAVE =
  "(?:ignore|skip|omit|exclude|drop|discard|disregard|leave|filter out|pass over|forget(?: about)?|do without|disregarding|ignoring|skipping|excluding)";
const TAKEN =
  "(?:report(?:ed|able)?|list(?:ed)?|count(?:ed|s)?|take[ns]?|collect(?:ed)?|record(?:ed)?|extract(?:ed)?|need(?:ed|s)?|want(?:ed)?|consider(?:ed)?|includ(?:e|ed)|look(?:ed)? (?:at|for|into)|mention(?:ed)?|shown?|read|kept|keep|check(?:ed)?|matters?|interest(?:ed|ing)?|concern(?:s|ed)?|belongs?|appear|track(?:ed)?|pick(?:ed)? up|collected|meant|relevant|asked for|bother(?:ed)?|expected here|worth|evaluated|used here)";
const FINE =
  "(?:fine|harmless|tolerated|tolerable|accepted|acceptable|allowed|known|noise|permitted|legitimate|normal|irrelevant|ok(?:ay)?|in order|out of scope|all right|uninteresting|unimportant|unwanted|healthy|good enough|not ours|no longer ours|cosmetic|as expected|as it should be|as they should be|of no (?:interest|concern|use|importance|relevance|business)|of little interest|without interest|no (?:business|concern|matter|records?|items?|findings?|violations?|problems?|issues?)|nothing to (?:report|worry about))";

const OUT: RegExp[] = [
  new RegExp(`\\b(?<!\\b(?:that|which|who) )${AUX} (?:${ADVERB})*${LEFT}\\b`, "gi"),
  new RegExp(`\\b(?:and|or|,) (?:${ADVERB})*${LEFT}\\b`, "gi"),
  new RegExp(
    `(?:^|[,;:.(–] ?|\\b(?:and|so|but|then|please|therefore|thus|hence|to|can|may|must|should|safely|we|you) )(?:please )?${LEAVE}\\b(?: (?:out|it|them|these|those|such|this|that|one|all|any|the|whatever|what)\\b)*`,
    "gi",
  ),
  /\b(?:out|aside|away|alone)(?=$|[.,;:)])/gi,
  new RegExp(
    `\\b(?:not|never|nor|neither|no longer|cannot)\\s+(?:(?:\\w+ )?(?:to )?be |\\w+ ){0,2}?(?:${ADVERB})*${TAKEN}\\b(?: (?:it|them|these|those|such|here|a line|reporting))*`,
    "gi",
  ),
  new RegExp(
    `\\b(?:no need to(?: be)?|there is no need to|needn't be|need no) (?:${TAKEN}|report|line)\\b`,
    "gi",
  ),
  new RegExp(
    `\\b${AUX} (?:${ADVERB})*(?:quite |perfectly |considered |regarded as |taken as )?${FINE}(?: here| as well| too)?\\b`,
    "gi",
  ),
  /\b(?:is|are|was|were) too [a-z]+ (?:to (?:be )?[a-z]+|for [a-z ]+?)(?=$|[.,;:)]| (?:here|and)\b)/gi,
  /\b(?:is|are) (?:no|not (?:an? |our )?|none of (?:our|this item's|anybody's)) ?(?:concern|business|matter|task|job)(?: of ours)?\b/gi,
  /\b(?:is|are) (?:another|an other|the other|a different) [a-z]+'s\b|\bneed not be [a-z]+\b|\b(?:do|does) not care about\b/gi,
  /\bof no (?:interest|concern|use|importance|relevance|business)\b(?: here)?/gi,
  /\b(?:are|is) (?:not |no )(?:one of )?ours\b|\b(?:do|does) not (?:count|matter|concern us|interest us)\b/gi,
  /\b(?:is|are|(?:belongs?|left|up) to|there is|for|have|has) (?:the (?:job|task|business|concern) of )?(?:another|a different|a separate|other|its own|their own|the other|some other) (?:items?|checks?|pages?|teams?|lists?|reports?|people|scripts?|owners?|departments?)(?:'s?|’s?)?(?: (?:business|job|task|own|concern|item|check))?(?=\W|$)/gi,
  /\b(?:handled|checked|counted|looked at|looked after|reported|dealt with|covered|repaired|listed|treated|examined|watched|reviewed|collected|fixed|tracked|left) (?:elsewhere|later|separately|apart|by (?:another|a different|other|the other|hand|someone else)|to (?:the|another|a)|in another|on another|somewhere else|under another)\b(?: [a-z]+)?/gi,
  /\b(?:belongs? elsewhere|(?:stay|stays|fall|falls|remain|remains) out(?:side)?|kept out|go elsewhere|goes elsewhere)\b/gi,
  /^(?:nor|neither) (?:are|is|do|does|were|was)\b|^so (?:are|is|do|does)\b|^the same (?:goes|holds|is true|applies) (?:for|to)\b/gi,
  /\bneeds? no (?:listing|reporting|reports?|entry|entries|mention|mentioning|attention|checks?|checking|items?|lines?|action)\b/gi,
  /\b(?:is|are) (?:not |no )(?:a )?part of (?:this|the|our) (?:list|item|check|page|report|review|one)?\b(?!\s*[a-z])|\b(?:is|are) not part of (?:this|it)\b|\b(?:is|are|lies?|falls?) (?:outside|beyond) (?:the |our |this )?(?:scope|reach)\b(?: of (?:this|the|our) [a-z]+)?/gi,
  /\b(?:is|are|was|were|ha(?:s|ve) been|ha(?:s|ve) all been) (?:all |since |already |long )?(?:waived|intended|deliberate|uncritical|excepted|meant to be (?:there|so|open|that way|like that)|taken for granted|tolerable)\b/gi,
  /\b(?:is|are) (?:just |only |purely |merely )?a (?:matter|question) (?:of taste|of style|for (?:another|others)|of another)\b(?: [a-z]+)?/gi,
  /\b(?:has|have|gets?) (?:an? )?(?:items?|checks?|pages?|lists?) of (?:its|their) own\b|\bin an? (?:item|check|page|list|report) of (?:its|their) own\b/gi,
  /\b(?:spare us|do without|we can live with|live without)\b(?: (?:it|them|those|these|that|such))?/gi,
  /\bcan (?:well )?(?:stay|remain|be left)(?: (?:where|as|the way) (?:it|they) (?:is|are))\b/gi,
  new RegExp(
    `\\b(?:nothing|none|no one)(?: (?:in|of|from|about|at) (?:it|them|these|those|this|that|there))? (?:is|are|need be|has to be) (?:ever )?${TAKEN}\\b`,
    "gi",
  ),
  /^(?:nothing|none) (?:of|from|in|below|under|out of)\b|\bnobody (?:cares? (?:about|for)|needs|wants|looks at|reads)\b/gi,
  /\b(?:and|,) (?:thus |so |therefore |hence )?(?:unwanted|uninteresting|irrelevant|harmless|unimportant|of no interest|noise|out of scope)\b/gi,
  /\b(?:is|are) of (?:no|little) (?:importance|interest|concern|use|relevance|business|consequence)\b/gi,
  /\b(?:has|have|had) no (?:place|part|business|role) (?:in|on|here)\b(?: (?:this|the|our) [a-z]+)?/gi,
  /\b(?:is|are) (?:quite )?(?:another|a different|an other) (?:story|matter|thing|affair|chapter)\b|\b(?:is|are) (?:the )?(?:subject|topic|object|task|job) of (?:the next|another|a different|an other|its own|their own) [a-z]+\b/gi,
  /\b(?:do|does|did) no harm\b|\b(?:is|are) (?:therefore |thus |hence )?(?:exempt|exempted)\b(?: here)?|(?:^|[.;,:] )not (?:listed|reported|counted|wanted|taken|needed)(?=\W*$)|\bno (?:items?|records?|rows?|entry|entries|lines?|finding|report) (?:then|for (?:it|them|those|these|that))\b/gi,
  /\b(?:ha(?:s|ve|d) been|(?:was|were|is|are)) (?:already )?(?:approved|discussed|reviewed|signed off|agreed(?: on| upon)?|cleared|audited|settled|tested|covered|counted|evaluated|handled|checked) (?:long ago|before|already|elsewhere|by|in|on|at|and)\b/gi,
  /\bdo not use (?:it|them|these|those|this|that)\b/gi,
  /\bneither(?=\W*$)|\b(?:is|are|do|does) not,? either(?=\W*$)/gi,
  /\bnot (?:the ones|those|ones|(?:the |any )?(?:rows|lines|records|entries|messages|blocks)(?= ))\b|^(?:no|none of the)\b/gi,
];

const IN: RegExp[] = [
  /\b(?:only|just|solely|exclusively|nothing but|no others? than|none but|merely)\b/gi,
  /(?<!\bno |\bnot |\bnot of |\bof no |\blittle )\b(?:(?:is|are|be) (?:all )?(?:of interest|relevant|wanted|needed|looked at|looked for|(?:counted|listed|reported|extracted|taken|collected)(?! (?:with|as|by|in|under|like|at|on|twice|once|again|below|above|behind|there|from)\b)|meant(?! (?:for|by|as|to)\b)|ours|enough|sufficient|checked here|our business|asked for)(?: here)?|of interest (?:is|are)|wanted (?:is|are)|(?<=\b[a-z]+s? )(?:counts?|matters?)(?=$|[.,;:]| (?:here|only|if|when|where|as long|provided|unless)))/gi,
  /\b(?:is|are|counts? as) (?:an? |the )?(?:items?|records?|findings?|violations?|hits?|ones? (?:that|we))\b/gi,
  /\b(?:is|are) (?:all |just |exactly |precisely )?what (?:we|this|the (?:item|check|page|list)|counts?|matters?|interests?)\b(?: (?:is about|are about|look(?:s)? (?:at|for)|want(?:s)?(?: to (?:see|know|have))?|are after|is after|care(?:s)? about|need(?:s)?|us))?/gi,
  /\b(?:is|are) (?:the (?:only )?(?:point|issue|subject|topic|concern)|what (?:remains|is left|is asked)|in scope|the ones? (?:we|that)|the [a-z]+ to (?:watch|look at|report|list|check))\b/gi,
  /\b(?:this|the|our) (?:item|check|page|list|report) (?:is|asks?|looks?) (?:only |just |solely )?(?:for|at|about)\b/gi,
  /\b(?:here )?we (?:only |just )?(?:are (?:only )?concerned with|deal with|check|follow|list|want|need|watch|count|report|collect|consider|take)\b(?! (?:it|them|these|those|this|no|not|nothing|neither)\b)/gi,
  /^what (?:counts|matters|remains|interests us|we (?:want|need|look for|are after)|is (?:wanted|needed|asked for)) (?:is|are)\b/gi,
  /\b(?:restrict|limit|confine|narrow) (?:this|it|yourself|yourselves|the list|the report|the items|them) (?:down )?to\b|\brestricted to\b|\blimited to\b/gi,
  /\bwe (?:only )?(?:look (?:only )?(?:at|for)|care (?:only )?(?:about|for)|are (?:only )?interested in)\b/gi,
  /\b(?:item|check|page|list) is (?:only |just |solely |all )?about\b|\band no (?:other|others?)(?=\W*$)/gi,
  /\bmust (?:also |further |at least )?(?=(?:be|lie|have|exceed|begin|start|end|contain|read|say|equal|differ) )/gi,
  /\b(?:as long as|provided(?: that)?|on condition that|only as far as|as far as|in so far as|insofar as)\b/gi,
];

/** Orders to report something: all of it, or what the sentence describes. */
const ORDERS: RegExp[] = [
  /(?:^|[;:.] )(?:please |we |now |here |from [^,]{3,40},? )?(?:only )?(?:report|list|count|take|collect|extract|find|get|keep|look (?:only )?(?:at|for)|want|are after|need|care (?:only )?(?:about|for)|pick|gather|give|note|select)\b/gi,
];

/** What a sentence takes back again: the part behind it has the other sign. */
const EXCEPT =
  /,? ?\b(?:except(?:ing| for| when| where| if)?|apart from|aside from|besides|save(?: for)?|but not|but for|excluding|barring|with the exception of|without (?=those|the ones|the [a-z]+s (?:that|whose|with|in|of|from)|any (?:that|of)|(?:the |those )?‹)|unless|not counting|not including|minus)\b/i;

/** Where one clause ends and the next may begin. */
const BORDER = /;|:(?= )|\.(?= )|,? (?:and|but|so|while|whereas|yet)(?: of these| of them)?\b|,/g;

/** All cues of a sentence, in order; of two that overlap the one that says no is taken. */
export function cuesOf(text: string): Cue[] {
  const found: Cue[] = [];
  for (const [forms, keep, isOrder] of [
    [OUT, false, false],
    [IN, true, false],
    [ORDERS, true, true],
  ] as const)
    for (const form of forms)
      for (const match of text.matchAll(form)) {
        const [start, end] = [match.index, match.index + match[0].length];
        if (end > start && !found.some((one) => one.keep !== keep && one.start < end && start < one.end))
          found.push({ start, end, keep, isOrder });
      }
  const isOut = found.some(({ keep }) => !keep);
  // "As long as it says x, there is nothing to report": a condition of what is left out.
  const isCase = (cue: Cue): boolean =>
    cue.keep && isOut && /^(?:as long as|provided)/i.test(text.slice(cue.start, cue.end)) && cue.start < 3;
  return found
    .filter((cue) => !isCase(cue) && (cue.keep || !isOfClause(text, cue.start)))
    .sort((a, b) => a.start - b.start);
}

const VERB =
  /\b(?:is|are|was|were|has|have|had|does|do|did|begins?|starts?|ends?|contains?|reads?|says?|shows?|equals?|exceeds?|lies?|stands?|differs?|matches|goes|uses?|names?|carr(?:y|ies)|can|may|will|must)\b/i;

/** "Calls whose error return is not checked": the verb of a clause about the records says nothing of which are wanted. */
function isOfClause(text: string, at: number): boolean {
  const clause = (/[^,;:.]*$/.exec(text.slice(0, at))?.[0] ?? "").replace(
    / (?:is|are|was|were|do|does|did|has|have|had|can|could|will) $/i,
    " ",
  );
  const [, pronoun = "", between = ""] = /^.*\b(that|which|who|whose|where)\b(.*)$/i.exec(clause) ?? [];
  if (pronoun === "" || /‹/.test(between)) return false;
  return /^(?:whose|where)$/i.test(pronoun)
    ? between.trim() !== "" && !VERB.test(between)
    : /^(?: (?:also|never|still|just|simply|only))? *$/i.test(between);
}

/** The text with the cues as blanks, so that offsets stay. */
function blanked(text: string, cues: readonly Cue[]): string {
  let own = text;
  for (const { start, end } of cues)
    own = own.slice(0, start) + own.slice(start, end).replace(/[^\s.,;:]/g, " ") + own.slice(end);
  return own;
}

/** The pieces of a sentence; `sign` is that of a sentence without cues, none where it says nothing of records. */
export function piecesOf(text: string, sign?: boolean): Piece[] {
  const cues = cuesOf(text);
  if (cues.length === 0 && sign === undefined) return [];
  const pieces: Piece[] = [];
  for (const span of spansOf(text, cues)) {
    const own = cues.filter((one) => one.start >= span.start && one.end <= span.end);
    const keep = own.length > 0 ? own.every((one) => one.keep) : (pieces.at(-1)?.keep ?? sign ?? true);
    const body = blanked(text, cues).slice(span.start, span.end);
    const isOrder = own.every((one) => one.isOrder);
    const last = pieces.at(-1);
    // "… are meant for other tools and are ignored": the last verdict is about what stands before it.
    if (last !== undefined && own.length > 0 && isEmpty(body))
      pieces[pieces.length - 1] = { ...last, keep, isOrder };
    else pieces.push(...withExceptions(body, keep).map((one) => ({ ...one, isOrder })));
  }
  return pieces;
}

/** "These do not count", "we do without them": the sign of a sentence that says nothing but a verdict on what was spoken of. */
export function verdictOf(text: string): boolean | undefined {
  const own = text.replace(/[.;:]\s*$/, "");
  const cues = cuesOf(own).filter(({ isOrder }) => !isOrder);
  const [first, ...others] = cues;
  if (first === undefined || others.some((one) => one.keep !== first.keep)) return undefined;
  const rest = blanked(own, cues).replace(
    /\b(?:such|these|those|both) (?:ones|lines|rows|records|entries|items|[a-z]+s)\b/gi,
    " ",
  );
  // "Skip.", "not listed."
  if (first.keep === false && isEmpty(rest) && (own.match(/\w+/g) ?? []).length < 4) return false;
  const isBack =
    /\b(?:they|them|it|these|those|such|this|that|both)\b/i.test(own) || /^\W*(?:is|are)\b/.test(own);
  return isBack && isEmpty(rest) ? first.keep : undefined;
}

/** Nothing but small words. */
function isEmpty(body: string): boolean {
  const words = body.match(/[\w‹›]+/g) ?? [];
  return words.every((word) =>
    /^(?:and|but|so|they|it|them|these|those|such|this|that|are|is|be|also|then|therefore|thus|hence|to|ones|here|please|we|of|us|all|both|need|do|does|can|may|also|only|just|for)$/i.test(
      word,
    ),
  );
}

/** The sentence cut where the sign changes, and at semicolons behind which a clause has a sign and a subject of its own. */
function spansOf(text: string, cues: readonly Cue[]): { start: number; end: number }[] {
  const cuts: number[] = [];
  for (const [index, cue] of cues.entries()) {
    const before = cues[index - 1];
    if (before === undefined) continue;
    const borders = [...text.matchAll(BORDER)].filter(
      (one) => one.index >= before.end && one.index <= cue.start + 1,
    );
    const strong = borders.filter(([mark]) => /^[;.]/.test(mark));
    const isOther = before.keep !== cue.keep;
    const border = isOther ? (strong.at(-1) ?? borders.at(-1)) : strong.at(-1);
    if (border === undefined) continue;
    // "Where the port is 0 …; such attempts do not count": what is said once more.
    const next = text.slice(border.index).replace(/^[\s,;.:]+/, "");
    if (!isOther && /^(?:(?:please )?[a-z]+ )?(?:it|they|them|these|those|such|this|that)\b/i.test(next))
      continue;
    cuts.push(border.index);
  }
  const starts = [0, ...cuts];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

/** "All but x": what is behind the exception has the other sign. "Unless x, …" stands in front. */
function withExceptions(body: string, keep: boolean): Omit<Piece, "isOrder">[] {
  const found = EXCEPT.exec(body);
  if (found === null) return [{ keep, text: body }];
  const before = body.slice(0, found.index);
  const rest = body.slice(found.index + found[0].length);
  if (before.trim().length < 4) {
    const end = rest.search(/[,;]/);
    const [own, more] = end < 0 ? [rest, ""] : [rest.slice(0, end), rest.slice(end)];
    return [{ keep: !keep, text: own }, ...(more.trim() === "" ? [] : [{ keep, text: more }])];
  }
  const end = rest.search(/[;.] |, which\b|, who\b/);
  const own = end < 0 ? rest : rest.slice(0, end);
  return [
    { keep, text: before },
    { keep: !keep, text: own },
  ];
}
