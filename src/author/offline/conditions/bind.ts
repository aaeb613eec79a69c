// The tests of a claim bound to parts of the records, as filters: the part that the claim names, else the only part that
// just has its texts.

import type { Test } from "../page/claim-tests.ts";
import { type Claim, MATCHES } from "../page/claims.ts";
import { holds } from "../page/conditions.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Extracted, GroupFilter, Match } from "../program/ir.ts";
import { wordIn } from "./exclusions.ts";
import { names, type Part, textOf } from "./parts.ts";

export interface Binding {
  filters: GroupFilter[];
  /** All records fulfil it as they are. */
  met: boolean;
}

export interface Seen {
  records: readonly Extracted[];
  parts: readonly Part[];
  /** The records of the page's own examples. */
  shown: readonly Extracted[];
  /** Its example lines. */
  examples?: readonly string[];
}

const EXACT = /\b(?:in|with) (?:capitals|capital letters|upper[ -]?case|lower[ -]?case|small letters)\b/i;

/** How a test compares the texts of a part. */
function comparison(test: Test, texts: readonly string[], isExact = false): Comparison {
  // An address is no amount: it is the text, or stands in front of its port.
  if (test.texts.length > 0 && test.texts.every((text) => /^\d+(?:\.\d+){2,}$/.test(text))) {
    const isPart = !texts.some((text) => test.texts.includes(text));
    return isPart
      ? { equals: test.texts.map((text) => `${text}:`), match: "prefix" }
      : { equals: test.texts };
  }
  if (test.how === "amount") return { equals: test.texts, match: MATCHES[test.relation ?? "="] ?? "number" };
  // A dash is a text like any other where some are blank.
  if (test.how === "blank") return { equals: texts.includes("") ? [""] : ["", "-", "--"] };
  if (test.how === "letters") return { equals: [], match: "letters" };
  if (test.how !== "is") return { equals: test.texts, match: test.how };
  // "type `cell_` with any size": how it begins.
  if (test.texts.every((text) => /\w[_/:.-]$/.test(text))) return { equals: test.texts, match: "prefix" };
  const wanted = new Set(test.texts.map((text) => text.toLowerCase()));
  const isMeant = (text: string): boolean =>
    // "(VIOLATED)" is VIOLATED.
    wanted.has(text) ||
    (!test.texts.some((one) => /[()[\]]/.test(one)) && wanted.has(text.replace(/^[([](.*)[)\]]$/, "$1")));
  // "TCP" is a name for `tcp` and `tcp6` alike.
  const isKind = test.texts.every((text) => /^[A-Z]{3,}$/.test(text) && !texts.includes(text));
  const others = isExact ? [] : [...new Set(texts)];
  const seen = others.filter((text) => {
    const own = text.trim().toLowerCase();
    return isMeant(own) || (isKind && wanted.has(familyOf(own)));
  });
  // "The letter has to be W", where all texts are a letter and a number.
  const letters = test.texts.every((text) => /^[A-Z]$/.test(text)) && seen.length === 0;
  if (letters && texts.length > 0 && texts.every((text) => /^[A-Z][-_]?\d+$/.test(text)))
    return { equals: test.texts, match: "prefix" };
  return { equals: [...new Set([...test.texts, ...seen])] };
}

interface Ranked {
  part: Part;
  /** How well the noun of the test names it, 0 to 1. */
  named: number;
  compared: Comparison;
  /** Records that have the texts of the test there. */
  hits: number;
}

/** The parts by how well the noun of a test names them, with how many records have its texts there. */
function rankedParts(claim: Claim, test: Test, { records, parts }: Seen): Ranked[] {
  return parts
    .map((part) => {
      const texts = records.map((record) => textOf(record, part));
      const isJust = test.maybe !== undefined && names(part, test.maybe, []) >= 0.95;
      const named = test.every === true ? 0 : isJust ? 0.95 : names(part, test.of, texts);
      const compared = folded(comparison(test, texts, EXACT.test(claim.said)), claim);
      const hits = texts.filter((text) => hit(compared, text)).length;
      return { part, named, compared, hits };
    })
    .sort((a, b) => b.named - a.named);
}

