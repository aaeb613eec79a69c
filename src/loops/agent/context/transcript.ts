// A conversation as plain text, for summaries and planning steps. Tool calls become text, because servers reject
// calls without a result.
import { fenceData } from "../../../conversation/fence.ts";
import type { ChatMessage } from "../../../llm/types.ts";

/** Maximum characters of one message. */
const MAX_MESSAGE = 4_000;

/** The latest messages that fit into `maxChars` characters, oldest first. */
export function transcript(messages: readonly ChatMessage[], maxChars: number): string {
  const shown: string[] = [];
  let size = 0;
  for (const message of messages.toReversed()) {
    const text = said(message);
    size += text.length + 1;
    if (size > maxChars) {
      shown.push(`[${messages.length - shown.length} earlier messages are left out]`);
      break;
    }
    shown.push(text);
  }
  return shown.reverse().join("\n");
}

function said(message: ChatMessage): string {
  const text = shortened(message.content);
  switch (message.role) {
    case "assistant": {
      const calls = (message.tool_calls ?? []).map(
        ({ name, arguments: args }) => `called ${name}(${shortened(args)})`,
      );
      return [...(text === "" ? [] : [`you: ${text}`]), ...calls].join("\n");
    }
    case "tool":
      return `result: ${text}`;
    default:
      return `program: ${text}`;
  }
}

function shortened(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)} [cut, ${text.length} characters]`;
}

/** Pages for a planning step, each between data marks, truncated to `maxChars` characters in total; earlier pages
 * take precedence. */
export function pages(list: readonly { name: string; text: string }[], maxChars: number): string {
  let left = Math.max(0, maxChars);
  const shown = list
    .filter(({ text }) => text.trim() !== "")
    .map(({ name, text }, index, all) => {
      const room = Math.max(Math.floor(left / (all.length - index)), Math.min(left, 2_000));
      const part = text.length <= room ? text : `${text.slice(0, room)}\n[cut, ${text.length} characters]`;
      left -= Math.min(text.length, room);
      return fenceData(name, part);
    });
  return shown.join("\n\n");
}
