/// <reference lib="dom" />
// The page of a job in a real Chromium: a finished job of three phases, a stuck one with hostile texts, one at work.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../../support/chromium.ts";
import { cli, cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { startLine } from "./record.ts";
import { call, jobScript } from "./script.ts";

const folder = folders("agent-page");
const CASSETTES = join(import.meta.dir, "../../../fixtures/agent/cassettes");
const HOSTILE = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>"'\`\u202e${"w".repeat(300)}`;

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
}, 120_000);
afterAll(() => browser.close());

async function pageOf(job: string, cwd: string): Promise<string> {
  const { code, stderr } = await cli(["agent", "show", job, "--html", "out/job.html"], { cwd });
  expect([code, stderr]).toEqual([0, ""]);
  return join(cwd, "out/job.html");
}

async function look(file: string, options: object): Promise<{ page: Page; said: string[] }> {
  const page = await browser.newPage(options);
  const said: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => request.url() !== pathToFileURL(file).href && said.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, said };
}

/** Fits the width, loads nothing, logs no errors, and has no serious axe violations; expanded and collapsed. */
async function isWhole(file: string): Promise<void> {
  for (const width of [1280, 375]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, said } = await look(file, { viewport: { width, height: 800 }, colorScheme });
      for (const button of ["#close", "#open"]) {
        await page.click(button);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([width, button, wide]).toEqual([width, button, 0]);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<axe.AxeResults> } }).axe.run(),
        );
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        expect(serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
      }
      expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
      expect(said).toEqual([]);
      await page.close();
    }
  }
}

test("a finished job of three phases", async () => {
  const cwd = folder();
  const replay = ["-c", "llm.agent.provider=replay", "--cassettes", CASSETTES, "--events", "events.jsonl"];
  expect((await cliJson([...startLine("researcher"), ...replay], { cwd })).code).toBe(0);
  const file = await pageOf("researcher", cwd);
  await isWhole(file);

  const { page } = await look(file, { viewport: { width: 1280, height: 800 } });
  const text = async (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();
  expect(await text(".item .id")).toEqual([
    "Bootstrap",
    "Phase 1: Part 1",
    "Phase 2: Part 2",
    "Phase 3: Part 3",
    "Final review",
  ]);
  expect(await text(".item .badge")).toEqual(["DONE", "DONE", "DONE", "DONE", "DONE"]);
  const why = await text(".item .why");
  expect(why[1]).toStartWith("12 of 12 todos, ");
  // The plot has a bar for each request, as large as the event said.
  const events = readFileSync(join(cwd, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const sizes = events.filter(({ type }) => type === "context");
  const path = (await page.getAttribute(".plot path.s0", "d")) ?? "";
  expect(path.match(/M/g)).toHaveLength(sizes.length);
  expect(await page.getAttribute(".plot svg", "aria-label")).toContain(
    Math.max(...sizes.map((size) => size.total_tokens)).toLocaleString("en-US"),
  );
  expect(await page.locator(".plot .mark").count()).toBe(4);
  // Every request once, with its calls and results.
  expect(await page.locator(".item details.code").count()).toBe(sizes.length);
  const shown = await page.locator(".item").nth(1).locator("pre").allTextContents();
  expect(shown.join("\n")).toContain("Written to output/Phase_1_step_1.md, 3 lines");
  expect(shown.join("\n")).not.toContain("no result is stored");
  // Results.
  expect(await page.locator(".overview").innerText()).toContain("output/report.md");
  expect((await page.locator(".overview pre").allTextContents()).join("\n")).toContain(
    "# Generate summary report",
  );
  await page.close();
}, 180_000);

test("a stuck job is shown as such; text of the model stays text", async () => {
  const server = startModelServer(
    jobScript({
      phases: [5],
      before: (request, task) => {
        const said = request.messages.at(-1)?.content ?? "";
        if (said.includes("create_todos"))
          return call("todo_write", { todos: [HOSTILE, "b", "c", "d", "e"] });
        return task?.phase.startsWith("Part") ? { content: HOSTILE } : undefined;
      },
    }),
  );
  const cwd = folder();
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m"];
  const run = ["agent", "run", "--config", "researcher", "--description", HOSTILE, "--job-id", "h", ...model];
  expect((await cliJson(run, { cwd })).code).toBe(3);
  await server.stop();
  const file = await pageOf("h", cwd);
  await isWhole(file);
  const { page } = await look(file, { viewport: { width: 375, height: 740 } });
  const notices = (await page.locator(".notice").allInnerTexts()).join("\n");
  expect(notices).toContain(
    "Stuck in Part 1: the same text was returned 3 times in a row; measure: checkpoint.",
  );
  expect(notices).toContain("Waits for the user (stuck)");
  expect(await page.locator(".item .badge").allInnerTexts()).toEqual([
    "DONE",
    "REWOUND",
    "stuck",
    "NOW",
    "stuck",
  ]);
  expect(readFileSync(file, "utf8")).not.toContain("\u202e");
  await page.close();
}, 120_000);

test("a job that has not started, and one in progress", async () => {
  const cwd = folder();
  const file = async (): Promise<string> => readFileSync(await pageOf("n", cwd), "utf8");
  expect(
    (await cli(["agent", "submit", "--config", "tidy", "--description", "x", "--job-id", "n"], { cwd })).code,
  ).toBe(0);
  expect(await file()).toContain("Job n: created");
  let during = "";
  const server = startModelServer(async (request) => {
    if (during === "" && request.messages.length > 4) during = await file();
    return jobScript({ phases: [5] })(request);
  });
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m"];
  expect((await cli(["agent", "resume", "n", ...model], { cwd })).code).toBe(0);
  await server.stop();
  expect(during).toContain("Job n: processing");
  expect(during).toContain("generate_workspace_summary");
  expect(await file()).toContain("Job n: completed");
}, 60_000);

test("a directory is refused as the page", async () => {
  const cwd = folder({ "out/x": "" });
  await cli(["agent", "submit", "--config", "tidy", "--description", "x", "--job-id", "n"], { cwd });
  const { code, stderr } = await cli(["agent", "show", "n", "--html", "out"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain("--html out is a directory");
});
