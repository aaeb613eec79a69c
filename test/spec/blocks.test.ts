// The exact blocks of a page and the worked examples in them. Contract, section 6.
import { describe, expect, test } from "bun:test";
import { readExactParts } from "../../src/spec/blocks.ts";
import { formatExampleBlock, readExample, type WorkedExample } from "../../src/spec/example.ts";

function example(content: string): WorkedExample {
  const reading = readExample(content);
  if (!reading.ok) throw new Error(reading.message);
  return reading.example;
}

function plain({ records }: WorkedExample): unknown {
  return records.map(({ value, line, fields }) => ({
    value: value.text,
    line,
    ...Object.fromEntries([...fields].map(([name, { text }]) => [name, text])),
  }));
}

describe("worked examples", () => {
  test("a record has its value, its fields, and empty texts for blank fields", () => {
    const read = example(
      "Failed password for root from 10.0.0.9\n---\nvalue: root\naddress: 10.0.0.9\nport:",
    );
    expect(read.text).toBe("Failed password for root from 10.0.0.9");
    expect(plain(read)).toEqual([{ value: "root", line: null, address: "10.0.0.9", port: "" }]);
  });

  test("`none` states that there is no record", () => {
    expect(example("Accepted password\n---\nnone").records).toEqual([]);
  });

  test("`line` below the value counts lines of the text; for a single line it is a field", () => {
    expect(plain(example("a\nb c\n---\nvalue: c\nline: 2"))).toEqual([{ value: "c", line: 2 }]);
    expect(plain(example("x.rb:1:9: C: Long\n---\nvalue: x.rb\nline: 1"))).toEqual([
      { value: "x.rb", line: "1" },
    ]);
    expect(plain(example("a\nb:7: x\n---\nvalue: x\nline: 7"))).toEqual([{ value: "x", line: "7" }]);
  });

  test("a further --- starts another record", () => {
    expect(plain(example("a b\n---\nvalue: a\n---\nvalue: b"))).toEqual([
      { value: "a", line: null },
      { value: "b", line: null },
    ]);
  });

  test("a line of three dashes in the log text is not the separator", () => {
    expect(example("Report\n---\nslack -0.1\n---\nvalue: -0.1").text).toBe("Report\n---\nslack -0.1");
  });

  test("blanks of the log text are kept, also at line ends", () => {
    expect(example("  x  \n\ty \n---\nvalue: x").text).toBe("  x  \n\ty ");
  });

  test("special characters after a key are part of the text", () => {
    const [record] = example("n=5\n---\nvalue (composed): five\nn (number): 5").records;
    expect(record?.value).toEqual({ text: "five", number: false, composed: true });
    expect(record?.fields.get("n")).toEqual({ text: "5", number: true, composed: false });
  });

  test.each([
    ["log only", "needs a line `---`"],
    ["a\n---\nfield: x", "begins with `value: …`"],
    ["a\n---\nvalue: a\nx: 1\nx: 2", "x occurs twice"],
    ["a\n---\nvalue (text): a", "`(text)` behind value is unknown"],
    ["a\n---\nvalue: a\njust words", "neither `none` nor `key: text`"],
    ["\n---\nvalue: a", "no log text"],
  ])("%j is refused", (content, message) => {
    const reading = readExample(content);
    expect(reading.ok ? "" : reading.message).toContain(message);
  });

  test("a formatted block parses to the same example, whatever its text", () => {
    for (const content of [
      "a\n---\nvalue: a\nb:",
      "```\n---\nnone",
      "x\ny\n---\nvalue: y\nline: 2\nn (number): 5",
    ]) {
      const block = formatExampleBlock(example(content));
      const [back] = readExactParts(`# T\n\n${block}\n`).examples;
      expect(back).toMatchObject(example(content));
    }
  });
});

test("blocks are found in lists and counted by their lines; other fences are ignored", () => {
  const page = [
    "- item",
    "  ```example",
    "  a b",
    "  ---",
    "  value: a",
    "  ```",
    "```yaml",
    "check: 1",
    "```",
    "~~~check",
    "requirements: {value: N/A}",
    "~~~",
    "```witness",
    "regex:^done",
    "",
    "run finished",
    "```",
  ].join("\n");
  const parts = readExactParts(page);
  expect(parts.examples.map(({ text, line }) => [text, line])).toEqual([["a b", 2]]);
  expect(parts.checks).toEqual([{ yaml: "requirements: {value: N/A}", line: 10 }]);
  expect(parts.witnesses).toEqual([
    { pattern: "regex:^done", line: 14 },
    { pattern: "run finished", line: 16 },
  ]);
  expect(parts.problems).toEqual([]);
});

test("an invalid block is a problem with its line", () => {
  const parts = readExactParts("text\n\n```example\nno separator\n```\n");
  expect(parts.examples).toEqual([]);
  expect(parts.problems).toEqual([
    {
      kind: "example",
      message: "An example needs a line `---` between the log text and its records.",
      line: 3,
    },
  ]);
});
