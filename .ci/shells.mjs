// Shells for the tests of completion. zsh and fish come from the packages of a Debian system, unpacked into node_modules
// and not installed, so that no administrator is needed. Where that is not possible, these tests are skipped and counted.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./install.mjs";

const PACKAGES = { zsh: ["zsh-static"], fish: ["fish", "fish-common", "libpcre2-32-0"] };
const PROGRAMS = { zsh: "bin/zsh-static", fish: "usr/bin/fish" };
const cache = join(root, "node_modules/.cache/shells");

/** The search path of programs, extended by the shells that the machine lacks and that could be unpacked. */
export function pathWithShells(path = process.env.PATH ?? "") {
  if (process.platform !== "linux") return path;
  const missing = Object.keys(PACKAGES).filter((shell) => !onPath(shell, path));
  // Where one cannot be had, neither can the other: a machine without network waits once.
  const firstFailure = missing.findIndex((shell) => !existsSync(join(cache, shell, shell)) && !unpack(shell));
  const unpacked = firstFailure === -1 ? missing : missing.slice(0, firstFailure);
  return [path, ...unpacked.map((shell) => join(cache, shell))].join(delimiter);
}

function onPath(name, path) {
  return path.split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** Unpacks the packages of a shell and writes its start script. Returns whether the shell then runs. */
function unpack(shell) {
  process.stdout.write(`unpacking ${shell} for the tests of completion\n`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "unpacking-"));
  const packages = join(folder, "packages");
  const target = join(cache, shell);
  try {
    mkdirSync(packages);
    if (!download(packages, PACKAGES[shell])) return false;
    for (const name of readdirSync(packages).filter((file) => file.endsWith(".deb")))
      if (!run(packages, "dpkg-deb", ["-x", name, join(folder, "root")])) return false;
    rmSync(packages, { recursive: true });
    const script = `#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu) exec "$root/${PROGRAMS[shell]}" "$@"\n`;
    writeFileSync(join(folder, shell), script, { mode: 0o755 });
    if (!run(folder, join(folder, shell), ["-c", "exit 0"])) return false;
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Downloads packages, with lists of its own where the system has none yet (a fresh container image). */
function download(folder, packages) {
  if (run(folder, "apt-get", ["download", ...packages])) return true;
  const lists = join(folder, "lists");
  mkdirSync(join(lists, "partial"), { recursive: true });
  const own = ["-o", `Dir::State::lists=${lists}`, "-o", `Dir::Cache=${folder}`];
  return (
    run(folder, "apt-get", [...own, "update"]) && run(folder, "apt-get", [...own, "download", ...packages])
  );
}

function run(cwd, command, args) {
  return spawnSync(command, args, { cwd, stdio: "ignore", timeout: 60_000 }).status === 0;
}
