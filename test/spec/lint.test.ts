// Unusable pages: each error states the problem and its place, and no run starts.
import { describe, expect, test } from "bun:test";
import { AtomsmithError } from "../../src/core/errors.ts";
import { itemIdOf, lintItemSpec, parseItemSpec } from "../../src/spec/index.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const GOOD = `# ItemSpec: ABC-1
## 1. Parsing Logic
Take versions.
## 2. Check Logic
Type 1.
## 3. Waiver Logic
N/A.
## 4. Implementation Guide
### 4.1 Data Source & Extraction
a.log
### 4.2 Special Scenarios
None.
### 4.3 Test Data Generation
One line.
`;

function errorOf(page: string, path = "ABC-1_ItemSpec.md"): AtomsmithError {
  try {
    parseItemSpec(encode(page), path);
  } catch (error) {
    if (error instanceof AtomsmithError) return error;
    throw error;
  }
  throw new Error("the page was accepted");
}

describe("placeholders", () => {
  test("every placeholder of an unfilled template is listed, also those in code", () => {
    const error = errorOf(
      GOOD.replace(
        "Take versions.",
        "{TODO: describe what to extract}\n\n```yaml\nvalue: {TODO}\n```",
      ).replace("Type 1.", "TODO: choose a type"),
    );
    expect(error.kind).toBe("spec");
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain("3 places");
    expect(error.message).toContain("line 3: {TODO: describe what to extract}");
    expect(error.message).toContain("line 6: {TODO}");
    expect(error.message).toContain("line 9: TODO: choose a type");
    expect(error.details.where).toBe("ABC-1_ItemSpec.md");
  });

  test("placeholders in brackets, braces over several lines, full-width colons and the title are found", () => {
    for (const text of ["[TODO: x]", "<TODO add>", "{{ TODO: a\nb }}", "TODO：补充", "- TODO: item"]) {
      expect(errorOf(GOOD.replace("None.", text)).message).toContain("TODO");
    }
    expect(errorOf(GOOD.replace("ABC-1", "{TODO: id}")).message).toContain("line 1: {TODO: id}");
  });

  test("a page whose logs contain TODO is not a template", () => {
    const page = GOOD.replace(
      "Take versions.",
      "Lines with `TODO: fix` count.\n\n```\nTODO: in a sample\n```\n\nThe TODO list.",
    );
    expect(parseItemSpec(encode(page), "ABC-1_ItemSpec.md").id).toBe("ABC-1");
  });
});

describe("missing and duplicate sections", () => {
  test("a missing section is named, with the sections that were found", () => {
    for (const [key, title, cut] of [
      ["1", "Parsing Logic", "## 1. Parsing Logic\nTake versions.\n"],
      ["2", "Check Logic", "## 2. Check Logic\nType 1.\n"],
      ["3", "Waiver Logic", "## 3. Waiver Logic\nN/A.\n"],
      ["4.1", "Data Source & Extraction", "### 4.1 Data Source & Extraction\na.log\n"],
      ["4.2", "Special Scenarios", "### 4.2 Special Scenarios\nNone.\n"],
    ] as const) {
      expect(GOOD).toContain(cut);
      const error = errorOf(GOOD.replace(cut, ""));
      expect(error.message).toContain(`Section ${key} (${title}) is missing`);
      expect(error.message).toContain("Headings found: line 1: ItemSpec: ABC-1");
      expect(error.message).not.toContain(`Section ${key === "2" ? "3" : "2"} (`);
    }
  });

  test("a missing section 4.3 is only a warning, since no author reads it", () => {
    const spec = parseItemSpec(encode(GOOD.slice(0, GOOD.indexOf("### 4.3"))), "ABC-1_ItemSpec.md");
    expect(spec.warnings.join()).toContain("4.3");
    expect(spec.sections["4.3"]).toBeUndefined();
  });

  test("a section without text is an error for 1 and 2, and a warning for the others", () => {
    expect(errorOf(GOOD.replace("Take versions.\n", "")).message).toContain(
      "Section 1 (1. Parsing Logic) is empty",
    );
    expect(errorOf(GOOD.replace("Type 1.\n", "")).message).toContain("Section 2");
    expect(parseItemSpec(encode(GOOD.replace("N/A.\n", "")), "ABC-1_ItemSpec.md").warnings.join()).toContain(
      "Section 3",
    );
  });

  test("a duplicate section is an error with both lines", () => {
    const error = errorOf(`${GOOD}## 2. Check Logic\nAnother.\n`);
    expect(error.message).toContain("Section 2 (Check Logic) occurs more than once, in lines 4 and 15");
  });

  test("an empty page, an unrelated page and an unclosed fence are errors", () => {
    expect(errorOf("").message).toContain("empty");
    expect(errorOf("just text\n").message).toContain("No heading was found");
    const lint = lintItemSpec(encode(GOOD.replace("Take versions.", "```\nsample")), "ABC-1_ItemSpec.md");
    expect(lint.findings.find((finding) => finding.code === "open_fence")?.line).toBe(3);
    expect(lint.spec).toBeUndefined();
  });

  test("text that no author sees is a warning", () => {
    const lint = lintItemSpec(encode(`${GOOD}## Revision History\n- first\n`), "ABC-1_ItemSpec.md");
    expect(lint.findings).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "outside",
        line: 15,
        message: expect.stringContaining("Revision History"),
      }),
    ]);
    expect(lint.spec?.sections["4.3"]?.text).toBe("One line.");
  });

  test("bytes that are not text are errors", () => {
    expect(() => parseItemSpec(new Uint8Array(5 * 2 ** 20), "ABC-1_ItemSpec.md")).toThrow("at most");
    expect(lintItemSpec(Buffer.from("%PDF\0"), "ABC-1_ItemSpec.md").findings[0]?.code).toBe("not_text");
  });
});

describe("item IDs", () => {
  test("the ID comes from the file name, else from the H1", () => {
    expect(itemIdOf("a/b/IMP-10-0-0-00_ItemSpec.md")).toBe("IMP-10-0-0-00");
    expect(itemIdOf("x/IMP-1_itemspec.MD")).toBe("IMP-1");
    expect(itemIdOf("page.md", "ItemSpec: IMP-7")).toBe("IMP-7");
    expect(itemIdOf("page.md", "ItemSpec – IMP-7 (netlist)")).toBe("IMP-7");
    expect(itemIdOf("page.md", "IMP-7")).toBe("IMP-7");
  });

  test("missing IDs and unsafe folder names are errors", () => {
    for (const [path, h1] of [
      ["page.md", undefined],
      ["page.md", "Some words"],
      ["page.md", "ItemSpec: a/b"],
      [".._ItemSpec.md", undefined],
      ["-x_ItemSpec.md", undefined],
      ["a b_ItemSpec.md", undefined],
      [`${"a".repeat(200)}_ItemSpec.md`, undefined],
    ] as const) {
      expect(() => itemIdOf(path, h1)).toThrow(AtomsmithError);
    }
  });

  test("a title with another ID is a warning", () => {
    const lint = lintItemSpec(encode(GOOD), "XYZ-9_ItemSpec.md");
    expect(lint.spec?.id).toBe("XYZ-9");
    expect(lint.findings.map((finding) => finding.code)).toEqual(["id_differs"]);
  });
});
