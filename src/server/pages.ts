// The page: three files, built before the server starts and compressed once. The executable embeds
// them; in a checkout they are bundled from their sources.
import { gunzipSync, gzipSync } from "node:zlib";
import { sha256 } from "../core/hash.ts";
import type { Extra } from "./http/app.ts";
import type { PageFiles } from "./page-bundle.ts";

const TYPES: Record<keyof PageFiles, string> = {
  "index.html": "text/html; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
};

/** The page's files, from the executable or from the sources. */
export async function loadPage(): Promise<PageFiles> {
  const embedded = (globalThis as { [key: symbol]: unknown })[Symbol.for("atomsmith.page")] as
    | PageFiles
    | undefined;
  if (embedded !== undefined) {
    const read = async (path: string): Promise<string> =>
      gunzipSync(await Bun.file(path).bytes()).toString("utf8");
    return {
      "index.html": await read(embedded["index.html"]),
      "app.js": await read(embedded["app.js"]),
      "app.css": await read(embedded["app.css"]),
    };
  }
  const { bundlePage } = await import("./page-bundle.ts");
  return bundlePage();
}

/** Routes of the page and its files. */
export function pageAnswers(files: PageFiles): Extra[] {
  return [
    answerOf("/", "index.html", files),
    answerOf("/app.js", "app.js", files),
    answerOf("/app.css", "app.css", files),
    { method: "GET", path: "/favicon.ico", open: true, handle: () => new Response(null, { status: 204 }) },
  ];
}

function answerOf(path: string, name: keyof PageFiles, files: PageFiles): Extra {
  const plain = Buffer.from(files[name]);
  const gzip = gzipSync(plain, { level: 9 });
  const etag = `"${sha256(plain).slice(0, 16)}"`;
  return {
    method: "GET",
    path,
    open: true,
    handle: (request) => {
      const headers = {
        "content-type": TYPES[name],
        etag,
        "cache-control": "no-cache",
        vary: "accept-encoding",
      };
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
      if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? ""))
        return new Response(plain, { headers });
      return new Response(gzip, { headers: { ...headers, "content-encoding": "gzip" } });
    },
  };
}
