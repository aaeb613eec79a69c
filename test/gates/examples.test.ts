// gate4_examples: worked examples alone and inside a log. What a correct atom may do is not an error; a wrong record
// is reported with the example's text.
import { describe, expect, test } from "bun:test";
import type { GateReport } from "../../src/contract/gates.ts";
import type { LoadedText } from "../../src/logio/text.ts";
import { readExample, type WorkedExample } from "../../src/spec/example.ts";
import { codes, gates, log, VERSIONS } from "./helpers.ts";

function example(content: string): WorkedExample {
  const reading = readExample(content);
  if (!reading.ok) throw new Error(reading.message);
  return reading.example;
}

const CONFIG = "requirements: {value: N/A}\nwaivers: {value: N/A}\n";

async function run(atomA: string, logs: LoadedText[], ...contents: string[]): Promise<GateReport> {
  return gates({ atom_a: atomA, config: CONFIG }, { logs, examples: contents.map(example) });
}

function own(report: GateReport): string[] {
  return report.errors.filter(({ gate }) => gate === "gate4_examples").map(({ message }) => message);
}

/** Slack tables: rows count between the heading and the next blank line; the block comes from a line above it. */
const TABLE = (
  row = "{ value: m[1], fields: { slack: m[2], block } }",
): string => `function extract_context(text, source_file) {
  const items = [];
  let inTable = false;
  let block = "";
  text.split(/\\r?\\n/).forEach((line, i) => {
    const head = /^Block (\\S+)$/.exec(line);
    if (head) block = head[1];
    if (/^Pin +Slack$/.test(line)) inTable = true;
    else if (line.trim() === "") inTable = false;
    const m = /^(\\S+) +(-?\\d+\\.\\d+)$/.exec(line);
    if (!inTable || !m) return;
    const { value, fields } = ${row};
    items.push({ value, source_file, line_number: i + 1, matched_content: line, parsed_fields: fields });
  });
  return items;
}
`;
const TABLE_LOG = log(
  "Block soc_top\n\nPin  Slack\nu1/d  -0.10\nu2/d  0.20\n\nnot a table\nu3/d  0.30\n\nBlock cpu\nPin  Slack\nu4/d  0.40\n\nend\n",
);

