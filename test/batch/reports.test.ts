// The reports of a batch of the real program: one item accepted after repairs, one that needs review, one with an
// unusable page.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { silentDeclarations } from "../../src/contract/declarations.ts";
import { escapeHtml } from "../../src/report/escape.ts";
import { removeRunningProjects, startProject } from "../loops/item/project.ts";
import { ALL_STAGES, pageOf, scriptedModel } from "../loops/item/scripted.ts";
import { Browser } from "../report/chromium.ts";
import type { Script } from "../support/model-server.ts";

let root: string;
let page: string;

beforeAll(async () => {
  const declares = {
    ...silentDeclarations("atom_a"),
    ...silentDeclarations("config"),
    check: { value: "patterns", quote: "two patterns on the value" },
    waivers: { value: "none", quote: "No waivers." },
  } as const;
  const model = scriptedModel({ ...ALL_STAGES, declares });
  const script: Script = (request, number) =>
    JSON.stringify(request.messages).includes("ASK-2")
      ? {
          tool_calls: [
            {
              name: "ask_person",
              arguments: {
                reasons: ["<b>two</b> columns"],
                questions: ["Which column, <script>1</script>?"],
              },
            },
          ],
        }
      : model(request, number);
  const project = startProject(script, { ids: ["CLK-1", "ASK-2"] });
  root = project.root;
  writeFileSync(join(project.specs, "BAD-3_ItemSpec.md"), pageOf("BAD-3").replace("`core`", "{TODO: name}"));
  const files = ["--html", "out/r.html", "--junit", "out/j.xml", "--sarif", "out/s.json"];
  const run = await project.print("batch", "specs", ...files);
  expect(run.code).toBe(2);
  page = readFileSync(join(root, "out/r.html"), "utf8");
}, 40_000);
afterAll(removeRunningProjects);

test("the page shows attempts with differences, gates, records beside their lines and the conversation", () => {
  expect(page).toContain("<title>Batch results: 1 errors, 0 interrupted, 1 need review, 1 accepted</title>");
  expect(page).toContain("Attempt 1: atom_a.js");
  expect(page).toContain("Attempt 2: atom_a.js");
  expect(page).toContain('<span class="added">+       line_number: i + 1,</span>');
  expect(page).toContain('<span class="removed">-       line_number: i + 2,</span>');
  expect(page).toContain("Gates by attempt");
  expect(page).toContain('<tr class="hit"><th scope="row">3</th><td>CLOCK core period 1.25 ns</td></tr>');
  expect(page).toContain("== reflect_a, iteration 2 ==");
  expect(page).toContain("clocks.rpt, ");
});

test("the page shows the author's declarations with quotes, and the defaults for a silent page", () => {
  for (const text of [
    "Declared, with quotes from the page",
    "records: all (the page is silent, so the default applies)",
    "expect: present (the page is silent: what is checked must be present)",
    "extra: fail (the page is silent on other records: they fail)",
    'check: patterns ("two patterns on the value")',
  ]) {
    expect(page).toContain(escapeHtml(text));
  }
});

test("items that need review come first with their command, and text of a model is escaped", () => {
  expect(page).toContain("ASK-2 needs review: atomsmith resume ASK-2 --hint");
  expect(page).not.toContain("<script>1");
  expect(page).toContain("Which column, &lt;script&gt;1&lt;/script&gt;?");
  expect(page.match(/<script/g)).toHaveLength(1);
});

test("JUnit reports accepted as passed, human_required as failure and an unusable page as error", () => {
  const junit = readFileSync(join(root, "out/j.xml"), "utf8");
  expect(junit).toContain('tests="3" failures="1" errors="1" skipped="0"');
  expect(junit).toContain('<testcase name="CLK-1" classname="batch"');
  expect(junit).toContain("{TODO: name}");
});

test("SARIF locates findings in the pages", () => {
  const sarif = JSON.parse(readFileSync(join(root, "out/s.json"), "utf8"));
  const [run] = sarif.runs;
  expect(run.invocations).toEqual([{ executionSuccessful: false }]);
  const found = run.results.map((one: { ruleId: string }) => one.ruleId);
  expect(found).toEqual(["atomsmith/human_required", "atomsmith/error"].sort().reverse());
  expect(JSON.stringify(run.results[0].locations)).toContain("ASK-2_ItemSpec.md");
});

describe("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.start();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
  });

  test("the page opens from a file without errors, and code can be opened by keyboard", async () => {
    const url = pathToFileURL(join(root, "out/r.html")).href;
    await browser.resize(1280, 900);
    await browser.open(url);
    await browser.evaluate(`document.getElementById("open").click()`);
    expect(await browser.evaluate(`document.querySelectorAll("details.item[open]").length`)).toBe(3);
    expect(await browser.evaluate(`document.querySelector("#item-CLK-1 details.code").open`)).toBe(false);
    await browser.evaluate(`document.querySelector("#item-CLK-1 details.code > summary").focus()`);
    await browser.press("Enter");
    expect(await browser.evaluate(`document.querySelector("#item-CLK-1 details.code").open`)).toBe(true);
    expect(browser.requests()).toEqual([url]);
    expect(browser.complaints()).toEqual([]);
    await browser.resize(360, 800);
    const wide = await browser.evaluate<string[]>(
      `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1
        && !e.closest("pre, .context, .tablebox, .skip")).map((e) => e.tagName + "." + e.className)`,
    );
    expect(wide).toEqual([]);
  }, 30_000);
});
