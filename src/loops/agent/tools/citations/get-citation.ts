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
    const match = citationsOf(workspace).find((citation) => citation.id === id);
    return match === undefined
      ? refused(`There is no citation ${id}. list_citations lists them.`)
      : data(JSON.stringify(match, undefined, 2));
  },
});
