// Which part of a sentence speaks of the value and which of the fields: "X is the value", "with X as its value, Y as
// fields", "whose fields are Y", "the only field is Y", "value the X, fields Y". The words around the nouns "value" and
// "field" say on which side the text about them stands.

import { quotedIn, splitList } from "./text.ts";

export interface Clause {
  about: "value" | "fields";
  /** What is said of it, without the words that only connect. */
  text: string;
  /** "The field x is ..." and "Field: x, ...": one field, what follows its name describes it. */
  single?: boolean;
}

interface Marker {
  about: Clause["about"];
  /** The words that mark it, in the sentence. */
  start: number;
  end: number;
  side: "left" | "right" | "named";
  /** Names right behind the noun: "are the fields `a` and `b`". */
  names?: string;
  single: boolean;
  /** A further field behind the marker. */
  more?: string;
  /** "as value", "into the value", not "is the value". */
  byAs: boolean;
}

const ARTICLES =
  "(?:(?:the|an?|its|their|our|this|of|further|only|single|sole|other|additional|respective|two|three|four|five|six|one|both) )*";
const TAIL = new RegExp(
  `(?:^|[\\s,;])((?:(?:is|are|being|becomes?|gives?|forms?|makes?)(?: (?:wanted|kept|taken|needed|used|stored|meant|counted|recorded|reported))?(?: (?:as|for))?|(?:serves?|used|wanted|taken|kept|given|counts?|stored|recorded|reported) (?:as|for)|(?:go|goes|comes?|put)?\\s?into|as|for) ${ARTICLES})$`,
  "i",
);
const ENDS =
  /^(?:\s*(?:$|[.,;:(])|\s+(?:and|with|while|but|of (?:the|an?|each|every|its|such) \w+|of the same names?|in (?:this|that) order|without|together|each|too|as well)\b)/i;
/** "value is", "value:", "the value of an item is". */
const VERB =
  /^(?:\s*\([^)]*\))?(?:\s+(?:of|for|in) (?:an?|each|every|the|this|such an?|that) (?:[a-z]+ )?[a-z]+)?(?:\s*(?:[:：=–—]|-\s)|\s+(?:is|are|be|being|shall be|should be|must be|will be|consists? of|called|named)(?=[\s:]):?|,(?=\s+[a-z]\w*,\s)|,\s[^:;]{3,60}:(?=\s)|,\s[^,;:]{3,60},\s(?:is|are)(?=\s))\s*/i;
const FUNCTION_WORD =
  /^(?:of|in|on|at|by|to|from|for|with|without|that|which|who|whose|and|or|are|is|was|were|may|can|has|have|had|not|names?|columns?|separat\w+|delimit\w+|divid\w+|set|quoted|enclosed|per|between|behind|before|after|where|when|if|as|it|they|only|must|do|does|contain\w*|begins?|ends?|equals?|stands?|differ\w*|lists?|marked|follows?|following|printed|above|below|there|into|reads?|says?|holds?|shows?|gives?|tells?|line|row|comes?)$/i;

/** What a sentence says of the value and the fields, in its order. */
export function clausesOf(sentence: string): Clause[] {
  // "Fields: none beside the value are needed" is about no part.
  if (
    /^\W*(?:the |its |other |further )?fields?\W+(?:are )?(?:none|no further|no other|nothing)\b/i.test(
      sentence,
    )
  )
    return [];
  const text = sentence
    .replace(/\s*\((?:the |as (?:the )?)?(value|fields?)\)(?=[\s,.;]|$)/gi, " as $1")
    // "the cell type (the value, may be several words)", "cell group (first column, the value)".
    .replace(/\s*\((?:the |as (?:the )?)?value, ([^()]*)\)/gi, " as value ($1)")
    .replace(/\s*\(([^()]*), (?:the |as (?:the )?)?value\)/gi, " as value ($1)")
    .replace(/[.。]\s*$/, "");
  const masked = mask(text);
  const markers: Marker[] = [];
  for (const match of masked.matchAll(/(?<![\w-])([Vv]alue|[Ff]ields?)(?![\w-])/g)) {
    if (/^[VF]/.test(match[0]) && /[\w,)] $/.test(masked.slice(0, match.index))) continue;
    const one = markerAt(text, masked, match.index, match[0]);
    if (one !== undefined && (markers.at(-1)?.end ?? 0) <= one.start) markers.push(one);
  }
  const clauses = markers.flatMap((one, index) =>
    clauseOf(one, markers[index - 1], markers[index + 1], text, masked),
  );
  // "Each row gives the type (the value), then `count`, then `area`".
  const [only, ...others] = markers;
  const next = only?.about === "value" && others.length === 0 ? THEN.exec(text.slice(only.end)) : null;
  return next === null ? clauses : [...clauses, { about: "fields", text: next[1] ?? "" }];
}

