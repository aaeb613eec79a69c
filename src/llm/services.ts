// Services shared by all model calls of a run: endpoints with limiters and learned quirks, the budget of the run,
// masking of secrets. Created once per command, so that a wrong configuration is an error before anything starts.
import { existsSync } from "node:fs";
import { ROLE_NAMES } from "../config/role-names.ts";
import { roleConfig } from "../config/roles.ts";
import type { Config } from "../config/schema.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import { createRedactor, type Redact } from "../core/redact/index.ts";
import type { Fetch } from "./attempt.ts";
import { Ledger, priceOf } from "./budget.ts";
import { Cassette, RecordingModel, ReplayModel } from "./cassettes.ts";
import { createEmbedder } from "./embeddings.ts";
import { AdaptiveLimiter } from "./limiter.ts";
import { normalizer } from "./normal-request.ts";
import { type Env, PROVIDER_TABLE, providerOf, type RoleSettings, resolveRole } from "./providers.ts";
import { type Endpoint, RemoteModel } from "./remote-model.ts";
import type { SharedLimits } from "./shared-limits.ts";
import type { UsageTotal } from "./turns.ts";
import type { ChatModel, ModelRole } from "./types.ts";

export interface LlmOptions {
  env: Env;
  emit: Emit;
  /** Roles that the run uses; their configuration is checked at creation. */
  roles: readonly ModelRole[];
  /** Limits of the fleet that this process is part of. */
  shared?: SharedLimits | undefined;
  /** Further values to mask, in addition to the API keys of the models. */
  secrets?: readonly string[];
  /** For tests. */
  clock?: Clock;
  random?: () => number;
  fetch?: Fetch;
}

export interface ModelOptions {
  /** Name of the cassette for recording or replay: the id of an item; other loops prefix their name. null: a call
   * without a subject (`doctor`), which is never recorded. */
  cassette: string | null;
  ledger: Ledger;
  /** Receives the events of the calls. */
  emit: Emit;
  /** Replaced by a constant in the keys of cassettes. */
  searchRoot?: string;
  /** Removes other differences between two runs of the same work from the keys of cassettes. */
  normalize?: (text: string) => string;
}

/** A subject with its own budget, and its spending before this run. */
export interface Spender {
  subject: string;
  spent: UsageTotal;
}

export class LlmServices {
  readonly config: Config;
  readonly env: Env;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly redact: Redact;
  /** The budget of the run; a batch starts no new item once it is `exhausted()`. */
  readonly budget: Ledger;
  private readonly cassettes = new Map<string, Promise<Cassette>>();
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly random: () => number;
  private readonly fetch: Fetch;
  private readonly shared: SharedLimits | undefined;

  constructor(config: Config, options: LlmOptions) {
    this.config = config;
    this.env = options.env;
    this.emit = options.emit;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
    this.shared = options.shared;
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.redact = createRedactor({
      shapes: config.llm.redact,
      known: [...knownSecrets(config, options.env), ...(options.secrets ?? [])],
    });
    this.budget = new Ledger(
      "run",
      { tokens: config.llm.max_tokens_total, costUsd: config.llm.max_cost_usd },
      options.emit,
    );
    for (const role of options.roles) this.checkRole(role);
  }

  /** The ledger of one subject of a loop; `spent` is the cost of its stored turns. */
  ledger(loop: string, subject: Spender | undefined, emit: Emit): Ledger {
    const { max_tokens_per_item, max_cost_usd_per_item } = this.config.llm;
    return new Ledger(loop, { tokens: max_tokens_per_item, costUsd: max_cost_usd_per_item }, emit, subject);
  }

  /** Embeddings from the server of `llm.embeddings`; undefined if none is configured. */
  embedder(signal: AbortSignal): ReturnType<typeof createEmbedder> | undefined {
    const { base_url, model, api_key_env } = this.config.llm.embeddings;
    if (base_url === undefined || model === undefined) return undefined;
    const apiKey = api_key_env === undefined ? undefined : this.env[api_key_env]?.trim();
    const embedder = createEmbedder({ baseUrl: base_url, model, apiKey, clock: this.clock, signal });
    return { model, embed: (texts) => embedder.embed(texts.map(this.redact)) };
  }

