// The text of a document as one file, `documents/text/NAME.md`, with a mark line before each page, sheet or slide.
import type { DocumentText, DocumentUnit } from "./types.ts";

const MARK = /^--- (page|sheet|slide) (\d+)(?:: (.*))? ---$/;

export interface TextPart {
  unit: DocumentUnit;
  /** From 1. */
  number: number;
  name: string;
  text: string;
}

/** Path of the text of a document, relative to the directory of its job. */
export function textPath(document: string): string {
  const name = document.replace(/^documents\//, "").replaceAll("/", "_");
  return `documents/text/${name}.md`;
}

/** Writes the text. A line of the document that looks like a mark is indented by a space. */
export function textPage({ unit, parts }: DocumentText): string {
  return parts
    .map(({ name, text }, at) => {
      const title = name.replace(/\s+/g, " ").trim();
      const lines = text.split("\n").map((line) => (MARK.test(line) ? ` ${line}` : line));
      return `--- ${unit} ${at + 1}${title === "" ? "" : `: ${title}`} ---\n${lines.join("\n").trimEnd()}\n`;
    })
    .join("\n");
}

/** Parses such a text into its parts; any other text is one page. */
export function partsOf(page: string): TextPart[] {
  const parts: { part: TextPart; lines: string[] }[] = [];
  for (const line of page.split("\n")) {
    const mark = MARK.exec(line);
    if (mark !== null) {
      const [, unit, number, name = ""] = mark;
      const part: TextPart = { unit: unit as DocumentUnit, number: Number(number), name, text: "" };
      parts.push({ part, lines: [] });
    } else if (parts.length === 0) {
      parts.push({ part: { unit: "page", number: 1, name: "", text: "" }, lines: [line] });
    } else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ part, lines }) => ({ ...part, text: lines.join("\n").trim() }));
}
