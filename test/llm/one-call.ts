// One call of a model to a scripted server over real HTTP, with its observable effects.
import { AtomsmithError } from "../../src/core/errors.ts";
import type { ChatReply } from "../../src/llm/types.ts";
import { fastClock, HELLO, ledgerOf, llmConfig, modelOf, servicesFor } from "../support/llm.ts";
import {
  type Arrival,
  type ModelServer,
  type Script,
  type ScriptedReply,
  startModelServer,
} from "../support/model-server.ts";

let server: ModelServer | undefined;

/** Stops the server of the last call. Call in `afterEach`. */
export async function stopServer(): Promise<void> {
  await server?.stop();
  server = undefined;
}

export interface CallResult {
  requests: Arrival[];
  reply?: ChatReply;
  error?: AtomsmithError;
  partials: ChatReply[];
  waits: number[];
  retries: string[];
  spent: number;
}

/** Makes one call to a server with this script. */
export async function callModel(
  script: Script | ScriptedReply[],
  options: {
    llm?: object;
    role?: object;
    execution?: object;
    signal?: AbortSignal;
    deadlineMs?: number;
    realTime?: boolean;
    onDelta?: () => void;
  } = {},
): Promise<CallResult> {
  const answer: Script = Array.isArray(script)
    ? (_, n) => script[Math.min(n, script.length) - 1] ?? { content: "" }
    : script;
  await server?.stop();
  server = startModelServer(answer);
  const clock = fastClock();
  const { services, events } = servicesFor(
    llmConfig(server.url, { llm: options.llm ?? {}, execution: options.execution ?? {} }, options.role),
    options.realTime ? undefined : clock,
  );
  const ledger = ledgerOf(services, "X");
  const model = modelOf(services, "agent_a", "X", ledger);
  const partials: ChatReply[] = [];
  const out: CallResult = { partials, requests: server.requests, waits: clock.waits, retries: [], spent: 0 };
  try {
    out.reply = await model.complete(HELLO, {
      signal: options.signal ?? new AbortController().signal,
      onPartial: async (partial) => {
        partials.push(partial);
      },
      ...(options.onDelta === undefined ? {} : { onDelta: options.onDelta }),
      ...(options.deadlineMs === undefined ? {} : { deadline: services.clock.now() + options.deadlineMs }),
    });
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    out.error = error;
  }
  out.retries = events.flatMap((event) => (event.type === "retry" ? [event.reason] : []));
  out.spent = ledger.spent().output_tokens;
  return out;
}

export const GOOD: ScriptedReply = { content: "hello" };

/** A reply with the HTTP status of a failure. */
export const httpFailure = (
  status: number,
  error: object = { message: "no" },
  headers = {},
): ScriptedReply => ({
  http: { status, body: JSON.stringify({ error }), headers },
});
