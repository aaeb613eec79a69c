// `factory run`: one work order becomes a verified change, or nothing changes.
import { join } from "node:path";
import { SUMMARY_FILE } from "../../../loops/factory/artifacts.ts";
import { readOrderFile, readRun, renderFactoryJunit, runOrder } from "../../../loops/factory/index.ts";
import { writeFileAtomic } from "../../../store/index.ts";
import { defineCommand } from "../../command.ts";
import { exitOfVerdict, ORDER_ARGS, openFactoryRun, REPOSITORY_ARG } from "./options.ts";
import { runText } from "./text.ts";

export const factoryRunCommand = defineCommand({
  name: "run",
  summary: "carry out one work order: a verified change, or the repository as it was",
  details:
    "A model proposes whole files; the program checks scope and base hashes, writes them, runs the verification and the acceptance commands, and rolls back when anything fails. " +
    "A run that was interrupted goes on with the same command; a finished one is shown and nothing is done.",
  args: {
    repo: REPOSITORY_ARG,
    "work-order": { type: "string", valueHint: "FILE", required: true, description: "the work order, JSON" },
    commit: {
      type: "string",
      valueHint: "BRANCH",
      description: "commit the accepted files on this branch; without it they stay in the work tree",
    },
    ...ORDER_ARGS,
  },
  examples: [
    {
      command: "atomsmith factory run --repo app --work-order wo.json --out runs --llm-model gpt-5",
      does: "leave the accepted change in the work tree",
    },
    {
      command:
        "atomsmith factory run --repo app --work-order wo.json --out runs --verify 'npm test' --commit wo-1",
      does: "verify with npm test and commit on a branch",
    },
  ],
  exits: {
    0: "PASS",
    7: "FAIL after all attempts; the repository is as it was",
    2: "usage, work order or preflight",
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
      context.output.note("This run had passed before; its changes are not applied again.");
    }
    context.output.result(
      summary,
      (style) => `${runText(view, style)}\n${summary.verdict} ${join(runDir, SUMMARY_FILE)}`,
    );
    return exitOfVerdict(summary.verdict);
  },
});
