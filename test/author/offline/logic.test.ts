// Agent B of the offline author: what it reads out of sections 2 and 3.
import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { draftLogic } from "../../../src/author/offline/config/logic.ts";

const extraction = { records: 30, files: 1, fields: {}, value_shapes: [], input_files: ["**/x.log"] };

function config(section_2: string, section_3: string): unknown {
  const slice = { item_id: "T-1", section_2, section_3, section_4_2: "" };
  const draft = draftLogic(slice, extraction, "T-1");
  if (draft.kind !== "draft") throw new Error(draft.reasons.join("; "));
  return parse(draft.config);
}

describe("config of the offline author", () => {
  test("numbered patterns with a stated count, and no waivers", () => {
    const made = config("Type 2, two patterns:\n1. `alpha`\n2. `b|c`", "N/A.");
    expect(made).toMatchObject({
      input_files: ["**/x.log"],
      requirements: { value: 2, pattern_items: ["alpha", "b|c"] },
      waivers: { value: "N/A", waive_items: [] },
    });
  });

  test("violations with selective waivers and their reasons", () => {
    const made = config(
      "Type 4: every refused job is a violation.",
      "Selective, three waivers: `nightly*`, `probe` (lab machines), `regex:^x\\d` (retired).",
    );
    expect(made).toMatchObject({
      requirements: { value: "N/A", expect: "absent" },
      waivers: {
        value: 3,
        waive_items: ["nightly*", "probe", "regex:^x\\d"],
        waive_reasons: ["lab machines", "lab machines", "retired"],
      },
    });
  });

  test("an expression with a choice is a waiver for each branch", () => {
    const waived = (pattern: string) => {
      const made = config("Type 4: every refused job is a violation.", `Selective: \`${pattern}\` (known).`);
      return (made as { waivers: { waive_items: string[] } }).waivers.waive_items;
    };
    expect(waived("regex:^(root|ad\\|min)$")).toEqual(["regex:^root$", "regex:^ad\\x7cmin$"]);
    expect(waived("regex:^a|b$")).toEqual(["regex:^a", "regex:b$"]);
    expect(waived("regex:^(a|b)+$")).toEqual(["regex:^(a|b)+$"]);
    expect(waived("a|b")).toEqual(["a|b"]);
  });

  test("a global waiver", () => {
    expect(config("Type 4. Each is a violation.", "Global: for information only.")).toMatchObject({
      waivers: { value: 0 },
    });
  });

  test("further items fail only where the page says so", () => {
    expect(config("Type 2: only `a` and `b` may be loaded.", "N/A")).not.toHaveProperty("requirements.extra");
    expect(config("Type 2: `a` and `b` must be seen.", "N/A")).toHaveProperty("requirements.extra", "info");
  });

  test("a count that does not fit what is listed is a question", () => {
    const slice = {
      item_id: "T",
      section_2: "Type 2, three patterns: `a`, `b`.",
      section_3: "N/A",
      section_4_2: "",
    };
    expect(draftLogic(slice, extraction, "T").kind).toBe("gave_up");
  });
});
