// The jail on this machine: the level that is reached, and that a required level is kept.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { levelOf, requireLevel } from "../../sandbox/runtime/launch.ts";
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
