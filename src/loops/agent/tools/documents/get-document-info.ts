import { statSync } from "node:fs";
import { z } from "zod";
import { Refused } from "../../workspace/workspace.ts";
import { data, defineTool } from "../types.ts";
import { documentFile, type Extracted, extractedText, partCount } from "./document.ts";

export const getDocumentInfo = defineTool({
  name: "get_document_info",
  category: "documents",
  description: "Show size, format and parts of a document, and the path of its text.",
  details: 'Example: `get_document_info("documents/checklist.pdf")`.',
  schema: z.strictObject({ path: z.string() }),
  core: false,
  run({ path }, { workspace }) {
    const { place, absolute } = documentFile(workspace, path);
    const head = `${place}: ${statSync(absolute).size} bytes.`;
    let extracted: Extracted;
    try {
      extracted = extractedText(workspace, place);
    } catch (error) {
      if (error instanceof Refused) return data(`${head} ${error.message}`);
      throw error;
    }
    const { format, parts, text, lost } = extracted;
    const unit = parts[0]?.unit ?? "page";
    const rows = parts.map(({ number, name, text: body }) => {
      return `${unit} ${number}${name === "" ? "" : ` "${name}"`}: ${body.length} characters`;
    });
    return data(
      [`${head} ${format}, ${partCount(parts, unit)}, text in ${text}.`, ...lost, ...rows].join("\n"),
    );
  },
});
