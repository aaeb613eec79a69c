// Phrases of claims that speak of a place of the log, not of its records.

import type { Claim } from "../page/claims.ts";
import { stem } from "../page/names.ts";

/** Phrases about places of a log, not about its records. */
export const PLACE =
  /^(?:the |of |only |all |these )*(?:(?!whose|with|that|which)\w+ )?(?:sections?|tables?|lists?|part|chapters?|director(?:y|ies)|listings?|summar(?:y|ies)|reports?|files?(?! (?:systems?|names?|types?|descriptors?))|trees?|statistics|metrics)\b(?! (?:rows?|lines?|entr(?:y|ies)|records?)\b)/i;
/** Details below a title are a place. */
const BELOW =
  /^(?:the )?(?:details|entries|items|lines|members|rows|contents|children) (?:of|under|below|in|behind)\b(?! which)/i;
const FILES = /\b(?:next to it|beside it|below it|above it|in the same (?:directory|folder))\b/i;

/** Does a claim speak of a place of the log, not of its records? */
export function speaksOfPlace({ phrase, tests }: Claim, known: ReadonlySet<string>): boolean {
  // "The metrics `x` and `y`" are records.
  const isNamed = tests.some((one) => !one.plain && one.how === "is");
  if (isNamed && /^(?:the |only |all |these )*(?:statistics|metrics)\b/i.test(phrase)) return false;
  // Where files are the records, "files with 100%" are no place.
  const isRecord = known.has(stem("file")) && /^(?:the |of |only |all |these )*files?\b/i.test(phrase);
  // "Rows of files" are the records as well.
  const of = /^(?:the )?(?:rows|lines|entries|items) of (?:the )?([a-z]+)/i.exec(phrase)?.[1] ?? "";
  // "Rows in another state than `on`" says which rows, by a part of theirs.
  const isState = isNamed && /^(?:the )?\w+ in (?:an?|another|any|some|the) /i.test(phrase);
  const isBelow =
    BELOW.test(phrase) &&
    !isState &&
    !(of !== "" && (/^(?:another|other|different|any)$/i.test(of) || known.has(stem(of.toLowerCase()))));
  return (PLACE.test(phrase) && !isRecord) || FILES.test(phrase) || isBelow;
}
