// Nothing rests on words of a language: right sets whose pages would be misread pass; what the author declares is
// compared with the page letter by letter and proved on the logs.
import { describe, expect, test } from "bun:test";
import type { Declarations } from "../../src/contract/declarations.ts";
import { readDeclarations } from "../../src/contract/declarations.ts";
import { checkProblems } from "../../src/runtime/index.ts";
import { parseItemSpec } from "../../src/spec/index.ts";
import { codes, gates, log, VERSIONS } from "./helpers.ts";

function page(logic: string, waiving = "", parsing = "Each line `Tool: NAME version X` is one record.") {
  const text = `# ItemSpec: T\n\n## 1. Parsing Logic\n${parsing}\n\n## 2. Check Logic\n${logic}\n\n## 3. Waiver Logic\n${waiving}\n\n## 4. Implementation Guide\n### 4.1 Data Source\nx.log\n### 4.2 Special Scenarios\nNone.\n### 4.3 Test Data\nNone.\n`;
  return parseItemSpec(new TextEncoder().encode(text), "T_ItemSpec.md", checkProblems);
}

const config = (requirements: string, waivers = "{value: N/A}") =>
  `description: d\ninput_files: ["*.log"]\nrequirements: ${requirements}\nwaivers: ${waivers}\n`;

describe("right sets that lists of words refused", () => {
  const cases: [name: string, config: string, logic: string, waiving: string][] = [
    [
      "no waiver is allowed",
      config("{value: N/A}"),
      "A version line must exist. No waiver is allowed.",
      "N/A",
    ],
    ["a number behind the word type", VERSIONS.config, "Every crossing of type 4 needs its tool.", "N/A"],
    ["a number of patterns that is a result", VERSIONS.config, "All 512 patterns passed.", "N/A"],
    ["one pattern each", VERSIONS.config, "Each clock is one pattern.", "N/A"],
    [
      "the name of a team",
      config(
        '{value: 2, pattern_items: ["alpha 1.*", "beta 2"]}',
        '{value: 1, waive_items: ["gamma 7.1"], waive_reasons: ["r"]}',
      ),
      "Both tools must be there.",
      "Waivers of the global routing team: `gamma 7.1`.",
    ],
    [
      "a waiver of the page that matches nothing",
      config(
        '{value: 2, pattern_items: ["alpha 1.*", "beta 2"], extra: info}',
        '{value: 1, waive_items: ["delta 3"], waive_reasons: ["r"]}',
      ),
      "Both tools must be there.",
      "Waive `delta 3`.",
    ],
    [
      "patterns that look like something to fill in",
      config('{value: 3, pattern_items: ["{{4{a}}, b}", "XXXX", "TODO: remove"], extra: info}'),
      "The texts must be there.",
      "N/A",
    ],
  ];
  for (const [name, text, logic, waiving] of cases) {
    test(name, async () => {
      const report = await gates({ config: text }, { spec: page(logic, waiving) });
      expect(report.errors).toEqual([]);
    });
  }

  test("re by a computed name and as an argument", async () => {
    const by = VERSIONS.atom_b.replace(/re\.search\(/g, 're["search"](');
    const handed = `${VERSIONS.atom_b}\nfunction tried(module, a, b) { return module.search(a, b); }\n`;
    expect((await gates({ atom_b: by })).errors).toEqual([]);
    expect((await gates({ atom_b: handed.replace(/re\.search\(/, "tried(re, ") })).errors).toEqual([]);
    const line = 'const found = regex_mode === "match" ? re.match(source, text) : re.search(source, text);';
    expect(VERSIONS.atom_b).toContain(line);
    const chosen =
      'const mode = regex_mode === "match" ? "match" : "search"; const found = re[mode](source, text);';
    const variable = VERSIONS.atom_b.replace(line, chosen);
    expect((await gates({ atom_b: variable })).errors).toEqual([]);
  });

  test("a suspicion is a warning and a question, never an error", async () => {
    const report = await gates(
      { config: config("{value: N/A}") },
      { spec: page("Type 2, two patterns.", "N/A") },
    );
    expect(report.valid).toBe(true);
    expect(report.suspicions.map(({ code, atom }) => `${code} ${atom}`)).toContain("type_differs config");
    expect(report.warnings.map(({ code }) => code)).toContain("type_differs");
  });
});

const ONCE = VERSIONS.atom_a.replace("if (m) items.push(", "if (m && items.length === 0) items.push(");
const EXISTS = config("{value: N/A}");
const declared = (name: string, value: string, quote: string) =>
  readDeclarations({ [name]: { value, quote } }) as Declarations;

describe("declarations", () => {
  const first = "Only the first such line counts.";
  const spec = page("A version must be there.", "N/A", `Version lines.\n${first}`);
  const sources = { atom_a: ONCE, config: EXISTS };

  test("records that are left out need a declaration with a quote", async () => {
    expect(codes(await gates(sources, { spec }))).toContain("gate4_evidence only_one");
    const right = await gates(sources, { spec, declarations: declared("records", "first", first) });
    expect(right.errors).toEqual([]);
    const invented = await gates(sources, {
      spec,
      declarations: declared("records", "first", "Only the second"),
    });
    expect(codes(invented)).toEqual(["consistency quote_not_on_page"]);
    const silent = await gates(sources, { spec, declarations: declared("records", "first", "silent") });
    expect(codes(silent)).toEqual(["consistency silent_not_default"]);
  });

  test("white space of a quote is normalised, letters are not", async () => {
    const wrapped = declared("records", "first", " Only the\n  first such line counts. ");
    expect((await gates(sources, { spec, declarations: wrapped })).errors).toEqual([]);
    const other = declared("records", "first", "only the first such line counts.");
    expect(codes(await gates(sources, { spec, declarations: other }))).toEqual([
      "consistency quote_not_on_page",
    ]);
  });

  test("what is declared is proved on the logs", async () => {
    const wrong = async (name: string, value: string) =>
      codes(await gates({ config: EXISTS }, { declarations: declared(name, value, "x") }));
    for (const value of ["first", "last", "distinct"]) {
      expect(await wrong("records", value)).toContain("gate4_evidence declared_records");
    }
    for (const value of ["section", "header"]) {
      expect(await wrong("scope", value)).toContain("gate4_evidence declared_scope");
    }
  });

  test("the last one, each one once, a section", async () => {
    const twice = log("Tool: alpha version 1.4\nx\nTool: beta version 2.0\nTool: alpha version 1.4\n");
    const last = VERSIONS.atom_a.replace("return items;", "return items.slice(-1);");
    const lastReport = await gates(
      { atom_a: last, config: EXISTS },
      { logs: [twice], declarations: declared("records", "last", "x") },
    );
    expect(lastReport.errors).toEqual([]);
    const once = VERSIONS.atom_a.replace(
      "if (m) items",
      "if (m && !items.some((r) => r.value === m[1] + ' ' + m[2])) items",
    );
    const onceReport = await gates(
      { atom_a: once, config: EXISTS },
      { logs: [twice], declarations: declared("records", "distinct", "x") },
    );
    expect(onceReport.errors).toEqual([]);
  });

  test("the config does what is declared of it", async () => {
    const run = async (name: string, value: string) =>
      codes(await gates({}, { declarations: declared(name, value, "x") }));
    expect(await run("expect", "absent")).toEqual(["consistency declaration_differs"]);
    expect(await run("extra", "info")).toEqual(["consistency declaration_differs"]);
    expect(await run("check", "existence")).toEqual(["consistency declaration_differs"]);
    expect(await run("waivers", "global")).toEqual(["consistency declaration_differs"]);
    expect(await run("waivers", "none")).toEqual([]);
  });
});
