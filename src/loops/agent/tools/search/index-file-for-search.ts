import { z } from "zod";
import { defineTool, done } from "../types.ts";
import { withIndex } from "./workspace-index.ts";

export const indexFileForSearch = defineTool({
  name: "index_file_for_search",
  category: "search",
  description: "Update the index and report whether a file is in it.",
  details: "semantic_search updates the index before each search.",
  schema: z.strictObject({ path: z.string() }),
  core: false,
  run({ path }, { workspace }) {
    const place = workspace.readable(path);
    return withIndex(workspace, (index) => {
      const { read } = index.refresh();
      const chunks = index.countChunks(place);
      const fileText =
        chunks === 0
          ? `${path} is not in the index: not a text file, empty, or too large.`
          : `${path}: ${chunks} chunks.`;
      return done(`${fileText} ${read} files were read again.`);
    });
  },
});