  /** The model of a role whose provider is not `offline`: a server, optionally recorded, or a cassette. */
  model(role: ModelRole, options: ModelOptions): ChatModel {
    const { record, cassettes } = this.config.llm;
    const { cassette, emit } = options;
    const normalize = normalizer(options.searchRoot);
    const own = options.normalize ?? ((text: string): string => text);
    const unify = (text: string): string => own(normalize(text));
    const shared = { normalize, unify, redact: this.redact };
    if (providerOf(roleConfig(this.config, role), this.env) === "replay") {
      if (cassettes === undefined || cassette === null) throw noCassettes(role);
      return new ReplayModel({
        ...shared,
        cassette: this.cassette(cassettes, cassette),
        ledger: options.ledger,
        emit,
        searchRoot: options.searchRoot,
      });
    }
    const remote = this.remote(role, options);
    if (record === undefined || cassette === null) return remote;
    return new RecordingModel(remote, { ...shared, cassette: this.cassette(record, cassette) });
  }

  /** One open cassette per subject, shared by its roles. */
  private cassette(dir: string, name: string): Promise<Cassette> {
    const key = `${dir} ${name}`;
    const opened = this.cassettes.get(key) ?? Cassette.open(dir, name);
    this.cassettes.set(key, opened);
    return opened;
  }

  private remote(role: ModelRole, options: ModelOptions): RemoteModel {
    const settings = resolveRole(role, this.config, this.env);
    return new RemoteModel({
      settings,
      endpoint: this.endpoint(settings),
      ledgers: [this.budget, options.ledger],
      prices: this.config.llm.prices,
      clock: this.clock,
      random: this.random,
      fetch: this.fetch,
      redact: this.redact,
      stream: this.config.execution.enable_streaming,
      idleMs: this.config.llm.idle_timeout * 1000,
      emit: options.emit,
      ...(this.shared === undefined
        ? {}
        : {
            shared: {
              limits: this.shared,
              subject: options.cassette ?? undefined,
              maxCalls: this.config.llm.max_concurrency,
            },
          }),
    });
  }

  /** Limiter state and learned quirks of every endpoint used so far. */
  endpointStates(): Record<string, { limit: number; running: number; waiting: number; quirks: string[] }> {
    return Object.fromEntries(
      [...this.endpoints].map(([url, { limiter, learned }]) => [
        url,
        { ...limiter.state(), quirks: [...learned] },
      ]),
    );
  }

  private endpoint(settings: RoleSettings): Endpoint {
    const existing = this.endpoints.get(settings.baseUrl);
    if (existing) return existing;
    const endpoint: Endpoint = {
      limiter: new AdaptiveLimiter(this.config.llm.max_concurrency, this.clock),
      learned: new Set(),
    };
    this.endpoints.set(settings.baseUrl, endpoint);
    return endpoint;
  }

  /** Reports errors that must occur before the first call: no model, no key, no price despite a cost limit. */
  private checkRole(role: ModelRole): void {
    const provider = providerOf(roleConfig(this.config, role), this.env);
    if (provider === "offline") return;
    if (provider === "replay") {
      const dir = this.config.llm.cassettes;
      if (dir === undefined) throw noCassettes(role);
      if (existsSync(dir)) return;
      throw new AtomsmithError("config", `the directory of cassettes does not exist: ${dir}`, {
        where: "llm.cassettes",
        hint: "Record cassettes with --record DIR, or name another directory with --cassettes DIR.",
      });
    }
    const settings = resolveRole(role, this.config, this.env);
    const { max_cost_usd, max_cost_usd_per_item, prices } = this.config.llm;
    if ((max_cost_usd ?? max_cost_usd_per_item) === undefined || priceOf(settings.model, prices)) return;
    throw new AtomsmithError("config", `a cost limit is set, but the price of ${settings.model} is unknown`, {
      where: "llm.prices",
      hint: `Add llm.prices.${JSON.stringify(settings.model)}: {input: USD, output: USD} per million tokens.`,
    });
  }
}

/** Creates the services and checks the configuration of the roles in use. Throws `config` errors. */
export function createLlmServices(config: Config, options: LlmOptions): LlmServices {
  return new LlmServices(config, options);
}

function noCassettes(role: ModelRole): AtomsmithError {
  return new AtomsmithError(
    "config",
    `llm.${role} has the provider replay, but llm.cassettes is not set: no cassettes to replay`,
    {
      where: "llm.cassettes",
      hint: "Name the directory with --cassettes DIR.",
    },
  );
}

/** The API keys of this run, which are masked wherever they occur. */
function knownSecrets(config: Config, env: Env): string[] {
  const names = new Set(Object.values(PROVIDER_TABLE).flatMap((profile) => profile.keyEnv));
  for (const role of ROLE_NAMES) {
    const name = config.llm[role].api_key_env;
    if (name !== undefined) names.add(name);
  }
  for (const { api_key_env } of [config.llm.embeddings, config.loops.agent.web])
    if (api_key_env !== undefined) names.add(api_key_env);
  return [...names].flatMap((name) => env[name]?.trim() ?? []).filter((value) => value !== "");
}
