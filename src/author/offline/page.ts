// What sections 1 and 4.1 say, as far as it can be read: values and fields with their hints, example lines,
// literals that are wanted or not, lists of columns, files. Every guess is checked against the logs later.
import { fieldName, kindOf, stemsOf, type TextKind, wordsOf } from "./names.ts";
import {
  type Quoted,
  quotedIn,
  type Sentence,
  type Statement,
  splitList,
  statementsOf,
} from "./page-text.ts";

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
}

export interface Page {
  groups: Group[];
  /** Texts of lines that are not wanted. */
  unwanted: string[];
  lists: Listed[];
  files: FilePattern[];
  rules: FieldRule[];
  oncePerFile: boolean;
  /** Stems of all words outside the examples. */
  stems: Set<string>;
  /** Stems of words that only stand where the page says what is not wanted. */
  unwantedStems: Set<string>;
  statements: Statement[];
  sourceStatements: Statement[];
  prose: string;
}

const NEGATIVE =
  /\b(?:not (?:wanted|needed|of interest|an? |items?|the |counted|relevant|part|included|include|to be)|are not(?!-)|is not(?!-)|isn't|aren't|ignor\w*|skip\w*|exclud\w*|except|irrelevant|do not|don't|must not be (?:taken|read|counted)|never|no (?:item|record|verdict|offen\w*)s?|unwanted|leave out|left out|rather than|other than the|none of)\b/i;
const VALUE_LEAD =
  /^(?:the )?(?:value|值)\b\s*(?:\([^)]*\)\s*)?(?:[:：=–-]|is|are|should be|must be)\s*(.+)$/i;
const VALUE_TAIL =
  /^(.+?)\s+(?:is|are|becomes?|serves? as|(?:goes|go) into|as|gives?|forms?)\s+(?:the )?value\b/i;
const VALUE_MID = /\b(?:value (?:is|=|shall be)|(?:use|take|report|with) (?:as )?(?:the )?value)\s+(.+)$/i;
const FIELDS_LEAD =
  /^(?:the |its |other |further |additional )?(?:fields?|字段)\b\s*(?:[:：=–-]|are|is)?\s*(.+)$/i;
