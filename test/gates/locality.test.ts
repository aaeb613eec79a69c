// Every way in which a result on a text is not the joined results on its parts, each found from a log that does
// not show it.
import { describe, expect, test } from "bun:test";
import { gates, log } from "./helpers.ts";

const LOG = log("Item: a one 1\nnoise\nItem: b two 2\nItem: c three 3\n");
const RECORD = "{ value: m[1], source_file, line_number: i + 1, matched_content: line, parsed_fields: {} }";

async function isLocal(body: string, before = ""): Promise<boolean | null> {
  const atom = `${before}\nfunction extract_context(text, source_file) {\nconst out = [];\n${body}\nreturn out;\n}\n`;
  const config = "requirements: {value: N/A}\nwaivers: {value: N/A}\n";
  const report = await gates({ atom_a: atom, config }, { logs: [LOG] });
  return report.facts.line_local;
}
const eachLine = (inner: string): string =>
  `text.split(/\\r?\\n/).forEach((line, i, lines) => { const m = /^Item: (\\w+) (\\w+) (\\d+)$/.exec(line); ${inner} });`;

describe("line-local", () => {
  test("lines that are independent of each other", async () => {
    expect(await isLocal(eachLine(`if (m) out.push(${RECORD});`))).toBe(true);
  });

  const broken: [string, string, string?][] = [
    [
      "a section that no log shows",
      eachLine(`if (lines.slice(0, i).includes("END OF ITEMS")) return; if (m) out.push(${RECORD});`),
    ],
    [
      "a flag that a line sets",
      `let on = true; ${eachLine(`if (line === "OFF") on = false; if (m && on) out.push(${RECORD});`)}`,
    ],
    [
      "each value once",
      `const seen = new Set(); ${eachLine(`if (m && !seen.has(m[1])) { seen.add(m[1]); out.push(${RECORD}); }`)}`,
    ],
    [
      "each value once, found by looking back",
      eachLine(`if (m && !out.some((r) => r.value === m[1])) out.push(${RECORD});`),
    ],
    [
      "the line before",
      eachLine(`if (m) out.push({ ...${RECORD}, parsed_fields: { before: i > 0 ? lines[i - 1] : "" } });`),
    ],
    [
      "the line after",
      eachLine(`if (m) out.push({ ...${RECORD}, parsed_fields: { after: lines[i + 1] ?? "" } });`),
    ],
    [
      "a number in the order",
      eachLine(`if (m) out.push({ ...${RECORD}, parsed_fields: { nth: out.length } });`),
    ],
    [
      "a number of lines",
      eachLine(`if (m) out.push({ ...${RECORD}, parsed_fields: { of: lines.length } });`),
    ],
    [
      "spaces that cross a line end",
      `for (const m of text.matchAll(/^Item:\\s+(\\w+)\\s+(\\w+)\\s+(\\d+)$/gm)) { const i = text.slice(0, m.index).split("\\n").length - 1; const line = text.split("\\n")[i]; out.push(${RECORD}); }`,
    ],
    [
      "spaces that cross a line end, without the m flag",
      `for (const m of text.matchAll(/Item:\\s+(\\w+)\\s+(\\w+)\\s+(\\d+)/g)) { const i = text.slice(0, m.index).split("\\n").length - 1; const line = text.split("\\n")[i]; out.push(${RECORD}); }`,
    ],
  ];
  for (const [what, body, before] of broken) {
    test(`not with ${what}`, async () => expect(await isLocal(body, before)).not.toBe(true));
  }
});
