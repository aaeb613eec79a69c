// The built executable asks databases within a job: its own role for SQLite, and the drivers that it carries apart.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BoltServer, startBolt } from "../databases/bolt.ts";
import { call, jobScript } from "../loops/agent/script.ts";
import { atomsmith } from "../support/executable.ts";
import { folders } from "../support/folder.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { TestPostgres } from "../support/postgres.ts";

const folder = folders("e2e-databases");
let postgres: TestPostgres;
let graph: BoltServer;
let model: ModelServer;

beforeAll(async () => {
  postgres = await TestPostgres.start();
  graph = await startBolt((statement) => {
    if (statement === "HELLO" || statement.startsWith("EXPLAIN ")) return {};
    return { fields: ["n"], records: [[3n]] };
  });
  const calls = [
    call("search_tools", { query: "SQL statement on a database, Cypher statement on Neo4j" }),
    call("sql_query", { query: "SELECT 1 AS one", connection: "file" }),
    call("sql_query", { query: "SELECT 2 AS two", connection: "server" }),
    call("execute_cypher_query", { query: "RETURN 3 AS n" }),
  ];
  model = startModelServer(
    jobScript({
      phases: [5],
      before: (_, task) =>
        task?.text === "Phase 1 step 1" ? (calls.shift() ?? call("todo_complete")) : undefined,
    }),
  );
}, 120_000);
afterAll(() => Promise.all([postgres.stop(), graph.stop(), model.stop()]), 30_000);

test("SQLite, PostgreSQL and the protocol of Neo4j", async () => {
  const cwd = folder({
    "own.json": JSON.stringify({
      $extends: "researcher",
      tools: { data: ["sql_query", "execute_cypher_query"] },
      connections: {
        file: { kind: "sqlite", path: "some.db" },
        server: { kind: "postgres", url: postgres.url() },
        graph: { kind: "neo4j", url: graph.url },
      },
    }),
  });
  new Database(join(cwd, "some.db")).run("CREATE TABLE t (x)");
  const settings = ["-c", `llm.agent.base_url=${model.url}`, "-c", "llm.agent.model=test-model"];
  const line = ["agent", "run", "--config", "own.json", "--description", "x", "--job-id", "d"];
  const { code, err } = await atomsmith([...line, ...settings], { cwd });
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  const lines = readFileSync(join(cwd, "workspace/job_d/.agent/calls.jsonl"), "utf8").trim().split("\n");
  const texts = lines.map((one) => String(JSON.parse(one).outcome?.text ?? ""));
  for (const wanted of ['1 row.\n{"one":1}', '1 row.\n{"two":2}', '1 row.\n{"n":3}'])
    expect(texts).toContain(wanted);
}, 90_000);
