/// <reference lib="dom" />
// The views of design projects, agents and the factory in a real Chromium: user journeys, two users at once, narrow
// and wide, light and dark, axe. PICTURES=DIR saves a picture of each.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { addItem, type Loops, ORDER, serveLoops } from "./loops.ts";

setDefaultTimeout(120_000);
let server: Loops;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([serveLoops(["DRC-04"]), startChromium()]);
  await server.job("batch");
  await server.context.items.settled();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

async function open(
  address: string,
  look: object = {},
): Promise<{ page: Page; context: BrowserContext; consoleErrors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
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

test("design: a project is created, discussed, decided by two users, run and undone", async () => {
  const { page, context, consoleErrors: said } = await open("design");
  await page.fill("text=Name >> input", "signoff");
  await page.click("button:text-is('Create')");
  await page.waitForSelector("h1:has-text('signoff')");
  await page.fill("text=Decisions are recorded as >> input", "Ann");
  server.replies.push({
    assistant_message: "One item, and a look at its page.",
    proposed_patches: addItem(server, "DRC-04"),
    run_request: { run: true, run_until: "lint", reason: "to see its page", expected_signal: "no findings" },
  });
  await page.fill("text=Your message >> textarea", "The DRC summary belongs to it.");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("text=Approve 0001");
  expect(await page.isDisabled("text=Approve the run")).toBe(true);
  // A second user has the same project open and sees the decision without any action.
  const other = await open("design/signoff/patches");
  await other.page.waitForSelector("text=Approve 0001");
  await page.fill("text=Reason >> input", "agreed");
  await page.click("text=Approve 0001");
  await other.page.waitForSelector("a.row:has-text('Ann') .state:has-text('approved')");
  expect(await other.page.locator("text=Approve 0001").count()).toBe(0);
  await page.click("text=Approve the run");
  await page.click("nav.tabs >> text=Run");
  await page.waitForSelector("summary:has-text('run_0001') .state.good");
  await page.click("text=its files");
  await page.click("a.row:has-text('report.json')");
  await page.waitForSelector(".line");
  await page.click("nav.tabs >> text=Reports");
  await page.waitForSelector("text=version 2");
  await page.click("nav.tabs >> text=Patches");
  await page.click("text=Undo the last approved patch");
  await page.waitForSelector("text=spec version 3");
  await page.click("nav.tabs >> text=Spec");
  await page.click("text=Edit the spec");
  await page.fill("text=Operations >> textarea", JSON.stringify(addItem(server, "DRC-04")));
  await page.click("button:text-is('Apply')");
  await page.waitForSelector("text=spec version 4");
  await page.fill("text=Operations >> textarea", '[{"op": "remove", "path": "/nothing"}]');
  await page.click("button:text-is('Apply')");
  await page.waitForSelector(".problem:has-text('/nothing')");
  expect(said.filter((text) => !text.includes("409"))).toEqual([]);
  await other.context.close();
  await context.close();
});

test("form input survives an update that aborts a request while its response is being read", async () => {
  const { page, context, consoleErrors: said } = await open("design/signoff/spec");
  // A slow network: the response starts but does not complete before it is aborted.
  await page.evaluate(() => {
    const send = globalThis.fetch;
    const slow = async (path: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const response = await send(path, init);
      if (!String(path).endsWith("/spec")) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(bytes.slice(0, 20));
          init?.signal?.addEventListener("abort", () => controller.error(new DOMException("", "AbortError")));
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    };
    Object.assign(globalThis, { fetch: slow });
  });
  await page.click("text=Edit the spec");
  await page.fill("text=Operations >> textarea", "half of a thought");
  for (let update = 0; update < 3; update += 1) {
    server.context.hub.publish({ type: "design_changed", subject: "signoff" });
    await page.waitForTimeout(400);
  }
  expect(await page.isVisible("text=Operations >> textarea")).toBe(true);
  expect(await page.inputValue("text=Operations >> textarea")).toBe("half of a thought");
  expect(said).toEqual([]);
  await context.close();
});

test("a violation is waived from its check as a patch of the project", async () => {
  const check = await server.job("check", { items: ["DRC-04"] });
  const { page, context } = await open(`checks/${check.id}/DRC-04`);
  await page.click("text=Waive … >> nth=0");
  await page.fill("text=Why it is waived >> input", "ticket 4711");
  const patch = await page.textContent("form.question pre");
  // The waivers of the item's own config are kept.
  const [operation] = JSON.parse(patch ?? "");
  expect(operation).toMatchObject({ op: "add", path: "/items/DRC-04/waivers" });
  expect(Object.keys(operation.value)).toEqual(["density.*", "li.3", "regex:^met4\\.", "m1.6"]);
  await page.click("text=Apply to signoff");
  await page.waitForSelector("figcaption:has-text('/items/DRC-04/waivers')");
  await context.close();
  const { spec } = await server.get<{ spec: { items: Record<string, { waivers: object }> } }>(
    "/api/design/signoff/spec",
  );
  expect(spec.items["DRC-04"]?.waivers).toMatchObject({ "m1.6": "ticket 4711" });
});

test("agents: a job is started with a document, waits, is answered, and its turns and files are shown", async () => {
  server.script.confidence = 0.2;
  const notes = join(server.dir, "notes.md");
  writeFileSync(notes, "# Notes\n\nThe limit is 5.\n");
  const { page, context, consoleErrors: said } = await open("agents");
  await page.selectOption("text=Agent >> select", "tidy");
  await page.fill("text=Task >> textarea", "Sort the notes");
  await page.setInputFiles("input[type=file]", notes);
  await page.click("button:has-text('Start')");
  await page.click("text=The agent");
  await page.waitForSelector("text=Needs review");
  expect(await page.textContent(".phases")).toContain("Part 2");
  expect(await page.textContent(".display")).toContain("ACTIVE TODO LIST");
  server.script.confidence = 0.9;
  await page.fill("text=Your answer >> textarea", "Be sure.");
  await page.click("text=Answer and resume");
  await page.click("text=The agent");
  await page.waitForSelector("h1 .state:has-text('completed')");
  await page.click("nav.tabs >> text=Turns");
  await page.waitForSelector("details[open] .reply");
  await page.click("nav.tabs >> text=Files");
  await page.click("a.row:has-text('documents/notes.md')");
  await page.waitForSelector(".line:has-text('The limit is 5.')");
  // The store lists the job shortly after its start.
  expect(said.filter((text) => !text.includes("404"))).toEqual([]);
  await context.close();
});

test("factory: a work order is executed, and its difference and output are shown", async () => {
  const { page, context, consoleErrors: said } = await open("factory");
  await page.click("summary:has-text('A work order')");
  await page.fill("text=Work order (JSON) >> textarea", "{");
  await page.click("text=Run the order");
  await page.waitForSelector(".problem:has-text('not valid JSON')");
  await page.fill("text=Work order (JSON) >> textarea", JSON.stringify(ORDER));
  await page.fill("text=Commit on the branch >> input", "wo-02");
  await page.click("text=Run the order");
  await page.waitForSelector("text=order finished");
  await page.click("text=The runs");
  await page.click("a.row:has-text('WO-02')");
  await page.waitForSelector(".diff .added:has-text('replaceAll')");
  await page.click("summary code");
  await page.click("details details a >> nth=0");
  await page.waitForSelector(".line");
  expect(said).toEqual([]);
  await context.close();
});

const VIEWS = async (): Promise<string[]> => {
  const { jobs } = await server.get<{ jobs: { job_id: string }[] }>("/api/agents");
  const { runs } = await server.get<{ runs: { id: string }[] }>("/api/factory");
  const { checks } = await server.get<{ checks: { id: string }[] }>("/api/checks");
  const agent = `agents/${jobs[0]?.job_id}`;
  const run = `factory/${runs[0]?.id}`;
  const design = ["", "/spec", "/spec/2", "/patches/0001", "/patches/0003", "/run", "/artifacts", "/reports"];
  return [
    "",
    `checks/${checks[0]?.id}/DRC-04?line=8`,
    "items/DRC-04",
    "design",
    ...design.map((part) => `design/signoff${part}`),
    "agents",
    agent,
    `${agent}/turns/7`,
    `${agent}/files?file=main_plan.md`,
    "factory",
    run,
    `${run}/attempts/1`,
    `${run}/order`,
    `${run}/files`,
  ];
};

test.each([
  ["wide-light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
  ["narrow-dark", { viewport: { width: 375, height: 740 }, colorScheme: "dark" }],
] as const)("every view renders, fits, and has no serious axe violations: %s", async (name, look) => {
  const { page, context, consoleErrors: said } = await open("", look);
  await page.evaluate(axe.source);
  for (const view of await VIEWS()) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${view}`);
    await page.waitForSelector("h1");
    await page.waitForFunction(() => document.querySelector(".loading") === null);
    await page.waitForTimeout(150);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([view, wide]).toEqual([view, 0]);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<axe.AxeResults> } }).axe.run(),
    );
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => `${view}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const pictures = process.env["PICTURES"];
    if (pictures !== undefined) {
      const file = `${name}-${view.replaceAll(/[^A-Za-z0-9]+/g, "_") || "overview"}.png`;
      await page.screenshot({ path: join(pictures, file) });
    }
  }
  expect(said).toEqual([]);
  await context.close();
});

test("print shows the content without navigation and actions", async () => {
  const { page, context } = await open("design/signoff/patches");
  await page.emulateMedia({ media: "print" });
  expect(await page.isVisible("nav.tabs")).toBe(false);
  expect(await page.isVisible("text=Undo the last approved patch")).toBe(false);
  expect(await page.isVisible("h1")).toBe(true);
  await context.close();
});
