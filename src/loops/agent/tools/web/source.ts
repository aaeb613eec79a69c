// Pages of the web as sources of a job: the page as it was fetched, its text as of any document, and a record that
// names both by the address.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../../../core/hash.ts";
import { extractDocument } from "../../../../documents/extract.ts";
import { decodeText } from "../../../../documents/parse/plain.ts";
import { Unreadable } from "../../../../documents/types.ts";
import type { FetchedPage } from "../../../../web/fetch-page.ts";
import { type FileOp, Refused, type Workspace } from "../../workspace/workspace.ts";
import { type Extracted, extractedText, taken } from "../documents/document.ts";
import { orRefused, type ToolContext } from "../types.ts";

const recordSchema = z.strictObject({
  /** Requested address, and address after redirects. */
  url: z.string(),
  found_at: z.string(),
  fetched_at: z.string(),
  /** Path of the page and hash of its fetched content; a copy changed by the model is not a source. */
  path: z.string(),
  sha256: z.string(),
});

export interface WebSource {
  foundAt: string;
  extracted: Extracted;
  /** Operations that write the source; empty if it is already stored. */
  ops: FileOp[];
}

type Context = Pick<ToolContext, "workspace" | "web" | "signal" | "now">;

/** Fetches a page and extracts its text. Throws `Refused`. */
export async function fetchedSource(
  url: string,
  { workspace, web, signal, now }: Context,
): Promise<WebSource> {
  const page = await orRefused(web.fetch(url, signal));
  const place = workspace.writable(placeOf(url, page));
  const text = textOf(page);
  const { extracted, ops } = taken(place, Buffer.from(text), await parsed(place, text, signal));
  const record = {
    url,
    found_at: page.url,
    fetched_at: now().toISOString(),
    path: place,
    sha256: extracted.sha256,
  };
  return {
    foundAt: page.url,
    extracted,
    ops: [
      { op: "write", path: place, text },
      ...ops,
      { op: "write", path: recordPath(url), text: `${JSON.stringify(record)}\n` },
    ],
  };
}

/** The source of an address that was fetched before. Throws `Refused` when its files were changed since. */
export function storedSource(url: string, workspace: Workspace): WebSource | undefined {
  const text = workspace.page(recordPath(url));
  if (text === "") return undefined;
  const { found_at, path, sha256: fetched } = recordSchema.parse(JSON.parse(text));
  const extracted = extractedText(workspace, path);
  if (extracted.sha256 !== fetched)
    throw new Refused(`${path} was changed since it was fetched: call fetch_web_page again.`);
  return { foundAt: found_at, extracted, ops: [] };
}

function recordPath(url: string): string {
  return `.agent/web/${sha256(normal(url)).slice(0, 24)}.json`;
}

/** Canonical form of an address, so that two spellings are one source. */
function normal(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/#.*$/, "") : url;
}

const ENDINGS: Readonly<Record<string, string>> = { "text/plain": ".txt", "text/markdown": ".md" };

function placeOf(url: string, { type }: FetchedPage): string {
  const { host, pathname } = new URL(url);
  const name = `${host}${pathname}`
    .replace(/[^A-Za-z0-9.-]+/g, "_")
    .replace(/^[_.]+|[_.]+$/g, "")
    .slice(0, 80);
  return `documents/sources/${name}_${sha256(normal(url)).slice(0, 8)}${ENDINGS[type] ?? ".html"}`;
}

function textOf({ bytes, charset, url }: FetchedPage): string {
  try {
    return decodeText(bytes, charset);
  } catch (error) {
    if (error instanceof Unreadable) throw new Refused(`${url}: ${error.message}.`);
    throw error;
  }
}

/** Extracts the text in the parser process, like that of documents: a page is untrusted input. */
async function parsed(place: string, text: string, signal: AbortSignal): ReturnType<typeof extractDocument> {
  const folder = mkdtempSync(join(tmpdir(), "atomsmith-page-"));
  try {
    const file = join(folder, `page${extname(place)}`);
    writeFileSync(file, text);
    return await orRefused(extractDocument(file, { signal }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
