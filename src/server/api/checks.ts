// Checks: the runs over time, the results of one, one item in it with its records, and the logs that it read.
import { z } from "zod";
import type { NormalizedConfig } from "../../contract/config.ts";
import { comparisonSchema } from "../../contract/documents.ts";
import type { CheckResult } from "../../contract/results.ts";
import { entryLists } from "../../report/violations.ts";
import { readAtomSources } from "../../runtime/atom-set.ts";
import { waiversOf } from "../../runtime/edit-waivers.ts";
import { readItemConfig } from "../../runtime/read-config.ts";
import { logsOf } from "../checks.ts";
import { refusal } from "../http/problem.ts";
import { itemIdSchema } from "../jobs/kinds.ts";
import { route, type ServerContext, type ServerModule } from "../types.ts";
import { type CheckRow, listSchema, resultSchema, resultsSchema } from "../wire/checks.ts";
import { logRoutes } from "./log-routes.ts";

const idParams = z.object({ id: z.string().max(100) });
const itemParams = idParams.extend({ item: itemIdSchema });

export const checksModule: ServerModule = {
  routes: [
    route({
      method: "get",
      path: "/api/checks",
      summary: "checks, newest first, with their totals",
      tag: "checks",
      answer: listSchema,
      handle: (_, { jobs }) => ({ checks: jobs.list().filter(({ kind }) => kind === "check") }),
    }),
    route({
      method: "get",
      path: "/api/checks/{id}",
      summary: "the results of a check, paged",
      tag: "checks",
      params: idParams,
      query: z.object({
        outcome: z.enum(["pass", "fail", "error"]).optional(),
        q: z.string().max(200).optional().describe("part of the item's id"),
        offset: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(1000).default(200),
      }),
      answer: resultsSchema,
      handle: ({ params, query }, context) => results(params.id, query, context),
    }),
    route({
      method: "get",
      path: "/api/checks/{id}/results/{item}",
      summary: "one result with its evidence and records",
      tag: "checks",
      params: itemParams,
      answer: resultSchema,
      handle: async ({ params }, context) => {
        const result = await resultOf(params.id, params.item, context);
        const logs = [...new Set(logsOf(result).map((path) => context.logs.shown(path)))].sort();
        const config = await configOf(params.item, context);
        return {
          result: shown(result, context),
          logs,
          lists: result.result === null ? [] : shown(entryLists(result.result, config), context),
          waivers: config === null ? [] : waiversOf(config),
          outcomes: await context.checks.of(params.item),
        };
      },
    }),
    ...logRoutes("/api/checks/{id}/results/{item}", itemParams, async ({ id, item }, context) => ({
      folder: context.logs,
      names: logsOf(await resultOf(String(id), String(item), context)),
    })),
  ],
};

async function resultOf(id: string, item: string, { checks }: ServerContext): Promise<CheckResult> {
  const result = (await checks.get(id)).byItem.get(item);
  if (result === undefined) throw refusal(404, `check ${id} has no result of ${item}`);
  return result;
}

interface Query {
  outcome?: CheckResult["outcome"] | undefined;
  q?: string | undefined;
  offset: number;
  limit: number;
}

async function results(id: string, { outcome, q, offset, limit }: Query, context: ServerContext) {
  const run = await context.checks.get(id);
  const text = q?.toLowerCase();
  const matching = run.results.filter(
    (result) =>
      (outcome === undefined || result.outcome === outcome) &&
      (text === undefined || result.item_id.toLowerCase().includes(text)),
  );
  const comparison = comparisonSchema.nullable().safeParse(run.comparison).data ?? null;
  const changes = new Map(comparison?.items.map((item) => [item.item_id, item.change]));
  const totals: Record<string, number> = { pass: 0, fail: 0, error: 0 };
  for (const result of run.results) totals[result.outcome] = (totals[result.outcome] ?? 0) + 1;
  return {
    check: context.jobs.need(id),
    totals,
    results: matching
      .slice(offset, offset + limit)
      .map((result) => rowOf(result, changes.get(result.item_id) ?? null)),
    total: matching.length,
    comparison,
  };
}

function rowOf(
  { item_id, type, outcome, result, diagnostics, duration_ms }: CheckResult,
  change: string | null,
): CheckRow {
  const count = (list: unknown[] | undefined): number => list?.length ?? 0;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    item_id,
    type,
    outcome,
    found: count(result?.found_items),
    missing: count(result?.missing_items),
    extra: count(result?.extra_items),
    waived: count(result?.waived),
    message: errors[0]?.message ?? "",
    change,
    duration_ms,
  };
}

/** The current config of the item's set; null when it cannot be read. */
async function configOf(item: string, { items }: ServerContext): Promise<NormalizedConfig | null> {
  const sources = await readAtomSources(items.outputDir(item)).catch(() => undefined);
  const reading = sources === undefined ? undefined : readItemConfig(sources.config, "handwritten");
  return reading?.ok === true ? reading.config : null;
}

/** A result with log paths relative to the search root. */
function shown(result: unknown, { logs }: ServerContext): unknown {
  return JSON.parse(JSON.stringify(result), (key, value: unknown) =>
    (key === "source_file" || key === "file") && typeof value === "string" && value !== ""
      ? logs.shown(value)
      : value,
  );
}
