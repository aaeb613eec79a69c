// The model roles, whose settings are `llm.<role>`: the one list of their names. Each loop declares which it uses.
import { AtomsmithError } from "../core/errors.ts";
import type { Config, RoleConfig } from "./schema.ts";

/** `agent_a`, `agent_b` and `reflect` write atoms; the others belong to the loop of their name. */
export const ROLE_NAMES = ["agent_a", "agent_b", "reflect", "factory", "design", "agent"] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** The settings of a role. Throws kind `config` for an unknown name. */
export function roleConfig(config: Config, name: string): RoleConfig {
  const known = ROLE_NAMES.find((role) => role === name);
  if (known !== undefined) return config.llm[known];
  throw new AtomsmithError("config", `llm.${name} is not a role; roles: ${ROLE_NAMES.join(", ")}`, {
    where: `llm.${name}`,
  });
}
