// The citations of a page: lines `[C1] CLAIM (SOURCE, PAGE: "QUOTE")`, as list_citations prints them. Each is compared
// with the stored citation and with the document.
import { type Citation, citationLine, normalizeQuote, quoteFault } from "../../../../documents/citations.ts";
import { withoutBlocks } from "../../../../spec/index.ts";
import { givenDocuments } from "../../items/given.ts";
import { Refused, type Workspace } from "../../workspace/workspace.ts";
import { extractedText } from "../documents/document.ts";
import { storedSource } from "../web/source.ts";

export interface Cited {
  id: string;
  /** Undefined when no citation has this id. */
  citation: Citation | undefined;
  /** Why it is invalid. */
  fault: string | undefined;
}

/** A citation starts a line, which may be part of a list or a comment. */
const MARK = /^[ \t]*(?:<!--[ \t]*|[-*+][ \t]+)?\[(C\d{1,6})\][ \t]/gm;

/** All citations of a page.
 * @param citations those of the job that wrote the page
 * @param workspace its folder */
export function citedIn(page: string, citations: readonly Citation[], workspace: Workspace): Cited[] {
  const text = withoutBlocks(page);
  const whole = normalizeQuote(text);
  const ids = [...new Set([...text.matchAll(MARK)].map((match) => match[1] ?? ""))];
  return ids.map((id): Cited => {
    const citation = citations.find((candidate) => candidate.id === id);
    if (citation === undefined) return { id, citation, fault: "the job has no such citation" };
    if (!whole.includes(normalizeQuote(citationLine(citation)))) {
      const fault = "the line differs from list_citations: copy it from there unchanged";
      return { id, citation, fault };
    }
    return { id, citation, fault: citationFault(citation, workspace) };
  });
}

/** Undefined when the quote occurs in a document of the job, or in a web page that it fetched; else the reason. */
export function citationFault(citation: Citation, workspace: Workspace): string | undefined {
  const { source, page, quote, sha256, kind } = citation;
  if (kind === "document" && givenDocuments(workspace)[source] !== sha256) {
    return `${source} is not a document of the job, or was changed since`;
  }
  try {
    const document =
      kind === "web" ? storedSource(source, workspace)?.extracted : extractedText(workspace, source);
    if (document === undefined)
      return `${source} was not fetched in this job: call fetch_web_page, then cite it again`;
    if (document.sha256 !== sha256) return `${source} was changed since it was cited`;
    if (kind === "document") return quoteFault(document.parts, page, quote);
    const text = document.parts.map((part) => part.text).join("\n");
    return quoteFault([{ unit: "page", number: 1, name: "", text }], 1, quote);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** One line per citation. */
export function citedLines(cited: readonly Cited[]): string[] {
  return cited.map(({ id, citation, fault }) => {
    const line = citation === undefined ? `[${id}]` : citationLine(citation);
    return `${line} ${fault === undefined ? "HOLDS" : `DOES NOT HOLD: ${fault}`}`;
  });
}
