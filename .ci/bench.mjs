// `npm run bench -- NAME [arguments]` runs test/bench/NAME.ts with Bun; without a name it lists the benchmarks.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";

const folder = join(root, "test/bench");
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((f) => f.endsWith(".ts"))
      .map((f) => f.slice(0, -3))
  : [];
const [name, ...rest] = process.argv.slice(2);
if (!name || !names.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- NAME\nBenchmarks: ${names.join(", ") || "none"}\n`);
  process.exit(2);
}
const bun = ensureInstalled();
const done = spawnSync(bun, [join(folder, `${name}.ts`), ...rest], { cwd: root, stdio: "inherit" });
process.exit(done.status ?? 1);
