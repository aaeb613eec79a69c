import { z } from "zod";
import { data, defineTool, orRefused } from "../types.ts";
import { connection } from "./connection.ts";

export const sqlQuery = defineTool({
  name: "sql_query",
  category: "data",
  description:
    "Run one SQL statement on a database of the configuration. Rows are returned as JSON, one per line.",
  details:
    'Example: `sql_query("SELECT name, slack FROM runs WHERE slack < 0 ORDER BY slack")`. Most connections only read: then a ' +
    "Only SELECT is allowed. Rows, bytes and time are limited; ask for what is needed, with WHERE and LIMIT. " +
    "sql_schema shows tables and columns.",
  schema: z.strictObject({ query: z.string().trim().min(1).max(50_000), connection }),
  effects: "outside",
  core: false,
  run: async ({ query, connection: name }, { sources, signal }) =>
    data(await orRefused(sources.query("sql", name, query, signal))),
});
