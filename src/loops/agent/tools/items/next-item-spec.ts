import { z } from "zod";
import { data, defineTool, done } from "../types.ts";
import { creatorOf, logPlaces } from "./context.ts";
import { lookAt, readPage } from "./page.ts";
import { lookText } from "./spec-lint.ts";

export const nextItemSpec = defineTool({
  name: "next_item_spec",
  category: "items",
  description:
    "Take the next submitted ItemSpec. Its page is written to inbox/. Decide it before you take another.",
  details:
    "Until it is decided, the call returns the same page. The answer has the findings of the program: lint, places of the " +
    "examples, citations. The document behind a citation is quoted in the page's citation lines.",
  schema: z.strictObject({}),
  // Idempotent: repeated after a crash, the call finds what it took.
  effects: "workspace",
  core: false,
  async run(_, context) {
    const { state, jobs } = context;
    const taken = jobs.submissions.next(state.job_id);
    if (taken === undefined) return done("No ItemSpec waits for a decision.");
    const path = `inbox/${taken.item_id}_ItemSpec.md`;
    const creator = { ...creatorOf(taken.creator_job, context), citations: taken.citations };
    const looked = await lookAt(readPage(path, taken.page), creator, logPlaces(context));
    const returned = taken.round === 0 ? "" : `, sent back ${taken.round} times before`;
    const head = `Submission ${taken.id} of job ${taken.creator_job}${returned}. Its page is ${path}.`;
    const outcome = data(`${head}\n${lookText(looked)}`);
    return { ...outcome, ops: [{ op: "write", path, text: taken.page }] };
  },
});
