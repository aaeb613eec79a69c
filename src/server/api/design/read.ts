// Routes that read design projects.
import { z } from "zod";
import { providerOf } from "../../../llm/providers.ts";
import { type ProjectView, readConversation } from "../../../loops/design/index.ts";
import { differenceOf } from "../../../loops/design/patches.ts";
import type { Version } from "../../../loops/design/schemas.ts";
import { openProject, projectIds, projectRow, rowOf } from "../../design/projects.ts";
import { refusal } from "../../http/problem.ts";
import { type Route, route, type ServerContext } from "../../types.ts";
import { designSchemas } from "../../wire/design.ts";
import { fileRoutes } from "../log-routes.ts";
import { BASE, idParams } from "./path.ts";

export function readRoutes(): Route[] {
  return [
    route({
      method: "get",
      path: "/api/design",
      summary: "the design projects",
      tag: "design",
      answer: designSchemas.list,
      handle: async (_, { options: { config, env } }) => ({
        folder: config.loops.design.projects,
        projects: await Promise.all(projectIds(config).map((id) => projectRow(config, id))),
        can_talk: providerOf(config.llm.design, env) !== "offline",
      }),
    }),
    route({
      method: "get",
      path: BASE,
      summary: "one project: state, pending decisions, stages",
      tag: "design",
      params: idParams,
      answer: designSchemas.project,
      handle: async ({ params }, context) => projectDocument(params.project, context),
    }),
    projectPart("conversation", "the turns, oldest first, paged", {
      query: z.object({
        before: z.coerce.number().int().min(0).optional().describe("turns below this number"),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      answer: designSchemas.conversation,
      handle: conversationOf,
    }),
    projectPart("spec", "the spec, or one version of it, with what changed", {
      query: z.object({
        version: z
          .string()
          .regex(/^\d{1,9}$/)
          .optional(),
      }),
      answer: designSchemas.spec,
      handle: specOf,
    }),
    projectPart("patches", "all patches with what they change", {
      query: z.object({}),
      answer: designSchemas.patches,
      handle: (view) => ({
        patches: view
          .patches()
          .map((patch) => ({ ...patch, difference: view.differenceOf(patch) }))
          .reverse(),
      }),
    }),
    projectPart("runs", "all runs with their stages", {
      query: z.object({}),
      answer: designSchemas.runs,
      handle: (view) => ({ runs: view.runs().reverse() }),
    }),
    projectPart("artifacts", "the artifacts of the runs", {
      query: z.object({}),
      answer: designSchemas.artifacts,
      handle: (view) => view.artifacts(),
    }),
    projectPart("reports", "the compile report of the spec, and the last run", {
      query: z.object({}),
      answer: designSchemas.reports,
      handle: reportsOf,
    }),
    ...fileRoutes(`${BASE}/artifacts`, "design", idParams, async ({ project }, { options, folders }) => {
      const view = await openProject(options.config, String(project));
      return {
        folder: folders.at(view.reader.dir),
        names: view.artifacts().runs.flatMap(({ files }) => files.map(({ path }) => path)),
      };
    }),
  ];
}

/** Route that reads one part of a project. */
function projectPart<Q extends z.ZodObject>(
  part: string,
  summary: string,
  {
    query,
    answer,
    handle,
  }: { query: Q; answer: z.ZodType; handle: (view: ProjectView, query: z.output<Q>) => unknown },
): Route {
  return route({
    method: "get",
    path: `${BASE}/${part}`,
    summary,
    tag: "design",
    params: idParams,
    query,
    answer,
    handle: async ({ params, query: parsedQuery }, { options }) =>
      handle(await openProject(options.config, params.project), parsedQuery as z.output<Q>),
  });
}

async function projectDocument(id: string, { options: { config, env } }: ServerContext) {
  const view = await openProject(config, id);
  const { reader, state, locked: held } = view;
  const turns = await readConversation(reader);
  return {
    ...rowOf(id, view),
    created_at: reader.project.created_at,
    stages: view.stages(),
    pending_patch_ids: state.pending_patch_ids,
    pending_run: state.pending_run,
    questions: turns.at(-1)?.questions ?? [],
    held,
    can_talk: providerOf(config.llm.design, env) !== "offline",
  };
}

async function conversationOf(
  view: ProjectView,
  { before, limit }: { before?: number | undefined; limit: number },
) {
  const all = await readConversation(view.reader);
  const userPatches = new Set(
    all
      .flatMap(({ decisions }) => decisions.filter(({ decision }) => decision === "patch"))
      .map((decision) => decision.of),
  );
  const proposed = new Map(
    view
      .patches()
      .filter(({ patch_id }) => !userPatches.has(patch_id))
      .map(({ turn, patch_id }) => [turn, patch_id]),
  );
  const wanted = before === undefined ? all : all.filter(({ turn }) => turn < before);
  const turns = wanted.slice(-limit).map(({ proposes, ...turn }) => ({
    ...turn,
    patch_id: proposes ? (proposed.get(turn.turn) ?? null) : null,
  }));
  return { turns, total: all.length };
}

function specOf(view: ProjectView, { version: wanted }: { version?: string | undefined }) {
  const versions = view.versions();
  const shown = wanted === undefined ? versions.at(-1) : view.version(wanted);
  if (shown === undefined) throw refusal(404, "this version of the spec does not exist");
  const before = versions.find(({ version }) => version === shown.version - 1);
  return {
    ...versionRow(shown),
    spec: shown.spec,
    difference: before === undefined ? [] : differenceOf(before.spec, shown.spec),
    versions: versions.map(versionRow).reverse(),
  };
}

function versionRow({ version, hash, patch_id, undoes, created_at, created_by }: Version) {
  return { version, hash, patch_id, undoes: undoes ?? null, created_at, created_by };
}

function reportsOf(view: ProjectView) {
  const compile = z
    .object({ ok: z.boolean(), version: z.int(), errors: z.array(z.string()) })
    .safeParse(JSON.parse(view.reader.text("reports/compile_report.json") ?? "null"));
  const last = view.runs().at(-1) ?? null;
  const files = last === null ? [] : (view.artifactsOf(last.run_id)?.files ?? []);
  return { compile: compile.data ?? null, last_run: last, files };
}
