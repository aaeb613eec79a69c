// Every text that comes from a log, a spec or an atom goes through here on its way into a report.

/** Control characters as visible pictures, bidirectional overrides and lone surrogates as marks: nothing in a
 * log can colour a terminal, reorder a line or end a document. Tabs and line ends stay. */
export function visible(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/\u007f/g, "\u2421")
    .replace(/[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, mark)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

function mark(char: string): string {
  return `\u27e8U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** For HTML text and quoted attributes; pages use the template `html` (html.ts). */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (c) => ENTITIES[c] ?? c);
}

/** For XML 1.0 text. */
export function xml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

/** For XML attributes: line ends and tabs would be turned into spaces by a parser. */
export function xmlAttribute(text: string): string {
  return xml(text).replace(/\n/g, "&#10;").replace(/\t/g, "&#9;");
}

/** One line of text: for terminals, tables and log files. */
export function oneLine(text: string): string {
  return visible(text).replace(/\n/g, "\u240a").replace(/\t/g, " ");
}
