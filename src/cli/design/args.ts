// Actions and flags of `design`.
import { type Args, type ArgValues, COMMON_ARGS, MODEL_ARGS } from "../command.ts";

export const ACTIONS = ["approve", "reject", "run", "patch", "cancel", "undo", "show"] as const;

export const DESIGN_ARGS = {
  action: {
    type: "positional",
    valueHint: "ACTION",
    options: ACTIONS,
    description: `one of ${ACTIONS.join(", ")}; by default, the conversation`,
  },
  words: {
    type: "positional",
    valueHint: "WORD",
    multiple: true,
    description:
      "arguments of approve and reject: ID|run; of patch: FILE|-; of show: spec|patches|runs|artifacts|history|state [ID]",
  },
  "project-dir": { type: "string", valueHint: "DIR", description: "folder of the project", required: true },
  create: { type: "string", valueHint: "NAME", description: "create a project with this name" },
  pipeline: {
    type: "string",
    valueHint: "checklist|FILE",
    description: "with --create: pipeline file of the project",
    defaultHint: "checklist",
  },
  message: { type: "string", valueHint: "TEXT", description: "run one turn of the conversation and exit" },
  until: {
    type: "string",
    valueHint: "STAGE",
    description: "with run: last stage to run",
    defaultHint: "full",
  },
  reason: { type: "string", valueHint: "TEXT", description: "comment to store with a decision" },
  "no-jail": {
    type: "boolean",
    description: "run commands of a pipeline without the jail; recorded in the run",
  },
  out: COMMON_ARGS.out,
  cache: COMMON_ARGS.cache,
  provider: {
    type: "enum",
    options: COMMON_ARGS.provider.options,
    description: "provider of the conversation's model",
    sets: ["llm.design.provider"],
  },
  ...MODEL_ARGS,
} as const satisfies Args;
export type DesignArgs = ArgValues<typeof DESIGN_ARGS>;
