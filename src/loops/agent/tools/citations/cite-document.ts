import { z } from "zod";
import { addCitation, quoteFault } from "../../../../documents/citations.ts";
import { extractedText } from "../documents/document.ts";
import { defineTool, done, refused } from "../types.ts";
import { citationsOf, storeOps } from "./store.ts";

export const citeDocument = defineTool({
  name: "cite_document",
  category: "citations",
  description:
    "Store a claim with the words of a document that support it. The words must be on the named page.",
  details:
    'Example: `cite_document("documents/checklist.pdf", 3, "All nets are routed", "Routing must be complete")`. The quote is ' +
    "compared exactly, except for whitespace and case. At least 8 characters. The answer is an id.",
  schema: z.strictObject({
    path: z.string().describe("the document, whose text must be extracted"),
    page: z.int().min(1).describe("page, sheet or slide"),
    quote: z.string(),
    claim: z.string().trim().min(1),
  }),
  effects: "workspace",
  core: false,
  run({ path, page, quote, claim }, { workspace }) {
    const { source, sha256, parts } = extractedText(workspace, path);
    const fault = quoteFault(parts, page, quote);
    if (fault !== undefined) return refused(fault);
    const added = { kind: "document" as const, claim, source, page, quote, sha256 };
    const { json, id } = addCitation(citationsOf(workspace), added);
    return done(`Stored as ${id}. Refer to it as [${id}].`, { ops: storeOps(json) });
  },
});
