import { z } from "zod";
import { defineTool, done } from "../types.ts";
import { fetchedSource } from "./source.ts";

export const fetchWebPage = defineTool({
  name: "fetch_web_page",
  category: "search",
  description: "Fetch a page of an allowed host, store it as a source and extract its text.",
  details:
    'Example: `fetch_web_page("https://docs.example.org/limits")`. The page goes to `documents/sources/`, its text to ' +
    "`documents/text/`; read it with read_file, search it with semantic_search, cite it with cite_web. Only hosts that the " +
    "configuration names (loops.agent.web.hosts).",
  schema: z.strictObject({ url: z.string().trim().min(1).max(2_000) }),
  effects: "workspace",
  core: false,
  async run({ url }, context) {
    const { extracted, foundAt, ops } = await fetchedSource(url, context);
    const { text, source, format, parts, lost } = extracted;
    const chars = parts.reduce((sum, part) => sum + part.text.length, 0);
    const from = foundAt === url ? "" : ` It was redirected to ${foundAt}.`;
    const summary = `Written to ${text}: ${format}, ${chars} characters; the page itself is ${source}.${from}`;
    return done([summary, ...lost].join(" "), { ops });
  },
});
