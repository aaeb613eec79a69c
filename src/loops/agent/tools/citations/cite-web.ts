import { z } from "zod";
import { addCitation, quoteFault } from "../../../../documents/citations.ts";
import { defineTool, done, refused } from "../types.ts";
import { fetchedSource, storedSource } from "../web/source.ts";
import { citationsOf, storeOps } from "./store.ts";

export const citeWeb = defineTool({
  name: "cite_web",
  category: "citations",
  description: "Store a claim with the words of a web page that support it. The words must be on the page.",
  details:
    'Example: `cite_web("https://docs.example.org/limits", "The limit is 10 V", "The supply is limited")`. The quote is ' +
    "compared exactly with the fetched page, except for whitespace and case. A page that was not " +
    "fetched yet is fetched now, if its host is allowed.",
  schema: z.strictObject({
    url: z.string().trim().min(1).max(2_000),
    quote: z.string(),
    claim: z.string().trim().min(1),
  }),
  effects: "workspace",
  core: false,
  async run({ url, quote, claim }, context) {
    const { workspace } = context;
    const { foundAt, extracted, ops } = storedSource(url, workspace) ?? (await fetchedSource(url, context));
    const text = extracted.parts.map((part) => part.text).join("\n");
    const fault = quoteFault([{ unit: "page", number: 1, name: "", text }], 1, quote);
    if (fault !== undefined) return { ...refused(`${fault} Its text is ${extracted.text}.`), ops };
    const added = { kind: "web" as const, claim, source: foundAt, page: 1, quote, sha256: extracted.sha256 };
    const { json, id } = addCitation(citationsOf(workspace), added);
    return done(`Stored as ${id}. Refer to it as [${id}].`, { ops: [...ops, ...storeOps(json)] });
  },
});