const THEN = /^(?:\s*\([^)]*\))?,?\s+(?:then|followed by|and then|next to)\s+(`[a-z_]\w*`.*)$/;

/** The sentence with the insides of quotes and brackets made unreadable. */
function mask(text: string): string {
  const chars = [...text.split("")];
  for (const span of quotedIn(text))
    for (let at = span.start + 1; at < span.end - 1; at += 1) chars[at] = "\u0001";
  let depth = 0;
  text.split("").forEach((char, at) => {
    if (char === ")" && depth > 0) depth -= 1;
    if (depth > 0) chars[at] = "\u0001";
    if (char === "(") depth += 1;
  });
  return depth > 0 ? text : chars.join("");
}

/** A noun in its sentence. */
interface Noun {
  about: Clause["about"];
  /** "field", not "fields". */
  isOne: boolean;
  at: number;
  end: number;
  before: string;
  after: string;
  /** The text behind it as it is. */
  behind: string;
}

function markerAt(text: string, masked: string, at: number, word: string): Marker | undefined {
  const end = at + word.length;
  const noun: Noun = {
    about: /^v/i.test(word) ? "value" : "fields",
    isOne: /^field$/i.test(word),
    at,
    end,
    before: masked.slice(0, at),
    after: masked.slice(end),
    behind: text.slice(end),
  };
  return tailMarker(noun) ?? leadMarker(noun) ?? gapMarker(noun);
}

/** "X is the value", "Y as fields", "are the fields `jail` and `pid`", "as value we take the user". */
function tailMarker({ about, isOne, at, end, before, after, behind }: Noun): Marker | undefined {
  const words = TAIL.exec(before)?.[1];
  if (words === undefined) return undefined;
  const start = at - words.length;
  const subject = before.slice(0, start);
  if (/\b(?:there|not|no|neither)\s*$/i.test(subject)) return undefined;
  const byAs = /^(?:\S+ )?(?:as|for|into) /i.test(words);
  const base = { about, end, byAs } as const;
  const isOpen = byAs && !/^\s*(?:[.;:]|$)/.test(after) && isLeadIn(subject);
  if (isOpen) {
    const lead =
      /^\s*,?\s*(?:we |please )?(?:(?:want|take|use|need|record|report|keep|give)\s+)?(?=\S)/i.exec(after);
    return {
      ...base,
      start: clauseStart(before, start),
      end: end + (lead?.[0].length ?? 0),
      side: "right",
      single: isOne,
    };
  }
  // "The five numbers are fields: a, b and c".
  const listed = about === "fields" ? /^\s*:\s+(?=\S)/.exec(after) : null;
  if (listed !== null) return { ...base, start, end: end + listed[0].length, side: "right", single: isOne };
  if (ENDS.test(after))
    return {
      ...base,
      start,
      end: end + (about === "fields" ? (AS_WELL.exec(after)?.[0].length ?? 0) : 0),
      side: "left",
      single: isOne && /\b(?:an?|one|only|single) $/i.test(words),
      ...(about === "fields" ? { more: AS_WELL.exec(behind)?.[1] ?? "" } : {}),
    };
  const names = about === "fields" ? NAMES_BEHIND.exec(behind) : null;
  if (names === null || FUNCTION_WORD.test(names[1]?.split(/[\s,]/)[0] ?? "")) return undefined;
  return {
    ...base,
    start,
    end: end + names[0].length,
    side: "named",
    names: names[1] ?? "",
    single: false,
  };
}

/** "uid and shell as fields, and the comment as well if it is not empty". */
const AS_WELL =
  /^,?\s+and (?:also )?((?:the |its )?[^,;]{2,60}?) (?:as well|too)\b(?: (?:if|where|when) [^;]*)?/i;

const NAMES_BEHIND =
  /^\s+((?:`[\w .-]+`|[a-z]\w*)(?:(?:,\s+|,?\s+and\s+)(?:`[\w .-]+`|[a-z]\w*))*)(?=\s*(?:$|[.,;(]))/;

/** "There is one field: x", "the only field is x", "field x is ...", "value the name, fields x and y". */
function leadMarker({ about, isOne, end, before, after, behind }: Noun): Marker | undefined {
  const start = leadStart(before);
  if (start === undefined || APART.test(after)) return undefined;
  const base = { about, start, side: "right", single: isOne, byAs: false } as const;
  const counted = /\b(?:one|two|three|four|five|six) $/i.test(before.slice(start));
  const verb = VERB.exec(after) ?? (counted ? /^,\s+/.exec(after) : null);
  if (verb !== null) return { ...base, end: end + verb[0].length };
  const opens =
    start === 0 ||
    /[,;:.]\s*$|\b(?:and|with|plus)\s+$/i.test(before.slice(0, start)) ||
    CONNECTS.test(before.slice(start));
  if (!opens) return undefined;
  const word = /^\s+(`[^`]+`|[\w]+)/.exec(behind)?.[1] ?? "";
  if (word === "" || FUNCTION_WORD.test(word)) return undefined;
  if (about === "value" && !/^(?:the|its|an?|each|`.*)$/i.test(word)) return undefined;
  return { ...base, end };
}

