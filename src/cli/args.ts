// Strict argument parser: an undeclared flag or a value of the wrong kind is an error with a suggestion.
// citty's own parser accepts unknown flags and keeps the last of repeated ones, so only its command
// objects are used.
import { AtomsmithError } from "../core/errors.ts";
import { didYouMean } from "../core/suggest.ts";
import type { Arg, Args, NumberRule, PositionalArg } from "./command.ts";

export type RawValues = Record<string, string | number | boolean | (string | number)[] | undefined>;

/** Flags as parsed, before words are bound to the positionals. */
export interface Scan {
  values: RawValues;
  /** Arguments that are not flags, in order. */
  words: string[];
}

/** Looks flags up by name and alias. */
class FlagTable {
  readonly names: string[] = [];
  private readonly byName = new Map<string, [string, Arg]>();

  constructor(args: Args) {
    for (const [name, arg] of Object.entries(args)) {
      if (arg.type === "positional") continue;
      this.names.push(name);
      this.byName.set(name, [name, arg]);
      if (arg.alias !== undefined) this.byName.set(arg.alias, [name, arg]);
    }
  }

  find(name: string): [string, Arg] | undefined {
    return this.byName.get(name);
  }
}

export interface ScanOptions {
  /** Stop before the first argument that is not a flag (to find the command). */
  stopAtWord: boolean;
  /** Name of the command in messages, e.g. `atomsmith check`. */
  where: string;
  /** Values parsed before; new ones are added to them. */
  into?: RawValues;
}

/** Parses flags and words of `argv`. Returns how many arguments were consumed. Throws `usage` errors. */
export function scan(argv: readonly string[], args: Args, options: ScanOptions): Scan & { used: number } {
  const table = new FlagTable(args);
  const values: RawValues = options.into ?? {};
  const words: string[] = [];
  let i = 0;
  while (i < argv.length) {
    const token = argv[i] ?? "";
    if (token === "--") {
      if (options.stopAtWord) return { values, words, used: i };
      words.push(...argv.slice(i + 1));
      return { values, words, used: argv.length };
    }
    if (!token.startsWith("-") || token === "-") {
      if (options.stopAtWord) return { values, words, used: i };
      words.push(token);
      i += 1;
      continue;
    }
    i += readFlag(token, argv[i + 1], table, values, options);
  }
  return { values, words, used: i };
}

/** Parses one flag; returns 1 or 2, the number of arguments consumed. */
function readFlag(
  token: string,
  next: string | undefined,
  table: FlagTable,
  values: RawValues,
  options: ScanOptions,
): 1 | 2 {
  const { name, attached } = splitFlag(token);
  const known = table.find(name);
  if (!known || (token.startsWith("--") && name.length === 1)) throw unknownFlag(token, name, table, options);
  const [key, arg] = known;
  const shown = key.length === 1 ? `-${key}` : `--${key}`;
  if (arg.type === "boolean") {
    if (attached !== undefined && attached !== "true" && attached !== "false") {
      throw usage(`${shown} takes no value (got ${JSON.stringify(attached)})`, options.where);
    }
    values[key] = attached !== "false";
    return 1;
  }
  let text = attached;
  if (text === undefined) {
    if (next === undefined || (next.startsWith("-") && next !== "-" && !isNegativeNumber(next, arg))) {
      const follow = next === undefined ? "" : ` (${shown}=${next} if that is the value)`;
      throw usage(`${shown} requires a value: ${shown} ${hintOf(arg)}${follow}`, options.where);
    }
    text = next;
  }
  store(values, key, convert(text, arg, shown, options.where), arg, shown, options.where);
  return attached === undefined ? 2 : 1;
}

function splitFlag(token: string): { name: string; attached: string | undefined } {
  if (token.startsWith("--")) {
    const equals = token.indexOf("=");
    if (equals < 0) return { name: token.slice(2), attached: undefined };
    return { name: token.slice(2, equals), attached: token.slice(equals + 1) };
  }
  const rest = token.slice(2);
  const attached = rest.startsWith("=") ? rest.slice(1) : rest;
  return { name: token.slice(1, 2), attached: rest === "" ? undefined : attached };
}

