// Shared by the `factory` commands: flags, the run context, exit codes.
import { AtomsmithError, EXIT, type ExitCode } from "../../../core/errors.ts";
import { FACTORY_ROLE } from "../../../loops/factory/index.ts";
import { createRunContext, type RunContext } from "../../../run/context.ts";
import type { Args } from "../../command.ts";
import type { CommandContext } from "../../context.ts";

/** Time after the first signal for a model reply to complete. */
const FINISH_MS = 600;

export const FACTORY_MODEL_ARGS = {
  "llm-model": {
    type: "string",
    valueHint: "NAME",
    description: "model that proposes the change",
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
    description: "provider of the model",
    sets: ["llm.factory.provider"],
  },
  "max-cost": {
    type: "string",
    valueHint: "USD",
    number: { min: 0 },
    description: "make no model call beyond this cost",
    sets: ["llm.max_cost_usd"],
  },
  record: {
    type: "string",
    valueHint: "DIR",
    description: "record every model reply in this folder, one cassette per work order",
    sets: ["llm.record"],
  },
  cassettes: {
    type: "string",
    valueHint: "DIR",
    description: "folder of recorded replies for --provider replay",
    sets: ["llm.cassettes"],
  },
} as const satisfies Args;

export const REPOSITORY_ARG = {
  type: "string",
  valueHint: "DIR",
  required: true,
  description: "root of a clean git work tree",
} as const;

export const ORDER_ARGS = {
  out: {
    type: "string",
    valueHint: "DIR",
    required: true,
    description: "folder for the files of runs, outside the repository",
  },
  ...FACTORY_MODEL_ARGS,
  "max-attempts": {
    type: "string",
    valueHint: "N",
    number: { integer: true, min: 1, max: 20 },
    description: "number of proposals to try",
    sets: ["loops.factory.max_attempts"],
    defaultHint: "2",
  },
  "timeout-seconds": {
    type: "string",
    valueHint: "N",
    number: { min: 0.001, max: 86_400 },
    description: "time limit of one command",
    sets: ["loops.factory.timeout_seconds"],
    defaultHint: "600",
  },
  verify: {
    type: "string",
    valueHint: "CMD",
    multiple: true,
    description: "command that verifies the repository after every change; may be repeated",
    sets: ["loops.factory.verify"],
    defaultHint: "scripts/verify.sh, or compileall and pytest for Python",
  },
  "no-jail": { type: "boolean", description: "run commands without the jail; recorded in the summary" },
  junit: { type: "string", valueHint: "FILE", description: "write a JUnit report" },
} as const satisfies Args;

/** Opens the run context of a factory command. A signal stops commands at once and model calls within FINISH_MS.
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
    throw new AtomsmithError("config", "the offline author cannot propose changes of a repository", {
      where: "llm.factory.provider",
      hint: "configure a model: --llm-model NAME, with its server or API key",
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
