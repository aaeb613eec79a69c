// Parses PDF with unpdf, page by page, so that memory does not depend on the number of pages.
import { getDocumentProxy } from "unpdf";
import { MAX_PAGES, MAX_TEXT_CHARS } from "../limits.ts";
import { type DocumentText, Unreadable } from "../types.ts";
import { pageText, type TextItem } from "./pdf-layout.ts";

export async function parsePdf(bytes: Uint8Array): Promise<DocumentText> {
  const pdf = await openPdf(bytes);
  if (pdf.numPages > MAX_PAGES) {
    throw new Unreadable(`it has ${pdf.numPages} pages; the limit is ${MAX_PAGES}`);
  }
  const parts: DocumentText["parts"] = [];
  const empty: number[] = [];
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = pageText(items.filter((item): item is TextItem & typeof item => "str" in item));
    page.cleanup();
    chars += text.length;
    if (chars > MAX_TEXT_CHARS) {
      throw new Unreadable(`it has more than ${MAX_TEXT_CHARS} characters of text`);
    }
    if (text === "") empty.push(number);
    parts.push({ name: "", text });
  }
  const lost = empty.length === 0 ? [] : [`No text on ${pages(empty)}: empty, or only a picture of text.`];
  return { format: "pdf", unit: "page", parts, lost };
}

async function openPdf(bytes: Uint8Array): ReturnType<typeof getDocumentProxy> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0 });
  } catch (error) {
    if ((error as Error).name === "PasswordException") {
      throw new Unreadable("it is encrypted; save it without a password");
    }
    throw error;
  }
}

function pages(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 20).join(", ");
  const more = numbers.length > 20 ? ` and ${numbers.length - 20} more` : "";
  return `${numbers.length === 1 ? "page" : "pages"} ${shown}${more}`;
}
