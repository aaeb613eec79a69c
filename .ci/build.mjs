// `npm run build [-- --target linux-arm64|darwin-arm64|windows-x64|linux-x64] [--outfile FILE]`: installs the pinned
// packages if needed, then starts the build itself, which runs on Bun.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";

const bun = ensureInstalled();
const done = spawnSync(bun, [join(root, ".ci/build/main.ts"), ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exit(done.status ?? 1);
