// Sentences that say which parts some records lack: "the last two are often blank", "where no alias is defined", "a message
// without file and line occurs", "some come without it".

import { stemsOf } from "./names.ts";
import type { Hint } from "./page.ts";

const NOT_ALWAYS =
  /\b(?:(?:is|are) not (?:printed|given|shown|set|there|present|available|known)\b[^.;]*\b(?:every|all|each|always)|(?:is|are) not always\b|(?:is|are|stays?|remains?) (?:sometimes|often|usually|mostly|partly) (?:missing|absent|blank|empty|left out|omitted)\b|(?:is|are|stays?|remains?|comes?) (?:sometimes |often |usually )?(?:missing|absent|blank|empty|left out|omitted) (?:for|in|on|from|with|at|where|when|if)\b|(?:may|can) be (?:missing|absent)|(?:is|are) only (?:printed|given|shown|there|present) (?:for|in|when|if|where))/i;

const NO_RECORD =
  /\b(?:(?:is|are) (?:not|no) (?:wanted|(?:an? )?(?:items?|records?|findings?)|of interest|counted|included|reported)|skip (?:it|them|these|those|such)|(?:is|are) (?:skipped|ignored|passed over)|ignore (?:it|them|these|those|such)|leave (?:it|them|these|those|such)[^.;]* out|(?:does|do) not count)\b/i;

const SOME_LACK =
  /^(?:on|in|for|with|at|from) (?:some|many|most|several|a few|other|older|newer|certain) [\w-]+,? ([^.;]*?) (?:is|are|stays?|remains?) (?:missing|absent|blank|empty|left out|omitted|not (?:printed|given|shown|set|there))\b/i;

/** "Mode and status are not printed for every interface": these parts may be missing. */
export function readMissing(text: string, before: string, hints: readonly Hint[]): void {
  // "They name no file and are not items": such lines are no records without the part.
  if (NO_RECORD.test(text)) return;
  for (const hint of saidOf(text, before, hints.slice(1))) hint.optional = true;
  for (const hint of onlySome(text, hints.slice(1))) hint.optional = true;
  const few =
    /\b(?:rows?|lines?|records?|entries|ones)\b[^.;]*?\bonly (?:have|has|show|carry|give|contain)s?\s+(?:an? |the |its |their )?([^.;]+)/i.exec(
      text,
    )?.[1];
  if (few !== undefined) {
    // "The split-up rows only have used": the others are missing there.
    const named = stemsOf(few);
    const own = (hint: Hint): string[] => [...stemsOf(hint.name.replace(/_/g, " "))];
    if (hints.slice(1).some((hint) => own(hint).every((one) => named.has(one)))) {
      for (const hint of hints.slice(1)) if (!own(hint).every((one) => named.has(one))) hint.optional = true;
    }
    return;
  }
  for (const hint of lacked(text, hints.slice(1))) hint.optional = true;
  const neither =
    /\b(?:have|has|carr(?:y|ies)|shows?|gives?) (?:neither (?:an? )?(.+?) nor (?:an? )?(.+?)|no (.+?))(?=[.,;]|$)/i.exec(
      text,
    );
  if (neither !== null) {
    // "Findings about a whole file have neither line nor column."
    const named = stemsOf([neither[1], neither[2], neither[3]].join(" "));
    for (const hint of hints.slice(1))
      if ([...stemsOf(hint.name.replace(/_/g, " "))].every((one) => named.has(one))) hint.optional = true;
  }
  const said = NOT_ALWAYS.exec(text);
  // "On some machines the columns x and y are blank."
  const some = SOME_LACK.exec(text)?.[1];
  if (said === null && some === undefined) return;
  const subject = some ?? text.slice(0, said?.index);
  for (const hint of counted(subject, hints.slice(1))) hint.optional = true;
  const stems = stemsOf(subject);
  for (const hint of hints.slice(1)) {
    const own = [...stemsOf(hint.name.replace(/_/g, " "))];
    if (own.length > 0 && own.every((one) => stems.has(one))) hint.optional = true;
  }
}

/** "Only failed runs have a signal", "signal: only when the run failed", "runs that passed have nothing in the last column",
 * "nothing stands in the signal column of runs that passed", "the last column is empty where the run passed". */
const ONLY_SOME: readonly RegExp[] = [
  /^only (?:the )?(?!.*\b(?:that|which|who|whose|with|wanted|counts?)\b)[\w -]+? (?:have|has|shows?|prints?|gives?|carry|carries|gets?|names?) (?:an? |the |any |such an? )?(?<part>[\w -]+?)(?=[.,;]|$)/i,
  /^(?<part>[\w ]+): only (?:if|when|where|for|with|in|on)\b/i,
  /\b(?:have|has|show|shows|with) (?:nothing|no text|no entry|an? dash|blanks?) (?:in|at) (?:the |its |their )?(?<part>[\w ]+?(?: column| field| cell)?)(?=[.,;]|$)/i,
  /\b(?:have|has|show|shows|with) an? (?:empty|blank) (?<part>[\w ]*?(?:column|field|cell))\b/i,
  /\bnothing (?:stands|is|is printed|is given|appears) in the (?<part>[\w ]+?)(?: column| field| cell)?(?= (?:of|for|in|on|where|when|if|with)\b|[.,;]|$)/i,
  /^(?:then |there |otherwise )?the (?<part>[\w ]*(?:column|field|cell)) (?:is|stays|remains) (?:empty|blank)(?= (?:of|for|in|on|where|when|if|with|unless)\b|[.,;]|$)/i,
];

