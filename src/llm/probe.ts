// One small real call, for `doctor --provider`: checks the key, the model and tool calls, and detects quirks of the
// server.
import type { LlmServices } from "./services.ts";
import type { ModelRole, Usage } from "./types.ts";

export interface ProviderProbe {
  role: ModelRole;
  model: string;
  duration_ms: number;
  /** The model called the tool as asked. */
  calls_tools: boolean;
  /** The server reports token usage. */
  reports_usage: boolean;
  /** Features that the server rejected and the program will not use. */
  quirks: string[];
  usage: Usage;
  cost_usd: number | null;
}

/** Makes the call. Throws like any call: `provider`, `rate_limit`, `budget`, `interrupted`. */
export async function probeProvider(
  role: ModelRole,
  services: LlmServices,
  signal: AbortSignal,
): Promise<ProviderProbe> {
  const model = services.model(role, {
    cassette: null,
    ledger: services.ledger("probe", undefined, services.emit),
    emit: services.emit,
  });
  const started = services.clock.now();
  const reply = await model.complete(
    {
      role,
      messages: [
        { role: "system", content: "You test a connection." },
        { role: "user", content: "Call the tool report_ready with the word ready. Nothing else." },
      ],
      tools: [
        {
          name: "report_ready",
          description: "Tells that the connection works.",
          parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
        },
      ],
    },
    { signal, deadline: started + 60_000 },
  );
  return {
    role,
    model: reply.model,
    duration_ms: Math.round(services.clock.now() - started),
    calls_tools: reply.tool_calls.some((call) => call.name === "report_ready"),
    reports_usage: reply.usage.estimated !== true,
    quirks: [...new Set(Object.values(services.endpointStates()).flatMap(({ quirks }) => quirks))],
    usage: reply.usage,
    cost_usd: reply.cost_usd,
  };
}
