// Parses fenced blocks of a reply, including an unclosed one, and the prose around them.

export interface Block {
  language: string;
  text: string;
  /** The reply ended before the fence was closed. */
  unclosed: boolean;
}

/** Splits a reply into fenced blocks and the rest. A fence closes with at least as many of the same character. */
export function readBlocks(reply: string): { blocks: Block[]; prose: string } {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { mark: string; language: string; indent: number; lines: string[] } | undefined;
  for (const line of reply.replace(/\r\n?/g, "\n").split("\n")) {
    const fence = /^( {0,8})(`{3,}|~{3,})[ \t]*([^`\n]*)$/.exec(line);
    if (open) {
      const [, , mark = "", info = ""] = fence ?? [];
      if (fence && info.trim() === "" && mark[0] === open.mark[0] && mark.length >= open.mark.length) {
        blocks.push({ language: open.language, text: open.lines.join("\n"), unclosed: false });
        open = undefined;
      } else {
        open.lines.push(line.startsWith(" ".repeat(open.indent)) ? line.slice(open.indent) : line);
      }
    } else if (fence) {
      const [, indent = "", mark = "", info = ""] = fence;
      open = {
        mark,
        language: (info.trim().split(/[\s{:,]/)[0] ?? "").toLowerCase(),
        indent: indent.length,
        lines: [],
      };
    } else {
      prose.push(line);
    }
  }
  if (open) blocks.push({ language: open.language, text: open.lines.join("\n"), unclosed: true });
  return { blocks, prose: prose.join("\n").trim() };
}

/** A reply without the leading reasoning that some models include: drafts in it are not the answer. */
export function withoutThoughts(reply: string): string {
  return reply.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "");
}

/** The text outside fences, for display only. */
export function proseOf(reply: string): string {
  return readBlocks(withoutThoughts(reply)).prose;
}
