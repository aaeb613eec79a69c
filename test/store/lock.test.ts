import { afterAll, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { AtomsmithError } from "../../src/core/errors.ts";
import { takeLock, waitForLock } from "../../src/store/index.ts";
import { removeScratch, STORE_INDEX, scratch, startBun, waitForLine } from "./helpers.ts";

afterAll(removeScratch);

const holderScript = (path: string): string => `
  import { takeLock } from ${JSON.stringify(STORE_INDEX)};
  await takeLock(${JSON.stringify(path)}, "item X");
  console.log("held");
  await new Promise(() => setInterval(() => {}, 1000));
`;

async function refusal(path: string): Promise<AtomsmithError> {
  const error = await takeLock(path, "item X").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AtomsmithError)) throw new Error("the lock was given");
  return error;
}

test("a second process is refused with exit code 2 while the first lives, and gets the lock after it is killed", async () => {
  const path = join(scratch(), "X", "lock");
  const holder = startBun(holderScript(path));
  await waitForLine(holder.stdout, "held");
  const error = await refusal(path);
  expect(error.exitCode).toBe(2);
  expect(error.message).toContain(`process ${holder.pid}`);
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = await takeLock(path, "item X");
  expect(JSON.parse(readFileSync(path, "utf8")).pid).toBe(process.pid);
  await lock.release();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("a reused PID with another start time is dead", async () => {
  const path = join(scratch(), "lock");
  const other = startBun("await new Promise(() => setInterval(() => {}, 1000));");
  writeFileSync(
    path,
    JSON.stringify({ token: "t", host: hostname(), pid: other.pid, start: "1", boot: null, since: "then" }),
  );
  const lock = await takeLock(path, "item X");
  await lock.release();
  other.kill("SIGKILL");
  await other.exited;
});

test("a lock of another machine is not broken, and the message states what to do", async () => {
  const path = join(scratch(), "lock");
  writeFileSync(
    path,
    JSON.stringify({ token: "t", host: "elsewhere", pid: 1, start: "1", boot: null, since: "then" }),
  );
  const error = await refusal(path);
  expect(error.message).toContain("elsewhere");
  expect(error.details.hint).toContain("delete");
});

test("a truncated lock file is replaced", async () => {
  const path = join(scratch(), "lock");
  writeFileSync(path, '{"token": "t", "ho');
  const lock = await takeLock(path, "item X");
  await lock.release();
});

test("a process cannot take one lock twice", async () => {
  const path = join(scratch(), "lock");
  const lock = await takeLock(path, "item X");
  expect((await refusal(path)).kind).toBe("usage");
  await lock.release();
});

test("exactly one of many processes that find a dead lock gets it", async () => {
  const dir = scratch();
  const path = join(dir, "lock");
  writeFileSync(
    path,
    JSON.stringify({
      token: "dead",
      host: hostname(),
      pid: 2 ** 22 + 5,
      start: "1",
      boot: null,
      since: "then",
    }),
  );
  const script = `
    import { takeLock } from ${JSON.stringify(STORE_INDEX)};
    await Bun.stdin.stream().getReader().read();
    try { await takeLock(${JSON.stringify(path)}, "item X"); console.log("won"); }
    catch (error) { console.log("lost " + error.message); }
    console.log("decided");
    await new Promise(() => setInterval(() => {}, 1000));
  `;
  const racers = Array.from({ length: 6 }, () => startBun(script));
  for (const racer of racers) {
    racer.stdin.write("go\n");
    racer.stdin.flush();
  }
  const decided = await Promise.all(
    racers.map(async (racer) => {
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of racer.stdout) {
        text += decoder.decode(chunk);
        if (text.includes("decided")) break;
      }
      return text;
    }),
  );
  for (const racer of racers) racer.kill("SIGKILL");
  await Promise.all(racers.map((racer) => racer.exited));
  expect(decided.filter((text) => text.includes("won"))).toHaveLength(1);
  expect(readdirSync(dir)).toEqual(["lock"]);
});

test("files left by a process killed during a takeover are removed", async () => {
  const dir = scratch();
  writeFileSync(join(dir, "lock.claim-dead-0"), "{}");
  writeFileSync(join(dir, ".lock-0123456789abcdef"), "{}");
  utimesSync(join(dir, ".lock-0123456789abcdef"), 1, 1);
  const lock = await takeLock(join(dir, "lock"), "item X");
  expect(readdirSync(dir)).toEqual(["lock"]);
  await lock.release();
});

test("a waiting process gets the lock once it is free, and fails after its time limit", async () => {
  const path = join(scratch(), "lock");
  const first = await takeLock(path, "item X");
  expect(await waitForLock(path, { timeoutMs: 60 })).toBeUndefined();
  const waiting = waitForLock(path, { timeoutMs: 10_000 });
  await first.release();
  const second = await waiting;
  expect((await refusal(path)).kind).toBe("usage");
  await second?.release();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("a holder in another PID namespace of this host is not judged dead", async () => {
  const path = join(scratch(), "lock");
  const mine = await takeLock(path, "item X");
  const holder = JSON.parse(readFileSync(path, "utf8"));
  await mine.release();
  expect(holder.pid_ns).toMatch(/^pid:\[\d+\]$/);
  // No process has this PID here, so without its namespace the lock would count as dead.
  writeFileSync(path, JSON.stringify({ ...holder, token: "t", pid: 2 ** 22 + 5, pid_ns: "pid:[1]" }));
  const error = await refusal(path);
  expect(error.message).toContain("another container");
  expect(error.details.hint).toContain(`delete ${path}`);
  writeFileSync(path, JSON.stringify({ ...holder, token: "t", pid: 2 ** 22 + 5 }));
  await (await takeLock(path, "item X")).release();
});

// An ordinary user makes a PID namespace in a user namespace of their own.
const UNSHARE = `unshare ${process.getuid?.() === 0 ? "" : "--user --map-root-user "}--pid --fork --mount-proc`;
const namespaces = Bun.spawnSync(["sh", "-c", `${UNSHARE} true`]).exitCode === 0;

// Without user namespaces the test above covers the decision.
test.skipIf(!namespaces)("two containers of one host do not take each other's locks", async () => {
  const path = join(scratch(), "lock");
  const holder = startBun(holderScript(path), (command) => `exec ${UNSHARE} --kill-child ${command}`);
  await waitForLine(holder.stdout, "held");
  const inside = JSON.parse(readFileSync(path, "utf8"));
  expect(inside.pid).toBeLessThan(10); // a number of its namespace, which means another process here
  expect((await refusal(path)).message).toContain("another container");
  holder.kill("SIGKILL");
  await holder.exited;
  // The holder has ended, but this cannot be seen from here.
  expect((await refusal(path)).kind).toBe("usage");
});

test("a zombie process does not hold a lock", async () => {
  const path = join(scratch(), "lock");
  // The shell becomes a program that never waits for its child.
  const parent = Bun.spawn(["sh", "-c", 'sh -c "read go" <&3 & echo $!; exec sleep 60'], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const output = await parent.stdout.getReader().read();
  const pid = Number(new TextDecoder().decode(output.value));
  const stat = (): string[] => {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  };
  const start = stat()[19];
  // Before that the shell would still collect its child.
  for (let n = 0; n < 200 && readFileSync(`/proc/${parent.pid}/comm`, "utf8") !== "sleep\n"; n++) {
    await Bun.sleep(10);
  }
  writeFileSync(
    path,
    JSON.stringify({ token: "t", host: hostname(), pid, start, boot: null, since: "then" }),
  );
  expect((await refusal(path)).message).toContain(`process ${pid}`);
  process.kill(pid, "SIGKILL");
  for (let n = 0; stat()[0] !== "Z" && n < 200; n++) await Bun.sleep(10);
  expect(stat()[0]).toBe("Z");
  await (await takeLock(path, "item X")).release();
  parent.kill("SIGKILL");
  await parent.exited;
});

test("what a killed process left while it took the lock is removed at once, what a living one writes stays", async () => {
  const path = join(scratch(), "lock");
  const holder = startBun(holderScript(path));
  await waitForLine(holder.stdout, "held");
  const [dir, name] = [dirname(path), basename(path)];
  copyFileSync(path, join(dir, `.${name}-0000000000000001`));
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = await takeLock(path, "x");
  expect(readdirSync(dir)).toEqual([name]);
  copyFileSync(path, join(dir, `.${name}-0000000000000002`));
  await lock.release();
  await (await takeLock(path, "x")).release();
  expect(readdirSync(dir)).toEqual([`.${name}-0000000000000002`]);
});