/** Parts that have the texts among others: "1  STOPPED" is in the state STOPPED as well. */
function widen(ranked: readonly Ranked[], claim: Claim, test: Test, { records, shown }: Seen): void {
  for (const one of ranked) {
    const texts = records.map((record) => textOf(record, one.part));
    const words = test.texts.map((text) => wordIn(text));
    // "The remark `x`, alone or among others": the page's own example has it among others.
    const among = shown.some((record) => {
      const own = textOf(record, one.part);
      return words.some((word) => word.test(own)) && !hit(one.compared, own);
    });
    if (one.named >= 0.65 && among && test.how === "is" && claim.wanted) {
      one.compared = { equals: test.texts, match: "contains" };
      one.hits = texts.filter((text) => hit(one.compared, text)).length;
      continue;
    }
    const within = texts.filter((text) => words.some((word) => word.test(text))).length;
    if (one.named < 0.7 || one.hits > 0 || test.how !== "is" || within === 0 || within === texts.length)
      continue;
    if (texts.some((text) => text.split(/\s+/).length > 3)) continue;
    one.compared = { equals: test.texts, match: "contains" };
    one.hits = texts.filter((text) => hit(one.compared, text)).length;
  }
}

/** Bindings of a test that compares two parts: both have to be named. */
export function bindCompared(claim: Claim, test: Test, { records, parts }: Seen): Binding[] {
  const namedBy = (noun: string): Part[] =>
    parts
      .map((part) => ({
        part,
        like: names(
          part,
          noun,
          records.map((record) => textOf(record, part)),
        ),
      }))
      .filter(({ like }) => like >= 0.6)
      .sort((a, b) => b.like - a.like)
      .map(({ part }) => part);
  const negate = claim.wanted === test.negate;
  // The number that both are ("the installed version", "the latest").
  const withoutNoun = (noun: string): Part[] => {
    const whole = namedBy(noun);
    return whole.length > 0
      ? whole
      : namedBy(noun.replace(/ (?:version|value|number|count|name|size|date|time|one)$/i, ""));
  };
  return withoutNoun(test.of).flatMap((one) =>
    withoutNoun(test.than ?? "")
      .filter((other) => other.group !== one.group)
      .map((other): Binding => {
        const texts = records.map((record) => [textOf(record, one), textOf(record, other)] as const);
        const isNumber = (text: string): boolean => /^[-+]?[\d.,]*\d/.test(text);
        // Equal as they are printed; one is above the other as numbers.
        const match = test.relation === "=" ? undefined : MATCHES[test.relation ?? "="];
        const unfit = match !== undefined && !texts.some((both) => both.every(isNumber));
        const filter: GroupFilter = {
          group: one.group,
          equals: [],
          than: other.group,
          ...(match === undefined ? {} : { match }),
          ...(negate ? { negate: true } : {}),
        };
        return { filters: unfit ? [] : [filter], met: false };
      })
      .filter(({ filters }) => filters.length > 0),
  );
}

/** Bindings of a test to one part, the most likely first. */
export function bindPart(claim: Claim, test: Test, { records, parts, shown }: Seen): Binding[] {
  const ranked = rankedParts(claim, test, { records, parts, shown });
  const negate = claim.wanted === test.negate;
  const bindings: Binding[] = [];
  const push = ({ part, compared, hits }: (typeof ranked)[number]): void => {
    const keeps = negate ? records.length - hits : hits;
    const filter: GroupFilter = { group: part.group, ...compared, ...(negate ? { negate: true } : {}) };
    bindings.push({ filters: [filter], met: keeps === records.length });
  };
  widen(ranked, claim, test, { records, parts, shown });
  const named = ranked.filter((one) => one.named > 0);
  for (const one of named) {
    // Where another part alone has the text, the noun means that one.
    const elsewhere = test.how === "is" && ranked.some((other) => other !== one && other.hits > 0);
    const known = (one.named >= 0.9 && !elsewhere) || (test.how === "blank" && one.named >= 0.65);
    if (one.hits > 0 || (negate && known)) push(one);
  }
  // "Rows in which it is blank": the value, of which the sentence before speaks.
  const own = ranked.find((one) => one.part.isValue);
  if (test.how === "blank" && /^(?:it|they)$/i.test(test.of) && own !== undefined) push(own);
  if (bindings.length > 0) return bindings;
  // "Rows of files (they end in `.c`)": the records themselves, so their value.
  const value = ranked.find((one) => one.part.isValue && one.hits > 0);
  if (
    value !== undefined &&
    /^(?:prefix|suffix)$/.test(test.how) &&
    /^(?:they|it|these|those|which|that)?$/i.test(test.of)
  )
    push(value);
  if (test.how === "amount" && bindings.length === 0) bySize(claim, ranked, records).forEach(push);
  if (bindings.length > 0 || test.how !== "is") return bindings;
  // Without a name, or with one that is none of the parts': the only part that is just such a text.
  const isLetter = test.texts.every((text) => /^[A-Z]$/.test(text));
  const having = ranked.filter((one) => one.hits > 0 && (isLetter || one.compared.match === undefined));
  const all = having.filter((one) => hasAll(one, test, records));
  const [only] = having.length > 1 && all.length === 1 ? all : having;
  if ((having.length === 1 || all.length === 1) && only !== undefined) push(only);
  // Of what is not wanted either part rules a record out; a number may stand in any.
  else if (
    having.length > 1 &&
    !test.texts.every((text) => /^\d{1,3}$/.test(text)) &&
    (test.every === true || negate)
  ) {
    const equals = [...new Set(having.flatMap((one) => one.compared.equals))];
    const filters = having.map(({ part }) => ({
      group: part.group,
      equals,
      ...(negate ? { negate: true } : {}),
    }));
    const [first, ...also] = having.map(({ part }) => part.group);
    if (negate) bindings.push({ filters, met: false });
    else if (first !== undefined) bindings.push({ filters: [{ group: first, also, equals }], met: false });
  }
  return bindings;
}