/** "The path is the value and the signature the field `signature`": the verb is that of the first half. */
function gapMarker({ about, at, end, before, behind }: Noun): Marker | undefined {
  const names = about === "fields" ? NAMES_BEHIND.exec(behind) : null;
  const gap = /\b(?:is|are|as) (?:the )?value(?:,| and|, and) (?:the|its) [\w ]+? (the )$/i.exec(before);
  if (names === null || gap === null) return undefined;
  const side = "named" as const;
  return {
    about,
    start: at - 4,
    end: end + names[0].length,
    side,
    names: names[1] ?? "",
    single: false,
    byAs: false,
  };
}

/** "The fields are separated by tabs" says nothing of ours. */
const APART =
  /^\s+(?:is|are) (?:separat|delimit|divid|set apart|quoted|enclosed|surround|joined|parted|(?:then |sometimes |often )?(?:missing|empty|absent|left out|blank|optional|omitted|not\b))/i;
const CONNECTS = /^\s*(?:and|with|while|but|whose|there|it has|has|come)\b/i;

/** Nothing but the beginning of a request stands in front: "Take", "and", "; we want". */
function isLeadIn(before: string): boolean {
  const own = before.replace(/^.*[;:.,](?=\s|$)|^.*\b(?:and|with)\s+(?=(?:we |take |use |$))/i, "");
  return /^\s*(?:(?:and|with|also|then|please|we|take|use|want|need|report|record|keep|extract|give|store|collect)\s*)*$/i.test(
    own,
  );
}

function clauseStart(before: string, start: number): number {
  const lead =
    /(?:[;:,.]\s*|\band\s+|^)(?:(?:also|then|please|we|take|use|want|need|report|record|keep|extract|give|store|collect)\s+)*$/i.exec(
      before.slice(0, start),
    );
  return lead === null ? start : lead.index;
}

