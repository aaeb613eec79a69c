// A real Chromium from an npm package, unpacked once into node_modules/.cache. The libraries that a bare Debian lacks
// are in the package, and so are the fonts.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

const root = join(import.meta.dirname, "../..");
const packed = join(root, "node_modules/@sparticuz/chromium/bin");
const cache = join(root, "node_modules/.cache/atomsmith/chromium-153");

async function unpack(): Promise<string> {
  if (existsSync(join(cache, "ready"))) return cache;
  const folder = `${cache}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const plain = async (name: string): Promise<Uint8Array> =>
    brotliDecompressSync(await Bun.file(join(packed, name)).bytes());
  writeFileSync(join(folder, "chromium"), await plain("chromium.br"), { mode: 0o755 });
  for (const name of ["al2023.tar.br", "swiftshader.tar.br", "fonts.tar.br"]) {
    if (!existsSync(join(packed, name))) continue;
    const into = join(folder, name.replace(".tar.br", ""));
    mkdirSync(into, { recursive: true });
    const tar = Bun.spawnSync(["tar", "-x", "-C", into], { stdin: await plain(name) });
    if (tar.exitCode !== 0) throw new Error(`${name} cannot be unpacked: ${tar.stderr.toString()}`);
  }
  const fonts = [...new Bun.Glob("**/*.ttf").scanSync({ cwd: folder })].map((path) =>
    join(cache, dirname(path)),
  );
  // The configuration in the package names a fixed folder; elsewhere text would have no height.
  const conf = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${[...new Set(fonts)]
    .map((path) => `<dir>${path}</dir>`)
    .join("")}<cachedir>${join(cache, "fontconfig")}</cachedir></fontconfig>`;
  writeFileSync(join(folder, "fonts.conf"), conf);
  writeFileSync(join(folder, "ready"), "");
  try {
    renameSync(folder, cache);
  } catch (error) {
    // Another test unpacked it first: its folder may be in use already.
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(join(cache, "ready"))) throw error;
  }
  return cache;
}

/** Starts Chromium; the caller closes it. */
export async function startChromium(): Promise<Browser> {
  const folder = await unpack();
  const libraries = [
    ...new Set([...new Bun.Glob("al2023/**/*.so*").scanSync({ cwd: folder })].map(dirname)),
  ].map((path) => join(folder, path));
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args: ["--headless=shell", "--disable-gpu", "--no-zygote"],
    chromiumSandbox: process.getuid?.() !== 0,
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
      LD_LIBRARY_PATH: [...libraries, process.env["LD_LIBRARY_PATH"] ?? ""].join(":"),
    } as Record<string, string>,
  });
}
