// Are these the records that a worked example asks for? Part of gate4_examples. Texts are compared letter by letter,
// numbers by what they write; the place of a record in the text counts, the order of records does not (the runtime
// sorts them by line). Contract, section 6.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { type ExampleRecord, type ExampleText, numberOf, type WorkedExample } from "../spec/index.ts";
import { show } from "./show.ts";

/** Where the example was placed in the text that gave the records. */
export interface Place {
  /** 1-based line of the text at which the example begins. */
  first: number;
  /** Text around the example, from which a correct atom may have held something; empty when it ran alone. */
  around: string;
  /** The example gave its records alone. What is composed of other lines than its own may then be different here. */
  provedAlone: boolean;
}

export const ALONE: Place = { first: 1, around: "", provedAlone: false };

export interface Difference {
  /** The actual and the expected record. */
  message: string;
  /** Everything that came out is wanted, but something is missing. */
  onlyMissing: boolean;
}

/** The first difference between the records that an example asks for and the actual ones; undefined when there is none. */
export function compareExample(
  example: WorkedExample,
  got: readonly ParsedItem[],
  place: Place,
): Difference | undefined {
  const { records } = example;
  const problems = records.map((wanted) => got.map((one) => problemsOf(example, wanted, one, place)));
  const partner = match(problems.map((row) => row.map((list) => list.length === 0)));
  const missing = records.flatMap((_, i) => (partner.includes(i) ? [] : [i]));
  const extra = got.flatMap((_, j) => (partner[j] === undefined ? [j] : []));
  const [wantedAt] = missing;
  const [gotAt] = extra;
  if (wantedAt === undefined && gotAt === undefined) return undefined;
  const wanted = wantedAt === undefined ? undefined : records[wantedAt];
  if (wantedAt === undefined || wanted === undefined) {
    const one = gotAt === undefined ? undefined : got[gotAt];
    const rest = records.length === 0 ? "no record is wanted" : "this record is not wanted";
    return { message: `came out ${shown(one)}; ${rest}`, onlyMissing: false };
  }
  const nearest = extra.toSorted(
    (a, b) => (problems[wantedAt]?.[a]?.length ?? 0) - (problems[wantedAt]?.[b]?.length ?? 0),
  )[0];
  if (nearest === undefined) {
    const count = got.length === 0 ? "nothing came out" : "one record is missing";
    return { message: `${count}; wanted ${wantedText(wanted)}`, onlyMissing: true };
  }
  const list = problems[wantedAt]?.[nearest] ?? [];
  return {
    message: `in the record ${show(wanted.value.text, 60)}: ${list.slice(0, 4).join("; ")}`,
    onlyMissing: false,
  };
}

/** Pairs rows with columns. Result: per column the row that has it. */
function match(fits: readonly (readonly boolean[])[]): (number | undefined)[] {
  const columns = fits[0]?.length ?? 0;
  const partner: (number | undefined)[] = Array.from({ length: columns }, () => undefined);
  const place = (row: number, tried: Set<number>): boolean => {
    for (let column = 0; column < columns; column += 1) {
      if (fits[row]?.[column] !== true || tried.has(column)) continue;
      tried.add(column);
      const holder = partner[column];
      if (holder !== undefined && !place(holder, tried)) continue;
      partner[column] = row;
      return true;
    }
    return false;
  };
  fits.forEach((_, row) => {
    place(row, new Set());
  });
  return partner;
}

function problemsOf(example: WorkedExample, wanted: ExampleRecord, got: ParsedItem, place: Place): string[] {
  const problems: string[] = [];
  const compare = (name: string, text: ExampleText | undefined, value: JsonValue | undefined): void => {
    if (text !== undefined && equalText(text, value)) return;
    if (mayDiffer(example, text, value, place)) return;
    problems.push(
      `${name} is ${value === undefined ? "missing" : show(value, 60)}, ${text === undefined ? "not wanted" : `wanted ${wish(text)}`}`,
    );
  };
  compare("value", wanted.value, got.value);
  const fields = new Map(leavesOf(got.parsed_fields, "", wanted.fields));
  for (const name of new Set([...wanted.fields.keys(), ...fields.keys()])) {
    compare(`\`${name}\``, wanted.fields.get(name), fields.get(name));
  }
  const lines = linesOf(example, wanted);
  const line = got.line_number === null ? null : got.line_number - place.first + 1;
  if (lines !== undefined && (line === null || !lines.includes(line))) {
    const is = line === null ? "null" : `line ${line} of the example`;
    problems.push(`\`line_number\` is ${is}, wanted line ${lines.slice(0, 3).join(" or ")}`);
  }
  return problems;
}

/** The fields of a record; those of an inner object under dotted names, unless the example writes the object whole.
 * What is null is not there. */
function* leavesOf(
  fields: JsonObject,
  path: string,
  wanted: ReadonlyMap<string, ExampleText>,
): Generator<[name: string, value: JsonValue]> {
  for (const [key, value] of Object.entries(fields)) {
    const name = path + key;
    if (isJsonObject(value) && !wanted.has(name)) yield* leavesOf(value, `${name}.`, wanted);
    else if (value !== null) yield [name, value];
  }
}

/** Lines of the example that may be the line of a record, from 1; undefined when any may, or none. */
function linesOf({ text }: WorkedExample, { value, line }: ExampleRecord): number[] | undefined {
  if (line !== null) return [line];
  const lines = text.split("\n").flatMap((one, i) => (one.includes(value.text) ? [i + 1] : []));
  return lines.length === 0 ? undefined : lines;
}

/** A blank field is the empty text, null, or a missing field: no check can distinguish them. A list of one text equals that
 * text; other lists and objects are written as JSON. */
function equalText({ text, number }: ExampleText, value: JsonValue | undefined): boolean {
  if (typeof value === "number") return numberOf(text) === value || String(value) === text;
  if (number) return false;
  if (value === undefined) return text === "";
  if (typeof value === "string") return value === text;
  if (Array.isArray(value) && value.length === 1 && value[0] === text) return true;
  return JSON.stringify(value) === text || JSON.stringify(value) === compact(text);
}

function compact(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Inside a log a correct atom may put in what the example does not show: a heading above it, or a count
 * over the whole file. */
function mayDiffer(
  { text }: WorkedExample,
  wanted: ExampleText | undefined,
  value: JsonValue | undefined,
  place: Place,
): boolean {
  if (place.around === "") return false;
  const elsewhere = wanted?.composed === true && !text.includes(wanted.text);
  if (elsewhere && place.provedAlone) return true;
  if (!elsewhere && wanted !== undefined && wanted.text !== "") return false;
  if (typeof value !== "string" && typeof value !== "number") return false;
  const held = String(value);
  if (held === "" || text.includes(held)) return false;
  const words = held.match(/[\p{L}\p{N}_]+/gu) ?? [held];
  const foreign = words.filter((word) => !text.includes(word));
  return foreign.length > 0 && foreign.every((word) => place.around.includes(word));
}

function wish({ text, number }: ExampleText): string {
  return `${show(text, 60)}${number ? " as a number" : ""}`;
}

function wantedText({ value, fields }: ExampleRecord): string {
  const some = [...fields].slice(0, 4).map(([name, text]) => `${name} ${show(text.text, 40)}`);
  return `value ${show(value.text, 60)}${some.length === 0 ? "" : ` with ${some.join(", ")}`}`;
}

function shown(item: ParsedItem | undefined): string {
  return item === undefined
    ? "a record"
    : `value ${show(item.value, 60)} with ${show(item.parsed_fields, 120)}`;
}
