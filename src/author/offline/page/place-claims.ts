// Where in a file the page says that records stand, or that lines like them do not count: "in the section X", "only lines
// below `Y`", "the list between `A` and `B`", "the list `Z` repeats them and is not wanted".

import { bare, quotedIn, type Statement } from "./text.ts";

export interface PlaceClaim {
  said: string;
  /** Records below the title are wanted; else they are not. */
  wanted: boolean;
  /** The title as the page writes it. */
  title: string;
  /** Where the place ends, when the page says so. */
  upTo?: string;
}

const NOUN =
  "(?:sub)?(?:sections?|parts?|lists?|tables?|headings?|headlines?|titles?|blocks?|chapters?|paragraphs?|summar(?:y|ies)|listings?|line|words?)";
/** Nouns of what has records in it. */
const AREA =
  "(?:(?:sub)?sections?|parts?|lists?|tables?|blocks?|chapters?|paragraphs?|summar(?:y|ies)|listings?)";
const Q = "‹\\d+›";
/** A title: quoted, or words in capitals. */
const TITLE = `(?:${Q}|[A-Z][A-Z0-9_]{2,}(?:[ -][A-Z0-9][A-Z0-9_]*)*|[A-Z]{2,}(?: [A-Z]{2,})+)`;
const UNWANTED =
  /\b(?:not|never|no) (?:be )?(?:wanted|needed|counted|taken|read|of interest|relevant|items?|records?|findings?)\b|\b(?:ignored?|skip(?:ped)?|left out|leave (?:it|them|this|these) out|excluded?|unwanted|(?:do|does) not count|do not (?:take|count|read|report) (?:it|them|these|those))\b/i;

/** All places of the page that have a title. */
export function readPlaces(statements: readonly Statement[]): PlaceClaim[] {
  return statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }, index) => {
      if (/^\s*(?:the )?(?:value|fields?|line(?: number)?)\b/i.test(bare(text))) return [];
      const next = sentences[index + 1]?.text ?? "";
      return inSentence(text, /^(?:these|those|they|it|this|that)\b/i.test(next) ? next : "");
    }),
  );
}

function inSentence(said: string, next: string): PlaceClaim[] {
  const spans = quotedIn(said);
  let text = "";
  let at = 0;
  for (const [index, span] of spans.entries()) {
    text += `${said.slice(at, span.start)}‹${index}›`;
    at = span.end;
  }
  text += said.slice(at);
  const titleOf = (one: string): string =>
    one.replace(/^‹(\d+)›$/, (_all, index: string) => spans[Number(index)]?.text ?? "").trim();
  const between = new RegExp(
    `\\b(?:between|from)\\s+(?:the ${NOUN} )?(${TITLE})\\s+(?:and|to|up to|until)\\s+(?:the ${NOUN} )?(${TITLE})`,
  ).exec(text);
  if (
    between !== null &&
    /\b(?:lines?|lists?|rows?|part|records?|entries|section|table)\b/i.test(bare(said))
  ) {
    const [, from = "", to = ""] = between;
    return [{ said, wanted: !UNWANTED.test(bare(said)), title: titleOf(from), upTo: titleOf(to) }];
  }
  const claims: PlaceClaim[] = [];
  // Each clause has its own polarity: "only the part X, not the part Y".
  for (const whole of text.split(/;\s+|,\s+(?=not\b|but not\b|nor\b)/)) {
    const clause = whole.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
    const negative = /^(?:but )?(?:not|nor)\b/.test(clause) || UNWANTED.test(`${clause} ${next}`);
    const forms = [
      `\\b(?:in|under|below|after|beneath|behind|within|following|inside|of)\\s+(?:the |a )?(?:${NOUN}\\s+)?(?:(?:headed|titled|called|named|with the (?:heading|title)|that (?:begins|starts) with)\\s+)?(?:the\\s+)?(${TITLE})`,
      `\\b(?:the|a|an)\\s+(?:\\w+ )?${AREA}\\s+(?:(?:headed|titled|called|named)\\s+)?(${TITLE})`,
      `\\b(?:details|entries|items|lines|members|rows|contents|children) (?:of|under|below|for|from|in|behind)\\s+(?:the )?(${TITLE})(?=$|[.,;])`,
      `(${TITLE})\\s+(?:section|part|list|table|block|chapter|summary|listing)\\b`,
    ];
    for (const [index, form] of forms.entries()) {
      const found = new RegExp(form).exec(clause);
      const title = titleOf(found?.[1] ?? "");
      if (found === null || title.length < 3 || title.length > 60) continue;
      // A title that is only quoted in front of or behind a part is no place, without a word for one.
      const hasNoun = new RegExp(`\\b${NOUN}\\b`, "i").test(found[0]);
      const isAbove = /^(?:under|below|after|beneath|following)\b/i.test(found[0]);
      const opens = /^(?:only|wanted|after|below|under|in|one)\b|\bonly\b|\bone line per\b/i.test(clause);
      if (index < 2 && !hasNoun && !(isAbove && opens)) continue;
      if (!negative && !opens) continue;
      claims.push({ said, wanted: !negative, title });
      break;
    }
  }
  return claims;
}
