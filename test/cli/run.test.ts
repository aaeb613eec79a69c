import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openEventSink } from "../../src/cli/event-file.ts";
import type { Io } from "../../src/cli/io.ts";
import { createMask } from "../../src/cli/secrets.ts";
import { errorDocumentSchema } from "../../src/contract/documents.ts";
import { EventBus } from "../../src/core/event-bus.ts";
import { type AnyEvent, eventSchema } from "../../src/loops/events.ts";
import { cli, cliJson } from "../support/cli.ts";
import { folders } from "../support/folder.ts";

const folder = folders("run");

function events(path: string): AnyEvent[] {
  const text = readFileSync(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => eventSchema.parse(JSON.parse(line)) as AnyEvent);
}

describe("errors", () => {
  test.each([
    [[], 2, "atomsmith: missing command"],
    [["chekc"], 2, 'unknown command "chekc"'],
    [["config"], 2, "atomsmith config: missing command"],
    [["config", "shwo"], 2, 'unknown command "shwo"; did you mean show?'],
    [["config", "show", "--orign"], 2, "unknown flag --orign; did you mean --origin?"],
    [["--jsn", "config", "show"], 2, "unknown flag --jsn; did you mean --json?"],
    [["config", "show", "extra"], 2, 'unexpected argument "extra"'],
    [["schema"], 2, "NAME is missing"],
    [["schema", "manifst"], 2, "did you mean manifest?"],
    [["config", "show", "--config", "none.yaml"], 2, "the configuration file none.yaml does not exist"],
    [["config", "show", "--provider", "opnai"], 2, "did you mean openai?"],
  ])("%j", async (argv, code, message) => {
    const cwd = folder();
    const text = await cli(argv, { cwd });
    expect(text.code).toBe(code);
    expect(text.stdout).toBe("");
    expect(text.stderr).toContain(message);
    const json = await cliJson(argv, { cwd });
    expect(json.code).toBe(code);
    expect(errorDocumentSchema.parse(json.document).error.message).toContain(message);
  });

  test("--json and --events - cannot share stdout", async () => {
    const run = await cliJson(["cache", "ls", "--events", "-"]);
    expect(run.code).toBe(2);
    expect(errorDocumentSchema.parse(run.document).error.message).toContain("both write to stdout");
  });

  test("an invalid configuration stops a command before it does anything, except help and schema", async () => {
    const cwd = folder({ "atomsmith.yaml": "execution: {max_iterations: many}\n" });
    const run = await cliJson(["cache", "ls"], { cwd });
    expect(run.code).toBe(2);
    expect(run.document).toMatchObject({ error: { kind: "config", where: "atomsmith.yaml:1" } });
    expect((await cli(["cache", "ls", "--help"], { cwd })).code).toBe(0);
    expect((await cli(["schema", "check"], { cwd })).code).toBe(0);
  });
});

describe("bugs", () => {
  test("an uncaught error exits with 1, one document and a message that states it", async () => {
    const cwd = folder();
    const options = { cwd, crash: new TypeError("undefined is not a function") };
    const text = await cli(["config", "show", "--events", "e.jsonl"], options);
    expect(text.code).toBe(1);
    expect(text.stderr).toContain("error: undefined is not a function\nThis is a bug in atomsmith");
    expect(text.stderr).toContain("run.test.ts");
    expect(events(join(cwd, "e.jsonl")).find((event) => event.type === "run_finished")).toMatchObject({
      exit_code: 1,
    });
    const json = await cli(["config", "show", "--json"], options);
    expect(json.code).toBe(1);
    expect(json.stdout).toStartWith('{\n  "error": {\n    "kind": "internal"');
  });
});

test("an error left uncaught by an interruption is not a bug", async () => {
  const cwd = folder();
  const late = Object.assign(new Error("The operation was aborted."), { name: "AbortError" });
  const run = await cli(["cache", "ls"], { cwd, signal: "SIGTERM", crash: late });
  expect(run.code).toBe(130);
  expect(run.stdout).toContain("no stored data"); // the command came to its end
  const bug = await cli(["cache", "ls"], { cwd, crash: late });
  expect(bug.code).toBe(1);
});