/** Are all texts of the test texts of the part? */
function hasAll({ part }: Ranked, { texts }: Test, records: readonly Extracted[]): boolean {
  const own = new Set(records.map((record) => textOf(record, part).trim().toLowerCase()));
  return texts.length > 1 && texts.every((text) => own.has(text.toLowerCase()));
}

const SIZES: [RegExp, RegExp][] = [
  [/\b(?:short|long)er\b/i, /length|\blen|distance|duration|\btime|elapsed|span/i],
  [/\b(?:large|small|bigg|larg)e?r\b/i, /size|bytes|area|volume|capacity/i],
  [/\b(?:old|young|new)er\b/i, /\bage|days|created|date/i],
  [/\b(?:wide|narrow)e?r\b/i, /width/i],
  [/\b(?:fast|slow)er\b/i, /time|latency|speed|duration|delay/i],
];

/** "Nets shorter than 100": the only number that says how long. */
function bySize(claim: Claim, ranked: readonly Ranked[], records: readonly Extracted[]): Ranked[] {
  const [, size] = SIZES.find(([word]) => word.test(claim.phrase)) ?? [];
  if (size === undefined || ranked.some((one) => one.named > 0)) return [];
  const numeric = ranked.filter(
    ({ part }) =>
      !part.isValue &&
      records.length > 0 &&
      records.every((record) => /^[-+]?\d[\d.,]*(?: ?[a-zA-Zµ%]{1,4})?$/.test(textOf(record, part))),
  );
  const own = numeric.filter(({ part }) =>
    size.test(`${part.hint.name.replace(/_/g, " ")} ${part.hint.description}`),
  );
  const found = own.length > 0 ? own : numeric;
  return found.length === 1 ? found.filter(({ hits }) => hits > 0) : [];
}

interface Comparison {
  equals: string[];
  match?: Match;
  fold?: boolean;
}

/** The same comparison whatever the case of the letters, where the page says so. */
function folded(compared: Comparison, claim: Claim): Comparison {
  if (!claim.fold || compared.match === "number") return compared;
  return { ...compared, equals: [...new Set(compared.equals.map((text) => text.toLowerCase()))], fold: true };
}

function hit(compared: Comparison, text: string): boolean {
  return holds({ ...compared, negate: false }, text);
}

/** "Lines where both counters are 0": a test over several parts that are numbers. */
export function bindCounters(claim: Claim, test: Test, { records, parts }: Seen): Binding[] {
  const numeric = parts.filter(
    (part) =>
      !part.isValue && records.every((record) => /^\d+(?:[.,]\d+)*[KMGkm%]?$/.test(textOf(record, part))),
  );
  const meant =
    test.count === undefined || numeric.length === test.count ? numeric : alike(numeric, test.count);
  const [first, ...also] = meant.map((part) => part.group);
  if (first === undefined) return [];
  const compared = { equals: test.texts, match: MATCHES[test.relation ?? "="] ?? ("number" as const) };
  const one = (group: string, negate: boolean): GroupFilter => ({
    group,
    ...compared,
    ...(negate ? { negate } : {}),
  });
  // Of those that are wanted "all" holds for each part and "any" for one; for those that are not it is the other way.
  const each = (test.over === "all") === claim.wanted;
  const negate = claim.wanted === test.negate;
  const filters = each
    ? [first, ...also].map((group) => one(group, negate))
    : [{ ...one(first, negate), also }];
  return [{ filters, met: false }];
}