/** Where the words in front of the noun begin that belong to it: "and its only further", "There is one", "whose". */
function leadStart(before: string): number | undefined {
  const lead =
    /(?:^|[\s,;:(])((?:(?:and|with|while|whereas|but|there (?:is|are)|it has|has|have|wanted are|we (?:want|need)|take|use|report|come|carr(?:y|ies))\s+)*(?:the (?:\w+'s|record's|item's) |(?:the|its|their|an?|whose|our|his|this|as|for|further|other|additional|only|single|sole|one|two|three|four|five|six|following|required)\s+)*)$/i.exec(
      before,
    );
  const possessive = /(?:^|\s)(?:the|each|a|an) \w+'s $/i.exec(before);
  if (possessive !== null) return possessive.index;
  if (lead === null) return undefined;
  const start = before.length - (lead[1] ?? "").length;
  const words = (lead[1] ?? "").trim();
  if (words === "" && !/(?:^|[,;:.]\s*)$/.test(before)) return undefined;
  // "a value", "the field" in the middle of a sentence say nothing of ours.
  if (
    /^(?:an?|one|two|three|four|five|six)$/i.test(words) &&
    start > 0 &&
    !/[,;:.]\s*$/.test(before.slice(0, start))
  )
    return undefined;
  return start;
}

function clauseOf(
  one: Marker,
  previous: Marker | undefined,
  next: Marker | undefined,
  text: string,
  masked: string,
): Clause[] {
  const single = one.single ? { single: true } : {};
  if (one.side === "right") {
    let end = next?.start ?? text.length;
    if (next !== undefined && next.side !== "right") end = cutBefore(masked, one.end, next.start);
    const own = text.slice(one.end, end).replace(/[\s,;:]+(?:and|with|while|but)?[\s,;]*$/i, "");
    return own.trim() === ""
      ? [{ about: one.about, text: "" }]
      : [{ about: one.about, text: own.trim(), ...single }];
  }
  const from =
    previous === undefined
      ? 0
      : previous.side === "right"
        ? cutBefore(masked, previous.end, one.start)
        : afterRemark(masked, previous.end);
  const own = text.slice(from, one.start);
  if (one.side === "left") {
    const more = (one.more ?? "") === "" ? [] : [{ about: one.about, text: `${one.more ?? ""} (optional)` }];
    return [{ about: one.about, text: subjectOf(own, one), ...single }, ...more];
  }
  return [{ about: "fields", text: namedFields(subjectOf(own, one), one.names ?? "") }];
}

/** Where the text about the marker before ends and that of the next one begins. */
function cutBefore(masked: string, from: number, to: number): number {
  const between = masked.slice(from, to);
  for (const cut of [
    /^.*;\s*/,
    /^.*,\s+(?:and|with|while|but)\s+/i,
    /^.*\s(?:with|while)\s+/i,
    /^[^,]*,\s+/,
    /^.*?\s+and\s+/i,
  ]) {
    const found = cut.exec(between);
    if (found !== null) return from + found[0].length;
  }
  return to;
}

/** Behind a remark on the part before: "as value, as printed, and the condition ...". */
function afterRemark(masked: string, from: number): number {
  const remark =
    /^\s*,?\s*(?:(?:as (?:printed|written|shown|it stands|given)|without|with its|in full|number only)[^,;]*[,;]\s*)*(?:and |with |while |but |together with )?/i.exec(
      masked.slice(from),
    );
  return from + (remark?.[0].length ?? 0);
}

const REQUEST =
  /^(?:[,;:\s]+|(?:and|with|together with|but|then|also|please|we|you|what we (?:need|want) (?:is|are)|take|use|record|report|extract|give|store|keep|want|need|collect|list|read|each|it is)\s+)+/i;

/** The text in front of a marker without what belongs to the request. */
function subjectOf(text: string, one: Marker): string {
  let own = text.replace(/^\s*[,;:]\s*/, "");
  // "Extract the failed jobs with the job name as the value": the nearest noun.
  if (one.about === "value" && one.byAs) {
    const near =
      /^.*(?:\bwith|\band (?:take|use|report|give)|[:;])\s+(?=(?:the|its|their|each|every|an?)\b)/i.exec(
        mask(own),
      );
    if (near !== null) own = own.slice(near[0].length);
  }
  if (one.about === "value") own = valueSubject(own);
  if (one.about === "fields") {
    const near = /^.*(?:;|\bwe (?:also )?(?:want|need|take)\b|:)\s*/i.exec(mask(own));
    if (near !== null) own = own.slice(near[0].length);
  }
  return own.replace(REQUEST, "").replace(/[\s,;]+$/, "");
}

/** The part that is the value, without what the sentence says before it. */
function valueSubject(text: string): string {
  const own = text
    .trim()
    .replace(
      /^(?:(?:and|please|we|you|then|also|take|use|record|report|extract|give|store|keep|want|need|collect|list)\s+)+/i,
      "",
    )
    .replace(/^.*;\s+(?=(?:the|its|this|that|each|every)\b)/i, "")
    .replace(
      /^(?:.*[,:;]\s+)?(?:(?:each|every|a|the) [\w-]+(?: [\w-]+)? (?:gives|has|shows|holds|names|lists|contains|carries|(?:starts|begins) with)|one (?:record|item|entry|row|value) (?:per|for (?:each|every)))\s+/i,
      "",
    )
    // "Every pump is a record and the number at its end", "those that have the state: the id".
    .replace(
      /^.*\b(?:is|are|counts? as|makes?|gives?) (?:an? |one )?(?:record|item|entry|row)s?,?\s+(?:and\s+)?(?=(?:the|its|this|that)\b)/i,
      "",
    )
    .replace(/^(?:those|these|they|it|the ones?)\b[^:;]*[:;]\s+(?=(?:the|its|this|that)\b)/i, "");
  // "the path follows as the eleventh and": the verb of another statement.
  const placed = /^((?:the|its) [\w-]+(?: [\w-]+)?) ((?:follows|comes|stands)\b.*?),?\s+and$/i.exec(own);
  if (placed !== null) return `${placed[1] ?? ""}, which ${placed[2] ?? ""}`;
  // "LISTEN is an absolute path, and this path": what was called so before.
  const again =
    /^(?:.*\s)?([A-Z][\w-]+|`[^`]+`) (?:is|holds|has|names|gives) an? (?:[\w-]+ ){0,2}?([a-z]+),?\s+(?:and\s+)?(?:this|that) ([a-z]+)$/.exec(
      own,
    );
  if (again !== null && again[2] === again[3])
    return `the ${again[2] ?? ""} in the column ${(again[1] ?? "").replace(/`/g, "")}`;
  return own;
}

/** "the jail and the process number" are "the fields `jail` and `pid`": each name with what it stands for. */
function namedFields(subject: string, names: string): string {
  const own = splitList(names);
  const told = splitList(subject);
  if (own.length === 1) return `${own[0]} (${subject.replace(/[()]/g, "")})`;
  if (own.length !== told.length) return names;
  return own.map((name, index) => `${name} (${(told[index] ?? "").replace(/[()]/g, "")})`).join(", ");
}
