// What sections 1 and 4.1 say, as far as it can be read: values and fields with their hints, example lines,
// literals that are wanted or not, lists of columns, files. Every guess is checked against the logs later.

import type { Match } from "../program/ir.ts";
import { type Claim, fieldRules, itemNouns, readClaims } from "./claims.ts";
import { readDefinitions } from "./definitions.ts";
import { isExplained } from "./explained.ts";
import { rulesOut } from "./facts.ts";
import { isGlob, readFiles } from "./files.ts";
import { readGroups } from "./groups.ts";
import { addMarked } from "./included-marks.ts";
import { readLists, readRules } from "./lists.ts";
import { similarity, stemsOf, type TextKind } from "./names.ts";
import { type Order, readOrders } from "./orders.ts";
import { othersOf } from "./others.ts";
import { type PlaceClaim, readPlaces } from "./place-claims.ts";
import { addReadings } from "./readings.ts";
import { describe, readRemarks } from "./remarks.ts";
import { rephrased } from "./rephrase.ts";
import { type RowMarks, readRestrictions, readRowMarks } from "./restrictions.ts";
import { shareNumbers, unshare } from "./shared-hints.ts";
import { addShown } from "./shown.ts";
import { withoutSubjects } from "./subjects.ts";
import { bare, quotedIn, type Statement, statementsOf } from "./text.ts";
import { tellingTexts } from "./unwanted.ts";
import { recordNouns } from "./verdicts.ts";
import { readWishes, type Wish } from "./wishes.ts";

/** A value or field as the page describes it. */
export interface Hint {
  name: string;
  /** What stands in brackets or after the name. */
  description: string;
  /** Texts given as examples of it, e.g. in backticks or as `(0x0100)`. */
  literals: string[];
  /** "DRC, LVS or Antenna": the texts it may have. */
  choices: string[];
  kind: TextKind | undefined;
  optional: boolean;
  wholeLine: boolean;
  basename: boolean;
  /** Texts of the example that it is not, as the records of an earlier reading told. */
  refused?: readonly string[];
}

export interface Example {
  lines: string[];
  /** Text before it in its statement, e.g. "DRC" in "DRC: `...`". */
  label: string;
  mark: "code" | "quote" | "block";
}

/** One kind of record. Most pages describe one; some describe one for each of several sources. */
export interface Group {
  value: Hint | undefined;
  fields: Hint[];
  examples: Example[];
  /** Texts that a wanted line or record contains. */
  wanted: string[];
  /** Texts of sentences with "only": without one of them a line is not wanted. */
  only: string[];
  prose: string;
}

export interface Listed {
  names: string[];
  /** What the sentence says about each, its name included. */
  texts: string[];
  /** The character between the parts, where the sentence names it, and the first part that it holds for. */
  separated?: { by: string; from: number };
  /** It stands right behind an example line and names its parts. */
  shown?: boolean;
  /** The sentence it stands in. */
  context: string;
  /** The parts of a line one after the other. Such a list has no names besides. */
  order?: Order;
}

export interface FilePattern {
  glob: string;
  wanted: boolean;
}

/** A clause about files; its words may name folders. */
export interface FileClause {
  text: string;
  wanted: boolean;
  /** The files that it names. */
  globs: string[];
}

export interface FieldRule {
  name: string;
  equals: string[];
  negate: boolean;
  /** How the text is compared; equal when nothing is said. */
  match?: Match;
  /** The sentence that it was read from. */
  said?: string;
}

