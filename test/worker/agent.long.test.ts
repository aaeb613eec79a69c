// Jobs of agents without a shared folder: workspace, replies and calls travel through the database. Workers are killed, and
// the workspace equals that of one machine, without requesting a stored reply again.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Database } from "../../src/store/postgres/database.ts";
import { PostgresRunStore } from "../../src/store/postgres/run-store.ts";
import { FolderMirror } from "../../src/worker/folder.ts";
import { call, jobScript } from "../loops/agent/script.ts";
import { runSettings } from "../support/executable.ts";
import { Fleet, type FleetWorker } from "../support/fleet.ts";
import { folders } from "../support/folder.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";

setDefaultTimeout(90_000);
const folder = folders("fleet-agent");
const ENV = {
  PATH: process.env["PATH"] ?? "",
  ...runSettings(),
  HOME: process.env["HOME"] ?? "",
  TEST_KEY: "sk-test-0123456789abcdef",
};

let fleet: Fleet;
let model: ModelServer;
/** Called with the number of each request. */
let onRequest: (number: number) => Promise<void> = async () => undefined;

/** Work that shows when it is done twice: lines appended, files moved. */
const script = jobScript({
  phases: [5],
  before: (request, task) => {
    const last = request.messages.findLast((message) => message.role === "assistant");
    const first = (last?.tool_calls ?? []).every((one) => one.function.name === "todo_complete");
    if (!first || !task?.text.startsWith("Phase 1 step") || (request.tools ?? []).length < 2)
      return undefined;
    const note = `notes/${task.number}.md`;
    const actions = [
      call("append_file", { path: "notes/log.md", content: `- ${task.text}\n` }),
      call("write_file", { path: note, content: "note" }),
      call("move_file", { source: note, destination: `output/moved_${task.number}.md` }),
    ];
    return { tool_calls: actions.flatMap((action) => action.tool_calls ?? []) };
  },
});

beforeAll(async () => {
  model = startModelServer(async (request, number) => {
    await onRequest(number);
    return script(request);
  });
  fleet = await Fleet.start({ cwd: "/", env: ENV });
  expect((await fleet.run(["queue", "ls"])).code).toBe(0);
});
afterAll(async () => {
  await fleet?.stop();
  await model?.stop();
});

/** Settings of one machine with a workspace of its own. */
function machine(root: string): string[] {
  const settings = [
    `loops.agent.workspace=${join(root, "jobs")}`,
    `paths.cache_dir=${join(root, "cache")}`,
    `paths.output_dir=${join(root, "output")}`,
    `llm.agent.base_url=${model.url}`,
    "llm.agent.model=test-model",
    "llm.agent.provider=openai",
    "llm.agent.api_key_env=TEST_KEY",
    "queue.project=agents",
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

function run(root: string, id: string): string[] {
  const document = join(root, "given.md");
  writeFileSync(document, "# Given\n\nThe limit is 5.\n");
  const job = ["--config", "tidy", "--description", "Do it", "--document", document, "--job-id", id];
  return ["agent", "run", ...job, "--json", ...machine(root)];
}

function worker(): FleetWorker {
  return fleet.worker(machine(folder()));
}

async function withoutWorkers(): Promise<void> {
  await Promise.all(fleet.workers.splice(0).map((one) => one.kill()));
  await fleet.postgres.query("DELETE FROM atomsmith.worker");
}

/** Files of a job with their texts; times, stamps and the id taken out. */
function filesOf(root: string, id: string): Record<string, string> {
  const at = join(root, `jobs/job_${id}`);
  const plain = (text: string): string =>
    text
      .replace(/\d{8}_\d{6}/g, "STAMP")
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME")
      .replace(/\| \d\d:\d\d \|/g, "TIME")
      .replaceAll(id, "ID");
  const files = readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(at, join(entry.parentPath, entry.name)))
    .filter(
      (path) => !path.startsWith(".git/") && (!path.startsWith(".agent/") || path.includes("results/")),
    );
  return Object.fromEntries(
    files.map((path) => [plain(path), plain(readFileSync(join(at, path), "utf8"))]).sort(),
  );
}

function directoriesOf(root: string, id: string): string[] {
  const at = join(root, `jobs/job_${id}`);
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(at, join(entry.parentPath, entry.name)))
    .filter((path) => !/^\.(git|agent)/.test(path))
    .sort();
}

function commitsOf(root: string, id: string): string[] {
  const log = Bun.spawnSync(["git", "log", "--reverse", "--format=%s"], {
    cwd: join(root, `jobs/job_${id}`),
  });
  return log.stdout.toString().trim().split("\n");
}

/** The job of one machine, and how many requests it made. */
async function calm(): Promise<{ root: string; requests: number }> {
  const root = folder();
  const before = model.requests.length;
  const { code, stderr } = await fleet.runAlone(run(root, "calm"));
  expect([code, stderr]).toEqual([0, ""]);
  return { root, requests: model.requests.length - before };
}

