// `factory plan`: a model writes work orders; they are saved only if all of them are valid.
import { relative } from "node:path";
import { EXIT } from "../../../core/errors.ts";
import { count } from "../../../core/words.ts";
import { writePlan } from "../../../loops/factory/index.ts";
import { defineCommand } from "../../command.ts";
import { FACTORY_MODEL_ARGS, openFactoryRun } from "./options.ts";

export const factoryPlanCommand = defineCommand({
  name: "plan",
  summary: "let a model split a specification into work orders, which are checked before they are written",
  args: {
    spec: {
      type: "string",
      valueHint: "FILE",
      required: true,
      description: "the specification, a text file",
    },
    out: {
      type: "string",
      valueHint: "DIR",
      required: true,
      description: "output folder for WO-01.json, WO-02.json, …",
    },
    repo: {
      type: "string",
      valueHint: "DIR",
      description: "the repository; leave out for a new one without files",
    },
    ...FACTORY_MODEL_ARGS,
  },
  examples: [
    {
      command: "atomsmith factory plan --spec feature.md --repo app --out plan --llm-model gpt-5",
      does: "write plan/WO-01.json, plan/WO-02.json, …",
    },
  ],
  exits: {
    0: "all work orders are valid and written",
    7: "the plan was still invalid after six replies; nothing is written",
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
        return [...files, style.green(`PASS: ${count(result.files.length, "work order")}`)].join("\n");
      }
      const problems = result.problems.map(({ code, id, message }) => `  ${code} ${id ?? ""}: ${message}`);
      return [
        ...problems,
        style.red(`FAIL: still invalid after ${count(result.replies, "reply", "replies")}`),
      ].join("\n");
    });
    return result.verdict === "PASS" ? EXIT.ok : EXIT.checkFailed;
  },
});
