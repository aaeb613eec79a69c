// The tools over databases in a whole job: found by search, called by name, secrets masked, configuration checked.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { call, jobScript } from "./script.ts";

const folder = folders("agent-data");

/** A folder with a database and a configuration that names it by a relative path. */
function prepared(connections: object): string {
  const cwd = folder({
    "agents/own.json": JSON.stringify({
      $extends: "researcher",
      tools: { data: ["sql_query", "sql_schema", "execute_cypher_query", "get_database_schema"] },
      connections,
    }),
  });
  const db = new Database(join(cwd, "agents/checks.db"));
  db.run("CREATE TABLE runs (name TEXT, slack REAL)");
  db.run("INSERT INTO runs VALUES ('a', -0.5), ('b', 1), ('key', 'correct-horse-3')");
  db.close();
  return cwd;
}

async function job(cwd: string, calls: ReturnType<typeof call>[], env: Record<string, string> = {}) {
  const left = [...calls];
  const model = startModelServer(
    jobScript({
      phases: [5],
      before: (_, task) =>
        task?.text === "Phase 1 step 2" ? (left.shift() ?? call("todo_complete")) : undefined,
    }),
  );
  const line = ["agent", "run", "--config", "agents/own.json", "--description", "x", "--job-id", "d"];
  const own = ["-c", `llm.agent.base_url=${model.url}`, "-c", "llm.agent.model=m"];
  const { code, document } = await cliJson([...line, ...own], { cwd, env });
  await model.stop();
  const calls_ = code === 2 ? "" : readFileSync(join(cwd, "workspace/job_d/.agent/calls.jsonl"), "utf8");
  return { code, document: JSON.stringify(document), calls: calls_ };
}

const search = () =>
  call("search_tools", { query: "SQL statement on a database, tables and columns, Cypher" });

test("statements, schema, refusals; passwords from every source are masked", async () => {
  const cwd = prepared({
    checks: { kind: "sqlite", path: "checks.db" },
    other: { kind: "sqlite", path: "checks.db", max_rows: 1 },
    graph: { kind: "neo4j", url: "bolt://127.0.0.1:1", password_env: "GRAPH_PASSWORD" },
    older: true,
  });
  const { code, calls } = await job(
    cwd,
    [
      search(),
      call("sql_query", { query: "SELECT name, slack FROM runs WHERE slack < 0", connection: "checks" }),
      call("sql_query", { query: "SELECT name FROM runs ORDER BY name", connection: "other" }),
      call("sql_query", { query: "DELETE FROM runs", connection: "checks" }),
      call("sql_query", { query: "SELECT 1" }),
      call("sql_query", { query: "SELECT 1", connection: "graph" }),
      call("sql_query", { query: "SELECT slack FROM runs WHERE name = 'key'", connection: "checks" }),
      call("sql_schema", { connection: "checks" }),
    ],
    { GRAPH_PASSWORD: "correct-horse-3" },
  );
  expect(code).toBe(0);
  const texts = calls
    .trim()
    .split("\n")
    .map((line) => String(JSON.parse(line).outcome?.text ?? ""));
  for (const wanted of [
    '1 row.\n{"name":"a","slack":-0.5}',
    '1 row; there are more: an answer has at most 1 row and 100000 bytes.\n{"name":"a"}',
    "Name the connection: checks, other.",
    "Unknown SQL connection graph; the connections are checks, other.",
  ])
    expect(texts).toContain(wanted);
  expect(calls).toContain("SQLite rejected the statement");
  expect(calls).toContain('\\"column\\":\\"slack\\"');
  expect(calls).not.toContain("correct-horse-3");
  expect(calls).toContain("MASKED");
  const db = new Database(join(cwd, "agents/checks.db"));
  expect(db.query("SELECT count(*) AS n FROM runs").get()).toEqual({ n: 3 });
  db.close();
}, 60_000);

test("an unreachable server ends the job with 4 after the retries; missing settings are reported before the start", async () => {
  const graph = { kind: "neo4j", url: "bolt://127.0.0.1:1", timeout_seconds: 1 };
  const cwd = prepared({ graph });
  const ended = await job(cwd, [search(), call("execute_cypher_query", { query: "MATCH (n) RETURN n" })]);
  expect(ended.code).toBe(4);
  expect(ended.document).toContain("does not answer");
  expect(readFileSync(join(cwd, "workspace/job_d/error.md"), "utf8")).toContain("(after 4 attempts)");
  const unset = await job(prepared({ graph: { ...graph, password_env: "NO_SUCH_VARIABLE" } }), []);
  expect([unset.code, unset.document]).toEqual([2, expect.stringContaining("NO_SUCH_VARIABLE is not set")]);
  const inside = await job(prepared({ p: { kind: "postgres", url: "postgres://u:geheim99@h/d" } }), []);
  expect(inside.code).toBe(2);
  expect(inside.document).not.toContain("geheim99");
}, 60_000);
