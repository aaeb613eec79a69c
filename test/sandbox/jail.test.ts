// The jail on this machine: the level that is reached, and that a required level is kept.
import { expect, test } from "bun:test";
import { examineSandbox } from "../../sandbox/examine.ts";
import { levelOf, requireLevel } from "../../sandbox/runtime/launch.ts";

test("the examination runs an atom and reports the level", async () => {
  const found = await examineSandbox();
  expect(found.ok).toBe(true);
  if (!found.ok) return;
  expect(["full", "partial", "process"]).toContain(found.info.level);
  // Below full, something is missing and is said.
  expect(found.info.missing.length === 0).toBe(found.info.level === "full");
  expect(found.info.node).toMatch(/^v24\./);
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
