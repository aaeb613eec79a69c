// Differences between servers of chat completions that the program has to handle: what each refuses, and the form of
// its answers.
import type { Arrival, ScriptedReply, WireRequestIn } from "./model-server.ts";

export interface Dialect {
  basePath: string;
  refuse(arrival: Arrival): { status: number; body: unknown } | undefined;
  document(reply: ScriptedReply, body: WireRequestIn): unknown;
  chunks(reply: ScriptedReply, body: WireRequestIn): unknown[];
  ignoresStream?: boolean;
}

export type DialectName =
  | "openai"
  | "openai_reasoning"
  | "azure"
  | "anthropic"
  | "vllm"
  | "ollama"
  | "llama_cpp"
  | "no_tools"
  | "gateway";

/** `param`: name the parameter in a separate member, as OpenAI does; others name it in the text only. */
function unsupported(name: string, param = true): { status: number; body: unknown } {
  const message = `Unsupported parameter: '${name}' is not supported with this model.`;
  const error = { message, type: "invalid_request_error", code: "unsupported_parameter" };
  return { status: 400, body: { error: param ? { ...error, param: name } : error } };
}

const unauthorized = {
  status: 401,
  body: { error: { message: "Incorrect API key provided", code: "invalid_api_key" } },
};

function bearer(arrival: Arrival): { status: number; body: unknown } | undefined {
  return arrival.headers["authorization"]?.startsWith("Bearer ") ? undefined : unauthorized;
}

function wrongPath(arrival: Arrival, path: string): { status: number; body: unknown } | undefined {
  return arrival.path === path
    ? undefined
    : { status: 404, body: { error: { message: `no route ${arrival.path}` } } };
}

function calls(reply: ScriptedReply): { id: string; name: string; arguments: string }[] {
  return (reply.tool_calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${index}`,
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
}

function usage(reply: ScriptedReply): unknown {
  const { prompt_tokens = 100, completion_tokens = 20, cached_tokens = 0 } = reply.usage ?? {};
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens },
  };
}

function finish(reply: ScriptedReply): string {
  return reply.finish_reason ?? (reply.tool_calls ? "tool_calls" : "stop");
}

function document(reply: ScriptedReply, body: WireRequestIn): unknown {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [
      {
        index: 0,
        finish_reason: finish(reply),
        message: {
          role: "assistant",
          content: reply.content ?? null,
          refusal: reply.refusal ?? null,
          ...(reply.tool_calls
            ? {
                tool_calls: calls(reply).map(({ id, name, arguments: args }) => ({
                  id,
                  type: "function",
                  function: { name, arguments: args },
                })),
              }
            : {}),
        },
      },
    ],
    usage: usage(reply),
  };
}

function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

function chunk(
  body: WireRequestIn,
  delta: unknown,
  finishReason: string | null = null,
): Record<string, unknown> {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: body.model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

function chunks(reply: ScriptedReply, body: WireRequestIn): unknown[] {
  const size = reply.chunkChars ?? 16;
  const out: unknown[] = [chunk(body, { role: "assistant", content: "" })];
  for (const content of pieces(reply.content ?? "", size)) out.push(chunk(body, { content }));
  for (const refusal of pieces(reply.refusal ?? "", size)) out.push(chunk(body, { refusal }));
  calls(reply).forEach(({ id, name, arguments: args }, index) => {
    out.push(
      chunk(body, { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    );
    for (const piece of pieces(args, size)) {
      out.push(chunk(body, { tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  });
  out.push(chunk(body, {}, finish(reply)));
  if (body.stream_options) out.push({ ...chunk(body, {}), choices: [], usage: usage(reply) });
  return out;
}

/** Complete tool calls without index and ID, as local servers send them. */
function wholeCalls(reply: ScriptedReply, body: WireRequestIn): unknown[] {
  const out: unknown[] = pieces(reply.content ?? "", reply.chunkChars ?? 16).map((content) =>
    chunk(body, { role: "assistant", content }),
  );
  calls(reply).forEach(({ name, arguments: args }, index) => {
    out.push(
      chunk(body, { tool_calls: [{ index, id: "", type: "function", function: { name, arguments: args } }] }),
    );
  });
  out.push(chunk(body, { content: "" }, finish(reply) === "tool_calls" ? "stop" : finish(reply)));
  return out;
}

/** Calls as fenced blocks, as described in the instructions. */
function textCalls(reply: ScriptedReply): ScriptedReply {
  const { tool_calls, ...rest } = reply;
  if (tool_calls === undefined) return reply;
  const blocks = calls(reply).map(
    ({ name, arguments: args }) => `\`\`\`tool\n{"name": "${name}", "arguments": ${args}}\n\`\`\``,
  );
  return {
    ...rest,
    content: [reply.content ?? "", ...blocks].join("\n"),
    finish_reason: reply.finish_reason ?? "stop",
  };
}

