import { z } from "zod";
import { data, defineTool, refused } from "../types.ts";
import { citationsOf } from "./store.ts";

export const getCitation = defineTool({
  name: "get_citation",
  category: "citations",
  description: "Show one citation in full.",
  details: 'Example: `get_citation("C3")`.',
  schema: z.strictObject({ id: z.string() }),
  core: false,
  run({ id }, { workspace }) {
    const found = citationsOf(workspace).find((citation) => citation.id === id);
    return found === undefined
      ? refused(`There is no citation ${id}. list_citations lists them.`)
      : data(JSON.stringify(found, undefined, 2));
  },
});
