// `npm test`: install, format, lint, types, direction of imports, dead code, build, then the tests; those of `test/e2e`, and
// whatever else starts the program, run the built executable. `npm run test:all`, which decides what lands, also runs the
// long tests (`*.long.test.ts`). Every step runs even when an earlier one failed, so that one run shows all failures. The
// last line counts what really ran: each check and each test case is one.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";
import { scratchFolder } from "./scratch.mjs";
import { pathWithShells } from "./shells.mjs";

const bun = ensureInstalled();
const bin = (name) => join(root, "node_modules/.bin", name);
const counts = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];
const all = process.argv.includes("--all");
/** Tests whose subject takes a while: fleets that lose their parts, kills at random moments, limits of memory, whole jobs. */
const LONG = "**/*.long.test.ts";

function step(name, command, args, env = {}) {
  const begin = Date.now();
  process.stdout.write(`\n== ${name}\n`);
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  const ok = done.status === 0;
  process.stdout.write(
    `== ${name}: ${ok ? "ok" : `FAILED (${done.status ?? done.signal})`}, ${Date.now() - begin} ms\n`,
  );
  if (!ok) failedSteps.push(name);
  return ok;
}

function check(name, command, args) {
  if (step(name, command, args)) counts.passed += 1;
  else counts.failed += 1;
}

/** Tests start the program as a process from here, which takes a tenth of the time that the sources take. */
const executable = join(root, "dist", process.platform === "win32" ? "atomsmith.exe" : "atomsmith");

/** Test files at once: many of them wait for processes, so one more than there are cores keeps these busy. */
const PARALLEL = Math.min(8, availableParallelism() + 1);

/** Code of the last optimising compiler does not pay for its compilation within the minutes that tests take. What it means
 * for the processes that tests start: test/support/compilers.ts. */
const NO_LAST_COMPILER = { BUN_JSC_useFTLJIT: "0" };

const scratch = scratchFolder();

/**
 * Runs test files with bun, several at once and the slowest first (`npm run test:all -- --update-times` writes their times), and adds
 * its own counts, read from the JUnit file that it writes.
 */
function tests(name, paths) {
  const report = join(scratch, `${name.replace(/\W+/g, "-")}.xml`);
  const temporary = join(scratch, "tmp");
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  const ok = step(
    name,
    bun,
    [
      "test",
      "--timeout=60000",
      `--parallel=${PARALLEL}`,
      "--no-isolate",
      `--timings=${join(root, ".ci/test-times.json")}`,
      ...(all ? [] : [`--path-ignore-patterns=${LONG}`]),
      ...(process.argv.includes("--update-times") ? ["--update-timings"] : []),
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...paths,
    ],
    {
      ATOMSMITH_BIN: executable,
      PATH: pathWithShells(),
      TMPDIR: temporary,
      // The runtime of the sandbox is unpacked once, not for each HOME of a test.
      XDG_CACHE_HOME: join(scratch, "cache"),
      ...NO_LAST_COMPILER,
    },
  );
  let found = false;
  try {
    const head = /<testsuites[^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
    const number = (key) => Number(new RegExp(`\\b${key}="(\\d+)"`).exec(head)?.[1] ?? Number.NaN);
    const [ran, failed, skipped] = [number("tests"), number("failures"), number("skipped")];
    if (ran > 0) {
      found = true;
      counts.failed += failed;
      counts.skipped += skipped;
      counts.passed += ran - failed - skipped;
      // An error outside any test (a file that does not load) fails the run without a failed test case.
      if (!ok && failed === 0) counts.failed += 1;
    }
  } catch {
    // No report: counted as one failure below.
  }
  if (!found) {
    counts.failed += 1;
    if (ok) failedSteps.push(`${name} (ran no test)`);
  }
}

check("format and lint", bin("biome"), ["check", "--error-on-warnings"]);
check("types", bin("tsc"), ["-p", "."]);
check("types of the page", bin("tsc"), ["-p", "src/server/page"]);
check("direction of imports", process.execPath, [join(root, ".ci/layers.mjs")]);
check("dead code", bin("knip"), []);
check("build", process.execPath, [join(root, ".ci/build.mjs")]);
tests("tests", ["./test"]);

rmSync(scratch, { recursive: true, force: true });
if (failedSteps.length > 0) process.stdout.write(`\nFailed steps: ${failedSteps.join(", ")}\n`);
if (!all) process.stdout.write("\nThe long tests did not run; `npm run test:all` runs them, as CI does.\n");
if (counts.skipped > 0) process.stdout.write(`Skipped, each says why: ${counts.skipped}\n`);
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed === 0 && failedSteps.length === 0 ? 0 : 1);
