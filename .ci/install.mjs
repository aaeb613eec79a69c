// Installs exactly what package-lock.json pins, if node_modules does not hold it yet, and tells where the
// real Bun is. Runs on the Node that a fresh machine has; no install script of any package is ever run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".atomsmith-install");

/** Fingerprint of what should be installed: the lock file and the Node that asks. */
function wanted() {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
}

/** Path of the real Bun binary. Packages move it about: the platform package holds it unless bun's own
 * install script ran and moved it into `bun/bin`. A stub of a few hundred bytes is not it. */
export function findBun() {
  const places = [join(modules, "bun/bin/bun.exe"), join(modules, "bun/bin/bun")];
  const oven = join(modules, "@oven");
  if (existsSync(oven)) {
    for (const name of readdirSync(oven).sort()) {
      places.push(join(oven, name, "bin/bun"), join(oven, name, "bin/bun.exe"));
    }
  }
  for (const place of places) {
    if (!existsSync(place) || statSync(place).size < 1_000_000) continue;
    const probe = spawnSync(place, ["--version"], { encoding: "utf8" });
    if (probe.status === 0) return place;
  }
  return undefined;
}

/** Installs when needed; returns the path of Bun. Ends the process with a clear message when it cannot. */
export function ensureInstalled() {
  const want = wanted();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) {
    const bun = findBun();
    if (bun) return bun;
  }
  process.stderr.write("Installing the pinned packages (npm ci) ...\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const done = spawnSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) {
    process.stderr.write("npm ci failed. Check that the npm registry can be reached, then run this again.\n");
    process.exit(1);
  }
  const bun = findBun();
  if (!bun) {
    process.stderr.write(
      `No Bun binary for ${process.platform}-${process.arch} among the installed packages.\n`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, want);
  return bun;
}
