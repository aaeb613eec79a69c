// The jail on this machine: the level that is reached, and that a required level is kept.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Child, type Launch } from "../../sandbox/parent/child.ts";
import { Pool } from "../../sandbox/parent/pool.ts";
import { jailedLaunch, levelOf, prepareRuntime, requireLevel } from "../../sandbox/runtime/launch.ts";
import { sharedSandbox } from "../support/sandbox.ts";

test("the sandbox says which level it reached and what is missing", async () => {
  const { info } = await sharedSandbox();
  // Below full, something is missing and is said; at full, nothing.
  expect(info.missing.length === 0).toBe(info.level === "full");
  expect(info.node).toMatch(/^v24\./);
  expect(existsSync(info.runtimeDir)).toBe(true);
});

test("levels follow from what the launcher reports", () => {
  const report = { type: "jail" as const, missing: [] };
  expect(levelOf(undefined)).toBe("process");
  expect(levelOf({ ...report, landlock: 7, seccomp: true })).toBe("full");
  expect(levelOf({ ...report, landlock: 7, seccomp: true, missing: ["x"] })).toBe("partial");
  expect(levelOf({ ...report, landlock: 1, seccomp: false })).toBe("partial");
  expect(levelOf({ ...report, landlock: 0, seccomp: true })).toBe("partial");
  expect(levelOf({ ...report, landlock: 0, seccomp: false })).toBe("process");
});

test("less than the required level is a sandbox error with exit code 6 and the reason", () => {
  expect(() => requireLevel("full", "full", [])).not.toThrow();
  expect(() => requireLevel("partial", "process", ["x"])).not.toThrow();
  try {
    requireLevel("partial", "full", ["Landlock is not available (error 38)"]);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ kind: "sandbox", exitCode: 6 });
    expect(String(error)).toContain("Landlock is not available");
  }
});

const { info } = await sharedSandbox();
const PRCTL_DEATH_SIGNAL = [157, 167, 0, 1];
const CLOSE_RANGE = [436, 436];
const FCNTL_SET_FLAGS = [72, 25, 1, 2];

/** What the launcher of a child reports when the kernel refuses it some calls. */
async function reportWithout(rules: number[][]): Promise<{ level: string; missing: string[] }> {
  const launch = jailedLaunch(await prepareRuntime(() => {}));
  if (launch === undefined) throw new Error("there is no jail on this system");
  const refuse = join(import.meta.dirname, "../support/refuse-calls.ts");
  const refused: Launch = {
    ...launch,
    command: [process.execPath, refuse, JSON.stringify(rules), ...launch.command],
  };
  const pool = new Pool(refused, 1, () => {});
  const first = await pool.warm();
  await pool.close();
  if (!(first instanceof Child)) throw new Error(first.message);
  return { level: levelOf(first.jail), missing: first.jail?.missing ?? [] };
}

test.if(info.level === "full")("a refused parent-death signal lowers the level and is said", async () => {
  expect(await reportWithout([])).toEqual({ level: "full", missing: [] });
  expect(await reportWithout([PRCTL_DEATH_SIGNAL])).toEqual({
    level: "partial",
    missing: ["the parent-death signal was refused (error 1)"],
  });
});

test.if(info.level === "full")("descriptors are closed one by one where close_range is refused", async () => {
  expect(await reportWithout([CLOSE_RANGE])).toEqual({ level: "full", missing: [] });
  expect(await reportWithout([CLOSE_RANGE, FCNTL_SET_FLAGS])).toEqual({
    level: "partial",
    missing: ["open descriptors could not be closed (error 1)"],
  });
});
