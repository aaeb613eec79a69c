// Installs exactly the packages of package-lock.json, if not installed yet, and locates Bun. Runs on any supported Node;
// install scripts of packages are never run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".atomsmith-install");

/** Fingerprint of what should be installed: the lock file and the platform. */
function expectedFingerprint() {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
}

/** Path of the real Bun binary: in the platform package, or in `bun/bin` if bun's install script has moved it there. Stubs
 * of a few hundred bytes are skipped. */
export function findBun() {
  const candidates = [join(modules, "bun/bin/bun.exe"), join(modules, "bun/bin/bun")];
  const oven = join(modules, "@oven");
  if (existsSync(oven)) {
    for (const name of readdirSync(oven).sort()) {
      candidates.push(join(oven, name, "bin/bun"), join(oven, name, "bin/bun.exe"));
    }
  }
  for (const candidate of candidates) {
    if (!existsSync(candidate) || statSync(candidate).size < 1_000_000) continue;
    const probe = spawnSync(candidate, ["--version"], { encoding: "utf8" });
    if (probe.status === 0) return candidate;
  }
  return undefined;
}

/** Installs if needed and returns the path of Bun. Ends the process with a message when that fails. */
export function ensureInstalled() {
  const fingerprint = expectedFingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) {
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
  writeFileSync(stamp, fingerprint);
  return bun;
}
