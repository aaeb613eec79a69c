// The two recorded jobs, without a server: three phases and more than forty todos, with requests that do not grow.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { RECORDED, startLine } from "./record.ts";
import { call, jobScript } from "./script.ts";

const folder = folders("agent-recorded");
const CASSETTES = join(import.meta.dir, "../../../fixtures/agent/cassettes");

test.each(Object.keys(RECORDED) as (keyof typeof RECORDED)[])(
  "the recorded job of %s",
  async (agent) => {
    const cwd = folder();
    const replay = ["-c", "llm.agent.provider=replay", "--cassettes", CASSETTES, "--events", "events.jsonl"];
    const { code, document, stderr } = await cliJson([...startLine(agent), ...replay], { cwd });
    expect(stderr).not.toContain("holds no answer");
    expect(document).toMatchObject({ status: "completed", deliverables: ["output/report.md"] });
    expect(code).toBe(0);
    const lines = readFileSync(join(cwd, "events.jsonl"), "utf8").trim().split("\n");
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const todos = events.filter(({ type }) => type === "todo_finished").length;
    expect(todos).toBe(RECORDED[agent].reduce((sum: number, n) => sum + n, 0) + 5 + 3);
    const sizes = events
      .filter(({ type }) => type === "context")
      .map((event) => Number(event["total_tokens"]));
    const third = Math.floor(sizes.length / 3);
    const most = (list: number[]): number => Math.max(...list);
    expect(most(sizes)).toBeLessThan(8_000);
    expect(most(sizes.slice(-third))).toBeLessThan(1.3 * most(sizes.slice(third, 2 * third)));
  },
  60_000,
);

test("a replayed reply has the times and hashes that the model wrote", async () => {
  const content = "Run: 2026-01-28 03:12:55, commit 8f07a0d8404, 20260128_031255\n";
  const server = startModelServer(
    jobScript({
      phases: [5],
      before: (_, task) => {
        const wanted = task?.phase === "Bootstrap" && task.number === 2;
        return wanted ? call("write_file", { path: "notes/log.md", content }) : undefined;
      },
    }),
  );
  const line = ["agent", "run", "--config", "tidy", "--description", "x", "--job-id", "t"];
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m", "--record", "tapes"];
  const cwd = folder();
  // The model writes the same file until the todo is given up: what counts is what was recorded.
  await cliJson([...line, ...model], { cwd });
  await server.stop();
  const page = join("workspace/job_t/notes/log.md");
  expect(readFileSync(join(cwd, page), "utf8")).toBe(content);
  const again = folder();
  const replay = ["-c", "llm.agent.provider=replay", "--cassettes", join(cwd, "tapes")];
  const { stderr } = await cliJson([...line, ...replay], { cwd: again });
  expect(stderr).not.toContain("no reply");
  expect(readFileSync(join(again, page), "utf8")).toBe(content);
}, 60_000);
