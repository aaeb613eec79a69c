// A lock on a disk that machines share: the age of a file there is told by the clock of the disk's server.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeScratch, STORE_INDEX, scratch } from "./helpers.ts";

const SHIFTED_CLOCK = join(import.meta.dirname, "../support/shifted-clock.ts");

afterAll(removeScratch);

test.each([3_600_000, -3_600_000])(
  "a clock that is wrong by %p ms: what another process is just writing stays, what is old is removed",
  async (shift) => {
    const dir = scratch();
    const script = join(scratch(), "take.ts");
    writeFileSync(
      script,
      `import { takeLock } from ${JSON.stringify(STORE_INDEX)};
       await takeLock(${JSON.stringify(join(dir, "lock"))}, "item X");`,
    );
    writeFileSync(join(dir, ".lock-0123456789abcdef"), "{}");
    writeFileSync(join(dir, ".lock-fedcba9876543210"), "{}");
    const old = Date.now() / 1000 - 120;
    utimesSync(join(dir, ".lock-fedcba9876543210"), old, old);
    const child = Bun.spawn([process.execPath, "--preload", SHIFTED_CLOCK, script], {
      env: { ATOMSMITH_TEST_CLOCK: String(shift), PATH: process.env["PATH"] ?? "" },
      stderr: "pipe",
    });
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
    expect(readdirSync(dir).sort()).toEqual([".lock-0123456789abcdef", "lock"]);
  },
  30_000,
);
