// Parses DOCX with mammoth, via HTML. Only explicit page breaks separate pages; others are made by the program that renders
// the document.
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
  const { xml, equations } = convertUnsupported(new TextDecoder().decode(body));
  members.set("word/document.xml", new TextEncoder().encode(xml));
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
    lost: [
      ...(headers ? ["Headers and footers are omitted."] : []),
      ...(equations ? ["Equations are given as their symbols in order, without fractions and powers."] : []),
    ],
  };
}

/** Converts elements that the library ignores: positional tabs, as in a table of contents, and equations. */
function convertUnsupported(body: string): { xml: string; equations: boolean } {
  let equations = false;
  const xml = body
    .replace(/<w:ptab\b[^>]*>/g, "<w:tab/>")
    .replace(/<\/?m:oMathPara\b[^>]*>/g, "")
    .replace(/<m:oMath\b[^>]*>([\s\S]*?)<\/m:oMath>/g, (_, inner: string) => {
      equations = true;
      const signs = [...inner.matchAll(/<m:t\b[^>]*>([^<]*)<\/m:t>/g)].map(([, text]) => text);
      return `<w:r><w:t xml:space="preserve">${signs.join(" ")}</w:t></w:r>`;
    });
  return { xml, equations };
}
