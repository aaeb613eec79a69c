import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { AtomsmithError } from "../../src/core/errors.ts";
import { takeLock } from "../../src/store/index.ts";
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

test("a second process is refused with exit code 2 while the first lives, and takes over once it is killed", async () => {
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

test("a pid that lives again under another start time is dead", async () => {
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

test("a lock of another machine is not ours to judge, and the message says what to do", async () => {
  const path = join(scratch(), "lock");
  writeFileSync(
    path,
    JSON.stringify({ token: "t", host: "elsewhere", pid: 1, start: "1", boot: null, since: "then" }),
  );
  const error = await refusal(path);
  expect(error.message).toContain("elsewhere");
  expect(error.details.hint).toContain("delete");
});

test("half a lock file is taken over", async () => {
  const path = join(scratch(), "lock");
  writeFileSync(path, '{"token": "t", "ho');
  const lock = await takeLock(path, "item X");
  await lock.release();
});

test("the same process cannot take one lock twice", async () => {
  const path = join(scratch(), "lock");
  const lock = await takeLock(path, "item X");
  expect((await refusal(path)).kind).toBe("usage");
  await lock.release();
});

test("of many processes that find a dead lock at once exactly one gets it", async () => {
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

test("what a process left that was killed while taking the lock over is swept away", async () => {
  const dir = scratch();
  writeFileSync(join(dir, "lock.claim-dead-0"), "{}");
  writeFileSync(join(dir, ".lock-0123456789abcdef"), "{}");
  utimesSync(join(dir, ".lock-0123456789abcdef"), 1, 1);
  const lock = await takeLock(join(dir, "lock"), "item X");
  expect(readdirSync(dir)).toEqual(["lock"]);
  await lock.release();
});
