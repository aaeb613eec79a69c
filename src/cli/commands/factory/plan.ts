// `factory plan`: a model writes work orders; nothing is written unless all of them hold.
import { relative } from "node:path";
import { EXIT } from "../../../core/errors.ts";
import { writePlan } from "../../../loops/factory/index.ts";
import { defineCommand } from "../../command.ts";
import { FACTORY_MODEL_ARGS, openFactoryRun } from "./options.ts";

export const factoryPlanCommand = defineCommand({
  name: "plan",
  summary: "have a model split a specification into work orders, checked before any is written",
  args: {
    spec: { type: "string", valueHint: "FILE", required: true, description: "the specification, text" },
    out: {
      type: "string",
      valueHint: "DIR",
      required: true,
      description: "folder for WO-01.json, WO-02.json, …",
    },
    repo: {
      type: "string",
      valueHint: "DIR",
      description: "repository they are for; without it no file exists yet",
    },
    ...FACTORY_MODEL_ARGS,
  },
  examples: [
    {
      command: "atomsmith factory plan --spec feature.md --repo app --out plan --llm-model gpt-5",
      does: "write plan/WO-01.json and so on",
    },
  ],
  exits: {
    0: "all orders hold and are written",
    7: "the plan was not right after six replies; nothing is written",
  },
  run: async (args, context) => {
    const run = openFactoryRun(context, false);
    const result = await writePlan(
      {
        spec: context.resolve(args.spec),
        out: context.resolve(args.out),
        repo: args.repo === undefined ? null : context.resolve(args.repo),
      },
      run,
    );
    context.output.result(result, (style) => {
      if (result.verdict === "PASS") {
        const files = result.files.map((file) => `  ${relative(context.cwd, file)}`);
        return [...files, style.green(`PASS: ${result.files.length} work orders`)].join("\n");
      }
      const problems = result.problems.map(({ code, id, message }) => `  ${code} ${id ?? ""}: ${message}`);
      return [...problems, style.red(`FAIL: not right after ${result.replies} replies`)].join("\n");
    });
    return result.verdict === "PASS" ? EXIT.ok : EXIT.checkFailed;
  },
});
