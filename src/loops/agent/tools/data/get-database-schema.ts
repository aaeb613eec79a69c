import { z } from "zod";
import { data, defineTool, orRefused } from "../types.ts";
import { connection } from "./connection.ts";

export const getDatabaseSchema = defineTool({
  name: "get_database_schema",
  category: "data",
  description: "Labels, relationships and properties of a Neo4j database of the configuration.",
  details:
    "Example: `get_database_schema()`. Three lists: properties of nodes, of relationships, and what is connected.",
  schema: z.strictObject({ connection }),
  core: false,
  run: async ({ connection: name }, { sources, signal }) =>
    data(await orRefused(sources.schema("cypher", name, signal))),
});
