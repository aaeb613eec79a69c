// Checks format, lint and types; `--write` fixes format and safe lint findings first.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";

ensureInstalled();
const bin = (name) => join(root, "node_modules/.bin", name);
const run = (name, args) => {
  const r = spawnSync(bin(name), args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  return r.status === 0;
};

let ok = true;
ok =
  run("biome", ["check", "--error-on-warnings", ...(process.argv.includes("--write") ? ["--write"] : [])]) &&
  ok;
ok = run("tsc", ["-p", "."]) && ok;
process.exit(ok ? 0 : 1);
