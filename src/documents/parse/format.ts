// Detects the format of a file by its content, and of text files by their name.
import type { DocumentFormat } from "../types.ts";
import { Unreadable } from "../types.ts";

const PDF_WITHIN = 1024;

/** The format of a file. Throws `Unreadable` for an unsupported one. */
export function sniffFormat(bytes: Uint8Array, extension: string): DocumentFormat {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64 * 1024));
  if (head.subarray(0, PDF_WITHIN).includes("%PDF-")) return "pdf";
  if (head.subarray(0, 8).equals(Buffer.from("d0cf11e0a1b11ae1", "hex"))) throw oldOffice(bytes);
  if (head.subarray(0, 2).equals(Buffer.from("PK"))) return officeFormat(bytes);
  const suffix = extension.toLowerCase();
  if (suffix === ".html" || suffix === ".htm" || suffix === ".xhtml") return "html";
  if (suffix === ".md" || suffix === ".markdown") return "markdown";
  if (/^\s*<(?:!doctype html|html)\b/i.test(head.toString("latin1"))) return "html";
  return "text";
}

function officeFormat(bytes: Uint8Array): DocumentFormat {
  // The directory at the end of a zip names its members uncompressed.
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (all.includes("word/document")) return "docx";
  if (all.includes("xl/workbook")) return "xlsx";
  if (all.includes("ppt/presentation")) return "pptx";
  throw new Unreadable("it is an archive, but not DOCX, XLSX or PPTX");
}

/** A compound file: an encrypted office file, or a binary format from before 2007. */
function oldOffice(bytes: Uint8Array): Unreadable {
  const encrypted = Buffer.from("EncryptedPackage", "utf16le");
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(encrypted)) {
    return new Unreadable("it is encrypted; save it without a password");
  }
  return new Unreadable("it has a binary Office format from before 2007; save it as DOCX, XLSX or PPTX");
}