const FIELDS_TAIL = /^(.+?)\s+(?:is|are|become|as|go into)\s+(?:the |its |further )?fields?\b/i;

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
  const prose = [...statements, ...sourceStatements].map((one) => bare(one.text)).join("\n");
  return {
    groups,
    unwanted: [...new Set(unwanted)],
    lists,
    files: readFiles(sourceStatements, statements),
    rules,
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

/** A sentence without its quoted texts. */
export function bare(text: string): string {
  let result = text;
  for (const span of quotedIn(text).reverse())
    result = `${result.slice(0, span.start)} ‹› ${result.slice(span.end)}`;
  return result;
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

const FIELDS_START = /^(?:the |its |other |further |additional )?(?:fields?|字段)\b/i;

/** The text about the value in a sentence, and about fields when it goes on with them. */
function valueIn(text: string): { valueText: string; fieldsText: string } | undefined {
  if (FIELDS_START.test(text)) return undefined;
  const value = VALUE_LEAD.exec(text) ?? VALUE_TAIL.exec(text) ?? VALUE_MID.exec(text);
  return value === null ? undefined : splitValue(text, value[1] ?? "");
}

/** The list of fields in a sentence; empty when it follows in deeper bullets. */
function fieldsIn(text: string): string | undefined {
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
  for (const match of plain.matchAll(/\bthe words? ([A-Z][\w-]*)/g)) rest.wanted.push(match[1] ?? "");
  if (NEGATIVE.test(plain)) {
    for (const match of plain.matchAll(/\(([^()‹›]{4,60})\)/g)) unwanted.push(match[1] ?? "");
  }
  for (const [index, span] of spans.entries()) {
    if (isGlob(span.text)) continue;
    if (isExampleLike(span) && !excludes) {
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

/** Reads "`limit`, `slack` (may be blank) and `count`: how often". */
export function readHints(text: string): Hint[] {
  const hints: Hint[] = [];
  if (/^\s*(?:$|none|no\b|n\/a|-|\u2013)/i.test(text)) return hints;
  const coded = /`[A-Za-z_][\w .-]*`/.test(text);
  let optional = false;
  for (const part of splitList(text.replace(/[.。]\s*$/, ""))) {
    const name =
      /^[^`(]{0,40}?`([A-Za-z_][\w .-]*)`/.exec(part) ?? (coded ? null : /^([^(:：=]+)/.exec(part));
    const previous = hints.at(-1);
    if (name === null) {
      if (/\b(?:optional|if any|where there|when (?:there|present)|if present|may be)\b/i.test(part))
        optional = true;
      else if (previous !== undefined)
        Object.assign(previous, makeHint(previous.name, `${previous.description}, ${part}`));
      continue;
    }
    const rawName = (name[1] ?? "").replace(/^(?:the|its|an?|each)\s+/i, "").trim();
    if (rawName === "" || wordsOf(rawName).length > 4) continue;
    const description = part
      .slice(name.index + name[0].length)
      .replace(/^\s*[:：=–-]\s*/, "")
      .trim();
    const hint = makeHint(fieldName(rawName), description);
    if (/^\((?:both|all|each)\b/i.test(description)) {
      for (const [index, one] of hints.entries())
        hints[index] = makeHint(one.name, `${one.description} ${description}`.trim());
    }
    if (optional) hint.optional = true;
    optional = false;
    if (hint.name !== "" && !hints.some((one) => one.name === hint.name)) hints.push(hint);
  }
  return hints;
}

/** A quoted text behind such words stands beside the part, not in it. */
const RELATION =
  /\b(?:between|after|before|behind|follow\w*|up to|until|and|not|without|of|starts? with|begins? with|except)\s+(?:the |a |an )?(?:word |text |literal )?$/i;

function makeHint(name: string, description: string): Hint {
  const inner = /^\((.*)\)/s.exec(description)?.[1] ?? description;
  const literals = quotedIn(description)
    .filter((span) => !RELATION.test(description.slice(0, span.start)))
    .map((span) => span.text);
  const single = /(?:^|\s)\(([^\s(),]+)\)/.exec(description)?.[1];
  if (single !== undefined && literals.length === 0 && looksLiteral(single))
    literals.push(single.replace(/`/g, ""));
  const choices = readChoices(inner);
  return {
    name,
    description,
    literals,
    choices,
    kind: kindOf(name, description),
    optional:
      /\b(?:may be (?:blank|empty|missing|absent)|optional|if any|if present|when present|where there is|can be (?:empty|blank|missing)|or empty|or blank|some lines)\b/i.test(
        description,
      ),
    wholeLine: /\b(?:whole|entire|full|complete)\b[^,.;]{0,30}\bline\b|^\s*(?:that|the) line\b/i.test(
      description,
    ),
    basename:
      /\bfile name\b|\blast (?:path )?component\b|\bbase ?name\b|\bwithout (?:the |its )?(?:directory|directories|path|folder)/i.test(
        description,
      ),
  };
}

function looksLiteral(text: string): boolean {
  return (
    /[\d:_/=.-]/.test(text) || /^[A-Z]{1,12}$/.test(text) || /^`/.test(text) || /^[A-Z][a-z]+$/.test(text)
  );
}

/** "DRC, LVS or Antenna" and "`a` or `b`", but no longer prose. */
function readChoices(text: string): string[] {
  const body = text.replace(/^(?:one of|either|e\.g\.)\s+/i, "");
  if (!/\bor\b|\/|\|/.test(body) && !/^\s*`[^`]+`\s*,/.test(body)) return [];
  const parts = splitList(
    body.replace(/\s*[/|]\s*/g, /\s/.test(body.replace(/\s*[/|]\s*/g, "|")) ? "/" : ", "),
  ).map((part) =>
    part
      .replace(/^or\s+/, "")
      .replace(/^[`"']|[`"']$/g, "")
      .trim(),
  );
  return parts.length >= 2 && parts.every((part) => /^[^\s]{1,30}$/.test(part)) ? parts : [];
}

/** The value hint: the name is the head of the description ("the remote host, as printed" -> "remote host"). */
export function readValue(text: string): Hint {
  const plain = text.replace(/[.。]\s*$/, "").trim();
  const head = /^(?:`([^`]+)`|(?:the |an? |its |each )*([^,(;:`"]+))/i.exec(plain);
  const named = (head?.[1] ?? head?.[2] ?? "")
    .replace(
      /\b(?:without|with|as|between|from|of (?:the|each)|in|that|which|after|before|where|up to|inside|behind|following|named|at)\b.*$/i,
      "",
    )
    .trim();
  const hint = makeHint(fieldName(named), plain);
  hint.choices = [];
  if (head?.[1] !== undefined)
    hint.literals = hint.literals.filter((one) => one !== head[1] || /\W/.test(one));
  hint.kind = kindOf(hint.name, "") ?? kindOf("", named);
  return hint;
}

const LIST_LEAD =
  /^.*\b(?:columns?|parts?|cells?|order|fields?|comes?|contains?|consists? of|shows?|gives?|has|have|with|holds?|lists?|prints?|states?|carr(?:y|ies)|by|then|followed by|starts? with|header|headings?)\b:?\s+(?=\S)/i;

/** Ordered lists of three or more short names: the columns of a table or the parts of a line. */
function readLists(sentence: Sentence): Listed[] {
  const text = sentence.text.replace(/[.。]\s*$/, "");
  const lists: Listed[] = [];
  const spans = quotedIn(text);
  const plain = spans.length === 0 ? [text] : [text, bare(text)];
  for (const candidate of plain) {
    for (const piece of candidate.split(/[:：]\s|\s[-–]\s|‹›|\bare\b|\(|\)/)) {
      const parts = splitList(piece);
      if (parts.length < 3) continue;
      // The first part may carry the lead words of the sentence in front of its name.
      const first = (parts[0] ?? "")
        .replace(/\bfor (?:each|every)(?: \w+){1,2}?(?= the\b| an?\b|$)/i, "")
        .replace(LIST_LEAD, "")
        .trim();
      const names = [first === "" ? (parts[0] ?? "") : first, ...parts.slice(1)].map((part) =>
        part
          .replace(/\(.*\)|\bin columns?\b.*|\bfor each\b.*/g, "")
          .replace(/^(?:the|an?|its|then|each)\s+/i, "")
          .replace(/[`"]/g, "")
          .replace(/\s+(?:in|within|inside|between|after|before|behind|from|at the)\s.*$/, "")
          .trim(),
      );
      if (names.every((name) => name !== "" && wordsOf(name).length <= 5 && wordsOf(name).length > 0)) {
        if (!lists.some((one) => one.names.join() === names.join()))
          lists.push({ names, context: sentence.text });
      }
    }
  }
  return lists;
}

/** "whose load state is not-found", "with a count other than 0". */
function readRules(sentence: Sentence): FieldRule[] {
  const rules: FieldRule[] = [];
  const text = sentence.text;
  const push = (name: string, equals: string[], negate: boolean): void => {
    if (wordsOf(name).length > 3 || /\d/.test(name)) return;
    rules.push({ name, equals: equals.map((one) => one.replace(/[.,]$/, "")), negate });
  };
  const negated =
    /\b(?:whose|with|where)\s+(?:an?\s+|the\s+|its\s+)?([\w -]{2,30}?)\s+(?:is |are |being )?(?:other than|different from|not equal to|unequal to|not(?!-))\s+[`"]?([\w.%-]+)[`"]?/gi;
  for (const match of text.matchAll(negated)) {
    push(match[1] ?? "", [match[2] ?? ""], true);
  }
  // "rules with count 0 are clean and not wanted": the sentence says on which side they are.
  for (const match of text.matchAll(/\bwith\s+(?:an?\s+|the\s+)?([a-z][\w-]*)\s+(\d+)(?=\s)/gi)) {
    push(match[1] ?? "", [match[2] ?? ""], NEGATIVE.test(text));
  }
  const plain =
    /\b(?:whose|where(?: the)?|with(?: an?| the)?)\s+([\w -]{2,30}?)\s+(?:is|are|equals|equal to|reads|says|=|of)\s+(?:exactly\s+|either\s+)?[`"]?([\w.%+/-]+)[`"]?(?:\s+or\s+[`"]?([\w.%+/-]+)[`"]?)?/gi;
  for (const match of text.matchAll(plain)) {
    const equals = [match[2], match[3]].filter((one): one is string => one !== undefined);
    if (equals.some((one) => /^(?:not|other|the|an?|in|one|never)$/i.test(one))) continue;
    push(match[1] ?? "", equals, NEGATIVE.test(text) && !/\bonly\b/i.test(text));
  }
  return rules;
}

const EXTENSION =
  /\.(?:log|rpt|txt|out|csv|tsv|json|jsonl|xml|spef|vg?|gz|cef|leef|ya?ml|lst|sum|summary|report|err|stderr|stdout|html?|info|conf|cfg|ini|dat|def|lef|sdc|lib|lvs|drc|erc|messages|syslog|trace|dump|md|\d)\b/i;

export function isGlob(text: string): boolean {
  return (
    !/\s/.test(text) &&
    /^[\w.*?[\]{}/@+$,-]+$/.test(text) &&
    !/[=:;]/.test(text) &&
    (EXTENSION.test(text) || (/[*?]/.test(text) && /[./]/.test(text))) &&
    !/^\d+(?:\.\d+)*$/.test(text)
  );
}

/** File names and globs, those of negative sentences as not wanted. */
function readFiles(source: readonly Statement[], others: readonly Statement[]): FilePattern[] {
  const files: FilePattern[] = [];
  for (const statement of [...source, ...others]) {
    const isSource = source.includes(statement);
    for (const sentence of statement.sentences) {
      const spans = quotedIn(sentence.text).filter(
        (span) => isGlob(span.text) || (isSource && isFileWord(span, sentence.text)),
      );
      const words =
        bare(sentence.text).match(
          /(?<![\w/*.])[\w*?./-]*\.(?:log|rpt|txt|out|csv|json|jsonl|gz|report|lst)\b/g,
        ) ?? [];
      const wanted = !NEGATIVE.test(bare(sentence.text)) || /\bstart with\b/i.test(sentence.text);
      for (const glob of [...spans.map((span) => span.text), ...words]) {
        const text = glob.replace(/^\.?\//, "").replace(/\$\{\w+\}\/?/g, "");
        if (!files.some((one) => one.glob === text)) files.push({ glob: text, wanted });
      }
    }
  }
  return files;
}

function isFileWord(span: Quoted, sentence: string): boolean {
  if (/\s|[=:;"'()|]/.test(span.text)) return false;
  // The first thing that section 4.1 names is the file.
  if (span.start === 0 && /^[\w.-]+$/.test(span.text)) return true;
  const around = sentence.slice(Math.max(0, span.start - 25), span.end + 25);
  return (
    /\bfiles?\b|\blogs?\b|\breports?\b|\bdump\b|\blisting\b/i.test(around.replace(span.text, "")) &&
    /[a-z]/i.test(span.text)
  );
}
