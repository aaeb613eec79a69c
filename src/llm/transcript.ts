// Renders the conversation of an item for reading: messages, tool calls and results, findings of the gates, cost. Plain
// data in, plain text out.
import { z } from "zod";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { type AgentTurn, addUsage, NO_USAGE, type UsageTotal } from "./turns.ts";
import type { ChatMessage, ToolCall } from "./types.ts";

/** Styles for the parts of a transcript; each may be the identity function. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

/** The part of a gate report that the transcript needs. */
export const gateRoundSchema = z.object({
  errors: z.array(
    z.object({
      gate: z.string(),
      atom: z.string(),
      code: z.string(),
      message: z.string(),
      example: z.string().optional(),
    }),
  ),
});
export interface GateRound {
  iteration: number;
  errors: z.infer<typeof gateRoundSchema>["errors"];
}

export interface TranscriptOptions {
  /** Maximum bytes shown of one message; undefined: all. */
  messageBytes: number | undefined;
  paint: Paint;
}

/** Renders the turns with the findings of the gates between them, oldest first. */
export function transcript(
  turns: readonly AgentTurn[],
  rounds: readonly GateRound[],
  options: TranscriptOptions,
): string {
  const { paint } = options;
  const out: string[] = [];
  let heading = "";
  let lastRound = 0;
  turns.forEach((turn, at) => {
    const section = `${turn.stage}, iteration ${turn.iteration}`;
    if (section !== heading) {
      heading = section;
      out.push("", paint.bold(`== ${section} ==`));
    }
    for (const message of turn.messages) out.push(...showMessage(message, options));
    out.push(...showReply(turn, options));
    const next = turns[at + 1];
    if (next === undefined || next.iteration > turn.iteration) {
      for (const round of rounds) {
        if (round.iteration <= lastRound || (next !== undefined && round.iteration >= next.iteration))
          continue;
        lastRound = round.iteration;
        out.push(...showRound(round, options));
      }
    }
  });
  out.push("", paint.bold("== cost =="), ...costTable(turns));
  return `${out.join("\n").trimStart()}\n`;
}

/** Usage of the turns, in total and per role. */
export function usageByRole(turns: readonly AgentTurn[]): {
  total: UsageTotal;
  roles: Record<string, UsageTotal>;
} {
  const roles: Record<string, UsageTotal> = {};
  let total = NO_USAGE;
  for (const turn of turns) {
    total = addUsage(total, turn.reply);
    roles[turn.role] = addUsage(roles[turn.role] ?? NO_USAGE, turn.reply);
  }
  return { total, roles };
}

function showMessage(message: ChatMessage, options: TranscriptOptions): string[] {
  // Messages of the model were shown as the reply of an earlier turn.
  if (message.role === "assistant") return [];
  const name = { system: "instructions", user: "program", tool: "answer" }[message.role];
  return ["", options.paint.cyan(`${name}:`), body(message.content, options)];
}

function showReply(turn: AgentTurn, options: TranscriptOptions): string[] {
  const { reply } = turn;
  const { paint } = options;
  const cost = reply.cost_usd === null ? "" : `, $${reply.cost_usd.toFixed(4)}`;
  const facts = `${reply.usage.input_tokens} + ${reply.usage.output_tokens} tokens${cost}, ${(turn.duration_ms / 1000).toFixed(1)} s`;
  const out = ["", `${paint.green(`${reply.model}:`)} ${paint.dim(facts)}`];
  if (turn.record === "partial") out.push(paint.red("  [incomplete; billed, not used]"));
  if (reply.finish_reason === "length") out.push(paint.red("  [truncated at the length limit]"));
  if (reply.refusal !== undefined) out.push(paint.red("  [refused]"), body(reply.refusal, options));
  if (reply.content.trim() !== "") out.push(body(reply.content, options));
  for (const call of reply.tool_calls) out.push(...showCall(call, options));
  return out;
}

/** A call with its arguments; multi-line strings are shown as text, not as escaped JSON. */
function showCall(call: ToolCall, options: TranscriptOptions): string[] {
  const out = [`  ${options.paint.bold("->")} ${visible(call.name)}`];
  let args: unknown;
  try {
    args = JSON.parse(call.arguments);
  } catch {
    return [...out, body(call.arguments, options)];
  }
  if (typeof args !== "object" || args === null) return [...out, body(call.arguments, options)];
  for (const [key, value] of Object.entries(args)) {
    if (typeof value === "string" && value.includes("\n")) {
      out.push(`     ${visible(key)}:`, body(value, options));
    } else {
      out.push(`     ${visible(key)}: ${visible(truncate(JSON.stringify(value), 500).text)}`);
    }
  }
  return out;
}

function showRound(round: GateRound, { paint }: TranscriptOptions): string[] {
  if (round.errors.length === 0) return ["", paint.green(`gates, iteration ${round.iteration}: all passed`)];
  return [
    "",
    paint.red(`gates, iteration ${round.iteration}: ${count(round.errors.length, "error")}`),
    ...round.errors.slice(0, 20).map((error) => {
      const example = error.example === undefined ? "" : ` (shown by: ${truncate(error.example, 200).text})`;
      return `  ${error.gate} ${error.atom}/${error.code}: ${visible(truncate(error.message + example, 500).text)}`;
    }),
    ...(round.errors.length > 20 ? [`  … and ${round.errors.length - 20} more`] : []),
  ];
}

function costTable(turns: readonly AgentTurn[]): string[] {
  const { total, roles } = usageByRole(turns);
  const row = (name: string, usage: UsageTotal): string =>
    [
      name.padEnd(8),
      `${count(usage.calls, "call")}`.padStart(10),
      `${usage.input_tokens} in (${usage.cached_tokens} cached)`.padStart(28),
      `${usage.output_tokens} out`.padStart(12),
      usage.cost_usd === null ? "price unknown" : `$${usage.cost_usd.toFixed(4)}`,
    ].join("  ");
  return [...Object.entries(roles).map(([role, usage]) => row(role, usage)), row("total", total)];
}

function body(text: string, { messageBytes }: TranscriptOptions): string {
  const shown = messageBytes === undefined ? text : truncate(text, messageBytes).text;
  return visible(shown.trimEnd()).replace(/^/gm, "  ");
}

/** Escapes control characters: texts of logs and models may contain terminal sequences. */
function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
