// Locates files of npm packages pinned in package-lock.json: in node_modules if installed, else fetched with `npm pack`
// and verified against the integrity of the lock file. Needed for targets whose platform packages npm does not install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/atomsmith/packages");

interface Lock {
  packages: Record<string, { version?: string; integrity?: string }>;
}

/** Path of a file in a package. Ends the build with a message when it is not available. */
export function packageFile(name: string, file: string): string {
  const installed = join(root, "node_modules", name, file);
  // An installed platform package may contain a stub; the real files are large.
  if (existsSync(installed) && statSync(installed).size > 100_000) return installed;
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const entry = lock.packages[`node_modules/${name}`];
  if (entry?.version === undefined || entry.integrity === undefined) {
    fail(`package-lock.json does not pin ${name}`);
  }
  const folder = join(cache, `${name.replace("/", "+")}-${entry.version}`);
  const path = join(folder, "package", file);
  if (!existsSync(path)) fetchPackage(name, entry.version, entry.integrity, folder);
  if (!existsSync(path)) fail(`${name}@${entry.version} has no ${file}`);
  return path;
}

function fetchPackage(name: string, version: string, integrity: string, folder: string): void {
  process.stderr.write(`Fetching ${name}@${version} ...\n`);
  const temporary = `${folder}.${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = [
    "pack",
    `${name}@${version}`,
    "--pack-destination",
    temporary,
    "--ignore-scripts",
    "--loglevel=error",
  ];
  const packed = spawnSync(npm, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  const archive = readdirSync(temporary).find((entry) => entry.endsWith(".tgz"));
  if (packed.status !== 0 || archive === undefined) {
    rmSync(temporary, { recursive: true, force: true });
    fail(`npm pack ${name}@${version} failed: ${packed.stderr.trim()}`);
  }
  const digest = createHash("sha512")
    .update(readFileSync(join(temporary, archive)))
    .digest("base64");
  if (!integrity.split(" ").includes(`sha512-${digest}`)) {
    rmSync(temporary, { recursive: true, force: true });
    fail(`${name}@${version} is not what package-lock.json pins (sha512-${digest})`);
  }
  const unpacked = spawnSync("tar", ["-xzf", archive], { cwd: temporary, encoding: "utf8" });
  if (unpacked.status !== 0) fail(`cannot unpack ${archive}: ${unpacked.stderr}`);
  rmSync(join(temporary, archive));
  rmSync(folder, { recursive: true, force: true });
  renameSync(temporary, folder);
}

function fail(message: string): never {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}
