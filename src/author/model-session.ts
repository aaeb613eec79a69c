// The conversations of a model author: one per step, with the model of its role, the budget of the item and its turn log.
import type { Config } from "../config/schema.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { Conversation } from "../conversation/conversation.ts";
import { type Ledger, usageOfTurns } from "../llm/budget.ts";
import type { LlmServices } from "../llm/services.ts";
import type { TurnLog, UsageTotal } from "../llm/turns.ts";
import type { ChatMessage } from "../llm/types.ts";
import { type AuthorRole, isAuthorRole } from "./roles.ts";
import type { Author, AuthorContext } from "./types.ts";

/** Name of the loop in its budget. */
const LOOP = "item";

export interface ModelAuthorOptions {
  config: Config;
  services: LlmServices;
  turns: TurnLog;
  searchRoot: string;
  /** With `llm.draft: offline`: writes a first draft, which the model is shown, for pages with worked examples. */
  drafter?: Author;
  settings: Author["settings"];
}

export class ModelSession {
  readonly options: ModelAuthorOptions;
  #ledger: Ledger | undefined;

  constructor(options: ModelAuthorOptions) {
    this.options = options;
  }

  /** What was spent for the item, including earlier processes. */
  usage(): UsageTotal {
    return this.#ledger?.spent() ?? this.#spentBefore();
  }

  #spentBefore(): UsageTotal {
    const { turns, config } = this.options;
    return usageOfTurns(turns.listTurns(), config.llm.prices, (role) =>
      isAuthorRole(role) ? config.llm[role].model : undefined,
    );
  }

  /** Starts the conversation of a step. */
  start(
    role: AuthorRole,
    stage: string,
    context: AuthorContext,
    tools: ToolSpec[],
    messages: ChatMessage[],
  ): Conversation {
    const { services, turns, config, searchRoot } = this.options;
    this.#ledger ??= services.ledger(
      LOOP,
      { subject: context.item_id, spent: this.#spentBefore() },
      context.emit,
    );
    return new Conversation(
      {
        model: services.model(role, {
          cassette: context.item_id,
          ledger: this.#ledger,
          emit: context.emit,
          searchRoot,
        }),
        role,
        turns,
        stage,
        iteration: context.iteration,
        tools,
        signal: context.signal,
        clock: services.clock,
        deadline: context.deadline,
        deadlineKey: "execution.timeout_per_stage",
        emit: context.emit,
        stream: config.execution.enable_streaming,
        redact: services.redact,
      },
      messages,
    );
  }
}
