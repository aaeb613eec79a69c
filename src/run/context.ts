// The context of a run of any loop: configuration, events, environment, signals, model services, clock, masking, seed.
// Created once per command, so that a wrong configuration is an error before anything starts.
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { Redact } from "../core/redact/index.ts";
import { createLlmServices, type LlmServices } from "../llm/index.ts";
import type { SharedLimits } from "../llm/shared-limits.ts";

export interface RunOptions {
  /** Paths absolute. */
  config: Config;
  bus: EventBus;
  env: Readonly<Record<string, string | undefined>>;
  /** Ends the run immediately. */
  signal: AbortSignal;
  /** Ends the run after the current stage. */
  pause?: AbortSignal;
  /** Random seed; generated if absent. */
  seed?: number;
  /** Flags that commands suggested in reports must repeat. */
  commandFlags: string[];
  /** Limits of the fleet that this process is part of. */
  shared?: SharedLimits;
  /** Absolute paths of the program's own files: hidden from models and ignored when inputs are compared. */
  ownFiles?: readonly string[];
  /** Further values to mask, in addition to the API keys of the models. */
  secrets?: readonly string[];
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

/** Creates the context. Throws kind `config` when a role of the run has no usable configuration.
 * @param roles names of the roles that the run uses (src/config/roles.ts); others are not checked */
export function createRunContext(options: RunOptions, roles: readonly string[]): RunContext {
  const { config, env, bus } = options;
  const llm = createLlmServices(config, {
    env,
    emit: bus.emit,
    roles,
    shared: options.shared,
    secrets: options.secrets ?? [],
  });
  return {
    ...options,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    llm,
    clock: llm.clock,
    redact: llm.redact,
  };
}
