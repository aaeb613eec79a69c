import { z } from "zod";
import { citationLine } from "../../../../documents/citations.ts";
import { data, defineTool } from "../types.ts";
import { citationsOf } from "./store.ts";

export const listCitations = defineTool({
  name: "list_citations",
  category: "citations",
  description: "List all citations of the job, one per line.",
  details: "They are also in `output/citations.json`.",
  schema: z.strictObject({}),
  core: false,
  run(_, { workspace }) {
    const lines = citationsOf(workspace).map(citationLine);
    return data(lines.length === 0 ? "(no citations yet)" : lines.join("\n"));
  },
});
