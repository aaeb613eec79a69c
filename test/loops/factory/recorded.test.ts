// The two fixture repositories with their real tests and recorded replies, as shown in README and docs/factory.md.
// After a change of the prompts: FACTORY_RECORD=1 bun test test/loops/factory/recorded.test.ts
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunSummary } from "../../../src/loops/factory/schemas.ts";
import { cli } from "../../support/cli.ts";
import { startModelServer } from "../../support/model-server.ts";
import { EMPTY_SHA, env, FIXTURES, git, reply, sha, workspaces } from "./support.ts";

const makeWorkspace = workspaces("recorded");
const CASSETTES = join(FIXTURES, "cassettes");
const RECORD = process.env["FACTORY_RECORD"] !== undefined;

const GREET = `def greet(name: str, polite: bool = False) -> str:
    return ("Good day, " if polite else "Hello, ") + name
`;
const POLITE = `from greet import greet


def test_polite():
    assert greet("Ada", polite=True) == "Good day, Ada"
`;
const SLUG = `export function slug(text) {
  return text
    .toLowerCase()
    .replaceAll(" ", "-")
    .replace(/[^\\p{L}\\p{N}-]/gu, "");
}
`;
const PUNCTUATION = `import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "../slug.mjs";

test("punctuation is dropped", () => {
  assert.equal(slug("Ada, Lovelace!"), "ada-lovelace");
});
`;

function baseHash(fixture: string, path: string): string {
  return sha(readFileSync(join(FIXTURES, fixture, path)));
}

/** The recorded replies. The first reply for Python writes a forbidden file. */
const REPLIES = {
  python: [
    reply(
      { path: "greet.py", base_sha256: baseHash("python", "greet.py"), content: GREET },
      {
        path: "tests/test_greet.py",
        base_sha256: baseHash("python", "tests/test_greet.py"),
        content: POLITE,
      },
    ),
    reply(
      { path: "greet.py", base_sha256: baseHash("python", "greet.py"), content: GREET },
      { path: "tests/test_polite.py", base_sha256: EMPTY_SHA, content: POLITE },
    ),
  ],
  node: [
    reply(
      { path: "slug.mjs", base_sha256: baseHash("node", "slug.mjs"), content: SLUG },
      { path: "test/punctuation.test.mjs", base_sha256: EMPTY_SHA, content: PUNCTUATION },
    ),
  ],
};

async function runRecorded(fixture: "python" | "node", orderFile: string, extra: string[] = []) {
  const workspace = makeWorkspace(fixture);
  const server = startModelServer((_, number) => REPLIES[fixture][number - 1] ?? {});
  const source = RECORD
    ? ["--record", CASSETTES, "-c", `llm.factory.base_url=${server.url}`]
    : ["--provider", "replay", "--cassettes", CASSETTES];
  const argv = [
    "factory",
    "run",
    "--repo",
    workspace.repo,
    "--work-order",
    orderFile,
    "--out",
    workspace.out,
  ];
  const done = await cli([...argv, "--llm-model", "recorded", ...source, ...extra, "--json"], {
    env: env(),
    cwd: workspace.dir,
  });
  await server.stop();
  return { ...done, place: workspace, summary: JSON.parse(done.stdout || "null") as RunSummary };
}

function hasPytest(): boolean {
  try {
    execFileSync("python3", ["-m", "pytest", "--version"], { stdio: "ignore" });
    execFileSync("python3", ["-m", "pip", "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const EXAMPLE = join(import.meta.dir, "../../../example_work_order.json");

if (RECORD) rmSync(CASSETTES, { recursive: true, force: true });
const pytest = hasPytest();

test.skipIf(!pytest)(
  "Python (skipped without pip or pytest): the second proposal passes compileall, pip and pytest after the first wrote a forbidden file",
  async () => {
    const { code, summary, place, stderr } = await runRecorded("python", EXAMPLE);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(summary.attempts.map((one) => one.failure_brief?.stage ?? "accepted")).toEqual([
      "write_scope_violation",
      "accepted",
    ]);
    expect(summary.attempts[1]?.verify.map(({ command }) => command.slice(1, 3).join(" "))).toEqual([
      "-m compileall",
      "-m pip",
      "-m pytest",
    ]);
    expect(git(place.repo, "status", "--porcelain", "--untracked-files=all")).toBe(
      " M greet.py\n?? tests/test_polite.py",
    );
    expect(summary.drift.filter(({ path }) => !path.startsWith(".pytest_cache"))).toEqual([]);
  },
  60_000,
);

test("Node: a change verified by scripts/verify.sh with node --test is committed on a branch", async () => {
  const { code, summary, place, stderr } = await runRecorded("node", join(FIXTURES, "node_work_order.json"), [
    "--commit",
    "wo-02",
  ]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(summary.attempts[0]?.verify.map(({ command }) => command)).toEqual([["bash", "scripts/verify.sh"]]);
  expect(
    readFileSync(join(place.out, summary.run_id, "attempt_1/acceptance_1_stdout.txt"), "utf8"),
  ).toContain("punctuation is dropped");
  expect(git(place.repo, "log", "--format=%s", "wo-02")).toBe("Slugs without punctuation\nfirst");
  expect(git(place.repo, "status", "--porcelain")).toBe("");
  expect(existsSync(join(place.out, summary.run_id, "report.html"))).toBe(true);
}, 60_000);
