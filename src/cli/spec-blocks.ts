// The blocks of a page as `spec show` prints them, as text and in its document.
import { type ExampleText, placedBlocks, readExactParts } from "../spec/index.ts";
import type { SpecBlock } from "../spec/types.ts";
import type { Style } from "./style.ts";

interface ShownText {
  text: string;
  /** Present only if true. */
  number?: true;
  composed?: true;
}

export interface ShownBlocks {
  /** Line of the page, log text, and records; an example of `none` has no records. */
  examples: {
    line: number;
    text: string;
    records: { value: ShownText; line: number | null; fields: Record<string, ShownText> }[];
  }[];
  check: { line: number; yaml: string } | null;
  witnesses: { line: number; pattern: string }[];
}

/** The valid blocks of a page. */
export function shownBlocks(blocks: readonly SpecBlock[]): ShownBlocks {
  const { examples, checks, witnesses } = readExactParts(placedBlocks(blocks));
  const [check] = checks;
  return {
    examples: examples.map(({ line, text, records }) => ({
      line,
      text,
      records: records.map((record) => ({
        value: shown(record.value),
        line: record.line,
        fields: Object.fromEntries([...record.fields].map(([name, field]) => [name, shown(field)])),
      })),
    })),
    check: check ? { line: check.line, yaml: check.yaml } : null,
    witnesses: witnesses.map(({ line, pattern }) => ({ line, pattern })),
  };
}

/** The blocks as lines of text; none for a page without blocks. */
export function textOfBlocks({ examples, check, witnesses }: ShownBlocks, style: Style): string[] {
  const head = (line: number, kind: string): string[] => [
    "",
    `${String(line).padStart(5)} ${style.green(kind)}`,
  ];
  const indented = (text: string): string[] => text.split("\n").map((line) => `      ${line}`);
  return [
    ...examples.flatMap(({ line, text, records }) => [
      ...head(line, "example"),
      ...indented(text),
      ...(records.length === 0
        ? [style.dim("    no record")]
        : records.flatMap((record) => recordText(record, style))),
    ]),
    ...(check === null ? [] : [...head(check.line, "check"), ...indented(check.yaml)]),
    ...witnesses.flatMap(({ line, pattern }) => [...head(line, "witness"), ...indented(pattern)]),
  ];
}

function recordText(
  { value, line, fields }: ShownBlocks["examples"][number]["records"][number],
  style: Style,
): string[] {
  const at = line === null ? "" : style.dim(` (line ${line} of the text)`);
  return [
    `    record ${style.bold(quoted(value))}${at}`,
    ...Object.entries(fields).map(([name, field]) => `      ${name} = ${quoted(field)}`),
  ];
}

function quoted({ text, number, composed }: ShownText): string {
  return `${JSON.stringify(text)}${number ? " (number)" : ""}${composed ? " (composed)" : ""}`;
}

function shown({ text, number, composed }: ExampleText): ShownText {
  return { text, ...(number ? { number } : {}), ...(composed ? { composed } : {}) };
}
