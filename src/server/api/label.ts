// Labelling in the browser: `atomsmith label` over HTTP.
import { z } from "zod";
import { refusal } from "../http/problem.ts";
import { itemIdSchema } from "../jobs/kinds.ts";
import type { Labels } from "../labels.ts";
import { route, type ServerModule } from "../types.ts";
import { sessionSchema } from "../wire/label.ts";

const idParams = z.object({ id: z.string().regex(/^[0-9a-f]{1,40}$/) });
const nothing = z.strictObject({}).optional();
const file = z.string().min(1).max(4096);
const text = z.string().min(1).max(10_000);

export function labelModule(labels: Labels): ServerModule {
  const tag = "label";
  return {
    routes: [
      route({
        method: "post",
        path: "/api/items/{id}/label",
        summary: "open a label session over the item's page and logs",
        tag,
        params: z.object({ id: itemIdSchema }),
        body: nothing,
        answer: sessionSchema,
        status: 201,
        handle: async ({ params }, { items }) => {
          const path = items.pagePath(params.id);
          if (path === undefined) throw refusal(404, `page of ${params.id} not found`);
          return Response.json(await labels.open(params.id, path), { status: 201 });
        },
      }),
      route({
        method: "get",
        path: "/api/label/{id}",
        summary: "the session",
        tag,
        params: idParams,
        answer: sessionSchema,
        handle: ({ params }) => labels.state(params.id),
      }),
      route({
        method: "get",
        path: "/api/label/{id}/files",
        summary: "files of the search root that can be added",
        tag,
        params: idParams,
        answer: z.object({ paths: z.array(z.string()), more: z.boolean() }),
        handle: ({ params }) => labels.files(params.id),
      }),
      route({
        method: "get",
        path: "/api/label/{id}/lines",
        summary: "lines of a log of the session",
        tag,
        params: idParams,
        query: z.object({
          file,
          from: z.coerce.number().int().min(1).default(1),
          count: z.coerce.number().int().min(1).max(2000).default(200),
        }),
        answer: z.object({
          file: z.string(),
          start_line: z.int(),
          lines: z.array(z.string()),
          total_lines: z.int(),
        }),
        handle: ({ params, query }) => labels.lines(params.id, query.file, query.from, query.count),
      }),
      route({
        method: "post",
        path: "/api/label/{id}/logs",
        summary: "add a log",
        tag,
        params: idParams,
        body: z.strictObject({ file }),
        answer: sessionSchema,
        handle: ({ params, body }) => labels.addLog(params.id, body.file),
      }),
      route({
        method: "post",
        path: "/api/label/{id}/examples",
        summary: "make lines an example by marking value and fields; without a value: not a record",
        tag,
        params: idParams,
        body: z.strictObject({
          file,
          first: z.int().min(1),
          last: z.int().min(1),
          value: text.optional(),
          fields: z.record(z.string().min(1).max(200), text).optional(),
          at: z.int().min(0).optional().describe("0-based line among these that counts"),
        }),
        answer: sessionSchema,
        handle: ({ params, body: { file: log, first, last, value, fields = {}, at = 0 } }) => {
          if (last < first || last - first > 200)
            throw refusal(400, "choose at most 200 lines, from first to last");
          const record = value === undefined ? null : { value, fields: new Map(Object.entries(fields)), at };
          return labels.add(params.id, { file: log, first, last, record });
        },
      }),
      route({
        method: "post",
        path: "/api/label/{id}/choose",
        summary: "choose one of the readings that a question offers",
        tag,
        params: idParams,
        body: z.strictObject({ reading: z.int().min(0) }),
        answer: sessionSchema,
        handle: ({ params, body }) => labels.choose(params.id, body.reading),
      }),
      route({
        method: "post",
        path: "/api/label/{id}/undo",
        summary: "remove the last example",
        tag,
        params: idParams,
        body: nothing,
        answer: sessionSchema,
        handle: ({ params }) => labels.undo(params.id),
      }),
      route({
        method: "post",
        path: "/api/label/{id}/save",
        summary: "write the examples into the page",
        tag,
        params: idParams,
        body: z.strictObject({ check: z.boolean().optional().describe("also the proposed check") }),
        answer: sessionSchema,
        handle: ({ params, body }) => labels.save(params.id, body.check === true),
      }),
      route({
        method: "post",
        path: "/api/label/{id}/close",
        summary: "close the session without writing",
        tag,
        params: idParams,
        body: nothing,
        answer: z.object({ closed: z.literal(true) }),
        handle: ({ params }) => {
          labels.close(params.id);
          return { closed: true };
        },
      }),
    ],
  };
}
