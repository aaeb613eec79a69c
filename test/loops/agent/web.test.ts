// Web access of agents over real servers: search by Tavily's protocol, pages as sources, verified quotes.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultConfig } from "../../../src/config/defaults.ts";
import { AtomsmithError } from "../../../src/core/errors.ts";
import { TOOLS } from "../../../src/loops/agent/tools/registry.ts";
import type { Outcome, ToolContext } from "../../../src/loops/agent/tools/types.ts";
import { webAccess } from "../../../src/loops/agent/web.ts";
import { Refused, Workspace } from "../../../src/loops/agent/workspace/workspace.ts";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { call, jobScript } from "./script.ts";

const folder = folders("agent-web");
const asked: { path: string; headers: Headers; body: unknown }[] = [];
let status = 200;

const PAGE =
  "<html><head><title>t</title><script>var x = 'hidden words';</script></head><body><h1>Limits</h1>" +
  "<p>The supply is <b>limited</b>\n to 10&nbsp;V.</p><table><tr><th>Net</th><th>Max</th></tr>" +
  "<tr><td>VDD</td><td>1.1</td></tr></table></body></html>";

const server: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body: unknown = request.method === "POST" ? await request.json() : null;
    asked.push({ path: pathname, headers: request.headers, body });
    if (pathname === "/tavily/search") {
      if (status !== 200) return new Response("", { status });
      const results = [
        {
          title: "Limits",
          url: `http://127.0.0.1:${server.port}/limits`,
          content: "limited to 10 V",
          score: 0.9,
        },
        { title: "Elsewhere", url: "https://elsewhere.example/x", content: "y".repeat(5_000), score: 0.5 },
        { title: "Third", url: "https://third.example/", content: "z", score: 0.1 },
      ];
      return Response.json({ query: "q", answer: null, results, response_time: 0.1 });
    }
    if (pathname === "/moved") return new Response(null, { status: 301, headers: { location: "/limits" } });
    if (pathname === "/latin")
      return new Response(Buffer.from("Gr\xf6\xdfe: zehn Volt genau", "latin1"), {
        headers: { "content-type": "text/plain; charset=iso-8859-1" },
      });
    return new Response(PAGE, { headers: { "content-type": "text/html" } });
  },
});
afterAll(() => server.stop(true));
const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;

function job(web: object, env: Record<string, string> = {}) {
  const workspace = new Workspace(folder({ "notes/a.md": "a\n" }));
  const config = defaultConfig();
  Object.assign(config.loops.agent.web, web);
  const redact = (text: string): string => text.replaceAll("sk-secret", "[MASKED]");
  const context = {
    workspace,
    web: webAccess(config, env, redact),
    signal: new AbortController().signal,
    now: () => new Date(),
    embedder: () => undefined,
  };
  const use = async (name: string, args: object): Promise<Outcome> => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    try {
      const outcome = await tool.call(args, context as unknown as ToolContext);
      for (const op of outcome.ops) await workspace.apply(op);
      return outcome;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ok: false, text: error.message, isData: false, ops: [], patch: {} };
    }
  };
  return { root: workspace.root, use };
}

const OPEN = { search_url: at("/tavily"), hosts: [`127.0.0.1:${server.port}`], private_addresses: true };

test("off by default: no request is made", async () => {
  const before = asked.length;
  const { use } = job({});
  expect((await use("web_search", { query: "x" })).text).toContain("no server is configured");
  for (const name of ["fetch_web_page", "cite_web"])
    expect((await use(name, { url: at("/limits"), quote: "limited to 10", claim: "c" })).ok).toBe(false);
  expect((await use("fetch_web_page", { url: at("/limits") })).text).toContain("none is allowed");
  expect(asked).toHaveLength(before);
});

test("a search in Tavily's protocol", async () => {
  const { use } = job({ ...OPEN, api_key_env: "SEARCH_KEY" }, { SEARCH_KEY: " tvly-123456 " });
  const found = await use("web_search", { query: "supply limits sk-secret", max_results: 2 });
  expect(asked.at(-1)).toMatchObject({
    path: "/tavily/search",
    body: { query: "supply limits [MASKED]", max_results: 2, search_depth: "basic" },
  });
  expect(asked.at(-1)?.headers.get("authorization")).toBe("Bearer tvly-123456");
  expect(found.isData).toBe(true);
  expect(found.text).toStartWith(
    `1. Limits\n${at("/limits")} (its page can be fetched)\nlimited to 10 V\n\n2. Elsewhere\n`,
  );
  expect(found.text).toContain("(its host is not allowed)");
  expect(found.text).toContain("[cut, 5000 bytes in all]");
  expect(found.text).not.toContain("third.example");
});

