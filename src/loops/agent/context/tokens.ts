// Token count of a request: by a tokenizer if one is available for the model's family, otherwise by an estimate. The
// counts of the server correct both upwards.
import type { ToolSpec } from "../../../contract/tool-spec.ts";
import type { ChatMessage } from "../../../llm/types.ts";
import { tokenRanks } from "./token-ranks.ts";

/** Overhead of a message and of a tool, in tokens. */
const PER_MESSAGE = 4;
const PER_TOOL = 8;
/** Bytes per token without a tokenizer: a low value, so that the estimate is rather too high. */
const BYTES_PER_TOKEN = 3.5;
/** Characters per call of the tokenizer. */
const MAX_SLICE = 400;
/** Cache of the counts of repeated texts. */
const MAX_REMEMBERED = 500;

const FAMILIES = /^(?:.*\/)?(?:gpt-|chatgpt-|o\d|text-)/i;

export class TokenCounter {
  private readonly count: (text: string) => number;
  private readonly ofMessage = new WeakMap<ChatMessage, number>();
  private readonly ofText = new Map<string, number>();

  private constructor(count: (text: string) => number) {
    this.count = count;
  }

  /** Loads the tokenizer when the model has one. */
  static async forModel(model: string): Promise<TokenCounter> {
    if (!FAMILIES.test(model) || /^gpt-oss/i.test(model)) return new TokenCounter(estimate);
    const { GptEncoding } = await import("gpt-tokenizer/GptEncoding");
    const ranks = await tokenRanks();
    const { countTokens } = GptEncoding.getEncodingApi("cl100k_base", () => ranks);
    const options = { disallowedSpecial: new Set<string>() };
    return new TokenCounter((text) =>
      slices(text).reduce((sum, part) => sum + countTokens(part, options), 0),
    );
  }

  text(text: string): number {
    const known = this.ofText.get(text);
    if (known !== undefined) return known;
    const counted = this.count(text);
    if (this.ofText.size >= MAX_REMEMBERED) this.ofText.clear();
    this.ofText.set(text, counted);
    return counted;
  }

  message(message: ChatMessage): number {
    const known = this.ofMessage.get(message);
    if (known !== undefined) return known;
    const calls = "tool_calls" in message ? (message.tool_calls ?? []) : [];
    const texts = [message.content, ...calls.map((call) => `${call.name} ${call.arguments}`)];
    const counted = texts.reduce((sum, text) => sum + this.count(text), PER_MESSAGE * (1 + calls.length));
    this.ofMessage.set(message, counted);
    return counted;
  }

  messages(messages: readonly ChatMessage[]): number {
    return messages.reduce((sum, message) => sum + this.message(message), 0);
  }

  tools(tools: readonly ToolSpec[]): number {
    return tools.reduce((sum, tool) => sum + this.text(JSON.stringify(tool)) + PER_TOOL, 0);
  }
}

/** Counts in slices, because the tokenizer takes quadratic time for a text without spaces; a token across two slices
 * counts as two. */
function slices(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const slice = text.slice(at, at + MAX_SLICE);
    const blank = at + MAX_SLICE < text.length ? slice.lastIndexOf(" ") : -1;
    const part = blank > 0 ? slice.slice(0, blank) : slice;
    parts.push(part);
    at += part.length;
  }
  return parts;
}

function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The correction factor after a reply: the count of the server divided by the local count, at least 1. */
export function correctedRatio(counted: number, reported: number): number {
  return counted <= 0 ? 1 : Math.max(1, reported / counted);
}
