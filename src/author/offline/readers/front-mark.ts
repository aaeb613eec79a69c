// A first character that is a column of its own: "the first character is the tally code (blank if there is none)", "the
// sign glued to the name". The rows are read with a blank in its place, and the character is put in front of the rule.

import { similarity, stem, wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";

/** What the page says of the character: the field that it is, if it is one. */
export interface FrontMark {
  hint: Hint | undefined;
  /** The group as it is, where that field may be blank. */
  whole: Group;
  /** The group without that field, and the lines with a blank in place of the character. */
  group: Group;
  lines: string[];
  /** The lines as they are. */
  original: readonly string[];
}

const ONE = "(?:character|char|sign|mark|symbol|flag|marker|tally|letter)";
const MIDDLE = "(?:status |state |tally |single |one |leading |such a |right |directly |immediately )*";
/** The character at the front of a row, in the page's words. */
const AT_FRONT = new RegExp(
  [
    `\\b(?:very )?first ${MIDDLE}(?:character|char|sign|symbol|mark)\\b`,
    `\\b(?:leading|preceding|one-character|single-character) ${MIDDLE}${ONE}\\b`,
    `\\b${ONE}(?: code)?,? (?:that (?:is|stands) |which (?:is|stands) |printed |standing |stands |is )?${MIDDLE}(?:in front\\b|glued\\b|ahead\\b|before (?:it|the|each|every)\\b|at the (?:very )?(?:front|start|beginning|left)\\b|in the (?:very )?first (?:column|position|place)\\b)`,
    `\\b(?:rows?|lines?|names?) (?:begins?|starts?|opens?) with (?:an?|the|its) ${MIDDLE}${ONE}\\b`,
    `\\b(?:star|asterisk|plus|arrow|exclamation mark|hash|tilde)\\b[^.;,]*\\bin front\\b`,
  ].join("|"),
  "i",
);
/** The marks that names of their own do not begin with. */
const MARK = /^(\s*)([*+\-#!~>?^%&@|•●→=])(?=\s?[\w.[(<"/-])/;

/** What the page says of a first character, where the rows have one; undefined for pages and logs without. */
export function frontMark(group: Group, page: Page, lines: readonly string[]): FrontMark | undefined {
  const { value } = group;
  if (value === undefined || value.wholeLine || page.marks !== undefined) return undefined;
  const hint = group.fields.find((field) => isFront(field, group, page));
  const isDropped =
    /\bwithout (?:the |that |its |this )?(?:first |leading |tally |status |state )*(?:character|sign|mark|symbol|flag|marker|tally|code)\b/i;
  const told = page.statements.some(({ text }) => AT_FRONT.test(bare(text)));
  if (hint === undefined && !(told && isDropped.test(value.description))) return undefined;
  const marked = lines.filter((line) => MARK.test(line) && !isRuler(line));
  const kinds = new Set(marked.map((line) => MARK.exec(line)?.[2]));
  if (marked.length === 0 || kinds.size > 8) return undefined;
  const free = (line: string): string => (isRuler(line) ? line : line.replace(MARK, "$1 "));
  const inner: Group = {
    ...group,
    fields: group.fields.filter((field) => field !== hint),
    examples: group.examples.map((one) => ({ ...one, lines: one.lines.map(free) })),
  };
  const open = (field: Hint): Hint => (field === hint ? { ...field, optional: true } : field);
  const whole = { ...group, fields: group.fields.map(open) };
  return { hint, whole, group: inner, lines: lines.map(free), original: lines };
}

/** Is a field the character in front, by what is said of it or by a sentence with its name? */
function isFront(field: Hint, group: Group, page: Page): boolean {
  if (field.kind === "number" || field.kind === "path") return false;
  const said = `${field.name.replace(/_/g, " ")} ${field.description}`;
  if (AT_FRONT.test(said) || isShownInFront(field, group, page)) return true;
  const own = wordsOf(field.name.replace(/_/g, " ")).map(stem);
  const others = new Set(
    [group.value, ...group.fields].flatMap((one) =>
      one === undefined || one === field ? [] : wordsOf(one.name.replace(/_/g, " ")).map(stem),
    ),
  );
  const telling = own.filter((word) => !others.has(word));
  return page.statements.some((statement) =>
    statement.sentences.some(({ text }) =>
      bare(text)
        .split(/[,;(]\s*/)
        .some((clause) => {
          const words = wordsOf(clause).map(stem);
          return AT_FRONT.test(clause) && telling.length > 0 && telling.every((word) => words.includes(word));
        }),
    ),
  );
}

/** The example begins with the text shown for a field, or with a mark and a list of parts that names it first. */
function isShownInFront(field: Hint, group: Group, page: Page): boolean {
  const marks = group.examples.flatMap(({ lines }) =>
    lines.length === 1 ? (MARK.exec(lines[0] ?? "")?.[2] ?? []) : [],
  );
  if (field.literals.some((text) => marks.includes(text))) return true;
  return page.lists.some(({ order }) => {
    const mark = MARK.exec(order?.line ?? "");
    const first = order?.items[0]?.name;
    return mark !== null && first !== undefined && similarity(field.name, first) >= 0.75;
  });
}

function isRuler(line: string): boolean {
  return !/[A-Za-z0-9]/.test(line);
}

/** The rule with the character in front of what it read; undefined where its rows are read in another way. */
export function withFrontMark<R extends Rule>(rule: R, mark: FrontMark): R | undefined {
  const name = mark.hint?.name ?? "mark";
  const group = /^[A-Za-z]\w*$/.test(name) ? name : "mark";
  const source = { name, source: { from: "group" as const, group } };
  // In a column of its own all rows without it have a blank there.
  const rows = interpretRule(rule, mark.lines);
  const atEdge = rows.filter(({ content }) => /^\S/.test(content)).length;
  const open = rows.some(({ line }) => /^\s/.test(mark.original[line - 1] ?? ""));
  const placed = rows.length > 0 && (atEdge === 0 || (open && atEdge <= 0.3 * rows.length));
  const own = mark.hint === undefined ? `[^\\w\\s]?` : `(?<${group}>${placed ? "\\S" : "[^\\w\\s]"})?`;
  const widen = (pattern: string): string | undefined => {
    if (pattern.includes(`(?<${group}>`)) return undefined;
    const rest = /^\^(?:\\s[*+])?(?=\(\?<|\\S|\[|\\w)(.*)$/s.exec(pattern)?.[1];
    if (rest === undefined) return undefined;
    return `^${placed ? "" : "\\s*"}${own}\\s*${rest}`;
  };
  const fields = (list: readonly (typeof source)[]): (typeof source)[] =>
    mark.hint === undefined ? [...list] : [source, ...list];
  const one: Rule = structuredClone(rule);
  if (one.kind === "line") {
    for (const alternative of one.alternatives) {
      const pattern = widen(alternative.pattern);
      if (pattern === undefined) return undefined;
      alternative.pattern = pattern;
      alternative.projection.fields = fields(alternative.projection.fields as (typeof source)[]);
    }
    return one as R;
  }
  if (one.kind !== "table") return undefined;
  if (one.row.by === "pattern") {
    const pattern = widen(one.row.pattern);
    if (pattern === undefined) return undefined;
    one.row = { ...one.row, pattern };
  } else if (one.row.by === "columns" && placed) {
    const [first] = [...one.row.columns].sort((a, b) => a.start - b.start);
    if (first === undefined || first.start > 1) return undefined;
    one.row = {
      by: "columns",
      columns: [
        ...(mark.hint === undefined ? [] : [{ group, start: 0, end: 1 }]),
        ...one.row.columns.map((column) => (column.start === 0 ? { ...column, start: 1 } : column)),
      ],
    };
  } else return undefined;
  one.projection.fields = fields(one.projection.fields as (typeof source)[]);
  return one as R;
}
