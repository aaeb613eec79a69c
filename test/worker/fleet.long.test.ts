// What a fleet promises beside equal results: budgets and calls at once over all workers, refusals, dead letters, secrets,
// roots with another path per worker, replies that are never bought twice, shared folders, and the commands of the queue.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { queueDocumentSchema } from "../../src/contract/queue.ts";
import { jobScript } from "../loops/agent/script.ts";
import {
  ALL_STAGES,
  AT_ONCE,
  ENV,
  makeProject,
  type Project,
  removeProjects,
  scriptedModel,
} from "../loops/item/scripted.ts";
import { Fleet } from "../support/fleet.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";
import { serveFixtures } from "../support/serve.ts";
import { contentOf } from "./chaos.ts";

let fleet: Fleet;
let model: ModelServer;
/** What the model does, by test. */
let script: Script = scriptedModel(AT_ONCE);

beforeAll(async () => {
  model = startModelServer((request, number) => script(request, number));
  fleet = await Fleet.start({ cwd: "/", env: ENV });
  // Makes the tables.
  expect((await fleet.run(["queue", "ls"])).code).toBe(0);
}, 60_000);
afterAll(async () => {
  await fleet?.stop();
  await model?.stop();
  removeProjects();
});

const QUEUE = "queue: {max_attempts: 2}\n";

function project(ids: readonly string[], extra = ""): Project {
  script = scriptedModel(AT_ONCE);
  return makeProject(model.url, ids, extra);
}

function batch(at: Project, name = "fleet", more: readonly string[] = []): string[] {
  return [
    ...["batch", at.specs, "--config", at.config, "--search-root", at.logs, "--seed", "7"],
    ...["--out", join(at.root, name, "out"), "--cache", join(at.root, name, "cache"), "--json", ...more],
  ];
}

/** Workers for one test, which end with it. */
async function withWorkers<T>(count: number, args: readonly string[], work: () => Promise<T>): Promise<T> {
  for (let i = 0; i < count; i++) fleet.worker(args);
  try {
    return await work();
  } finally {
    await Promise.all(fleet.workers.splice(0).map((worker) => worker.kill()));
    await fleet.postgres.query("DELETE FROM atomsmith.worker");
  }
}

test("items of all stages: set, cache, replies and result are those of one machine; a second run has nothing to do", async () => {
  const at = project(["CLK-1", "CLK-2"]);
  script = scriptedModel(ALL_STAGES);
  const alone = await fleet.runAlone(batch(at, "alone"));
  const before = model.requests.length;
  const run = await withWorkers(2, ["--config", at.config, "--concurrency", "1"], async () => {
    const first = await fleet.run(batch(at));
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(model.requests.length - before).toBe(before);
    const again = await fleet.run(batch(at));
    expect(JSON.parse(again.stdout).totals.up_to_date).toBe(2);
    expect(model.requests.length - before).toBe(before);
    return first;
  });
  const plain = (text: string): unknown =>
    JSON.parse(text.replaceAll(/"duration_ms": \d+/g, '"duration_ms": 0').replaceAll("/alone/", "/fleet/"));
  expect(plain(run.stdout)).toEqual(plain(alone.stdout));
  expect(contentOf(join(at.root, "fleet/out"))).toEqual(contentOf(join(at.root, "alone/out")));
  const cache = (name: string): string[] => readdirSync(join(at.root, name, "cache/item/CLK-1")).sort();
  expect(cache("fleet")).toEqual(cache("alone"));
  const views = (name: string, folder: string): string[] =>
    readdirSync(join(at.root, name, "cache/item/CLK-1", folder)).sort();
  for (const folder of ["stage_outputs", "error_logs"])
    expect(views("fleet", folder)).toEqual(views("alone", folder));
  // What other commands read is there: the conversation, and the way on.
  const shown = await fleet.runAlone([
    "show",
    "CLK-1",
    "--cache",
    join(at.root, "fleet/cache"),
    "--config",
    at.config,
  ]);
  expect([shown.code, shown.stdout.includes("submit_extract_context")]).toEqual([0, true]);
}, 60_000);

