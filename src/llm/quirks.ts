// Deviations of compatible servers from the protocol, one named row each: how the request body changes, and which
// parameters a server with the quirk rejects. A quirk is set by the provider table or the configuration, or learned
// from a rejected request and then kept for the endpoint.
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import type { Assembled } from "./assemble.ts";
import { callsFromText, toolsAsText } from "./text-tools.ts";
import type { WireBody, WireMessage } from "./wire.ts";

export type QuirkName =
  | "max_completion_tokens"
  | "no_max_tokens"
  | "no_temperature"
  | "temperature_at_most_1"
  | "no_reasoning_effort"
  | "no_stream_usage"
  | "no_stream"
  | "no_tools"
  | "no_parallel_tools"
  | "no_reply_schema"
  | "no_reply_format"
  | "no_system_role"
  | "alternate_roles"
  | "plain_schemas";

export interface Quirk {
  name: QuirkName;
  description: string;
  apply(body: WireBody): WireBody;
  /** Learned when a server rejects a request (400 or 422) and names one of these parameters. */
  refused: string[];
  /** Converts a reply of such a server, where it differs. */
  read?(reply: Assembled): Assembled;
}

export const QUIRKS: readonly Quirk[] = [
  {
    name: "max_completion_tokens",
    description: "names the reply limit max_completion_tokens",
    apply: ({ max_tokens, ...body }) =>
      max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens },
    refused: ["max_tokens"],
  },
  {
    name: "no_max_tokens",
    description: "does not support a reply limit",
    apply: ({ max_tokens: _a, max_completion_tokens: _b, ...body }) => body,
    refused: ["max_completion_tokens"],
  },
  {
    name: "no_temperature",
    description: "does not support a temperature other than its default",
    apply: ({ temperature: _, ...body }) => body,
    refused: ["temperature"],
  },
  {
    name: "temperature_at_most_1",
    description: "rejects temperatures above 1",
    apply: (body) =>
      body.temperature === undefined ? body : { ...body, temperature: Math.min(1, body.temperature) },
    refused: [],
  },
  {
    name: "no_reasoning_effort",
    description: "does not support a reasoning effort",
    apply: ({ reasoning_effort: _, ...body }) => body,
    refused: ["reasoning_effort"],
  },
  {
    name: "no_stream_usage",
    description: "reports no usage in a stream",
    apply: ({ stream_options: _, ...body }) => body,
    refused: ["stream_options"],
  },
  {
    name: "no_stream",
    description: "cannot stream",
    apply: ({ stream_options: _, ...body }) => ({ ...body, stream: false }),
    refused: ["stream"],
  },
  {
    name: "no_tools",
    description: "does not support tools; they are described in the text, and calls are fenced blocks",
    apply: toolsAsText,
    refused: ["tools", "tool choice", "tool_choice"],
    read: (reply) => {
      const { content, toolCalls } = callsFromText(reply.content);
      return toolCalls.length === 0 ? reply : { ...reply, content, toolCalls };
    },
  },
  {
    name: "no_parallel_tools",
    description: "must be told to call one tool at a time",
    apply: (body) => (body.tools === undefined ? body : { ...body, parallel_tool_calls: false }),
    refused: [],
  },
  {
    name: "no_reply_schema",
    description: "supports JSON replies, but not a schema for them",
    apply: (body) =>
      body.response_format?.type === "json_schema"
        ? { ...body, response_format: { type: "json_object" } }
        : body,
    refused: ["json_schema", "response_format"],
  },
  {
    name: "no_reply_format",
    description: "does not support reply formats",
    apply: ({ response_format: _, ...body }) => body,
    refused: ["response_format", "json_object"],
  },
  {
    name: "no_system_role",
    description: "has no system role; the text is prepended to the first user message",
    apply: (body) => ({ ...body, messages: systemIntoUser(body.messages) }),
    refused: ["system"],
  },
  {
    name: "alternate_roles",
    description: "requires alternating user and assistant messages",
    apply: (body) => ({ ...body, messages: mergeNeighbours(body.messages) }),
    refused: ["alternate"],
  },
  {
    name: "plain_schemas",
    description:
      "rejects tool schemas with other keys than type, properties, required, items, enum, description",
    apply: (body) =>
      body.tools === undefined
        ? body
        : {
            ...body,
            tools: body.tools.map((tool) => ({
              ...tool,
              function: { ...tool.function, parameters: plainSchema(tool.function.parameters) },
            })),
          },
    refused: ["additionalProperties", "schema", "$schema", "minimum"],
  },
];

/** Applies quirks in the order of the table. */
export function applyQuirks(body: WireBody, names: Iterable<QuirkName>): WireBody {
  const enabled = new Set(names);
  return QUIRKS.filter((quirk) => enabled.has(quirk.name)).reduce((b, quirk) => quirk.apply(b), body);
}

/** Converts a reply of a server with these quirks to the standard form. */
export function readWithQuirks(reply: Assembled, names: Iterable<QuirkName>): Assembled {
  const enabled = new Set(names);
  return QUIRKS.filter((quirk) => enabled.has(quirk.name)).reduce((r, quirk) => quirk.read?.(r) ?? r, reply);
}

/** Derives a quirk from a rejected request: the first one not yet assumed whose parameter the server names and whose
 * application changes the body; undefined if there is none.
 * @param param the `param` member of the error, if present
 * @param message its message; searched only for the name of the parameter */
export function quirkFromRefusal(
  body: WireBody,
  param: string | null | undefined,
  message: string,
  assumed: ReadonlySet<QuirkName>,
): QuirkName | undefined {
  const names = (parameter: string): boolean =>
    param === parameter || new RegExp(`(?<![\\w$])${parameter.replace("$", "\\$")}(?!\\w)`).test(message);
  const found = QUIRKS.find(
    (quirk) =>
      !assumed.has(quirk.name) &&
      quirk.refused.some(names) &&
      JSON.stringify(quirk.apply(body)) !== JSON.stringify(body),
  );
  return found?.name;
}

function systemIntoUser(messages: WireMessage[]): WireMessage[] {
  const system = messages.filter((m) => m.role === "system").map((m) => m.content);
  const rest = messages.filter((m) => m.role !== "system");
  if (system.length === 0) return messages;
  const [first, ...others] = rest;
  if (first?.role === "user") {
    return [{ role: "user", content: [...system, first.content].join("\n\n") }, ...others];
  }
  return [{ role: "user", content: system.join("\n\n") }, ...rest];
}

function mergeNeighbours(messages: WireMessage[]): WireMessage[] {
  const out: WireMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === "user" && message.role === "user") {
      out[out.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    } else {
      out.push(message);
    }
  }
  return out;
}

const PLAIN_KEYS = new Set(["type", "properties", "required", "items", "enum", "description"]);

function plainSchema(schema: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!PLAIN_KEYS.has(key)) continue;
    if (key === "properties" && isJsonObject(value)) {
      out[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(inner)]));
    } else {
      out[key] = key === "items" ? plainValue(value) : value;
    }
  }
  return out;
}

function plainValue(value: JsonValue): JsonValue {
  return isJsonObject(value) ? plainSchema(value) : value;
}
