// Reads one document and prints its text. Runs in a separate process, which a document may crash; the parser libraries are
// loaded only here.
import { readFileSync, writeSync } from "node:fs";
import { extname } from "node:path";
import { MAX_TEXT_CHARS } from "../limits.ts";
import { type DocumentFormat, type DocumentText, type Parsed, Unreadable } from "../types.ts";
import { sniffFormat } from "./format.ts";
import { parsePlain } from "./plain.ts";

type Parser = (bytes: Uint8Array) => DocumentText | Promise<DocumentText>;

/** Only the libraries of one format are loaded. */
const PARSERS: Record<DocumentFormat, Parser> = {
  pdf: async (bytes) => (await import("./pdf.ts")).parsePdf(bytes),
  docx: async (bytes) => (await import("./docx.ts")).parseDocx(bytes),
  xlsx: async (bytes) => (await import("./xlsx.ts")).parseXlsx(bytes),
  pptx: async (bytes) => (await import("./pptx.ts")).parsePptx(bytes),
  html: async (bytes) => (await import("./html.ts")).parseHtml(bytes),
  markdown: (bytes) => parsePlain(bytes, "markdown"),
  text: (bytes) => parsePlain(bytes, "text"),
};

/** Prints a `Parsed`. */
export async function main(path: string): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(await parseFile(path)));
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

async function parseFile(path: string): Promise<Parsed> {
  try {
    const bytes = new Uint8Array(readFileSync(path));
    const document = await PARSERS[sniffFormat(bytes, extname(path))](bytes);
    const chars = document.parts.reduce((sum, part) => sum + part.text.length, 0);
    if (chars > MAX_TEXT_CHARS) {
      throw new Unreadable(`it has ${chars} characters of text; the limit is ${MAX_TEXT_CHARS}`);
    }
    return { document };
  } catch (error) {
    if (error instanceof Unreadable) return { error: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { error: `it is damaged: ${reason.replace(/\s+/g, " ").slice(0, 200)}` };
  }
}