describe("a right atom", () => {
  test("passes: records, fields, none; without examples the gate is not run", async () => {
    const line = "Tool: alpha version 1.4\n---\nvalue: alpha 1.4\ntool: alpha\nversion: 1.4";
    const report = await gates({}, { examples: [example(line), example("Tool alpha\n---\nnone")] });
    expect(report.errors).toEqual([]);
    expect(report.gates.gate4_examples).toBe(true);
    expect((await gates({})).gates.gate4_examples).toBe(null);
  });

  test("without logs the examples are run alone", async () => {
    const right = await gates(
      {},
      { logs: [], examples: [example("Tool: x version 2\n---\nvalue: x 2\ntool: x\nversion: 2")] },
    );
    expect([right.gates.gate4_examples, codes(right)]).toEqual([true, []]);
    const wrong = await gates(
      {},
      { logs: [], examples: [example("Tool: x version 2\n---\nvalue: x\ntool: x\nversion: 2")] },
    );
    expect(codes(wrong)).toEqual(["gate4_examples example_differs"]);
  });

  test("needs lines above the example, which occurs in the log or does not: a warning", async () => {
    for (const row of [
      "u2/d  0.20\n---\nvalue: u2/d\nslack: 0.20\nblock (composed): soc_top",
      "u9/d  0.70\n---\nvalue: u9/d\nslack: 0.70",
    ]) {
      const report = await run(TABLE(), [TABLE_LOG], row);
      expect(report.errors).toEqual([]);
      expect(report.warnings.map(({ code }) => code)).toContain("example_needs_context");
    }
  });

  test("holds a heading from above that the example does not show", async () => {
    const report = await run(
      TABLE(),
      [TABLE_LOG],
      "Pin  Slack\nu9/d  0.70\n---\nvalue: u9/d\nslack: 0.70\nblock:",
      "Pin  Slack\nu8/d  0.70\n---\nvalue: u8/d\nslack: 0.70\nblock:",
    );
    expect(report.errors).toEqual([]);
    expect(report.gates.gate4_examples).toBe(true);
  });

  test("a look-alike that occurs in the log is judged there, another one where it can be", async () => {
    const report = await run(TABLE(), [TABLE_LOG], "u3/d  0.30\n---\nnone", "u7/d  0.30\n---\nnone");
    expect(report.errors).toEqual([]);
  });

  test("the first record only, counts over a file, blocks that read on: no error", async () => {
    const first = VERSIONS.atom_a.replace("return items;", "return items.slice(0, 1); // only the first");
    const versions = log("Tool: alpha version 1.4\nTool: beta version 2.0\nend\n");
    const one = await run(
      first,
      [versions],
      "Tool: beta version 2.0\n---\nvalue: beta 2.0\ntool: beta\nversion: 2.0",
    );
    expect(own(one)).toEqual([]);

    const total = `function extract_context(text, source_file) {
  const lines = text.split(/\\r?\\n/);
  const count = lines.filter((line) => /^ERR /.test(line)).length;
  return lines.flatMap((line, i) => /^Log of (\\S+)$/.test(line)
    ? [{ value: line.slice(7), source_file, line_number: i + 1, matched_content: line, parsed_fields: { errors: count } }] : []);
}
`;
    const counted = await run(
      total,
      [log("Log of a\nERR 1\nERR 2\nERR 3\nERR 4\n")],
      "Log of b\nERR 7\n---\nvalue: b\nerrors (composed): 1",
    );
    expect(own(counted)).toEqual([]);

    const blocks = `function extract_context(text, source_file) {
  const found = [];
  let open = null;
  text.split(/\\r?\\n/).forEach((line, i) => {
    const m = /^Job (\\d+)$/.exec(line);
    if (m) found.push((open = { name: m[1], line, number: i + 1, more: [] }));
    else if (line === "") open = null;
    else if (open) open.more.push(line);
  });
  return found.map(({ name, line, number, more }) => ({
    value: name, source_file, line_number: number, matched_content: line, parsed_fields: { text: more.join(" ") },
  }));
}
`;
    const jobs = log("Job 1\nfine\n\nJob 2\nnot so\nfine\n\nJob 3\nbad\nand worse\n");
    const read = await run(blocks, [jobs], "Job 8\nwent wrong\n---\nvalue: 8\ntext: went wrong");
    expect(own(read)).toEqual([]);
  });

  test("a blank field may be empty, null or left out; numbers are compared as numbers", async () => {
    const atom = (fields: string) => VERSIONS.atom_a.replace("{ tool: m[1], version: m[2] }", fields);
    for (const blank of ['{ x: "", n: 1200 }', "{ x: null, n: 1200 }", "{ n: 1200 }"]) {
      const report = await run(
        atom(blank),
        [log("Tool: alpha version 1,200\n")],
        "Tool: beta version 1,200\n---\nvalue: beta 1,200\nx:\nn: 1,200",
        "Tool: gamma version 1200\n---\nvalue: gamma 1200\nx:\nn (number): 1200",
      );
      expect([blank, own(report)]).toEqual([blank, []]);
    }
  });

  test("inner objects have dotted names, lists are JSON, a list of one text is that text", async () => {
    const nested = VERSIONS.atom_a.replace(
      "{ tool: m[1], version: m[2] }",
      '{ of: { tool: m[1], none: null }, indirect_reference: ["x/" + m[2]], list: ["a", 1], ok: true, gone: null }',
    );
    const wanted = "of.tool: b\nindirect_reference (composed): x/2\nok (composed): true";
    const report = await run(
      nested,
      [log("Tool: z version 1\n")],
      `Tool: b version 2\n---\nvalue: b 2\n${wanted}\nlist (composed): ["a", 1]`,
    );
    expect(own(report)).toEqual([]);
    const less = await run(
      nested,
      [log("Tool: z version 1\n")],
      `Tool: b version 2\n---\nvalue: b 2\n${wanted}`,
    );
    expect(own(less)[0]).toContain('`list` is ["a",1], not wanted');
  });

  test("several records in any order; `line` says which line counts", async () => {
    const report = await run(
      VERSIONS.atom_a,
      [log("Tool: z version 1\n")],
      "Tool: a version 1\nTool: b version 2\n---\nvalue: b 2\nline: 2\ntool: b\nversion: 2\n---\nvalue (composed): a 1\ntool: a\nversion: 1",
    );
    expect(report.errors).toEqual([]);
  });
});

