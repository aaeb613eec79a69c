// Searches deferred tools by their purpose.
import { z } from "zod";
import { defineTool, done, refused } from "./types.ts";

const MAX_LOADED = 5;

export const searchTools = defineTool({
  name: "search_tools",
  category: "search_tools",
  description: "Find further tools by their purpose; up to 5 are loaded for this phase.",
  details:
    'Example: `search_tools("read lines of a log")`. Loaded tools can be called from the next message on.',
  schema: z.strictObject({ query: z.string().trim().min(1).max(400) }),
  run({ query }, { tools, state }) {
    const names = tools.search(query).slice(0, MAX_LOADED);
    if (names.length === 0)
      return refused("No further tool matches. The pages in tools/ describe each tool.");
    const lines = names.map((name) => `- ${name}: ${tools.find(name)?.spec.description ?? ""}`);
    return done(`Loaded:\n${lines.join("\n")}`, {
      patch: { loaded: [...new Set([...state.loaded, ...names])] },
    });
  },
});
