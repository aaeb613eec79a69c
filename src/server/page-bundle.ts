// Builds the files of the page from their sources: in a checkout when the server starts, for the executable at build
// time.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError } from "../core/errors.ts";

/** The files of the page by name. */
export type PageFiles = Readonly<Record<"index.html" | "app.js" | "app.css", string>>;

const SOURCES = join(import.meta.dirname, "page");

/** Throws kind `internal` when a source cannot be compiled. */
export async function bundlePage(): Promise<PageFiles> {
  const built = await Bun.build({
    entrypoints: [join(SOURCES, "main.tsx")],
    target: "browser",
    format: "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [script] = built.outputs;
  if (!built.success || script === undefined) {
    throw new AtomsmithError("internal", `the page cannot be bundled: ${built.logs.map(String).join("; ")}`);
  }
  return {
    "index.html": await readFile(join(SOURCES, "index.html"), "utf8"),
    "app.js": await script.text(),
    "app.css": await readFile(join(SOURCES, "app.css"), "utf8"),
  };
}
