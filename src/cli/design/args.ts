// Actions and flags of `design`.
import { type Args, type ArgValues, COMMON_ARGS, MODEL_ARGS } from "../command.ts";

export const ACTIONS = ["approve", "reject", "run", "patch", "cancel", "undo", "show"] as const;

export const DESIGN_ARGS = {
  action: {
    type: "positional",
    valueHint: "ACTION",
    options: ACTIONS,
    description: `one of ${ACTIONS.join(", ")}; without one: the conversation`,
  },
  words: {
    type: "positional",
    valueHint: "WORD",
    multiple: true,
    description: "approve|reject ID|run; patch FILE|-; show spec|patches|runs|artifacts|history|state [ID]",
  },
  "project-dir": { type: "string", valueHint: "DIR", description: "folder of the project", required: true },
  create: { type: "string", valueHint: "NAME", description: "make a new project of that name" },
  pipeline: {
    type: "string",
    valueHint: "checklist|FILE",
    description: "with --create: the pipeline of the project",
    defaultHint: "checklist",
  },
  message: { type: "string", valueHint: "TEXT", description: "one turn of the conversation, then end" },
  until: {
    type: "string",
    valueHint: "STAGE",
    description: "with run: the last stage that runs",
    defaultHint: "full",
  },
  reason: { type: "string", valueHint: "TEXT", description: "kept beside a decision" },
  "no-jail": { type: "boolean", description: "run commands of a pipeline without the jail; the run says so" },
  out: COMMON_ARGS.out,
  cache: COMMON_ARGS.cache,
  provider: {
    type: "enum",
    options: COMMON_ARGS.provider.options,
    description: "who answers in the conversation",
    sets: ["llm.design.provider"],
  },
  ...MODEL_ARGS,
} as const satisfies Args;
export type DesignArgs = ArgValues<typeof DESIGN_ARGS>;
