import { z } from "zod";
import { CHUNK_DEFAULTS, chunkParts } from "../../../../documents/chunk.ts";
import type { FileOp } from "../../workspace/workspace.ts";
import { defineTool, done, refused } from "../types.ts";
import { extractedText } from "./document.ts";

export const chunkDocument = defineTool({
  name: "chunk_document",
  category: "documents",
  description: "Split the text of a document into chunks along its headings, paragraphs and table rows.",
  details:
    'Example: `chunk_document("documents/checklist.pdf")` writes `chunks/checklist.pdf/001.md`, … and `manifest.json` with ' +
    "the pages and headings of each. Each chunk begins with the end of the previous one (`overlap` characters).",
  schema: z.strictObject({
    path: z.string().describe("the document, whose text must be extracted"),
    max_chars: z.int().min(500).max(30_000).default(CHUNK_DEFAULTS.maxChars),
    overlap_chars: z.int().min(0).max(2_000).default(CHUNK_DEFAULTS.overlapChars),
  }),
  effects: "workspace",
  core: false,
  run({ path, max_chars, overlap_chars }, { workspace }) {
    if (overlap_chars > max_chars / 2) return refused("overlap_chars is at most half of max_chars.");
    const { source, text, sha256, parts } = extractedText(workspace, path);
    const chunks = chunkParts(parts, { maxChars: max_chars, overlapChars: overlap_chars });
    const folder = `chunks/${source.replace(/^documents\//, "").replaceAll("/", "_")}`;
    const width = Math.max(3, String(chunks.length).length);
    const names = chunks.map((_, at) => `${String(at + 1).padStart(width, "0")}.md`);
    const manifest = {
      document: source,
      sha256,
      text,
      unit: parts[0]?.unit ?? "page",
      max_chars,
      overlap_chars,
      chunks: chunks.map(({ from, to, headings, overlap, text: body }, at) => {
        return { file: names[at], from, to, headings, chars: body.length, overlap };
      }),
    };
    const ops = chunks.map(({ text: body }, at): FileOp => {
      return { op: "write", path: workspace.writable(`${folder}/${names[at]}`), text: `${body}\n` };
    });
    const last = workspace.writable(`${folder}/manifest.json`);
    ops.push({ op: "write", path: last, text: `${JSON.stringify(manifest, undefined, 2)}\n` });
    return done(`Written to ${folder}/: ${chunks.length} chunks and manifest.json.`, { ops });
  },
});
