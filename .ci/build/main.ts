// Builds dist/atomsmith: one executable with Bun, the program and, compressed, the Node runtime, isolated-vm and the
// child program of the sandbox. Compressed parts are cached in node_modules/.cache, so that a rebuild is fast.
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { bundleChild } from "../../sandbox/runtime/bundle.ts";
import { filterX86 } from "../../sandbox/runtime/x86-filter.ts";
import { sha256 } from "../../src/core/hash.ts";
import { tokenRanks } from "../../src/loops/agent/context/token-ranks.ts";
import { bundlePage } from "../../src/server/page-bundle.ts";
import { stripElf } from "./elf.ts";
import { packageFile } from "./packages.ts";
import { bundleScripts } from "./scripts.ts";
import { slimNode } from "./slim-node.ts";
import { hostTarget, TARGETS, type Target } from "./targets.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/atomsmith");
/** A trade-off between build time and the size limit; the numbers are in docs/measurements/sandbox.md. */
const ZSTD_LEVEL = 11;
const ZSTD_WINDOW_LOG = 27;
const MAX_BYTES = 150 * 1000 * 1000;

interface Part {
  name: string;
  sha256: string;
  bytes: number;
  filter: "x86" | "none";
  compressed: string;
}

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    outfile: { type: "string" },
    /** Include source maps, to read stack traces of internal errors; adds 4 MB, which exceeds the limit. */
    maps: { type: "boolean", default: false },
  },
  allowPositionals: false,
});
const name = values.target ?? hostTarget();
const target = TARGETS[name];
if (target === undefined) {
  process.stderr.write(`No target ${name}. Targets: ${Object.keys(TARGETS).join(", ")}\n`);
  process.exit(2);
}
/** Byte code crashes on other systems than the one it was built on (oven-sh/bun issue 18416). */
const host = name === hostTarget();
const outfile =
  values.outfile ?? join(root, "dist", `${host ? "atomsmith" : `atomsmith-${name}`}${target.suffix}`);
await build(name, target, outfile);

async function build(targetName: string, of: Target, out: string): Promise<void> {
  const started = performance.now();
  const node = await Bun.file(packageFile(of.node.package, of.node.file)).bytes();
  const addon = await Bun.file(packageFile("isolated-vm", of.addon)).bytes();
  const parts = [
    part("node", slimNode(node), targetName.endsWith("-x64") ? "x86" : "none"),
    part("isolated_vm.node", stripElf(addon), "none"),
    part("child.cjs", new TextEncoder().encode(await bundleChild()), "none"),
  ];
  const work = join(cache, `build-${targetName}`);
  mkdirSync(work, { recursive: true });
  const ranks = join(work, "token-ranks.zst");
  writeFileSync(ranks, zstdCompressSync(JSON.stringify(await tokenRanks())));
  const scripts = (await bundleScripts()).map(([script, text]) =>
    part(script, new TextEncoder().encode(text), "none"),
  );
  writeFileSync(join(work, "runtime.ts"), runtimeModule(parts, scripts, await pageFiles(work), ranks));
  writeFileSync(join(work, "entry.ts"), entryModule());
  mkdirSync(dirname(out), { recursive: true });
  const bun = packageFile(of.bun.package, of.bun.file);
  // The bundler may write source maps beside the executable; only the executable is kept.
  const folder = `${out}.${process.pid}.tmp`;
  const temporary = join(folder, `atomsmith${of.suffix}`);
  mkdirSync(folder, { recursive: true });
  const built = Bun.spawnSync(
    [
      process.execPath,
      "build",
      "--compile",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      ...(values.maps ? ["--sourcemap"] : []),
      // Saves 2.2 MB. No code depends on the name of a function or class.
      "--minify-whitespace",
      "--minify-syntax",
      "--minify-identifiers",
      // Commands load lazily as pre-parsed chunks (adds 8 MB); the times are in docs/cli.md.
      "--splitting",
      ...(host ? ["--bytecode", "--format=esm"] : []),
      `--target=${of.bunTarget}`,
      `--compile-executable-path=${bun}`,
      `--outfile=${temporary}`,
      join(work, "entry.ts"),
    ],
    // "production": selects the builds of packages without assertions and debug output.
    { cwd: work, stdout: "pipe", stderr: "inherit", env: { ...process.env, NODE_ENV: "production" } },
  );
  if (built.exitCode !== 0 || !existsSync(temporary)) {
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`${built.stdout.toString()}\nbun build failed for ${targetName}\n`);
    process.exit(1);
  }
  renameSync(temporary, out);
  rmSync(folder, { recursive: true, force: true });
  const { size } = statSync(out);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stderr.write(`${out}: ${(size / 1e6).toFixed(1)} MB for ${targetName}, ${seconds} s\n`);
  if (size > MAX_BYTES && host && !values.maps) {
    process.stderr.write(`The executable is larger than ${MAX_BYTES / 1e6} MB.\n`);
    process.exit(1);
  }
}

