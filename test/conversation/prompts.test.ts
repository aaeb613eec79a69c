// Values in prompts, lookup of nudges, fences, and the changes that prompt hashes detect.
import { describe, expect, test } from "bun:test";
import { PROMPT_HASHES, PROMPTS, PROMPTS_SHA256 } from "../../src/author/prompts.ts";
import { fenceCode, fenceData } from "../../src/conversation/fence.ts";
import { readNudges } from "../../src/conversation/nudges.ts";
import { hashPrompts, render } from "../../src/conversation/prompts.ts";
import { hashJson } from "../../src/core/hash.ts";

describe("templates", () => {
  test("a value that looks like a placeholder is inserted as it is", () => {
    expect(render("a {{x}} b {{y}}", { x: "{{y}} $& $1", y: "2" })).toBe("a {{y}} $& $1 b 2");
  });
  test("a placeholder without a value and a value without a placeholder are bugs", () => {
    expect(() => render("{{x}}", {})).toThrow(/uses x/);
    expect(() => render("", { x: "1" })).toThrow(/no placeholder for x/);
  });
});

describe("nudges", () => {
  const nudge = readNudges(
    "About them.\n\n## one\nUse `{{tool}}`.\n\n## two\nNothing of it.\nSecond line.\n",
  );
  test("they are found by heading, complete and without the text above", () => {
    expect(nudge("one", { tool: "t" })).toBe("Use `t`.");
    expect(nudge("two")).toBe("Nothing of it.\nSecond line.");
  });
  test("offered values are optional, required values are not", () => {
    expect(nudge("two", { tool: "t" })).toBe("Nothing of it.\nSecond line.");
    expect(() => nudge("one")).toThrow(/uses tool/);
  });
  test("an unknown name is a bug", () => {
    expect(() => nudge("no_such")).toThrow(/no nudge named no_such/);
  });
});

describe("hashes", () => {
  const texts = { system_a: "A", system_b: "B", nudges: "N" };
  const roles = { a: ["system_a", "nudges"], b: ["system_b", "nudges"] } as const;
  const before = hashPrompts(texts, roles);
  test("a change for one role changes its hash and that of the loop, not the other role's", () => {
    const after = hashPrompts({ ...texts, system_b: "B." }, roles);
    expect(after.all).not.toBe(before.all);
    expect(after.roles.b).not.toBe(before.roles.b);
    expect(after.roles.a).toBe(before.roles.a);
  });
  test("a change for both roles changes both hashes", () => {
    const after = hashPrompts({ ...texts, nudges: "N." }, roles);
    expect(after.roles.a).not.toBe(before.roles.a);
    expect(after.roles.b).not.toBe(before.roles.b);
  });
  test("the hash of the item loop covers its own texts only, as in manifests", () => {
    expect(PROMPTS_SHA256).toBe(hashJson(PROMPTS));
    expect(new Set(Object.values(PROMPT_HASHES.roles)).size).toBe(3);
  });
});

describe("fences", () => {
  test("code with backticks gets a longer fence", () => {
    expect(fenceCode("js", "const f = '```';")).toBe("````js\nconst f = '```';\n````");
  });
  test("a label cannot break out of the fence", () => {
    expect(fenceData("a\nb", "x").split("\n")[0]).toMatch(/^<<<DATA [0-9a-f]{12} a b$/);
  });
});
