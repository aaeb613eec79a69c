import { z } from "zod";
import { citationsOf } from "../citations/store.ts";
import { data, defineTool } from "../types.ts";
import { citedIn, citedLines } from "./cited.ts";

export const listCited = defineTool({
  name: "list_cited",
  category: "items",
  description: "List the citations of a page, and whether each quote is in its document.",
  details:
    'Example: `list_cited("output/IMP-1-0-0-00_ItemSpec.md")`. A citation in a page is a line of list_citations, copied letter ' +
    'by letter: `[C1] CLAIM (SOURCE, PAGE: "QUOTE")`, in section 4.2 or in a comment at the end of the page.',
  schema: z.strictObject({ path: z.string() }),
  core: false,
  run({ path }, { workspace }) {
    const lines = citedLines(citedIn(workspace.text(path), citationsOf(workspace), workspace));
    return data(lines.length === 0 ? "(the page has no citations)" : lines.join("\n"));
  },
});
