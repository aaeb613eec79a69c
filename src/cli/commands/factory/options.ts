// What the commands of the factory share: flags, the run context, exit codes.
import { AtomsmithError, EXIT, type ExitCode } from "../../../core/errors.ts";
import { FACTORY_ROLE } from "../../../loops/factory/index.ts";
import { createRunContext, type RunContext } from "../../../run/context.ts";
import type { Args } from "../../command.ts";
import type { CommandContext } from "../../context.ts";

/** After the first signal a reply that is about to be whole has this long to come. */
const FINISH_MS = 600;

export const FACTORY_MODEL_ARGS = {
  "llm-model": {
    type: "string",
    valueHint: "NAME",
    description: "the model that proposes",
    sets: ["llm.factory.model"],
    defaultHint: "llm.factory.model",
  },
  "llm-temperature": {
    type: "string",
    valueHint: "N",
    number: { min: 0, max: 2 },
    description: "temperature of the model",
    sets: ["llm.factory.temperature"],
    defaultHint: "0",
  },
  provider: {
    type: "enum",
    options: ["openai", "azure", "anthropic", "replay"],
    description: "who answers",
    sets: ["llm.factory.provider"],
  },
  "max-cost": {
    type: "string",
    valueHint: "USD",
    number: { min: 0 },
    description: "make no call beyond this cost",
    sets: ["llm.max_cost_usd"],
  },
  record: {
    type: "string",
    valueHint: "DIR",
    description: "keep every reply of the model there, one cassette per work order",
    sets: ["llm.record"],
  },
  cassettes: {
    type: "string",
    valueHint: "DIR",
    description: "recorded replies for --provider replay",
    sets: ["llm.cassettes"],
  },
} as const satisfies Args;

export const REPOSITORY_ARG = {
  type: "string",
  valueHint: "DIR",
  required: true,
  description: "root of a git work tree that is clean",
} as const;

export const ORDER_ARGS = {
  out: {
    type: "string",
    valueHint: "DIR",
    required: true,
    description: "folder for what runs leave behind, outside the repository",
  },
  ...FACTORY_MODEL_ARGS,
  "max-attempts": {
    type: "string",
    valueHint: "N",
    number: { integer: true, min: 1, max: 20 },
    description: "proposals that are tried",
    sets: ["loops.factory.max_attempts"],
    defaultHint: "2",
  },
  "timeout-seconds": {
    type: "string",
    valueHint: "N",
    number: { min: 0.001, max: 86_400 },
    description: "time of one command",
    sets: ["loops.factory.timeout_seconds"],
    defaultHint: "600",
  },
  verify: {
    type: "string",
    valueHint: "CMD",
    multiple: true,
    description: "a command that verifies the repository after every change; may be repeated",
    sets: ["loops.factory.verify"],
    defaultHint: "scripts/verify.sh, or compileall and pytest for Python",
  },
  "no-jail": { type: "boolean", description: "run commands without the jail; the summary says so" },
  junit: { type: "string", valueHint: "FILE", description: "write a JUnit report" },
} as const satisfies Args;

/** The run of a factory command. A signal ends a command at once, a reply of the model within a moment.
 * @param noJail `--no-jail` */
export function openFactoryRun(context: CommandContext, noJail: boolean): RunContext {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = (): void => {
    timer = setTimeout(() => end.abort(context.signal.reason), FINISH_MS);
  };
  if (context.signal.aborted) finish();
  else context.signal.addEventListener("abort", finish, { once: true });
  context.onCleanup(() => clearTimeout(timer));
  const { config } = context;
  if (noJail) config.loops.factory.jail = false;
  if (config.llm.factory.provider === "offline") {
    throw new AtomsmithError("config", "the offline author cannot propose changes", {
      where: "llm.factory.provider",
      hint: "name a model with --llm-model NAME and a server or a key for it",
    });
  }
  return createRunContext(
    {
      config,
      bus: context.bus,
      env: context.env,
      signal: end.signal,
      pause: context.signal,
      commandFlags: [],
      ownFiles: context.ownFiles,
    },
    [FACTORY_ROLE],
  );
}

export function exitOfVerdict(verdict: "PASS" | "FAIL"): ExitCode {
  return verdict === "PASS" ? EXIT.ok : EXIT.checkFailed;
}
