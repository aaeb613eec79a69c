// The statements of a page as kinds of records: each with its value, its fields, and the examples that belong to it.

import { clausesOf } from "./clauses.ts";
import { readRest } from "./examples.ts";
import { readHints, readValue } from "./hints.ts";
import type { Group } from "./page.ts";
import { bare, type Sentence, type Statement } from "./text.ts";
import { isWorked, readWorked } from "./worked.ts";

/** The kinds of record of a page, one per statement about a value. Texts of lines that are not wanted are added to
 * `unwanted`. */
export function readGroups(statements: readonly Statement[], unwanted: string[]): Group[] {
  const groups: Group[] = [];
  let group: Group = emptyGroup();
  let fieldDepth: number | undefined;
  const worked: { sentence: Sentence; group: Group }[] = [];
  for (const [index, statement] of statements.entries()) {
    if (fieldDepth !== undefined && statement.depth > fieldDepth) {
      addFields(group, [{ text: statement.text }], statements);
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
      if (isWorked(sentence)) {
        worked.push({ sentence, group });
        rest.push(sentence);
        continue;
      }
      const value = valueIn(sentence.text);
      const fields = afterFields(fieldsIn(sentence.text), sentence.text, statement, group);
      if (value !== undefined) {
        // A second value statement opens a second kind of record.
        if (group.value !== undefined) {
          groups.push(group);
          group = emptyGroup();
        }
        group.value = readValue(value);
      }
      addFields(group, fields, statements);
      if (value === undefined && fields.length === 0) rest.push(sentence);
    }
    if (opensFields(statement, statements[index + 1])) fieldDepth = statement.depth;
    const isTold = group.value !== undefined && group.fields.length > 0 && group.examples.length > 0;
    const next = readRest(statement, rest, unwanted, isTold);
    group.examples.push(...next.examples);
    group.wanted.push(...next.wanted);
    group.only.push(...next.only);
    group.prose += `${bare(statement.text)}\n`;
  }
  for (const one of worked) readWorked(one.sentence, one.group);
  for (const one of [...groups, group]) {
    dropPieces(one);
    takeShort(one);
  }
  const isKind = group.value !== undefined || group.fields.length > 0 || groups.length === 0;
  if (isKind) return [...groups, group];
  // Examples after the last value statement belong to it.
  groups.at(-1)?.examples.push(...group.examples);
  groups.at(-1)?.wanted.push(...group.wanted);
  groups.at(-1)?.only.push(...group.only);
  return groups;
}

/** A text of a wanted line that holds the text shown for a part is an example, however short: "`n042,down*`" where the
 * node is "n042". Only for groups without any other. */
function takeShort(group: Group): void {
  if (group.examples.length > 0) return;
  const shown = [group.value, ...group.fields].flatMap((hint) => hint?.literals ?? []);
  const short = group.wanted.filter(
    (text) => /[^\w\s]/.test(text) && shown.some((part) => part.length < text.length && text.includes(part)),
  );
  for (const text of short) group.examples.push({ lines: [text], label: "", mark: "code" });
  group.wanted = group.wanted.filter((text) => !short.includes(text));
}

/** A text that stands in an example is a piece of it and no line of its own; a tab that a page cannot print is one. */
function dropPieces(group: Group): void {
  for (const example of group.examples)
    example.lines = example.lines.map((line) => line.replace(/ ?<tab> ?|\u2409|\u21e5/gi, "\t"));
  const isPiece = (example: Group["examples"][number]): boolean => {
    const [line = "", ...more] = example.lines;
    if (more.length > 0 || example.mark === "block") return false;
    return group.examples.some(
      (other) =>
        other !== example &&
        other.lines.some((one) => one.length > line.length + 8 && one.includes(line.trim())),
    );
  };
  for (const example of group.examples.filter(isPiece)) {
    group.examples.splice(group.examples.indexOf(example), 1);
    group.wanted.push(...example.lines);
  }
}

/** "Fields, left to right:", "The fields are", "Fields come from the record above:" in front of deeper bullets. */
function opensFields(statement: Statement, next: Statement | undefined): boolean {
  const last = statement.sentences.at(-1)?.text ?? "";
  if (/^(?:[\w ]+ )?fields?\s*[:：]?$/i.test(last)) return true;
  if (next === undefined || next.depth <= statement.depth || !/^`[A-Za-z_]\w*`/.test(next.text)) return false;
  return FIELDS_START.test(last) || /\bfields?\b[^.]*[:：]$/i.test(last);
}