test("a run that was interrupted here goes on in the fleet, and no reply is bought twice", async () => {
  const at = project(["CLK-1"]);
  const full = scriptedModel(AT_ONCE);
  // The third call hangs until the local run is stopped.
  let calls = 0;
  const reached = Promise.withResolvers<void>();
  script = async (request, number) => {
    calls += 1;
    if (calls === 3) {
      reached.resolve();
      return { ...(await full(request, number)), delayMs: 20_000 };
    }
    return full(request, number);
  };
  const local = fleet.spawn(batch(at));
  await reached.promise;
  local.kill("SIGKILL");
  await local.exited;
  const seen = new Set(model.requests.slice(-3, -1).map((request) => JSON.stringify(request.body.messages)));
  const before = model.requests.length;
  await withWorkers(1, ["--config", at.config], async () => {
    expect((await fleet.run(batch(at))).code).toBe(0);
  });
  for (const { body } of model.requests.slice(before))
    expect(seen.has(JSON.stringify(body.messages))).toBe(false);
}, 60_000);

test("the search root may have another path on each worker; texts name the submitter's", async () => {
  const at = project(["CLK-1"], "queue: {root: nightly}\n");
  const alone = await fleet.runAlone(batch(at, "alone"));
  expect(alone.code).toBe(0);
  const elsewhere = join(at.root, "mounted/somewhere/else");
  cpSync(at.logs, elsewhere, { recursive: true });
  const wrong = join(at.root, "wrong");
  mkdirSync(wrong);
  writeFileSync(join(wrong, "clocks.rpt"), "CLOCK other period 9.99 ns\n");
  const config = ["--config", at.config];
  await withWorkers(1, [...config, "--root", `nightly=${wrong}`], async () => {
    // A worker without the root, and one with other contents, leave the job alone and say so.
    const missing = fleet.worker([...config, "--root", "other=/"]);
    const running = fleet.run(batch(at));
    await waitFor(async () => {
      const rows = await fleet.postgres.query<{ refused: string | null }>(
        "SELECT refused FROM atomsmith.worker",
      );
      const text = rows.map((row) => row.refused).join(" ");
      return (
        text.includes("has different contents on this worker") && text.includes("has no search root nightly")
      );
    });
    await missing.kill();
    fleet.worker([...config, "--root", `nightly=${elsewhere}`]);
    const ended = await running;
    expect([ended.code, ended.stdout.includes(elsewhere)]).toEqual([0, false]);
  });
  expect(contentOf(join(at.root, "fleet/out"))).toEqual(contentOf(join(at.root, "alone/out")));
  const turns = readFileSync(join(at.root, "fleet/cache/item/CLK-1/agent_turns.jsonl"), "utf8");
  expect(turns).not.toContain(elsewhere);
}, 60_000);