export interface Page {
  groups: Group[];
  /** Texts of lines that are not wanted. */
  unwanted: string[];
  lists: Listed[];
  files: FilePattern[];
  fileClauses: FileClause[];
  rules: FieldRule[];
  /** What the page says about which records are wanted and which are not, clause by clause. */
  claims: Claim[];
  /** What it says its records are by the way. */
  definitions: Claim[];
  /** Where records stand, and where they do not count. */
  places: PlaceClaim[];
  /** Tests on parts that sentences make beside the way. */
  wishes: Wish[];
  /** Marks in front of rows, and which of them are wanted. */
  marks?: RowMarks;
  oncePerFile: boolean;
  /** Stems of all words outside the examples. */
  stems: Set<string>;
  /** Stems of words that only stand where the page says what is not wanted. */
  unwantedStems: Set<string>;
  statements: Statement[];
  sourceStatements: Statement[];
  prose: string;
}

/** Reads the parsing slice of a page, hints of a person put behind it. */
export function readPage(section1: string, section41: string, hints: readonly string[] = []): Page {
  const statements = rephrased(statementsOf([section1, ...hints].join("\n\n")));
  const sourceStatements = rephrased(statementsOf(section41));
  const unwanted: string[] = [];
  const lists: Listed[] = [];
  const rules: FieldRule[] = [];
  const groups = readGroups(statements, unwanted);
  for (const statement of [...statements, ...sourceStatements]) {
    for (const sentence of statement.sentences) {
      lists.push(...readLists(sentence));
      rules.push(...readRules(sentence).map((rule) => ({ ...rule, said: sentence.text })));
    }
  }
  for (const { fields, examples } of groups)
    unshare(
      fields,
      examples.flatMap((one) => one.lines),
    );
  for (const { fields } of groups) shareNumbers(fields);
  describe(groups, lists);
  // In prose the lines are weighed against one another, by what the words say of their parts alone.
  const orders = groups.some(({ examples }) => examples.length > 0) ? readOrders(statements) : [];
  for (const order of orders) lists.push({ names: [], texts: [], context: "", order });
  for (const statement of sourceStatements) {
    for (const sentence of statement.sentences) {
      if (!rulesOut(bare(sentence.text))) continue;
      unwanted.push(
        ...quotedIn(sentence.text)
          .map((span) => span.text)
          .filter((text) => !isGlob(text)),
      );
    }
  }
  for (const group of groups) readRemarks(group, statements);
  for (const group of groups) {
    addReadings(group, statements);
    addShown(group);
  }
  const described = groups.flatMap((group) => [
    ...(group.value === undefined ? [] : [group.value]),
    ...group.fields,
  ]);
  for (const rule of readRestrictions([...statements, ...sourceStatements], { hints: described, lists })) {
    if (!rules.some((one) => sameRule(one, rule))) rules.push(rule);
  }
  // The title of a place is no record.
  const places = readPlaces([...statements, ...sourceStatements]);
  const titles = new Set(places.flatMap((one) => [one.title, one.upTo ?? one.title]));
  for (const group of groups)
    group.examples = group.examples.filter(
      (one) => one.mark !== "quote" || one.lines.length !== 1 || !titles.has((one.lines[0] ?? "").trim()),
    );
  const claims = withoutSubjects(
    readClaims([...statements, ...sourceStatements]),
    described,
    recordNouns(statements),
  );
  takeOver(rules, claims);
  setRight(groups, unwanted, claims);
  for (const group of groups)
    addMarked([...(group.value === undefined ? [] : [group.value]), ...group.fields], rules);
  addStates(rules, claims);
  addCases(rules, claims, described);
  const plain = [...statements, ...sourceStatements].map((one) => bare(one.text)).join("\n");
  rules.push(...othersOf(claims, groups, plain));
  // "Ports with a load master": the two words are the name of a part, and compare nothing.
  const isName = (rule: FieldRule): boolean =>
    described.some((hint) =>
      rule.equals.some((text) => /[a-z]/i.test(text) && similarity(hint.name, `${rule.name} ${text}`) === 1),
    );
  // What a list of the fields says of a part ("`date` (with the time of day)") compares nothing.
  const isListed = (rule: FieldRule): boolean =>
    /^\W*fields?\W*:/i.test(rule.said ?? "") && !/\bonly\b/i.test(rule.said ?? "");
  const title = statements.find((one) => one.depth === 0)?.sentences[0]?.text;
  const restricting = new Set(claims.map(({ said }) => said));
  const explained = { title, restricting, hints: described, lists };
  for (const rule of rules.filter((one) => isName(one) || isListed(one) || isExplained(one, explained)))
    rules.splice(rules.indexOf(rule), 1);
  const marks = readRowMarks(statements);
  addChoices(described, rules);
  const prose = [...statements, ...sourceStatements].map((one) => bare(one.text)).join("\n");
  const { files, clauses: fileClauses } = readFiles(sourceStatements, statements);
  return {
    groups,
    unwanted: tellingTexts([...new Set(unwanted)], statements, groups),
    lists,
    files,
    fileClauses,
    rules,
    claims,
    definitions: readDefinitions(statements, itemNouns(statements)),
    places,
    wishes: readWishes(statements),
    ...(marks === undefined ? {} : { marks }),
    oncePerFile:
      /\bonce (?:per|in each|for each|a) file\b|\bone (?:record|item) per (?:file|report|log|netlist)\b/i.test(
        prose,
      ),
    stems: stemsOf(prose),
    unwantedStems: negativeStems([...statements, ...sourceStatements], groups),
    statements,
    sourceStatements,
    prose,
  };
}

