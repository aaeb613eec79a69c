// Jobs of the factory: one work order, several of them, a plan. Only configured repositories can be changed.
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { workOrderSchema } from "../../loops/factory/schemas.ts";
import { refusal } from "../http/problem.ts";
import { type JobKind, jobKind, type KindContext } from "../jobs/kinds.ts";

const ORDER_FILE = "work_order.json";
const ORDERS = "orders";
export const PLAN = "plan";

const repository = z.string().max(4_096).describe("one of loops.factory.repositories");
const branch = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/);
const limits = {
  max_attempts: z.int().min(1).max(20).optional(),
  max_cost_usd: z.number().positive().optional(),
};

const runParams = z.strictObject({
  repository,
  order: workOrderSchema,
  commit: branch.optional().describe("branch; absent: the change is left in the work tree"),
  ...limits,
});
const allParams = z.strictObject({
  repository,
  orders: z.array(workOrderSchema).min(1).max(200),
  commit: branch,
  ...limits,
});
const planParams = z.strictObject({
  repository: repository.optional(),
  spec: z.string().min(1).max(200_000),
  max_cost_usd: limits.max_cost_usd,
});

const run = jobKind<z.infer<typeof runParams>>({
  name: "factory-run",
  summary: "run one work order: a verified change, or an unchanged repository",
  params: runParams,
  flags: "program",
  title: ({ order }) => `${order.id}: ${order.title}`,
  command: ({ repository: repo, commit, ...rest }, { config, file }) => [
    "factory",
    "run",
    `--repo=${allowed(repo, config)}`,
    `--work-order=${file(ORDER_FILE)}`,
    `--out=${config.loops.factory.runs}`,
    ...(commit === undefined ? [] : [`--commit=${commit}`]),
    ...limitFlags(rest),
  ],
  inputs: ({ order }) => ({ [ORDER_FILE]: `${JSON.stringify(order, null, 2)}\n` }),
});

const all = jobKind<z.infer<typeof allParams>>({
  name: "factory-run-all",
  summary: "run several work orders, each as a commit",
  params: allParams,
  flags: "program",
  title: ({ orders, commit }) => `${orders.length} work orders on ${commit}`,
  command: ({ repository: repo, commit, ...rest }, context) => [
    "factory",
    "run-all",
    `--repo=${allowed(repo, context.config)}`,
    `--work-orders=${context.file(ORDERS)}`,
    `--out=${outOf(context)}`,
    `--commit=${commit}`,
    ...limitFlags(rest),
  ],
  inputs: ({ orders }) =>
    Object.fromEntries(
      orders.map((order, i) => [
        `${ORDERS}/${String(i + 1).padStart(3, "0")}.json`,
        `${JSON.stringify(order, null, 2)}\n`,
      ]),
    ),
});

const plan = jobKind<z.infer<typeof planParams>>({
  name: "factory-plan",
  summary: "have a model split a specification into work orders",
  params: planParams,
  flags: "program",
  title: ({ spec }) => `plan: ${spec.trim().split("\n")[0]?.slice(0, 120)}`,
  command: ({ repository: repo, max_cost_usd }, { config, file }) => [
    "factory",
    "plan",
    `--spec=${file("spec.md")}`,
    `--out=${file(PLAN)}`,
    ...(repo === undefined ? [] : [`--repo=${allowed(repo, config)}`]),
    ...limitFlags({ max_cost_usd }),
  ],
  inputs: ({ spec }) => ({ "spec.md": spec }),
});

export const FACTORY_KINDS: readonly JobKind[] = [run, all, plan];

/** Each set of orders has its own folder, which holds its progress. */
function outOf({ config, id }: KindContext): string {
  return `${config.loops.factory.runs}/${id}`;
}

function allowed(path: string, { loops }: Config): string {
  if (loops.factory.repositories.includes(path)) return path;
  throw refusal(
    403,
    "this repository is not configured for work orders",
    "add it to loops.factory.repositories in the configuration",
  );
}

function limitFlags({
  max_attempts,
  max_cost_usd,
}: {
  max_attempts?: number | undefined;
  max_cost_usd?: number | undefined;
}): string[] {
  return [
    ...(max_attempts === undefined ? [] : [`--max-attempts=${max_attempts}`]),
    ...(max_cost_usd === undefined ? [] : [`--max-cost=${max_cost_usd}`]),
  ];
}
