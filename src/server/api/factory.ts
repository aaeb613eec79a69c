// The factory: its runs with attempts, differences and the output of commands; starting is a job of the server.
import { dirname, join } from "node:path";
import { z } from "zod";
import { readOrderFolder } from "../../loops/factory/index.ts";
import { FACTORY_KINDS, PLAN } from "../factory/kinds.ts";
import { dirOf, filesOf, listRuns, runDocument, runIdSchema, runMarks } from "../factory/runs.ts";
import { refusal } from "../http/problem.ts";
import { route, type ServerModule } from "../types.ts";
import { factorySchemas } from "../wire/factory.ts";
import { fileRoutes } from "./log-routes.ts";

const runParams = z.object({ run: runIdSchema });

export const factoryModule: ServerModule = {
  kinds: FACTORY_KINDS,
  watches: [{ event: "factory_changed", marks: ({ options }) => runMarks(options.config) }],
  routes: [
    route({
      method: "get",
      path: "/api/factory",
      summary: "runs, newest first, and the repositories that can be changed",
      tag: "factory",
      answer: factorySchemas.list,
      handle: async (_, { options: { config } }) => ({
        folder: config.loops.factory.runs,
        repositories: config.loops.factory.repositories,
        runs: await listRuns(config),
      }),
    }),
    route({
      method: "get",
      path: "/api/factory/runs/{run}",
      summary: "one run: work order, attempts, differences, commands",
      tag: "factory",
      params: runParams,
      answer: factorySchemas.run,
      handle: ({ params }, { options }) => runDocument(options.config, params.run),
    }),
    ...fileRoutes("/api/factory/runs/{run}/output", "factory", runParams, async ({ run }, context) => {
      const dir = dirOf(context.options.config, String(run));
      return { folder: context.folders.at(dir), names: filesOf(dir).map(({ path }) => path) };
    }),
    route({
      method: "get",
      path: "/api/factory/plans/{job}",
      summary: "the work orders that a plan job wrote",
      tag: "factory",
      params: z.object({ job: z.string().max(100) }),
      answer: factorySchemas.plan,
      handle: async ({ params }, { jobs }) => {
        const { kind, state } = jobs.need(params.job);
        if (kind !== "factory-plan") throw refusal(404, `job ${params.job} is not a plan`);
        if (state !== "finished") throw refusal(409, `plan ${params.job} did not succeed`);
        const folder = join(dirname(jobs.filePath(params.job, "result.json")), PLAN);
        const orders = await readOrderFolder(folder).catch(() => []);
        return { orders: orders.map(({ order }) => order) };
      },
    }),
  ],
};
