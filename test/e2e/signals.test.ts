// Interrupted in the middle of a call to a server that never answers: 130, one document, complete events.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorDocumentSchema } from "../../src/contract/documents.ts";
import { emptyEnv, executable, start } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

// Whole processes on a machine that may be busy.
setDefaultTimeout(60_000);

const folder = folders("signals");

/** A server that takes requests and answers none; `asked` resolves at the first. */
function silentServer() {
  let seen: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: () => {
      seen();
      return new Promise<Response>(() => {});
    },
  });
  afterAll(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}/v1`, asked };
}

async function interrupted(signals: NodeJS.Signals[], more: string[] = []) {
  const cwd = folder();
  const { url, asked } = silentServer();
  const args = [
    "doctor",
    "--provider",
    "--events",
    "e.jsonl",
    "-c",
    "llm.*.model=m",
    "-c",
    `llm.*.base_url=${url}`,
  ];
  const child = start([...args, ...more], { cwd, env: { OPENAI_API_KEY: "sk-0123456789" } });
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await asked;
  for (const signal of signals) child.kill(signal);
  const code = await child.exited;
  const [out, err] = await output;
  const events = readFileSync(join(cwd, "e.jsonl"), "utf8").trimEnd().split("\n");
  return { code, signal: child.signalCode, out, err, events: events.map((line) => JSON.parse(line)) };
}

describe("signals", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends with 130", async (signal) => {
    const run = await interrupted([signal]);
    expect(run).toMatchObject({ code: 130, signal: null, out: "" });
    expect(run.err).toContain(`${signal}: stopping`);
    expect(run.err).toContain("interrupted");
    expect(run.events.at(-1)).toMatchObject({ type: "run_finished", exit_code: 130 });
  });

  test.skipIf(process.platform !== "linux")("under nohup a closed terminal does not end it", async () => {
    const cwd = folder();
    const { url, asked } = silentServer();
    const line = `trap '' HUP; exec "$BIN" doctor --provider -c 'llm.*.model=m' -c 'llm.*.base_url=${url}'`;
    const child = Bun.spawn(["/bin/bash", "-c", line], {
      cwd,
      env: { ...emptyEnv(cwd), BIN: executable(), OPENAI_API_KEY: "sk-0123456789" },
      stdout: "ignore",
      stderr: "pipe",
    });
    const err = new Response(child.stderr).text();
    await asked;
    child.kill("SIGHUP");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(130);
    expect(await err).not.toContain("SIGHUP");
  });

  test("with --json there is still one document", async () => {
    const run = await interrupted(["SIGTERM"], ["--json"]);
    expect(run.code).toBe(130);
    expect(errorDocumentSchema.parse(JSON.parse(run.out)).error.kind).toBe("interrupted");
  });

  test("the second signal ends at once, with 130 and the events closed", async () => {
    const run = await interrupted(["SIGINT", "SIGTERM"], ["--json"]);
    expect(run).toMatchObject({ code: 130, signal: null });
    expect(errorDocumentSchema.parse(JSON.parse(run.out)).error.kind).toBe("interrupted");
    expect(run.events.at(-1)).toMatchObject({ type: "run_finished", exit_code: 130 });
  });
});
