import { z } from "zod";
import { defineTool, done, refused } from "../types.ts";
import { creatorOf, logPlaces } from "./context.ts";
import { lookAt, pageFaults, readPage } from "./page.ts";

export const submitItemSpec = defineTool({
  name: "submit_item_spec",
  category: "items",
  description: "Submit an ItemSpec of the workspace to the validator.",
  details:
    'Example: `submit_item_spec("output/IMP-1-0-0-00_ItemSpec.md")`. Refused with the reasons when the page has lint errors, no ' +
    "check block, no worked example that occurs in a log, or no valid citation. Until a validator takes it, a better " +
    "version of the same item replaces it. The same text again changes nothing.",
  schema: z.strictObject({ path: z.string() }),
  // Idempotent: repeated after a crash, the call finds what it stored.
  effects: "workspace",
  core: false,
  async run({ path }, context) {
    const { workspace, state, searchRoot, jobs } = context;
    if (searchRoot === "") return refused("This job has no logs: it was started without --search-root.");
    const page = readPage(path, workspace.text(path));
    const creator = creatorOf(state.job_id, context);
    const looked = await lookAt(page, creator, logPlaces(context));
    const faults = pageFaults(looked);
    const { id } = page.reading;
    if (faults.length > 0 || id === undefined) {
      return refused(`Not submitted:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
    }
    const answer = jobs.submissions.submit({
      item_id: id,
      page: page.text,
      sha256: page.sha256,
      citations: looked.cited.flatMap(({ citation }) => citation ?? []),
      creator_job: state.job_id,
      search_root: searchRoot,
    });
    if ("refused" in answer) return refused(answer.refused);
    return done(`${id} is submitted as ${answer.submission.id} (${answer.submission.status}).`);
  },
});
