// DOCX by mammoth, by way of HTML. It has pages only where the author set breaks: the others are made by the program
// that shows it.
import mammoth from "mammoth";
import { type DocumentText, Unreadable } from "../types.ts";
import { htmlToMarkdown } from "./html.ts";
import { parseXml } from "./xml.ts";
import { readZip, rezip } from "./zip.ts";

const PAGE_BREAK = /<hr\s*\/?>/;

export async function parseDocx(bytes: Uint8Array): Promise<DocumentText> {
  const members = readZip(bytes);
  const body = members.get("word/document.xml");
  if (body === undefined) throw new Unreadable("it is damaged: the archive has no word/document.xml");
  parseXml(body, "word/document.xml");
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(rezip(members)) },
    {
      styleMap: ["br[type='page'] => hr"],
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    },
  );
  const parts = value.split(PAGE_BREAK).map((html) => ({ name: "", text: htmlToMarkdown(html) }));
  const headers = [...members.keys()].some((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name));
  return {
    format: "docx",
    unit: "page",
    parts,
    lost: headers ? ["Headers and footers of pages are left out."] : [],
  };
}
