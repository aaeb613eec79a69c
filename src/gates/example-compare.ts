// Compares records with those of a worked example (docs/contract.md, section 6). Part of gate4_examples. Texts are compared
// exactly, numbers by value. The line of a record is compared, the order of records is not, since the runtime sorts them.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { type ExampleRecord, type ExampleText, numberOf, type WorkedExample } from "../spec/index.ts";
import { show } from "./show.ts";

/** The place of an example in the text that was run. */
export interface Place {
  /** 1-based line of the text at which the example begins. */
  first: number;
  /** Text around the example, from which a correct atom may take something; empty for the example alone. */
  around: string;
  /** The example gave its records alone, so parts composed of other lines may differ here. */
  provedAlone: boolean;
}

export const ALONE: Place = { first: 1, around: "", provedAlone: false };

export interface Difference {
  /** The actual and the expected record. */
  message: string;
  /** All returned records are expected, but some are missing. */
  onlyMissing: boolean;
}

/** The first difference between the records of an example and the actual ones; undefined if there is none. */
export function compareExample(
  example: WorkedExample,
  actual: readonly ParsedItem[],
  place: Place,
): Difference | undefined {
  const { records } = example;
  const problems = records.map((expected) =>
    actual.map((record) => problemsOf(example, expected, record, place)),
  );
  const rowOfColumn = matchRows(problems.map((row) => row.map((list) => list.length === 0)));
  const missing = records.flatMap((_, i) => (rowOfColumn.includes(i) ? [] : [i]));
  const extra = actual.flatMap((_, j) => (rowOfColumn[j] === undefined ? [j] : []));
  const [firstMissing] = missing;
  const [firstExtra] = extra;
  if (firstMissing === undefined && firstExtra === undefined) return undefined;
  const expected = firstMissing === undefined ? undefined : records[firstMissing];
  if (firstMissing === undefined || expected === undefined) {
    const record = firstExtra === undefined ? undefined : actual[firstExtra];
    const rest = records.length === 0 ? "no record is wanted" : "this record is not wanted";
    return { message: `came out ${describeRecord(record)}; ${rest}`, onlyMissing: false };
  }
  const countProblems = (column: number): number => problems[firstMissing]?.[column]?.length ?? 0;
  const [closest] = extra.toSorted((a, b) => countProblems(a) - countProblems(b));
  if (closest === undefined) {
    const count = actual.length === 0 ? "nothing came out" : "one record is missing";
    return { message: `${count}; wanted ${describeExpected(expected)}`, onlyMissing: true };
  }
  const list = problems[firstMissing]?.[closest] ?? [];
  return {
    message: `in the record ${show(expected.value.text, 60)}: ${list.slice(0, 4).join("; ")}`,
    onlyMissing: false,
  };
}

/** Maximum bipartite matching: for each column the row that is matched with it. */
function matchRows(fits: readonly (readonly boolean[])[]): (number | undefined)[] {
  const columns = fits[0]?.length ?? 0;
  const rowOfColumn: (number | undefined)[] = Array.from({ length: columns }, () => undefined);
  const assign = (row: number, tried: Set<number>): boolean => {
    for (let column = 0; column < columns; column += 1) {
      if (fits[row]?.[column] !== true || tried.has(column)) continue;
      tried.add(column);
      const holder = rowOfColumn[column];
      if (holder !== undefined && !assign(holder, tried)) continue;
      rowOfColumn[column] = row;
      return true;
    }
    return false;
  };
  fits.forEach((_, row) => {
    assign(row, new Set());
  });
  return rowOfColumn;
}

