// A second reading of what a page says about which records are wanted, for the sentences that no claim has done: cues of
// either sign and what is asked of a record are looked for wherever they stand, and the records that were read settle what is
// meant. What restricts and can be bound to nothing is a doubt.

import { isAmount, isAside, isThisOnly } from "../page/facts.ts";
import { withMarks } from "../page/mark-words.ts";
import { stem } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { withoutQuoted } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { mentioned, unheld } from "./account.ts";
import { apply, type Scene } from "./bind.ts";
import { cuesOf, type Piece, piecesOf, verdictOf } from "./cues.ts";
import { inFigures } from "./figures.ts";
import { MADE_OF } from "./forms.ts";

export interface Restrained {
  rules: Rule[];
  /** Sentences that the rules do now. */
  settled: Set<string>;
  notes: string[];
  doubts: string[];
}

/** What a page says of its parts, not of its records. */
const ABOUT_PARTS =
  /^\s*(?:the |its |their )?(?:value|fields?|line(?: number)?|‹\d+›)\s*(?::|=|\(‹)|^\s*(?:the )?(?:values? (?:is|are)|fields? (?:is|are)|line number)\b|^\s*(?:all |the |any )*(?:other|further|remaining) (?:keys|columns|fields|attributes|parts)\b|\blacks? (?:this|that|the) (?:field|part)\b/i;

/** "Errors (✖) and warnings (⚠) both count": none is ruled out. */
const BOTH =
  /\b(?:both|all (?:two|three|four|five|of them)|alike|equally)\b(?: of them)? (?:counts?|matter|are (?:items|wanted|records|findings|meant|reported))\b(?! (?:only|if|when|where))/i;

/** What a sentence of the page is to the records: each is one of these, so that none that restricts ends unsaid. */
type Standing =
  /** The rules do it. */
  | "done"
  /** It describes a part, an example, a file, a place, or how the log is. */
  | "besides"
  /** It asks nothing. */
  | "plain"
  /** What it asks holds of all records, or of none as it should. */
  | "held"
  /** A doubt tells it. */
  | "open";

/** The rules with what the sentences ask that are not settled yet. */
export function restrain(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
  settled: ReadonlySet<string>,
): Restrained {
  const result: Restrained = { rules: [...rules], settled: new Set(), notes: [], doubts: [] };
  const isListed = page.statements.some(({ depth }) => depth > 0);
  [...page.statements, ...page.sourceStatements].forEach(({ sentences }, number) => {
    let before: { text: string; standing: Standing } | undefined;
    sentences.forEach(({ text }, index) => {
      // The title of a page with bullets says by the way which records are meant.
      const isTitle = number === 0 && index === 0 && sentences.length <= 2 && isListed;
      const isPlace = page.places.some((one) => one.said === text);
      const isSource = number >= page.statements.length;
      const isMore = isContinued(text, before?.text);
      const said: Said = { text, ...masked(text), isTitle, isPlace, isSource, isMore };
      const early = besides(said, { rules, group, page, lines, settled }, result.rules);
      const standing = early ?? account(said, carried(said, before), { group, page, lines }, result);
      before = { text, standing };
    });
  });
  return result;
}

/** A sentence with its quoted texts as ‹number›. */
interface Said {
  text: string;
  plain: string;
  quoted: string[];
  isTitle: boolean;
  /** Of section 4.1. */
  isSource: boolean;
  /** A place in the file, which is found by other readers. */
  isPlace: boolean;
  /** Says how the records are that the sentence before asks for. */
  isMore: boolean;
}

interface Around {
  rules: readonly Rule[];
  group: Group;
  page: Page;
  lines: readonly string[];
  settled: ReadonlySet<string>;
}

/** What stands for itself before anything is asked of the records. */
function besides(
  { text, plain, quoted }: Said,
  { rules, group, page, lines, settled }: Around,
  current: readonly Rule[],
): Standing | undefined {
  if (text.length > 400 || BOTH.test(text) || isByTheWay(plain)) return "besides";
  if (isDone(text, plain, page, settled)) return "done";
  if (isLeftOut(text, page, current, lines)) return "held";
  return isBesides(plain, quoted, page, group) || isOfSections(plain, rules) ? "besides" : undefined;
}

/** "Registers of the core hold the state; these do not count": the verdict is on what the sentence before speaks of. */
function carried(
  { plain }: Said,
  before: { text: string; standing: Standing } | undefined,
): { pieces: Piece[]; quoted: string[]; text: string } | undefined {
  const keep = verdictOf(plain);
  if (keep === undefined || before === undefined) return undefined;
  const own = masked(before.text);
  const text = own.plain.replace(/[.;:,]\s*$/, "");
  return { pieces: [{ keep, isOrder: false, text }], quoted: own.quoted, text: before.text };
}

/** "Find the boats that never left; their departure is 0": the second half says which of the records are meant. */
function isContinued(text: string, before: string | undefined): boolean {
  return (
    before !== undefined &&
    /;\s*$/.test(before) &&
    cuesOf(before).some(({ keep }) => keep) &&
    /\b(?:that|which|who|whose|with|without)\b/i.test(before) &&
    /^their (?:[a-z-]+ ){1,4}(?:is|are|reads?|says|equals?) (?:then |always |still )?(?:[-+]?\d[\d.,]*|[A-Z_]{2,})\W*$/.test(
      text,
    )
  );
}

/** "Errors (E) and warnings (W)", "`nc` (non-critical)", "W for warnings": what short texts mean, by the stem of the word. */
function glossOf(page: Page): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { text } of page.statements) {
    const own = [
      ...[...text.matchAll(/\b([a-z][a-z-]{3,}) \(`?([A-Za-z]{1,3})`?\)/gi)].map(
        ([, word = "", short = ""]) => [word, short],
      ),
      ...[
        ...text.matchAll(
          /(?<![\w`])`?([A-Z]{1,3}|(?<=`)[a-z]{1,3})`? (?:\(|for |means |is an? |= ?)(?:an? )?([a-z][a-z-]{3,})\b/g,
        ),
      ].map(([, short = "", word = ""]) => [word, short]),
    ];
    // One alone is an example.
    if (own.length > 1) for (const [word = "", short = ""] of own) found.set(stem(word.toLowerCase()), short);
  }
  return found;
}

/** Binds what a sentence asks, and tells what it could not bind. */
function account(
  { text, plain, quoted, isTitle, isPlace, isSource, isMore }: Said,
  carry: ReturnType<typeof carried>,
  { group, page, lines }: Omit<Around, "rules" | "settled">,
  result: Restrained,
): Standing {
  const told = withoutPlaces(plain.replace(/[.;:]\s*$/, ""), group);
  const own = piecesOf(told, isTitle || isMore ? true : undefined).filter(
    (one) => !(one.keep && WIDENS.test(told)),
  );
  const pieces = carry?.pieces ?? own;
  const scene = (): Scene => ({ rules: result.rules, group, lines, gloss: glossOf(page) });
  if (pieces.length === 0) {
    const some = isTitle || isSource || isPlace ? undefined : mentioned(told, quoted, scene(), page);
    if (some !== undefined) result.doubts.push(`${some}: ${text}`);
    return some === undefined ? "plain" : "open";
  }
  const outcomes = pieces.map((piece) => {
    const outcome = apply(piece, carry?.quoted ?? quoted, scene());
    if (outcome.rules === undefined) return outcome;
    if (isTitle && isShape(piece, result.rules, outcome.rules)) return {};
    result.rules = outcome.rules;
    result.notes.push(`As the page says: ${carry === undefined ? text : `${carry.text} ${text}`}`);
    return outcome;
  });
  // What a title asks for by the way may be what the whole page is about, and what an order names is often done already.
  const isKnown = result.rules.every(({ filters }) =>
    filters.some(
      ({ equals }) => equals.length > 0 && equals.every((one) => one !== "" && text.includes(one)),
    ),
  );
  const open = outcomes.flatMap(({ doubt }, at) => {
    // What a sentence shows and the next one rules out is another line than that of the records.
    const isOut = carry?.pieces.every(({ keep }) => !keep) === true;
    if (isOut && carry.quoted.length > 0 && doubt !== undefined) return [];
    const isOrder = pieces[at]?.isOrder === true && pieces[at]?.keep === true;
    return doubt === undefined || (isOrder && (isTitle || isKnown)) ? [] : doubt;
  });
  const isBound = outcomes.some((one) => one.rules !== undefined);
  if (open.length === 0 && isBound) {
    result.settled.add(text);
    return "done";
  }
  const all =
    open.length > 0 || isBound
      ? open
      : unheld(pieces, scene(), page, {
          text: carry?.text ?? text,
          quoted: carry?.quoted ?? quoted,
          isTitle,
          isSource,
        });
  if (isPlace || all.length === 0) return isPlace ? "besides" : "held";
  result.doubts.push(...all.map((why) => `${why}: ${text}`));
  return "open";
}

/** "… are wanted as well": more records, not fewer. */
const WIDENS =
  /\b(?:(?<!\b(?:is|are|was|were|be|being|far|much|seems?|looks?) )too(?! [a-z]+ (?:to|for)\b)|too(?=\W*$|[,;.:)])|also|as well(?! as\b)|likewise|even)\b(?! (?:if|when)\b)|\b(?:including|inclusive of)\b/i;

const PLACE = "(?:sections?|tables?|panels?|chapters?|headings?|paragraphs?|parts|lists?)";
const TITLE =
  "(?:‹\\d+›|(?!(?:This|That|These|Those|The|An?|Each|Every|All|Our|No|Both|Other|Any|Such|In|On|Of|From|Only|Take)\\b)[A-Z][\\w/-]*(?: [A-Z][\\w/-]*)*|\\d{1,2}(?:\\.\\d{1,2})?)";
const TITLES = `${TITLE}(?:(?:, | or | and |, or |, and )${TITLE})*`;
const PLACES = [
  new RegExp(
    `(?<=\\b(?<noun>${PLACE}),? (?:called |named |titled |headed |of |on |below |under )?)${TITLES}`,
    "g",
  ),
  new RegExp(`(?<![\\w‹])${TITLES}(?= (?<noun>${PLACE})\\b)`, "g"),
];

/** "In the sections Memory and DSP (sections 3 and 4)": a title of a place is no text of a record, unless a field has it. */
function withoutPlaces(text: string, group: Group): string {
  const isField = (noun: string): boolean =>
    group.fields.some(({ name }) => noun.toLowerCase().replace(/s$/, "").startsWith(name.toLowerCase()));
  let own = text;
  for (const form of PLACES)
    own = own.replace(form, (...found) => {
      const { noun = "" } = found.at(-1) as Record<string, string>;
      const title = String(found[0]);
      return isField(noun) ? title : " ".repeat(title.length);
    });
  return own;
}

/** "The last row (TOTAL=, SUM=) is no item": the log has lines with these texts, and no record is one of them. */
function isLeftOut(text: string, page: Page, rules: readonly Rule[], lines: readonly string[]): boolean {
  const told = page.unwanted.filter((one) => one.trim().length > 2 && text.includes(one));
  if (told.length < 2 || /\bnor\b|;/.test(text)) return false;
  const has = (line: string): boolean => told.every((one) => line.includes(one));
  return (
    lines.some(has) &&
    !rules.flatMap((rule) => interpretRule(rule, lines)).some(({ content }) => has(content))
  );
}

/** How many there are, what the log is read from, what has just been shown, lines shown by the way. */
function isByTheWay(plain: string): boolean {
  return isAmount(plain) || isThisOnly(plain) || isAside(plain);
}

/** "`rev` is there only if the device states one": said of a part. */
function isOfPart(text: string, quoted: readonly string[], group: Group): boolean {
  // "The clock is wanted as printed."
  const noun =
    /^(?:the |its )?([a-z][\w ]{1,24}?) (?:is|are) (?:wanted|taken|given|reported|kept|needed) (?:as|with|without|in)\b/i.exec(
      text,
    )?.[1];
  const isNamed = ({ name }: Hint): boolean => name.replace(/_/g, " ") === noun?.toLowerCase();
  if (group.fields.some(isNamed) || (group.value !== undefined && isNamed(group.value))) return true;
  const [, index] = /^(?:the |its )?‹(\d+)› (?:is|are|may|can|has|gives|stands)\b/i.exec(text) ?? [];
  const own = index === undefined ? undefined : quoted[Number(index)];
  return own !== undefined && [group.value, ...group.fields].some((one) => one?.name === own);
}

/** "Fields `count` (digits only) and `size` stand in the list": what restricts stands in brackets behind the parts. */
function isOfFields(plain: string, quoted: readonly string[], group: Group): boolean {
  const list = /^(?:the )?fields? ((?:‹\d+›(?: ?\([^)]*\))?(?:, and |, | and )?)+)/i.exec(plain)?.[1] ?? "";
  const names = [...list.matchAll(/‹(\d+)›/g)].map(([, index]) => quoted[Number(index)]);
  const isField = (name: string | undefined): boolean => group.fields.some((one) => one.name === name);
  return (
    names.length > 0 &&
    names.every(isField) &&
    piecesOf(plain.replace(/\([^)]*\)/g, " ").replace(/[.;:]\s*$/, "")).length === 0
  );
}

/** A sentence that is settled; not "only x, and of these not the ones with y", of which one claim alone was made. */
function isDone(text: string, plain: string, page: Page, settled: ReadonlySet<string>): boolean {
  const claims = page.claims.filter(({ said }) => said === text).length;
  if (MADE_OF.test(plain) && /\b(?:or|than|least|most)\b/i.test(plain)) return false;
  return settled.has(text) && (claims !== 1 || signsOf(plain) <= 1);
}

/** Which sections of a table are read is done. */
function isOfSections(plain: string, rules: readonly Rule[]): boolean {
  return (
    /\bsections?\b/i.test(plain) &&
    rules.every((rule) => rule.kind === "table" && rule.sections !== undefined)
  );
}

/** What is said of parts, of an example, of files, of places, or adds records rather than ruling some out. */
function isBesides(plain: string, quoted: readonly string[], page: Page, group: Group): boolean {
  if (
    ABOUT_PARTS.test(plain) ||
    isOfPart(plain, quoted, group) ||
    isOfFields(plain, quoted, group) ||
    isExample(quoted, group)
  )
    return true;
  if (quoted.some((one) => page.files.some(({ glob }) => glob === one))) return true;
  // "Every row of the tables in the sections X and Y": readers of tables find them.
  if (/\b(?:every|all|each)\b[^;]*\b(?:in|of|under|below|from) (?:the )?sections?\b/i.test(plain))
    return true;
  // "Every row is wanted, the final one too" leaves none out.
  if (/^(?:every|all|each|any)\b.*\b(?:too|as well|included|also)\W*$/i.test(plain)) return true;
  // "Those of level 9 are wanted as well".
  return WIDENS.test(plain) && !/\b(?:only|not|no|nor)\b/i.test(plain);
}

/** "IPv6 networks": what a title calls all records, by the shape of a text or words of their lines. */
function isShape({ keep, isOrder }: Piece, before: readonly Rule[], after: readonly Rule[]): boolean {
  const known = before[0]?.filters.length ?? 0;
  const more = after[0]?.filters.slice(known) ?? [];
  // What no part has, but the line, is what the page calls them by.
  return keep && isOrder && (more.length === 0 || more.some(({ match }) => match === "like"));
}

/** How often the sign of a sentence changes from piece to piece, and once more. */
function signsOf(plain: string): number {
  const pieces = piecesOf(plain.replace(/[.;:]\s*$/, "")).filter(({ text }) => /[\w‹]{2}/.test(text));
  return pieces.filter(({ keep }, index) => index === 0 || keep !== pieces[index - 1]?.keep).length;
}

/** A sentence that shows a line. */
function isExample(quoted: readonly string[], group: Group): boolean {
  return group.examples.some(({ lines: [line = ""] }) => quoted.some((one) => one.trim() === line.trim()));
}

function masked(said: string): { plain: string; quoted: string[] } {
  const { text: own, quoted } = withoutQuoted(said);
  const { text: plain, quoted: all } = withMarks(inFigures(own), quoted);
  return { plain, quoted: all };
}
