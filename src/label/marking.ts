// A worked example from marks: lines of a log, the text that is the value, and those that are fields.
import { AtomsmithError } from "../core/errors.ts";
import { fencedBlock, formatExample, readExactParts, type WorkedExample } from "../spec/index.ts";

export interface Marking {
  /** Consecutive lines of a log. */
  lines: readonly string[];
  /** null: these lines contain no record. */
  record: {
    value: string;
    fields: ReadonlyMap<string, string> /** 0-based line of the record. */;
    at: number;
  } | null;
}

/** The example for a marking. Throws kind `usage` when a text does not occur in the lines, or when no block can
 * represent it. */
export function exampleOfMarking({ lines, record }: Marking): WorkedExample {
  const text = lines.join("\n");
  if (text.trim() === "") throw new AtomsmithError("usage", "A blank line cannot be an example.");
  const example: WorkedExample = { text, records: [] };
  if (record !== null) {
    const { value, fields, at } = record;
    for (const [name, part] of [["value", value] as const, ...fields]) {
      if (!text.includes(part))
        throw new AtomsmithError("usage", `${name}: ${JSON.stringify(part)} does not occur in the line.`);
    }
    const plain = (part: string) => ({ text: part, number: false, composed: false });
    const holders = lines.flatMap((line, index) => (line.includes(value) ? [index] : []));
    const isClear = lines.length === 1 || (holders.length === 1 && holders[0] === at);
    example.records.push({
      value: plain(value),
      line: isClear ? null : at + 1,
      fields: new Map([...fields].map(([name, part]) => [name, plain(part)])),
    });
  }
  const [read] = readExactParts(fencedBlock("example", formatExample(example))).examples;
  if (read === undefined || formatExample(read) !== formatExample(example) || read.text !== text) {
    throw new AtomsmithError("usage", "This marking cannot be written as an example block.", {
      hint: "a field name must not contain colons or brackets, and a text must not start or end with a space",
    });
  }
  return example;
}
