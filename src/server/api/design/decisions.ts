// Routes of decisions about design projects: each runs a command of `design`.
import { z } from "zod";
import type { ProjectView } from "../../../loops/design/index.ts";
import { operationSchema, stateSchema } from "../../../loops/design/schemas.ts";
import { openProject, personEnv, personSchema, projectDir, projectIdSchema } from "../../design/projects.ts";
import { refusal } from "../../http/problem.ts";
import { type Route, route, type ServerContext } from "../../types.ts";
import { BASE, idParams } from "./path.ts";

const reason = z.string().min(1).max(2_000).optional().describe("recorded with the decision");
const person = personSchema.optional();

export function decisionRoutes(): Route[] {
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
    decision("approve", "apply a pending patch", {
      body: z.strictObject({
        patch_id: z.string().regex(/^\d{1,9}$/),
        base_hash: z
          .string()
          .max(100)
          .optional()
          .describe("hash of the reviewed version; the request fails if the spec changed since"),
        reason,
        person,
      }),
      words: async ({ patch_id, base_hash, reason: why }, view) => {
        requireSameBase(view, patch_id, base_hash);
        return ["approve", ...reasonFlag(why), "--", patch_id];
      },
    }),
    decision("reject", "reject a pending patch, or the pending run", {
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
    decision("patch", "apply a patch of the user at once", {
      body: z.strictObject({
        operations: z.array(operationSchema).min(1).max(10_000),
        version: z
          .int()
          .optional()
          .describe("the version it was written for; the request fails if the spec changed since"),
        reason,
        person,
      }),
      words: async ({ version, reason: why }, view) => {
        const current = view.reader.latestVersion().version;
        if (version !== undefined && version !== current) {
          throw refusal(409, `the spec is now at version ${current}`, "review it again");
        }
        return ["patch", ...reasonFlag(why), "--", "-"];
      },
      stdin: ({ operations }) => JSON.stringify(operations),
    }),
    decision("undo", "restore the spec before the last approved patch", {
      body: z.strictObject({ reason, person }),
      words: async ({ reason: why }) => ["undo", ...reasonFlag(why)],
    }),
    decision("cancel", "cancel the active run", {
      body: z.strictObject({ person }),
      words: async () => ["cancel"],
    }),
  ];
}

/** Rejects a decision about a patch that changed since the user reviewed it. */
function requireSameBase(view: ProjectView, id: string, hash: string | undefined): void {
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
    handle: async ({ params, body: parsedBody }, context) => {
      const request = parsedBody as z.output<B> & { person?: string };
      const view = await openProject(context.options.config, params.project);
      return act(context, params.project, await words(request, view), request, stdin?.(request));
    },
  });
}

async function act(
  { options, run, hub }: ServerContext,
  project: string,
  [action = "", ...rest]: readonly string[],
  user: { person?: string | undefined },
  stdin?: string,
): Promise<unknown> {
  const dir = `--project-dir=${projectDir(options.config, project)}`;
  try {
    return await run.act(["design", action, dir, ...rest], {
      flags: "program",
      env: personEnv(user),
      ...(stdin === undefined ? {} : { stdin }),
    });
  } finally {
    hub.publish({ type: "design_changed", subject: project });
  }
}
