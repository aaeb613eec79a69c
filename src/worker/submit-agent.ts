// `agent run --queue`: a job of the agent loop, worked on by the fleet.
import type { Config } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import type { JobEnd } from "../loops/agent/index.ts";
import { markCollected, newSubmissionId, type Queue, submitJobs } from "../queue/index.ts";
import { Collector } from "./collect.ts";
import { inputsHash, makeSubmission, markFolder } from "./submission.ts";

export interface FleetAgent {
  queue: Queue;
  config: Config;
  /** By which workers find the agent's configuration. */
  configRef: string;
  emit: Emit;
  signal: AbortSignal;
}

/** Has a job worked on, which is in the workspace folder already. Throws kind `store` when the fleet gave it up, and kind
 * `interrupted` when the wait is ended; the job goes on then. */
export async function runAgentByFleet(id: string, fleet: FleetAgent): Promise<JobEnd> {
  const { queue, config, configRef, emit, signal } = fleet;
  const submission = await makeSubmission({
    kind: "job",
    config,
    searchRoot: null,
    seed: 0,
    commandFlags: [],
    ownFiles: [],
    options: { config_ref: configRef, workspace_mark: await markFolder(config.loops.agent.workspace) },
  });
  const collector = new Collector(queue, signal, (message) =>
    emit({ type: "log", level: "warning", message }),
  );
  try {
    const ids = await submitJobs(queue, newSubmissionId(), submission, [
      {
        subject: id,
        inputs: inputsHash(submission, [id]),
        payload: "{}",
        files: [],
        turns: [],
        checkpoint: undefined,
      },
    ]);
    const job = await collector.wait(ids.get(id) ?? "");
    await markCollected(queue, job.id);
    const result =
      job.result === null ? undefined : (JSON.parse(job.result) as JobEnd | { not_started: string });
    if (job.state === "done" && result !== undefined && "document" in result) return result;
    const reason = result !== undefined && "not_started" in result ? result.not_started : job.reason;
    throw new AtomsmithError("store", `the fleet gave job ${id} up: ${reason ?? "no reason is known"}`, {
      where: id,
      hint: `atomsmith queue show ${job.id} tells more`,
    });
  } finally {
    collector.close();
  }
}
