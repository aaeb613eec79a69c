// The text of a document of any format, as answered by the parser process.
import { z } from "zod";

const FORMATS = ["pdf", "docx", "xlsx", "pptx", "html", "markdown", "text"] as const;
export type DocumentFormat = (typeof FORMATS)[number];

/** The units of a document. */
const UNITS = ["page", "sheet", "slide"] as const;
export type DocumentUnit = (typeof UNITS)[number];

const partSchema = z.strictObject({
  /** Name of a sheet; empty otherwise. */
  name: z.string(),
  text: z.string(),
});

/** The text of a document. Part number n is its n-th page, sheet or slide, from 1. */
export const documentTextSchema = z.strictObject({
  format: z.enum(FORMATS),
  unit: z.enum(UNITS),
  parts: z.array(partSchema),
  /** What is missing from the text, one sentence each. */
  lost: z.array(z.string()),
});
export type DocumentText = z.infer<typeof documentTextSchema>;

/** The result of a parser process: the text, or the reason why there is none. */
export const parsedSchema = z.union([
  z.strictObject({ document: documentTextSchema }),
  z.strictObject({ error: z.string() }),
]);
export type Parsed = z.infer<typeof parsedSchema>;

/** The reason why a document cannot be read. Only inside the parser process. */
export class Unreadable extends Error {}
