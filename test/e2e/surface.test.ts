// The surface of the built executable: start, streams, exit codes, hostile surroundings.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorDocumentSchema } from "../../src/contract/documents.ts";
import { eventSchema } from "../../src/loops/events.ts";
import { atomsmith, emptyEnv, executable, PROJECT } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

// Whole processes on a machine that may be busy.
setDefaultTimeout(60_000);

const folder = folders("surface");

/** Runs through a shell, to connect streams as users do. `$BIN` is the executable. */
function shell(script: string, cwd: string, env: Record<string, string> = {}) {
  const done = spawnSync("/bin/bash", ["-c", script], {
    cwd,
    encoding: "utf8",
    env: { ...emptyEnv(cwd), PATH: "/usr/bin:/bin", BIN: executable(), ...env },
    timeout: 60_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("start", () => {
  test("--version is the package's, from an empty folder with an empty environment", async () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
      version: string;
    };
    expect(await atomsmith(["--version"], { cwd: folder() })).toEqual({
      code: 0,
      signal: null,
      out: `atomsmith ${version}\n`,
      err: "",
    });
  });

  test("no .env, bunfig.toml, package.json or tsconfig.json of the folder has any effect", async () => {
    const cwd = folder({
      ".env":
        "ATOMSMITH_EXECUTION__MAX_ITERATIONS=9\nOPENAI_API_KEY=sk-x\nOPENAI_BASE_URL=http://evil.example\nNO_COLOR=1\n",
      ".env.local": "ATOMSMITH_LLM__DRAFT=offline\n",
      ".env.production": "ATOMSMITH_LLM__DRAFT=offline\n",
      "bunfig.toml": 'preload = ["./evil.ts"]\n[run]\nshell = "bun"\n',
      "evil.ts": 'require("fs").writeFileSync("pwned", "");',
      "package.json": '{"imports": {"#x": "./evil.ts"}, "type": "commonjs"}',
      "tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./evil.ts"]}}}',
      "node_modules/zod/index.js": 'require("fs").writeFileSync("pwned", "");',
    });
    const run = await atomsmith(["config", "show", "--json"], { cwd });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({ execution: { max_iterations: 3 }, llm: { draft: "none" } });
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
  });

  // BUN_OPTIONS and BUN_BE_BUN do reach Bun itself: whoever sets the environment is trusted (docs/cli.md).
  test("variables for Node do not reach into the program", async () => {
    const cwd = folder({ "evil.ts": 'require("fs").writeFileSync("pwned", "");' });
    const run = await atomsmith(["--version"], {
      cwd,
      env: { NODE_OPTIONS: "--require ./evil.ts", NODE_PATH: "." },
    });
    expect(run.code).toBe(0);
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
  });
});

describe("streams", () => {
  test("a reader that goes away is no error", () => {
    const run = shell('"$BIN" schema check | head -n 1; echo "${PIPESTATUS[0]}"', folder());
    expect(run.out).toBe("{\n0\n");
    expect(run.err).toBe("");
  });

  test("a slow reader gets everything, also much more than a pipe holds", () => {
    const text = "x".repeat(900_000);
    const cwd = folder({ "atomsmith.yaml": `paths: {variables: {A: ${text}}}\n` });
    const run = shell('"$BIN" config show --json | (sleep 0.5; cat)', cwd);
    expect(JSON.parse(run.out)).toMatchObject({ paths: { variables: { A: text } } });
  });

  test.skipIf(!existsSync("/dev/full"))("a full disk behind stdout, --events or the log is exit 4", () => {
    const cwd = folder();
    expect(shell('"$BIN" schema check > /dev/full', cwd)).toMatchObject({
      code: 4,
      err: "error: cannot write to standard output: no space left on the disk (ENOSPC)\n",
    });
    expect(shell('"$BIN" --version > /dev/full', cwd).code).toBe(4);
    const events = shell('"$BIN" cache ls --events /dev/full', cwd);
    expect(events.code).toBe(4);
    expect(events.err).toContain("cannot write the events file /dev/full: no space left");
    const log = shell('"$BIN" cache ls -c logging.log_file=/dev/full', cwd);
    expect(log.code).toBe(4);
    expect(log.err).toContain("cannot write the log file /dev/full: no space left");
  });

  test("closed streams do not crash it", () => {
    const cwd = folder();
    expect(shell('"$BIN" schema check >&-', cwd).code).toBe(0);
    expect(shell('"$BIN" chekc 2>&-', cwd).code).toBe(2);
    expect(shell('"$BIN" schema check <&- | wc -l', cwd).code).toBe(0);
  });

  test("without --json an exit of 2 leaves stdout empty; with it there is one document", async () => {
    const cwd = folder();
    for (const args of [["nope"], ["check", "--nope"], ["config", "show", "-c", "a.b=1"], []]) {
      const text = await atomsmith(args, { cwd });
      expect(text).toMatchObject({ code: 2, out: "" });
      expect(text.err).toContain("error: ");
      const json = await atomsmith([...args, "--json"], { cwd });
      expect(json.code).toBe(2);
      errorDocumentSchema.parse(JSON.parse(json.out));
    }
  });

  test("--events into a pipe is a stream of events", () => {
    const run = shell('"$BIN" cache ls --events - 2>/dev/null | cat', folder());
    const types = run.out.trimEnd().split("\n");
    expect(types.map((line) => eventSchema.parse(JSON.parse(line)).type)).toEqual([
      "run_started",
      "run_finished",
    ]);
  });
});

describe("folders", () => {
  test("a folder that cannot be written is exit 4 and says which", async () => {
    const cwd = folder({ file: "" });
    const run = await atomsmith(["init", "file/sub"], { cwd });
    expect(run.code).toBe(4);
    expect(run.err).toContain("file");
  });

  test("inputs may be given as open files", () => {
    const cwd = folder();
    const run = shell('"$BIN" config show --config <(echo "llm: {draft: offline}") --json', cwd);
    expect(run.err).toBe("");
    expect(JSON.parse(run.out)).toMatchObject({ llm: { draft: "offline" } });
  });
});
