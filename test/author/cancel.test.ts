// Ctrl-C while a model writes: a real process, a real signal, and all received replies are stored.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { agentTurnSchema } from "../../src/llm/turns.ts";
import { readLines } from "../../src/store/index.ts";
import { folders } from "../support/folder.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { PROGRAM } from "../support/program.ts";

setDefaultTimeout(60_000);
const folder = folders("cancel");
const ROOT = join(import.meta.dir, "../..");
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
});

test("Ctrl-C ends the process with 130 and keeps the finished and the partial reply", async () => {
  // The first reply lists files; the second starts to arrive and then stalls.
  server = startModelServer((_, n) =>
    n === 1
      ? { tool_calls: [{ name: "list_available_files", arguments: { patterns: ["*.log"] } }] }
      : {
          content: "I look at the log, and while I write this the person loses patience. ".repeat(4),
          stallAfter: 12,
        },
  );
  const cwd = folder();
  const role = { provider: "openai", model: "test-model", base_url: server.url };
  await Bun.write(
    join(cwd, "atomsmith.yaml"),
    JSON.stringify({ llm: { agent_a: role, agent_b: role, reflect: role } }),
  );
  const child = Bun.spawn(
    [
      ...PROGRAM,
      "generate",
      join(ROOT, "fixtures/items/STA-03_ItemSpec.md"),
      "--search-root",
      join(ROOT, "fixtures/project"),
      "--events",
      "-",
    ],
    { cwd, env: { PATH: process.env["PATH"] ?? "" }, stdout: "pipe", stderr: "ignore" },
  );
  // The signal is sent when the stalled reply has started to arrive.
  const seen = new TextDecoder();
  let events = "";
  for await (const chunk of child.stdout) {
    events += seen.decode(chunk, { stream: true });
    if (events.includes('"model_delta"') && events.includes("loses patience")) break;
  }
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  const { values, damaged } = await readLines(join(cwd, "cache/item/STA-03/agent_turns.jsonl"));
  const turns = values.map((line) => agentTurnSchema.parse(line));
  expect(damaged).toEqual([]);
  expect(turns.map(({ record }) => record)).toEqual(["reply", "partial"]);
  expect(turns[1]?.reply.content).toContain("loses patience");
});

test.each([
  ["before the first byte", { content: "late", delayMs: 30_000 }],
  ["in the middle", { content: "I write and write and never come to an end. ".repeat(9), stallAfter: 5 }],
])("after Ctrl-C while the server stalls %s, resume does not repeat earlier requests", async (_, stalled) => {
  const stalls = Promise.withResolvers<void>();
  let resumed = false;
  server = startModelServer(async (request) => {
    const answered = request.messages.filter(({ role }) => role === "tool").length;
    if (answered < 2) {
      const patterns = [answered === 0 ? "*.log" : "*.rpt"];
      return { tool_calls: [{ name: "list_available_files", arguments: { patterns } }] };
    }
    if (resumed) return { http: { status: 401, body: "{}" } };
    stalls.resolve();
    return stalled;
  });
  const cwd = folder();
  const role = { provider: "openai", model: "test-model", base_url: server.url };
  await Bun.write(
    join(cwd, "atomsmith.yaml"),
    JSON.stringify({ llm: { agent_a: role, agent_b: role, reflect: role } }),
  );
  const spawn = (argv: string[]) =>
    Bun.spawn([...PROGRAM, ...argv, "--search-root", join(ROOT, "fixtures/project")], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "" },
      stdout: "ignore",
      stderr: "ignore",
    });
  const child = spawn(["generate", join(ROOT, "fixtures/items/STA-03_ItemSpec.md")]);
  await stalls.promise;
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  const before = server.requests.length;
  resumed = true;
  expect(await spawn(["resume", "STA-03"]).exited).toBe(4);
  const after = server.requests
    .slice(before)
    .map(({ body }) => body.messages.filter(({ role }) => role === "tool").length);
  expect([before, after]).toEqual([3, [2]]);
});
