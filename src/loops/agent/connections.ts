// The databases of an agent's configuration, for its tools.
import { type AnswerLimits, answerText, type DataAnswer } from "../../databases/answer.ts";
import { type Connection, type Env, passwordOf } from "../../databases/connection.ts";
import { NEO4J_SCHEMA, queryNeo4j } from "../../databases/neo4j/query.ts";
import { POSTGRES_SCHEMA, queryPostgres } from "../../databases/postgres.ts";
import { querySqlite, SQLITE_SCHEMA } from "../../databases/sqlite/query.ts";
import type { AgentConfig } from "./config/schema.ts";
import { Refused } from "./workspace/workspace.ts";

/** Limits of a schema, which may be larger than the result of a query. */
const SCHEMA_ROWS = 2_000;

export type Language = "sql" | "cypher";

export interface DataSources {
  /** Runs one statement and returns its result as text. Throws `Refused` for an unknown connection. */
  query(
    language: Language,
    name: string | undefined,
    statement: string,
    signal: AbortSignal,
  ): Promise<string>;
  schema(language: Language, name: string | undefined, signal: AbortSignal): Promise<string>;
}

export function dataSources(connections: AgentConfig["connections"], env: Env): DataSources {
  const known = connectionsOf(connections);
  return {
    async query(language, name, statement, signal) {
      const connection = chosen(known, language, name);
      return answerText(await run(connection, statement, env, signal), limitsOf(connection));
    },
    async schema(language, name, signal) {
      const connection = chosen(known, language, name);
      const readOnly = { ...connection, write: false, max_rows: Math.max(SCHEMA_ROWS, connection.max_rows) };
      const answers: string[] = [];
      for (const statement of schemaStatements(connection)) {
        answers.push(answerText(await run(readOnly, statement, env, signal), limitsOf(readOnly)));
      }
      return answers.join("\n\n");
    },
  };
}

/** The passwords of the connections, to be masked in all output. Throws kind `config` for an environment variable
 * that is not set. */
export function connectionSecrets(connections: AgentConfig["connections"], env: Env): string[] {
  return Object.values(connectionsOf(connections)).flatMap((connection) =>
    "password_env" in connection ? (passwordOf(connection, env) ?? []) : [],
  );
}

/** `true` and `false`, allowed for older configurations, name no database. */
function connectionsOf(connections: AgentConfig["connections"]): Record<string, Connection> {
  return Object.fromEntries(
    Object.entries(connections).filter(
      (entry): entry is [string, Connection] => typeof entry[1] !== "boolean",
    ),
  );
}

function chosen(known: Record<string, Connection>, language: Language, name: string | undefined): Connection {
  const fitting = Object.entries(known).filter(
    ([, { kind }]) => (kind === "neo4j") === (language === "cypher"),
  );
  const names = fitting.map(([one]) => one);
  const what = language === "cypher" ? "Neo4j" : "SQL";
  if (names.length === 0)
    throw new Refused(`No connection to a ${what} database is configured (connections).`);
  if (name === undefined && names.length > 1) throw new Refused(`Name the connection: ${names.join(", ")}.`);
  const match = name === undefined ? fitting[0]?.[1] : fitting.find(([one]) => one === name)?.[1];
  if (match !== undefined) return match;
  throw new Refused(`Unknown ${what} connection ${name}; the connections are ${names.join(", ")}.`);
}

function run(connection: Connection, statement: string, env: Env, signal: AbortSignal): Promise<DataAnswer> {
  switch (connection.kind) {
    case "sqlite":
      return querySqlite(connection, statement, signal);
    case "postgres":
      return queryPostgres(connection, statement, env, signal);
    case "neo4j":
      return queryNeo4j(connection, statement, env, signal);
  }
}

function schemaStatements({ kind }: Connection): readonly string[] {
  if (kind === "neo4j") return NEO4J_SCHEMA;
  return [kind === "sqlite" ? SQLITE_SCHEMA : POSTGRES_SCHEMA];
}

function limitsOf({ max_rows: maxRows, max_bytes: maxBytes }: Connection): AnswerLimits {
  return { maxRows, maxBytes };
}
