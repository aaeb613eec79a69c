// What an extractor is before it becomes code: a few kinds of rules, each a plain value. `interpret.ts` runs
// them to rank candidates, `emit.ts` writes them as an atom; a test proves in the real sandbox that both agree.

import type { Syntax } from "./tree/index.ts";

/** Where the text of a value or field comes from. Groups are named groups, columns or keys of the rule. */
export type Source =
  /** `basename`: the last component of a path; `bare`: without the marks in front of it (a tree's lines). */
  | { from: "group"; group: string; op?: "basename" | "bare" }
  | { from: "constant"; text: string }
  | { from: "line" }
  /** Several groups joined by fixed text, e.g. host and port. */
  | { from: "joined"; parts: ({ group: string } | { text: string })[] };

export interface Projection {
  value: Source;
  /** Fields whose text is empty are left out of the record. */
  fields: { name: string; source: Source }[];
}

/** Keeps only records whose group equals one of the texts. */
export interface GroupFilter {
  group: string;
  /** Further groups: one of all of them has to fulfil it. */
  also?: string[];
  equals: string[];
  /** The group whose text it is compared with, in place of given ones. */
  than?: string;
  /** Keep the others instead. */
  negate?: boolean;
  /** How the text is compared; equal when nothing is said. */
  match?: Match;
  /** The case of letters does not matter; the texts are in small letters. */
  fold?: boolean;
  /** Only what the group `cut` of this expression finds in the text is compared. */
  cut?: string;
  /** Or one of these is fulfilled. */
  or?: GroupFilter[];
}

/** `number` and behind it: the amount in front of the text is equal, above, at least, below, at most the one given;
 * `letters`: the text has no digit; `like`: an expression is found in the text; `before`, `until`, `since`, `after`: the
 * numbers of the text, one after the other, come before those of the one given, not after them, not before them, after
 * them (times, dates, versions). */
export type Match =
  | "prefix"
  | "suffix"
  | "contains"
  | "number"
  | "above"
  | "least"
  | "below"
  | "most"
  | "letters"
  | "like"
  | "before"
  | "until"
  | "since"
  | "after";

/** Only lines after one that matches `open` and before one that matches `close`. */
export interface Scope {
  open: string;
  close: string;
  /** Example lines for the comments. */
  openExample: string;
  /** A file begins inside: lines behind `close` are left out. */
  begins?: boolean;
}

/** A line above the records whose texts hold for all records below it, up to the next such line. */
export interface Above {
  /** Expression with named groups. */
  pattern: string;
  example: string;
  /** Groups of lines that hang on such a line: they start anew below it. */
  clears?: string[];
}

export interface LineAlternative {
  /** Expression with named groups, without delimiters or flags. */
  pattern: string;
  projection: Projection;
  /** A line that it matches, for the comment. */
  example: string;
}

/** One record per line that an alternative matches; the first that does wins. */
export interface LineRule {
  kind: "line";
  alternatives: LineAlternative[];
  /** Lines that contain one of these texts are left out. */
  unless: string[];
  scope?: Scope;
  above?: Above[];
  filters: GroupFilter[];
  /** The lines are nothing but cells set apart by this mark, and every group is a whole one. */
  cells?: string;
}

export type RowReader =
  /** A row is one expression. */
  | { by: "pattern"; pattern: string }
  /** Cells between separators; `quoted` follows the CSV rules for double quotes. `framed`: the line starts and
   * ends with the separator. */
  | { by: "separator"; separator: string; quoted: boolean; framed: boolean; groups: (string | null)[] }
  /** Each piece of a row belongs to the heading that it stands under or nearest to, wherever the heading row of that
   * table has it. Pieces are words, or runs with single blanks in them. */
  | { by: "headings"; names: string[]; groups: (string | null)[]; pieces: "words" | "runs" }
  /** Cells at fixed columns, 0-based; `end` null is the end of the line. */
  | { by: "columns"; columns: { group: string; start: number; end: number | null }[] };

