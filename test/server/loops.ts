// A server with a design project, an agent and a factory, and their models: scripts behind real HTTP.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JobScript, jobScript } from "../loops/agent/script.ts";
import { git, initRepo } from "../loops/factory/support.ts";
import { type ModelServer, type ScriptedReply, startModelServer } from "../support/model-server.ts";
import { type Served, serveFixtures } from "../support/serve.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures");
export const ORDER = JSON.parse(readFileSync(join(FIXTURES, "factory/node_work_order.json"), "utf8"));

export interface Loops extends Served {
  repo: string;
  /** The next replies of the design model: keys of a directive. */
  replies: Record<string, unknown>[];
  model: ModelServer;
  /** The instructions that the agent's model received. */
  script: JobScript;
  stop(): Promise<void>;
}

/** Starts the server. The factory replays recorded replies; the others use the scripted model. */
export async function serveLoops(items: readonly string[] = []): Promise<Loops> {
  const dir = mkdtempSync(join(tmpdir(), "atomsmith-loops-"));
  for (const item of ["STA-03", "DRC-04"]) {
    mkdirSync(join(dir, "items"), { recursive: true });
    if (items.includes(item))
      cpSync(join(FIXTURES, `items/${item}_ItemSpec.md`), join(dir, `items/${item}_ItemSpec.md`));
  }
  cpSync(join(FIXTURES, "project"), join(dir, "logs"), { recursive: true });
  const repo = join(dir, "repo");
  cpSync(join(FIXTURES, "factory/node"), repo, { recursive: true });
  initRepo(repo);
  git(repo, "status");
  const replies: Record<string, unknown>[] = [];
  const script: JobScript = { phases: [5, 5] };
  const model = startModelServer((request, number): ScriptedReply => {
    if (request.model !== "design") return jobScript(script)(request);
    const next = replies.shift();
    if (next === undefined) return { http: { status: 500, body: `no reply ${number} is scripted` } };
    return { content: JSON.stringify({ assistant_message: "As you say.", ...next }) };
  });
  const path = (...parts: string[]): string => join(dir, ...parts);
  const server = await serveFixtures({
    dir,
    env: { KEY: "sk-loops-0123456789abcdef", ATOMSMITH_PERSON: "Alice" },
    settings: [
      `paths.cache_dir=${path("cache")}`,
      `paths.output_dir=${path("output")}`,
      `loops.design.projects=${path("projects")}`,
      `loops.agent.workspace=${path("workspace")}`,
      `loops.factory.runs=${path("runs")}`,
      `loops.factory.repositories=[${JSON.stringify(repo)}]`,
      "llm.design.model=design",
      `llm.design.base_url=${model.url}`,
      "llm.design.api_key_env=KEY",
      "llm.design.max_retries=0",
      "llm.agent.model=agent",
      `llm.agent.base_url=${model.url}`,
      "llm.factory.provider=replay",
      "llm.factory.model=recorded",
      `llm.cassettes=${join(FIXTURES, "factory/cassettes")}`,
    ],
  });
  return {
    ...server,
    repo,
    replies,
    model,
    script,
    stop: async () => {
      await server.drop();
      await model.stop();
    },
  };
}

/** Operations that add an item of the fixtures to a project. */
export function addItem(server: Loops, id: string): object[] {
  writeFileSync(
    join(server.dir, `${id}_ItemSpec.md`),
    readFileSync(join(FIXTURES, `items/${id}_ItemSpec.md`), "utf8"),
  );
  return [
    { op: "replace", path: "/search_root", value: join(server.dir, "logs") },
    {
      op: "add",
      path: `/items/${id}`,
      value: { page: join(server.dir, `${id}_ItemSpec.md`), enabled: true },
    },
  ];
}
