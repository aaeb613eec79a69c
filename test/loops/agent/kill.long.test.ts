// kill -9 at random points of a job until it finishes: same files, no reply paid twice, no effect twice.
// ATOMSMITH_KILLS=200 bun test test/loops/agent/kill.long.test.ts does it more often.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { bundled } from "../../support/program.ts";
import { randomNumbers, repeats } from "../../support/random-moments.ts";
import { call, jobScript } from "./script.ts";

const KILLS = repeats(12);
const folder = folders("agent-kill");
const CHILD = await bundled(join(import.meta.dir, "kill-after.ts"));

/** Work that shows when it is done twice: lines appended, files moved and edited. */
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
      call("write_file", { path: note, content: "draft" }),
      call("edit_file", { path: note, old: "draft", new: "final" }),
      call("move_file", { source: note, destination: `output/moved_${task.number}.md` }),
    ];
    return { tool_calls: actions.flatMap((action) => action.tool_calls ?? []) };
  },
});
const server = startModelServer(script);
afterAll(() => server.stop());

async function submitted(): Promise<string> {
  const cwd = folder();
  const { code } = await cliJson(
    ["agent", "submit", "--config", "tidy", "--description", "x", "--job-id", "k"],
    { cwd },
  );
  expect(code).toBe(0);
  return cwd;
}

async function work(cwd: string, killAt: number): Promise<{ code: number | null; events: number }> {
  const child = Bun.spawn([process.execPath, CHILD, cwd, server.url, "k", String(killAt)], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  if (child.signalCode === "SIGKILL") return { code: null, events: 0 };
  if (code !== 0) throw new Error(`${code}: ${err}`);
  return { code, events: (JSON.parse(out) as { events: number }).events };
}

/** Files of the workspace with their text, without times and stamps. */
function filesOf(cwd: string): Record<string, string> {
  const root = join(cwd, "workspace/job_k");
  const all = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(".git/") && !path.startsWith(".agent/"));
  const plain = (text: string): string =>
    text
      .replace(/\d{8}_\d{6}/g, "STAMP")
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME")
      .replace(/\| \d\d:\d\d \|/g, "TIME");
  return Object.fromEntries(
    all.map((path) => [plain(path), plain(readFileSync(join(root, path), "utf8"))]).sort(),
  );
}

function commitsOf(cwd: string): string[] {
  const log = Bun.spawnSync(["git", "log", "--reverse", "--format=%s"], {
    cwd: join(cwd, "workspace/job_k"),
  });
  return log.stdout.toString().trim().split("\n");
}

test(
  `${KILLS} kills change nothing`,
  async () => {
    const random = randomNumbers("agent kills");
    const calm = await submitted();
    const { events } = await work(calm, 0);
    const wanted = { files: filesOf(calm), commits: commitsOf(calm), requests: server.requests.length };
    expect(wanted.files["notes/log.md"]?.trim().split("\n")).toHaveLength(5);
    for (let kills = 0; kills < KILLS; ) {
      const cwd = await submitted();
      const before = server.requests.length;
      let events_left = events;
      for (let done = false; !done; ) {
        const at = kills < KILLS ? 1 + Math.floor(random() * Math.max(10, events_left * 0.4)) : 0;
        const { code } = await work(cwd, at);
        done = code === 0;
        if (!done) {
          kills += 1;
          events_left -= at;
        }
      }
      expect(filesOf(cwd)).toEqual(wanted.files);
      expect(commitsOf(cwd)).toEqual(wanted.commits);
      expect(server.requests.length - before).toBe(wanted.requests);
    }
    expect(statSync(join(calm, "workspace/jobs.db")).isFile()).toBe(true);
  },
  60_000 + KILLS * 5_000,
);

test("a kill at each of the last twelve events", async () => {
  const calm = await submitted();
  const { events } = await work(calm, 0);
  const wanted = { files: filesOf(calm), commits: commitsOf(calm) };
  for (let back = 0; back < 12; back += 1) {
    const cwd = await submitted();
    await work(cwd, events - back);
    const again = await cliJson(
      ["agent", "resume", "k", "-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m"],
      { cwd },
    );
    expect(again.code).toBe(0);
    expect(filesOf(cwd)).toEqual(wanted.files);
    expect(commitsOf(cwd)).toEqual(wanted.commits);
  }
}, 120_000);
