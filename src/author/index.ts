// Creates the author of an item, as configured for each role.
import type { Config } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";
import { type Env, providerOf } from "../llm/providers.ts";
import { withCheckBlocks } from "./check-author.ts";
import { createModelAuthor } from "./model-author.ts";
import { createOfflineAuthor } from "./offline/index.ts";
import { AUTHOR_ROLES, type AuthorRole } from "./roles.ts";
import type { Author, AuthorDeps } from "./types.ts";

export { PROMPTS_SHA256 } from "./prompts.ts";

/** Creates the author of an item. Steps of roles with the provider `offline` are done by the offline author, the others
 * by their model; a check block of the page is the config. Throws `config` errors (no model, no key) before the first
 * request. */
export function createAuthor(config: Config, deps: AuthorDeps): Author {
  const env: Env = deps.services?.env ?? {};
  const remote = AUTHOR_ROLES.filter((role) => providerOf(config.llm[role], env) !== "offline");
  if (remote.length === 0) return createOfflineAuthor();
  if (!deps.services) {
    throw new AtomsmithError("internal", "createAuthor needs llm services for a configured model");
  }
  const modelAuthor = createModelAuthor({
    config,
    services: deps.services,
    turns: deps.turns,
    searchRoot: deps.searchRoot,
    settings: settingsOf(config, env),
    ...(config.llm.draft === "offline" ? { drafter: createOfflineAuthor() } : {}),
  });
  const model = withCheckBlocks(modelAuthor, deps.searchRoot);
  if (remote.length === AUTHOR_ROLES.length) return model;
  return mixedAuthor(model, createOfflineAuthor(), new Set(remote));
}

/** Delegates each step to the author of its role; the usage is that of the model. */
function mixedAuthor(model: Author, offline: Author, remote: ReadonlySet<AuthorRole>): Author {
  const authorOf = (role: AuthorRole): Author => (remote.has(role) ? model : offline);
  return {
    name: `${model.name}+${offline.name}`,
    settings: model.settings,
    agentA: (...args) => authorOf("agent_a").agentA(...args),
    agentB: async (...args) => {
      const reply = await authorOf("agent_b").agentB(...args);
      if (reply.kind !== "draft" || remote.has("reflect")) return reply;
      // Without a model for repairs, a doubt would end the item.
      const { extraction_doubts: _, ...draft } = reply;
      return draft;
    },
    reflectA: (...args) => authorOf("reflect").reflectA(...args),
    reflectB: (...args) => authorOf("reflect").reflectB(...args),
    ...(remote.has("agent_b") && model.secondLook ? { secondLook: model.secondLook.bind(model) } : {}),
    ...(remote.has("agent_a") && model.secondLookA ? { secondLookA: model.secondLookA.bind(model) } : {}),
    usage: () => model.usage(),
  };
}

/** Provider, model and settings of all roles, without secrets. They are in the manifest; if they change, the item runs
 * again. */
function settingsOf(config: Config, env: Env): Author["settings"] {
  const out: Author["settings"] = {};
  for (const role of AUTHOR_ROLES) {
    const { model, temperature, max_tokens, reasoning_effort, base_url } = config.llm[role];
    out[`${role}.provider`] = providerOf(config.llm[role], env);
    out[`${role}.model`] = model ?? null;
    out[`${role}.temperature`] = temperature ?? null;
    out[`${role}.max_tokens`] = max_tokens ?? null;
    out[`${role}.reasoning_effort`] = reasoning_effort ?? null;
    out[`${role}.base_url`] = base_url === undefined ? null : withoutUserInfo(base_url);
  }
  out["draft"] = config.llm.draft;
  out["universal_atoms"] = config.llm.universal_atoms;
  out["candidates"] = config.execution.candidates;
  return out;
}

function withoutUserInfo(url: string): string {
  const parsed = new URL(url);
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  return parsed.toString();
}
