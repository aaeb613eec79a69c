// HTML as Markdown: tables, lists and headings stay what they are.
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
  return { format: "html", unit: "page", parts: [{ name: "", text: htmlToMarkdown(html) }], lost: [] };
}

/** Throws `Unreadable` for more elements, or deeper ones, than the libraries can walk in time. */
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
    // Quotes are compared letter by letter: no escapes in the text.
    globalEscape: [/(?!)/, ""],
    lineStartEscape: [/(?!)/, ""],
  });
  return text.replace(/[ \t]+$/gm, "").trim();
}

/** What the library would lose: the blank of a line end beside an element, line breaks in cells, and the difference
 * between 10 to the third and 103. What it would add: marks of emphasis, which no quote of a person has. */
function prepare(root: HTMLElement): void {
  for (const mark of root.querySelectorAll("sup")) mark.insertAdjacentHTML("afterbegin", "^");
  for (const mark of root.querySelectorAll("td br, th br")) mark.replaceWith(" ");
  const open: HTMLElement[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of node.childNodes) {
      if (child instanceof TextNode) child.rawText = child.rawText.replace(/[ \t\r\n\f]+/g, " ");
      if (!(child instanceof HTMLElement) || VERBATIM.test(child.rawTagName)) continue;
      if (EMPHASIS.test(child.rawTagName)) child.tagName = "span";
      open.push(child);
    }
  }
}

const EMPHASIS = /^(?:b|strong|i|em|s|strike|del|code|kbd|samp|tt)$/i;
const VERBATIM = /^(?:pre|textarea|script|style)$/i;

/** Tags that need no end tag do not nest; they are not counted. */
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

/** Elements that need no end tag may nest all the same: the tree decides. */
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
