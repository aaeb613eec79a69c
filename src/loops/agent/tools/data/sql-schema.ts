import { z } from "zod";
import { data, defineTool, orRefused } from "../types.ts";
import { connection } from "./connection.ts";

export const sqlSchema = defineTool({
  name: "sql_schema",
  category: "data",
  description: "Tables, views and columns of a SQL database of the configuration.",
  details: "Example: `sql_schema()`. One column per line, as JSON.",
  schema: z.strictObject({ connection }),
  core: false,
  run: async ({ connection: name }, { sources, signal }) =>
    data(await orRefused(sources.schema("sql", name, signal))),
});
