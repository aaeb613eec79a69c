// Claims whose words name no part of the records: amounts told by their unit or by the only part that has such numbers
// ("instances below 1.8 V", "tasks that took 10 seconds or longer"), and counts told by what is counted ("corners without
// violations", "units that were restarted at least once").

import type { Test } from "../page/claim-tests.ts";
import { type Claim, MATCHES } from "../page/claims.ts";
import { holds } from "../page/conditions.ts";
import { stem, stemsOf, wordsOf } from "../page/names.ts";
import type { GroupFilter, Match } from "../program/ir.ts";
import type { Binding, Seen } from "./bind.ts";
import { names, type Part, textOf } from "./parts.ts";

const NUMERIC = /^[-+]?\d[\d.,]*(?:e[-+]?\d+)?\s?[a-zA-Zµ°%]{0,3}$/;

/** Units, and how parts in them are called. */
const UNITS: [RegExp, RegExp][] = [
  [/^m?v(?:olts?)?$/i, /volt|supply|vdd|vcc|drop|potential/i],
  [/^[mun]?a(?:mp(?:ere)?s?)?$/i, /current|amp/i],
  [/^[mun]?w(?:atts?)?$/i, /power|watt/i],
  [
    /^(?:[munp]?s|sec(?:ond)?s?|min(?:ute)?s?|hours?|h|days?|d|years?)$/i,
    /time|second|duration|elapsed|took|wait|delay|slack|age|uptime|runtime|latency|minute|hour|day|expir|left|old/i,
  ],
  [/^(?:%|percent)$/i, /percent|share|usage|use|util|cover|ratio|rate|load/i],
  [/^(?:[kmgt]i?b|bytes?|b|[kmgt])$/i, /size|memory|mem|byte|space|used|free|rss|swap|capacity|length/i],
  [/^[unm]?m$/i, /length|width|wire|distance|height|space|spacing|size/i],
  [/^(?:°c|c|degrees?|celsius)$/i, /temp|degree|heat/i],
  [/^[kmg]?hz$/i, /freq|clock|rate|speed/i],
  [/^[pf]f$/i, /cap|load/i],
];
/** Bindings of a test whose noun is none of the parts'. */
export function bindUnnamed(claim: Claim, test: Test, seen: Seen, known: ReadonlySet<string>): Binding[] {
  if (test.how === "amount" && test.than === undefined && test.over === undefined)
    return byAmount(claim, test, seen);
  if (test.plain || test.how === "blank") return byCount(claim, test, seen, known);
  return byAffix(claim, test, seen);
}

/** "Services (`*.service`)", "names that end in `.slice`": the value, or the only part that has texts like this. */
function byAffix(claim: Claim, test: Test, { records, parts, shown }: Seen): Binding[] {
  if (!/^(?:prefix|suffix|contains)$/.test(test.how) || test.texts.length === 0 || test.over !== undefined)
    return [];
  // A noun that is none of the records' own may be a part that is not read.
  const match = test.how as Match;
  const isOwn = (text: string): boolean => holds({ equals: test.texts, match, negate: false }, text);
  const having = parts.filter((part) => {
    const hits = records.filter((record) => isOwn(textOf(record, part))).length;
    return hits > 0 && hits < records.length;
  });
  const part = having.find(({ isValue }) => isValue) ?? (having.length === 1 ? having[0] : undefined);
  if (part === undefined || test.texts.some((text) => !/[^\w\s]|_/.test(text) && text.length < 3)) return [];
  const keeps = claim.wanted !== test.negate;
  if (shown.some((record) => isOwn(textOf(record, part)) !== keeps)) return [];
  const filter: GroupFilter = {
    group: part.group,
    equals: test.texts,
    match,
    ...(keeps ? {} : { negate: true }),
  };
  return [{ filters: [filter], met: false }];
}

function numericParts({ records, parts }: Seen): Part[] {
  return parts.filter((part) => {
    const texts = records.map((record) => textOf(record, part)).filter((text) => text !== "");
    return texts.length > 0 && texts.filter((text) => NUMERIC.test(text)).length >= texts.length * 0.9;
  });
}

/** "Instances below 1.8 V": the part in this unit, or the only one with such numbers. */
function byAmount(claim: Claim, test: Test, seen: Seen): Binding[] {
  if (test.of !== "" || test.texts.some((text) => !/^[-+]?\d[\d.,]*%?$/.test(text))) return [];
  const numeric = numericParts(seen);
  const unit = unitBehind(claim, test);
  const called =
    (unit === undefined ? undefined : UNITS.find(([units]) => units.test(unit))?.[1]) ??
    (/\b(?:took|takes?|lasted|lasts?|ran|running|longer|shorter|slower|faster)\b/i.test(claim.phrase)
      ? /time|second|duration|elapsed|runtime|latency|minute|hour|length|wire|distance/i
      : undefined);
  const described = numeric.filter(({ hint }) => called?.test(`${hint.name} ${hint.description}`) === true);
  const wanted = described.length === 1 ? described : numeric.filter((part) => hasLike(part, test, seen));
  const [part] = wanted;
  if (part === undefined || wanted.length > 1) return [];
  return filterOn(part, claim, test, seen);
}

