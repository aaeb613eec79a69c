import { z } from "zod";
import { data, defineTool } from "../types.ts";
import { readPage } from "./page.ts";
import { knownPages, similarPages } from "./similar.ts";

export const findSimilarItems = defineTool({
  name: "find_similar_items",
  category: "items",
  description:
    "Pages of the project, and pages that wait for a decision, that resemble a page of the workspace.",
  details:
    'Example: `find_similar_items("output/IMP-1-0-0-00_ItemSpec.md")`. Ranked by words; what is exactly the same (id, log, worked ' +
    "example, check block) is said. Whether two pages are the same requirement is for you to judge: read both.",
  schema: z.strictObject({
    path: z.string().describe("a page, or any text that describes the item"),
    limit: z.int().min(1).max(20).default(5),
  }),
  core: false,
  run({ path, limit }, { workspace, config, jobs }) {
    const text = workspace.text(path);
    const { pages, more } = knownPages(config.paths.item_specs_dir, jobs.submissions.list());
    const similar = similarPages(text, readPage(path, text).reading.spec, pages, limit);
    const lines = similar.map(({ id, place, title, same }) => {
      const facts = same.length === 0 ? "" : `; the same: ${same.join(", ")}`;
      return `${id} (${place}): ${title}${facts}`;
    });
    const cut = more ? ["(only the first pages of the project were compared)"] : [];
    return data([...(lines.length === 0 ? ["(no similar page)"] : lines), ...cut].join("\n"));
  },
});
