import { z } from "zod";
import { data, defineTool } from "../types.ts";
import { citedLines } from "./cited.ts";
import { creatorOf, logPlaces } from "./context.ts";
import { findingLine, type LookedAt, lookAt, pageFaults, readPage } from "./page.ts";

export const specLint = defineTool({
  name: "spec_lint",
  category: "items",
  description:
    "Check an ItemSpec of the workspace: what the parser sees, where its examples stand in the logs, whether its citations hold.",
  details:
    'Example: `spec_lint("output/IMP-1-0-0-00_ItemSpec.md")`. Whatever stands under "Not ready" is refused by submit_item_spec.',
  schema: z.strictObject({ path: z.string() }),
  core: false,
  async run({ path }, context) {
    const page = readPage(path, context.workspace.text(path));
    const looked = await lookAt(page, creatorOf(context.state.job_id, context), logPlaces(context));
    return data(lookText(looked));
  },
});

/** A page as the model sees it. */
export function lookText(looked: LookedAt): string {
  const { page, examples, hasCheck, cited } = looked;
  const { id, findings } = page.reading;
  const places = examples.map(({ place }, at) => {
    const where = place === null ? "stands in no log" : `stands in ${place.file}:${place.line}`;
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
