// Commands of a repository: how they are found and end, what they get, what is kept of their output.
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { levelOfCommand } from "../../sandbox/command.ts";
import { PROTECTIONS } from "../../sandbox/jail/order.ts";
import { prepareRuntime } from "../../sandbox/runtime/launch.ts";
import { commandPlaces } from "../support/command.ts";

const place = commandPlaces("command");
const { node } = await prepareRuntime(() => {});
const probe = await place().run(["true"]);
const linux = process.platform === "linux";

test("a command ends with its code or its signal, and its output is in the files", async () => {
  const { run } = place();
  const done = await run(["sh", "-c", "echo out; echo err >&2; exit 3"]);
  expect(done).toMatchObject({ exit: { code: 3 }, out: "out\n", err: "err\n", leftBehind: 0 });
  expect(done.stdout).toMatchObject({ totalBytes: 4, truncated: false });
  expect((await run(["sh", "-c", "kill -TERM $$"])).exit).toEqual({ signal: "SIGTERM" });
});

test("arguments reach the program as they are, no shell reads them", async () => {
  const { run } = place();
  const args = ["a b", "$HOME", "*", "; echo x", "", "ä\n", "'\""];
  const done = await run([node, "-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...args]);
  expect(JSON.parse(Buffer.from(done.out, "latin1").toString())).toEqual(args);
});

test("a program is looked up in PATH of the given environment, never in the working directory", async () => {
  const { repo, run } = place({ "bin/tool": "#!/bin/sh\necho mine\n", here: "#!/bin/sh\necho here\n" });
  for (const name of ["bin/tool", "here"]) chmodSync(join(repo, name), 0o755);
  const env = { PATH: `.:${join(repo, "bin")}` };
  expect((await run(["tool"], { env })).out).toBe("mine\n");
  expect((await run(["./here"], { env })).out).toBe("here\n");
  expect((await run(["here"], { env })).exit).toMatchObject({ reason: "not_found" });
  expect((await run(["tool"])).exit).toEqual({ reason: "not_found", message: "program not found: tool" });
});

test("what cannot be executed is a reason, not a crash", async () => {
  const { repo, run } = place({ text: "x", broken: "#!/no/such/interpreter\n", nothing: "" });
  for (const name of ["broken", "nothing"]) chmodSync(join(repo, name), 0o755);
  expect((await run(["./text"])).exit).toMatchObject({ reason: "not_executable" });
  expect((await run(["./broken"])).exit).toMatchObject({ reason: "not_found" });
  expect((await run(["./nothing"])).exit).toMatchObject({ reason: "not_executable" });
  expect((await run(["./absent"], { jail: "off" })).exit).toMatchObject({ reason: "not_found" });
});

test("options that cannot be met are errors before anything runs", async () => {
  const { repo, outside, run } = place();
  const limits = { timeMs: 1000, outputBytes: 1000 };
  const usage = { kind: "usage" };
  await expect(run([], {})).rejects.toMatchObject(usage);
  await expect(run(["echo", "a\0b"], {})).rejects.toMatchObject(usage);
  await expect(run(["true"], { cwd: join(repo, "absent"), limits })).rejects.toMatchObject(usage);
  await expect(run(["true"], { writable: [join(outside, "absent")] })).rejects.toMatchObject(usage);
  // A command could put a link in its place.
  await expect(run(["true"], { stdout: join(repo, "out.txt") })).rejects.toMatchObject(usage);
});

test("secrets of the environment are not handed on; HOME and temporary files are private and go", async () => {
  process.env["COMMAND_TEST_API_KEY"] = "secret";
  const { run } = place();
  const script = "env; echo x > $TMPDIR/a; echo y > $HOME/b; cat $TMPDIR/a $HOME/b";
  const done = await run(["sh", "-c", script], { env: { GIVEN: "yes" } });
  delete process.env["COMMAND_TEST_API_KEY"];
  expect(done.exit).toEqual({ code: 0 });
  expect(done.out).not.toContain("COMMAND_TEST");
  expect(done.out).toContain("GIVEN=yes");
  expect(done.out).toEndWith("x\ny\n");
  for (const name of ["HOME", "TMPDIR"]) {
    const path = new RegExp(`^${name}=(.+)$`, "m").exec(done.out)?.[1] ?? "";
    expect(path).toContain("atomsmith-run-");
    expect(existsSync(path)).toBe(false);
  }
});

test("standard input is what is given, else empty", async () => {
  const { run } = place();
  expect((await run(["cat"])).out).toBe("");
  const text = "line\n".repeat(100_000);
  expect((await run(["cat"], { stdin: text })).out).toBe(text);
});

test("a bound on output keeps the beginning and the end, and says so", async () => {
  const { run } = place();
  const script = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done";
  const { exit, out, stdout } = await run(["sh", "-c", script], {
    limits: { timeMs: 20_000, outputBytes: 2000 },
  });
  expect(exit).toEqual({ code: 0 });
  expect(stdout).toMatchObject({ truncated: true, totalBytes: 208_890 });
  expect(out).toStartWith("line 0\nline 1\n");
  expect(Buffer.from(out, "latin1").toString()).toContain("…[cut, 208890 bytes in all]");
  expect(out).toEndWith("line 19998\nline 19999\n");
  expect(out.length).toBeLessThan(2100);
  const exact = await run(["sh", "-c", "printf 0123456789"], { limits: { timeMs: 20_000, outputBytes: 10 } });
  expect(exact).toMatchObject({ out: "0123456789", stdout: { truncated: false } });
});

test("endless output, memory and time end the command with the reason", async () => {
  const { run } = place();
  const output = await run(["yes"], { limits: { timeMs: 20_000, outputBytes: 1000, stopBytes: 100_000 } });
  expect(output.exit).toEqual({ reason: "output", message: "more than 100000 bytes of output" });
  const grow = "const a = []; setInterval(() => { if (a.length < 40) a.push(Buffer.alloc(20e6, 1)); }, 5)";
  const memory = await run([node, "-e", grow], {
    limits: { timeMs: 20_000, outputBytes: 1000, memoryMb: 200 },
  });
  expect(memory.exit).toEqual({ reason: "memory", message: "more than 200 MiB of memory" });
  const time = await run(["sleep", "60"], { limits: { timeMs: 300, outputBytes: 1000 } });
  expect(time.exit).toEqual({ reason: "timeout", message: "not finished within 300 ms" });
  expect(time.durationMs).toBeLessThan(10_000);
}, 60_000);

test.if(linux)("the size of a file is limited", async () => {
  const { repo, run } = place();
  const limits = { timeMs: 20_000, outputBytes: 1000, fileBytes: 10_000 };
  const done = await run(["dd", "if=/dev/zero", "of=big", "bs=5000", "count=5"], { limits });
  expect(done.exit).not.toEqual({ code: 0 });
  expect(statSync(join(repo, "big")).size).toBe(10_000);
});

test("a cancelled command ends at once, also one that was cancelled before it began", async () => {
  const { run } = place();
  const controller = new AbortController();
  const running = run(["sleep", "60"], { signal: controller.signal });
  setTimeout(() => controller.abort(), 300);
  expect((await running).exit).toEqual({ reason: "cancelled", message: "cancelled" });
  expect((await run(["sleep", "60"], { signal: AbortSignal.abort() })).exit).toMatchObject({
    reason: "cancelled",
  });
});

test("/dev/stdout can be opened, SIGPIPE ends a writer, and limits of descriptors are the usual ones", async () => {
  const { run } = place();
  expect((await run(["sh", "-c", "echo x > /dev/stdout"])).out).toBe("x\n");
  const pipe = await run(["sh", "-c", "yes | head -n 1"]);
  expect(pipe).toMatchObject({ out: "y\n", err: "" });
  if (linux) expect((await run(["sh", "-c", "ulimit -n; ls /proc/self/fd | wc -l"])).out).toBe("1024\n4\n");
});

test("real tools work: git, make, a test run, scripts", async () => {
  const { repo, run } = place({
    Makefile: "all:\n\t@echo made > out.txt\n",
    "a.test.mjs": "import test from 'node:test'; test('a', () => {});",
    "link-target": "x",
  });
  mkdirSync(join(repo, "sub"));
  const all =
    "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git log --format=%s";
  expect(await run(["sh", "-c", all])).toMatchObject({ exit: { code: 0 }, out: "x\n" });
  if (Bun.which("make")) {
    expect((await run(["make"])).exit).toEqual({ code: 0 });
    expect(readFileSync(join(repo, "out.txt"), "utf8")).toBe("made\n");
  }
  const tests = await run([node, "--test"]);
  expect(tests).toMatchObject({ exit: { code: 0 } });
  expect(tests.out).toContain("pass 1");
  const moves = "mv link-target sub/moved && ln -s moved sub/link && cat sub/link && rm -r sub";
  expect(await run(["sh", "-c", moves])).toMatchObject({ exit: { code: 0 }, out: "x" });
}, 30_000);

test("a folder given through a link is the folder", async () => {
  const { repo, outside, run } = place();
  symlinkSync(repo, join(outside, "link"));
  const link = join(outside, "link");
  const done = await run(["sh", "-c", "echo x > a && pwd"], { cwd: link, writable: [link] });
  expect(done).toMatchObject({ exit: { code: 0 }, out: `${repo}\n` });
});

test("the level says what held; without the jail the limits still do", async () => {
  expect(probe.missing.length === 0).toBe(probe.level === "full");
  const { repo, outside, run } = place();
  const off = await run(["sh", "-c", `echo x > ${outside}/written`], { jail: "off" });
  expect(off).toMatchObject({ exit: { code: 0 }, level: "none", missing: ["the jail was switched off"] });
  const time = await run(["sleep", "60"], { jail: "off", limits: { timeMs: 300, outputBytes: 1000 } });
  expect(time.exit).toMatchObject({ reason: "timeout" });
  writeFileSync(join(repo, "x"), "");
  const all = [...PROTECTIONS];
  expect(levelOfCommand(all, false)).toBe("full");
  expect(
    levelOfCommand(
      all.filter((one) => one !== "read_only_mounts"),
      false,
    ),
  ).toBe("full");
  expect(
    levelOfCommand(
      all.filter((one) => one !== "network"),
      true,
    ),
  ).toBe("full");
  expect(
    levelOfCommand(
      all.filter((one) => one !== "network"),
      false,
    ),
  ).toBe("partial");
  expect(
    levelOfCommand(
      all.filter((one) => one !== "parent_death"),
      false,
    ),
  ).toBe("partial");
  expect(levelOfCommand(["system_calls"], false)).toBe("partial");
  expect(levelOfCommand(["privileges", "descriptors", "process_tree"], false)).toBe("none");
});

// The whole program runs behind a filter that refuses Landlock, as in a container that does not let it through.
test.if(probe.level === "full")(
  "where Landlock is refused, required fails and preferred says so",
  async () => {
    const { repo, outside } = place();
    const script = join(outside, "run.ts");
    const options = {
      argv: ["sh", "-c", "echo ran > ran.txt"],
      cwd: repo,
      readable: "system",
      writable: [repo],
      privateTmp: true,
      network: false,
      limits: { timeMs: 20_000, outputBytes: 1000 },
      stdout: join(outside, "o"),
      stderr: join(outside, "e"),
    };
    const command = join(import.meta.dirname, "../../sandbox/command.ts");
    writeFileSync(
      script,
      `import { runCommand } from ${JSON.stringify(command)};
    const options = ${JSON.stringify(options)};
    for (const jail of ["required", "preferred"]) {
      const result = await runCommand({ ...options, jail }).catch((error) => ({ error }));
      const ran = await Bun.file(${JSON.stringify(join(repo, "ran.txt"))}).exists();
      console.log(JSON.stringify({ ...result, ran }));
    }`,
    );
    const refuse = join(import.meta.dirname, "../support/refuse-calls.ts");
    const child = Bun.spawn([process.execPath, refuse, "[[444,444]]", process.execPath, script]);
    const [required, preferred] = (await new Response(child.stdout).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(required).toMatchObject({ error: { kind: "sandbox" }, ran: false });
    expect(required.error.message).toContain("not available: files");
    expect(required.error.message).toContain("Landlock is not available (error 1)");
    expect(preferred).toMatchObject({ exit: { code: 0 }, level: "partial", ran: true });
    expect(preferred.missing).toContain("Landlock is not available (error 1)");
  },
  30_000,
);

test("two commands side by side have folders of their own", async () => {
  const { run, outside } = place();
  const both = await Promise.all(
    ["a", "b"].map((name) =>
      run(["sh", "-c", "echo $TMPDIR"], {
        stdout: join(outside, name),
        stderr: join(outside, `${name}.err`),
      }),
    ),
  );
  expect(new Set(both.map(({ out }) => out)).size).toBe(2);
});