describe("findings show the actual and the expected record", () => {
  const line = "Tool: beta version 2.1\n---\nvalue: beta 2.1\ntool: beta\nversion: 2.1";
  const versions = log("Tool: alpha version 1.4\nend\n");
  const atom = (from: string, to: string): string => {
    const changed = VERSIONS.atom_a.replace(from, to);
    expect(changed).not.toBe(VERSIONS.atom_a);
    return changed;
  };

  test.each([
    ['m[1] + " " + m[2]', "m[2]", 'value is "2.1", wanted "beta 2.1"'],
    ["version: m[2] }", "version: m[2], line }", '`line` is "Tool: beta version 2.1", not wanted'],
    ["tool: m[1], ", "", '`tool` is missing, wanted "beta"'],
    ["tool: m[1]", "tool: m[1].length", '`tool` is 4, wanted "beta"'],
    ["(\\S+)$/", "1\\.(\\S+)$/", 'nothing came out; wanted value "beta 2.1" with tool "beta"'],
  ])("%s becomes %s", async (from, to, message) => {
    const report = await run(atom(from, to), [versions], line);
    expect(own(report)[0]).toContain(message);
    expect(report.errors.find(({ gate }) => gate === "gate4_examples")).toMatchObject({
      atom: "atom_a",
      code: "example_differs",
      example: "Tool: beta version 2.1",
    });
  });

  test("a text where a number is demanded, a record where none is wanted, the wrong line", async () => {
    const text = await run(
      VERSIONS.atom_a,
      [versions],
      "Tool: b version 2\n---\nvalue: b 2\ntool: b\nversion (number): 2",
    );
    expect(own(text)[0]).toContain('`version` is "2", wanted "2" as a number');
    const none = await run(VERSIONS.atom_a, [versions], "Tool: b version 2\n---\nnone");
    expect(own(none)[0]).toContain('came out value "b 2"');
    const lineOf = await run(
      VERSIONS.atom_a,
      [versions],
      "head b 2\nTool: b version 2\n---\nvalue (composed): b 2\nline: 1\ntool: b\nversion: 2",
    );
    expect(own(lineOf)[0]).toContain("`line_number` is line 2 of the example, wanted line 1");
  });

  test("right alone and wrong where the text occurs in the log", async () => {
    const never = TABLE().replace('else if (line.trim() === "") inTable = false;', "");
    const report = await run(never, [TABLE_LOG], "u3/d  0.30\n---\nnone");
    expect(own(report)[0]).toContain("in line 8 of /logs/a.log: came out value");
  });

  test("nothing alone, for lack of a heading, and wrong inside the log: the wrong record is reported", async () => {
    const wrong = TABLE("{ value: m[2], fields: { slack: m[1] } }");
    const report = await run(wrong, [TABLE_LOG], "u9/d  0.70\n---\nvalue: u9/d\nslack: 0.70");
    expect(own(report)[0]).toContain('behind a record of /logs/a.log: in the record "u9/d": value is "0.70"');
  });

  test("right on a short text only", async () => {
    const short = VERSIONS.atom_a.replace("if (m)", "if (m && (text.length < 60 || m[1] !== 'beta'))");
    const long = log(`${"filler line of a log\n".repeat(5)}Tool: alpha version 1.4\nend\n`);
    expect(own(await run(short, [long], line))[0]).toContain(
      "also inside a log; at the end of /logs/a.log: nothing came out",
    );
  });

  test("an atom that throws on the example", async () => {
    const throws = VERSIONS.atom_a.replace(
      "const m =",
      'if (line.includes("beta")) throw new Error("no");\n    const m =',
    );
    expect(own(await run(throws, [versions], line))[0]).toContain("failed on a worked example");
  });
});

describe("the other gates believe exact blocks more than words", () => {
  const spec = (logic: string) =>
    ({ sections: { "1": { text: "" }, "2": { text: logic } } }) as unknown as NonNullable<
      Parameters<typeof gates>[1]
    >["spec"] &
      object;

  test("a config that differs from the check block is an error; words of the page only warn, and with a block no author is asked", async () => {
    const check = 'requirements: {value: 2, pattern_items: ["alpha 1.*", "beta 2"]}';
    const page = spec("Type 1: there must be no tool.");
    const plain = await gates({}, { spec: page });
    expect(plain.errors).toEqual([]);
    expect(plain.suspicions.map(({ code }) => code)).toContain("type_differs");
    const same = await gates({}, { spec: page, check });
    expect(same.errors).toEqual([]);
    expect(same.suspicions).toEqual([]);
    expect(same.warnings.map(({ code }) => code)).toContain("type_differs");
    const other = await gates(
      {},
      { check: 'requirements: {value: 1, pattern_items: ["alpha 1.*"], extra: info}' },
    );
    expect(other.errors.map(({ code, atom }) => `${code} ${atom}`)).toEqual([
      "check_differs config",
      "check_differs config",
      "check_differs config",
    ]);
    expect(other.errors[0]?.message).toContain(
      "`requirements.value` is 2 in the config and 1 in the check block",
    );
  });

  test("an example shows that the value is right, also when no pattern matches it", async () => {
    const config = "requirements: {value: 2, pattern_items: [alpha, beta]}\nwaivers: {value: N/A}\n";
    const atom_a = VERSIONS.atom_a.replace('m[1] + " " + m[2]', "m[2]");
    const shown = example("Tool: beta version 2.1\n---\nvalue: 2.1\ntool: beta\nversion: 2.1");
    expect(codes(await gates({ atom_a, config }))).toContain("consistency value_not_what_patterns_want");
    expect(codes(await gates({ atom_a, config }, { examples: [shown] }))).toEqual([]);
  });

  test("on a clean log the worked examples show that something can be found, look-alikes do not count", async () => {
    const absent = "requirements: {value: N/A, expect: absent}\nwaivers: {value: N/A}\n";
    const text = "```example\nTool? alpha version 1.4\n---\nnone\n```";
    const page = { sections: { "1": { text } } } as never;
    const clean = log("all is well\nend of the run\n");
    const none = example("Tool? alpha version 1.4\n---\nnone");
    const some = example("Tool: b version 2\n---\nvalue: b 2\ntool: b\nversion: 2");
    const atom_a = VERSIONS.atom_a;
    for (const examples of [[none], [none, some]]) {
      const report = await gates({ atom_a, config: absent }, { logs: [clean], spec: page, examples });
      expect(codes(report)).toEqual([]);
    }
  });
});
