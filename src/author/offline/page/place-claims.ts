// Where in a file the page says that records stand, or that lines like them do not count: "in the section X", "only lines
// below `Y`", "the list between `A` and `B`", "the list `Z` repeats them and is not wanted".

import { saysUnwanted } from "./polarity.ts";
import { bare, quotedIn, type Statement } from "./text.ts";

export interface PlaceClaim {
  said: string;
  /** Records below the title are wanted; else they are not. */
  wanted: boolean;
  /** The title as the page writes it. */
  title: string;
  /** Where the place ends, when the page says so. */
  upTo?: string;
  /** It goes on to the end of the file. */
  toEnd?: true;
  /** It is told as a title by its capitals alone, not quoted. */
  plain?: true;
}

const NOUN =
  "(?:sub)?(?:sections?|parts?|lists?|tables?|headings?|headlines?|titles?|blocks?|chapters?|paragraphs?|summar(?:y|ies)|listings?|line|words?)";
/** Nouns of what has records in it. */
const AREA =
  "(?:(?:sub)?sections?|parts?|lists?|tables?|blocks?|chapters?|paragraphs?|summar(?:y|ies)|listings?)";
const Q = "‹\\d+›";
/** A title: quoted, or words in capitals. */
const TITLE = `(?:${Q}|[A-Z][A-Z0-9_]{2,}(?:[ -][A-Z0-9][A-Z0-9_]*)*|[A-Z]{2,}(?: [A-Z]{2,})+)`;
/** Words with capitals, as titles are written; such a title has to be a line of its own. */
const CAPITALS =
  "(?:[A-Z][A-Za-z]+(?:[ /-](?:[A-Z][A-Za-z]*|\\d+|of|and|the|for|in|on|to|per|by|with)(?![a-z]))*)";
/** How a list, part or section is said to begin. */
const OPENED =
  "(?:headed|titled|called|named|with the (?:heading|headline|title)|(?:that |which )?(?:begins?|starts?|opens?|beginning|starting|opening) with|(?:announced|introduced|opened|headed|preceded|marked) (?:by|with|as))(?: the (?:line|heading|headline|title|words?))?";
const LINE = `(?:the )?(?:${NOUN} )?(?:(?:that|which) (?:says|reads) )?`;

/** "The sensors stand in", "each fault is listed under". */
const LISTED =
  /\b(?:stands?|listed|printed|found|reported|given|shown|collected|gathered|come|comes|taken|read|rows?|lines?|entries|items|records|ones)(?: \w+)? $/i;

/** The forms from here on tell titles by their capitals alone. */
const PLAIN_FORMS = 4;

interface Rest {
  wanted: boolean;
  title: string;
}

/** "Everything after `X` is left out", "stop at `X`", "only lines before `X`"; "only from `X` on", "what comes before `X` is
 * not wanted". */
function toTheEnd(text: string): Rest | undefined {
  const plain = text.replace(/[.;]\s*$/, "");
  const behind = new RegExp(
    `^(?:everything|anything|all|whatever|what|lines?|the lines?|records?|rows?|nothing)(?: that| which)? ?(?:comes|stands|follows|is|are|printed|else)?,? ?(?:after|behind|below|beneath|from|past)\\s+${LINE}(${Q})(?: on| onwards?)?(?=[\\s,]|$)(.*)$|^(?:everything|anything|all|whatever|what)(?: that| which)? follows\\s+${LINE}(${Q})(.*)$`,
    "i",
  ).exec(plain);
  const title = behind?.[1] ?? behind?.[3];
  if (
    title !== undefined &&
    (saysUnwanted(plain) || /\brepeats?\b/i.test(plain) || /^nothing\b/i.test(plain))
  )
    return { wanted: false, title };
  const stops = new RegExp(
    `^(?:please )?(?:stop (?:reading )?(?:at|before|with)|take nothing (?:from )?(?:below|after|behind|beyond)|do not read (?:beyond|past|further than)|(?:only|just|read only|take only) (?:the |those )?(?:lines|records|rows|entries|what comes|what stands|everything)(?: that (?:stand|come))? (?:up to|before|above|until|in front of))\\s+${LINE}(${Q})`,
    "i",
  ).exec(plain)?.[1];
  if (stops !== undefined) return { wanted: false, title: stops };
  const starts = new RegExp(
    `^(?:only |just |take |read )*from\\s+${LINE}(${Q}) (?:on|onwards?)\\b|^(?:what|everything|anything|all|lines?|whatever)(?: that| which)? ?(?:comes|stands|is|are|printed)? ?(?:before|above|in front of)\\s+${LINE}(${Q})(?= .*)|^(?:the )?(?:records|rows|entries|list|items) (?:start|begin)s? (?:only )?(?:after|below|behind|with)\\s+${LINE}(${Q})`,
    "i",
  ).exec(plain);
  const first = starts?.[1] ?? starts?.[3];
  if (first !== undefined) return { wanted: true, title: first };
  return starts?.[2] !== undefined && saysUnwanted(plain) ? { wanted: true, title: starts[2] } : undefined;
}

