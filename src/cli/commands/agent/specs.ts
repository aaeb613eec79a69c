// `agent specs`: ItemSpecs that creator agents submitted, with their status.
import { EXIT } from "../../../core/errors.ts";
import { defineCommand } from "../../command.ts";
import { jobsOf } from "./shared.ts";

export const specsCommand = defineCommand({
  name: "specs",
  summary: "list submitted ItemSpecs with their status",
  args: {},
  examples: [{ command: "atomsmith agent specs --json", does: "including the validator's reasons" }],
  run: async (_, context) => {
    const specs = jobsOf(context)
      .submissions.list()
      .map(({ id, item_id, status, round, creator_job, taken_by, returned_as, reasons, updated_at }) => ({
        submission_id: id,
        item_id,
        status,
        round,
        creator_job,
        validator_job: taken_by,
        returned_as,
        reasons,
        updated_at,
      }));
    context.output.result({ specs }, () =>
      specs.length === 0
        ? "no submitted ItemSpecs"
        : context.output.table(
            ["submission", "item", "status", "creator", "validator", "returned as"],
            specs.map((submission) => [
              submission.submission_id,
              submission.item_id,
              submission.status,
              submission.creator_job,
              submission.validator_job ?? "-",
              submission.returned_as ?? (submission.status === "rejected" ? "needs review" : "-"),
            ]),
          ),
    );
    return EXIT.ok;
  },
});
