// One piece of a sentence bound to the rules: each of its asks to a part of the records or to their lines, and several of
// them joined. What restricts and can be bound to nothing is a doubt.

import { hiddenParts, withHidden } from "../conditions/hidden-columns.ts";
import { names, type Part, partsOf, textOf } from "../conditions/parts.ts";
import { shownRecords } from "../conditions/shown-records.ts";
import { holds } from "../page/conditions.ts";
import { isMark } from "../page/mark-words.ts";
import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, GroupFilter, Rule } from "../program/ir.ts";
import { type Ask, asksOf } from "./asks.ts";
import { comparedParts } from "./compared.ts";
import type { Piece } from "./cues.ts";
import { alone, type Fit, fitsOf } from "./fits.ts";
import { COUNTS, MADE_OF } from "./forms.ts";
import { toldByLines } from "./told.ts";
import { worded } from "./words.ts";

export interface Scene {
  rules: readonly Rule[];
  group: Group;
  lines: readonly string[];
  /** What the page says that short texts mean: stems of the words, and the text. */
  gloss?: ReadonlyMap<string, string>;
}

export interface Outcome {
  /** The rules as they are narrowed. */
  rules?: Rule[];
  doubt?: string;
}

const MANY = "the page restricts the records by what could be meant of several parts";
const NOTHING = "the page restricts the records, and nothing in the rule does";
const SEVERAL = "the page restricts the records by several things";

const AND_MORE =
  /^,? (?:and|or) (?:above|below|more|less|up|upwards|higher|lower|later|earlier|beyond|older|newer)\b/i;
const AND_SIGN =
  /^,? (?:and|plus|with|followed by|together with) (?:(?:an?|the|its|then) )*(?:[a-z]+(?:-[a-z]+)* )?(?:signs?|marks?|letters?|characters?|symbols?|brackets?|arrows?|dots?|dash(?:es)?|hyphens?|bars?)\b/i;
const UNKNOWN = /(?<!\b(?:other|rather) )\b(?:than|beyond|past|above|below|under|over)\s+(?:[a-z]+ )?$/i;

/** What a piece asks, bound: the filters of which all have to be fulfilled, or one. */
interface Term {
  filters: GroupFilter[];
  isAny: boolean;
  hits: boolean[];
  start: number;
  end: number;
}

/** One piece of a sentence: each ask is bound, and all together leave some records. */
export function apply(
  { keep, isOrder, text: said }: Piece,
  quotedTexts: readonly string[],
  { rules, group, lines, gloss }: Scene,
): Outcome {
  const records = withHidden(rules).flatMap((rule) => interpretRule(rule, lines));
  if (records.length < 2) return {};
  const parts = [...partsOf(rules, group), ...hiddenParts(rules)];
  const { text, quoted } = withNames(said, quotedTexts, records, parts);
  const asks = asksOf(text, quoted);
  const piece: Bound = { text, isTitle: isOrder && keep, keep, records, parts, lines, rules, terms: [] };
  const compared = comparedParts(text, quoted, records, parts);
  if (compared !== undefined) piece.terms.push(termOf(compared.fit, compared));
  for (const ask of asks) {
    if (compared !== undefined && compared.start < ask.end && ask.start < compared.end) continue;
    const own = isDone(ask, rules) ? undefined : notSaid(ask, asks, piece.terms);
    const doubt = own === undefined ? undefined : bind(own, piece);
    if (doubt !== undefined) return { doubt };
  }
  const scene = { rules: piece.rules, group, lines };
  const splits = piece.terms.filter(({ hits }) => isSplit(hits));
  if (splits.length > 0) return joined(splits, keep, text, scene);
  const chosen = choose(worded(text, asks, records, parts, keep, gloss));
  if (chosen !== undefined && chosen !== "many" && !piece.isTitle)
    return narrowed([termOf(chosen, { start: 0, end: 0 })], keep, "and", scene);
  const told = chosen === undefined ? saidOf(text, scene, keep) : undefined;
  return told === undefined ? {} : narrowed([told.term], keep, "and", { rules: told.rules, group, lines });
}

