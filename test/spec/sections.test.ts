// Deviations of real pages from the canonical outline (contract, section 1).
import { describe, expect, test } from "bun:test";
import {
  type ItemSpec,
  logicSlice,
  parseItemSpec,
  parsingSlice,
  type SectionKey,
} from "../../src/spec/index.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, path = "items/IMP-10-0-0-00_ItemSpec.md"): ItemSpec =>
  parseItemSpec(encode(text), path);
const section = (spec: ItemSpec, key: SectionKey) => spec.sections[key]?.text;

const CANONICAL = `# ItemSpec: IMP-10-0-0-00

## 1. Parsing Logic
Intro one.

### 1.1 Information to Extract
Versions.

## 2. Check Logic
Type 2.

## 3. Waiver Logic
N/A.

## 4. Implementation Guide
Guide intro.

### 4.1 Data Source & Extraction
sta.log

### 4.2 Special Scenarios
Intro of 4.2.

#### Scenario 1
Two files.

### 4.3 Test Data Generation
Secret tests.
`;

/** The sections that every variant of the canonical page must have. */
function expectCanonical(spec: ItemSpec): void {
  expect(section(spec, "1")).toContain("Intro one.");
  expect(section(spec, "1")).toContain("Versions.");
  expect(section(spec, "2")).toBe("Type 2.");
  expect(section(spec, "3")).toBe("N/A.");
  expect(section(spec, "4.1")).toBe("sta.log");
  expect(section(spec, "4.2")).toContain("Intro of 4.2.");
  expect(section(spec, "4.2")).toContain("Two files.");
  expect(section(spec, "4.3")).toBe("Secret tests.");
}

test("sections of the canonical outline keep introduction, subheadings and lines", () => {
  const spec = parse(CANONICAL);
  expectCanonical(spec);
  expect(spec.id).toBe("IMP-10-0-0-00");
  expect(spec.title).toBe("ItemSpec: IMP-10-0-0-00");
  expect(section(spec, "1")).toBe("Intro one.\n\n### 1.1 Information to Extract\nVersions.");
  expect(section(spec, "4.2")).toBe("Intro of 4.2.\n\n#### Scenario 1\nTwo files.");
  expect(spec.sections["4.1"]).toMatchObject({ heading: "4.1 Data Source & Extraction", line: 18 });
  expect(spec.headings.map((heading) => heading.key)).toEqual([
    undefined,
    "1",
    undefined,
    "2",
    "3",
    "4",
    "4.1",
    "4.2",
    undefined,
    "4.3",
  ]);
  expect(spec.warnings).toEqual([]);
});

test("each author sees its own sections, and neither sees 4.3 or the introduction of 4", () => {
  const spec = parse(CANONICAL);
  const a = JSON.stringify(parsingSlice(spec));
  const b = JSON.stringify(logicSlice(spec));
  for (const own of ["Intro one.", "Versions.", "sta.log"]) {
    expect([own, a.includes(own), b.includes(own)]).toEqual([own, true, false]);
  }
  for (const own of ["Type 2.", "N/A.", "Intro of 4.2.", "Two files."]) {
    expect([own, a.includes(own), b.includes(own)]).toEqual([own, false, true]);
  }
  for (const hidden of ["Secret tests.", "Guide intro."]) {
    expect([hidden, a.includes(hidden), b.includes(hidden)]).toEqual([hidden, false, false]);
  }
});

describe("bytes", () => {
  test("CRLF, CR and a byte order mark are accepted", () => {
    const crlf = parse(`\ufeff${CANONICAL.replaceAll("\n", "\r\n")}`);
    expectCanonical(crlf);
    expect(section(crlf, "1")).not.toContain("\r");
    expect(crlf.title).toBe("ItemSpec: IMP-10-0-0-00");
    expectCanonical(parse(CANONICAL.replaceAll("\n", "\r")));
  });

  test("UTF-16 is read, Latin-1 is read with a warning, NUL bytes are refused", () => {
    const utf16 = parseItemSpec(Buffer.from(`\ufeff${CANONICAL}`, "utf16le"), "X-1_ItemSpec.md");
    expectCanonical(utf16);
    const latin = parseItemSpec(
      Buffer.from(CANONICAL.replace("sta.log", "größe.log"), "latin1"),
      "X-1_ItemSpec.md",
    );
    expect(section(latin, "4.1")).toBe("größe.log");
    expect(latin.warnings.join()).toContain("Latin-1");
    expect(() => parse("# ItemSpec: X\0")).toThrow("NUL");
  });
});

