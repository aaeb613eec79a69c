// The statements of a page as kinds of records: each with its value, its fields, and the examples that belong to it.

import { clausesOf } from "./clauses.ts";
import { readRest } from "./examples.ts";
import { readHints, readValue } from "./hints.ts";
import type { Group } from "./page.ts";
import { bare, type Sentence, type Statement } from "./text.ts";

/** The kinds of record of a page, one per statement about a value. Texts of lines that are not wanted are added to
 * `unwanted`. */
export function readGroups(statements: readonly Statement[], unwanted: string[]): Group[] {
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
      const fields = afterFields(fieldsIn(sentence.text), sentence.text, statement, group);
      if (value !== undefined) {
        // A second value statement opens a second kind of record.
        if (group.value !== undefined) {
          groups.push(group);
          group = emptyGroup();
        }
        group.value = readValue(value);
      }
      addFields(group, fields);
      if (value === undefined && fields.length === 0) rest.push(sentence);
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

function addFields(group: Group, fields: readonly { text: string; single?: boolean }[]): void {
  for (const { text, single } of fields)
    for (const hint of readHints(text, single))
      if (!group.fields.some((own) => own.name === hint.name)) group.fields.push(hint);
}

/** "Fields: `a`, `b`. `c` is the number in brackets": a sentence behind the list may name a further one. */
function afterFields(
  found: { text: string; single?: boolean }[],
  text: string,
  { sentences }: Statement,
  group: Group,
): { text: string; single?: boolean }[] {
  const at = sentences.findIndex((one) => one.text === text);
  const name = /^(?:and )?`([a-z][a-z_0-9]*)`\s+(?:is|are|holds|gives|from|comes|stands|has|=)/.exec(
    text,
  )?.[1];
  if (found.length > 0 || name === undefined || at < 1) return found;
  if (fieldsIn(sentences[at - 1]?.text ?? "").length === 0 || group.fields.length === 0) return found;
  return group.fields.some((one) => one.name === name) ? found : [{ text, single: true }];
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
