// A program as the source of Atom A: its rules as data, and of runtime/ the functions that these rules need.
import { needed } from "../runtime/index.ts";
import { functionOf, isLimited, type Program } from "./program.ts";

/** What the generated code says of itself, and which fields are JSON numbers. */
export interface EmitFacts {
  /** Lines of the comment at the top. */
  about: readonly string[];
  numbers: readonly string[];
}

/** Source of Atom A. */
export function emitAtomA(program: Program, { about, numbers }: EmitFacts): string {
  const kinds = new Set(program.map(functionOf));
  const limited = program.some(isLimited);
  const [only] = kinds;
  const read = kinds.size === 1 ? `${only}(rule, lines)` : "rule.read(rule, lines)";
  const rules = program.map((rule) => show(kinds.size === 1 ? rule : { read: functionOf(rule), ...rule }, 1));
  const main = [
    "function extract_context(text, source_file) {",
    '  const lines = text.includes("\\r") ? text.split(/\\r?\\n/) : text.split("\\n");',
    "  const by_line = new Map();",
    "  for (const rule of RULES) {",
    `    for (const { line, texts } of ${limited ? `keep_records(rule, ${read}, lines)` : read}) {`,
    "      if (!by_line.has(line)) by_line.set(line, texts);",
    "    }",
    "  }",
    "  return [...by_line]",
    "    .sort(([a], [b]) => a - b)",
    "    .map(([line, { value, ...parsed_fields }]) => ({",
    "      value,",
    "      source_file,",
    "      line_number: line + 1,",
    "      matched_content: lines[line],",
    `      parsed_fields${numbers.length > 0 ? ": with_numbers(parsed_fields)" : ""},`,
    "    }));",
    "}",
  ].join("\n");
  const parts = [
    about.map((line) => `// ${line}`.trimEnd()).join("\n"),
    `// Of several rules that read a line the first counts; the part \`value\` is the value, every other one a field.\nconst RULES = [\n${rules.map((rule) => `  ${rule},`).join("\n")}\n];`,
    main,
    ...(numbers.length > 0 ? [numbersSource(numbers)] : []),
  ];
  const own = parts.join("\n\n");
  return `${[own, ...needed(own)].join("\n\n")}\n`;
}

function numbersSource(names: readonly string[]): string {
  return [
    "/** Fields that are numbers as such; a text that is none stays one. */",
    "function with_numbers(fields) {",
    "  const entries = Object.entries(fields).map(([name, text]) => {",
    '    const number = Number(text.replace(/,/g, ""));',
    `    return [name, ${JSON.stringify(names)}.includes(name) && text !== "" && !Number.isNaN(number) ? number : text];`,
    "  });",
    "  return Object.fromEntries(entries);",
    "}",
  ].join("\n");
}

/** A value as it is written in JavaScript; names of functions stand bare. */
function show(value: unknown, depth: number): string {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((one) => show(one, depth + 1)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    const shown = entries.map(
      ([key, one]) => `${showKey(key)}: ${key === "read" ? String(one) : show(one, depth + 1)}`,
    );
    const short = `{ ${shown.join(", ")} }`;
    if (short.length + 2 * depth <= 100) return short;
    const indent = "  ".repeat(depth + 1);
    return `{\n${shown.map((one) => `${indent}${one},`).join("\n")}\n${"  ".repeat(depth)}}`;
  }
  return JSON.stringify(value) ?? "undefined";
}

function showKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
