// Worked examples: the exact records that Atom A must return for a piece of log text. docs/contract.md, section 6.

/** A text that an example requires. */
export interface ExampleText {
  text: string;
  /** `(number)`: the record must have a JSON number, not a text. */
  number: boolean;
  /** `(composed)`: the text need not occur in the log text. */
  composed: boolean;
}

export interface ExampleRecord {
  value: ExampleText;
  /** 1-based line of the example's text that is the line of the record; null: the line of the value. */
  line: number | null;
  fields: ReadonlyMap<string, ExampleText>;
}

export interface WorkedExample {
  /** Lines of log text, joined by LF. */
  text: string;
  /** Records in the order of Atom A; empty for `none`. */
  records: ExampleRecord[];
}

export type ExampleReading = { ok: true; example: WorkedExample } | { ok: false; message: string };

const SEPARATOR = /^---[ \t]*$/;
const NONE = /^none[ \t]*$/;
const ENTRY =
  /^(?<key>[^\s:()](?:[^:()]*[^\s:()])?)[ \t]*(?:\((?<mark>[^()]*)\))?[ \t]*:(?:[ \t](?<text>.*))?$/;
const MARKS = ["number", "composed"];

/** Reads the content of an `example` block. The log text may contain lines of three dashes too: the separator is the first
 * one that is followed only by records. */
export function readExample(content: string): ExampleReading {
  const lines = content.split("\n");
  let problem = "An example needs a line `---` between the log text and its records.";
  let seen = false;
  for (const [index, line] of lines.entries()) {
    if (!SEPARATOR.test(line)) continue;
    const text = lines.slice(0, index);
    const reading = readRecords(lines.slice(index + 1), text);
    if (typeof reading !== "string") {
      if (text.every((textLine) => textLine.trim() === "")) {
        return { ok: false, message: "The example has no log text above `---`." };
      }
      return { ok: true, example: { text: text.join("\n"), records: reading } };
    }
    if (!seen) problem = reading;
    seen = true;
  }
  return { ok: false, message: problem };
}

/** An example as the text of its block, without the fence. */
export function formatExample(example: WorkedExample): string {
  const records = example.records.map(({ value, line, fields }) =>
    [
      formatEntry("value", value),
      ...(line === null ? [] : [`line: ${line}`]),
      ...[...fields].map(([name, text]) => formatEntry(name, text)),
    ].join("\n"),
  );
  return [example.text, ...(records.length === 0 ? ["none"] : records)].join("\n---\n");
}

/** An example as a fenced block that can be pasted into a page. */
export function formatExampleBlock(example: WorkedExample): string {
  return fencedBlock("example", formatExample(example));
}

/** A fenced block for a page; its fence is longer than any in its content. */
export function fencedBlock(info: string, content: string): string {
  const longest = Math.max(
    2,
    ...[...content.matchAll(/^ {0,3}(`{3,})/gm)].map((match) => match[1]?.length ?? 0),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${info}\n${content}\n${fence}`;
}

function formatEntry(name: string, { text, number, composed }: ExampleText): string {
  const mark = number ? " (number)" : composed ? " (composed)" : "";
  return text === "" ? `${name}${mark}:` : `${name}${mark}: ${text}`;
}

function readRecords(lines: readonly string[], text: readonly string[]): ExampleRecord[] | string {
  const content = [...lines];
  while (content.length > 0 && (content.at(-1) ?? "").trim() === "") content.pop();
  if (content.length === 1 && NONE.test(content[0] ?? "")) return [];
  const groups: string[][] = [[]];
  for (const line of content) {
    if (SEPARATOR.test(line)) groups.push([]);
    else groups.at(-1)?.push(line);
  }
  const records: ExampleRecord[] = [];
  for (const group of groups) {
    const record = readRecord(group, text.length);
    if (typeof record === "string") return record;
    records.push(record);
  }
  return records;
}

function readRecord(lines: readonly string[], textLines: number): ExampleRecord | string {
  const entries: { key: string; text: ExampleText }[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const match = ENTRY.exec(line);
    const key = match?.groups?.["key"];
    if (key === undefined) return `\`${line.trim()}\` is neither \`none\` nor \`key: text\`.`;
    const mark = match?.groups?.["mark"]?.trim();
    if (mark !== undefined && !MARKS.includes(mark)) {
      return `\`(${mark})\` behind ${key} is unknown; use \`(number)\` or \`(composed)\`.`;
    }
    const text = (match?.groups?.["text"] ?? "").trim();
    entries.push({ key, text: { text, number: mark === "number", composed: mark === "composed" } });
  }
  const [first, second, ...rest] = entries;
  if (first?.key !== "value") return "A record begins with `value: …`; without a record write `none`.";
  const line = textLines > 1 && second !== undefined ? lineNumber(second, textLines) : null;
  const named = second === undefined ? [] : line === null ? [second, ...rest] : rest;
  const fields = new Map<string, ExampleText>();
  for (const { key, text } of named) {
    if (key === "value" || fields.has(key)) return `${key} occurs twice in one record.`;
    fields.set(key, text);
  }
  return { value: first.text, line, fields };
}

/** `line: 2` directly below `value` is the line of the record if the text has that many lines; any other `line` is a field
 * of that name. */
function lineNumber(entry: { key: string; text: ExampleText }, textLines: number): number | null {
  if (entry.key !== "line" || !/^\d+$/.test(entry.text.text)) return null;
  const line = Number(entry.text.text);
  return line >= 1 && line <= textLines ? line : null;
}
