// `agent list`: all jobs of the workspace folder.
import { EXIT } from "../../../core/errors.ts";
import { defineCommand } from "../../command.ts";
import { jobsOf } from "./shared.ts";

export const listCommand = defineCommand({
  name: "list",
  summary: "list jobs with their status",
  args: {},
  examples: [{ command: "atomsmith agent list --json", does: "for scripts" }],
  run: async (_, context) => {
    const jobs = jobsOf(context).list();
    const shown = jobs.map(({ id, agent_id, status, phase, message, created_at, updated_at }) => ({
      job_id: id,
      agent_id,
      status,
      phase,
      message,
      created_at,
      updated_at,
    }));
    context.output.result({ jobs: shown }, () =>
      shown.length === 0
        ? "no jobs"
        : context.output.table(
            ["job", "agent", "status", "phase", "since"],
            shown.map((job) => [
              job.job_id,
              job.agent_id,
              job.status,
              job.phase,
              job.updated_at.slice(0, 19),
            ]),
          ),
    );
    return EXIT.ok;
  },
});