/** Adds the fields that a text names. Where the page has put the names in backticks, a list without any gives none:
 * "a line in which the fields are web, 812 and PLAIN". */
function addFields(
  group: Group,
  fields: readonly { text: string; single?: boolean }[],
  statements: readonly Statement[],
): void {
  for (const { text, single } of fields) {
    const first = `\`${group.fields[0]?.name ?? ""}\``;
    if (!text.includes("`") && statements.some((one) => one.text.includes(first))) continue;
    // "For the short form `x` instead": such lines lack the others.
    if (/^where they are printed, [^;]*\binstead\b/i.test(text))
      for (const one of group.fields) one.optional = true;
    for (const hint of readHints(text, single))
      if (!group.fields.some((own) => own.name === hint.name)) group.fields.push(hint);
  }
}

/** What stands between a further field and the list before it: "Add `user`", "For UDP there is also `length`". */
const FURTHER =
  /^(?:(?:and|also|then|plus|finally|besides|in addition|further|add|keep|take|where|if|when|for|there|some|most|many|lines|records|those|it|they)\b[^`.;]{0,60})?(?=`[a-z][a-z_0-9]*`)/i;

/** "`none` is printed where ...": a text of the log, no field. */
const IS_TEXT =
  /^`\w+`(?: or `\w+`)* (?:is|are|was) (?:also |then |sometimes |often )?(?:printed|shown|possible|allowed|fine|not|no\b|used|given|another|wanted|written|kept|ok|meant|ignored|skipped|left|an? (?:\w+ )?(?:line|record|row|entry|keyword|word|mark))/i;

/** "Fields: `a`, `b`. `c` is the number in brackets. Add `d` where it is printed": sentences behind the list in the
 * same statement may name further ones. */
function afterFields(
  found: { text: string; single?: boolean }[],
  text: string,
  { sentences }: Statement,
  group: Group,
): { text: string; single?: boolean }[] {
  if (found.length > 0) return found;
  const at = sentences.findIndex((one) => one.text === text);
  const opens = sentences.findIndex((one) => fieldsIn(one.text).length > 0);
  const lead = FURTHER.exec(text)?.[0];
  if (opens < 0 || at <= opens || lead === undefined) return found;
  const own = text.slice(lead.length);
  const follows =
    lead === "" && !/;$/.test(sentences[at - 1]?.text ?? "")
      ? /^`\w+`(?:(?:,| and) `\w+`)*,?\s*(?:[:=]|[-–]\s|(?:is|are|holds?|gives?|from|comes?|stands?|has|the|its)\s)/
      : /^`\w+`/;
  if (!follows.test(own) || IS_TEXT.test(own)) return found;
  const isOptional =
    /\b(?:where|if|when|some|most|many)\b|^(?:and )?for (?!(?:all|each|every)\b)\S/i.test(lead) ||
    /\b(?:if|where|when) (?:it|they|there|present|given|printed|the (?:line|record|row|message) (?:has|gives|names|shows))\b/i.test(
      own,
    );
  const known = group.fields.some((one) => own.startsWith(`\`${one.name}\``));
  return known ? found : [{ text: isOptional ? `where they are printed, ${own}` : own }];
}

const CHINESE = /^(值|字段)\s*[:：=–-]\s*(.+)$/;
export const FIELDS_START = /^(?:the |its |other |further |additional )?(?:fields?|字段)\b/i;

/** The text about the value in a sentence. */
export function valueIn(text: string): string | undefined {
  const chinese = CHINESE.exec(text);
  if (chinese !== null) return chinese[1] === "值" ? chinese[2] : undefined;
  return clausesOf(text).find((one) => one.about === "value" && one.text !== "")?.text;
}

/** What a sentence says of the fields; an empty text when the list follows in deeper bullets. */
function fieldsIn(text: string): { text: string; single?: boolean }[] {
  const chinese = CHINESE.exec(text);
  if (chinese !== null) return chinese[1] === "值" ? [] : [{ text: chinese[2] ?? "" }];
  if (/^fields? (?:are|is) (?:separated|delimited|divided|set apart|quoted|enclosed)/i.test(text)) return [];
  return clausesOf(text).filter((one) => one.about === "fields");
}

function emptyGroup(): Group {
  return { value: undefined, fields: [], examples: [], wanted: [], only: [], prose: "" };
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