/** "The types Early Departure and Late Departure": words in capitals in a row that are all the text of a part are one text. */
function withNames(
  said: string,
  quoted: readonly string[],
  records: readonly Extracted[],
  parts: readonly Part[],
): { text: string; quoted: readonly string[] } {
  const all = [...quoted];
  let known: ReadonlySet<string> | undefined;
  const text = said.replace(/(?<![\w‹-])[A-Z][\w-]*(?: [A-Z][\w-]*)+(?![\w-])/g, (run) => {
    known ??= new Set(parts.flatMap((part) => records.map((record) => textOf(record, part))));
    const words = run.split(" ");
    for (let from = 0; from < words.length - 1; from += 1) {
      const name = words.slice(from).join(" ");
      if (known.has(name)) return [...words.slice(0, from), `‹${all.push(name) - 1}›`].join(" ");
    }
    return run;
  });
  return { text, quoted: all };
}

/** "The entry is permanent", "only failed ones": a word that stands on some lines. */
function saidOf(
  text: string,
  { rules, lines }: Scene,
  keep: boolean,
): { term: Term; rules: Rule[] } | undefined {
  const form = keep
    ? /^\W*(?:the )?([a-z]{4,}) ones(?: (?:is|are)(?: to)?)?\W*$/i
    : /^\W*(?:the|an?|its?|they|that|those|[a-z]+s) (?:[a-z]+ )?(?:is|are) ([a-z]{4,})\W*$/i;
  const [, word = ""] = form.exec(text) ?? [];
  if (word === "" || !rules.every(({ kind }) => kind === "line")) return undefined;
  const ask: Ask = { how: "is", texts: [word], negate: false, start: 0, end: 0 };
  const told = toldByLines(ask, rules, lines);
  return told === undefined ? undefined : { term: termOf(told.fit, ask), rules: told.rules };
}

/** A piece whose asks are being bound. */
interface Bound {
  text: string;
  /** An order, that may just mention things. */
  isTitle: boolean;
  keep: boolean;
  records: readonly Extracted[];
  parts: readonly Part[];
  lines: readonly string[];
  /** With the groups that lines were given for the asks. */
  rules: readonly Rule[];
  terms: Term[];
}

/** Binds an ask to a part, to several, or to the lines; gives a doubt when it is open. */
function bind(ask: Ask, piece: Bound): string | undefined {
  const { text, records, parts, terms } = piece;
  if (isPlace(ask, text, parts)) return undefined;
  // "One that occurs more than once is a record each time."
  if (ask.sort === COUNTS && piece.keep && /\beach time\b|\bevery time\b|\bas often\b/i.test(text))
    return undefined;
  if (isMadeOf(ask, text, parts)) return NOTHING;
  const among = amongParts(ask, records, parts);
  if (among !== undefined) {
    terms.push(among);
    return undefined;
  }
  const isSharp = ask.how !== "blank" && ask.texts.some((one) => /\D/.test(one));
  // "Better than -1" is a comparison that is not known, and no text.
  const isNumber = ask.how === "is" && ask.texts.every((one) => /^[-+]?\d[\d.,]*$/.test(one));
  if (isNumber && UNKNOWN.test(text.slice(0, ask.start)) && !ask.negate) return NOTHING;
  if (ask.how === "is" && AND_MORE.test(text.slice(ask.end))) return NOTHING;
  // "An asterisk and a further sign": half of what is asked.
  if (ask.how === "is" && ask.texts.every(isMark) && AND_SIGN.test(text.slice(ask.end))) return NOTHING;
  const fits = fitsOf(text, ask, records, parts);
  // What happens so often is a count that is named.
  const chosen = choose(ask.sort === COUNTS ? fits.filter(({ isNamed }) => isNamed) : fits, isSharp);
  if (piece.isTitle && isMentioned(ask, text, chosen)) return undefined;
  if (chosen === "many") return MANY;
  if (chosen !== undefined && (isSplit(chosen.hits) || !isSharp || chosen.hits.every(Boolean))) {
    terms.push(termOf(chosen, ask));
    return undefined;
  }
  // A plain word may stand anywhere in a record of several lines.
  const isWord =
    ask.how === "is" && /^[A-Za-z]+$/.test(text.slice(ask.start, ask.end).split(/[ ,]/)[0] ?? "");
  const isLine = piece.rules.every(({ kind }) => kind === "line");
  const told = isWord && !isLine ? undefined : toldByLines(ask, piece.rules, piece.lines);
  if (told !== undefined) {
    piece.rules = told.rules;
    terms.push(termOf(told.fit, ask));
  } else if (chosen !== undefined) terms.push(termOf(chosen, ask));
  else if (isOpen(ask, piece.keep, records)) return NOTHING;
  return undefined;
}