/** Rows below a heading row, up to the end of the table. */
export interface TableRule {
  kind: "table";
  /** Only this part of the file is read. */
  scope?: Scope;
  /** Expression for the heading row. */
  header: string;
  /** There is none: the rows begin at once, or below their section title. */
  headless?: boolean;
  headerExample: string;
  row: RowReader;
  /** Expression for ruler lines, which are neither rows nor the end. */
  ruler: string;
  /** `blank`: an empty line ends it; `ruler`: that or a ruler behind the rows; `mismatch`: any line that is
   * no row, blank lines aside; `file`: the end of the file. */
  ends: "blank" | "ruler" | "mismatch" | "file";
  /** Expressions of lines that end it: titles and heading rows of other tables. */
  until?: string[];
  /** Only the rows of the first or the last such table of a file. */
  only?: "first" | "last";
  /** Only tables below one of these section titles; `heading` is the expression of any section heading. */
  sections?: { heading: string; wanted: string[]; example: string };
  filters: GroupFilter[];
  unless: string[];
  /** Groups that must not be empty in a row. */
  required: string[];
  above?: Above[];
  /** A row whose first text is too long for its column goes on on the next line. Only for rows of one expression. */
  wraps?: boolean;
  /** Parts inside the cells of a column: the group `part` of the expression. */
  parts?: { group: string; from: string; pattern: string }[];
  /** Groups whose blank cells have the text of the row above them. */
  carry?: string[];
  projection: Projection;
  example: string;
}

export interface Inner {
  pattern: string;
  example: string;
  /** Expression of the last line in front of it that is not blank. */
  after?: string;
}

/** Records of several lines: a start line, then `Key: value` lines. */
export interface BlockRule {
  kind: "block";
  /** Only this part of the file is read. */
  scope?: Scope;
  /** Expression of the line that starts a record; may have named groups. */
  start: string;
  startExample: string;
  /** The line right below the start, when only records with one title are wanted. */
  title?: string;
  /** Keys and the groups they fill; the first occurrence in a record counts. */
  keys: { label: string; group: string }[];
  /** Expression of a key line with groups `key` and `text`. */
  keyLine: string;
  /** Further lines of a record; the first that matches counts. With `after` only below a line that matches that. */
  inner?: Inner[];
  above?: Above[];
  /** `blank`: a blank line ends a record; `dedent`: a line that is no deeper than its first one; always the next start. */
  ends: "blank" | "dedent" | "start";
  /** The line that the record names as its own. */
  lineOf: "start" | "value";
  /** Group whose line is the record's when `lineOf` is `value`. */
  valueGroup: string;
  filters: GroupFilter[];
  /** Groups without which there is no record. */
  required: string[];
  projection: Projection;
}

/** A part of a record in a structured document: some levels up from the record's node, then down the names. */
export interface TreePart {
  group: string;
  up: number;
  down: string[];
  take: "text" | "name";
  /** Takes what the group `part` of the first of them that matches has. */
  patterns?: string[];
}

/** One record per node of a structured document (JSON, YAML, XML, nested brackets) that a path leads to. */
export interface TreeRule {
  kind: "tree";
  syntax: Syntax;
  /** Names down to the record's node; `*` is any name, `**` in front any depth, `[]` an item of a list. */
  record: string[];
  parts: TreePart[];
  /** The node whose line is the record's. */
  line: { up: number; down: string[] };
  filters: GroupFilter[];
  required: string[];
  projection: Projection;
  example: string;
}

export type Rule = LineRule | TableRule | BlockRule | TreeRule;

export interface Program {
  /** What is extracted, one line for the head comment. */
  title: string;
  rules: Rule[];
  /** The lines are read without the escape sequences of a terminal. */
  coloured?: boolean;
}

/** One record without its file. */
export interface Extracted {
  value: string;
  line: number;
  content: string;
  fields: Record<string, string>;
}
