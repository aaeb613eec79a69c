// The wire and the state machine behind it: whatever a child sends that it should not makes it dead, with a
// structured failure; the parent never believes it, never hangs and never throws.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RequestReader } from "../../sandbox/child/requests.ts";
import { createSandbox } from "../../sandbox/index.ts";
import { Child } from "../../sandbox/parent/child.ts";
import { readOutcome } from "../../sandbox/parent/outcomes.ts";
import { encodeArguments } from "../../sandbox/parent/request.ts";
import { encodeFrame, FrameReader, PROTOCOL, type RunRequest } from "../../sandbox/protocol.ts";
import { DEFAULT_CALL_LIMITS, RawText } from "../../sandbox/types.ts";

const folder = mkdtempSync(join(tmpdir(), "atomsmith-protocol-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bytes(header: object, body: Uint8Array[] = []): Uint8Array {
  return Buffer.concat(encodeFrame(header, body));
}

test("frames survive any cutting of the stream", () => {
  const stream = Buffer.concat([
    bytes({ a: 1 }),
    bytes({ b: "ü" }, [Buffer.from("body")]),
    bytes({ c: 3 }, [new Uint8Array(5000)]),
  ]);
  const large = bytes({ d: 4 }, [new Uint8Array(3_000_000).map((_, i) => i % 251)]);
  for (const step of [70_000, 1_500_000, large.length, large.length + 50]) {
    const reader = new FrameReader(() => 10_000_000);
    const both = Buffer.concat([large, stream]);
    const frames = [];
    for (let at = 0; at < both.length; at += step) frames.push(...reader.push(both.subarray(at, at + step)));
    expect(frames.map((f) => f.header)).toEqual([{ d: 4 }, { a: 1 }, { b: "ü" }, { c: 3 }]);
    expect(frames[0]?.body.every((byte, i) => byte === i % 251)).toBe(true);
  }
  for (const step of [1, 2, 7, 11, 12, 13, 100, 4096, stream.length]) {
    const reader = new FrameReader(() => 10_000);
    const frames = [];
    for (let at = 0; at < stream.length; at += step)
      frames.push(...reader.push(stream.subarray(at, at + step)));
    expect(frames.map((f) => f.header)).toEqual([{ a: 1 }, { b: "ü" }, { c: 3 }]);
    expect(frames.map((f) => f.body.length)).toEqual([0, 4, 5000]);
  }
});

test("a stream that is none, or too large, is refused before it is read", () => {
  const reader = () => new FrameReader(() => 100);
  expect(() => reader().push(Buffer.from("hello, this is no frame"))).toThrow("not a frame");
  expect(() => reader().push(bytes({}, [new Uint8Array(101)]).subarray(0, 12))).toThrow(
    "a body of 101 bytes",
  );
  expect(() => reader().push(bytes({ x: "y".repeat(5e6) }).subarray(0, 12))).toThrow("a header of");
});

test("arguments travel as JSON, long texts raw in one or two bytes per character", () => {
  const long = "x".repeat(5000);
  const wide = "€".repeat(5000);
  const encoded = encodeArguments([
    ["short", long],
    [wide, { text: long }],
  ]);
  expect(encoded.raws).toEqual([
    { list: 0, arg: 1, encoding: "latin1", bytes: 5000 },
    { list: 1, arg: 0, encoding: "utf16le", bytes: 10_000 },
  ]);
  const given = encodeArguments([[new RawText(Buffer.from("caf\xe9", "latin1")), "b"]]);
  expect(given.raws).toEqual([{ list: 0, arg: 0, encoding: "latin1", bytes: 4 }]);
  expect(Buffer.from(given.body[1] ?? []).toString("latin1")).toBe("café");
  expect(Buffer.from(encoded.body[0] ?? []).toString()).toBe(`["short",null]\n[null,{"text":"${long}"}]`);
});

describe("outcome lines", () => {
  const limits = { ...DEFAULT_CALL_LIMITS, maxDepth: 3, maxRecords: 3, maxResultBytes: 50 };
  test.each([
    "",
    "v",
    "v1",
    "x1 1",
    "v-1 1",
    "v1 {",
    "v1 [[[[1]]]]",
    "v1 [1,2,3,4]",
    `v1 "${"x".repeat(60)}"`,
    'e1 {"kind":"crashed","message":"x"}',
    'e1 {"kind":"threw"}',
    'e1 {"kind":"threw","message":"x","extra":1}',
  ])("%p is a violation", (line) => {
    expect(() => readOutcome(line, limits)).toThrow();
  });
});

/** A child that greets, waits for the first byte of a request and then runs `answer`. */
function rogue(name: string, answer: string, greeting: object = {}): Child {
  const path = join(folder, `${name.replace(/\W/g, "-")}.ts`);
  const protocol = join(import.meta.dirname, "../../sandbox/protocol.ts");
  const hello = { type: "hello", protocol: PROTOCOL, node: "v0", v8: "0", isolatedVm: true, ...greeting };
  writeFileSync(
    path,
    `import { readSync, writeSync } from "node:fs";
     import { encodeFrame } from ${JSON.stringify(protocol)};
     const send = (header: object, body = "") => { for (const c of encodeFrame(header, [Buffer.from(body)])) writeSync(1, c); };
     const part = (fields: object, body: string) => send({ type: "part", id: 7, from: 0, count: 1, last: true, ...fields }, body);
     send(${JSON.stringify(hello)});
     readSync(0, Buffer.alloc(1));
     ${answer}
     setTimeout(() => process.exit(0), 60_000);`,
  );
  return new Child({ command: [process.execPath, path], env: {}, cwd: folder });
}

const request: RunRequest = {
  type: "run",
  id: 7,
  session: 1,
  name: "a.js",
  fn: "f",
  count: 1,
  known: false,
  sourceBytes: 0,
  argsBytes: 2,
  raws: [],
  limits: { ...DEFAULT_CALL_LIMITS, timeoutMs: 300, maxResultBytes: 1000 },
  fresh: false,
  halt: false,
  batch: 1,
  drop: [],
};

describe("a child that", () => {
  test.each<[string, string, string]>([
    ["sends garbage", 'writeSync(1, "garbage garbage garbage");', "protocol"],
    ["answers another request", "part({ id: 8 }, 'v1 1');", "protocol"],
    ["answers from the middle", "part({ from: 1 }, 'v1 1');", "protocol"],
    ["answers too much", "part({ count: 2 }, 'v1 1\\nv1 2');", "protocol"],
    ["ends without an answer", "part({ count: 0 }, '');", "protocol"],
    ["counts wrongly", "part({ count: 1 }, 'v1 1\\nv1 2');", "protocol"],
    ["sends another kind of frame", "send({ type: 'other' });", "protocol"],
    ["greets twice", "send({ type: 'hello', protocol: 1, node: '', v8: '', isolatedVm: true });", "protocol"],
    [
      "announces a body without end",
      "writeSync(1, Buffer.from([65,83,77,49,2,0,0,0,255,255,255,255]));",
      "protocol",
    ],
    ["says nothing", "", "timeout"],
    ["sends empty parts for ever", "setInterval(() => part({ count: 0, last: false }, ''), 100);", "timeout"],
    ["dies", "process.exit(3);", "crashed"],
    [
      "runs out of memory",
      "writeSync(2, 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'); process.exit(134);",
      "memory",
    ],
  ])("%s is dead", async (name, answer, kind) => {
    const child = rogue(name, answer);
    expect(await child.ready).toBeUndefined();
    const lines: string[] = [];
    const death = await child.run(request, [Buffer.from("[]")], (more) => lines.push(...more));
    expect(death?.kind).toBe(kind as never);
    expect(child.dead).toBe(true);
    expect(lines).toEqual([]);
    await child.exited;
  });

  test("dies while a large request is on its way to it is dead, and nothing is thrown elsewhere", async () => {
    const stray: unknown[] = [];
    const note = (reason: unknown): void => {
      stray.push(reason);
    };
    process.on("unhandledRejection", note);
    try {
      for (let round = 0; round < 5; round += 1) {
        const child = rogue(`broken pipe ${round}`, "process.kill(process.pid, 'SIGKILL');");
        expect(await child.ready).toBeUndefined();
        const bodies = Array.from({ length: 16 }, () => Buffer.alloc(4 * 1024 * 1024));
        const death = await child.run(request, bodies, () => {});
        expect(death?.kind).toBe("crashed");
        await child.exited;
      }
      await Bun.sleep(0);
      expect(stray).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  test("speaks another protocol never becomes ready", async () => {
    const child = rogue("version", "", { protocol: PROTOCOL + 1 });
    expect(await child.ready).toMatchObject({ kind: "protocol" });
    await child.exited;
  });

  test("cannot be started is a failure with the reason", async () => {
    const child = new Child({
      command: [process.execPath, join(folder, "missing.ts")],
      env: {},
      cwd: folder,
    });
    expect(await child.ready).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("missing.ts"),
    });
  });
});

test("a child that is killed from outside in the middle of a call is replaced and the call made again", async () => {
  const pids: number[] = [];
  const sandbox = await createSandbox({ require: "process", children: 1 }, (event) => {
    const pid = event.type === "sandbox" ? /^process (\d+)$/.exec(event.detail)?.[1] : undefined;
    if (pid !== undefined) pids.push(Number(pid));
  });
  const source = "function spin(n) { let x = 0; for (let i = 0; i < n; i++) x += i % 7; return x; }";
  const session = await sandbox.open({ name: "spin.js", source });
  const expected = await session.call("spin", [3_000_000]);
  const call = session.call("spin", [3_000_000]);
  await Bun.sleep(30);
  process.kill(pids.at(-1) ?? 0, "SIGKILL");
  const outcome = await call;
  expect(outcome.ok && expected.ok && outcome.value === expected.value).toBe(true);
  await sandbox.close();
});

test("after close every call says so", async () => {
  const sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
  const session = await sandbox.open({ name: "a.js", source: "function f() { return 1; }" });
  const running = session.call("f", []);
  await running;
  await sandbox.close();
  expect(await session.call("f", [])).toMatchObject({ ok: false, error: { kind: "unavailable" } });
});

describe("the child's reader of requests", () => {
  const stream = Buffer.concat([
    bytes({ a: 1 }),
    bytes({ b: 2 }, [new Uint8Array(200_000).map((_, i) => i % 251)]),
    bytes({ c: 3 }, [Buffer.from("body")]),
    bytes({ d: 4 }, [new Uint8Array(14_000_000).fill(7)]),
    bytes({ e: 5 }, [Buffer.from("end")]),
  ]);
  test.each([1000, 65_536, 250_001, stream.length])("gives each whole, %p bytes at a time", (step) => {
    let at = 0;
    const requests = new RequestReader((target) => {
      const count = Math.min(step, target.byteLength, stream.length - at);
      target.set(stream.subarray(at, at + count));
      at += count;
      return count;
    });
    const seen: unknown[] = [];
    for (let frame = requests.next(); frame !== undefined; frame = requests.next()) {
      const { body } = frame;
      seen.push([frame.header, body.length, body[0] ?? 0, body.at(-1) ?? 0]);
    }
    expect(seen).toEqual([
      [{ a: 1 }, 0, 0, 0],
      [{ b: 2 }, 200_000, 0, 199_999 % 251],
      [{ c: 3 }, 4, 98, 121],
      [{ d: 4 }, 14_000_000, 7, 7],
      [{ e: 5 }, 3, 101, 100],
    ]);
  });
});