function unknownFlag(token: string, name: string, table: FlagTable, options: ScanOptions): AtomsmithError {
  const flag = token.startsWith("--") ? `--${name}` : token;
  const long = table.names.filter((known) => known.length > 1);
  const near = token.startsWith("--") && name.length > 1 ? didYouMean(name, long, "--") : "";
  const order = near === "" && options.stopAtWord ? "; flags of a command go after the command" : near;
  return usage(`unknown flag ${flag}${order}`, options.where);
}

function isNegativeNumber(text: string, arg: Arg): boolean {
  return arg.type === "string" && arg.number !== undefined && /^-\d/.test(text);
}

function store(
  values: RawValues,
  key: string,
  value: string | number,
  arg: Arg,
  shown: string,
  where: string,
): void {
  if ("multiple" in arg && arg.multiple) {
    const before = values[key];
    values[key] = Array.isArray(before) ? [...before, value] : [value];
    return;
  }
  if (values[key] !== undefined && values[key] !== value) {
    throw usage(`${shown} is given twice: ${values[key]} and ${value}`, where);
  }
  values[key] = value;
}

function convert(text: string, arg: Arg, shown: string, where: string): string | number {
  const options = arg.type === "enum" ? arg.options : arg.type === "positional" ? arg.options : undefined;
  if (options && !options.includes(text)) {
    const near = didYouMean(text, options);
    throw usage(`${shown}: ${JSON.stringify(text)} is not one of ${options.join(", ")}${near}`, where);
  }
  if (arg.type === "string" && arg.number) return convertNumber(text, arg.number, shown, where);
  if (arg.type === "string" && text === "") throw usage(`${shown} must not be empty`, where);
  return text;
}

function convertNumber(text: string, rule: NumberRule, shown: string, where: string): number {
  const value = /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  const low = rule.min ?? -Infinity;
  const high = rule.max ?? Infinity;
  const wrongKind = rule.integer && !Number.isInteger(value);
  if (Number.isNaN(value) || wrongKind || value < low || value > high) {
    throw usage(`${shown}: ${JSON.stringify(text)} is not ${describeNumber(rule)}`, where);
  }
  return value;
}

/** `a whole number from 1 to 8`, `a number of at least 0`. */
export function describeNumber(rule: NumberRule): string {
  const kind = rule.integer ? "a whole number" : "a number";
  if (rule.min !== undefined && rule.max !== undefined) return `${kind} from ${rule.min} to ${rule.max}`;
  if (rule.min !== undefined) return `${kind} of at least ${rule.min}`;
  return rule.max === undefined ? kind : `${kind} of at most ${rule.max}`;
}

/** Binds the words to the declared positionals, fills in defaults and checks required arguments. */
export function bind(args: Args, found: Scan, where: string): RawValues {
  const values: RawValues = {};
  const words = [...found.words];
  for (const [key, arg] of Object.entries(args)) {
    if (arg.type === "positional") bindPositional(values, key, arg, words, where);
    else {
      const value = found.values[key];
      if (value === undefined && "required" in arg && arg.required) {
        throw usage(`--${key} is required: --${key} ${hintOf(arg)}`, where);
      }
      values[key] = value ?? emptyValue(arg);
    }
  }
  if (words.length > 0) {
    throw usage(`unexpected argument ${words.map((w) => JSON.stringify(w)).join(" ")}`, where);
  }
  return values;
}

function bindPositional(
  values: RawValues,
  key: string,
  arg: PositionalArg,
  words: string[],
  where: string,
): void {
  const taken = arg.multiple ? words.splice(0) : words.splice(0, 1);
  if (taken.length === 0 && arg.required) throw usage(`${arg.valueHint} is missing`, where);
  if (taken.includes("")) throw usage(`${arg.valueHint} must not be empty`, where);
  const converted = taken.map((word) => convert(word, arg, arg.valueHint, where));
  values[key] = arg.multiple ? converted : converted[0];
}

function emptyValue(arg: Arg): boolean | string[] | undefined {
  if (arg.type === "boolean") return false;
  return "multiple" in arg && arg.multiple ? [] : undefined;
}

/** Placeholder of the value in help texts and messages. */
export function hintOf(arg: Arg): string {
  if (arg.type === "boolean") return "";
  if (arg.type === "enum") return arg.options.join("|");
  return arg.valueHint;
}

function usage(message: string, where: string): AtomsmithError {
  return new AtomsmithError("usage", message, { hint: `see: ${where} --help` });
}
