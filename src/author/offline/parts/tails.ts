// "without the offset", "without the architecture": what is often glued to a name, by what people call it, and what it
// looks like. A part that is said to be without one ends in front of it.

import type { Say, Span } from "./evidence.ts";

const TAILS: [RegExp, RegExp][] = [
  [/offsets?|displacement/, /\+0x[0-9a-f]+(?:\/0x[0-9a-f]+)?/i],
  [/arch(?:itecture)?/, /[.:](?:x86_64|i\d86|amd64|arm64|aarch64|armhf|noarch|all|ppc64(?:le)?|s390x)\b/],
  [/prefix length|prefix|net ?mask|mask/, /\/\d{1,3}\b/],
  [/extension|suffix/, /\.[A-Za-z]\w{0,5}(?![\w.])/],
  [/(?:process|thread) ?(?:id|number)|pid/, /\[\d+\]/],
  [/index|indices|bit|bus/, /\[\d+(?::\d+)?\]/],
  [/line(?: number)?|position/, /[:(]\d+(?:[:,]\d+)?\)?/],
  [/zone|scope/, /%[\w.-]+/],
  [/query(?: string)?|parameters/, /\?\S*/],
  [/(?:e-?mail )?domain|realm/, /@[\w.-]+/],
];

const WITHOUT = /\b(?:without|excluding|not) (?:the |its |any |an? )?((?:[a-z-]+ ?){1,2})/gi;

/** What the description says that the part is without, as it looks. */
function tailsOf(description: string): RegExp[] {
  return [...description.matchAll(WITHOUT)].flatMap(([, noun = ""]) =>
    TAILS.filter(([words]) => new RegExp(`^(?:${words.source})\\b`, "i").test(noun.trim())).map(
      ([, tail]) => tail,
    ),
  );
}

/** The pieces between blanks in front of such a tail. */
export function tailSpans(line: string, description: string): Span[] {
  return tailsOf(description).flatMap((tail) =>
    [...line.matchAll(/\S+/g)].flatMap(({ index, 0: chunk }) => {
      const at = tail.exec(chunk)?.index ?? 0;
      const lead = /^["'([{<]*/.exec(chunk)?.[0].length ?? 0;
      return at > lead ? [{ start: index + lead, end: index + at }] : [];
    }),
  );
}

/** Speaks for parts right in front of a tail that they are said to be without, and against parts that have it. */
export function tailEvidence(line: string, span: Span, description: string, say: Say): void {
  for (const tail of tailsOf(description)) {
    const begins = new RegExp(`^(?:${tail.source})`, tail.flags).test(line.slice(span.end));
    const ends = new RegExp(`(?:${tail.source})$`, tail.flags).test(line.slice(span.start, span.end));
    if (begins) say(5, "without what follows it");
    else if (ends) say(-4, "has what it is said to be without");
  }
}
