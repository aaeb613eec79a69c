// Jobs of agents: start, resume, answer.
import { z } from "zod";
import { type JobKind, jobKind } from "../jobs/kinds.ts";

export const agentJobIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,26}$/)
  .refine((id) => !/^\.+$/.test(id), "is not the id of a job")
  .describe("id of an agent's job");
const configName = z.string().regex(/^[A-Za-z0-9._-]{1,100}$/);
const documentSchema = z.strictObject({
  name: z
    .string()
    .max(200)
    .regex(/^[^/\\\p{Cc}]+$/u)
    .refine((name) => !/^\.+$/.test(name), "is not a file name"),
  base64: z.base64(),
});

const runParams = z.strictObject({
  config: configName.describe("name of an agent configuration"),
  description: z.string().min(1).max(100_000),
  documents: z
    .array(documentSchema)
    .max(100)
    .optional()
    .describe("total size is limited by the size of a request"),
  logs: z.boolean().optional().describe("allow reading the logs of the search root; default: true"),
});
const resumeParams = z.strictObject({
  job: agentJobIdSchema,
  from_phase: z.int().min(0).max(9_999).optional().describe("redo this phase and all later ones"),
});
const answerParams = z.strictObject({
  job: agentJobIdSchema,
  answer: z.string().min(1).max(20_000).optional().describe("absent: accept the job as it is"),
});
const answerBody = z.strictObject({ answer: z.string().min(1).max(20_000) });

/** An answer to a waiting job. */
const ways = <P>(jobOf: (params: P, id: string) => string) => ({
  resume: (params: P, id: string) => ({ kind: "agent-resume", params: { job: jobOf(params, id) } }),
  answer: {
    body: answerBody,
    next: (params: P, body: unknown, id: string) => ({
      kind: "agent-answer",
      params: { job: jobOf(params, id), ...answerBody.parse(body) },
    }),
  },
  approve: {
    body: z.strictObject({}),
    next: (params: P, _: unknown, id: string) => ({
      kind: "agent-answer",
      params: { job: jobOf(params, id) },
    }),
  },
});

const run = jobKind<z.infer<typeof runParams>>({
  name: "agent-run",
  summary: "start an agent job; it gets the id of this job",
  params: runParams,
  flags: "settings",
  title: ({ config, description }) => `${config}: ${description.split("\n")[0]?.slice(0, 120)}`,
  command: ({ config, description, documents = [], logs = true }, context) => [
    "agent",
    "run",
    `--config=${config}`,
    `--description=${description}`,
    `--job-id=${context.id}`,
    ...(documents.length === 0 ? [] : [`--document-dir=${context.file("documents")}`]),
    ...(logs ? [`--search-root=${context.config.paths.search_root}`] : []),
  ],
  inputs: ({ documents = [] }) =>
    Object.fromEntries(
      documents.map(({ name, base64 }) => [`documents/${name}`, Buffer.from(base64, "base64")]),
    ),
  // From here on the documents are in the folder of the job.
  kept: ({ documents = [], ...params }) => ({
    ...params,
    documents: documents.map(({ name }) => ({ name, base64: "" })),
  }),
  ...ways<z.infer<typeof runParams>>((_, id) => id),
});

const resume = jobKind<z.infer<typeof resumeParams>>({
  name: "agent-resume",
  summary: "resume an agent job",
  params: resumeParams,
  flags: "settings",
  title: ({ job, from_phase }) =>
    `resume ${job}${from_phase === undefined ? "" : ` from phase ${from_phase}`}`,
  command: ({ job, from_phase }) => [
    "agent",
    "resume",
    ...(from_phase === undefined ? [] : [`--from-phase=${from_phase}`]),
    "--",
    job,
  ],
  ...ways<z.infer<typeof resumeParams>>(({ job }) => job),
});

const answer = jobKind<z.infer<typeof answerParams>>({
  name: "agent-answer",
  summary: "answer a waiting job, or accept it as it is",
  params: answerParams,
  flags: "settings",
  title: ({ job, answer: text }) => (text === undefined ? `approve ${job}` : `answer ${job}`),
  command: ({ job, answer: text }) => [
    "agent",
    "approve",
    ...(text === undefined ? [] : [`--answer=${text}`]),
    "--",
    job,
  ],
  ...ways<z.infer<typeof answerParams>>(({ job }) => job),
});

export const AGENT_KINDS: readonly JobKind[] = [run, resume, answer];
