// The statements of a page as kinds of records: each with its value, its fields, and the examples that belong to it.

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
  /^(?:the )?(?:value|值)\b\s*(?:of (?:an?|each|every|the) [a-z]+\s+)?(?:\([^)]*\)\s*)?(?:[:：=–-]|is|are|should be|must be)\s*(.+)$/i;
const VALUE_TAIL =
  /^(.+?)\s+(?:is|are|becomes?|serves? as|(?:goes|go) into|as|gives?|forms?)\s+(?:the )?value\b/i;
const VALUE_MID = /\b(?:value (?:is|=|shall be)|(?:use|take|report|with) (?:as )?(?:the )?value)\s+(.+)$/i;
const FIELDS_LEAD =
  /^(?:the |its |other |further |additional )?(?:fields?|字段)\b\s*(?:[:：=–-]|are|is)?\s*(.+)$/i;
const FIELDS_TAIL = /^(.+?)\s+(?:is|are|become|as|go into)\s+(?:the |its |further )?fields?\b/i;
export const FIELDS_START = /^(?:the |its |other |further |additional )?(?:fields?|字段)\b/i;

/** The text about the value in a sentence, and about fields when it goes on with them. */
export function valueIn(text: string): { valueText: string; fieldsText: string } | undefined {
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
  // "The value is the name, the field owner is who made it".
  const stated =
    /(?:[;,]|,?\s+and\b)\s*(?:the |its )?(?:only |single )?field\s+(`?[a-z]\w*`?\s+(?:is|holds|contains|gives|has|takes|says|shows)\s+.+)$/i.exec(
      valueText,
    );
  if (stated !== null) return { valueText: valueText.slice(0, stated.index), fieldsText: stated[1] ?? "" };
  const tail =
    /\bvalue\b(?:[;,]|\s+and)\s*(.+?)\s+(?:are|as|is an?|an?)\s+(?:the |its )?(?:only |single |sole |further |other )*fields?\b/i.exec(
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
