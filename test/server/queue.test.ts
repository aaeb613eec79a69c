/// <reference lib="dom" />
// The queue in the page and in the metrics, over a real PostgreSQL: content, actions, live updates, and a database
// outage. PICTURES=DIR saves a picture of each view.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type ClaimedJob, FleetLimits, Queue, sendHeartbeat, submitJobs } from "../../src/queue/index.ts";
import { submissionSchema } from "../../src/queue/types.ts";
import type { QueueWire } from "../../src/server/wire/queue.ts";
import { startChromium } from "../support/chromium.ts";
import { TestPostgres } from "../support/postgres.ts";
import { type Served, serveFixtures } from "../support/serve.ts";

setDefaultTimeout(60_000);
const HOSTILE = `<img src=x onerror="window.hit=1">"\u202eabc`;
const SUBMISSION = "5b0c6b53-7a3f-4f0e-9d2e-0a50b1f6f5a1";

let postgres: TestPostgres;
let queue: Queue;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  [postgres, browser] = await Promise.all([TestPostgres.start(), startChromium()]);
  queue = await Queue.open(postgres.url(), {
    application: "test",
    connections: 4,
    supervise: true,
    maxAttempts: 2,
    warn: () => undefined,
  });
  server = await serveFixtures({ env: { ATOMSMITH_QUEUE: postgres.url() } });
});
afterAll(async () => {
  await server?.drop();
  await queue?.close();
  await browser?.close();
  await postgres?.stop();
});

/** Jobs of one submission with limits of cost, tokens and calls. */
async function submit(...subjects: string[]): Promise<void> {
  const submission = submissionSchema.parse({
    format: 1,
    kind: "item",
    project: "nightly",
    host: "ci-1",
    program: "x",
    config: { llm: { max_concurrency: 3 } },
    root: null,
    own_files: [],
    seed: 0,
    command_flags: [],
    store: "postgres",
    max_cost_usd: 2,
    max_tokens: 50_000,
    options: {},
  });
  const jobs = subjects.map((subject) => ({
    subject,
    inputs: subject,
    payload: "{}",
    files: [],
    turns: [],
    checkpoint: undefined,
  }));
  await submitJobs(queue, SUBMISSION, submission, jobs);
}

async function claim(worker: string): Promise<ClaimedJob> {
  const [job] = await queue.claim("item", 1, [], worker);
  if (job === undefined) throw new Error("nothing to claim");
  return job;
}

/** Makes a job fail until it is a dead letter. */
async function failUntilDead(worker: string, reason: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await waitUntil(async () => {
      const [job] = await queue.claim("item", 1, [], worker);
      if (job !== undefined) await queue.fail(job, worker, reason);
      return job !== undefined;
    });
  }
  await waitUntil(async () => (await queue.markDead()) > 0);
}

function heartbeat(id: string, running: number, refused: string | null = null): Promise<boolean> {
  const facts = {
    id,
    host: "m1",
    version: "1.0.0",
    kinds: ["item", "check"],
    roots: ["nightly"],
    concurrency: 4,
  };
  return sendHeartbeat(queue, facts, { running, done: 7, refused });
}

async function waitUntil(done: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 25_000;
  while (!(await done())) {
    if (performance.now() > limit) throw new Error("it did not happen within 25 s");
    await Bun.sleep(100);
  }
}

