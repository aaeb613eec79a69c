// The program as a separate process: the built executable when ATOMSMITH_BIN names it, as in `npm test`, else the
// sources, so that `bun test` needs no build. The executable starts much faster.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { executable } from "./executable.ts";

/** The program from its sources, for tests that preload another module. */
export const SOURCES = [process.execPath, join(import.meta.dirname, "../../src/main.ts")];

/** First words of a command line of the program. */
export const PROGRAM: readonly string[] = process.env["ATOMSMITH_BIN"] ? [executable()] : SOURCES;

/**
 * A script of the tests in one file, for tests that start it many times: a process loads it in a third of the time that the
 * sources take. Folders named in the sources stay those of the sources. The file is removed with the test process.
 */
export async function bundled(script: string): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), "atomsmith-script-"));
  process.on("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const { outputs } = await Bun.build({
    entrypoints: [script],
    target: "bun",
    outdir,
    plugins: [{ name: "folders of the sources", setup: keepFolders }],
  });
  const [entry] = outputs.filter(({ kind }) => kind === "entry-point");
  if (entry === undefined) throw new Error(`${script}: nothing was built`);
  return entry.path;
}

function keepFolders(build: Bun.PluginBuilder): void {
  build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
    if (path.includes("node_modules")) return undefined;
    const folder = JSON.stringify(dirname(path));
    const contents = readFileSync(path, "utf8").replace(/\bimport\.meta\.dir(name)?\b/g, folder);
    return { contents, loader: "ts" };
  });
}
