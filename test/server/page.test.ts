/// <reference lib="dom" />
// The page in a real Chromium: every view, user journeys, hostile texts, narrow and wide, light and dark.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { loadPage } from "../../src/server/pages.ts";
import { startChromium } from "../support/chromium.ts";
import { type Served, serveFixtures } from "../support/serve.ts";

const HOSTILE = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>"'\`\u202eabc\u0007`;

let server: Served;
let browser: Browser;
let check: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    serveFixtures({ items: ["STA-03", "IRD-10", "LVS-05"] }),
    startChromium(),
  ]);
  expect((await server.job("batch")).exit_code).toBe(3);
  check = (await server.job("check")).id;
  await server.context.items.settled();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await server.drop();
});

/** Opens an address and collects the errors of the console. */
async function open(
  address: string,
  options: object = {},
): Promise<{ page: Page; context: BrowserContext; consoleErrors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && consoleErrors.push(message.text()),
  );
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  await page.goto(`${server.url}#/${address}`);
  await page.waitForSelector("h1");
  return { page, context, consoleErrors: consoleErrors };
}

const VIEWS = (): string[] => [
  "",
  "items",
  "items/STA-03",
  "items/IRD-10",
  ...["page", "atoms", "gates", "attempts", "conversation", "records", "logs?line=12", "label"].map(
    (part) => `items/STA-03/${part}`,
  ),
  "checks",
  `checks/${check}`,
  `checks/${check}/STA-03`,
  "jobs",
  `jobs/${check}`,
  "nowhere",
];

describe.each([
  ["wide and light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
  ["375 px and dark", { viewport: { width: 375, height: 740 }, colorScheme: "dark" }],
] as const)("%s", (_, look) => {
  test("every view renders, fits, and has no serious axe violations", async () => {
    const { page, context, consoleErrors: said } = await open("", look);
    await page.evaluate(axe.source);
    for (const view of VIEWS()) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${view}`);
      await page.waitForSelector(view === "nowhere" ? "text=View not found" : "h1");
      await page.waitForFunction(() => document.querySelector(".loading") === null);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([view, wide]).toEqual([view, 0]);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<axe.AxeResults> } }).axe.run(),
      );
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${view}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    }
    expect(said).toEqual([]);
    await context.close();
  }, 120_000);
});

describe("user journeys", () => {
  test("from the overview to a violation and its line in the log", async () => {
    const { page, context } = await open("");
    await page.click("text=/\\d pass/");
    await page.click(`a.row:has-text("STA-03")`);
    await page.click("text=sta/func_ss.log:9");
    await page.waitForSelector(".line.chosen");
    expect(await page.textContent(".line.chosen")).toContain("soc_top.max.spef.gz");
    expect(page.url()).toContain("line=9");
    await context.close();
  }, 30_000);

  test("a job is started, followed live in two tabs, and its results are opened", async () => {
    const { page, context } = await open("checks");
    const other = await context.newPage();
    await other.goto(`${server.url}#/jobs`);
    await page.click("text=Check all and compare");
    await page.waitForSelector("text=run finished");
    await page.click("text=Results");
    await page.waitForSelector("text=Since the earlier check");
    await other.waitForFunction(() => document.querySelectorAll("li a.row .state.good").length >= 2);
    await context.close();
  }, 60_000);

  test("a line is marked by keyboard and mouse, and the example is written into the page", async () => {
    const source = readFileSync(join(server.dir, "items/STA-03_ItemSpec.md"), "utf8");
    const path = join(server.dir, "items/NEW-2_ItemSpec.md");
    writeFileSync(path, source.replace(/```example[\s\S]*?```\n/g, "").replaceAll("STA-03", "NEW-2"));
    server.context.items.refresh();
    await server.context.items.settled();
    const { page, context } = await open("items/NEW-2/label");
    await page.fill("text=Lines with >> input", "Reading netlist");
    await page.focus(".kinds button");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".words button");
    const words = page.locator(".words button");
    await words.nth((await words.count()) - 1).click();
    await page.click("text=Mark as value");
    await page.click("text=Add the example");
    await page.waitForSelector("text=1 not yet written");
    await page.click("text=Write into the page");
    await page.waitForSelector("text=Written at line");
    expect(readFileSync(path, "utf8")).toContain("```example");
    await context.close();
  }, 60_000);

  test("the log is read by keyboard and searched", async () => {
    const log = join(server.dir, "logs/sta/func_ss.log");
    const before = readFileSync(log);
    writeFileSync(log, gzipSync(Array.from({ length: 400_000 }, (_, i) => `row ${i + 1}\n`).join("")));
    const { page, context } = await open("items/STA-03/logs");
    await page.waitForSelector("text=400,000 lines");
    await page.focus(".lines");
    await page.keyboard.press("End");
    await page.waitForSelector("text=row 400000");
    await page.keyboard.press("Home");
    await page.waitForSelector("text=/row 1$/");
    await page.fill("text=Search >> input", "row 123456");
    await page.keyboard.press("Enter");
    await page.click(".hits button");
    await page.waitForSelector(".line.chosen >> text=row 123456");
    await context.close();
    writeFileSync(log, before);
  }, 60_000);
});

