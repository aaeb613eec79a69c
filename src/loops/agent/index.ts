// The agent loop: long jobs in a workspace, controlled by a graph.
export type { Claim } from "./claim.ts";
export { listAgentConfigs, loadAgentConfig } from "./config/load.ts";
export { agentConfigSchema } from "./config/schema.ts";
export { createJob } from "./create.ts";
export { jobDocument, storedState } from "./document.ts";
export { agentGraph } from "./graph.ts";
export { Heartbeats } from "./heartbeats.ts";
export { proofJob } from "./items/proof-job.ts";
export type { ItemTrials, Trial, TrialRequest } from "./items/trials.ts";
export { jobFolder, jobOrThrow, openJobs, storeFolder } from "./jobs/folder.ts";
export { jobRequestSchema } from "./jobs/request.ts";
export type { Job, JobStore } from "./jobs/types.ts";
export { approveAsIs, cancelJob, nextJob } from "./manage.ts";
export { writeJobPage } from "./page/write.ts";
export { type AgentRun, checkThreshold, claimJob, type JobEnd, openAgentRun, runJob } from "./run.ts";
export type { JobDocument } from "./schemas.ts";
export { TOOLS, toolSet } from "./tools/registry.ts";
