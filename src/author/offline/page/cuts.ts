// The many ways in which pages say that something around a part does not belong to it: "drop the final dot", "leaving
// out the suffix", "quotes removed", "the unit is cut off". All become "without ...", which the rest of the author reads.

const THING = "(?:the |its |their |any |all |a |an |of )*";
/** What is dropped: a quoted text, or up to five words. */
const WHAT = `(?:\`[^\`]+\`|"[^"]+"|[\\w%-]+)(?: (?!(?:and|or|but|if|when|where|is|are|behind|before|after|in|at|from|that|which|around|on|to|by)\\b)(?:\`[^\`]+\`|"[^"]+"|[\\w%-]+)){0,4}`;

const ACTIVE = new RegExp(
  `\\b(?:(?:please )?(?:drop|strip|remove|omit|discard|trim|delete|cut|leave|take|chop)(?:p?ing|ving|ting|ing)?(?: (?:off|away|out|aside))?|leaving (?:out|off|aside|away)|dropping|stripping|removing|omitting|minus|less|not counting|not including|but not|free of|stripped of|cleaned of)\\s+(${THING}${WHAT})`,
  "gi",
);
const PASSIVE = new RegExp(
  `(?<![\\w\`"])(${THING}${WHAT})\\s+(?:is|are|being|to be|(?:is|are) to be|should be|must be|has to be|have to be)?\\s*(?:dropped|stripped(?: off)?|removed|omitted|left (?:out|off|away|aside)|cut (?:off|away)|discarded|trimmed(?: off)?|taken (?:off|away))\\b`,
  "gi",
);
/** Verbs that drop only with their particle. */
const HALF = /^(?:please )?(?:cut|cutting|leave|leaving|take|taking)(?! (?:off|away|out|aside)\b)/i;

const CLAUSE =
  /(?<=^|[.;,] )((?:what(?:ever)? (?:follows|stands|comes|is)|everything|anything)\b[^,.;]*?) (?:is|should be|must be) (?:dropped|stripped(?: off)?|removed|omitted|left (?:out|off|away|aside)|cut (?:off|away)|discarded)\b/gi;

/** "The quotes do not belong to it", "the unit is no part of it". */
const NOT_PART = new RegExp(
  `(?<![\\w\`"])(${THING}${WHAT}) (?:(?:do|does) not belong to (?:it|them|the (?:value|name|text))|(?:is|are) (?:not|no) (?:a )?part of (?:it|them|the (?:value|name|text)))`,
  "gi",
);
/** "In parentheses as printed": with them. */
const AS_PRINTED =
  /\bin (?:its |their |the )?(parenthes[ei]s|brackets|braces|quotes),? (?:as (?:printed|written|shown|they stand|it stands)|and all)\b/gi;

/** A description in which whatever is dropped is what the part is without. */
export function plainCuts(said: string): string {
  const description = said
    // "Without the parenthesis at the end" is without what stands in it.
    .replace(
      /\bwithout (?:the |its |any )?(?:final |last |trailing |closing )?(parenthes[ei]s|brackets?) (?:at the (?:very )?end|behind it|that (?:follows?|ends? it)|which (?:follows?|ends? it)|following it)\b/gi,
      (_all, what: string) => `without the remark in ${/^p/i.test(what) ? "parentheses" : "brackets"}`,
    )
    // "The address; the port has its own field".
    .replace(
      /[;,.] (?:and |but )?(the [a-z]+) (?:has|is|gets|stands in|goes into|makes) (?:its|an|a) (?:own field|field of its own|extra field|separate field)\b/gi,
      ", without $1",
    )
    .replace(
      /\bwhich (?:just |only |merely |simply )?(?:repeats|copies|duplicates|equals) the value\b/gi,
      "the same as the value",
    )
    .replace(
      /\b(?:it |and )?(?:ends|stops) (?:at|with|before|in front of) (the (?:first |last |next )?[a-z]+)/gi,
      "up to $1",
    )
    .replace(/\b(?:it |and )?does not (?:include|contain) (?=the |its |`)/gi, "without ")
    .replace(
      /\bwhat `([^`]+[=:])` has (?:between|in|inside) (?:its |the )?(?:quotes|quotation marks)/gi,
      "the text after `$1`, without quotes",
    )
    .replace(NOT_PART, (all: string, what: string) => (isPart(what) ? `without ${what}` : all))
    .replace(AS_PRINTED, "with its $1")
    // "Number and unit as in ...".
    .replace(/\b(?:number|amount|figure)s? and (?:its |their )?units?\b/gi, "with the unit");
  if (
    !/\b(?:drop|strip|remov|omit|discard|trim|delet|cut|leav|left|taken|tak(?:e|ing) (?:off|away)|minus|less|chop|counting|free of|cleaned)/i.test(
      description,
    )
  )
    return description;
  return (
    description
      // "The type that is appended in parentheses" is the one in parentheses.
      .replace(
        /\b(?:that|which) (?:is|are|was|were) (?:appended|added|printed|given|put|shown|written|attached)(?: to (?:it|them)| on)? (?=(?:in|behind|after|at) )/gi,
        "",
      )
      // "What follows in parentheses is dropped".
      .replace(CLAUSE, "without $1")
      .replace(PASSIVE, (all: string, what: string) => (isPart(what) ? `without ${what}` : all))
      .replace(ACTIVE, (all: string, what: string) =>
        HALF.test(all) || !isPart(what) ? all : `without ${what}`,
      )
  );
}

/** Something that may be glued to a part, not a line or a record. */
function isPart(what: string): boolean {
  return (
    /^(?:the |its |their |any |all |an? |of )*(?:`|"|[\w-]+)/i.test(what) &&
    !/^(?:please|then|and|but|so|here|also|nothing|none|off|out|away|aside)$/i.test(what.trim()) &&
    // "The call whose result is dropped" says what the part is; what a clause begins with is no thing.
    !/\b(?:whose|which|that|who)\b/i.test(what) &&
    !/\b(?:lines?|rows?|records?|entr(?:y|ies)|messages?|others?|rest|it|them|these|those|fields?|values?|items?|blanks? lines?)\b/i.test(
      what,
    )
  );
}

/** A sentence of its own about the value or the field before it: "Please cut off the port." */
export function cutIn(sentence: string): string | undefined {
  const plain = plainCuts(sentence);
  if (plain === sentence) return undefined;
  const found = /\bwithout [^.;,(]*/i.exec(plain)?.[0].trim();
  return found === undefined || !/^\W*(?:(?:please|but|and|so|then|here|also),? )*without\b/i.test(plain)
    ? undefined
    : found;
}
