// `factory run-all`: runs the work orders of a folder one after the other, one commit each.
import { join } from "node:path";
import { readOrderFolder, readRun, renderFactoryJunit, runAll } from "../../../loops/factory/index.ts";
import { RUN_ALL_FILE } from "../../../loops/factory/run-all.ts";
import { writeFileAtomic } from "../../../store/index.ts";
import { defineCommand } from "../../command.ts";
import { exitOfVerdict, ORDER_ARGS, openFactoryRun, REPOSITORY_ARG } from "./options.ts";

export const factoryRunAllCommand = defineCommand({
  name: "run-all",
  summary: "run all work orders of a folder in order of their ids, one commit each",
  details:
    "Stops at the first order that fails. Run the same command again to continue an interrupted run; orders that passed are not repeated.",
  args: {
    repo: REPOSITORY_ARG,
    "work-orders": {
      type: "string",
      valueHint: "DIR",
      required: true,
      description: "folder of work orders (*.json)",
    },
    commit: { type: "string", valueHint: "BRANCH", required: true, description: "branch for the commits" },
    ...ORDER_ARGS,
  },
  examples: [
    {
      command: "atomsmith factory run-all --repo app --work-orders plan --out runs --commit factory/plan",
      does: "commit each order to the branch factory/plan",
    },
  ],
  exits: {
    0: "all orders passed",
    7: "an order failed; those before it are committed",
    2: "wrong usage, an invalid work order, or a failed preflight check",
  },
  run: async (args, context) => {
    const orders = await readOrderFolder(context.resolve(args["work-orders"]));
    const run = openFactoryRun(context, args["no-jail"]);
    const out = context.resolve(args.out);
    const progress = await runAll(
      { repo: context.resolve(args.repo), orders, out, commit: args.commit },
      run,
    );
    for (const { verdict } of progress.orders) {
      if (verdict !== null)
        context.totals[verdict.toLowerCase()] = (context.totals[verdict.toLowerCase()] ?? 0) + 1;
    }
    if (args.junit !== undefined) {
      const done = progress.orders.filter(({ verdict }) => verdict !== null);
      const views = await Promise.all(done.map(({ run_id }) => readRun(join(out, run_id ?? ""))));
      await writeFileAtomic(context.resolve(args.junit), renderFactoryJunit(views));
    }
    const verdict = progress.orders.every((order) => order.verdict === "PASS") ? "PASS" : "FAIL";
    context.output.result(progress, (style) => {
      const rows = progress.orders.map(({ id, verdict: one, run_id, commit }) => [
        id,
        one === null ? style.dim("not run") : one === "PASS" ? style.green(one) : style.red(one),
        run_id ?? "",
        commit?.slice(0, 12) ?? "",
      ]);
      return `${context.output.table([], rows)}\n${verdict} ${join(out, RUN_ALL_FILE)}`;
    });
    return exitOfVerdict(verdict);
  },
});
