// Normalizes requests: removes what differs between machines or runs of the same work. Used for the keys of cassettes
// and to show differences.
import { hashJson } from "../core/hash.ts";
import type { ChatMessage, ChatReply, ChatRequest } from "./types.ts";

/** Rewrites a text so that it is the same for the same work on any machine. */
export type Normalize = (text: string) => string;

/** Replaces the search root, the markers of data fences (hashes of text with the root), and remaining byte counts (they
 * include paths). */
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

/** A reply for recording: paths of this machine replaced. */
export function normalizeReply(reply: ChatReply, normalize: Normalize): ChatReply {
  return mapReply(reply, normalize, normalize);
}

/** A recorded reply with the paths of this machine. */
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

function normalizeMessages(messages: readonly ChatMessage[], normalize: Normalize): ChatMessage[] {
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

/** A request without what differs between machines. */
export interface NormalRequest {
  /** 16 hex digits: the hash of role, tools and messages. */
  key: string;
  messages: ChatMessage[];
}

/** Normalizes a request. */
export function normalRequest(request: ChatRequest, normalize: Normalize): NormalRequest {
  const messages = normalizeMessages(request.messages, normalize);
  const { role } = request;
  const key = hashJson({ role, tools: request.tools.map((tool) => tool.name), messages }).slice(0, 16);
  return { key, messages };
}