/** The unit behind the number in the sentence. */
function unitBehind(claim: Claim, { texts }: Test): string | undefined {
  const [number = ""] = texts;
  const escaped = number.replace(/[.+]/g, "\\$&");
  return new RegExp(`(?<![\\d.])${escaped}\\s?([a-zA-Zµ°%]{1,8})\\b`).exec(claim.said)?.[1];
}

/** Numbers like that of the test: on both sides of it, and with decimals where it has some. */
function hasLike(part: Part, test: Test, { records }: Seen): boolean {
  const [number = ""] = test.texts;
  const texts = records.map((record) => textOf(record, part)).filter((text) => NUMERIC.test(text));
  const all = texts.map((text) => Number.parseFloat(text.replace(/,/g, "")));
  const limit = Number.parseFloat(number.replace(/,/g, ""));
  if (Number.isNaN(limit) || Math.min(...all) > limit || Math.max(...all) < limit) return false;
  const decimals = texts.filter((text) => /\d\.\d/.test(text)).length;
  return !/\.\d/.test(number) || decimals > texts.length / 2;
}

function filterOn(part: Part, claim: Claim, test: Test, { records, shown }: Seen): Binding[] {
  const match: Match = MATCHES[test.relation ?? "="] ?? "number";
  const negate = claim.wanted === test.negate;
  const filter: GroupFilter = {
    group: part.group,
    equals: test.texts,
    match,
    ...(negate ? { negate: true } : {}),
  };
  const keeps = (text: string): boolean => holds({ equals: test.texts, match, negate }, text);
  if (shown.some((record) => !keeps(textOf(record, part)))) return [];
  return [{ filters: [filter], met: records.every((record) => keeps(textOf(record, part))) }];
}

const NONE = /\b(?:without|no|never|not|none|zero|nor)\b/i;
const ONCE = /\b(?:at least once|at least one|once or more|any|some|ever)\b/i;
/** Words that say nothing of which records are meant. */
const WEAK =
  /^(?:that|which|who|were|was|is|are|be|been|has|have|had|with|without|any|some|an?|the|at|least|once|or|more|ever|never|no|not|do|does|did|show|shows|only|all|one|whose|of|in|at|yet|so|far|and|in|them|it|they|carried|carry|carries|got|get|gets|itself|themselves|already|still|even)$/i;

/** "Corners without violations", "units that were never restarted": a count is 0, or above. */
function byCount(claim: Claim, test: Test, seen: Seen, known: ReadonlySet<string>): Binding[] {
  const words = wordsOf(claim.phrase.replace(/\([^)]*\)/g, " ")).filter((word) => !WEAK.test(word));
  const counts = numericParts(seen).filter((part) => {
    const texts = seen.records.map((record) => textOf(record, part));
    const zeros = texts.filter((text) => /^0+(?:[.,]0+)?\s?\D{0,3}$/.test(text)).length;
    return zeros > 0 && zeros < texts.length && texts.every((text) => !text.startsWith("-"));
  });
  const like = counts.filter((part) => words.some((word) => isCounted(part, word)));
  const exact = like.filter((part) => test.of !== "" && names(part, test.of, []) >= 0.9);
  const named = exact.length > 0 ? exact : like;
  const [part] = named;
  if (part === undefined || named.length > 1) return [];
  // Another condition may stand beside it.
  const open = words.filter((word) => !isCounted(part, word) && !known.has(stem(word.toLowerCase())));
  if (
    open.length > 1 ||
    /\b(?:more|less|fewer|twice|times|\d+)\b/i.test(claim.phrase.replace(/once or more/i, ""))
  )
    return [];
  const isNone = test.how === "blank" ? !test.negate : NONE.test(claim.phrase) && !ONCE.test(claim.phrase);
  return filterOn(
    part,
    claim,
    { ...test, how: "amount", texts: ["0"], relation: isNone ? "=" : ">", negate: false, plain: false },
    seen,
  );
}

/** Is the part the count of what the word says: "restarts" of "restarted"? */
function isCounted(part: Part, word: string): boolean {
  if (word.length < 4) return false;
  if (names(part, word, []) >= 0.65) return true;
  const own = [...stemsOf(`${part.hint.name.replace(/_/g, " ")} ${part.hint.description}`)];
  const said = stem(word.toLowerCase());
  return own.some(
    (one) =>
      one.length >= 4 &&
      said.length >= 4 &&
      (said.startsWith(one.slice(0, Math.max(5, one.length - 1))) || one.startsWith(said)),
  );
}