test("a poison job ends in the dead letters with its reason, can be tried again, and cancelled", async () => {
  const at = project(["CLK-1"], QUEUE);
  await withWorkers(1, ["--config", at.config], async () => {
    // Its row has no readable payload: every attempt fails.
    await fleet.postgres.query(
      "CREATE FUNCTION atomsmith.spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.payload := '{}'; RETURN NEW; END $$",
    );
    await fleet.postgres.query(
      "CREATE TRIGGER spoil BEFORE INSERT ON atomsmith.job FOR EACH ROW EXECUTE FUNCTION atomsmith.spoil()",
    );
    const broken = fleet.spawn([...batch(at), "--queue", fleet.url]);
    const [code, out] = [await broken.exited, await new Response(broken.stdout).text()];
    await fleet.postgres.query("DROP FUNCTION atomsmith.spoil CASCADE");
    const item = JSON.parse(out).items[0];
    expect([code, item.status, item.error.kind]).toEqual([4, "error", "store"]);
    expect(item.error.message).toContain("the fleet gave up the item");
    const dead = JSON.parse((await fleet.run(["queue", "ls", "--state", "dead", "--json"])).stdout);
    expect(dead.jobs).toHaveLength(1);
    expect([dead.jobs[0].subject, dead.jobs[0].attempts]).toEqual(["CLK-1", 2]);
    expect(dead.jobs[0].reason).toContain("attempt 2");
    const retried = await fleet.run(["queue", "retry", dead.jobs[0].id, "--json"]);
    expect(JSON.parse(retried.stdout)).toEqual({ retried: 1 });
    const cancelled = await fleet.run(["queue", "cancel", "CLK-1", "--json"]);
    expect(JSON.parse(cancelled.stdout).cancelled).toBeLessThanOrEqual(1);
    const shown = await fleet.run(["queue", "show", dead.jobs[0].id.slice(0, 8)]);
    expect(shown.stdout).toContain("CLK-1");
  });
}, 60_000);

test("a worker that dies between the end of a run and its completion costs no reply", async () => {
  const at = project(["CLK-1"]);
  // The first completion fails, and the worker leaves the job to its heartbeat, as a killed one does.
  await fleet.postgres.query(
    "CREATE FUNCTION atomsmith.once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.state = 'done' AND NEW.attempt = 0 THEN RAISE EXCEPTION 'not now'; END IF; RETURN NEW; END $$",
  );
  await fleet.postgres.query(
    "CREATE TRIGGER once BEFORE UPDATE ON atomsmith.job FOR EACH ROW EXECUTE FUNCTION atomsmith.once()",
  );
  const before = model.requests.length;
  const ended = await withWorkers(1, ["--config", at.config], () => fleet.run(batch(at)));
  await fleet.postgres.query("DROP FUNCTION atomsmith.once CASCADE");
  const requests = model.requests.length - before;
  expect([ended.code, JSON.parse(ended.stdout).items[0].usage.calls]).toEqual([0, requests]);
  const alone = await fleet.runAlone(batch(at, "alone"));
  expect([alone.code, model.requests.length - before]).toEqual([0, 2 * requests]);
  expect(contentOf(join(at.root, "fleet/out"))).toEqual(contentOf(join(at.root, "alone/out")));
}, 60_000);

test("cost, tokens and calls at once are limited over all workers", async () => {
  const ids = Array.from({ length: 8 }, (_, i) => `CLK-${i + 1}`);
  const at = project(ids, "queue: {max_attempts: 3}\n");
  writeFileSync(
    at.config,
    readFileSync(at.config, "utf8").replace(
      "llm:\n",
      "llm:\n  max_concurrency: 2\n  prices: {test-model: {input: 1000, output: 1000}}\n",
    ),
  );
  const slow = scriptedModel(AT_ONCE);
  let running = 0;
  let peak = 0;
  script = async (request, number) => {
    running += 1;
    peak = Math.max(peak, running);
    await Bun.sleep(30);
    running -= 1;
    return slow(request, number);
  };
  await withWorkers(3, ["--config", at.config, "--concurrency", "3"], async () => {
    const whole = JSON.parse((await fleet.run(batch(at, "whole"))).stdout);
    expect(whole.totals.accepted).toBe(8);
    expect(peak).toBe(2);
    const each = whole.items[0].usage.cost_usd as number;
    const before = model.requests.length;
    const limited = await fleet.run(batch(at, "limited", ["--max-cost", String(each * 3)]));
    expect(limited.code).toBe(5);
    const { totals, items } = JSON.parse(limited.stdout);
    expect(totals.accepted).toBeLessThan(8);
    const spent = items.reduce(
      (sum: number, item: { usage: { cost_usd: number } }) => sum + item.usage.cost_usd,
      0,
    );
    // A call under way is never stopped: two at once can go past the limit.
    expect(spent).toBeLessThanOrEqual(each * 3 + 2 * each);
    expect(model.requests.length - before).toBeLessThan(8 * 4);
  });
}, 90_000);

