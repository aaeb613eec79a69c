// Nothing of a command is left when it is over, however it ends and whatever it started. Linux: elsewhere there is
// only the process group.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareRuntime } from "../../sandbox/runtime/launch.ts";
import { commandPlaces } from "../support/command.ts";

const place = commandPlaces("command-tree");
const { node } = await prepareRuntime(() => {});
const linux = process.platform === "linux";

/** Processes whose working directory is the repository: all that a command started, wherever it moved to. */
function processesIn(repo: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return Number.isInteger(pid) && readlinkSync(`/proc/${pid}/cwd`) === repo;
      } catch {
        return false;
      }
    });
}

async function until(what: () => boolean): Promise<void> {
  for (const end = performance.now() + 15_000; !what(); ) {
    if (performance.now() > end) throw new Error("waited in vain");
    await Bun.sleep(10);
  }
}

// In sessions of their own, parents gone, streams closed: as daemons do.
const DAEMONS = `
(setsid sh -c 'setsid sleep 1000 & setsid sleep 1000 >/dev/null 2>&1 &' >/dev/null 2>&1 &)
setsid nohup sleep 1000 >/dev/null 2>&1 &
`;
const NODE_DAEMON = `
const { spawn } = require("node:child_process");
spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
`;

test.if(linux)("daemons end with the command that started them, and are counted", async () => {
  const { repo, run } = place({ "daemon.cjs": NODE_DAEMON });
  const done = await run(["sh", "-c", `${DAEMONS} ${node} daemon.cjs; sleep 0.3; exit 5`]);
  expect(done.exit).toEqual({ code: 5 });
  expect(done.leftBehind).toBeGreaterThanOrEqual(4);
  expect(processesIn(repo)).toEqual([]);
});

for (const jail of ["preferred", "off"] as const) {
  test.if(linux)(`at a limit the whole tree ends, jail ${jail}`, async () => {
    const { repo, run } = place();
    const limits = { timeMs: 1000, outputBytes: 1000 };
    const running = run(["sh", "-c", `${DAEMONS} trap '' TERM INT HUP; sleep 1000; sleep 1000`], {
      limits,
      jail,
    });
    await until(() => processesIn(repo).length >= 5);
    expect((await running).exit).toMatchObject({ reason: "timeout" });
    expect(processesIn(repo)).toEqual([]);
  });
}

test.if(linux)(
  "a tree that grows without end is bounded",
  async () => {
    const { repo, run } = place({
      "grow.sh": '[ "$1" -gt 8 ] && exec sleep 30\nsh grow.sh $(($1+1)) & setsid sh grow.sh $(($1+1)) & wait',
    });
    const limits = { timeMs: 20_000, outputBytes: 1000, processes: 100 };
    const done = await run(["sh", "grow.sh", "0"], { limits });
    expect(done.exit).toEqual({ reason: "processes", message: "more than 100 processes" });
    expect(processesIn(repo)).toEqual([]);
  },
  30_000,
);

test.if(linux)(
  "when the program is killed with SIGKILL, its command ends with all that it started",
  async () => {
    const { repo, outside } = place();
    const script = join(outside, "run.ts");
    const options = {
      argv: ["sh", "-c", `${DAEMONS} sleep 1000`],
      cwd: repo,
      readable: "system",
      writable: [repo],
      privateTmp: true,
      network: false,
      limits: { timeMs: 600_000, outputBytes: 1000 },
      stdout: join(outside, "o"),
      stderr: join(outside, "e"),
      jail: "preferred",
    };
    const command = JSON.stringify(join(import.meta.dirname, "../../sandbox/command.ts"));
    writeFileSync(
      script,
      `import { runCommand } from ${command}; await runCommand(${JSON.stringify(options)});`,
    );
    const before = new Set(readdirSync(tmpdir()));
    const program = Bun.spawn([process.execPath, script], { stdout: "ignore", stderr: "ignore" });
    await until(() => processesIn(repo).length >= 5);
    program.kill("SIGKILL");
    await program.exited;
    await until(() => processesIn(repo).length === 0);
    // The output is complete, and the private folders are gone.
    await until(() => existsSync(join(outside, "o")) && existsSync(join(outside, "e")));
    const mine = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith("atomsmith-run-") && !before.has(name));
    await until(() => mine().length === 0);
  },
  40_000,
);

test.if(linux)("a stopped tree is killed, too", async () => {
  const { repo, run } = place();
  const limits = { timeMs: 500, outputBytes: 1000 };
  const done = await run(["sh", "-c", "sleep 1000 & kill -STOP $!; kill -STOP $$"], { limits });
  expect(done.exit).toMatchObject({ reason: "timeout" });
  expect(processesIn(repo)).toEqual([]);
});