test("a server that fails may be asked again; a key it refuses ends the attempts", async () => {
  const { use } = job(OPEN);
  for (const [code, retryable] of [
    [503, true],
    [429, true],
    [401, false],
  ] as const) {
    status = code;
    const error = await use("web_search", { query: "x" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AtomsmithError);
    expect((error as AtomsmithError).details).toMatchObject({ status: code, retryable });
  }
  status = 200;
});

test("a page becomes a source; only its words can be cited", async () => {
  const { root, use } = job(OPEN);
  const got = await use("fetch_web_page", { url: at("/moved") });
  expect(got.text).toMatch(
    /^Written to documents\/text\/sources_127\.0\.0\.1_\d+_moved_[0-9a-f]{8}\.html\.md: html, \d+ characters; the page itself is documents\/sources\//,
  );
  expect(got.text).toContain(`It was redirected to ${at("/limits")}.`);
  const path = /Written to (\S+):/.exec(got.text)?.[1] ?? "";
  const text = readFileSync(join(root, path), "utf8");
  expect(text).toContain("# Limits");
  expect(text).toContain("| VDD | 1.1");
  expect(text).not.toContain("hidden words");

  const before = asked.length;
  const cite = { url: at("/moved"), quote: "supply is limited to 10", claim: "Supply has a limit" };
  expect((await use("cite_web", cite)).text).toBe("Stored as C1. Refer to it as [C1].");
  expect(await use("cite_web", { ...cite, quote: "supply is limited to 12 V" })).toMatchObject({ ok: false });
  expect(await use("cite_web", { ...cite, quote: "hidden words" })).toMatchObject({ ok: false });
  expect(asked).toHaveLength(before);
  expect(JSON.parse((await use("get_citation", { id: "C1" })).text)).toMatchObject({
    kind: "web",
    source: at("/limits"),
    page: 1,
  });
  // A page that was not fetched is fetched first; its text counts in its own encoding.
  expect(
    (await use("cite_web", { url: at("/latin#top"), quote: "Größe: zehn Volt", claim: "x" })).text,
  ).toStartWith("Stored as C2");
  expect((await use("semantic_search", { query: "Größe" })).text).toContain("latin");
  expect((await use("list_citations", {})).text).toContain(`(${at("/latin")}`);
}, 60_000);

test("in a whole job: the tools are found by search, the key is in no stored text", async () => {
  const model = startModelServer(
    jobScript({
      phases: [5],
      before: ({ messages }, task) => {
        if (task?.text !== "Phase 1 step 2") return undefined;
        const names = messages.flatMap((message) =>
          (message.tool_calls ?? []).map((one) => one.function.name),
        );
        if (!names.includes("search_tools")) return call("search_tools", { query: "search the web" });
        if (!names.includes("web_search")) return call("web_search", { query: "limits" });
        if (!names.includes("cite_web"))
          return call("cite_web", { url: at("/limits"), quote: "VDD | 1.1", claim: "VDD has 1.1" });
        return call("todo_complete");
      },
    }),
  );
  const tools = { search: ["web_search", "fetch_web_page"], citations: ["cite_web"] };
  const cwd = folder({ "own.json": JSON.stringify({ $extends: "researcher", tools }) });
  const web = Object.entries({ ...OPEN, hosts: JSON.stringify(OPEN.hosts), api_key_env: "SEARCH_KEY" });
  const settings = web.flatMap(([key, value]) => ["-c", `loops.agent.web.${key}=${value}`]);
  const line = ["agent", "run", "--config", "own.json", "--description", "x", "--job-id", "w"];
  const own = ["-c", `llm.agent.base_url=${model.url}`, "-c", "llm.agent.model=m", ...settings];
  const { code, stderr } = await cliJson([...line, ...own], { cwd, env: { SEARCH_KEY: "tvly-9876543210" } });
  await model.stop();
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const root = join(cwd, "workspace/job_w");
  const citations = JSON.parse(readFileSync(join(root, "output/citations.json"), "utf8")).citations;
  expect(citations).toMatchObject([{ kind: "web", source: at("/limits") }]);
  for (const file of ["journal.jsonl", "agent_turns.jsonl", "calls.jsonl"])
    expect(readFileSync(join(root, ".agent", file), "utf8")).not.toContain("tvly-9876543210");
}, 60_000);
