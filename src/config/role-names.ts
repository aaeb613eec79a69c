// The names of the model roles, whose settings are `llm.<role>`. Each loop declares the roles it uses.

/** `agent_a`, `agent_b` and `reflect` write atoms; the others belong to the loop of their name. */
export const ROLE_NAMES = ["agent_a", "agent_b", "reflect", "factory", "design", "agent"] as const;
export type RoleName = (typeof ROLE_NAMES)[number];
