import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cli, cliJson } from "../support/cli.ts";
import { folders } from "../support/folder.ts";

const folder = folders("doctor");
const KEY = "sk-very-secret-0123456789";

interface Report {
  ready: boolean;
  checks: { name: string; status: string; message: string; hint?: string }[];
}

async function doctor(argv: string[], options: Parameters<typeof cli>[1]) {
  const run = await cliJson(["doctor", ...argv], options);
  const report = run.document as Report;
  const find = (name: string) => report.checks.find((check) => check.name.startsWith(name));
  return { ...run, report, find };
}

/** A server that answers every request alike and records the keys it receives. */
function server(status: number, body: unknown) {
  const keys: (string | null)[] = [];
  const running = Bun.serve({
    port: 0,
    fetch: (request) => {
      keys.push(request.headers.get("authorization"));
      return Response.json(body, { status });
    },
  });
  afterAll(() => running.stop(true));
  return { url: `http://127.0.0.1:${running.port}/v1`, keys };
}

describe("doctor", () => {
  test("a usable machine is reported as ready, and no files remain", async () => {
    const cwd = folder({ "logs/a.log": "x" });
    const { code, report, find } = await doctor(["-c", "paths.search_root=logs"], { cwd });
    expect(code).toBe(0);
    expect(report.ready).toBe(true);
    expect(find("sandbox runs")).toMatchObject({ status: "ok" });
    expect(find("sandbox holds")).toMatchObject({ status: "ok" });
    expect(find("llm.agent_a")?.message).toContain("offline");
    expect(readdirSync(cwd)).toEqual(["logs"]);
  });

  test("all problems are reported together, with the exit code of the worst", async () => {
    const cwd = folder({ file: "" });
    const { code, report, find } = await doctor(
      ["-c", "paths.search_root=none", "-c", "paths.output_dir=file/out", "-c", "llm.*.provider=openai"],
      { cwd },
    );
    expect(code).toBe(4);
    expect(report.ready).toBe(false);
    expect(find("search root")).toMatchObject({
      status: "error",
      message: `${join(cwd, "none")} does not exist`,
    });
    expect(find("output folder")).toMatchObject({ status: "error" });
    expect(find("llm.reflect")).toMatchObject({ status: "error", message: expect.stringContaining("model") });
    expect((await doctor(["-c", "paths.search_root=none"], { cwd })).code).toBe(2);
  });

  test("a local server without a key is shown as such, and equal roles share a line", async () => {
    const argv = [
      "doctor",
      "-c",
      "llm.*.provider=openai",
      "-c",
      "llm.*.model=m",
      "-c",
      "llm.*.base_url=http://localhost:1/v1",
    ];
    const { code, stdout } = await cli(argv, { cwd: folder() });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /llm\.agent_a, agent_b, reflect, factory, design, agent +openai, m, localhost:1, no key in OPENAI_API_KEY/,
    );
  });

  test("an invalid configuration is a finding, and the sandbox is checked anyway", async () => {
    const cwd = folder({ "atomsmith.yaml": "sandbox: {require: strong}\n" });
    const { code, find } = await doctor([], { cwd });
    expect(code).toBe(2);
    expect(find("configuration")?.message).toContain("atomsmith.yaml:1: sandbox.require must be one of full");
    expect(find("sandbox holds")).toMatchObject({ status: "ok" });
  });

  test("keys are shown by name only, also in the events of a real call", async () => {
    const { url, keys } = server(200, {
      id: "1",
      object: "chat.completion",
      model: "m-1",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ready" } }],
      usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
    });
    const cwd = folder({ "a.log": "" });
    const argv = ["--provider", "--events", "e.jsonl", "-c", "llm.*.model=m", "-c", `llm.*.base_url=${url}`];
    const env = { MY_KEY: KEY };
    const run = await doctor(
      [...argv, "-c", "llm.*.api_key_env=MY_KEY", "-c", "execution.enable_streaming=no"],
      { cwd, env },
    );
    expect(run.code).toBe(0);
    expect(keys).toEqual([`Bearer ${KEY}`]);
    expect(run.find("llm.agent_a")?.message).toContain("key from MY_KEY");
    expect(run.find("call of agent_a, agent_b, reflect")?.message).toContain("m-1 answered");
    const output = JSON.stringify(run.document) + run.stderr + readFileSync(join(cwd, "e.jsonl"), "utf8");
    expect(output).not.toContain(KEY);
  });

  test("rejected credentials exit with 4, and the key is masked in the server's message", async () => {
    const { url } = server(401, { error: { message: `Incorrect API key provided: ${KEY}` } });
    const argv = ["doctor", "--provider", "-c", "llm.*.model=m", "-c", `llm.*.base_url=${url}`];
    const run = await cli(argv, { cwd: folder(), env: { OPENAI_API_KEY: KEY } });
    expect(run.code).toBe(4);
    expect(run.stdout).toContain("call of agent_a, agent_b, reflect");
    expect(run.stdout + run.stderr).not.toContain(KEY);
  });
});
