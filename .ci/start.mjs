// `npm start`: installs, builds, then runs the main job on the fixtures: batch with the offline author, and check with
// the accepted sets. It shows the results without judging them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";

ensureInstalled();
const executable = join(root, "dist", process.platform === "win32" ? "atomsmith.exe" : "atomsmith");

function run(title, command, args) {
  process.stdout.write(`\n$ ${title}\n`);
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (done.error) {
    process.stderr.write(`${title}: ${done.error.message}\n`);
    process.exit(1);
  }
  return done.status ?? 1;
}

const built = run("npm run build", process.execPath, [join(root, ".ci/build.mjs")]);
if (built !== 0 || !existsSync(executable)) process.exit(built || 1);

const batchArgs = ["batch", "fixtures/items", "--search-root", "fixtures/project", "--provider", "offline"];
const batch = run(`dist/atomsmith ${batchArgs.join(" ")}`, executable, batchArgs);
// 3 is expected: two fixtures need review on purpose. Any other code except 0 means that the job failed.
if (batch !== 0 && batch !== 3) process.exit(batch);

const checkArgs = ["check", "output", "--search-root", "fixtures/project", "--html", "output/report.html"];
const check = run(`dist/atomsmith ${checkArgs.join(" ")}`, executable, checkArgs);
if (check !== 0 && check !== 7 && check !== 8) process.exit(check);

process.stdout.write(`
Where to look next:
  output/report.html                                  report of the check, with the log lines
  output/<ITEM>/atom_a.js, config.yaml                the generated checkers
  output/<ITEM>/human_intervention_report.md          open questions of an item that needs review
  README.md                                           how to use your own logs and a model
Exit codes of the two commands: batch ${batch}, check ${check} (see "Exit codes" in README.md).
`);