describe("other forms of headings", () => {
  const rewritings: [string, (page: string) => string][] = [
    [
      "dashes and spacing",
      (p) =>
        p
          .replace("## 1. Parsing Logic", "##   1 –  Parsing \t Logic  ##")
          .replace("## 2. Check Logic", "## 2 — Check Logic")
          .replace("### 4.1 Data Source & Extraction", "### 4.1: Data Source and Extraction")
          .replace("### 4.2 ", "### 4. 2 - "),
    ],
    ["no space after the marks", (p) => p.replace(/^(#+) (\d)/gm, "$1$2")],
    ["no-break and full-width spaces", (p) => p.replace(/^(#+) (\d\S*) /gm, "$1\u00a0$2\u3000")],
    ["full-width digits and dots", (p) => p.replace("## 1. P", "## １． P").replace("## 2. C", "## ２、C")],
    ["titles without numbers", (p) => p.replace(/^(#{2,4}) [\d.]+ /gm, "$1 ")],
    ["upper case and colons", (p) => p.replace(/^#.*$/gm, (line) => `${line.toUpperCase()}:`)],
    ["all headings one level deeper", (p) => p.replace(/^##/gm, "###")],
    ["all headings one level up", (p) => p.replace(/^##/gm, "#")],
    ["sections and sub-sections at the same level", (p) => p.replace(/^### /gm, "## ")],
    ["emphasis and code in headings", (p) => p.replace("## 1. Parsing Logic", "## **1. Parsing** `Logic`")],
    [
      "words around the title",
      (p) =>
        p
          .replace("Parsing Logic", "Section 1: Parsing Logic (Atom A)")
          .replace("## 2. Check Logic", "## 2. The Check Logic of this item"),
    ],
    ["underlined headings", (p) => p.replace("## 1. Parsing Logic", "Parsing Logic\n----------------")],
    ["numbered bold lines for all", (p) => p.replace(/^#{2,3} (.*)$/gm, "**$1**")],
    ["numbered bold lines with colon", (p) => p.replace(/^### (4.*)$/gm, "**$1**:")],
    [
      "bold lines tight above their text",
      (p) =>
        p.replace(/^## (.*)\n/gm, "\n**$1**\n").replace("**1. Parsing Logic**\n", "**1. Parsing Logic**\n"),
    ],
    ["front matter", (p) => `---\ntitle: a page\nowner: x\n---\n${p}`],
  ];
  for (const [name, rewrite] of rewritings) {
    test(name, () => expectCanonical(parse(rewrite(CANONICAL))));
  }

  test("bold titles in an ordered list are headings", () => {
    const page = `# ItemSpec: A-1

1. **Parsing Logic**

   What to take.

2. **Check Logic**

   Type 1.

3. **Waiver Logic**

   None.

4. **Implementation Guide**

   **4.1 Data Source**

   a.log

   **4.2 Special Scenarios**

   none
`;
    const top = () => parse(page);
    // The parts of the guide are nested in the list; sections that are not found are named, never guessed.
    expect(top).toThrow("Section 4.1");
    const flat = page.replaceAll("   **4.", "**4.").replace("   a.log", "a.log").replace("   none", "none");
    const spec = parse(flat);
    expect(section(spec, "1")?.trim()).toBe("What to take.");
    expect(section(spec, "4.1")).toBe("a.log");
  });
});

describe("titles have priority over numbers", () => {
  test("numbers shifted by a Check Objective are corrected by titles", () => {
    const page = CANONICAL.replace(
      "## 1. Parsing Logic",
      "## 1. Check Objective\nWhy.\n\n## 2. Parsing Logic",
    )
      .replace("## 2. Check Logic", "## 3. Check Logic")
      .replace("## 3. Waiver Logic", "## 4. Waiver Logic")
      .replace("## 4. Implementation Guide", "## 5. Implementation Guide")
      .replaceAll(/^### 4\./gm, "### 5.")
      .replace("### 1.1", "### 2.1");
    const spec = parse(page);
    expectCanonical(spec);
    expect(section(spec, "1")).not.toContain("Why.");
  });

  test("shifted numbers are used where a title is unknown", () => {
    const page = CANONICAL.replace("## 1. Parsing Logic", "## 1. Objective\n\n## 2. Parsing Logic")
      .replace("## 2. Check Logic", "## 3. Prüfregeln")
      .replace("## 3. Waiver Logic", "## 4. Waiver Logic")
      .replace("## 4. Implementation Guide", "## 5. Implementation Guide")
      .replaceAll(/^### 4\.(\d).*$/gm, "### 5.$1 Abschnitt");
    expectCanonical(parse(page));
  });

  test("Chinese titles are known, with digits, with Chinese numerals and without numbers", () => {
    const chinese = CANONICAL.replace("Parsing Logic", "解析逻辑")
      .replace("Check Logic", "检查逻辑")
      .replace("Waiver Logic", "豁免逻辑")
      .replace("Implementation Guide", "实现指南")
      .replace("Data Source & Extraction", "数据源与提取")
      .replace("Special Scenarios", "特殊场景")
      .replace("Test Data Generation", "测试数据生成");
    expectCanonical(parse(chinese));
    expectCanonical(parse(chinese.replace(/^(#{2,3}) [\d.]+ /gm, "$1 ")));
    expectCanonical(
      parse(
        chinese
          .replace("## 1. ", "## 一、")
          .replace("## 2. ", "## 二、")
          .replace("## 3. ", "## 第三节：")
          .replace("## 4. ", "## 四、"),
      ),
    );
    const shifted = chinese
      .replace("## 1. ", "## 1. 检查目标\n略\n\n## 2. ")
      .replace("## 2. 检", "## 3. 检")
      .replace("## 3. 豁", "## 4. 豁")
      .replace("## 4. 实", "## 5. 实")
      .replaceAll(/^### 4/gm, "### 5");
    expectCanonical(parse(shifted));
  });

  test("words of another section inside a subheading do not change the sections", () => {
    const page = CANONICAL.replace(
      "### 1.1 Information to Extract",
      "### 1.1 Data source of the check logic and waivers",
    ).replace("#### Scenario 1", "#### Waiver logic in special scenarios");
    const spec = parse(page);
    expectCanonical(spec);
    expect(section(spec, "1")).toContain("Data source of the check logic");
    expect(section(spec, "4.2")).toContain("Waiver logic in special");
  });
});

describe("text that only looks like a heading", () => {
  test("code fences, quotes, lists, comments and indented code are not headings", () => {
    const decoys = [
      "```yaml\n# Parsing Logic\n## 2. Check Logic\nvalue: 1\n```",
      "~~~python\n### 4.2 Special Scenarios\n~~~",
      '> ## 3. Waiver Logic\n> quoted "# Generated by"',
      "- ## 2. Check Logic\n- text",
      "<!--\n## 2. Check Logic\n-->",
      "    ## 2. Check Logic",
      "A `## 2. Check Logic` in a sentence.",
      "| ## 2. Check Logic | cell |\n|---|---|\n| a | b |",
    ].join("\n\n");
    const spec = parse(CANONICAL.replace("Versions.", `Versions.\n\n${decoys}`));
    expectCanonical(spec);
    expect(section(spec, "1")).toContain('quoted "# Generated by"');
    expect(section(spec, "1")).toContain("| a | b |");
    expect(section(spec, "1")?.endsWith("| a | b |")).toBe(true);
  });

  test("a rule directly below a paragraph does not split a section", () => {
    const spec = parse(CANONICAL.replace("Versions.", "Versions.\nsome words\n---\nAfter the rule."));
    expect(section(spec, "1")).toContain("After the rule.");
    expectCanonical(spec);
  });

  test("bold words inside a section are not headings", () => {
    const spec = parse(
      CANONICAL.replace("Versions.", "Versions.\n\n**Check Logic** is described below.\n\n**Note**\n\nMore."),
    );
    expect(section(spec, "1")?.endsWith("More.")).toBe(true);
  });
});
