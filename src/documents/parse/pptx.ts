// Parses PPTX: the slides in the order of the presentation, each with paragraphs, tables and notes.
import { posix } from "node:path";
import { type DocumentText, Unreadable } from "../types.ts";
import { table } from "./table.ts";
import { below, localName, parseXml, type XmlNode } from "./xml.ts";
import { readZip } from "./zip.ts";

const PRESENTATION = "ppt/presentation.xml";

export function parsePptx(bytes: Uint8Array): DocumentText {
  const members = readZip(bytes);
  const read = (name: string): XmlNode => {
    const member = members.get(name);
    if (member === undefined) throw new Unreadable(`it is damaged: the archive has no ${name}`);
    return parseXml(member, name);
  };
  const targets = relations(members, PRESENTATION);
  const parts: DocumentText["parts"] = [];
  for (const slide of below(read(PRESENTATION), "sldId")) {
    const id = Object.entries(slide.attributes).find(
      ([key]) => key.includes(":") && localName(key) === "id",
    )?.[1];
    const name = targets.find((relation) => relation.id === id)?.target;
    if (name === undefined) throw new Unreadable("it is damaged: a slide has no file");
    const notes = relations(members, name).find(({ type }) => type.endsWith("/notesSlide"));
    const notesText =
      notes === undefined
        ? ""
        : bodyText(read(notes.target), new Set(["sldNum", "sldImg", "dt", "ftr", "hdr"]));
    const text = bodyText(read(name), new Set(["sldNum"]));
    parts.push({ name: "", text: notesText === "" ? text : `${text}\n\nNotes:\n\n${notesText}` });
  }
  const hasCharts = [...members.keys()].some((name) => /^ppt\/(?:charts|diagrams)\//.test(name));
  return {
    format: "pptx",
    unit: "slide",
    parts,
    lost: hasCharts ? ["Charts and diagrams are omitted."] : [],
  };
}

interface Relation {
  id: string;
  type: string;
  target: string;
}

function relations(members: ReadonlyMap<string, Uint8Array>, name: string): Relation[] {
  const file = posix.join(posix.dirname(name), "_rels", `${posix.basename(name)}.rels`);
  const member = members.get(file);
  if (member === undefined) return [];
  return [...below(parseXml(member, file), "Relationship")].map(({ attributes }) => {
    const target = attributes["Target"] ?? "";
    const path = target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(name), target);
    return { id: attributes["Id"] ?? "", type: attributes["Type"] ?? "", target: path };
  });
}

/** Shapes and tables in the order of the file, which is the reading order. */
function bodyText(root: XmlNode, skipped: ReadonlySet<string>): string {
  const blocks: string[] = [];
  for (const block of below(root, "sp", "tbl")) {
    if (block.name === "tbl") {
      const rows = [...below(block, "tr")].map((row) =>
        [...below(row, "tc")].map((cell) => shapeText(cell, " ")),
      );
      blocks.push(table(rows));
    } else if (![...below(block, "ph")].some(({ attributes }) => skipped.has(attributes["type"] ?? ""))) {
      blocks.push(shapeText(block, "\n"));
    }
  }
  return blocks.filter((block) => block.trim() !== "").join("\n\n");
}

function shapeText(shape: XmlNode, between: string): string {
  return [...below(shape, "p")]
    .map(paragraphText)
    .filter((text) => text !== "")
    .join(between);
}

function paragraphText(paragraph: XmlNode): string {
  return [...below(paragraph, "t", "br", "tab")]
    .map(({ name, text }) => (name === "t" ? text : name === "br" ? "\n" : "\t"))
    .join("")
    .trim();
}
