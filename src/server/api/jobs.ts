// Jobs: start, list, show, stop, resume, answer; and the files and events of each.
import { z } from "zod";
import { fileResponse } from "../http/file.ts";
import { jobSchema } from "../jobs/record.ts";
import { route, type ServerModule } from "../types.ts";

const idParams = z.object({ id: z.string().max(100) });
const nothing = z.strictObject({}).optional();

export const jobsModule: ServerModule = {
  routes: [
    route({
      method: "post",
      path: "/jobs",
      summary: "start a job: a command of the program",
      tag: "jobs",
      body: z.strictObject({
        kind: z.string().max(50).describe("see kinds of GET /status"),
        params: z
          .record(z.string(), z.json())
          .optional()
          .describe("see the schema of the kind: GET /jobs/kinds"),
      }),
      answer: jobSchema,
      status: 201,
      handle: async ({ body }, { jobs }) =>
        created(await jobs.start({ kind: body.kind, params: body.params ?? {} })),
    }),
    route({
      method: "get",
      path: "/jobs",
      summary: "jobs, newest first",
      tag: "jobs",
      query: z.object({
        kind: z.string().max(50).optional(),
        state: z.string().max(20).optional(),
        limit: z.coerce.number().int().min(1).max(500).default(100),
      }),
      answer: z.object({ jobs: z.array(jobSchema), total: z.int() }),
      handle: ({ query }, { jobs }) => {
        const found = jobs
          .list()
          .filter(
            ({ kind, state }) =>
              (query.kind === undefined || kind === query.kind) &&
              (query.state === undefined || state === query.state),
          );
        return { jobs: found.slice(0, query.limit), total: found.length };
      },
    }),
    route({
      method: "get",
      path: "/jobs/kinds",
      summary: "kinds of jobs with the JSON Schema of their parameters",
      tag: "jobs",
      answer: z.object({
        kinds: z.array(
          z.object({ name: z.string(), summary: z.string(), params: z.record(z.string(), z.json()) }),
        ),
      }),
      handle: (_, { jobs }) => ({
        kinds: [...jobs.kinds.values()].map(({ name, summary, params }) => ({
          name,
          summary,
          params: z.toJSONSchema(params, { io: "input" }),
        })),
      }),
    }),
    route({
      method: "get",
      path: "/jobs/{id}",
      summary: "one job",
      tag: "jobs",
      params: idParams,
      answer: jobSchema,
      handle: ({ params }, { jobs }) => jobs.need(params.id),
    }),
    route({
      method: "post",
      path: "/jobs/{id}/cancel",
      summary: "stop a job; its progress is saved",
      tag: "jobs",
      params: idParams,
      body: nothing,
      answer: jobSchema,
      status: 202,
      handle: ({ params }, { jobs }) => jobs.cancel(params.id),
    }),
    route({
      method: "post",
      path: "/jobs/{id}/resume",
      summary: "resume a job that has ended, as a new job",
      tag: "jobs",
      params: idParams,
      body: nothing,
      answer: jobSchema,
      status: 201,
      handle: async ({ params }, { jobs }) => created(await jobs.resume(params.id)),
    }),
    route({
      method: "post",
      path: "/jobs/{id}/answer",
      summary: "answer a waiting job, as a new job",
      tag: "jobs",
      params: idParams,
      body: z.record(z.string(), z.json()).describe("for items: hint, examples, accept_edits"),
      answer: jobSchema,
      status: 201,
      handle: async ({ params, body }, { jobs }) => created(await jobs.reply(params.id, "answer", body)),
    }),
    route({
      method: "post",
      path: "/jobs/{id}/approve",
      summary: "approve what a job proposes, as a new job",
      tag: "jobs",
      params: idParams,
      body: z.record(z.string(), z.json()),
      answer: jobSchema,
      status: 201,
      handle: async ({ params, body }, { jobs }) => created(await jobs.reply(params.id, "approve", body)),
    }),
    route({
      method: "get",
      path: "/jobs/{id}/files/{name}",
      summary: "a file that the job wrote",
      tag: "jobs",
      params: idParams.extend({ name: z.string().max(100) }),
      answer: { mediaType: "application/octet-stream", description: "the file, to be saved" },
      handle: ({ params: { id, name } }, { jobs }) => {
        const path = jobs.filePath(id, name);
        return fileResponse(path, `${id}-${name}`, jobs.mediaType(id, name));
      },
    }),
  ],
};

function created(job: z.infer<typeof jobSchema>): Response {
  return Response.json(job, { status: 201, headers: { location: `/jobs/${job.id}` } });
}
