// The model roles of authors: the settings of `llm.*` that the item loop uses.
import type { RoleName } from "../config/role-names.ts";

export const AUTHOR_ROLES = ["agent_a", "agent_b", "reflect"] as const satisfies readonly RoleName[];

export function isAuthorRole(name: string): name is AuthorRole {
  return (AUTHOR_ROLES as readonly string[]).includes(name);
}

export type AuthorRole = (typeof AUTHOR_ROLES)[number];
