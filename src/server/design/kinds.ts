// Jobs of design projects: a message to the model, a run of the pipeline. Short decisions are not jobs, so that they
// do not wait in the queue.
import { z } from "zod";
import { type JobKind, jobKind } from "../jobs/kinds.ts";
import { personEnv, personSchema, projectDir, projectIdSchema } from "./projects.ts";

const stage = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
const messageParams = z.strictObject({
  project: projectIdSchema,
  message: z.string().min(1).max(100_000),
  person: personSchema.optional(),
});
const runParams = z.strictObject({
  project: projectIdSchema,
  until: stage.optional().describe("the last stage; default: all"),
  person: personSchema.optional(),
});
const approvedParams = z.strictObject({
  project: projectIdSchema,
  reason: z.string().min(1).max(2_000).optional(),
  person: personSchema.optional(),
});

const message = jobKind<z.infer<typeof messageParams>>({
  name: "design-message",
  summary: "send a message to the model of a design project",
  params: messageParams,
  flags: "program",
  env: personEnv,
  title: ({ project }) => `message to ${project}`,
  command: ({ project, message: text }, { config }) => [
    "design",
    `--project-dir=${projectDir(config, project)}`,
    `--message=${text}`,
  ],
});

const run = jobKind<z.infer<typeof runParams>>({
  name: "design-run",
  summary: "run the pipeline of a design project",
  params: runParams,
  flags: "program",
  env: personEnv,
  title: ({ project, until }) => `run ${project}${until === undefined ? "" : ` until ${until}`}`,
  command: ({ project, until }, { config }) => [
    "design",
    "run",
    `--project-dir=${projectDir(config, project)}`,
    ...(until === undefined ? [] : [`--until=${until}`]),
  ],
});

const approved = jobKind<z.infer<typeof approvedParams>>({
  name: "design-approve-run",
  summary: "start the run that awaits approval in a design project",
  params: approvedParams,
  flags: "program",
  env: personEnv,
  title: ({ project }) => `approved run of ${project}`,
  command: ({ project, reason }, { config }) => [
    "design",
    "approve",
    "run",
    `--project-dir=${projectDir(config, project)}`,
    ...(reason === undefined ? [] : [`--reason=${reason}`]),
  ],
  // The approval was consumed when the run started.
  resume: ({ project, person }) => ({
    kind: "design-run",
    params: { project, ...(person === undefined ? {} : { person }) },
  }),
});

export const DESIGN_KINDS: readonly JobKind[] = [message, run, approved];
