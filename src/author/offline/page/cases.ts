// What a page says about single cases: "If no switch is named, leave it out", "a line counts only when its code is 5",
// "the category must not begin with `x/`". Each case is a condition, and whether records that fulfil it are wanted.

export interface Case {
  wanted: boolean;
  /** Put the way the tests of claims are read: "whose code is 5". */
  condition: string;
}

const IF = "(?:if|when|whenever|where|wherever|in case|provided(?: that)?|as long as)";
/** What stands for any record. */
const ANY =
  "(?:it|they|this|that|these|those|(?:an?|the|every|each|any|such an?|all|those)? ?(?:whole |entire |other )?(?:lines?|rows?|records?|entr(?:y|ies)|items?|messages?|ones?|blocks?|cases?))";
const DROP =
  "(?:please |then )?(?:(?:skip|ignore|omit|exclude|drop|discard|disregard|pass over)(?: ANY)?|leave ANY (?:out|aside|away|alone)|leave (?:out|aside|away) ANY|(?:do not|don't|never) (?:take|report|list|count|read|include|extract|want)(?: ANY)?)".replaceAll(
    "ANY",
    ANY,
  );
const VERDICT =
  "(?:(?:is|are|was|were|should be|must be|can be|has to be|have to be|needs to be) (?:not (?:be )?(?:wanted|needed|taken|counted|reported|an item|a record|of interest|meant|considered|included|listed)|no (?:item|record|entry|hit|finding|result)s?|(?:to be )?(?:ignored|skipped|dropped|omitted|excluded|discarded|disregarded|passed over|filtered out|left (?:out|aside|away|alone)))|(?:must|should|shall) not be (?:taken|read|counted|reported|listed)|(?:do|does) not (?:count|matter|belong(?: here)?)|there is no (?:record|item))";
const KEEP =
  "(?:(?:is|are|gives|makes|counts as|becomes) (?:an? |one )?(?:wanted|needed|taken|counted|reported|items?|records?|of interest|meant|considered|hits?|findings?)|counts?|matters?)(?: only)?";

const FRONT = new RegExp(
  `^(?:but |and |so )?${IF} (.+?),? (?:then )?(?:${DROP}|${ANY} ${VERDICT})\\.?$`,
  "i",
);
/** "If …, the entry is ignored": whatever the records are called. */
const NAMED = new RegExp(
  `^(?:but |and |so )?${IF} (.+?), (?:then )?(?:the|this|that|such an?) [\\w-]+ ${VERDICT}\\.?$`,
  "i",
);
const BEHIND = new RegExp(`^${DROP},? (?:only )?(${IF}|unless) (.+)$`, "i");
const SAID = new RegExp(
  `^(?:${ANY}|(?:an?|the|every|each) [\\w-]+) ${VERDICT},? (?:only )?(${IF}|unless) (.+)$`,
  "i",
);
const ITEM = new RegExp(
  `^(?<subject>${ANY}|(?:an?|the|every|each) [\\w-]+(?: [\\w-]+)?) ${KEEP},? (?:only |just )?(?<word>${IF}|unless|with|without) (?<rest>.+)$`,
  "i",
);
/** "We want a member if …". */
const ASKED =
  /^(?:please )?(?:we (?:want|need|count|take)|take|count|report|list|extract) (?:only )?(?:an?|every|each|it|them|those) ?(?:[\w-]+ ?){0,2}?,? (?:only |just )?(?<word>if|when|unless) (?<rest>.+)$/i;
const MUST =
  /^(?:and |but )?(?:the |its |their |this |that )?(?<noun>‹\d+›|[A-Za-z][\w-]*(?: [a-z][\w-]*){0,3}?)(?: itself)? (?:must|has to|have to|needs to|need to|should|shall|(?=\S+ (?:not|never))(?:may|can)|(?=cannot)can)(?<not> ?not| never)? (?<verb>be|begin|start|end|contain|have|read|say|equal|include|carry|show|mention)\b(?<rest>.+)$/i;
/** What is asked of the one who extracts, not of the log. */
const DONE =
  /^ (?:be )?(?:taken|read|cut|removed|kept|extracted|reported|listed|skipped|ignored|left|dropped|stripped|used|counted|given|seen|found|printed|shown|joined|split|several|more|many|missing|absent|empty|blank|in|on|at|of|as|any|anything|anywhere|different|longer|shorter|negative|ipv|either|repeated|followed|preceded|written|trusted|spread|wrapped|taken)\b/i;

