// Renders a page: headings, lists, fences and paragraphs as text. Nothing in it becomes markup.
import { visible } from "../../report/escape.ts";

interface Block {
  kind: "heading" | "fence" | "item" | "text";
  text: string;
  depth: number;
  /** The info string of the fence. */
  label?: string;
  /** 1-based line of its start. */
  line: number;
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** The blocks of a page, in order. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null) addLine(blocks, line, i + 1);
    else {
      const start = i + 1;
      const inside: string[] = [];
      while (++i < lines.length && !(lines[i] ?? "").trim().startsWith(fence[1] ?? "```")) {
        inside.push(lines[i] ?? "");
      }
      const label = (fence[2] ?? "").trim();
      blocks.push({ kind: "fence", text: inside.join("\n"), label, depth: 0, line: start });
    }
  }
  return blocks;
}

function addLine(blocks: Block[], line: string, number: number): void {
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading !== null) {
    blocks.push({ kind: "heading", text: heading[2] ?? "", depth: heading[1]?.length ?? 1, line: number });
  } else if (ITEM.test(line)) {
    const depth = Math.floor(line.search(/\S/) / 2);
    blocks.push({ kind: "item", text: line.replace(ITEM, ""), depth, line: number });
  } else if (line.trim() !== "") {
    const last = blocks.at(-1);
    if (last?.kind === "text" && last.line + last.text.split("\n").length === number)
      last.text += `\n${line}`;
    else blocks.push({ kind: "text", text: line, depth: 0, line: number });
  }
}

export function Markdown({ text }: { text: string }) {
  return <div class="page">{blocksOf(text).map(render)}</div>;
}

function render({ kind, text, depth, line, label = "" }: Block) {
  switch (kind) {
    case "heading": {
      const Tag = `h${Math.min(6, depth + 1)}` as "h2";
      return <Tag key={line}>{inline(text)}</Tag>;
    }
    case "fence":
      return (
        <figure key={line}>
          {label === "" ? null : <figcaption>{visible(label)}</figcaption>}
          <pre tabIndex={0} class="code">
            {visible(text)}
          </pre>
        </figure>
      );
    case "item":
      return (
        <p key={line} class="bullet" style={{ marginInlineStart: `${1 + depth}rem` }}>
          {inline(text)}
        </p>
      );
    case "text":
      return <p key={line}>{inline(text)}</p>;
  }
}

/** Code and strong text within a line. */
function inline(text: string) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
    if (/^`[^`]+`$/.test(part)) {
      return <code key={i}>{visible(part.slice(1, -1))}</code>;
    }
    if (/^\*\*[^*]+\*\*$/.test(part)) return <strong key={i}>{visible(part.slice(2, -2))}</strong>;
    return visible(part);
  });
}
