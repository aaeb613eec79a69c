// Which child a request gets: small ones wait a little for the busy child that has their atom ready, large ones go to
// any that is free, so that the parts of one log run side by side.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../../sandbox/parent/child.ts";
import { Pool } from "../../sandbox/parent/pool.ts";
import { PROTOCOL } from "../../sandbox/protocol.ts";

const folder = mkdtempSync(join(tmpdir(), "atomsmith-pool-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pool of two processes that greet and then wait. */
function poolOfTwo(): Pool {
  const path = join(folder, "child.ts");
  const protocol = join(import.meta.dirname, "../../sandbox/protocol.ts");
  const hello = { type: "hello", protocol: PROTOCOL, node: "v0", v8: "0", isolatedVm: true };
  writeFileSync(
    path,
    `import { writeSync } from "node:fs";
     import { encodeFrame } from ${JSON.stringify(protocol)};
     for (const chunk of encodeFrame(${JSON.stringify(hello)}, [])) writeSync(1, chunk);
     process.stdin.on("end", () => process.exit(0)).resume();
     setTimeout(() => process.exit(0), 60_000);`,
  );
  return new Pool({ command: [process.execPath, path], env: {}, cwd: folder }, 2, () => {});
}

test("a large request takes the free child at once, a small one waits for the one that knows its atom", async () => {
  const pool = poolOfTwo();
  const atom = { session: 1, source: "function f() {}" };
  const first = await pool.acquire({ ...atom, bytes: 10 });
  const second = await pool.acquire({ session: 2, source: "other", bytes: 10 });
  if (!(first instanceof Child) || !(second instanceof Child)) throw new Error("no child");
  first.remember({ ...atom });
  pool.release(second);

  let small: unknown;
  const waiting = pool.acquire({ ...atom, bytes: 10 }).then((child) => {
    small = child;
  });
  let large: unknown;
  void pool.acquire({ ...atom, bytes: 1_000_000 }).then((child) => {
    large = child;
  });
  await Promise.resolve();
  expect(large).toBe(second);
  expect(small).toBeUndefined();

  pool.release(first);
  await waiting;
  expect(small).toBe(first);
  pool.release(first);
  pool.release(second);
  await pool.close();
});