/** "Levels ERROR and FATAL only": the field has these texts. */
function addChoices(hints: readonly Hint[], rules: readonly FieldRule[]): void {
  for (const rule of rules) {
    if (rule.negate || rule.match !== undefined || rule.name === "") continue;
    for (const hint of hints) {
      const named = similarity(hint.name, rule.name) >= 0.9;
      if (named && hint.choices.length === 0 && rule.equals.every((one) => /^\S+$/.test(one)))
        hint.choices = rule.equals;
    }
  }
}

/** Sentences whose claims were read in full say what they say as claims: in place of the conditions read out of them. */
function takeOver(rules: FieldRule[], claims: readonly Claim[]): void {
  for (const said of new Set(claims.map((one) => one.said))) {
    const own = claims.filter((one) => one.said === said && one.isCase !== true);
    const amounts = own
      .flatMap(({ tests }) => tests)
      .filter((one) => one.how === "amount" && (one.relation !== "=" || one.than !== undefined));
    if (amounts.length === 0) continue;
    const left = rules.filter((rule) => rule.said !== said);
    const read = own.flatMap((claim) => fieldRules(claim));
    rules.splice(0, rules.length, ...left, ...read);
  }
}

/** "Only type Partition": claims about a part of one word from which no other condition was read. */
function addStates(rules: FieldRule[], claims: readonly Claim[]): void {
  const known = new Set(rules.map((rule) => rule.said));
  for (const claim of claims) {
    const own = claim.tests.every(
      (one) =>
        one.how === "is" && /^[A-Za-z]\w*$/.test(one.of) && one.texts.every((text) => !/\s/.test(text)),
    );
    const named =
      claim.tests.every((one) => /^[a-z]/.test(one.of)) || /\b(?:column|field|key)\b/i.test(claim.phrase);
    if (claim.wanted && claim.whole && own && named && !known.has(claim.said))
      rules.push(...fieldRules(claim));
  }
}

/** "If it is not `x`, leave it out" wants what has x, although the sentence speaks of what is left out. */
function setRight(groups: readonly Group[], unwanted: string[], claims: readonly Claim[]): void {
  const having = (isWanted: boolean): Set<string> =>
    new Set(
      claims.flatMap((claim) =>
        claim.tests.flatMap((one) =>
          !one.plain && (claim.wanted !== one.negate) === isWanted && one.how !== "amount" ? one.texts : [],
        ),
      ),
    );
  const [wanted, ruledOut] = [having(true), having(false)];
  for (let at = unwanted.length - 1; at >= 0; at -= 1) {
    const text = unwanted[at] ?? "";
    if (wanted.has(text) && !ruledOut.has(text)) unwanted.splice(at, 1);
  }
  for (const group of groups)
    group.wanted = group.wanted.filter((text) => !ruledOut.has(text) || wanted.has(text));
}

