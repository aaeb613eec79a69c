// Services of the nodes of a job: everything with a side effect.
import type { Clock } from "../../core/clock.ts";
import type { Redact } from "../../core/redact/index.ts";
import type { TurnLog } from "../../llm/turns.ts";
import type { ChatModel } from "../../llm/types.ts";
import type { TokenCounter } from "./context/tokens.ts";
import type { CallLog } from "./tools/call-log.ts";
import type { ToolContext } from "./tools/types.ts";

export interface AgentServices extends Omit<ToolContext, "state" | "signal"> {
  jobId: string;
  model: ChatModel;
  turns: TurnLog;
  calls: CallLog;
  tokens: TokenCounter;
  clock: Clock;
  stream: boolean;
  redact: Redact;
  /** Throws when the job was cancelled, taken over or interrupted; called before each request and each tool call. */
  check(): void;
}