/** Parts whose names differ in a number or one word only, where there are as many as said. */
function alike(parts: readonly Part[], count: number): Part[] {
  const families = new Map<string, Part[]>();
  for (const part of parts)
    for (const key of new Set([part.hint.name.replace(/\d+/g, "#"), ...wordsOf(part.hint.name).map(stem)])) {
      families.set(key, [...(families.get(key) ?? []), part]);
    }
  return [...families.values()].find((family) => family.length === count) ?? [];
}

/** "tcp6" is one of the kind "tcp". */
export function familyOf(word: string): string {
  return word.replace(/(?<=^[a-z]{3,})\d$/, "");
}

/** Texts of a part that tells kinds of records: few, and of few words. */
const MOST_KINDS = 12;

/** Words of a phrase that tell no kind. */
const SAYS_NOTHING =
  /^(?:that|which|who|was|were|has|have|had|been|what|whatever|still|already|yet|just|also|only|any|more|longer|ones?|for|something|anything|now|got|did|does|can|cannot|output)$/i;

/** "Findings of level warning", "passed tests": a part of few texts has just this word, and the page's example another. */
export function bindWords(
  claim: Claim,
  test: Test,
  { records, parts, shown }: Seen,
  known: ReadonlySet<string>,
): Binding[] {
  if (/\bother\b/i.test(claim.phrase)) return [];
  // What is said about them in a clause of its own tells no kind.
  const words = wordsOf(
    claim.phrase.replace(/\([^)]*\)|, (?:which|that|who)\b.*$|\b(?:itself|themselves)\b.*$/gi, " "),
  ).filter((word) => word.length > 2 && !SAYS_NOTHING.test(word));
  const said = new Set(words.map(stem));
  // "Accounts that are not active any more".
  const keeps =
    claim.wanted !==
    /\b(?:are|is|were|was|do|does|not|never|no longer)\b (?:not|never|no longer)\b|^(?:\w+ )?not\b/i.test(
      claim.phrase,
    );
  const bindings: Binding[] = [];
  for (const part of parts) {
    const texts = [...new Set(records.map((record) => textOf(record, part)).filter((text) => text !== ""))];
    const kinds = texts.length >= 2 && texts.length <= MOST_KINDS;
    const named = names(part, test.texts.find((word) => names(part, word, texts) >= 0.7) ?? "", texts) >= 0.7;
    if (!(kinds || named)) continue;
    const meant = texts.filter((text) => {
      const own = wordsOf(text);
      const isName = own.some((word) => names(part, word, []) >= 0.7 && !/^(?:in|un|non)/i.test(word));
      if (own.length === 0 || own.length > 3 || !/[a-z]{3}/i.test(text) || isName) return false;
      return own.every((word) => said.has(stem(word)) || said.has(stem(familyOf(word))));
    });
    // "The root hubs": a word more makes it something else.
    const told = new Set(
      [...meant, ...texts.filter((text) => said.has(stem(text.toLowerCase())))].flatMap((text) =>
        wordsOf(text).flatMap((word) => [stem(word), stem(familyOf(word))]),
      ),
    );
    // "Hubs and root hubs": where one of them is a text of the part, the other is a kind of it that no record has.
    const items = claim.wanted ? [] : claim.phrase.split(/,? (?:and|or) |, /).map(wordsOf);
    const isWhole = items.length > 1 && items.some((item) => item.every((word) => told.has(stem(word))));
    const isKind = (word: string): boolean =>
      isWhole && items.some((item) => item.includes(word) && told.has(stem(item.at(-1) ?? "")));
    const rest = words.filter(
      (word) =>
        !told.has(stem(word)) && !known.has(stem(word)) && !(names(part, word, []) >= 0.7) && !isKind(word),
    );
    if (rest.length > 0) continue;
    if (meant.length === 0 || meant.length === texts.length) continue;
    const own = shown.map((record) => textOf(record, part));
    if (own.some((text) => meant.includes(text) !== keeps)) continue;
    if (keeps && !named && own.length === 0) continue;
    bindings.push({
      filters: [{ group: part.group, equals: meant, ...(keeps ? {} : { negate: true }) }],
      met: false,
    });
  }
  return bindings;
}
