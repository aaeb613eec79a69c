// The model roles, whose settings are `llm.<role>`: the one list of their names. Each loop declares which it uses.

/** `agent_a`, `agent_b` and `reflect` write atoms; the others belong to the loop of their name. */
export const ROLE_NAMES = ["agent_a", "agent_b", "reflect", "factory", "design", "agent"] as const;
export type RoleName = (typeof ROLE_NAMES)[number];