function problemsOf(
  example: WorkedExample,
  expected: ExampleRecord,
  actual: ParsedItem,
  place: Place,
): string[] {
  const problems: string[] = [];
  const compare = (name: string, text: ExampleText | undefined, value: JsonValue | undefined): void => {
    if (text !== undefined && isEqualText(text, value)) return;
    if (mayDiffer(example, text, value, place)) return;
    problems.push(
      `${name} is ${value === undefined ? "missing" : show(value, 60)}, ${text === undefined ? "not wanted" : `wanted ${describeText(text)}`}`,
    );
  };
  compare("value", expected.value, actual.value);
  const fields = new Map(leavesOf(actual.parsed_fields, "", expected.fields));
  for (const name of new Set([...expected.fields.keys(), ...fields.keys()])) {
    compare(`\`${name}\``, expected.fields.get(name), fields.get(name));
  }
  const lines = possibleLines(example, expected);
  const line = actual.line_number === null ? null : actual.line_number - place.first + 1;
  if (lines !== undefined && (line === null || !lines.includes(line))) {
    const text = line === null ? "null" : `line ${line} of the example`;
    problems.push(`\`line_number\` is ${text}, wanted line ${lines.slice(0, 3).join(" or ")}`);
  }
  return problems;
}

/** The fields of a record; those of an inner object have dotted names, unless the example has the object as a whole. Null
 * counts as missing. */
function* leavesOf(
  fields: JsonObject,
  path: string,
  expected: ReadonlyMap<string, ExampleText>,
): Generator<[name: string, value: JsonValue]> {
  for (const [key, value] of Object.entries(fields)) {
    const name = path + key;
    if (isJsonObject(value) && !expected.has(name)) yield* leavesOf(value, `${name}.`, expected);
    else if (value !== null) yield [name, value];
  }
}

/** The 1-based lines of the example that may be the line of a record; undefined if its value is not in one of them. */
function possibleLines({ text }: WorkedExample, { value, line }: ExampleRecord): number[] | undefined {
  if (line !== null) return [line];
  const lines = text.split("\n").flatMap((content, i) => (content.includes(value.text) ? [i + 1] : []));
  return lines.length === 0 ? undefined : lines;
}

/** Is a value equal to a text of an example? A blank text equals null and a missing field, which no check distinguishes. A
 * list of one text equals that text; other lists and objects are written as JSON. */
function isEqualText({ text, number }: ExampleText, value: JsonValue | undefined): boolean {
  if (typeof value === "number") return numberOf(text) === value || String(value) === text;
  if (number) return false;
  if (value === undefined) return text === "";
  if (typeof value === "string") return value === text;
  if (Array.isArray(value) && value.length === 1 && value[0] === text) return true;
  return JSON.stringify(value) === text || JSON.stringify(value) === compactJson(text);
}

function compactJson(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** May a correct atom return another value inside a log, from text that the example does not show: a heading above it, or
 * a count over the whole file? */
function mayDiffer(
  { text }: WorkedExample,
  expected: ExampleText | undefined,
  value: JsonValue | undefined,
  place: Place,
): boolean {
  if (place.around === "") return false;
  const isComposed = expected?.composed === true && !text.includes(expected.text);
  if (isComposed && place.provedAlone) return true;
  if (!isComposed && expected !== undefined && expected.text !== "") return false;
  if (typeof value !== "string" && typeof value !== "number") return false;
  const actual = String(value);
  if (actual === "" || text.includes(actual)) return false;
  const words = actual.match(/[\p{L}\p{N}_]+/gu) ?? [actual];
  const foreign = words.filter((word) => !text.includes(word));
  return foreign.length > 0 && foreign.every((word) => place.around.includes(word));
}

function describeText({ text, number }: ExampleText): string {
  return `${show(text, 60)}${number ? " as a number" : ""}`;
}

function describeExpected({ value, fields }: ExampleRecord): string {
  const shown = [...fields].slice(0, 4).map(([name, text]) => `${name} ${show(text.text, 40)}`);
  return `value ${show(value.text, 60)}${shown.length === 0 ? "" : ` with ${shown.join(", ")}`}`;
}

function describeRecord(item: ParsedItem | undefined): string {
  return item === undefined
    ? "a record"
    : `value ${show(item.value, 60)} with ${show(item.parsed_fields, 120)}`;
}
