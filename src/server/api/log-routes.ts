// The three ways to look into a log, for whatever owns logs: lines by number, their count, a search.
import { z } from "zod";
import { type Route, route, type ServerContext } from "../types.ts";
import { logLinesSchema, logSearchSchema } from "../wire/logs.ts";

const file = z.string().min(1).max(4096).describe("relative to the search root");

/** @param owned logs that the owner may show, relative to the search root or absolute */
export function logRoutes(
  prefix: string,
  params: z.ZodObject,
  owned: (params: Record<string, unknown>, context: ServerContext) => Promise<string[]>,
): Route[] {
  const pathOf = async (given: unknown, name: string, context: ServerContext): Promise<string> =>
    context.logs.owned(name, await owned(given as Record<string, unknown>, context));
  return [
    route({
      method: "get",
      path: `${prefix}/logs/lines`,
      summary: "lines of a log by number",
      tag: "logs",
      params,
      query: z.object({
        file,
        from: z.coerce.number().int().min(1).default(1),
        count: z.coerce.number().int().min(1).max(2000).default(200),
      }),
      answer: logLinesSchema,
      handle: async ({ params: given, query, raw }, context) =>
        context.logs.lines(await pathOf(given, query.file, context), query.from, query.count, raw.signal),
    }),
    route({
      method: "get",
      path: `${prefix}/logs/count`,
      summary: "number of lines of a log; passes over all of it once",
      tag: "logs",
      params,
      query: z.object({ file }),
      answer: z.object({ total_lines: z.int().nullable() }),
      handle: async ({ params: given, query, raw }, context) =>
        context.logs.count(await pathOf(given, query.file, context), raw.signal),
    }),
    route({
      method: "get",
      path: `${prefix}/logs/search`,
      summary: "lines that hold a text, without regard to case, or match an expression",
      tag: "logs",
      params,
      query: z.object({
        file,
        text: z
          .string()
          .min(1)
          .max(1000)
          .regex(/^[^\r\n]*$/, "one line of text"),
        regex: z.enum(["true", "false"]).default("false"),
        most: z.coerce.number().int().min(1).max(500).default(200),
      }),
      answer: logSearchSchema,
      handle: async ({ params: given, query, raw }, context) => {
        const path = await pathOf(given, query.file, context);
        return context.logs.search(path, query.text, query.regex === "true", query.most, raw.signal);
      },
    }),
  ];
}