test("killed workers are replaced by others without a shared folder, and no stored reply is requested again", async () => {
  const one = await calm();
  const root = folder();
  const before = model.requests.length;
  const killAt = [4, 11].map((n) => before + n);
  let kills = 0;
  onRequest = async () => {
    if (!killAt.includes(model.requests.length)) return;
    kills += 1;
    // The worker dies while this request is under way.
    await Promise.all(fleet.workers.splice(0).map((dead) => dead.kill()));
    worker();
  };
  worker();
  const ended = await fleet.run(run(root, "killed"));
  onRequest = async () => undefined;
  await withoutWorkers();
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    job_id: "killed",
    status: "completed",
    workspace: join(root, "jobs/job_killed"),
  });
  // Only the calls under way were asked again.
  expect([kills, model.requests.length - before]).toEqual([2, one.requests + 2]);
  expect(filesOf(root, "killed")).toEqual(filesOf(one.root, "calm"));
  expect(directoriesOf(root, "killed")).toEqual(directoriesOf(one.root, "calm"));
  expect(commitsOf(root, "killed")).toEqual(commitsOf(one.root, "calm"));
  const shown = JSON.parse(
    (await fleet.runAlone(["agent", "show", "killed", "--json", ...machine(root)])).stdout,
  );
  expect([shown.status, shown.usage.requests]).toEqual(["completed", one.requests]);
  const turns = readFileSync(join(root, "jobs/job_killed/.agent/agent_turns.jsonl"), "utf8");
  expect(turns.trim().split("\n")).toHaveLength(one.requests);
});

test("an interrupted local job continues in the fleet; a result without a waiting submitter is fetched later", async () => {
  const one = await calm();
  const root = folder();
  const before = model.requests.length;
  const reached = Promise.withResolvers<void>();
  onRequest = async () => {
    if (model.requests.length - before !== 7) return;
    reached.resolve();
    await Bun.sleep(2_000);
  };
  const local = fleet.spawn(run(root, "continued"));
  await reached.promise;
  local.kill("SIGKILL");
  await local.exited;
  onRequest = async () => undefined;
  const resume = ["agent", "resume", "continued", "--json", ...machine(root)];
  const waiting = fleet.spawn([...resume, "--queue", fleet.url]);
  await until(
    async () => (await fleet.postgres.query("SELECT 1 FROM atomsmith.job WHERE state = 'open'")).length > 0,
  );
  waiting.kill("SIGINT");
  expect(await waiting.exited).toBe(130);
  worker();
  await until(
    async () => (await fleet.postgres.query("SELECT 1 FROM atomsmith.job WHERE state = 'open'")).length === 0,
  );
  await withoutWorkers();
  const ended = await fleet.run(resume);
  expect([ended.code, JSON.parse(ended.stdout).status]).toEqual([0, "completed"]);
  expect(model.requests.length - before).toBe(one.requests + 1);
  expect(filesOf(root, "continued")).toEqual(filesOf(one.root, "calm"));
  expect(commitsOf(root, "continued")).toEqual(commitsOf(one.root, "calm"));
});

test("a worker that lost its job cannot store files of the workspace", async () => {
  const db = await Database.open(fleet.url, { connections: 2, application: "test" });
  const place = { space: "fence", loop: "job", id: "x" };
  const open = async (attempt: number): Promise<{ mirror: FolderMirror; at: string }> => {
    const at = folder();
    const store = await PostgresRunStore.open(
      { db, space: place.space },
      place,
      { maxCheckpointsPerHour: 3, keepHours: 1 },
      (text) => text,
      { job: "5b0c6b53-7a3f-4f0e-9d2e-0a50b1f6f5a1", attempt },
    );
    const mirror = new FolderMirror({ db, place, folder: at, hold: (query) => store.hold(query) });
    await mirror.restore();
    return { mirror, at };
  };
  try {
    const early = await open(0);
    mkdirSync(join(early.at, "empty"));
    writeFileSync(join(early.at, "a.md"), "early\u0000");
    await early.mirror.store();
    const late = await open(1);
    expect([readFileSync(join(late.at, "a.md"), "utf8"), existsSync(join(late.at, "empty"))]).toEqual([
      "early\u0000",
      true,
    ]);
    writeFileSync(join(early.at, "a.md"), "stale");
    expect(early.mirror.store()).rejects.toThrow("taken over by another worker");
    writeFileSync(join(late.at, "b.md"), "late");
    await late.mirror.store();
    const { at } = await open(2);
    expect([readFileSync(join(at, "a.md"), "utf8"), readFileSync(join(at, "b.md"), "utf8")]).toEqual([
      "early\u0000",
      "late",
    ]);
  } finally {
    await db.close();
  }
});

async function until(done: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 40_000;
  while (!(await done())) {
    if (performance.now() > limit) throw new Error("it did not happen within 40 s");
    await Bun.sleep(100);
  }
}