test("checks by the fleet give the document of a check here", async () => {
  const at = project(["CLK-1", "CLK-2", "CLK-3"]);
  await fleet.runAlone(batch(at, "alone"));
  // One set that fails, one that was changed, one that passes.
  const out = join(at.root, "alone/out");
  writeFileSync(
    join(out, "CLK-2/config.yaml"),
    `${readFileSync(join(out, "CLK-2/config.yaml"), "utf8")}# edited\n`,
  );
  const args = ["check", out, "--search-root", at.logs, "--config", at.config, "--json", "--items"];
  const more = ["--set", "requirements.pattern_items=[core, other]", "--html"];
  const here = await fleet.runAlone([...args, ...more, join(at.root, "here.html")]);
  const there = await withWorkers(2, ["--config", at.config], () =>
    fleet.run([...args, ...more, join(at.root, "there.html")]),
  );
  const plain = (text: string): unknown =>
    JSON.parse(text.replaceAll(/"duration_ms": \d+/g, '"duration_ms": 0'));
  expect(plain(there.stdout)).toEqual(plain(here.stdout));
  expect([there.code, here.code]).toEqual([8, 8]);
  expect(existsSync(join(at.root, "there.html"))).toBe(true);
  const outside = await fleet.run([...args, "--input", "/etc/hostname"]);
  expect([outside.code, outside.stdout.includes("outside the search root")]).toEqual([2, true]);
}, 60_000);

test("shared folders as the store: the set and the run are in them, and a worker with other folders refuses", async () => {
  const at = project(["CLK-1", "CLK-2"], "queue: {store: files}\n");
  await fleet.runAlone(batch(at, "alone"));
  const shared = ["--out", join(at.root, "fleet/out"), "--cache", join(at.root, "fleet/cache")];
  await withWorkers(
    1,
    ["--config", at.config, "--out", join(at.root, "no"), "--cache", join(at.root, "nowhere")],
    async () => {
      const running = fleet.run(batch(at));
      await waitFor(async () => {
        const rows = await fleet.postgres.query<{ refused: string | null }>(
          "SELECT refused FROM atomsmith.worker",
        );
        return rows.some((row) => row.refused?.includes("is not the shared one") === true);
      });
      fleet.worker(["--config", at.config, ...shared]);
      expect((await running).code).toBe(0);
    },
  );
  expect(contentOf(join(at.root, "fleet/out"))).toEqual(contentOf(join(at.root, "alone/out")));
  expect(existsSync(join(at.root, "fleet/cache/item/CLK-1/checkpoint_latest.json"))).toBe(true);
  expect(existsSync(join(at.root, "nowhere"))).toBe(false);
}, 60_000);

test("an agent's job is worked on by the fleet in the shared workspace; another workspace is refused", async () => {
  const at = project(["CLK-1"]);
  const agent = startModelServer(jobScript({ phases: [2] }));
  writeFileSync(
    join(at.root, "fleet.yaml"),
    `llm: {agent: {provider: openai, model: test-model, base_url: "${agent.url}", api_key_env: TEST_KEY}}\nloops: {agent: {workspace: ${join(at.root, "jobs")}}}\n`,
  );
  const settings = [
    "-c",
    `loops.agent.workspace=${join(at.root, "jobs")}`,
    "-c",
    "queue.store=files",
    "-c",
    `llm.agent.base_url=${agent.url}`,
  ];
  const model = [
    "-c",
    "llm.agent.model=test-model",
    "-c",
    "llm.agent.provider=openai",
    "-c",
    "llm.agent.api_key_env=TEST_KEY",
  ];
  const line = [
    "agent",
    "run",
    "--config",
    "researcher",
    "--description",
    "Do it",
    "--job-id",
    "j1",
    "--json",
  ];
  await withWorkers(1, ["-c", `loops.agent.workspace=${join(at.root, "other")}`], async () => {
    const running = fleet.run([...line, ...settings, ...model]);
    await waitFor(async () => {
      const rows = await fleet.postgres.query<{ refused: string | null }>(
        "SELECT refused FROM atomsmith.worker",
      );
      return rows.some((row) => row.refused?.includes("not the shared one") === true);
    });
    fleet.worker(["--config", join(at.root, "fleet.yaml")]);
    const ended = await running;
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ job_id: "j1", status: "completed" });
  });
  await agent.stop();
}, 60_000);

