// Forms in which models submit code, and texts that must not be read as code.
import { describe, expect, test } from "bun:test";
import { findAtom, findConfig, readSubmittedSource } from "../../src/author/reply.ts";

const A = `function extract_context(text, source_file) {
  return text.split("\\n").map((line, i) => ({
    value: line, source_file, line_number: i + 1, matched_content: line, parsed_fields: {},
  }));
}`;
const B = `function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  return { is_match: text.includes(pattern), reason: "", kind: "contains" };
}`;
const C = `function check_existence(items) {
  return { is_match: !!items?.length, reason: "", evidence: items ?? [] };
}`;
const YAML = `requirements:
  value: 1
  pattern_items: ['a|b']
waivers: {value: N/A}
`;

function codeOf(found: ReturnType<typeof findAtom>): string {
  if (!found.ok) throw new Error(JSON.stringify(found.problem));
  return found.code;
}

describe("Atom A", () => {
  const shapes: Record<string, string> = {
    "one block": `\`\`\`js\n${A}\n\`\`\``,
    "a block without language": `\`\`\`\n${A}\n\`\`\``,
    "tildes and an info string": `~~~javascript title=atom_a.js\n${A}\n~~~`,
    "prose around a block": `Here it is:\n\n\`\`\`js\n${A}\n\`\`\`\n\nIt reads line by line.`,
    "bare code": A,
    "prose around bare code": `Sure, here is the code:\n\n${A}\n\nLet me know if it fits.`,
    "an unclosed block": `Done.\n\`\`\`js\n${A}\n`,
    "an unclosed block with prose after it": `Done.\n\`\`\`js\n${A}\n\nThis handles all cases, I hope (see above).`,
    "an indented block": `1. the code:\n   \`\`\`js\n${A.replace(/^/gm, "   ")}\n   \`\`\``,
    CRLF: `\`\`\`js\n${A}\n\`\`\``.replace(/\n/g, "\r\n"),
    "a JSON object": JSON.stringify({ code: A, reasoning: "…" }),
    "a JSON object in a fence": `\`\`\`json\n${JSON.stringify({ atom_a: A })}\n\`\`\``,
    "a correction below a first version": `\`\`\`js\nfunction extract_context(text) { return [1]; }\n\`\`\`\nNo, better:\n\`\`\`js\n${A}\n\`\`\``,
    "a sample of the log in a block of its own": `The log:\n\`\`\`\nError: function x() failed {\n\`\`\`\n\`\`\`js\n${A}\n\`\`\``,
    "an exported function": `\`\`\`js\nexport ${A}\n\`\`\``,
    "a habit of Node": `\`\`\`js\n${A}\nmodule.exports = { extract_context };\nexports.x = 1;\n\`\`\``,
    "thoughts with a draft in them": `<think>Maybe\n\`\`\`js\nfunction extract_context() { return [1]; }\n\`\`\`\n</think>\n${A}`,
    "an exported list": `\`\`\`js\n${A}\nexport { extract_context };\n\`\`\``,
  };
  for (const [name, reply] of Object.entries(shapes)) {
    test(name, () => {
      expect(codeOf(findAtom("atom_a", reply)).trim()).toBe(A);
    });
  }

  test("helper functions in a separate block are included", () => {
    const helper = 'const WORD = /\\w+/;\nfunction first(line) {\n  return WORD.exec(line)?.[0] ?? "";\n}';
    const main = A.replace("value: line", "value: first(line)");
    const found = codeOf(findAtom("atom_a", `\`\`\`js\n${helper}\n\`\`\`\nand\n\`\`\`js\n${main}\n\`\`\``));
    expect(found).toContain("const WORD");
    expect(found).toContain("function first");
    expect(found.indexOf("function first")).toBeLessThan(found.indexOf("extract_context"));
  });

  test("types are removed from TypeScript, and nothing else", () => {
    const ts = `interface Rec { value: string; source_file: string }
function extract_context(text: string, source_file: string): Rec[] {
  const out: Rec[] = [];
  for (const line of text.split("\\n") as string[]) out.push({ value: line!, source_file });
  return out;
}`;
    const js = codeOf(findAtom("atom_a", `\`\`\`ts\n${ts}\n\`\`\``));
    const run = new Function(`${js}; return extract_context("a\\nb", "f");`) as () => unknown;
    expect(run()).toEqual([
      { value: "a", source_file: "f" },
      { value: "b", source_file: "f" },
    ]);
  });

  test("default values in a TypeScript signature are kept", () => {
    const ts = B.replace(
      "(text, pattern, parsed_fields = null",
      "(text: string, pattern: string, parsed_fields: object | null = null",
    );
    const js = codeOf(findAtom("atom_b", `\`\`\`typescript\n${ts}\n\`\`\``));
    expect(js.replace(/\s+/g, " ")).toContain(
      'validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search")',
    );
  });

  test("JavaScript is kept byte for byte, with its comments", () => {
    const source = `// rows of the table\nconst ROW = /^\\s*(\\S+)   +(\\d+)$/;\n${A}\n`;
    expect(codeOf(readSubmittedSource("atom_a", source))).toBe(source);
  });

  test("a fence inside a string literal does not end the code", () => {
    const source = A.replace('text.split("\\n")', 'text.split("```")');
    expect(codeOf(readSubmittedSource("atom_a", source)).trim()).toBe(source);
  });
});

