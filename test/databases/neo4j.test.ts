// Statements through the Neo4j driver. Without a server of Neo4j: failures are real, answers come from a server that
// speaks the protocol (bolt.ts) and runs no Cypher.
import { afterEach, expect, test } from "bun:test";
import { createServer } from "node:net";
import { connectionSchema, type Neo4jConnection } from "../../src/databases/connection.ts";
import { queryNeo4j } from "../../src/databases/neo4j/query.ts";
import { type BoltAnswer, type BoltServer, Struct, startBolt } from "./bolt.ts";

const never = new AbortController().signal;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const connection = (url: string, change: Partial<Neo4jConnection> = {}): Neo4jConnection => ({
  ...(connectionSchema.parse({ kind: "neo4j", url, timeout_seconds: 2 }) as Neo4jConnection),
  ...change,
});
const errorOf = (url: string, change?: Partial<Neo4jConnection>, env = {}, signal = never) =>
  queryNeo4j(connection(url, change), "MATCH (n) RETURN n", env, signal).then(
    (answer) => ({ kind: "answered", message: JSON.stringify(answer) }),
    (error) => error,
  );

async function listener(onConnect: (socket: import("node:net").Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onConnect(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  return `bolt://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function bolt(answer: (statement: string) => BoltAnswer): Promise<BoltServer> {
  const server = await startBolt(answer);
  stops.push(server.stop);
  return server;
}

/** Answers of a statement, with its type for EXPLAIN first. */
function answering(type: string, made: BoltAnswer): (statement: string) => BoltAnswer {
  return (statement) =>
    statement === "HELLO" ? {} : statement.startsWith("EXPLAIN ") ? { type } : { type, ...made };
}

test("connection errors are reported: no server, another protocol, an unknown version, silence, a broken connection", async () => {
  expect(await errorOf("bolt://127.0.0.1:1")).toMatchObject({
    kind: "provider",
    details: { retryable: true },
  });
  const http = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("x") });
  stops.push(() => void http.stop(true));
  const web = await errorOf(`bolt://127.0.0.1:${http.port}`);
  expect(web).toMatchObject({ kind: "provider", details: { retryable: false } });
  expect(web.message).toContain("Server responded HTTP");
  const version = await errorOf(
    await listener((socket) => socket.on("data", () => socket.write(Buffer.alloc(4)))),
  );
  expect(version.message).toContain("Unknown Bolt protocol version");
  const start = performance.now();
  expect(await errorOf(await listener(() => undefined))).toMatchObject({ kind: "provider" });
  expect(performance.now() - start).toBeLessThan(8_000);
  expect(await errorOf(await listener((socket) => socket.destroy()))).toMatchObject({
    details: { retryable: true },
  });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 200);
  const silent = await listener(() => undefined);
  expect(await errorOf(silent, {}, {}, stop.signal)).toMatchObject({ kind: "interrupted" });
}, 60_000);

test("a rejected account and a missing password are reported without secrets", async () => {
  const code = "Neo.ClientError.Security.Unauthorized";
  const server = await bolt(() => ({ code, message: "The client is unauthorized" }));
  const change = { password_env: "GRAPH_PASSWORD" };
  const error = await errorOf(server.url, change, { GRAPH_PASSWORD: "correct-horse-2" });
  expect(error).toMatchObject({ kind: "config" });
  expect(JSON.stringify([error.message, error.details.hint])).not.toContain("correct-horse-2");
  expect(server.messages[0]?.[1][0]).toMatchObject({
    scheme: "basic",
    principal: "neo4j",
    credentials: "correct-horse-2",
  });
  expect(await errorOf(server.url, change)).toMatchObject({
    kind: "config",
    message: expect.stringContaining("GRAPH_PASSWORD is not set"),
  });
});

test("records are returned as JSON: numbers, nodes, relationships, maps", async () => {
  const node = new Struct(0x4e, [7n, ["Run"], { name: "a", slack: -0.5 }]);
  const relation = new Struct(0x52, [3n, 7n, 8n, "FAILS", { at: 1n }]);
  const record = [1n, 9007199254740993n, node, relation, [1n, null, true], { x: { y: "z" } }];
  const server = await bolt(answering("r", { fields: ["a", "b", "n", "r", "l", "m"], records: [record] }));
  const answer = await queryNeo4j(connection(server.url), "MATCH (n) RETURN n;", {}, never);
  expect(answer).toEqual({
    lines: [
      '{"a":1,"b":"9007199254740993","n":{"id":"7","labels":["Run"],"properties":{"name":"a","slack":-0.5}},' +
        '"r":{"id":"3","type":"FAILS","from":"7","to":"8","properties":{"at":1}},"l":[1,null,true],"m":{"x":{"y":"z"}}}',
    ],
    more: false,
    changed: null,
  });
  const begin = server.messages.find(([name]) => name === "BEGIN")?.[1][0];
  expect(begin).toMatchObject({ mode: "r", tx_timeout: 2000 });
  expect(server.messages.filter(([name]) => name === "RUN").map(([, fields]) => fields[0])).toEqual([
    "EXPLAIN MATCH (n) RETURN n",
    "MATCH (n) RETURN n",
  ]);
  expect(server.messages.map(([name]) => name)).toContain("ROLLBACK");
});

test("no more records are requested than are shown", async () => {
  const records = Array.from({ length: 5_000 }, (_, n) => [BigInt(n)]);
  const server = await bolt(answering("r", { fields: ["n"], records }));
  const answer = await queryNeo4j(connection(server.url, { max_rows: 3 }), "MATCH (n) RETURN n", {}, never);
  expect(answer).toMatchObject({ lines: ['{"n":0}', '{"n":1}', '{"n":2}'], more: true });
  expect(server.sent).toBeLessThan(50);
});

test("changes are refused on a read-only connection, and counted on a writing one", async () => {
  const made = { type: "w", stats: { "nodes-created": 2, "properties-set": 3 } };
  const server = await bolt(answering("w", made));
  const change = "CREATE (a), (b {x: 1})";
  expect(await queryNeo4j(connection(server.url), change, {}, never).catch((error) => error)).toMatchObject({
    kind: "usage",
    message: expect.stringContaining("the statement is not read-only"),
  });
  expect(server.messages.filter(([name]) => name === "RUN")).toHaveLength(1);
  expect(server.messages.map(([name]) => name)).not.toContain("COMMIT");
  const writing = await bolt(answering("w", made));
  const answer = await queryNeo4j(connection(writing.url, { write: true }), change, {}, never);
  expect(answer).toEqual({ lines: [], more: false, changed: 5 });
  expect(writing.messages.map(([name]) => name)).toContain("COMMIT");
  expect(writing.messages.find(([name]) => name === "BEGIN")?.[1][0]).not.toMatchObject({ mode: "r" });
});

test("an error of the statement is an answer; a change is not retried after a broken connection", async () => {
  const code = "Neo.ClientError.Statement.SyntaxError";
  const server = await bolt((statement) => (statement === "HELLO" ? {} : { code, message: "Invalid input" }));
  expect(await errorOf(server.url)).toMatchObject({
    kind: "usage",
    message: expect.stringContaining("Invalid input"),
  });
  const breaking = await bolt((statement) => (statement === "HELLO" ? {} : { breaks: true }));
  expect(await errorOf(breaking.url)).toMatchObject({ kind: "provider", details: { retryable: true } });
  expect(await errorOf(breaking.url, { write: true })).toMatchObject({
    kind: "provider",
    details: { retryable: false },
  });
});
