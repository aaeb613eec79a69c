// Converts HTML to Markdown, keeping tables, lists and headings.
import { NodeHtmlMarkdown } from "node-html-markdown";
import { HTMLElement, parse, TextNode } from "node-html-parser";
import { MAX_DEPTH } from "../limits.ts";
import { type DocumentText, Unreadable } from "../types.ts";
import { decodeText } from "./plain.ts";

const MAX_TAGS = 500_000;
const DECLARED = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})/i;

export function parseHtml(bytes: Uint8Array): DocumentText {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString(
    "latin1",
  );
  const html = decodeText(bytes, DECLARED.exec(head)?.[1]);
  const lost = /<a\s[^>]*href/i.test(html) ? ["Addresses of links are omitted."] : [];
  return { format: "html", unit: "page", parts: [{ name: "", text: htmlToMarkdown(html) }], lost };
}

/** Converts HTML to Markdown. Throws `Unreadable` for more or deeper elements than the libraries can process in time. */
export function htmlToMarkdown(html: string): string {
  checkTags(html);
  const root = parse(html);
  checkDepth(root);
  prepare(root);
  const text = NodeHtmlMarkdown.translate(root.toString(), {
    ignore: ["script", "style", "noscript", "template", "svg", "head"],
    keepDataImages: false,
    bulletMarker: "-",
    textReplace: [],
    // No escapes, since quotes are compared with the text exactly.
    globalEscape: [/(?!)/, ""],
    lineStartEscape: [/(?!)/, ""],
  });
  return text.replace(/[ \t]+$/gm, "").trim();
}

/** Preserves what the library would lose: whitespace at line ends next to elements, line breaks in cells, and superscripts
 * (10^3). Removes what it would add: emphasis marks and link addresses, which quotes do not contain. */
function prepare(root: HTMLElement): void {
  for (const element of root.querySelectorAll("sup")) element.insertAdjacentHTML("afterbegin", "^");
  for (const element of root.querySelectorAll("td br, th br")) element.replaceWith(" ");
  for (const inner of root.querySelectorAll("td p, td div, td li, td td, td th, th p, th div"))
    inner.insertAdjacentHTML("beforeend", " ");
  const open: HTMLElement[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of node.childNodes) {
      if (child instanceof TextNode) child.rawText = child.rawText.replace(/[ \t\r\n\f]+/g, " ");
      if (!(child instanceof HTMLElement) || VERBATIM.test(child.rawTagName)) continue;
      if (MARKED.test(child.rawTagName)) child.tagName = "span";
      open.push(child);
    }
  }
}

const MARKED = /^(?:a|b|strong|i|em|s|strike|del|code|kbd|samp|tt)$/i;
const VERBATIM = /^(?:pre|textarea|script|style)$/i;

/** Tags without a required end tag; they are not counted, because they usually do not nest. */
const FLAT =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option)$/i;

function checkTags(html: string): void {
  let depth = 0;
  let tags = 0;
  for (const [, close, name = ""] of html.matchAll(/<(\/?)([A-Za-z][A-Za-z0-9-]*)/g)) {
    tags += 1;
    if (FLAT.test(name)) continue;
    depth = Math.max(0, depth + (close === "/" ? -1 : 1));
    if (depth > MAX_DEPTH) throw tooDeep();
  }
  if (tags > MAX_TAGS) throw new Unreadable(`it has more than ${MAX_TAGS} tags`);
}

/** Checks the actual depth of the tree: elements without an end tag may nest too. */
function checkDepth(root: HTMLElement): void {
  let level: HTMLElement[] = [root];
  for (let at = 0; level.length > 0; at++) {
    if (at > MAX_DEPTH) throw tooDeep();
    level = level.flatMap((node) => node.childNodes.filter((child) => child instanceof HTMLElement));
  }
}

function tooDeep(): Unreadable {
  return new Unreadable(`its elements are nested deeper than ${MAX_DEPTH}`);
}
