import { z } from "zod";
import { truncate } from "../../../../core/limits.ts";
import { data, defineTool, refused } from "../types.ts";

const SHOWN_BYTES = 1_200;

export const webSearch = defineTool({
  name: "web_search",
  category: "search",
  description: "Search the web with the configured server. The answer has addresses and excerpts.",
  details:
    'Example: `web_search("IEC 61508 proof test interval")`. Excerpts of the server are not a source: fetch the page with ' +
    "fetch_web_page, if its host is allowed, and cite it with cite_web.",
  schema: z.strictObject({
    query: z.string().trim().min(1).max(400),
    max_results: z.int().min(1).max(20).default(5),
  }),
  core: false,
  async run({ query, max_results }, { web, signal }) {
    if (web.search === undefined) {
      return refused("Web search is not available: no server is configured (loops.agent.web.search_url).");
    }
    const hits = await web.search(query, max_results, signal);
    const shown = hits.map(({ title, url, content }, at) => {
      const may = web.isAllowed(url) ? "its page can be fetched" : "its host is not allowed";
      return `${at + 1}. ${title}\n${url} (${may})\n${truncate(content, SHOWN_BYTES).text}`;
    });
    return data(shown.length === 0 ? "Nothing was found." : shown.join("\n\n"));
  },
});