test("drained workers finish and end; a stopped submitter's items are brought home by the next batch", async () => {
  const at = project(["CLK-1", "CLK-2"]);
  const submitter = fleet.spawn([...batch(at), "--queue", fleet.url]);
  await waitFor(
    async () => (await fleet.postgres.query("SELECT 1 FROM atomsmith.job WHERE state = 'open'")).length === 2,
  );
  submitter.kill("SIGINT");
  expect(await submitter.exited).toBe(130);
  await withWorkers(1, ["--config", at.config], async () => {
    const [worker] = fleet.workers;
    await waitFor(
      async () =>
        (await fleet.postgres.query("SELECT 1 FROM atomsmith.job WHERE state = 'open'")).length === 0,
    );
    const before = model.requests.length;
    const again = JSON.parse((await fleet.run(batch(at))).stdout);
    expect([again.totals.accepted, again.totals.up_to_date, model.requests.length - before]).toEqual([
      2, 2, 0,
    ]);
    const drained = await fleet.run(["queue", "drain", "--wait", "20", "--json"]);
    expect([drained.code, JSON.parse(drained.stdout).still_working]).toEqual([0, []]);
    expect(await worker?.exited).toBe(0);
  });
}, 60_000);

test("the server answers with the queue that its environment names, by the schema of queue ls --json", async () => {
  const served = await serveFixtures({ env: { ATOMSMITH_QUEUE: fleet.url } });
  const without = await serveFixtures();
  try {
    const answer = await served.get("/api/queue?state=done&limit=2");
    const listed = JSON.parse(
      (await fleet.run(["queue", "ls", "--state", "done", "--limit", "2", "--json"])).stdout,
    );
    expect(queueDocumentSchema.parse(answer)).toEqual(queueDocumentSchema.parse(listed));
    expect((await fetch(new URL("/api/queue", without.url))).status).toBe(404);
  } finally {
    await served.close();
    await without.close();
  }
}, 30_000);

test("a password never appears, and a queue that cannot be had is told in one line", async () => {
  const at = project(["CLK-1"]);
  const secret = "hunter2-in-the-url";
  const url = `postgres://tester:${secret}@127.0.0.1:1/none`;
  const events = join(at.root, "events.jsonl");
  for (const args of [["queue", "ls"], ["queue", "ls", "--nonsense"], batch(at)]) {
    const child = fleet.spawn([...args, "--queue", url, "--events", events]);
    const timer = setTimeout(() => child.kill("SIGINT"), 3_000);
    const text = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
    clearTimeout(timer);
    expect(await child.exited).not.toBe(0);
    expect(text + readFileSync(events, "utf8")).not.toContain(secret);
  }
  const wrong = fleet.spawn(["queue", "ls", "--queue", `mysql://root:${secret}@host/db`]);
  expect(await new Response(wrong.stderr).text()).toContain("not a PostgreSQL URL");
  const none = fleet.spawn(["queue", "ls"]);
  expect([await none.exited, await new Response(none.stderr).text()]).toEqual([
    2,
    expect.stringContaining("ATOMSMITH_QUEUE"),
  ]);
}, 60_000);

async function waitFor(done: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 20_000;
  while (performance.now() < limit) {
    if (await done().catch(() => false)) return;
    await Bun.sleep(100);
  }
  throw new Error("it did not come about within 20 s");
}
