// What sections 1 and 4.1 say, as far as it can be read: values and fields with their hints, example lines,
// literals that are wanted or not, lists of columns, files. Every guess is checked against the logs later.

import { makeHint, readHints, readValue } from "./hints.ts";
import { isGlob, readFiles, readLists, readRules } from "./lists.ts";
import { matchNames, similarity, stemsOf, type TextKind } from "./names.ts";
import { type RowMarks, readRestrictions, readRowMarks } from "./restrictions.ts";
import {
  bare,
  NEGATIVE,
  type Quoted,
  quotedIn,
  type Sentence,
  type Statement,
  statementsOf,
} from "./text.ts";

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
}

export interface FilePattern {
  glob: string;
  wanted: boolean;
}

export interface FieldRule {
  name: string;
  equals: string[];
  negate: boolean;
  /** How the text is compared; equal when nothing is said. */
  match?: "prefix" | "suffix" | "contains";
}

export interface Page {
  groups: Group[];
  /** Texts of lines that are not wanted. */
  unwanted: string[];
  lists: Listed[];
  files: FilePattern[];
  rules: FieldRule[];
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
  const statements = statementsOf([section1, ...hints].join("\n\n"));
  const sourceStatements = statementsOf(section41);
  const unwanted: string[] = [];
  const lists: Listed[] = [];
  const rules: FieldRule[] = [];
  const groups = readGroups(statements, unwanted);
  for (const statement of [...statements, ...sourceStatements]) {
    for (const sentence of statement.sentences) {
      lists.push(...readLists(sentence));
      rules.push(...readRules(sentence));
    }
  }
  describe(groups, lists);
  for (const statement of sourceStatements) {
    for (const sentence of statement.sentences) {
      if (!NEGATIVE.test(bare(sentence.text))) continue;
      unwanted.push(
        ...quotedIn(sentence.text)
          .map((span) => span.text)
          .filter((text) => !isGlob(text)),
      );
    }
  }
  for (const group of groups) readRemarks(group, statements);
  const described = groups.flatMap((group) => [
    ...(group.value === undefined ? [] : [group.value]),
    ...group.fields,
  ]);
  for (const rule of readRestrictions([...statements, ...sourceStatements], { hints: described, lists })) {
    if (!rules.some((one) => JSON.stringify(one) === JSON.stringify(rule))) rules.push(rule);
  }
  const marks = readRowMarks(statements);
  for (const rule of rules) {
    // "Levels ERROR and FATAL only": the field has these texts.
    if (rule.negate || rule.match !== undefined || rule.name === "") continue;
    for (const hint of groups.flatMap((group) => [
      ...(group.value === undefined ? [] : [group.value]),
      ...group.fields,
    ])) {
      const named = similarity(hint.name, rule.name) >= 0.9;
      if (named && hint.choices.length === 0 && rule.equals.every((one) => /^\S+$/.test(one)))
        hint.choices = rule.equals;
    }
  }
  const prose = [...statements, ...sourceStatements].map((one) => bare(one.text)).join("\n");
  return {
    groups,
    unwanted: [...new Set(unwanted)],
    lists,
    files: readFiles(sourceStatements, statements),
    rules,
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

/** "Names may contain blanks": what a sentence of its own says about the text of a part belongs to its description. */
function readRemarks(group: Group, statements: readonly Statement[]): void {
  if (group.value === undefined) return;
  const hints = [group.value, ...group.fields];
  for (const statement of statements) {
    for (const [index, sentence] of statement.sentences.entries()) {
      const said =
        /\b(?:may|can|could|might)\b[^.;]*?\b(?:contain|have|include|consist of|hold|be)\b[^.;]*\b(?:blanks?|spaces?|several words|empty)\b/i.exec(
          sentence.text,
        );
      if (valueIn(sentence.text) !== undefined || FIELDS_START.test(sentence.text)) continue;
      if (said === null) {
        readMissing(sentence.text, hints);
        continue;
      }
      const subject = sentence.text.slice(0, said.index);
      // "it may contain blanks" is about what the statement was about so far.
      const about = /^\s*(?:it|they|this|these)\b/i.test(subject)
        ? (statement.sentences[index - 1]?.text ?? "")
        : subject;
      const stems = stemsOf(about);
      const meant = hints.filter((hint) => {
        const head = hint.name.split("_").at(-1) ?? "";
        return head !== "" && [...stemsOf(head)].every((one) => stems.has(one));
      });
      for (const hint of meant.slice(0, 1)) {
        hint.description = `${hint.description}, ${said[0]}`;
        if (/\bempty\b/i.test(said[0])) hint.optional = true;
      }
    }
  }
}

/** What a list says about a part ("the WWID in parentheses") holds for the value or field of that name. */
function describe(groups: readonly Group[], lists: readonly Listed[]): void {
  for (const group of groups) {
    const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
    for (const { names, texts } of lists) {
      matchNames(names, hints).forEach((hint, index) => {
        const text = (texts[index] ?? "").trim();
        const name = names[index] ?? "";
        const rest = text.replace(/[`"]/g, "").replace(name, "").trim();
        if (hint === undefined || rest.length < 5 || hint.description.includes(rest)) return;
        if (quotedIn(text).some((span) => span.mark === "code" && span.text === hint.name)) return;
        if (hint.description.length > name.length + 12 && hint !== group.value) return;
        Object.assign(hint, makeHint(hint.name, `${hint.description} (${text})`.trim()), {
          choices: hint.choices,
          ...(hint.kind === undefined ? {} : { kind: hint.kind }),
          optional: hint.optional,
          wholeLine: hint.wholeLine,
        });
      });
    }
  }
}

const NOT_ALWAYS =
  /\b(?:(?:is|are) not (?:printed|given|shown|set|there|present|available|known)\b[^.;]*\b(?:every|all|each|always)|(?:is|are) not always\b|(?:is|are) (?:sometimes )?(?:missing|absent) (?:for|in|on|from)\b|may be (?:missing|absent)|(?:is|are) only (?:printed|given|shown|there|present) (?:for|in|when|if|where))/i;

/** "Mode and status are not printed for every interface": these parts may be missing. */
function readMissing(text: string, hints: readonly Hint[]): void {
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
  const said = NOT_ALWAYS.exec(text);
  if (said === null) return;
  const stems = stemsOf(text.slice(0, said.index));
  for (const hint of hints.slice(1)) {
    const own = [...stemsOf(hint.name.replace(/_/g, " "))];
    if (own.length > 0 && own.every((one) => stems.has(one))) hint.optional = true;
  }
}

/** Words of the negative clauses that no other clause has. */
function negativeStems(statements: readonly Statement[], groups: readonly Group[]): Set<string> {
  const negative = new Set<string>();
  const examples = groups.flatMap((group) => group.examples.flatMap((example) => example.lines));
  const positive = stemsOf(examples.join(" "));
  for (const statement of statements) {
    for (const sentence of statement.sentences) {
      for (const clause of bare(sentence.text)
        .replace(/\([^)]*\)/g, " ")
        .split(/,\s+(?=not\b|but\b)|:\s/)) {
        const stems = stemsOf(clause);
        for (const one of stems)
          (NEGATIVE.test(clause) || /^not\b/.test(clause) ? negative : positive).add(one);
      }
    }
  }
  const common = stemsOf(
    "not are is the and or other lines line messages message records record entries items wanted that no a an of in item they it what",
  );
  return new Set([...negative].filter((word) => word.length > 2 && !positive.has(word) && !common.has(word)));
}

function readGroups(statements: readonly Statement[], unwanted: string[]): Group[] {
  const groups: Group[] = [];
  let group: Group = emptyGroup();
  let fieldDepth: number | undefined;
  for (const statement of statements) {
    if (fieldDepth !== undefined && statement.depth > fieldDepth) {
      group.fields.push(...readHints(statement.text));
      continue;
    }
    const row = /^\|(.*)\|$/.exec(statement.text);
    if (row !== null) {
      readFieldRow(row[1] ?? "", group);
      continue;
    }
    fieldDepth = undefined;
    const rest: Sentence[] = [];
    for (const sentence of statement.sentences) {
      const value = valueIn(sentence.text);
      if (value !== undefined) {
        // A second value statement opens a second kind of record.
        if (group.value !== undefined) {
          groups.push(group);
          group = emptyGroup();
        }
        group.value = readValue(value.valueText);
        group.fields.push(...readHints(value.fieldsText));
        continue;
      }
      const fields = fieldsIn(sentence.text);
      if (fields === undefined) rest.push(sentence);
      else group.fields.push(...readHints(fields));
      if (/^(?:[\w ]+ )?fields?\s*[:：]?$/i.test(sentence.text)) fieldDepth = statement.depth;
    }
    const next = readRest(statement, rest, unwanted);
    group.examples.push(...next.examples);
    group.wanted.push(...next.wanted);
    group.only.push(...next.only);
    group.prose += `${bare(statement.text)}\n`;
  }
  const isKind = group.value !== undefined || group.fields.length > 0 || groups.length === 0;
  if (isKind) return [...groups, group];
  // Examples after the last value statement belong to it.
  groups.at(-1)?.examples.push(...group.examples);
  groups.at(-1)?.wanted.push(...group.wanted);
  groups.at(-1)?.only.push(...group.only);
  return groups;
}

const VALUE_LEAD =
  /^(?:the )?(?:value|值)\b\s*(?:\([^)]*\)\s*)?(?:[:：=–-]|is|are|should be|must be)\s*(.+)$/i;
const VALUE_TAIL =
  /^(.+?)\s+(?:is|are|becomes?|serves? as|(?:goes|go) into|as|gives?|forms?)\s+(?:the )?value\b/i;
const VALUE_MID = /\b(?:value (?:is|=|shall be)|(?:use|take|report|with) (?:as )?(?:the )?value)\s+(.+)$/i;
const FIELDS_LEAD =
  /^(?:the |its |other |further |additional )?(?:fields?|字段)\b\s*(?:[:：=–-]|are|is)?\s*(.+)$/i;
const FIELDS_TAIL = /^(.+?)\s+(?:is|are|become|as|go into)\s+(?:the |its |further )?fields?\b/i;
const FIELDS_START = /^(?:the |its |other |further |additional )?(?:fields?|字段)\b/i;

/** The text about the value in a sentence, and about fields when it goes on with them. */
function valueIn(text: string): { valueText: string; fieldsText: string } | undefined {
  if (FIELDS_START.test(text)) return undefined;
  const value = VALUE_LEAD.exec(text) ?? VALUE_TAIL.exec(text) ?? VALUE_MID.exec(text);
  return value === null ? undefined : splitValue(text, value[1] ?? "");
}

/** The list of fields in a sentence; empty when it follows in deeper bullets. */
function fieldsIn(text: string): string | undefined {
  if (/^fields? (?:are|is) (?:separated|delimited|divided|set apart|quoted|enclosed)/i.test(text))
    return undefined;
  if (FIELDS_START.test(text)) return FIELDS_LEAD.exec(text)?.[1] ?? "";
  const single = /^(.+?),? an? (?:further )?field$/i.exec(text.replace(/[.]$/, ""));
  if (single !== null) return single[1];
  if (/\bnot\b/.test(text)) return undefined;
  return FIELDS_TAIL.exec(text)?.[1];
}

function emptyGroup(): Group {
  return { value: undefined, fields: [], examples: [], wanted: [], only: [], prose: "" };
}

function splitValue(sentence: string, valueText: string): { valueText: string; fieldsText: string } {
  // "The event name is the value; vendor and severity are fields" or "value is the unit, fields are load, sub".
  const at = /(?:[;,]|\band\b)\s*(?:the )?fields?\s*(?:are|is|:)\s*/i.exec(valueText);
  if (at !== null) {
    return { valueText: valueText.slice(0, at.index), fieldsText: valueText.slice(at.index + at[0].length) };
  }
  const tail = /\bvalue\b(?:[;,]|\s+and)\s*(.+?)\s+(?:are|as|is an?|an?)\s+(?:the )?fields?\b/i.exec(
    sentence,
  );
  return { valueText, fieldsText: tail?.[1] ?? "" };
}

function readFieldRow(row: string, group: Group): void {
  const cells = row.split("|").map((cell) => cell.trim());
  const [first, ...others] = cells;
  if (first === undefined || /^:?-+:?$/.test(first) || /^(?:field|name|key|column)s?$/i.test(first)) return;
  const hint = readHints(`${first} (${others.join(", ").replace(/[()]/g, " ")})`)[0];
  if (hint === undefined) return;
  if (hint.name === "value") group.value = readValue(others.join(", "));
  else group.fields.push(hint);
}

/** Examples, wanted and unwanted texts of the sentences that speak of neither value nor fields. */
function readRest(statement: Statement, sentences: readonly Sentence[], unwanted: string[]) {
  const rest: Pick<Group, "examples" | "wanted" | "only"> = {
    examples: statement.blocks.map((lines) => ({ lines, label: "", mark: "block" })),
    wanted: [],
    only: [],
  };
  for (const sentence of sentences) readRestSentence(sentence, rest, unwanted);
  return rest;
}

const SELECTS =
  /\bonly\b|\bexactly\b|\bmust (?:contain|start|begin)\b|\bstart(?:s|ing)? with\b|\bmarked\b|\bcontain/i;
const ONLY_LINES = /\bonly\b[^.]*\b(?:lines?|entries|records|messages|rows|ones|those|events?|levels?)\b/i;

function readRestSentence(
  sentence: Sentence,
  rest: Pick<Group, "examples" | "wanted" | "only">,
  unwanted: string[],
): void {
  const plain = bare(sentence.text);
  const selects = SELECTS.test(plain);
  const excludes = NEGATIVE.test(plain) && !selects;
  const spans = quotedIn(sentence.text);
  for (const match of plain.matchAll(/\bthe words? ([A-Z][\w-]*(?: [A-Z][\w-]*)*)/g))
    rest.wanted.push(match[1] ?? "");
  if (NEGATIVE.test(plain)) {
    for (const match of plain.matchAll(/\(([^()‹›]{4,60})\)/g)) unwanted.push(match[1] ?? "");
  }
  for (const [index, span] of spans.entries()) {
    if (isGlob(span.text)) continue;
    if (isMention(span, sentence.text)) {
      (excludes ? unwanted : rest.wanted).push(span.text);
    } else if (isExampleLike(span) && !excludes) {
      rest.examples.push({
        lines: [span.text],
        label: labelBefore(sentence.text, spans, index),
        mark: span.mark,
      });
      if (selects) rest.wanted.push(span.text);
    } else if (excludes) {
      unwanted.push(span.text);
    } else {
      rest.wanted.push(span.text);
    }
    if (ONLY_LINES.test(sentence.text.slice(0, span.start))) rest.only.push(span.text);
  }
}

/** Long enough, or with enough structure, to be a line rather than a word. */
function isExampleLike(span: Quoted): boolean {
  const text = span.text.trim();
  const words = text.split(/\s+/).length;
  return words >= 3 || (words >= 2 && /[:="'([<\d]/.test(text)) || (text.match(/[:|;,=]/g) ?? []).length >= 2;
}

/** A title or a few words of a line, named in the middle of a sentence: no line of its own. */
function isMention(span: Quoted, sentence: string): boolean {
  const before = sentence.slice(0, span.start);
  const text = span.text.trim();
  const isTitle =
    /\b(?:section|table|heading|headline|title|titled|headed|panel|banner|caption|called|named|block|chapter|column)s?\b[^.;,"`]{0,12}\(?$/i;
  if (isTitle.test(before)) return !/[=|]/.test(text) && (span.mark === "quote" || !/\d/.test(text));
  const isLine = /\bthe line\s+$/i.test(before);
  if (isLine && /^[A-Za-z][\w ]*:$/.test(text)) return true;
  const around = /\p{L}/u.test(before) && /\p{L}/u.test(sentence.slice(span.end));
  return span.mark === "quote" && around && text.split(/\s+/).length <= 4 && /^[A-Za-z .…-]+$/.test(text);
}

function labelBefore(text: string, spans: readonly Quoted[], index: number): string {
  const span = spans[index];
  if (span === undefined) return "";
  // Several examples behind one label ("Antenna: `a` and `b`") share it.
  for (let at = index; at >= 0; at -= 1) {
    const from = at === 0 ? 0 : (spans[at - 1]?.end ?? 0);
    const before = text.slice(from, spans[at]?.start ?? 0).trim();
    const label = /([\p{L}\p{N}][\p{L}\p{N} _/-]*?)\s*[:：–-]$/u.exec(before)?.[1];
    if (label !== undefined) return label;
    if (!/^(?:and|or|,)?$/i.test(before)) return "";
  }
  return "";
}
