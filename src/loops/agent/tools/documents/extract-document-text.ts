import { z } from "zod";
import { defineTool, done } from "../types.ts";
import { extract, partCount } from "./document.ts";

export const extractDocumentText = defineTool({
  name: "extract_document_text",
  category: "documents",
  description: "Extract the text of a PDF, DOCX, XLSX, PPTX, HTML, Markdown or text file.",
  details:
    'Example: `extract_document_text("documents/checklist.pdf")`. The text is written to `documents/text/NAME.md`, with a ' +
    "line `--- page N ---` (sheet, slide) before each part. The answer says what is lost. Read it with read_file.",
  schema: z.strictObject({ path: z.string().describe("the document") }),
  effects: "workspace",
  core: false,
  async run({ path }, { workspace, signal }) {
    const { extracted, document, ops } = await extract(workspace, path, signal);
    const chars = extracted.parts.reduce((sum, { text }) => sum + text.length, 0);
    const summary = `Written to ${extracted.text}: ${document.format}, ${partCount(document.parts, document.unit)}, ${chars} characters.`;
    return done([summary, ...document.lost].join(" "), { ops });
  },
});