/** "If the state is not `x`, leave it out": a case about a part that it names, in place of what else was read out of it. */
function addCases(rules: FieldRule[], claims: readonly Claim[], hints: readonly Hint[]): void {
  // A number is compared where the part is known; by a name alone it may be another one.
  const isField = (name: string): boolean => hints.some((hint) => similarity(hint.name, name) >= 0.9);
  const isText = (claim: Claim): boolean =>
    claim.whole &&
    claim.tests.every(
      (one) =>
        /^[A-Za-z][\w-]*(?: [a-z]\w*)?$/.test(one.of) &&
        (/^(?:is|prefix|suffix|contains)$/.test(one.how) ||
          (one.how === "amount" && one.relation === "=" && !isField(one.of))),
    );
  for (const said of new Set(claims.map((one) => one.said))) {
    const own = claims.filter((one) => one.said === said);
    if (!own.every((one) => one.isCase === true && isText(one))) continue;
    const left = rules.filter((rule) => rule.said !== said);
    rules.splice(0, rules.length, ...left, ...own.flatMap((claim) => fieldRules(claim)));
  }
}

/** Do two conditions say the same, wherever they were read? */
function sameRule(one: FieldRule, other: FieldRule): boolean {
  return JSON.stringify({ ...one, said: "" }) === JSON.stringify({ ...other, said: "" });
}

/** Words of a negative sentence that the next one shows to be of what is wanted. */
function setRightBy(text: string, next: string): ReadonlySet<string> {
  // "… that it ignores the request. Extract these messages."
  const asked =
    /^(?:please )?(?:extract|take|find|report|collect|list|keep|we (?:want|need)) (?:all (?:of )?|every one of )?(?:these|those|them|such)\b/i;
  if (asked.test(next)) return stemsOf(text);
  // "... but without hold; it is not wanted": the wanted ones have what the others lack.
  const lacked = /\bwithout\b([^,;.]*)/i.exec(text)?.[1];
  const isOut = /^(?:it|they|these|those|this) (?:is|are) not\b/i.test(next);
  return isOut && lacked !== undefined ? stemsOf(lacked) : new Set();
}

/** Words of the negative clauses that no other clause has. */
export function negativeStems(statements: readonly Statement[], groups: readonly Group[]): Set<string> {
  const negative = new Set<string>();
  const examples = groups.flatMap((group) => group.examples.flatMap((example) => example.lines));
  const positive = stemsOf(examples.join(" "));
  for (const statement of statements) {
    for (const [index, sentence] of statement.sentences.entries()) {
      const next = bare(statement.sentences[index + 1]?.text ?? "");
      for (const one of setRightBy(bare(sentence.text), next)) positive.add(one);
      for (const clause of bare(sentence.text)
        .replace(/\([^)]*\)/g, " ")
        .split(/,\s+(?=not\b|but\b)|:\s/)) {
        const stems = stemsOf(clause);
        for (const one of stems) (rulesOut(clause) || /^not\b/.test(clause) ? negative : positive).add(one);
      }
    }
  }
  // "Bans by the jail `x` are not wanted": the name of a part is no text of it.
  for (const { value, fields } of groups)
    for (const { name } of [...(value === undefined ? [] : [value]), ...fields])
      for (const one of stemsOf(name.replace(/_/g, " "))) positive.add(one);
  const common = stemsOf(
    "not are is the and or other lines line messages message records record entries items wanted that no a an of in item they it what have has had been be was were do does did will would can could may might should there here with when where also only",
  );
  return new Set([...negative].filter((word) => word.length > 2 && !positive.has(word) && !common.has(word)));
}