function onlySome(text: string, fields: readonly Hint[]): readonly Hint[] {
  // "Runs with nothing in the last column are left out" was seen before; what asks for records makes no part optional.
  return ONLY_SOME.flatMap((one) => {
    const part = one.exec(text)?.groups?.["part"]?.trim();
    if (part === undefined) return [];
    const placed = counted(part, fields);
    if (placed.length > 0) return placed;
    const named = stemsOf(part.replace(/\b(?:fields?|columns?|cells?)\b/gi, " "));
    return fields.filter(({ name }) => {
      const own = [...stemsOf(name.replace(/_/g, " "))];
      return own.length > 0 && own.every((word) => named.has(word));
    });
  });
}

const COUNTS: Record<string, number> = { "": 1, one: 1, two: 2, three: 3, four: 4, both: 2 };

/** "the last two are missing with some interfaces": fields by their place in the list. */
function counted(subject: string, fields: readonly Hint[]): readonly Hint[] {
  const told =
    /\b(?:the )?(last|first|other|latter)(?: (one|two|three|four))?(?: (?:columns?|fields?|cells?|parts?))?\s*$/i.exec(
      subject.trim(),
    );
  if (told === null) return /\bboth\s*$/i.test(subject.trim()) && fields.length === 2 ? fields : [];
  const count = COUNTS[(told[2] ?? "").toLowerCase()] ?? 1;
  return /first/i.test(told[1] ?? "") ? fields.slice(0, count) : fields.slice(-count);
}

/** "Ports without a link have no speed": the part may be missing. */
function lacked(text: string, fields: readonly Hint[]): readonly Hint[] {
  const said =
    /\b(?:some|many|most|few|not all|those|others|[a-z]+s (?:with|without|that|of) [^.;,]+?|[a-z]+s) (?:have|has|print|give|show|carry|then have|then has) (?:no|neither) (?:such )?([^.;]+)/i.exec(
      text,
    )?.[1];
  if (said === undefined) return [];
  const named = stemsOf(said.replace(/\b(?:field|line|key|entry|column)s?\b/gi, " "));
  return fields.filter((hint) => {
    const own = [...stemsOf(hint.name.replace(/_/g, " "))];
    return own.length > 0 && own.every((one) => named.has(one));
  });
}

/** What a record may lack, in a sentence about all of them, about the part before, or about parts by name. */
function saidOf(text: string, before: string, fields: readonly Hint[]): readonly Hint[] {
  const all =
    /^(?:and |but )?(each|any|every one|all|either|both)(?: of (?:them|these|the (?:fields|parts)))? (?:(?:may|can|could|might) (?:also )?be|is sometimes|are sometimes) (?:missing|absent|blank|empty|left out|omitted|not there)\b/i.exec(
      text,
    )?.[1];
  if (all !== undefined) return /either|both/i.test(all) ? fields.slice(-2) : fields;
  if (
    /^(?:some|many|most|not all|others?|older|newer|a few)\b[^.;]*\bwithout (?:it|one|them)\b/i.test(text)
  ) {
    const last = fields
      .map((hint) => ({ hint, at: placeOf(hint.name, before) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => b.at - a.at)[0]?.hint;
    const [only, ...others] = fields;
    if (last !== undefined) return [last];
    return only !== undefined && others.length === 0 ? [only] : [];
  }
  const empty =
    /\b(?:have|has|with|show|shows) an? (?:empty|blank|missing) ([a-z]+)(?=[.,;]|$| (?:here|there|then)\b)/i.exec(
      text,
    )?.[1];
  const heads = fields.filter(
    ({ name }) => empty !== undefined && name.split("_").at(-1) === empty.toLowerCase(),
  );
  if (heads.length === 1) return heads;
  const named =
    /\b(?:where|if|when|unless) (?:there is )?no ([\w -]+?) (?:is|was|are|has been|exists?)\b/i.exec(
      text,
    )?.[1] ??
    /\b(?:an? |some |many )?\w+s? without (?:an? )?([\w, -]+?) (?:occurs?|exists?|(?:is|are) (?:possible|an? (?:item|record)|items|records|wanted|reported|normal|fine|listed|included|read|taken|shown)|counts?|may occur)\b/i.exec(
      text,
    )?.[1];
  if (named === undefined) return [];
  const stems = stemsOf(named);
  return fields.filter((hint) => {
    const own = [...stemsOf(hint.name.replace(/_/g, " "))];
    return own.length > 0 && own.every((one) => stems.has(one));
  });
}

/** Where a name stands last in a sentence, in backticks or as words. */
function placeOf(name: string, text: string): number {
  const coded = text.lastIndexOf(`\`${name}\``);
  return coded >= 0 || name.length < 3 ? coded : text.toLowerCase().lastIndexOf(name.replace(/_/g, " "));
}
