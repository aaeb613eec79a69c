// Public face of the llm layer.
export { Ledger } from "./budget.ts";
export { type ProviderProbe, probeProvider } from "./probe.ts";
export { createLlmServices, type LlmOptions, LlmServices, MODEL_ROLES } from "./services.ts";
export {
  type AgentTurn,
  addUsage,
  agentTurnSchema,
  memoryTurnLog,
  NO_USAGE,
  type TurnLines,
  type TurnLog,
  turnKey,
  turnLogOver,
  type UsageTotal,
} from "./turns.ts";
