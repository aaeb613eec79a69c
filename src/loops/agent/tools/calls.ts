// Runs tool calls: each is checked, retried after transient errors, and stored before it takes effect. After a crash
// the effects of stored calls are applied again from the log, and no call with outside effects runs twice.
import { fenceData } from "../../../conversation/fence.ts";
import { AtomsmithError, toAtomsmithError } from "../../../core/errors.ts";
import { hashJson } from "../../../core/hash.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { withRetries } from "../../../core/retry.ts";
import type { ToolCall } from "../../../llm/types.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { Refused } from "../workspace/workspace.ts";
import { type Outcome, refused, type Tool, type ToolContext } from "./types.ts";

/** Maximum characters of a result in the conversation. */
const MAX_RESULT_CHARS = 30_000;

/** Runs one call and returns the changed state, and the answer for the conversation. */
export async function runCall(
  state: AgentState,
  call: ToolCall,
  services: AgentServices,
  signal: AbortSignal,
  notRun: string | undefined,
): Promise<{ state: AgentState; outcome: Outcome; shown: string; interrupted: boolean }> {
  const n = state.calls + 1;
  const hash = hashJson([call.id, call.name, call.arguments]);
  const stored = services.calls.find(n, hash);
  const tool = services.tools.find(call.name);
  let outcome = stored?.outcome;
  const interrupted = notRun === undefined && stored !== undefined && outcome === undefined;
  if (outcome === undefined) {
    outcome = interrupted
      ? refused(services.say("may_have_happened", { tool: call.name }))
      : notRun === undefined
        ? await attempted(state, call, tool, services, signal, () => services.calls.append(n, hash))
        : refused(notRun);
    outcome = await stowed(outcome, n, call.name, services);
    await services.calls.append(n, hash, outcome);
  }
  for (const op of outcome.ops) await services.workspace.apply(op);
  services.emit({
    type: "tool_called",
    tool: call.name,
    summary: `${call.name}: ${outcome.text.split("\n")[0]?.slice(0, 120) ?? ""}`,
    ok: outcome.ok,
    bytes: Buffer.byteLength(outcome.text),
    bytes_left: 0,
  });
  const shown = outcome.isData ? fenceData(call.name, outcome.text) : outcome.text;
  return { state: { ...state, ...outcome.patch, calls: n }, outcome, shown, interrupted };
}

/** Path of the file with the whole result of a call. */
export function resultPath(n: number, tool: string): string {
  const name = tool.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 40);
  return `.agent/results/${String(n).padStart(6, "0")}_${name}.txt`;
}

/** Stores the whole result in a file, and truncates it for the conversation. */
async function stowed(outcome: Outcome, n: number, tool: string, services: AgentServices): Promise<Outcome> {
  const whole = services.redact(outcome.text);
  const path = resultPath(n, tool);
  await services.workspace.apply({ op: "write", path, text: whole });
  return { ...outcome, text: cutResult(whole, path, services.agent.limits.context_threshold_tokens) };
}

/** A result for the conversation: truncated with a note about its length and path. With a low threshold for the whole
 * request, the limit is about a quarter of it. */
export function cutResult(text: string, path: string, thresholdTokens: number): string {
  const limit = Math.min(MAX_RESULT_CHARS, Math.max(1_000, thresholdTokens));
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  return `${kept}\n[cut: ${kept.length} of ${text.length} characters; the rest is in ${path}]`;
}

async function attempted(
  state: AgentState,
  call: ToolCall,
  tool: Tool | undefined,
  services: AgentServices,
  signal: AbortSignal,
  begin: () => Promise<void>,
): Promise<Outcome> {
  const offered = services.tools.offered(state).map(({ name }) => name);
  if (tool === undefined || !offered.includes(call.name)) {
    return refused(
      services.say(tool === undefined ? "unknown_tool" : "not_offered", {
        tool: call.name.slice(0, 60),
        tools: offered.join(", "),
      }),
    );
  }
  const args = parseArguments(call.arguments);
  if (typeof args === "string")
    return refused(services.say("bad_arguments", { tool: call.name, problem: args }));
  if (tool.effects === "outside") await begin();
  const context: ToolContext = { ...services, state, signal };
  const run = async (): Promise<Outcome> => {
    try {
      return await tool.call(args, context);
    } catch (error) {
      if (error instanceof Refused) return refused(error.message);
      throw forRetry(error);
    }
  };
  return withRetries(
    {
      maxRetries: services.agent.limits.tool_retry_count,
      clock: services.clock,
      random: Math.random,
      signal,
      deadline: Number.POSITIVE_INFINITY,
      onRetry: (attempt, waitMs, error) =>
        services.emit({
          type: "retry",
          what: call.name,
          attempt,
          wait_ms: Math.round(waitMs),
          reason: error.message,
        }),
    },
    run,
  );
}

/** Transient system errors. */
const PASSING = new Set([
  "EBUSY",
  "EAGAIN",
  "ETXTBSY",
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
]);

function forRetry(error: unknown): AtomsmithError {
  const known = toAtomsmithError(error);
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (known.details.retryable !== undefined || code === undefined || !PASSING.has(code)) return known;
  return new AtomsmithError("store", known.message, { ...known.details, retryable: true, cause: error });
}

/** The arguments as an object, or their error. No arguments are an empty object. */
export function parseArguments(text: string): JsonObject | string {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "not a JSON object";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
