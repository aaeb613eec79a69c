// Agents: their jobs with plan, todos, turns and files; start, answer and resume are jobs of the server.
import { z } from "zod";
import { agentTurnSchema } from "../../llm/turns.ts";
import { jobFolder, listAgentConfigs } from "../../loops/agent/index.ts";
import { readLines } from "../../store/index.ts";
import {
  agentDocument,
  agentMarks,
  agentReader,
  listAgentJobs,
  needAgentJob,
  workspaceFiles,
} from "../agents/jobs.ts";
import { AGENT_KINDS, agentJobIdSchema } from "../agents/kinds.ts";
import { type Route, route, type ServerContext, type ServerModule } from "../types.ts";
import { agentSchemas } from "../wire/agents.ts";
import { fileRoutes } from "./log-routes.ts";

const idParams = z.object({ id: agentJobIdSchema });
const actionAnswer = z.looseObject({ job_id: z.string(), status: z.string() });

export const agentsModule: ServerModule = {
  kinds: AGENT_KINDS,
  watches: [{ event: "agents_changed", marks: ({ options }) => agentMarks(options.config) }],
  routes: [
    route({
      method: "get",
      path: "/api/agents",
      summary: "agent jobs, newest first, and the configurations that can be started",
      tag: "agents",
      answer: agentSchemas.list,
      handle: (_, { options: { config } }) => ({
        folder: config.loops.agent.workspace,
        jobs: listAgentJobs(config),
        configs: listAgentConfigs(config.loops.agent.configs),
      }),
    }),
    route({
      method: "get",
      path: "/api/agents/{id}",
      summary: "one job: phases, plan, todos, tokens, warnings",
      tag: "agents",
      params: idParams,
      answer: agentSchemas.job,
      handle: ({ params }, { options }) => agentDocument(options.config, params.id),
    }),
    route({
      method: "get",
      path: "/api/agents/{id}/turns",
      summary: "the turns with the model, paged",
      tag: "agents",
      params: idParams,
      query: z.object({
        offset: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      answer: agentSchemas.turns,
      handle: async ({ params, query: { offset, limit } }, { options }) => {
        const { values } = await readLines(agentReader(options.config, params.id).turnsPath);
        const turns = values
          .slice(offset, offset + limit)
          .flatMap((line) => agentTurnSchema.safeParse(line).data ?? []);
        return { turns, total: values.length };
      },
    }),
    route({
      method: "get",
      path: "/api/agents/{id}/workspace",
      summary: "the files of a job",
      tag: "agents",
      params: idParams,
      answer: agentSchemas.files,
      handle: ({ params }, { options }) => workspaceFiles(options.config, params.id),
    }),
    ...fileRoutes("/api/agents/{id}/workspace", "agents", idParams, async ({ id }, { options, folders }) => ({
      folder: folders.at(jobFolder(options.config.loops.agent.workspace, String(id))),
      names: workspaceFiles(options.config, String(id)).files.map(({ path }) => path),
    })),
    action("cancel", "cancel a job; its worker stops before the next call"),
    action("approve", "accept a waiting job as it is"),
  ],
};

/** `agent cancel JOB`, `agent approve JOB`. */
function action(name: "cancel" | "approve", summary: string): Route {
  return route({
    method: "post",
    path: `/api/agents/{id}/${name}`,
    summary,
    tag: "agents",
    params: idParams,
    body: z.strictObject({}).optional(),
    answer: actionAnswer,
    handle: async ({ params }, { options, run, hub }: ServerContext) => {
      needAgentJob(options.config, params.id);
      try {
        return await run.act(["agent", name, "--", params.id], { flags: "settings" });
      } finally {
        hub.publish({ type: "agents_changed", subject: params.id });
      }
    },
  });
}
