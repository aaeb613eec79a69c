// What a value is called where the page says it by a clause instead of a noun: "what the account gives as `email`", "who tried to
// log in", "what was requested: the path", "the pin named as endpoint". The noun is what names and kinds of parts are told by.

const WH = /^(?:what|whatever|who|whoever|whom|whose|where|when|why|how|which)\b/i;
/** Nouns that say nothing of what the part is. */
const EMPTY = /^(?:the |a |an )?(?:thing|part|piece|text|item|entry|bit|column|cell|one|string)\b/i;

const SAYS =
  /^what(?:ever)? (?:the |an? |it |its |each |this )?(?:[\w-]+ )*?(?:says?|said|reports?|reported|complains?(?: about| of)?|recommends?|recommended|advises?|warns?(?: about| of)?|tells?|prints?|writes?|claims?|remarks?)$/i;

/** Clauses whose question word names the part by itself. */
const BY_WORD: [RegExp, string][] = [
  [/^(?:who|whoever|whom|whose (?:log[io]n|account|session|password))\b/i, "user"],
  [/^when\b/i, "time"],
  [/^why\b/i, "reason"],
  [/^how (?:long)\b/i, "duration"],
  [/^how (?:many|often|much)\b/i, "count"],
  [SAYS, "message"],
];

/** "The path and, where present, the query": the first noun. */
const FIRST =
  /^(?:(?:the|an?|its|their|each|all|any) )*((?:[a-z][\w-]*)(?: [a-z][\w-]*){0,2}?)(?=$|[,.;:()]| (?:and|or|of|in|on|with|without|as|that|which|from|behind|after|before|up|is|are|where|when|if)\b)/i;
/** What says where it stands, or how much of it is meant. */
const NO_NOUN = /^(?:everything|anything|all|whatever|what|that|rest|remainder|last|first|only|just|not)\b/i;

/** The noun for what the page says of the value; undefined where its own first words are one. */
export function valueNoun(plain: string): string | undefined {
  const isClause = WH.test(plain);
  const [head = ""] = plain.split(/[,;(]|\s[-–—]\s/);
  const given =
    /\b(?:gives?|given|names?|named|lists?|listed|reports?|reported|shows?|shown|prints?|printed|calls?|called|logs?|logged|stands?) (?:as |under )(?:the |its |an? )?(?:`([A-Za-z][\w-]*)`|([a-z][\w-]*)$)/i.exec(
      head.trim(),
    );
  const called = /^(?:what|whatever) .*? calls? (?:the |its |an? )([a-z][\w-]*(?: [a-z][\w-]*)?)$/i.exec(
    head.trim(),
  );
  if (
    given !== null &&
    (isClause || given[2] !== undefined) &&
    !/^(?:is|it|such|well|such|text|follows|an?)$/i.test(given[2] ?? "")
  )
    return given[1] ?? given[2];
  if (called !== null) return called[1];
  if (!isClause && !(EMPTY.test(plain) && /[:(]|\bi\.e\.|\bthat is\b|\bnamely\b/i.test(plain)))
    return undefined;
  const gloss =
    /^[^:(]*: (.+)$/s.exec(plain)?.[1] ??
    /(?:,|\s[-–—]) (?:i\.?e\.?,?|that is,?|namely) (.+)$/is.exec(plain)?.[1] ??
    /^[^(]*\(((?:the |an? )[a-z][\w-]*(?: [a-z][\w-]*)?)\)$/i.exec(plain)?.[1];
  const noun = gloss === undefined ? undefined : FIRST.exec(gloss)?.[1];
  if (noun !== undefined && !NO_NOUN.test(noun)) return noun;
  if (!isClause) return undefined;
  const which = /^which ([a-z][\w-]*)\b/i.exec(plain)?.[1];
  return which ?? BY_WORD.find(([form]) => form.test(head.trim()))?.[1];
}