/** "Numbers with three parts or more" are no numbers from 3 on, unless a part counts the parts. */
function isMadeOf(ask: Ask, text: string, parts: readonly Part[]): boolean {
  if (!/^(?:least|most|above|below|number)$/.test(ask.how)) return false;
  const noun = MADE_OF.exec(text.slice(ask.start, ask.end + 12))?.groups?.["noun"];
  return noun !== undefined && !parts.some((part) => names(part, noun, []) >= 0.65);
}

/** "The sections Timing and Power (sections 2 and 3)": a place in the file, unless a part is called so. */
function isPlace(ask: Ask, text: string, parts: readonly Part[]): boolean {
  const before =
    /\b(sections?|tables?|panels?|chapters?|headings?|titles?)\b(?:[ ,]+(?:[A-Z‹\d]\S*|and|or|called|named|titled|with))*[ ,(]*$/.exec(
      text.slice(0, ask.start),
    );
  const behind = /^ (sections?|tables?|panels?|chapters?)\b/.exec(text.slice(ask.end));
  const noun = before?.[1] ?? behind?.[1];
  return ask.how === "is" && noun !== undefined && !parts.some((part) => names(part, noun, []) >= 0.7);
}

/** "The PCI devices of the Solaris host": a name that an order mentions restricts nothing by chance. */
function isMentioned(ask: Ask, text: string, chosen: Fit | "many" | undefined): boolean {
  if (ask.how === "like" && /^IPv\d$/.test(text.slice(ask.start, ask.end))) return true;
  if (ask.how !== "is" || !/^[A-Z][A-Za-z]*$/.test(text.slice(ask.start, ask.end))) return false;
  if (chosen === undefined || chosen === "many" || !isSplit(chosen.hits)) return true;
  const isCalled = /\b(?:named|called|marked|labelled) $/i.test(text.slice(0, ask.start));
  return !isCalled && (!chosen.isNamed || chosen.filter.match !== undefined);
}

/** "Without `x`": what is missing there, where the name of no part was bound for it; undefined when one was. */
function notSaid(ask: Ask, asks: readonly Ask[], terms: readonly Term[]): Ask | undefined {
  const blank = asks.find((one) => one.how === "blank" && one.start <= ask.start && ask.end <= one.end);
  if (ask.how !== "is" || blank === undefined) return ask;
  const isBound = terms.some(({ start, end }) => start === blank.start && end === blank.end);
  return isBound ? undefined : { ...ask, negate: !blank.negate };
}

function termOf({ filter, hits }: Fit, { start, end }: { start: number; end: number }): Term {
  return { filters: [filter], isAny: false, hits, start, end };
}

/** "At least one of the three counts is above 1": an ask of several parts at once. */
function amongParts(ask: Ask, records: readonly Extracted[], parts: readonly Part[]): Term | undefined {
  const { among } = ask;
  if (among === undefined || ask.how === "blank") return undefined;
  const texts = new Map(parts.map((part) => [part, records.map((record) => textOf(record, part))]));
  const isNumber = (part: Part): boolean =>
    (texts.get(part) ?? []).every((one) => one === "" || /^[-+]?[\d.,]+\s?[%a-zA-Z]*$/.test(one));
  const called = parts.filter((part) => names(part, among.noun, texts.get(part) ?? []) >= 0.6);
  const plain = parts.filter((part) => !part.isValue && isNumber(part));
  const isMeant = (list: readonly Part[]): boolean =>
    list.length > 1 && (among.count === undefined || list.length === among.count);
  const meant = isMeant(called) ? called : among.count !== undefined && isMeant(plain) ? plain : [];
  if (meant.length === 0) return undefined;
  const { how } = ask;
  const match = how === "is" ? {} : { match: how };
  const isAny = among.how === "any";
  const negate = among.how === "none" ? !ask.negate : ask.negate;
  const filters = meant.map((part) => ({
    group: part.group,
    equals: ask.texts,
    ...match,
    ...(negate ? { negate: true } : {}),
  }));
  const hits = records.map((_, at) => {
    const each = meant.map((part) =>
      holds({ equals: ask.texts, negate, ...match }, texts.get(part)?.[at] ?? ""),
    );
    return isAny ? each.some(Boolean) : each.every(Boolean);
  });
  return { filters, isAny, hits, start: ask.start, end: ask.end };
}

/** Have the rules a condition on just these texts already? */
function isDone({ how, texts }: Ask, rules: readonly Rule[]): boolean {
  const isSame = (own: string): boolean => texts.some((one) => one === own || own === `${one}%`);
  return (
    how !== "blank" &&
    texts.length > 0 &&
    rules.every(({ filters }) => filters.some(({ equals }) => equals.length > 0 && equals.every(isSame)))
  );
}

/** The best fit; "many" when another part would keep other records and nothing speaks for the first. */
function choose(all: readonly Fit[], isSharp = false): Fit | "many" | undefined {
  const telling = all.filter(({ hits }) => isSplit(hits));
  const fits = isSharp && telling.length > 0 ? telling : all;
  const [first] = fits;
  if (first === undefined) return undefined;
  // What the part named first does not tell is meant of the next one that does.
  const best = isSplit(first.hits)
    ? first
    : (fits.find((one) => isSplit(one.hits) && one.isNamed && one.score > first.score - 1.2) ?? first);
  const isRival = ({ part, score, hits }: Fit): boolean =>
    part !== best.part &&
    score > best.score - 0.25 &&
    isSplit(hits) &&
    hits.some((hit, index) => hit !== best.hits[index]);
  const rival = fits.find((one) => (isSplit(best.hits) || one.score < best.score ? isRival(one) : false));
  return rival === undefined ? best : "many";
}

function isSplit(hits: readonly boolean[]): boolean {
  return hits.some(Boolean) && !hits.every(Boolean);
}

/** Does the ask, bound to no part, speak of what some records have? */
function isOpen(ask: Ask, keep: boolean, records: readonly Extracted[]): boolean {
  // "What has no place": of some records a part is missing.
  if (ask.how === "blank") {
    if (!/^(?:source )?(?:location|position|place)s?\b/i.test(ask.of ?? "")) return false;
    const known = new Set(records.flatMap(({ fields }) => Object.keys(fields)));
    const lacks = ({ value, fields }: Extracted): boolean =>
      value === "" || [...known].some((name) => ["", "-", undefined].includes(fields[name]));
    return records.some(lacks) && !records.every(lacks);
  }
  // What begins or ends so is out already where no text does.
  const isAffix = ask.how === "prefix" || ask.how === "suffix";
  if (ask.how === "like" && !keep) {
    const shape = new RegExp(ask.texts.map((one) => one.replace(/^\^|\$$/g, "")).join("|"), "u");
    return records.some(({ content }) => content.split(/[\s,;()[\]"']+/).some((one) => shape.test(one)));
  }
  if (ask.how !== "is" && ask.how !== "contains" && !isAffix) return true;
  const test = isAffix
    ? undefined
    : new RegExp(ask.texts.map((one) => (/^\d+$/.test(one) ? byItself(one) : alone(one))).join("|"));
  const having = records.filter(
    ({ content }) => test?.test(content) ?? ask.texts.some((one) => content.includes(one)),
  ).length;
  return isAffix && keep ? having < records.length : having > 0 && having < records.length;
}

/** A number that is no part of an address, a time or another number. */
function byItself(number: string): string {
  return `(?<![\\w.,:/+-])${number}(?![\\w:/-]|[.,]\\d)`;
}

type Join = "and" | "or";

/** Several asks of one piece: either of them, or all together. */
function joined(bound: readonly Term[], keep: boolean, text: string, scene: Scene): Outcome {
  const terms: Term[] = [];
  const joins = new Set<Join>();
  for (const term of [...bound].sort((a, b) => a.start - b.start)) {
    // What is said once more in other words.
    if (terms.some(({ hits }) => hits.every((hit, at) => hit === term.hits[at]))) continue;
    const before = terms.at(-1);
    if (before !== undefined) joins.add(joinOf(text, before, term));
    terms.push(term);
  }
  const [how = "and", other] = joins;
  return other === undefined ? narrowed(terms, keep, how, scene) : { doubt: SEVERAL };
}

/** "With x or y"; "ports with x and ports with y"; nothing is x and y where no record is both. */
function joinOf(text: string, a: Term, b: Term): Join {
  const between = text.slice(a.end, b.start);
  // Neither of them: each says no for itself.
  if (/\bnor\b/.test(between)) return "and";
  if (/\b(?:or|as well as|and those|and the ones|and also)\b/.test(between)) return "or";
  const again = /\band (?:all |the |any )*([a-z]+s)\b/.exec(between)?.[1];
  if (again !== undefined && new RegExp(`\\b${again}\\b`, "i").test(text.slice(0, a.start))) return "or";
  return a.hits.some((hit, at) => hit && b.hits[at] === true) ? "and" : "or";
}

/** The rules with the terms as filters; each filter of a rule has to be fulfilled, or one of those behind it. */
function narrowed(terms: readonly Term[], keep: boolean, how: Join, { rules, group, lines }: Scene): Outcome {
  // What is unwanted for one of several reasons is wanted when it fulfils none of them.
  const own = keep
    ? terms
    : terms.map((one) => ({ ...one, isAny: !one.isAny, filters: one.filters.map(turned) }));
  const isAll = (how === "and") === keep;
  const filters: GroupFilter[] = [];
  if (isAll) for (const one of own) filters.push(...(one.isAny ? eitherOf(one.filters) : one.filters));
  else {
    if (own.some((one) => !one.isAny && one.filters.length > 1)) return { doubt: SEVERAL };
    filters.push(...eitherOf(own.flatMap((one) => one.filters)));
  }
  const result = rules.map((rule) => ({ ...rule, filters: [...rule.filters, ...filters] }));
  const before = rules.flatMap((rule) => interpretRule(rule, lines)).length;
  const kept = result.flatMap((rule) => interpretRule(rule, lines)).length;
  if (kept === before) return {};
  if (kept === 0) return { doubt: "no record would be left by what the page restricts" };
  if (shownRecords(rules, group).length > shownRecords(result, group).length)
    return { doubt: "the page restricts the records, and its own example would be left out" };
  return { rules: result };
}

function eitherOf([first, ...others]: readonly GroupFilter[]): GroupFilter[] {
  if (first === undefined) return [];
  return [others.length === 0 ? first : { ...first, or: others }];
}

function turned(filter: GroupFilter): GroupFilter {
  const { negate, ...rest } = filter;
  return negate === true ? rest : { ...rest, negate: true };
}
