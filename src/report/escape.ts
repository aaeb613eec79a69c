// Escaping of text from logs, specs and atoms for reports.

/** Replaces control characters with control pictures, and bidirectional overrides and lone surrogates with marks, so that
 * text from a log cannot color a terminal, reorder a line or end a document. Keeps tabs and line ends. */
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

/** Escapes for HTML text and quoted attributes; pages use the template `html` (html.ts). */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (c) => ENTITIES[c] ?? c);
}

/** Escapes for XML 1.0 text. */
export function xml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

/** Escapes for XML attributes: a parser would normalize line ends and tabs to spaces. */
export function xmlAttribute(text: string): string {
  return xml(text).replace(/\n/g, "&#10;").replace(/\t/g, "&#9;");
}

/** Converts a text to one line, for terminals, tables and log files. */
export function oneLine(text: string): string {
  return visible(text).replace(/\n/g, "\u240a").replace(/\t/g, " ");
}