/** The metrics of the queue by name and labels. */
async function metrics(jobOf: Served = server): Promise<Map<string, number>> {
  const text = await (await fetch(new URL("/metrics", jobOf.url))).text();
  const lines = text.split("\n").filter((line) => line.startsWith("atomsmith_queue"));
  return new Map(
    lines.map((line) => [line.slice(16, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

async function open(
  look: object = {},
  at = server,
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
  await page.goto(`${at.url}#/queue`);
  await page.waitForSelector("h1");
  await page.waitForFunction(() => document.querySelector(".loading") === null);
  return { page, context, consoleErrors: consoleErrors };
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<axe.AxeResults> } }).axe.run(),
  );
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
}

test("without a queue the view explains how to configure one, and the metrics have none", async () => {
  const without = await serveFixtures();
  const { page, context, consoleErrors: said } = await open({}, without);
  await page.waitForSelector("text=No queue is configured");
  expect(await page.textContent("main")).toContain("ATOMSMITH_QUEUE=postgres://");
  await expectAccessible(page);
  expect([said, await metrics(without)]).toEqual([[], new Map()]);
  expect((await fetch(new URL("/api/queue", without.url))).status).toBe(404);
  await context.close();
  await without.drop();
});

test("metrics contain depth, age, workers, lost leases, dead letters, cost, tokens, and calls against their limits", async () => {
  expect(await metrics()).toEqual(
    new Map([
      ["up", 1],
      ...["leases_lost", "workers", "workers_refusing", "worker_places", "worker_silent_seconds"].map(
        (name): [string, number] => [name, 0],
      ),
    ]),
  );
  await submit("A-1");
  await heartbeat("w1", 1);
  await heartbeat("w2", 0, `no search root ${HOSTILE}`);
  // One worker stops without releasing its lease: another gets the job after the lease.
  const lost = await claim("w1");
  await submit("A-2");
  await failUntilDead("w1", "the page cannot be read: STA-03_ItemSpec.md, line 12");
  await waitUntil(async () => (await metrics()).get("leases_lost") === 1);
  expect(await queue.complete(lost, "w1", "{}")).toBe(false);
  await submit("A-3", "A-4");
  const done = await claim("w1");
  await queue.complete(done, "w1", "{}");
  await claim("w2");
  const limits = new FleetLimits({
    queue,
    submission: SUBMISSION,
    worker: "w1",
    hold: async () => undefined,
  });
  const { signal } = new AbortController();
  const call = { subject: "A-2", endpoint: 'http://model"1/', maxCalls: 3, signal };
  const first = await limits.enter({ ...call, reserve: { tokens: 1_000, costUsd: 0.5 } });
  await first.leave({ tokens: 400, costUsd: 0.25 }, undefined);
  await limits.enter({ ...call, reserve: { tokens: 1_000, costUsd: 0.5 } });
  const current = await metrics();
  const labels = `submission="${SUBMISSION}",project="nightly",kind="item"`;
  expect(current.get('oldest_waiting_seconds{kind="item"}')).toBeGreaterThan(0);
  expect(Object.fromEntries(current)).toMatchObject({
    up: 1,
    'jobs{kind="item",state="waiting"}': 1,
    'jobs{kind="item",state="running"}': 1,
    'jobs{kind="item",state="done"}': 1,
    'jobs{kind="item",state="dead"}': 1,
    workers: 2,
    workers_refusing: 1,
    worker_places: 8,
    leases_lost: 1,
    [`cost_usd{${labels}}`]: 0.75,
    [`cost_limit_usd{${labels}}`]: 2,
    [`tokens{${labels}}`]: 1_400,
    [`token_limit{${labels}}`]: 50_000,
    'calls{endpoint="http://model\\"1/"}': 1,
  });
});

test("the page shows workers with their jobs, dead letters and limits, and follows changes by other processes", async () => {
  await Promise.all([heartbeat("w1", 0), heartbeat("w2", 1, `no search root ${HOSTILE}`)]);
  const { page, context, consoleErrors: said } = await open();
  const worker = page.locator("li.finding:has(h3:has-text('w2'))");
  expect(await worker.textContent()).toMatch(
    /running.*1 of 4.*nightly.*Runs item A-\d.*no search root <img src=x/s,
  );
  const letter = page.locator("section:has(> h2:has-text('Dead letters')) li");
  expect(await letter.textContent()).toContain("STA-03_ItemSpec.md, line 12 (attempt 2)");
  expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
  const limits = page.locator("section:has(> h2:has-text('Limits'))");
  expect(await limits.textContent()).toMatch(/0\.7500 USD of 2\.00 USD1,400 of 50,0001 of 3/);
  // Another process submits and a worker ends: the page is updated.
  await submit("B-1");
  await page.waitForSelector("section:has(> h2:has-text('Jobs')) li:has-text('B-1')");
  await queue.db.query("DELETE FROM atomsmith.worker WHERE id = 'w2'");
  await worker.waitFor({ state: "detached" });
  expect(said).toEqual([]);
  await context.close();
});

test.each([
  ["wide-light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
  ["wide-dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
  ["narrow-light", { viewport: { width: 375, height: 740 }, colorScheme: "light" }],
  ["narrow-dark", { viewport: { width: 375, height: 740 }, colorScheme: "dark" }],
] as const)("the view fits and is accessible: %s", async (name, look) => {
  await Promise.all([heartbeat("w1", 0), heartbeat("w2", 1, "no search root archive")]);
  const { page, context, consoleErrors: said } = await open(look);
  await page.waitForSelector("h2:has-text('Limits')");
  await expectAccessible(page);
  const pictures = process.env["PICTURES"];
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `queue-${name}.png`) });
  expect(said).toEqual([]);
  await context.close();
});

test("a dead letter is retried or removed, and a waiting job is cancelled", async () => {
  const { page, context, consoleErrors: said } = await open();
  await page.click("section:has(> h2:has-text('Dead letters')) button:has-text('Retry')");
  await page.waitForSelector("text=No job used up its attempts.");
  const jobOf = async (subject: string): Promise<QueueWire["jobs"][number] | undefined> =>
    (await server.get<QueueWire>("/api/queue")).jobs.find((job) => job.subject === subject);
  expect((await jobOf("A-2"))?.state).toBe("waiting");
  await page.getByRole("button", { name: "Cancel item B-1" }).click();
  await waitUntil(async () => (await jobOf("B-1"))?.state === "cancelled");
  // No other job is left to claim.
  const { jobs } = await server.get<QueueWire>("/api/queue");
  await queue.cancel(
    jobs.map(({ id }) => id),
    "test",
  );
  await submit("C-1");
  await failUntilDead("w1", "again");
  await page.click("section:has(> h2:has-text('Dead letters')) button:has-text('Remove')");
  await page.waitForSelector("text=No job used up its attempts.");
  const [removed] = (await server.get<QueueWire>("/api/queue?state=cancelled&limit=1")).jobs;
  expect([removed?.subject, removed?.reason]).toEqual([
    "C-1",
    expect.stringMatching(/^cancelled with atomsmith queue cancel; .*again/),
  ]);
  expect(said).toEqual([]);
  await context.close();
});

test("a database outage is reported within seconds, and recovery is detected", async () => {
  const { page, context } = await open();
  await postgres.kill();
  const start = performance.now();
  const answer = await fetch(new URL("/api/queue", server.url));
  expect([answer.status, (await metrics()).get("up")]).toEqual([503, 0]);
  expect(performance.now() - start).toBeLessThan(12_000);
  await page.waitForSelector(".problem:has-text('database')");
  expect(await page.isVisible("h2:has-text('Workers')")).toBe(true);
  await postgres.run();
  await waitUntil(async () => (await metrics()).get("up") === 1);
  await page.waitForSelector(".problem", { state: "detached" });
  await context.close();
});
