// `factory run`: applies one work order as a verified change, or restores the repository.
import { join } from "node:path";
import { SUMMARY_FILE } from "../../../loops/factory/artifacts.ts";
import { readOrderFile, readRun, renderFactoryJunit, runOrder } from "../../../loops/factory/index.ts";
import { writeFileAtomic } from "../../../store/index.ts";
import { defineCommand } from "../../command.ts";
import { exitOfVerdict, ORDER_ARGS, openFactoryRun, REPOSITORY_ARG } from "./options.ts";
import { runText } from "./text.ts";

export const factoryRunCommand = defineCommand({
  name: "run",
  summary: "run one work order: apply a verified change, or restore the repository",
  details:
    "A model proposes whole files. The program checks scope and base hashes, writes the files, runs the verification and acceptance commands, and rolls back on any failure. " +
    "Run the same command again to continue an interrupted run; a finished run is only shown.",
  args: {
    repo: REPOSITORY_ARG,
    "work-order": {
      type: "string",
      valueHint: "FILE",
      required: true,
      description: "the work order, a JSON file",
    },
    commit: {
      type: "string",
      valueHint: "BRANCH",
      description: "commit the accepted files to this branch; by default they stay in the work tree",
    },
    ...ORDER_ARGS,
  },
  examples: [
    {
      command: "atomsmith factory run --repo app --work-order wo.json --out runs --llm-model gpt-5",
      does: "apply the change to the work tree",
    },
    {
      command:
        "atomsmith factory run --repo app --work-order wo.json --out runs --verify 'npm test' --commit wo-1",
      does: "verify with npm test and commit to a branch",
    },
  ],
  exits: {
    0: "PASS",
    7: "FAIL after all attempts; the repository is restored",
    2: "wrong usage, an invalid work order, or a failed preflight check",
  },
  run: async (args, context) => {
    const order = await readOrderFile(context.resolve(args["work-order"]));
    const run = openFactoryRun(context, args["no-jail"]);
    const result = await runOrder(
      {
        repo: context.resolve(args.repo),
        order,
        out: context.resolve(args.out),
        commit: args.commit ?? null,
        removeDrift: false,
      },
      run,
    );
    const { summary, runDir } = result;
    context.totals[summary.verdict.toLowerCase()] = 1;
    const view = await readRun(runDir);
    if (args.junit !== undefined)
      await writeFileAtomic(context.resolve(args.junit), renderFactoryJunit([view]));
    if (result.shown && summary.verdict === "PASS") {
      context.output.note("This run already passed; its changes are not applied again.");
    }
    context.output.result(
      summary,
      (style) => `${runText(view, style)}\n${summary.verdict} ${join(runDir, SUMMARY_FILE)}`,
    );
    return exitOfVerdict(summary.verdict);
  },
});
