// Public interface of the llm layer.
export { probeProvider } from "./probe.ts";
export { createLlmServices, LlmServices } from "./services.ts";
export { memoryTurnLog, NO_USAGE, type TurnLog, turnLogOver } from "./turns.ts";