function takesTurns(arrival: Arrival): boolean {
  const roles = arrival.body.messages
    .map((m) => m.role)
    .filter((role) => role === "user" || role === "assistant");
  return roles.every((role, i) => i === 0 || role === "assistant" || roles[i - 1] !== "user");
}

const standard = { basePath: "/v1", document, chunks };

export const DIALECTS: Record<DialectName, Dialect> = {
  openai: { ...standard, refuse: (a) => bearer(a) ?? wrongPath(a, "/v1/chat/completions") },
  // Reasoning models: another name for the limit, no temperature.
  openai_reasoning: {
    ...standard,
    refuse: (a) =>
      bearer(a) ??
      (a.body.max_tokens === undefined ? undefined : unsupported("max_tokens")) ??
      (a.body.temperature === undefined ? undefined : unsupported("temperature")),
  },
  azure: {
    basePath: "",
    document,
    chunks: (reply, body) => [
      { id: "", model: "", object: "", choices: [], prompt_filter_results: [] },
      ...chunks(reply, body),
    ],
    refuse: (a) =>
      (a.headers["api-key"] ? undefined : unauthorized) ??
      wrongPath(a, `/openai/deployments/${a.body.model}/chat/completions?api-version=2024-10-21`),
  },
  anthropic: {
    ...standard,
    refuse: (a) =>
      bearer(a) ??
      ((a.body.temperature ?? 0) > 1
        ? { status: 400, body: { error: { message: "temperature: range: 0..1" } } }
        : undefined) ??
      (a.body.reasoning_effort === undefined ? undefined : unsupported("reasoning_effort", false)),
    // Complete arguments in one chunk.
    chunks: (reply, body) => chunks({ ...reply, chunkChars: 1_000_000 }, body),
  },
  vllm: {
    ...standard,
    refuse: (a) =>
      takesTurns(a)
        ? undefined
        : {
            status: 400,
            body: { object: "error", message: "Conversation roles must alternate user/assistant", code: 400 },
          },
  },
  ollama: { ...standard, refuse: () => undefined, chunks: wholeCalls },
  llama_cpp: {
    ...standard,
    refuse: (a) => {
      if (a.body.stream_options !== undefined) return unsupported("stream_options", false);
      if (a.body.messages.some((m) => m.role === "system")) {
        return { status: 400, body: { error: { message: "system role not supported" } } };
      }
      return /additionalProperties|minimum/.test(JSON.stringify(a.body.tools ?? []))
        ? { status: 400, body: { error: { message: "JSON schema conversion failed: unrecognized schema" } } }
        : undefined;
    },
  },
  // A model without tool calls: the server refuses them, and calls are text.
  no_tools: {
    ...standard,
    refuse: (a) =>
      a.body.tools || a.body.messages.some((m) => m.role === "tool" || m.tool_calls)
        ? { status: 400, body: { error: { message: "registry/library/small does not support tools" } } }
        : undefined,
    document: (reply, body) => document(textCalls(reply), body),
    chunks: (reply, body) => chunks(textCalls(reply), body),
  },
  // A gateway that ignores the request to stream.
  gateway: { ...standard, refuse: () => undefined, ignoresStream: true },
};