/** The cases of a sentence whose quoted texts are ‹number›; none when it speaks of none. */
export function casesOf(sentence: string, quoted: string[] = []): Case[] {
  const text = sentence
    .replace(/,? (?:otherwise|else|if not),? (?:it (?:does|is) )?not\b.*$/i, "")
    .replace(/,? (?:like this|as in|for example|e\.g\.|as shown|see)\b.*$/i, "")
    .replace(/[.;:\s]+$/, "")
    .trim();
  const front = FRONT.exec(text) ?? NAMED.exec(text);
  // "Where a second line only explains it, that line is not a record" speaks of lines beside the records.
  if (
    front !== null &&
    /\blines?\b/i.test(front[1] ?? "") &&
    /\b(?:that|this|these|those) lines? [^‹]*$/i.test(text)
  )
    return [];
  if (front !== null) return alternatives(front[1] ?? "").map((one) => ({ wanted: false, condition: one }));
  const behind = BEHIND.exec(text) ?? SAID.exec(text);
  if (behind !== null) {
    const unless = /^unless$/i.test(behind[1] ?? "");
    const all = alternatives(behind[2] ?? "");
    return all.map((one) => ({ wanted: unless, condition: one }));
  }
  const item = ITEM.exec(text)?.groups ?? ASKED.exec(text)?.groups;
  if (item !== undefined) {
    const { subject = "", word = "", rest = "" } = item;
    // "A REQUEST counts only with `x`" says nothing of the other kinds.
    if (/‹|\b[A-Z]{2,}/.test(subject)) return [];
    // "An item with its name as the value" restricts nothing.
    if (/^with/i.test(word) && !/\b(?:only|just) with(?:out)? /i.test(text)) return [];
    if (/^with/i.test(word)) return [{ wanted: true, condition: `${word.toLowerCase()} ${rest}` }];
    // "The phase is taken when it ends": which line of it counts.
    if (EVENT.test(rest)) return [];
    const wanted = !/^unless$/i.test(word);
    return together(rest).map((one) => ({ wanted, condition: one }));
  }
  const word = wordAtEnd(text, quoted);
  if (word !== undefined) return [word];
  const explained = EXPLAINED.exec(text)?.groups?.["cases"];
  if (explained !== undefined)
    return explained
      .replace(/\s*\([^)]*\)/g, "")
      .split(/,? and (?=(?:the|its|their) )|[,;] (?=(?:the|its|their) )/i)
      .map((one) => ({ wanted: true, condition: phrased(one) }));
  const { noun = "", not, verb = "", rest = "" } = MUST.exec(text)?.groups ?? {};
  if (
    noun === "" ||
    /^(?:it|they|these|those|there|we|you|(?:what|who|which|how|where|all)\b.*)$/i.test(noun) ||
    DONE.test(rest) ||
    !/‹|\b[A-Z][A-Z0-9]*\b|\d/.test(rest)
  )
    return [];
  // A line is told by what stands in it, wherever that is.
  if (/^(?:(?:log|whole) )?(?:lines?|rows?|records?|entr(?:y|ies)|messages?)$/i.test(noun) && /‹/.test(rest))
    return [{ wanted: not === undefined, condition: `that contains ${/‹\d+›/.exec(rest)?.[0] ?? ""}` }];
  const does = { be: "is", have: "has", carry: "carries" }[verb.toLowerCase()] ?? `${verb.toLowerCase()}s`;
  return [{ wanted: not === undefined, condition: `whose ${noun} ${does}${rest}` }];
}

const EVENT =
  /^(?:it|they) (?:ends?|begins?|starts?|stops?|finish(?:es)?|closes?|opens?|is (?:over|done|finished|complete(?:d)?|closed|opened|started|announced|reported)|has (?:ended|begun|started|finished))$/i;

/** "Only pins of the design: the owner is filled in, and the name does not start with `x`": each of them. */
const EXPLAINED =
  /^(?:only|just) [^:]{3,60}: (?<cases>(?:the|its|their) [a-z][\w -]{1,30} (?:is|are|has|have|does|do|begins?|starts?|ends?|contains?|reads?|says?) .+)$/i;

