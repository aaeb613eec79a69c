// Citations: a claim, its source, and a quote. The quote is verified before a citation is stored.
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import type { TextPart } from "./text-page.ts";

/** Shorter quotes occur nearly everywhere and prove nothing. */
const MIN_QUOTE = 8;
const MAX_QUOTE = 4000;

export const citationSchema = z.strictObject({
  /** `C1`, `C2`, … */
  id: z.string(),
  kind: z.enum(["document", "web"]),
  claim: z.string(),
  /** Path in the workspace, or address. */
  source: z.string(),
  /** Page, sheet or slide; 1 on the web. */
  page: z.int().min(1),
  quote: z.string(),
  /** SHA-256 of the source when the quote was verified. */
  sha256: z.string(),
});
export type Citation = z.infer<typeof citationSchema>;
const fileSchema = z.strictObject({ citations: z.array(citationSchema) });

/** Normalizes whitespace and case for comparison. */
export function normalizeQuote(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

/** Undefined if the page contains the quote; otherwise a message that helps to correct it. */
export function quoteFault(parts: readonly TextPart[], page: number, quote: string): string | undefined {
  const wanted = normalizeQuote(quote);
  if (wanted.length < MIN_QUOTE) return `A quote has at least ${MIN_QUOTE} characters.`;
  if (wanted.length > MAX_QUOTE) return `A quote has at most ${MAX_QUOTE} characters.`;
  const unit = parts[0]?.unit ?? "page";
  const part = parts.find(({ number }) => number === page);
  if (part !== undefined && normalizeQuote(part.text).includes(wanted)) return undefined;
  if (part === undefined) return `No ${unit} ${page}: the document has ${parts.length}.`;
  const elsewhere = parts
    .filter(({ text }) => normalizeQuote(text).includes(wanted))
    .map(({ number }) => number);
  if (elsewhere.length > 0) {
    return `The quote does not stand on ${unit} ${page}, but on ${unit} ${elsewhere.slice(0, 10).join(", ")}.`;
  }
  return `The quote does not stand on ${unit} ${page}. Copy it letter by letter from the text of the document.`;
}

/** Parses the stored citations; none for an empty text. Throws kind `store` for a damaged file. */
export function readCitations(json: string, where: string): Citation[] {
  if (json.trim() === "") return [];
  try {
    return fileSchema.parse(JSON.parse(json)).citations;
  } catch (error) {
    throw new AtomsmithError("store", `the citations in ${where} cannot be read`, {
      where,
      hint: "restore the file, or remove it and cite again",
      cause: error,
    });
  }
}

/** Adds a citation; an existing one keeps its id. Returns the new file and the id. */
export function addCitation(
  citations: readonly Citation[],
  added: Omit<Citation, "id">,
): { json: string; id: string } {
  const existing = citations.find(
    ({ source, page, claim, quote }) =>
      source === added.source &&
      page === added.page &&
      claim === added.claim &&
      normalizeQuote(quote) === normalizeQuote(added.quote),
  );
  const id = existing?.id ?? `C${citations.length + 1}`;
  const all = existing === undefined ? [...citations, { id, ...added }] : citations;
  return { json: `${JSON.stringify({ citations: all }, undefined, 2)}\n`, id };
}

/** A citation as one line. */
export function citationLine({ id, kind, claim, source, page, quote }: Citation): string {
  const place = kind === "web" ? source : `${source}, ${page}`;
  const [claimLine, quoteLine] = [claim, quote].map((text) => text.replace(/\s+/g, " ").trim());
  return `[${id}] ${claimLine} (${place}: "${quoteLine}")`;
}