test("text of logs, pages, atoms and names is never executed or used as markup", async () => {
  const log = join(server.dir, "logs/sta/func_ss.log");
  const before = readFileSync(log, "utf8");
  writeFileSync(log, before.replaceAll("Reading parasitics", `Reading parasitics ${HOSTILE}`) + HOSTILE);
  const page_ = join(server.dir, "items/STA-03_ItemSpec.md");
  const source = readFileSync(page_, "utf8");
  writeFileSync(page_, `${source}\n${HOSTILE}\n\n- ${HOSTILE}\n\n\`${HOSTILE.replaceAll("`", "")}\`\n`);
  writeFileSync(
    join(server.dir, "output/LVS-05/atom_a.js"),
    `// ${HOSTILE}\n"${HOSTILE.replaceAll('"', "")}"`,
  );
  const hostileCheck = await server.job("check", { items: ["STA-03", "LVS-05"], unverified: true });
  const { page, context, consoleErrors: said } = await open("");
  for (const view of [
    "items/STA-03/page",
    "items/STA-03/logs?line=9",
    "items/LVS-05/atoms",
    "items/STA-03/label",
    `checks/${hostileCheck.id}/STA-03`,
    `checks/${hostileCheck.id}/LVS-05`,
    `jobs/${hostileCheck.id}`,
    `items/${encodeURIComponent(HOSTILE)}`,
    encodeURIComponent(HOSTILE),
  ]) {
    await page.goto(`${server.url}#/${view}`);
    await page.waitForFunction(
      () => document.querySelector(".loading") === null && document.querySelector("main")?.textContent !== "",
    );
    await page.waitForTimeout(150);
    const found = await page.evaluate(() => ({
      hit: (globalThis as { hit?: number }).hit,
      images: document.querySelectorAll("#app img, #app script").length,
      hidden: /[\u202e\u0007]/.test(document.body.textContent ?? ""),
    }));
    expect([view, found]).toEqual([view, { hit: undefined, images: 0, hidden: false }]);
  }
  await page.goto(`${server.url}#/items/STA-03/page`);
  await page.waitForSelector("text=<img src=x");
  expect(said.filter((text) => !/404|400/.test(text))).toEqual([]);
  await context.close();
}, 60_000);

test("the page asks once for the token", async () => {
  const token = "0123456789abcdef-token";
  const locked = await serveFixtures({ token });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(locked.url);
  await page.fill("input[name=token]", "wrong-token-wrong");
  await page.click("text=Open");
  await page.waitForSelector(".problem:has-text('wrong token')");
  await page.fill("input[name=token]", token);
  await page.click("text=Open");
  await page.waitForSelector("h1:has-text('Overview')");
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await page.reload();
  await page.waitForSelector("h1:has-text('Overview')");
  await context.close();
  await locked.drop();
}, 30_000);

test("the page is under 300 KB compressed", async () => {
  const bytes = Object.values(await loadPage()).reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThan(300_000);
});
