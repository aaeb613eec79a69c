// Splits a text into chunks along its structure: headings begin a chunk, paragraphs and table rows are not split, and the
// head of a split table is repeated. Each chunk begins with the end of the previous one.
import type { TextPart } from "./text-page.ts";

export interface ChunkOptions {
  /** Maximum characters of a chunk, including its overlap. */
  maxChars: number;
  /** Maximum characters of the previous chunk at the beginning of a chunk. */
  overlapChars: number;
}

export interface Chunk {
  text: string;
  /** Numbers of the first and the last part with text in the chunk. */
  from: number;
  to: number;
  /** The headings above it, outermost first. */
  headings: string[];
  /** Number of characters at the beginning that are also in the previous chunk. */
  overlap: number;
}

interface Block {
  text: string;
  part: number;
  headings: string[];
  /** It is a heading, which should begin a chunk. */
  isHeading: boolean;
  /** Head of the table, if the block is a row of one. */
  head: string;
}

export const CHUNK_DEFAULTS: ChunkOptions = { maxChars: 4000, overlapChars: 300 };

/** Splits the parts into chunks, in order. */
export function chunkParts(parts: readonly TextPart[], options: ChunkOptions = CHUNK_DEFAULTS): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Block[] = [];
  let size = 0;
  const close = (): void => {
    if (open.length > 0) chunks.push(chunkOf(open, chunks.at(-1), options));
    open = [];
    size = 0;
  };
  const room = options.maxChars - options.overlapChars;
  for (const block of blocksOf(parts, room)) {
    const extra = open.length === 0 ? block.head.length : 0;
    const isFull = size + block.text.length + extra + 2 > room;
    if (isFull || (block.isHeading && size > room / 3)) close();
    open.push(block);
    size += block.text.length + 2 + (open.length === 1 ? block.head.length : 0);
  }
  close();
  return chunks;
}

function chunkOf(blocks: readonly Block[], before: Chunk | undefined, options: ChunkOptions): Chunk {
  const [first, last] = [blocks[0], blocks.at(-1)];
  let text = first?.head ?? "";
  blocks.forEach((block, at) => {
    const previous = blocks[at - 1];
    const isRow =
      block.head !== "" &&
      (previous === undefined || previous.head === block.head || isHeadOf(previous, block));
    text +=
      at === 0 || isRow
        ? `${text === "" || text.endsWith("\n") ? "" : "\n"}${block.text}`
        : `\n\n${block.text}`;
  });
  const shared = before === undefined ? "" : tail(before.text, options.overlapChars);
  return {
    text: shared === "" ? text : `${shared}\n\n${text}`,
    from: first?.part ?? 1,
    to: last?.part ?? 1,
    headings: first?.headings ?? [],
    overlap: shared.length,
  };
}

function isHeadOf(block: Block, row: Block): boolean {
  return row.head.startsWith(block.text);
}

/** The end of a text, starting at a word. */
function tail(text: string, chars: number): string {
  if (chars <= 0) return "";
  if (text.length <= chars) return text;
  const end = text.slice(-chars);
  const border = end.search(/\s/);
  return border < 0 ? end : end.slice(border).trimStart();
}

function* blocksOf(parts: readonly TextPart[], room: number): Generator<Block> {
  const headings: string[] = [];
  for (const { number, text } of parts) {
    for (const paragraph of text.split(/\n{2,}/)) {
      if (paragraph.trim() === "") continue;
      const heading = /^(#{1,6})\s+(.*)/.exec(paragraph);
      if (heading !== null) {
        headings.length = Math.min(headings.length, (heading[1]?.length ?? 1) - 1);
        headings.push(heading[2]?.trim() ?? "");
      }
      const base = { part: number, headings: [...headings], isHeading: heading !== null };
      for (const { piece, head } of pieces(paragraph, room)) yield { ...base, text: piece, head };
    }
  }
}

/** Splits a paragraph that is too long: into table rows, lines, and finally at characters. */
function* pieces(paragraph: string, room: number): Generator<{ piece: string; head: string }> {
  if (paragraph.length <= room) {
    yield { piece: paragraph, head: "" };
    return;
  }
  const lines = paragraph.split("\n");
  const isTable = /^\|[\s:|-]+\|\s*$/.test(lines[1] ?? "");
  const head = isTable ? `${lines[0]}\n${lines[1]}\n` : "";
  const repeatedHead = head.length < room / 2 ? head : "";
  for (const line of isTable && repeatedHead !== "" ? lines.slice(2) : lines) {
    const width = Math.max(1, room - repeatedHead.length - 2);
    for (let at = 0; at < line.length; ) {
      const end = borderBefore(line, at, at + width);
      yield { piece: line.slice(at, end), head: repeatedHead };
      at = end;
    }
  }
}

/** The position to split a line: after a space if possible, never inside a character. */
function borderBefore(line: string, from: number, to: number): number {
  if (to >= line.length) return line.length;
  const space = line.lastIndexOf(" ", to);
  if (space > from) return space + 1;
  const code = line.charCodeAt(to);
  return code >= 0xdc00 && code <= 0xdfff && to - 1 > from ? to - 1 : to;
}
