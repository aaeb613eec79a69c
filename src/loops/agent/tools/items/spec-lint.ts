import { z } from "zod";
import { data, defineTool } from "../types.ts";
import { citedLines } from "./cited.ts";
import { creatorOf, logPlaces } from "./context.ts";
import { findingLine, type LookedAt, lookAt, pageFaults, readPage } from "./page.ts";

export const specLint = defineTool({
  name: "spec_lint",
  category: "items",
  description:
    "Check an ItemSpec of the workspace: findings of the parser, places of its examples in the logs, validity of its citations.",
  details:
    'Example: `spec_lint("output/IMP-1-0-0-00_ItemSpec.md")`. submit_item_spec refuses a page with problems under "Not ready".',
  schema: z.strictObject({ path: z.string() }),
  core: false,
  async run({ path }, context) {
    const page = readPage(path, context.workspace.text(path));
    const looked = await lookAt(page, creatorOf(context.state.job_id, context), logPlaces(context));
    return data(lookText(looked));
  },
});

/** The findings about a page as text for the model. */
export function lookText(looked: LookedAt): string {
  const { page, examples, hasCheck, cited } = looked;
  const { id, findings } = page.reading;
  const places = examples.map(({ place }, at) => {
    const where = place === null ? "is in no log" : `is in ${place.file}:${place.line}`;
    return `Example ${at + 1} ${where}`;
  });
  const faults = pageFaults(looked);
  return [
    id === undefined ? "The page has no item id." : `Item ${id}`,
    ...(findings.length === 0
      ? ["No findings."]
      : findings.map((finding) => findingLine(page.path, finding))),
    ...places,
    hasCheck ? "There is a check block." : "There is no check block.",
    ...citedLines(cited),
    ...(faults.length === 0
      ? ["Ready to be submitted, once try_item accepts it."]
      : ["Not ready:", ...faults.map((fault) => `- ${fault}`)]),
  ].join("\n");
}
