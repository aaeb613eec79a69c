// Connections to databases in the configuration of an agent. Secrets come only from the environment.
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable, never the secret itself");

const limits = {
  write: z.boolean().default(false).describe("statements that change something are allowed"),
  timeout_seconds: z.number().positive().max(3600).default(30).describe("seconds for one statement"),
  max_rows: z.int().min(1).max(100_000).default(200).describe("rows of one answer"),
  max_bytes: z.int().min(100).max(10_000_000).default(100_000).describe("bytes of one answer"),
};

/** A URL of one of the protocols, without a password. */
function address(protocol: RegExp, form: string) {
  return z.string().refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return (
      url !== undefined &&
      protocol.test(url.protocol) &&
      url.password === "" &&
      !url.searchParams.has("password")
    );
  }, `must have the form ${form}, without a password: that is read from password_env`);
}

const sqliteSchema = z.strictObject({
  kind: z.literal("sqlite"),
  path: z.string().min(1).describe("the database file; relative to the configuration"),
  ...limits,
});

const postgresSchema = z.strictObject({
  kind: z.literal("postgres"),
  url: address(/^postgres(?:ql)?:$/, "postgres://USER@HOST:PORT/DATABASE"),
  password_env: variable.optional(),
  ...limits,
});

const neo4jSchema = z.strictObject({
  kind: z.literal("neo4j"),
  url: address(/^(?:bolt|neo4j)(?:\+s|\+ssc)?:$/, "neo4j://HOST:PORT"),
  user: z.string().default("neo4j"),
  password_env: variable.optional(),
  database: z.string().optional().describe("the server's own default when absent"),
  ...limits,
});

export const connectionSchema = z.discriminatedUnion("kind", [sqliteSchema, postgresSchema, neo4jSchema]);
export type Connection = z.infer<typeof connectionSchema>;
export type SqliteConnection = z.infer<typeof sqliteSchema>;
export type PostgresConnection = z.infer<typeof postgresSchema>;
export type Neo4jConnection = z.infer<typeof neo4jSchema>;

export type Env = Readonly<Record<string, string | undefined>>;

/** The password of a connection; undefined without one. Throws kind `config` for a variable that is not set. */
export function passwordOf(connection: { password_env?: string | undefined }, env: Env): string | undefined {
  const name = connection.password_env;
  if (name === undefined) return undefined;
  const value = env[name];
  if (value !== undefined && value !== "") return value;
  throw new AtomsmithError("config", `the environment variable ${name} is not set`, {
    where: name,
    hint: "set it to the password of the connection in the agent configuration",
  });
}
