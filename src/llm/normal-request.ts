// A request without what differs between two machines or two runs of the same work: the key of a cassette, and
// what a difference is shown on.
import { hashJson } from "../core/hash.ts";
import type { ChatMessage, ChatReply, ChatRequest } from "./types.ts";

/** Rewrites one text so that the same work gives the same text elsewhere. */
export type Normalize = (text: string) => string;

/** Takes out: the search root, the marks of data fences (hashes of text that held the root), and counts of bytes
 * that are left (they count paths). */
export function normalizer(searchRoot: string | undefined): Normalize {
  const root = searchRoot?.replace(/[/\\]+$/, "") ?? "";
  const escaped = JSON.stringify(root).slice(1, -1);
  return (text) => {
    let out = text;
    if (root.length > 1) {
      out = out.replaceAll(escaped, "<search_root>");
      if (escaped !== root) out = out.replaceAll(root, "<search_root>");
    }
    return out
      .replace(/<<<DATA [0-9a-f]{12} /g, "<<<DATA # ")
      .replace(/^[0-9a-f]{12} DATA>>>/gm, "# DATA>>>")
      .replace(/\b\d+ of (\d+) bytes of reading are left/g, "N of $1 bytes of reading are left")
      .replace(/\b\d+ bytes are left/g, "N bytes are left")
      .replace(/"(bytes_left|bytes_used|quota_left)":\s*\d+/g, '"$1":"N"');
  };
}

/** A reply as it is recorded: paths of this machine replaced. */
export function normalizeReply(reply: ChatReply, normalize: Normalize): ChatReply {
  return mapReply(reply, normalize, normalize);
}

/** A recorded reply as if it had been given here. */
export function localizeReply(reply: ChatReply, searchRoot: string | undefined): ChatReply {
  const root = searchRoot?.replace(/[/\\]+$/, "") ?? "";
  const escaped = JSON.stringify(root).slice(1, -1);
  return mapReply(
    reply,
    (text) => text.replaceAll("<search_root>", root),
    (text) => text.replaceAll("<search_root>", escaped),
  );
}

function mapReply(reply: ChatReply, content: Normalize, args: Normalize): ChatReply {
  return {
    ...reply,
    content: content(reply.content),
    tool_calls: reply.tool_calls.map((call) => ({ ...call, arguments: args(call.arguments) })),
  };
}

export function normalizeMessages(messages: readonly ChatMessage[], normalize: Normalize): ChatMessage[] {
  return messages.map((message) => ({
    ...message,
    content: normalize(message.content),
    ...("tool_calls" in message && message.tool_calls
      ? {
          tool_calls: message.tool_calls.map((call) => ({ ...call, arguments: normalize(call.arguments) })),
        }
      : {}),
  }));
}

/** 16 hex digits: role, tools and messages, normalised. */
export function requestKey(request: ChatRequest, normalize: Normalize): string {
  return hashJson({
    role: request.role,
    tools: request.tools.map((tool) => tool.name),
    messages: normalizeMessages(request.messages, normalize),
  }).slice(0, 16);
}
