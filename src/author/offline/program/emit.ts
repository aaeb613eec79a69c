// Emits a program as the source of Atom A: its rules as data, and the functions of runtime/ that these rules need.
import { requiredDeclarations } from "../runtime/index.ts";
import { isLimited, type Program, readerName } from "./program.ts";

export interface EmitOptions {
  /** Lines of the comment at the top. */
  about: readonly string[];
  /** Fields that are JSON numbers. */
  numbers: readonly string[];
}

/** Emits the source of Atom A. Existing atom sets are compared with it: a changed character is a changed atom. */
export function emitAtomA(program: Program, { about, numbers }: EmitOptions): string {
  const readers = new Set(program.map(readerName));
  const limited = program.some(isLimited);
  const [onlyReader] = readers;
  const read = readers.size === 1 ? `${onlyReader}(rule, lines)` : "rule.read(rule, lines)";
  const rules = program.map((rule) =>
    formatValue(readers.size === 1 ? rule : { read: readerName(rule), ...rule }, 1),
  );
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
  const source = parts.join("\n\n");
  return `${[source, ...requiredDeclarations(source)].join("\n\n")}\n`;
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

/** Formats a value as JavaScript; the function of the key `read` is an identifier. */
function formatValue(value: unknown, depth: number): string {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => formatValue(item, depth + 1)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(
        ([key, member]) =>
          `${formatKey(key)}: ${key === "read" ? String(member) : formatValue(member, depth + 1)}`,
      );
    const singleLine = `{ ${members.join(", ")} }`;
    if (singleLine.length + 2 * depth <= 100) return singleLine;
    const indent = "  ".repeat(depth + 1);
    return `{\n${members.map((member) => `${indent}${member},`).join("\n")}\n${"  ".repeat(depth)}}`;
  }
  return JSON.stringify(value) ?? "undefined";
}

function formatKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
