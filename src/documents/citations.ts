// Citations: a claim, where it is said, and the words that say it. The words are looked up before a citation is stored.
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import type { TextPart } from "./text-page.ts";

/** Shorter quotes are found nearly everywhere and prove nothing. */
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
  /** SHA-256 of the source as it was when the quote was looked up. */
  sha256: z.string(),
});
export type Citation = z.infer<typeof citationSchema>;
const fileSchema = z.strictObject({ citations: z.array(citationSchema) });

/** Blanks as one, without case: what two texts are compared by. */
export function normalQuote(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

/** Undefined if the page contains the quote; otherwise the reason, in a sentence that helps to correct it. */
export function quoteFault(parts: readonly TextPart[], page: number, quote: string): string | undefined {
  const wanted = normalQuote(quote);
  if (wanted.length < MIN_QUOTE) return `A quote has at least ${MIN_QUOTE} characters.`;
  if (wanted.length > MAX_QUOTE) return `A quote has at most ${MAX_QUOTE} characters.`;
  const unit = parts[0]?.unit ?? "page";
  const part = parts.find(({ number }) => number === page);
  if (part !== undefined && normalQuote(part.text).includes(wanted)) return undefined;
  if (part === undefined) return `No ${unit} ${page}: the document has ${parts.length}.`;
  const elsewhere = parts
    .filter(({ text }) => normalQuote(text).includes(wanted))
    .map(({ number }) => number);
  if (elsewhere.length > 0) {
    return `The quote does not stand on ${unit} ${page}, but on ${unit} ${elsewhere.slice(0, 10).join(", ")}.`;
  }
  return `The quote does not stand on ${unit} ${page}. Copy it letter by letter from the text of the document.`;
}

/** The stored citations; none for an empty text. Throws kind `store` for a file that is damaged. */
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

/** Adds a citation; the same one again keeps its id. Returns the new file and the id. */
export function addCitation(
  citations: readonly Citation[],
  added: Omit<Citation, "id">,
): { json: string; id: string } {
  const same = citations.find(
    (one) =>
      one.source === added.source &&
      one.page === added.page &&
      one.claim === added.claim &&
      normalQuote(one.quote) === normalQuote(added.quote),
  );
  const id = same?.id ?? `C${citations.length + 1}`;
  const all = same === undefined ? [...citations, { id, ...added }] : citations;
  return { json: `${JSON.stringify({ citations: all }, undefined, 2)}\n`, id };
}

/** A citation as one line. */
export function citationLine({ id, kind, claim, source, page, quote }: Citation): string {
  const place = kind === "web" ? source : `${source}, ${page}`;
  const [one, two] = [claim, quote].map((text) => text.replace(/\s+/g, " ").trim());
  return `[${id}] ${one} (${place}: "${two}")`;
}
