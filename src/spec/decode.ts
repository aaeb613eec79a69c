// Decodes the bytes of a page: UTF-8, UTF-16 with byte order mark, otherwise Latin-1 with a warning.
import { decodeWhole, sniffBom } from "../logio/index.ts";
import type { SpecFinding } from "./finding.ts";

/** Maximum size of a page. Pages are written by hand; a larger file is not one. */
export const MAX_PAGE_BYTES = 4 * 2 ** 20;

export type DecodedPage =
  | { ok: true; text: string; warnings: SpecFinding[] }
  | { ok: false; message: string };

/** The text with LF line ends and without byte order mark. */
export function decodePage(bytes: Uint8Array): DecodedPage {
  if (bytes.byteLength > MAX_PAGE_BYTES) {
    return {
      ok: false,
      message: `The page has ${bytes.byteLength} bytes; at most ${MAX_PAGE_BYTES} are read.`,
    };
  }
  const bom = sniffBom(bytes);
  const body = bytes.subarray(bom?.length ?? 0);
  const warnings: SpecFinding[] = [];
  let text: string;
  if (bom?.encoding === "utf-16le" || bom?.encoding === "utf-16be") {
    text = new TextDecoder(bom.encoding).decode(body);
  } else {
    const { decoded, encoding } = decodeWhole(body);
    text = decoded;
    if (encoding === "latin-1") {
      const message =
        "The page is not valid UTF-8 and was read as Latin-1; letters may be wrong. Save it as UTF-8.";
      warnings.push({ severity: "warning", code: "encoding", message });
    }
  }
  if (text.includes("\0")) return { ok: false, message: "The file is not text: it has NUL bytes." };
  return { ok: true, text: text.replace(/\r\n?/g, "\n"), warnings };
}
