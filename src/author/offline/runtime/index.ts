// The functions that are copied into generated atoms, with their types. The author evaluates the same source text, so a
// program behaves in the author exactly as in its atom. The text of the .js files is part of generated atoms: a changed
// character, also in a comment, changes new atoms.
import gridSource from "./grid.js" with { type: "text" };
import headingsSource from "./headings.js" with { type: "text" };
import jsonSource from "./json.js" with { type: "text" };
import limitsSource from "./limits.js" with { type: "text" };
import linesSource from "./lines.js" with { type: "text" };
import treeSource from "./tree.js" with { type: "text" };
import xmlSource from "./xml.js" with { type: "text" };

export interface LineReader {
  line: RegExp;
  /** Number of the group of each part. */
  parts: Readonly<Record<string, number>>;
}

export interface BesideReader extends LineReader {
  side: "above" | "below";
  /** Applies to all records below it, not only to the next one. */
  held?: boolean;
  /** A record may lack it. */
  optional?: boolean;
}

export interface RowReader {
  grid: GridShape;
  /** Cell of each part. */
  parts: Readonly<Record<string, number>>;
  /** Texts in the cell of a part that a record lacks, such as `n/a`. */
  nothing?: Readonly<Record<string, readonly string[]>>;
}

export interface Beside {
  beside?: readonly BesideReader[];
  /** There is no blank line between a record and its parts. */
  no_blanks?: true;
}

export interface ReadRecord {
  /** 0-based. */
  line: number;
  texts: Record<string, string>;
}

/** A condition for the text of a part. */
export type Condition =
  | { only: readonly string[] }
  | { filled: true }
  | { number: true; blank?: true }
  | { nonzero: true }
  | { sign: number };

export interface Limits {
  /** Headings above records; without it, records may be anywhere. */
  under?: readonly string[];
  skip_headings?: true;
  /** Leaves out the last row of a table below a rule. */
  skip_closing?: true;
  keep?: Readonly<Record<string, Condition>>;
}

export interface Cell {
  start: number;
  end: number;
}
export interface Word extends Cell {
  text: string;
}
/** Columns below the words of a heading row, or cells between delimiters. */
export type GridShape = { heading: readonly string[] } | { delimiter: string; cells: number };

/** A node of a document. Items of JSON lists are named `*`, attributes of XML elements `@name`. */
export interface TreeNode {
  name: string;
  /** 0-based. */
  line: number;
  text: string | null;
  /** Line of the text of an element, if it is another one. */
  text_line?: number;
  items: TreeNode[];
}

/** Path from a record to a part: steps up, then names down. */
export interface TreePath {
  up: number;
  path: readonly string[];
}

export interface TreeReader {
  tree: "json" | "xml";
  /** Names from the top of the document to a record. */
  path: readonly string[];
  parts: Readonly<Record<string, TreePath>>;
  /** Parts that a record may lack. */
  optional: readonly string[];
  /** The part whose line the record reports; null for the line on which the record begins. */
  line: TreePath | null;
  /** Texts that unlabelled members must have, by their path joined with `/`. */
  only?: Readonly<Record<string, readonly string[]>>;
}

export interface FoundNode {
  node: TreeNode;
  above: FoundNode | null;
}

interface Runtime {
  read_lines(rule: LineReader & Beside, lines: readonly string[]): ReadRecord[];
  read_rows(rule: RowReader & Beside, lines: readonly string[]): ReadRecord[];
  read_tree(rule: TreeReader, lines: readonly string[]): ReadRecord[];
  keep_records(rule: Limits, records: readonly ReadRecord[], lines: readonly string[]): ReadRecord[];
  words_of(line: string): Word[];
  columns_of(heading: readonly Word[], row: string): (Cell | null)[];
  cells_of(row: string, delimiter: string): Cell[];
  rows_of(grid: GridShape, lines: readonly string[]): { line: number; cells: (Cell | null)[] }[];
  is_rule(line: string): boolean;
  read_headings(lines: readonly string[]): { under: string[]; own: boolean[] };
  read_json(text: string): TreeNode[];
  read_xml(text: string): TreeNode[];
  part_of(found: FoundNode, part: TreePath): TreeNode | null;
}

/** Source texts of the declarations by name, each with its comment, in the order of the files. */
const DECLARATIONS: ReadonlyMap<string, string> = new Map(
  [linesSource, limitsSource, gridSource, headingsSource, treeSource, jsonSource, xmlSource].flatMap(
    declarations,
  ),
);

export const {
  read_lines,
  read_rows,
  read_tree,
  keep_records,
  words_of,
  columns_of,
  cells_of,
  rows_of,
  is_rule,
  read_headings,
  read_json,
  read_xml,
  part_of,
} = load();

function load(): Runtime {
  const source = [...DECLARATIONS.values(), `return { ${[...DECLARATIONS.keys()].join(", ")} };`].join("\n");
  return new Function(source)();
}

function declarations(source: string): [string, string][] {
  const found = source.matchAll(
    /^(?<comment>\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?(?:export )?(?<code>(?:function (?<name>\w+)\([\s\S]*?\n\}|const (?<constant>\w+) = .*;))$/gm,
  );
  return [...found].map(({ groups }) => [
    groups?.["name"] ?? groups?.["constant"] ?? "",
    `${groups?.["comment"] ?? ""}${groups?.["code"] ?? ""}`,
  ]);
}

/** The declarations that a source text refers to, directly or indirectly. */
export function requiredDeclarations(source: string): string[] {
  const names = new Set<string>();
  const visit = (text: string): void => {
    for (const [name, code] of DECLARATIONS) {
      if (names.has(name) || !new RegExp(`\\b${name}\\b`).test(text)) continue;
      names.add(name);
      visit(code);
    }
  };
  visit(source);
  return [...DECLARATIONS].flatMap(([name, code]) => (names.has(name) ? [code] : []));
}
