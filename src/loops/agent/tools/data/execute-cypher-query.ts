import { z } from "zod";
import { data, defineTool, orRefused } from "../types.ts";
import { connection } from "./connection.ts";

export const executeCypherQuery = defineTool({
  name: "execute_cypher_query",
  category: "data",
  description:
    "Run one Cypher statement on a Neo4j database of the configuration. Records are returned as JSON, one per line.",
  details:
    'Example: `execute_cypher_query("MATCH (r:Run)-[:FAILS]->(c) RETURN r.name, count(c) LIMIT 20")`. Most connections only ' +
    "read. Records, bytes and time are limited. get_database_schema shows labels, relationships and properties.",
  schema: z.strictObject({ query: z.string().trim().min(1).max(50_000), connection }),
  effects: "outside",
  core: false,
  run: async ({ query, connection: name }, { sources, signal }) =>
    data(await orRefused(sources.query("cypher", name, query, signal))),
});
