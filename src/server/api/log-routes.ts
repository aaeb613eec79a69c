// Routes of the log viewer for any owner of logs: lines by number, line count, search.
import { basename } from "node:path";
import { z } from "zod";
import { fileResponse } from "../http/file.ts";
import type { Logs } from "../logs.ts";
import { type Route, route, type ServerContext } from "../types.ts";
import { logLinesSchema, logSearchSchema } from "../wire/logs.ts";

const file = z
  .string()
  .min(1)
  .max(4096)
  .describe("relative to the folder of the owner; for logs, to the search root");

/** Files of one folder that can be viewed. */
export interface OwnedFiles {
  folder: Logs;
  /** Relative to the folder or absolute. */
  names: readonly string[];
}

/** @param ownedBy files that can be viewed through this owner */
export function logRoutes(
  prefix: string,
  params: z.ZodObject,
  ownedBy: (params: Record<string, unknown>, context: ServerContext) => Promise<OwnedFiles>,
): Route[] {
  const find = async (given: unknown, name: string, context: ServerContext) => {
    const { folder, names } = await ownedBy(given as Record<string, unknown>, context);
    return { folder, path: folder.owned(name, names) };
  };
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
      handle: async ({ params: given, query, raw }, context) => {
        const { folder, path } = await find(given, query.file, context);
        return folder.lines(path, query.from, query.count, raw.signal);
      },
    }),
    route({
      method: "get",
      path: `${prefix}/logs/count`,
      summary: "number of lines of a log; reads all of it once",
      tag: "logs",
      params,
      query: z.object({ file }),
      answer: z.object({ total_lines: z.int().nullable() }),
      handle: async ({ params: given, query, raw }, context) => {
        const { folder, path } = await find(given, query.file, context);
        return folder.count(path, raw.signal);
      },
    }),
    route({
      method: "get",
      path: `${prefix}/logs/search`,
      summary: "lines that contain a text, ignoring case, or match an expression",
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
        const { folder, path } = await find(given, query.file, context);
        return folder.search(path, query.text, query.regex === "true", query.most, raw.signal);
      },
    }),
  ];
}

/** The same for files that are not logs, and each as a download. */
export function fileRoutes(
  prefix: string,
  tag: string,
  params: z.ZodObject,
  ownedBy: (params: Record<string, unknown>, context: ServerContext) => Promise<OwnedFiles>,
): Route[] {
  return [
    ...logRoutes(prefix, params, ownedBy).map((route) => ({ ...route, tag })),
    route({
      method: "get",
      path: `${prefix}/files`,
      summary: "a file as a download",
      tag,
      params,
      query: z.object({ file }),
      answer: { mediaType: "application/octet-stream", description: "the file" },
      handle: async ({ params: given, query }, context) => {
        const { folder, names } = await ownedBy(given as Record<string, unknown>, context);
        const path = folder.owned(query.file, names);
        return fileResponse(path, basename(path), "application/octet-stream");
      },
    }),
  ];
}
