import { z } from "zod";
import { data, defineTool } from "../types.ts";
import { withIndex } from "./workspace-index.ts";

export const semanticSearch = defineTool({
  name: "semantic_search",
  category: "search",
  description: "Find passages of the workspace that match a question, best first.",
  details:
    'Example: `semantic_search("waivers of setup violations")`. Full text always, embeddings where a server is configured; ' +
    "the answer says which of them found something. Documents are searched once their text is extracted.",
  schema: z.strictObject({ query: z.string().trim().min(1), limit: z.int().min(1).max(20).default(8) }),
  core: false,
  async run({ query, limit }, { workspace, embedder, signal }) {
    const { hits, answered } = await withIndex(workspace, (index) =>
      index.search(query, limit, embedder(signal)),
    );
    const shown = hits.map(({ path, page, by, text }, at) => {
      return `${at + 1}. ${path}, page ${page} (${by.join(", ")})\n${text}`;
    });
    return data([answered, ...(shown.length === 0 ? ["No passage matches."] : shown)].join("\n\n"));
  },
});