describe("global flags", () => {
  test("they are accepted before and after the command", async () => {
    const cwd = folder({ "a.yaml": "llm: {draft: offline}\n" });
    for (const argv of [
      [
        "--json",
        "--config",
        "a.yaml",
        "-c",
        "execution.candidates=2",
        "config",
        "show",
        "-c",
        "execution.concurrency=9",
      ],
      [
        "config",
        "--config=a.yaml",
        "show",
        "-cexecution.candidates=2",
        "-c",
        "execution.concurrency=9",
        "--json",
      ],
    ]) {
      const run = await cli(argv, { cwd });
      expect(run.stderr).toBe("");
      expect(JSON.parse(run.stdout)).toMatchObject({
        llm: { draft: "offline" },
        execution: { candidates: 2, concurrency: 9 },
      });
    }
  });

  test("common flags are layers of the configuration", async () => {
    const run = await cliJson(
      ["config", "show", "--origin", "--out", "o", "--provider", "replay", "-c", "paths.output_dir=p"],
      { cwd: "/tmp" },
    );
    expect(run.document).toMatchObject({
      values: {
        "paths.output_dir": { value: "/tmp/o", origin: "--out" },
        "llm.reflect.provider": { value: "replay", origin: "--provider" },
        "paths.cache_dir": { value: "/tmp/cache", origin: "default" },
      },
    });
  });

  test("--version and --help print to stdout, as a document with --json", async () => {
    expect((await cli(["--version"])).stdout).toMatch(/^atomsmith \d+\.\d+\.\d+\n$/);
    expect((await cliJson(["--version"])).document).toEqual({ version: expect.stringMatching(/^\d/) });
    expect((await cli(["help", "config", "show"])).stdout).toBe((await cli(["config", "show", "-h"])).stdout);
    expect((await cliJson(["--help"])).document).toEqual({ help: expect.stringContaining("Usage:") });
  });

  test("colours are used on a terminal only, and not with NO_COLOR or --no-color", async () => {
    const has = async (argv: string[], options: Parameters<typeof cli>[1]) =>
      (await cli(argv, options)).stdout.includes("\x1b[");
    expect(await has(["--help"], { tty: true })).toBe(true);
    expect(await has(["--help"], {})).toBe(false);
    expect(await has(["--help"], { tty: true, env: { NO_COLOR: "1" } })).toBe(false);
    expect(await has(["--help"], { tty: true, env: { NO_COLOR: "" } })).toBe(true);
    expect(await has(["--help"], { tty: true, env: { TERM: "dumb" } })).toBe(false);
    expect(await has(["--help", "--no-color"], { tty: true })).toBe(false);
  });
});

describe("--events", () => {
  test("events are written even when there is nothing to do, numbered and with one run ID", async () => {
    const cwd = folder();
    expect((await cli(["cache", "ls", "--events", "deep/e.jsonl"], { cwd })).code).toBe(0);
    const all = events(join(cwd, "deep/e.jsonl"));
    expect(all.map((e) => e.type)).toEqual(["run_started", "run_finished"]);
    expect(all.map((e) => e.seq)).toEqual([1, 2]);
    expect(new Set(all.map((e) => e.run)).size).toBe(1);
    expect(all[0]).toMatchObject({ command: "cache ls", version: expect.any(String) });
    expect(all[1]).toMatchObject({ exit_code: 0 });
  });

  test("lines are valid JSON for any key, without keys and passwords", async () => {
    const cwd = folder();
    // Digits that occur in every line as a number, too.
    const env = { OPENAI_API_KEY: "000000", OTHER_API_KEY: 'quote"and\\slash' };
    const argv = ["cache", "ls", "--password s3cr3tpw", env.OTHER_API_KEY, "--events", "e.jsonl"];
    await cli(argv, { cwd, env });
    const sink = openEventSink("f.jsonl", { cwd } as Io, createMask(env, { shapes: true }));
    const message = `password: s3cr3tpw\n{"key": ${JSON.stringify(env.OTHER_API_KEY)}} ${env.OTHER_API_KEY}`;
    const bus = new EventBus("r");
    bus.subscribe((event) => sink.write(event));
    bus.emit({ type: "progress", what: "x", done: 1_000_000, total: null });
    bus.emit({ type: "log", level: "info", message });
    sink.close();
    for (const name of ["e.jsonl", "f.jsonl"]) {
      expect(events(join(cwd, name))).not.toBeEmpty();
      expect(readFileSync(join(cwd, name), "utf8")).not.toMatch(/s3cr3tpw|and\\+slash/);
    }
    expect(events(join(cwd, "f.jsonl"))[0]).toMatchObject({ done: 1_000_000 });
  });

  test("events are written for errors of the command line and the configuration too", async () => {
    const cwd = folder();
    await cli(["cache", "ls", "--wrong", "--events", "a.jsonl"], { cwd });
    await cli(["cache", "ls", "-c", "x=1", "--events=b.jsonl"], { cwd });
    for (const name of ["a.jsonl", "b.jsonl"]) {
      expect(events(join(cwd, name)).at(-1)).toMatchObject({ type: "run_finished", exit_code: 2 });
    }
  });

  test("- writes only events to stdout and the text to stderr", async () => {
    const run = await cli(["cache", "ls", "--events", "-"], { cwd: folder() });
    for (const line of run.stdout.trimEnd().split("\n")) eventSchema.parse(JSON.parse(line));
    expect(run.stderr).toContain("no stored data");
  });

  test("a file that cannot be opened exits with 4 before anything runs", async () => {
    const cwd = folder({ file: "" });
    const run = await cliJson(["init", "sub", "--events", "file/e.jsonl"], { cwd });
    expect(run.code).toBe(4);
    expect(run.document).toMatchObject({ error: { kind: "store" } });
    expect(existsSync(join(cwd, "sub"))).toBe(false);
  });
});
