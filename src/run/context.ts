// What any run of a loop needs, whatever loop it is: configuration, events, environment, signals, model services,
// clock, masking, seed. Made once per command, so that a wrong configuration is an error before anything starts.
import type { Config } from "../config/schema.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { Redact } from "../core/redact.ts";
import type { Clock } from "../llm/clock.ts";
import { createLlmServices, type LlmServices } from "../llm/index.ts";

export interface RunOptions {
  /** Paths absolute. */
  config: Config;
  bus: EventBus;
  env: Readonly<Record<string, string | undefined>>;
  /** Ends everything at once. */
  signal: AbortSignal;
  /** Lets the stage under way finish, then stops. */
  pause?: AbortSignal;
  /** Seed of what is drawn at random; drawn itself when absent. */
  seed?: number;
  /** Flags that a person's commands in reports must repeat. */
  commandFlags: string[];
  /** Files of the program itself, absolute: no model sees them, and they are no change of what it works on. */
  ownFiles?: readonly string[];
}

export interface RunContext extends RunOptions {
  /** One for the whole run. */
  seed: number;
  /** Models, limiters and the budget of the run. */
  llm: LlmServices;
  clock: Clock;
  /** Masks keys and passwords in what is stored, sent or shown. */
  redact: Redact;
}

/** Throws kind `config` when a role that the run uses cannot be used.
 * @param roles names of these roles (src/config/roles.ts); the others are not looked at */
export function createRunContext(options: RunOptions, roles: readonly string[]): RunContext {
  const { config, env, bus } = options;
  const llm = createLlmServices(config, { env, emit: bus.emit, roles });
  return {
    ...options,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    llm,
    clock: llm.clock,
    redact: llm.redact,
  };
}