/** Compresses bytes, or uses the result of an earlier build. */
function part(partName: string, bytes: Uint8Array, filter: Part["filter"]): Part {
  const hash = sha256(bytes);
  const compressed = join(cache, "compressed", `${hash}-${ZSTD_LEVEL}-${filter}.zst`);
  if (!existsSync(compressed)) {
    mkdirSync(dirname(compressed), { recursive: true });
    const temporary = `${compressed}.${process.pid}`;
    writeFileSync(temporary, compress(bytes, filter));
    renameSync(temporary, compressed);
  }
  return { name: partName, sha256: hash, bytes: bytes.byteLength, filter, compressed };
}

function compress(bytes: Uint8Array, filter: Part["filter"]): Uint8Array {
  const input = bytes.slice();
  if (filter === "x86") filterX86(input, "encode");
  return zstdCompressSync(input, {
    params: {
      [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_windowLog]: ZSTD_WINDOW_LOG,
    },
  });
}

/** Writes the files of the page beside the entry; returns their paths by name. */
async function pageFiles(work: string): Promise<[string, string][]> {
  return Object.entries(await bundlePage()).map(([file, text]) => {
    const path = join(work, `${file}.gz`);
    writeFileSync(path, gzipSync(text, { level: 9 }));
    return [file, path];
  });
}

/** The module that registers the embedded parts before the program is loaded. */
function runtimeModule(parts: Part[], scripts: Part[], page: [string, string][], ranks: string): string {
  const imports = parts.map(
    (p, i) => `import file${i} from ${JSON.stringify(p.compressed)} with { type: "file" };`,
  );
  const entries = parts.map((p, i) => {
    const { name: file, sha256: hash, bytes, filter } = p;
    return `${JSON.stringify({ name: file, sha256: hash, bytes, filter }).slice(0, -1)}, "path": file${i}}`;
  });
  const files = page.map(([file], i) => `${JSON.stringify(file)}: page${i}`);
  return [
    ...imports,
    ...page.map(([, path], i) => `import page${i} from ${JSON.stringify(path)} with { type: "file" };`),
    `import ranks from ${JSON.stringify(ranks)} with { type: "file" };`,
    `globalThis[Symbol.for("atomsmith.token-ranks")] = ranks;`,
    `globalThis[Symbol.for("atomsmith.page")] = { ${files.join(", ")} };`,
    ...scripts.map((p, i) => `import script${i} from ${JSON.stringify(p.compressed)} with { type: "file" };`),
    `globalThis[Symbol.for("atomsmith.scripts")] = { ${scripts.map((p, i) => `${p.name}: script${i}`).join(", ")} };`,
    `globalThis[Symbol.for("atomsmith.runtime")] = { files: [${entries.join(", ")}] };`,
    "",
  ].join("\n");
}

function entryModule(): string {
  const main = JSON.stringify(join(root, "src/main.ts"));
  const jail = JSON.stringify(join(root, "sandbox/jail/entry.ts"));
  return `import ${jail};\nimport "./runtime.ts";\nimport ${main};\n`;
}