describe("replies without usable code", () => {
  const kind = (reply: string): string => {
    const found = findAtom("atom_a", reply);
    return found.ok ? "code" : found.problem.kind;
  };
  test("prose", () => expect(kind("I looked at the logs and they are fine.")).toBe("no_code"));
  test("an empty block", () => expect(kind("```js\n```")).toBe("no_code"));
  test("code with a syntax error", () =>
    expect(kind(`\`\`\`js\n${A.slice(0, -2)}\n\`\`\``)).toBe("broken_code"));
  test("Python", () =>
    expect(kind("```python\ndef extract_context(text, source_file):\n    return []\n```")).toBe(
      "broken_code",
    ));
  test("a function with another name", () =>
    expect(kind("```js\nfunction parse(text) { return []; }\n```")).toBe("missing_function"));
  test("an import that cannot be removed", () =>
    expect(kind(`\`\`\`js\nimport fs from "fs";\n${A}\n\`\`\``)).toBe("broken_code"));
  test("5 MB of text", () =>
    expect(kind(`\`\`\`js\n${A}\n${"// x\n".repeat(1_000_000)}\`\`\``)).toBe("too_long"));
});

describe("the logic", () => {
  const shapes: Record<string, string> = {
    "three blocks": `\`\`\`js\n${B}\n\`\`\`\n\`\`\`js\n${C}\n\`\`\`\n\`\`\`yaml\n${YAML}\`\`\``,
    "one block for both atoms": `\`\`\`js\n// === ATOM B ===\n${B}\n\n// === ATOM C ===\n${C}\n\`\`\`\n\`\`\`yml\n${YAML}\`\`\``,
    "the config last and unclosed": `\`\`\`js\n${B}\n${C}\n\`\`\`\n\`\`\`yaml\n${YAML}`,
    "one JSON object": JSON.stringify({ atom_b: B, atom_c: C, config: YAML }),
    "a JSON object with fenced members": JSON.stringify({
      atom_b: `\`\`\`js\n${B}\n\`\`\``,
      atom_c: C,
      config: `\`\`\`yaml\n${YAML}\`\`\``,
    }),
  };
  for (const [name, reply] of Object.entries(shapes)) {
    test(name, () => {
      expect(codeOf(findAtom("atom_b", reply))).toContain(B);
      expect(codeOf(findAtom("atom_b", reply))).not.toContain("function check_existence");
      expect(codeOf(findAtom("atom_c", reply))).toContain(C);
      expect(codeOf(findAtom("atom_c", reply))).not.toContain("function validate_logic");
      expect(findConfig(reply)).toBe(YAML);
    });
  }

  test("a block with both atoms is split, and each part gets the helpers it uses", () => {
    const block = `const LIMIT = 3;\nfunction shared(x) { return x ?? LIMIT; }\n${B.replace("text.includes", "shared(text).includes")}\nfunction only_c(items) { return items ?? []; }\n${C.replace("items ?? []", "only_c(items)")}`;
    const b = codeOf(findAtom("atom_b", block));
    const c = codeOf(findAtom("atom_c", block));
    expect(b).toContain("const LIMIT");
    expect(b).toContain("function shared");
    expect(b).not.toContain("only_c");
    expect(c).toContain("function only_c");
    expect(c).not.toContain("shared");
    expect(() => new Function(b)).not.toThrow();
    expect(() => new Function(c)).not.toThrow();
  });

  test("a config given as an object is written as YAML", () => {
    const config = findConfig(
      JSON.stringify({ config: { requirements: { value: 1, pattern_items: ["x"] } } }),
    );
    expect(JSON.parse(config ?? "")).toEqual({ requirements: { value: 1, pattern_items: ["x"] } });
  });

  test("no config is returned when the reply has none", () => {
    expect(findConfig(`\`\`\`js\n${B}\n\`\`\``)).toBeUndefined();
  });
});
