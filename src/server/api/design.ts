// Design projects: their content, and decisions, which are commands of `design`.
import { z } from "zod";
import { providerOf } from "../../llm/providers.ts";
import { type ProjectView, readConversation } from "../../loops/design/index.ts";
import { differenceOf } from "../../loops/design/patches.ts";
import { operationSchema, stateSchema, type Version } from "../../loops/design/schemas.ts";
import { DESIGN_KINDS } from "../design/kinds.ts";
import {
  openProject,
  personEnv,
  personSchema,
  projectDir,
  projectIdSchema,
  projectIds,
  projectMarks,
  projectRow,
  rowOf,
} from "../design/projects.ts";
import { refusal } from "../http/problem.ts";
import { type Route, route, type ServerContext, type ServerModule } from "../types.ts";
import { designSchemas } from "../wire/design.ts";
import { fileRoutes } from "./log-routes.ts";

const BASE = "/api/design/{project}";
const idParams = z.object({ project: projectIdSchema });
const reason = z.string().min(1).max(2_000).optional().describe("recorded with the decision");
const person = personSchema.optional();

export const designModule: ServerModule = {
  kinds: DESIGN_KINDS,
  watches: [{ event: "design_changed", marks: ({ options }) => projectMarks(options.config) }],
  routes: [...readingRoutes(), ...decisionRoutes()],
};

function readingRoutes(): Route[] {
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
    reading("conversation", "the turns, newest last, some at a time", {
      query: z.object({
        before: z.coerce.number().int().min(0).optional().describe("turns below this number"),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      answer: designSchemas.conversation,
      handle: conversationOf,
    }),
    reading("spec", "the spec, or one version of it, with what changed", {
      query: z.object({
        version: z
          .string()
          .regex(/^\d{1,9}$/)
          .optional(),
      }),
      answer: designSchemas.spec,
      handle: specOf,
    }),
    reading("patches", "all patches with what they change", {
      query: z.object({}),
      answer: designSchemas.patches,
      handle: (view) => ({
        patches: view
          .patches()
          .map((patch) => ({ ...patch, difference: view.differenceOf(patch) }))
          .reverse(),
      }),
    }),
    reading("runs", "all runs with their stages", {
      query: z.object({}),
      answer: designSchemas.runs,
      handle: (view) => ({ runs: view.runs().reverse() }),
    }),
    reading("artifacts", "what the runs left behind", {
      query: z.object({}),
      answer: designSchemas.artifacts,
      handle: (view) => view.artifacts(),
    }),
    reading("reports", "the check of the spec, and the last run", {
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

/** A part of a project. */
function reading<Q extends z.ZodObject>(
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
    handle: async ({ params, query: asked }, { options }) =>
      handle(await openProject(options.config, params.project), asked as z.output<Q>),
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
  const own = new Set(
    all
      .flatMap(({ decisions }) => decisions.filter(({ decision }) => decision === "patch"))
      .map((one) => one.of),
  );
  const proposed = new Map(
    view
      .patches()
      .filter(({ patch_id }) => !own.has(patch_id))
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

// ---- decisions ----------------------------------------------------------------------------------------------------

function decisionRoutes(): Route[] {
  return [
    route({
      method: "post",
      path: "/api/design",
      summary: "create a checklist project",
      tag: "design",
      body: z.strictObject({ name: projectIdSchema, person }),
      answer: stateSchema,
      status: 201,
      handle: ({ body }, context) => act(context, body.name, [`--create=${body.name}`], body),
    }),
    decision("approve", "apply a patch that waits", {
      body: z.strictObject({
        patch_id: z.string().regex(/^\d{1,9}$/),
        base_hash: z
          .string()
          .max(100)
          .optional()
          .describe("the version that was reviewed; any other is refused"),
        reason,
        person,
      }),
      words: async ({ patch_id, base_hash, reason: why }, view) => {
        refuseOther(view, patch_id, base_hash);
        return ["approve", ...reasonFlag(why), "--", patch_id];
      },
    }),
    decision("reject", "drop a patch that waits, or the run", {
      body: z.strictObject({
        patch_id: z
          .string()
          .regex(/^(\d{1,9}|run)$/)
          .describe("or: run"),
        reason,
        person,
      }),
      words: async ({ patch_id, reason: why }) => ["reject", ...reasonFlag(why), "--", patch_id],
    }),
    decision("patch", "change the spec in a person's own words, at once", {
      body: z.strictObject({
        operations: z.array(operationSchema).min(1).max(10_000),
        version: z.int().optional().describe("the version it was written for; any other is refused"),
        reason,
        person,
      }),
      words: async ({ version, reason: why }, view) => {
        const now = view.reader.latestVersion().version;
        if (version !== undefined && version !== now) {
          throw refusal(409, `the spec is at version ${now} now`, "review it again");
        }
        return ["patch", ...reasonFlag(why), "--", "-"];
      },
      stdin: ({ operations }) => JSON.stringify(operations),
    }),
    decision("undo", "back to the spec before the last approved patch", {
      body: z.strictObject({ reason, person }),
      words: async ({ reason: why }) => ["undo", ...reasonFlag(why)],
    }),
    decision("cancel", "end the run that is under way", {
      body: z.strictObject({ person }),
      words: async () => ["cancel"],
    }),
  ];
}

/** What was decided about is what the person saw. */
function refuseOther(view: ProjectView, id: string, hash: string | undefined): void {
  if (hash === undefined || view.reader.patch(id).base_hash === hash) return;
  throw refusal(409, `patch ${id} was made for another version of the spec`, "review it again");
}

function reasonFlag(reason: string | undefined): string[] {
  return reason === undefined ? [] : [`--reason=${reason}`];
}

function decision<B extends z.ZodObject>(
  name: string,
  summary: string,
  {
    body,
    words,
    stdin,
  }: {
    body: B;
    words: (body: z.output<B>, view: ProjectView) => Promise<string[]>;
    stdin?: (body: z.output<B>) => string;
  },
): Route {
  return route({
    method: "post",
    path: `${BASE}/${name}`,
    summary,
    tag: "design",
    params: idParams,
    body,
    answer: stateSchema,
    handle: async ({ params, body: given }, context) => {
      const asked = given as z.output<B> & { person?: string };
      const view = await openProject(context.options.config, params.project);
      return act(context, params.project, await words(asked, view), asked, stdin?.(asked));
    },
  });
}

async function act(
  { options, run, hub }: ServerContext,
  project: string,
  [action = "", ...rest]: readonly string[],
  given: { person?: string | undefined },
  stdin?: string,
): Promise<unknown> {
  const dir = `--project-dir=${projectDir(options.config, project)}`;
  try {
    return await run.act(["design", action, dir, ...rest], {
      flags: "program",
      env: personEnv(given),
      ...(stdin === undefined ? {} : { stdin }),
    });
  } finally {
    hub.publish({ type: "design_changed", subject: project });
  }
}