/** All places of the page that have a title. */
export function readPlaces(statements: readonly Statement[]): PlaceClaim[] {
  return statements.flatMap(({ sentences }) =>
    sentences.flatMap(({ text }, index) => {
      if (/^\s*(?:the )?(?:value|fields?|line(?: number)?)\b/i.test(bare(text))) return [];
      const next = sentences[index + 1]?.text ?? "";
      const first = index === 0 && sentences === statements[0]?.sentences;
      return inSentence(text, /^(?:these|those|they|it|this|that)\b/i.test(next) ? next : "", first);
    }),
  );
}

function inSentence(said: string, next: string, isFirst: boolean): PlaceClaim[] {
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
    `\\b(?:between|from|(?:begins|starts|opens) with)\\s+(?:the ${NOUN} )?(${TITLE})\\s+(?:and|to|up to|until|and (?:ends|closes|stops) (?:with|at))\\s+(?:the ${NOUN} )?(${TITLE})`,
  ).exec(text);
  if (
    between !== null &&
    /\b(?:lines?|lists?|rows?|part|records?|entries|section|table)\b/i.test(bare(said))
  ) {
    const [, from = "", to = ""] = between;
    return [{ said, wanted: !saysUnwanted(bare(said)), title: titleOf(from), upTo: titleOf(to) }];
  }
  const rest = toTheEnd(text);
  if (rest !== undefined) {
    const title = titleOf(rest.title);
    return title.length < 3 || title.length > 60 ? [] : [{ said, wanted: rest.wanted, title, toEnd: true }];
  }
  const claims: PlaceClaim[] = [];
  // Each clause has its own polarity: "only the part X, not the part Y".
  for (const whole of text.split(/;\s+|,\s+(?=not\b|but not\b|nor\b)/)) {
    const clause = whole.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
    const negative = /^(?:but )?(?:not|nor)\b/.test(clause) || saysUnwanted(`${clause} ${next}`);
    const forms = [
      `\\b(?:in|under|below|after|beneath|behind|within|following|inside|of)\\s+(?:the |a )?(?:${NOUN}\\s+)?(?:${OPENED}\\s+)?(?:the\\s+)?(${TITLE})`,
      `\\b(?:the|a|an)\\s+(?:\\w+ )?${AREA}\\s+(?:${OPENED}\\s+)?(${TITLE})`,
      `\\b(?:details|entries|items|lines|members|rows|contents|children) (?:of|under|below|for|from|in|behind)\\s+(?:the )?(${TITLE})(?=$|[.,;])`,
      `(${TITLE})\\s+(?:section|part|list|table|block|chapter|summary|listing)\\b`,
      `\\b(?:under|below|beneath|behind|within|inside|(?:in|of|from)(?= (?:the |a )?${NOUN}))\\s+(?:the |a )?(?:${NOUN}\\s+)?(?:${OPENED}\\s+)?(?:the\\s+)?(${CAPITALS})(?=$|[.,;:]| (?:as|up|where|which|that|and|only|there)\\b)`,
      `\\b(?:in|under|of|from|below) the (${CAPITALS})\\s+${AREA}\\b`,
    ];
    for (const [index, form] of forms.entries()) {
      const found = new RegExp(form).exec(clause);
      const title = titleOf(found?.[1] ?? "");
      if (found === null || title.length < 3 || title.length > 60) continue;
      // A title that is only quoted in front of or behind a part is no place, without a word for one.
      const hasNoun = new RegExp(`\\b${NOUN}\\b`, "i").test(found[0]);
      const isAbove = /^(?:under|below|after|beneath|following)\b/i.test(found[0]);
      const opens =
        (isFirst && hasNoun) ||
        LISTED.test(clause.slice(0, found.index)) ||
        /^(?:only|just|wanted|after|below|under|in|one|restrict|limit|confine|we (?:want|need)|take|use)\b|\bonly\b|\bjust\b|\bone line per\b|\bis (?:what|the (?:part|list|section|block)) we (?:want|need)\b/i.test(
          clause,
        );
      if (index < 2 && !hasNoun && !(isAbove && opens)) continue;
      if (!negative && !opens) continue;
      claims.push({ said, wanted: !negative, title, ...(index < PLAIN_FORMS ? {} : { plain: true }) });
      break;
    }
  }
  return claims;
}