/** "`x` must be the first word of the command", "the first word of the command has to be x". */
function wordAtEnd(text: string, quoted: string[]): Case | undefined {
  const must = "(?:must|has to|have to|needs to|should|shall)(?<not> not)? be";
  const found =
    new RegExp(
      `^(?<word>‹\\d+›|[\\w./-]+) ${must} the (?<where>first|last|leading|final) (?:word|part|text) (?:of|in) (?:the|its) (?<noun>[a-z][\\w]*)$`,
      "i",
    ).exec(text) ??
    new RegExp(
      `^(?:the )?(?<where>first|last|leading|final) (?:word|part|text) (?:of|in) (?:the|its) (?<noun>[a-z][\\w]*) ${must} (?<word>‹\\d+›|[\\w./-]+)$`,
      "i",
    ).exec(text);
  const { word = "", where = "", noun = "", not } = found?.groups ?? {};
  if (found === null) return undefined;
  const isMarked = word.startsWith("‹");
  if (!isMarked) quoted.push(word);
  const spelled = isMarked ? word : `‹${quoted.length - 1}›`;
  const verb = /^(?:first|leading)$/i.test(where) ? "begins" : "ends";
  return { wanted: not === undefined, condition: `whose ${noun} ${verb} with ${spelled}` };
}

/** "Its level is missing, if its code is not 5, or if …": each alone. "Is missing or not a number" are two as well. */
function alternatives(text: string): string[] {
  return text
    .split(new RegExp(`,? or,? ${IF} |, (?:or )?${IF} |,? or (?=(?:its|the|their|there) )`, "i"))
    .flatMap((one) => {
      const two = /^((?:its|the|their) [\w -]+? (?:is|are)) (.+?),? or (not .+)$/i.exec(one.trim());
      return two === null ? [one] : [`${two[1]} ${two[2]}`, `${two[1]} ${two[3]}`];
    })
    .map(phrased);
}

/** "Its code is 5 and it has `x`": each of them. */
function together(text: string): string[] {
  const both =
    /^(?:it|they|an?|the)\b[^‹]*\b(?:has|have|contains?|carr(?:y|ies)|shows?) both (‹\d+›) and (‹\d+›)$/i.exec(
      text.trim(),
    );
  if (both !== null) return [`that contains ${both[1]}`, `that contains ${both[2]}`];
  return text.split(/,? and (?:if |when )?(?=(?:its|the|their|it|they|there) )/i).map(phrased);
}

/** The condition as said of the record: "its code is 5" is "whose code is 5". */
function phrased(text: string): string {
  const own = text.trim().replace(/[,.;\s]+$/, "");
  const no =
    /^(?:there (?:is|are) no|no) (.+?)(?: (?:is|are|was|were) (?:named|given|printed|shown|set|there|present|known|listed|stated|mentioned)\b.*)?$/i.exec(
      own,
    );
  if (no !== null) return `without ${no[1] ?? ""}`;
  const shown =
    /^(‹\d+›) (?:(?:is|are) (?:printed|shown|given|there|present|in|on|at|behind|before|between)|stands|appears|follows|occurs|comes)\b/i.exec(
      own,
    );
  if (shown !== null) return `that contains ${shown[1] ?? ""}`;
  const word =
    /^(.+?) (?:is|are|stands?|appears?) (?:(?:one of|among) the words|somewhere|anywhere) (?:of|in) (?:its|their|the) ([a-z][\w-]*)\b/i.exec(
      own,
    );
  if (word !== null) return `that has the words ${word[1] ?? ""} in its ${word[2] ?? ""}`;
  return (
    own
      .replace(/^(?:(?:its|their) )(?=\S)/i, "whose ")
      .replace(
        /^the (?=[^‹]*? (?:is|are|has|have|begins?|starts?|ends?|contains?|says?|reads?|equals?)\b)/i,
        "whose ",
      )
      // "The version behind the priority": what stands beside a part is not the part.
      .replace(
        /^(whose [\w-]+) (?:behind|after|before|in|at|on|of|from) (?:the|its|their|each|every) [\w-]+ (?=(?:is|are|has|have|does|do)\b)/i,
        "$1 ",
      )
      .replace(/^(?:it|they) (?:has|have|carr(?:y|ies)|contains?|shows?) (?:both )?(?=‹)/i, "that contains ")
      .replace(/^(?:it|they) (?=(?:begin|start|end|contain)s?\b)/i, "that ")
      .replace(/^(?:it|they) (?:has|have) (?:no|not any) /i, "without ")
      .replace(/^(?:it|they) (?:has|have) /i, "with ")
  );
}
