import { z } from "zod";
import { checkProblems } from "../../../../runtime/check-block.ts";
import { lintItemSpec } from "../../../../spec/index.ts";
import { data, defineTool } from "../types.ts";

export const specLint = defineTool({
  name: "spec_lint",
  category: "items",
  description: "Check an ItemSpec of the workspace: what the parser sees, and what is wrong.",
  details:
    'Example: `spec_lint("output/IMP-1-0-0-00_ItemSpec.md")`. An ItemSpec with errors is of no use to anybody.',
  schema: z.strictObject({ path: z.string() }),
  core: false,
  run({ path }, { workspace }) {
    const { findings, id } = lintItemSpec(Buffer.from(workspace.text(path)), path, checkProblems);
    const lines = findings.map((finding) => {
      const line = "line" in finding && finding.line !== undefined ? `:${finding.line}` : "";
      return `${path}${line} ${finding.severity} ${finding.code}: ${finding.message}`;
    });
    const head = id === undefined ? "The page has no item id." : `Item ${id}`;
    return data([head, ...(lines.length === 0 ? ["No findings."] : lines)].join("\n"));
  },
});
