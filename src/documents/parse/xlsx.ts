// Parses XLSX with read-excel-file: every sheet is a table, every row a line.
import readExcel from "read-excel-file/node";
import type { DocumentText } from "../types.ts";
import { table } from "./table.ts";
import { parseXml } from "./xml.ts";
import { readZip, rezip } from "./zip.ts";

export async function parseXlsx(bytes: Uint8Array): Promise<DocumentText> {
  const members = readZip(bytes);
  const workbook = members.get("xl/workbook.xml");
  if (workbook !== undefined) parseXml(workbook, "xl/workbook.xml");
  const sheets = await readExcel(Buffer.from(rezip(members)));
  const parts = sheets.map(({ sheet, data }) => ({ name: sheet, text: sheetText(data) }));
  const lost = [...members.keys()].some((name) => /^xl\/(?:charts|comments)/.test(name))
    ? ["Charts and comments are omitted."]
    : [];
  return { format: "xlsx", unit: "sheet", parts, lost };
}

/** The table of a sheet without empty rows and columns. */
function sheetText(rows: readonly (readonly unknown[])[]): string {
  const texts = rows.map((row) => row.map(cellText)).filter((row) => row.some((cell) => cell !== ""));
  const used = new Set(texts.flatMap((row) => row.flatMap((cell, at) => (cell === "" ? [] : [at]))));
  return table(texts.map((row) => row.filter((_, at) => used.has(at))));
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!(value instanceof Date)) return String(value);
  const iso = value.toISOString();
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 19).replace("T", " ");
}
