// The settings of a model role.
import { AtomsmithError } from "../core/errors.ts";
import { ROLE_NAMES } from "./role-names.ts";
import type { RoleConfig } from "./role-schema.ts";
import type { Config } from "./schema.ts";

/** The settings of a role. Throws kind `config` for an unknown name. */
export function roleConfig(config: Config, name: string): RoleConfig {
  const known = ROLE_NAMES.find((role) => role === name);
  if (known !== undefined) return config.llm[known];
  throw new AtomsmithError("config", `llm.${name} is not a role; roles: ${ROLE_NAMES.join(", ")}`, {
    where: `llm.${name}`,
  });
}
