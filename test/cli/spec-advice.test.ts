// Advice of `spec lint` about possible authors and about checks that need a field; fallbacks that are errors now.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, cliJson } from "../support/cli.ts";

const root = mkdtempSync(join(tmpdir(), "atomsmith-advice-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const EXAMPLE = "```example\nblk_a cov 71.5\n---\nvalue: blk_a\ncov: 71.5\n```";
function page(name: string, example: string, check: string): string {
  const path = join(root, `${name}_ItemSpec.md`);
  const text = `# ItemSpec: ${name}\n## 1. Parsing Logic\nBlocks.\n${example}\n## 2. Check Logic\nGood ones.\n${check}\n## 3. Waiver Logic\nN/A\n## 4. Implementation Guide\n### 4.1 Data Source\n\`a.log\`\n### 4.2 Special Scenarios\nNone.\n### 4.3 Test Data\n`;
  writeFileSync(path, text);
  return path;
}
const check = (requirements: string) => `\`\`\`check\nrequirements: ${requirements}\nwaivers: N/A\n\`\`\``;

interface Lint {
  pages: {
    findings: { code: string; message: string }[];
    authors: { offline: boolean; missing: string[] };
  }[];
}
async function lint(path: string) {
  const { document } = await cliJson(["spec", "lint", path], { cwd: root });
  const [only] = (document as Lint).pages;
  if (only === undefined) throw new Error("no page");
  return only;
}

test("each page states which author could work on it, and why not", async () => {
  const whole = page("A", EXAMPLE, check("{value: 1, pattern_items: [blk_a]}"));
  expect((await lint(whole)).authors).toMatchObject({ offline: true, missing: [] });
  const bare = page("B", "", "");
  const { authors } = await lint(bare);
  expect(authors.offline).toBe(false);
  expect(authors.missing.join()).toContain("worked example");
  expect(authors.missing.join()).toContain("check block");
  const text = await cli(["spec", "lint", whole, bare], { cwd: root });
  expect(text.stdout).toContain("author: offline or any model");
  expect(text.stdout).toContain("not the offline author, because section 1 has no worked example");
});

test("an empty section 4.3 is not a finding", async () => {
  expect((await lint(page("C", EXAMPLE, ""))).findings).toEqual([]);
});

test("a check that needs a field reports unknown fields, and patterns found in a field only", async () => {
  const codes = async (name: string, requirements: string) =>
    (await lint(page(name, EXAMPLE, check(requirements)))).findings.map(({ code }) => code);
  expect(await codes("D", "{value: N/A, where: {coverage: {at_least: 60}}}")).toEqual([
    "where_field_unknown",
  ]);
  expect(await codes("E", "{value: N/A, where: {cov: {at_least: 60}}}")).toEqual([]);
  expect(await codes("F", '{value: 1, pattern_items: ["71.5"]}')).toEqual(["pattern_on_field"]);
  expect(await codes("G", "{value: 1, pattern_items: [blk]}")).toEqual([]);
});

test("a server without a model is an error, a model without a key is reported, --model applies to every role", async () => {
  mkdirSync(join(root, "logs"), { recursive: true });
  writeFileSync(join(root, "logs", "a.log"), "blk_a cov 71.5\n");
  const spec = page("H", EXAMPLE, check("{value: 1, pattern_items: [blk_a]}"));
  const generate = ["generate", spec, "--search-root", "logs"];
  const server = "-c=llm.agent_a.base_url=http://127.0.0.1:9/v1";
  const nameless = await cliJson([...generate, ...server.split(/(?<=^-c)=/)], { cwd: root });
  expect(nameless.code).toBe(2);
  expect(JSON.stringify(nameless.document)).toContain("llm.agent_a.model is not set");

  const keyless = await cli([...generate, "--model", "some-model"], { cwd: root });
  expect(keyless.stderr).toContain("a model is configured, but OPENAI_API_KEY is not set");
  const shown = await cliJson(["doctor", "--provider"], {
    cwd: root,
    env: { ATOMSMITH_LLM__AGENT_A__PROVIDER: "offline" },
  });
  expect(JSON.stringify(shown.document)).toContain("no calls to make: agent_a (offline)");
}, 30_000);
