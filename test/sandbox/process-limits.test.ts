// Limits that the parent sets on a child from outside (Linux only; elsewhere there are none).
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createSandbox } from "../../sandbox/index.ts";
import { limitProcessorTime, processorMs } from "../../sandbox/parent/process-info.ts";
import { RawText } from "../../sandbox/types.ts";

const linux = process.platform === "linux";

function processorLimit(pid: number): { soft: string; hard: string } {
  const line = /^Max cpu time +(\S+) +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"));
  return { soft: line?.[1] ?? "", hard: line?.[2] ?? "" };
}

test.skipIf(!linux)(
  "a process that goes on beyond its processor time is ended by the system",
  async () => {
    const spin = Bun.spawn([process.execPath, "-e", "for (;;) {}"], { stdout: "ignore", stderr: "ignore" });
    limitProcessorTime(spin.pid, processorMs(spin.pid) ?? 0, 1000);
    await spin.exited;
    expect(spin.signalCode).toBe("SIGXCPU");
  },
  60_000,
);

test.skipIf(!linux)(
  "the processor time of a child grows with each request and never ends an honest one",
  async () => {
    let pid = 0;
    const sandbox = await createSandbox({ require: "process", children: 1 }, (event) => {
      if (event.type === "sandbox" && event.what === "child_started")
        pid = Number(event.detail.split(" ")[1]);
    });
    const source = "function spin(n) { let x = 0; for (let i = 0; i < n; i++) x += i % 7; return x; }";
    const session = await sandbox.open({ name: "spin.js", source });
    const { hard } = processorLimit(process.pid);
    const limits = { timeoutMs: 60_000 };
    const first = await session.call("spin", [1], { limits: { timeoutMs: 200 } });
    const early = processorLimit(pid);
    const second = await session.call("spin", [1], { limits });
    const late = processorLimit(pid);
    await sandbox.close();
    expect([first.ok, second.ok]).toEqual([true, true]);
    // Half a minute and some seconds for the short call, minutes for the long one.
    expect(Number(early.soft)).toBeGreaterThanOrEqual(30);
    expect(Number(early.soft)).toBeLessThan(60);
    expect(Number(late.soft)).toBeGreaterThanOrEqual(180);
    expect(late.hard).toBe(hard);
  },
);

test("a child that was given a log's worth of text is replaced, and no call is lost", async () => {
  const retired: string[] = [];
  const sandbox = await createSandbox({ require: "process", children: 1 }, (event) => {
    if (event.type === "sandbox" && event.what === "child_retired") retired.push(event.detail);
  });
  const session = await sandbox.open({ name: "a.js", source: "function size(text) { return text.length; }" });
  const text = new RawText(Buffer.alloc(50 * 1024 * 1024, "x"));
  const limits = { timeoutMs: 30_000 };
  for (let i = 0; i < 4; i += 1) {
    expect(retired).toEqual([]);
    expect(await session.call("size", [text], { limits })).toMatchObject({ ok: true, value: text.length });
  }
  expect(retired).toHaveLength(1);
  expect(await session.call("size", ["abc"])).toMatchObject({ ok: true, value: 3 });
  await sandbox.close();
}, 60_000);
