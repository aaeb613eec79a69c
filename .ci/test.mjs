// `npm test`: install, format, lint, types, direction of imports, dead code, build, then all tests; those of `test/e2e`, and
// whatever else starts the program, run the built executable. Every step runs even when an earlier one failed, so that one
// run shows all failures. The last line counts what really ran: each check and each test case is one.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";
import { pathWithShells } from "./shells.mjs";

const bun = ensureInstalled();
const bin = (name) => join(root, "node_modules/.bin", name);
const scratch = mkdtempSync(join(tmpdir(), "atomsmith-test-"));
const counts = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];

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

/** Most processes of tests end before code of the last optimising compiler pays for its compilation: without it they take a
 * tenth less processor time. Tests that give the program an environment of their own run it with all compilers. */
const SHORT_LIVED = { BUN_JSC_useFTLJIT: "0" };

/**
 * Runs test files with bun, several at once and the slowest first (`npm test -- --update-times` writes their times), and adds
 * its own counts, read from the JUnit file that it writes.
 */
function tests(name, paths) {
  const report = join(scratch, `${name.replace(/\W+/g, "-")}.xml`);
  const ok = step(
    name,
    bun,
    [
      "test",
      "--timeout=60000",
      `--parallel=${PARALLEL}`,
      "--no-isolate",
      `--timings=${join(root, ".ci/test-times.json")}`,
      ...(process.argv.includes("--update-times") ? ["--update-timings"] : []),
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...paths,
    ],
    { ATOMSMITH_BIN: executable, PATH: pathWithShells(), ...SHORT_LIVED },
  );
  let found = false;
  try {
    const head = /<testsuites[^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
    const number = (key) => Number(new RegExp(`\\b${key}="(\\d+)"`).exec(head)?.[1] ?? Number.NaN);
    const [all, failed, skipped] = [number("tests"), number("failures"), number("skipped")];
    if (all > 0) {
      found = true;
      counts.failed += failed;
      counts.skipped += skipped;
      counts.passed += all - failed - skipped;
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
if (counts.skipped > 0) process.stdout.write(`Skipped, each says why: ${counts.skipped}\n`);
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed === 0 && failedSteps.length === 0 ? 0 : 1);
