// Documents of a job and their extracted text: its path, and whether it is unchanged since the extraction.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../../../core/hash.ts";
import { count } from "../../../../core/words.ts";
import { extractDocument } from "../../../../documents/extract.ts";
import { partsOf, type TextPart, textPage, textPath } from "../../../../documents/text-page.ts";
import type { DocumentText } from "../../../../documents/types.ts";
import { type FileOp, Refused, type Workspace } from "../../workspace/workspace.ts";
import { orRefused } from "../types.ts";

const recordSchema = z.strictObject({
  source: z.string(),
  sha256: z.string(),
  format: z.string(),
  /** SHA-256 of the page with the text. */
  text_sha256: z.string(),
  lost: z.array(z.string()),
});

export interface Extracted {
  /** Path of the document. */
  source: string;
  /** Path of its text. */
  text: string;
  format: string;
  sha256: string;
  parts: TextPart[];
  lost: string[];
}

/** The absolute path of a document. Throws `Refused`. */
export function documentFile(workspace: Workspace, path: string): { place: string; absolute: string } {
  const place = workspace.readable(path);
  const absolute = join(workspace.root, place);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isFile()) {
    throw new Refused(`There is no document ${path}. list_files("documents/") lists them.`);
  }
  return { place, absolute };
}

/** Extracts the text of a document. Throws `Refused` with the reason for an unreadable one. */
export async function extract(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<{ extracted: Extracted; document: DocumentText; ops: FileOp[] }> {
  const { place, absolute } = documentFile(workspace, path);
  if (place.startsWith("documents/text/")) throw new Refused(`${path} is already the text of a document.`);
  const document = await orRefused(extractDocument(absolute, { signal }));
  return { ...taken(place, readFileSync(absolute), document), document };
}

/** Files of an extracted document, and the operations that write them. */
export function taken(
  place: string,
  bytes: Uint8Array,
  document: DocumentText,
): { extracted: Extracted; ops: FileOp[] } {
  const page = textPage(document);
  const text = textPath(place);
  const hash = sha256(bytes);
  const { format, lost } = document;
  const record = { source: place, sha256: hash, format, text_sha256: sha256(page), lost };
  return {
    extracted: { source: place, text, format, sha256: hash, parts: partsOf(page), lost },
    ops: [
      { op: "write", path: text, text: page },
      { op: "write", path: recordPath(text), text: `${JSON.stringify(record)}\n` },
    ],
  };
}

/** The extracted text of a document, found by the path of the document or of its text. Throws `Refused` without
 * extracted text, and when document or text changed since: only the content of the document may be cited. */
export function extractedText(workspace: Workspace, path: string): Extracted {
  const place = workspace.readable(path);
  const text = place.startsWith("documents/text/") ? place : textPath(place);
  const read = recordSchema.safeParse(jsonOr(workspace.page(recordPath(text))));
  if (!read.success)
    throw new Refused(`The text of ${path} is not extracted yet: call extract_document_text first.`);
  const { source, sha256: hash, format, lost, text_sha256 } = read.data;
  const page = workspace.text(text);
  const { absolute } = documentFile(workspace, source);
  if (sha256(page) !== text_sha256 || sha256(readFileSync(absolute)) !== hash) {
    throw new Refused(`${source} or its text ${text} was changed: call extract_document_text again.`);
  }
  return { source, text, format, sha256: hash, parts: partsOf(page), lost };
}

/** Path of the record that links a text to its document. */
export function recordPath(text: string): string {
  return `.agent/${text.replace(/\.md$/, ".json")}`;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `12 pages`, `1 sheet`. */
export function partCount(parts: readonly unknown[], unit: string): string {
  return count(parts.length, unit);
}
