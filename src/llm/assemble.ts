// Assembles a reply from a server's response: the chunks of a stream or one JSON document, validated by schema. A 200
// response with any other content is an error.
import { z } from "zod";
import { truncate } from "../core/limits.ts";
import type { ToolCall, Usage } from "./types.ts";

/** Maximum size of the text of one reply; reading stops there and the text so far is used. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024;
/** Maximum number of tool calls of one reply; further ones are ignored. */
const MAX_TOOL_CALLS = 64;

const usageSchema = z.object({
  prompt_tokens: z.number().nonnegative().catch(0),
  completion_tokens: z.number().nonnegative().catch(0),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nonnegative().nullish() }).nullish(),
});

const wireToolCall = z.object({
  index: z.number().int().nonnegative().optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown() }).nullish(),
});

const partSchema = z.object({
  content: z.union([z.string(), z.array(z.object({ text: z.string().catch("") }))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(wireToolCall).nullish(),
});

const completionSchema = z.object({
  model: z.string().optional(),
  choices: z.array(z.object({ message: partSchema, finish_reason: z.string().nullish() })).min(1),
  usage: usageSchema.nullish(),
});

const chunkSchema = z.object({
  model: z.string().optional(),
  choices: z.array(z.object({ delta: partSchema.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: usageSchema.nullish(),
});

type Part = z.infer<typeof partSchema>;

/** A reply before pricing. `finishReason` as sent by the server; undefined when the stream ended without one. */
export interface Assembled {
  content: string;
  toolCalls: ToolCall[];
  refusal: string | undefined;
  finishReason: string | undefined;
  usage: Usage | undefined;
  model: string | undefined;
  /** Why reading stopped before the end of the response. */
  stopped: "size" | "repetition" | undefined;
}

/** Collects the chunks of a stream. */
export class StreamAssembler {
  private text: string[] = [];
  private bytes = 0;
  private tail = "";
  private sinceCheck = 0;
  private readonly calls = new Map<number, ToolCall>();
  private refusal = "";
  private finish: string | undefined;
  private usage: Usage | undefined;
  private model: string | undefined;
  private stopped: Assembled["stopped"];

  /** @returns the text added by this chunk, including arguments of tool calls (for the progress display), or undefined
   * when it is not a chunk of a completion. */
  add(raw: unknown): string | undefined {
    const parsed = chunkSchema.safeParse(raw);
    if (!parsed.success) return undefined;
    const chunk = parsed.data;
    if (chunk.model) this.model = chunk.model;
    if (chunk.usage) this.usage = toUsage(chunk.usage);
    const choice = chunk.choices?.[0];
    // After the finish reason only usage may follow; some servers repeat their last chunks.
    if (!choice || this.finish !== undefined) return "";
    let added = "";
    if (choice.delta) {
      added = textOf(choice.delta);
      this.push(added);
      if (choice.delta.refusal) this.refusal += choice.delta.refusal;
      for (const call of choice.delta.tool_calls ?? []) added += this.addCall(call);
    }
    if (choice.finish_reason) this.finish = choice.finish_reason;
    return added;
  }

  private push(added: string): void {
    if (added === "") return;
    this.text.push(added);
    this.grow(added);
  }

  private grow(added: string): void {
    this.bytes += Buffer.byteLength(added);
    this.tail = (this.tail + added).slice(-TAIL);
    this.sinceCheck += added.length;
    if (this.bytes > MAX_REPLY_BYTES) this.stopped = "size";
    else if (this.sinceCheck >= TAIL) {
      this.sinceCheck = 0;
      if (isRepetition(this.tail)) this.stopped = "repetition";
    }
  }

  private addCall(call: z.infer<typeof wireToolCall>): string {
    // Servers that omit the index send each call in one chunk.
    const index = call.index ?? (call.id ? this.calls.size : Math.max(0, this.calls.size - 1));
    if (index >= MAX_TOOL_CALLS) return "";
    const known = this.calls.get(index) ?? { id: "", name: "", arguments: "" };
    const args = argumentsText(call.function?.arguments);
    // Some servers repeat id and name in every chunk: they are set, not appended.
    this.calls.set(index, {
      id: known.id || (call.id ?? ""),
      name: known.name || (call.function?.name ?? ""),
      arguments: known.arguments + args,
    });
    this.grow(args);
    return args;
  }

  /** True when reading should stop: the reply is too long or repeats itself. */
  get full(): boolean {
    return this.stopped !== undefined;
  }

  /** Whether billable content has arrived. */
  get started(): boolean {
    return this.bytes > 0 || this.calls.size > 0 || this.usage !== undefined;
  }

  result(): Assembled {
    return {
      content: this.text.join(""),
      toolCalls: nameCalls([...this.calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call)),
      refusal: this.refusal || undefined,
      finishReason: this.finish,
      usage: this.usage,
      model: this.model,
      stopped: this.stopped,
    };
  }
}

/** Assembles a reply from one JSON document, or describes the problem. */
export function assembleDocument(raw: unknown): Assembled | { problem: string } {
  const parsed = completionSchema.safeParse(raw);
  if (!parsed.success) return { problem: describe(raw) };
  const choice = parsed.data.choices[0];
  if (!choice) return { problem: describe(raw) };
  const { message } = choice;
  const whole = textOf(message);
  const cut = Buffer.byteLength(whole) > MAX_REPLY_BYTES;
  return {
    content: cut ? truncate(whole, MAX_REPLY_BYTES).text : whole,
    toolCalls: nameCalls(
      (message.tool_calls ?? []).slice(0, MAX_TOOL_CALLS).map((call) => ({
        id: call.id ?? "",
        name: call.function?.name ?? "",
        arguments: argumentsText(call.function?.arguments),
      })),
    ),
    refusal: message.refusal ?? undefined,
    finishReason: choice.finish_reason ?? undefined,
    usage: parsed.data.usage ? toUsage(parsed.data.usage) : undefined,
    model: parsed.data.model,
    stopped: cut ? "size" : undefined,
  };
}

/** A short description of a response that is not a completion. */
export function describe(raw: unknown): string {
  if (raw === undefined || raw === null || raw === "") return "an empty body";
  const text = typeof raw === "string" ? raw : JSON.stringify(raw);
  const what = /^\s*</.test(text)
    ? "HTML or XML"
    : typeof raw === "string"
      ? "text"
      : "JSON of another shape";
  return `${what}: ${truncate(text.replace(/\s+/g, " "), 200).text}`;
}

/** Estimates the number of tokens of a text when the server reports none: 4 bytes each. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

const TAIL = 8192;

/** Whether the text repeats one piece of at most 256 characters. */
function isRepetition(tail: string): boolean {
  if (tail.length < TAIL) return false;
  for (let period = 1; period <= 256; period += 1) {
    if (tail.startsWith(tail.slice(period)) && tail.slice(0, period).trim() !== "") return true;
  }
  return false;
}

function textOf(part: Part): string {
  if (typeof part.content === "string") return part.content;
  return (part.content ?? []).map((piece) => piece.text).join("");
}

function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Adds missing ids (some local servers send none), since the answer must refer to them, and makes duplicates unique. */
function nameCalls(calls: ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id === "" || seen.has(call.id) ? `call_${index}_${call.id}` : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

function toUsage(usage: z.infer<typeof usageSchema>): Usage {
  return {
    input_tokens: Math.round(usage.prompt_tokens),
    cached_tokens: Math.round(usage.prompt_tokens_details?.cached_tokens ?? 0),
    output_tokens: Math.round(usage.completion_tokens),
  };
}
