// Calls of atoms through a real child: results, failures of every kind, and that the next call always works.
import { beforeAll, expect, test } from "bun:test";
import { createSandbox } from "../../sandbox/index.ts";
import type { AtomSession, Outcome } from "../../sandbox/types.ts";
import { sharedSandbox } from "../support/sandbox.ts";

const SOURCE = `
const FACTOR = 2;
function twice(x) { return x * FACTOR; }
function boom() {
  throw new TypeError("no good");
}
function loop() { for (;;) {} }
function hog() { const a = []; for (;;) a.push(new Array(10000).fill(1.5)); }
function nothing() {}
function notANumber() { return [{ a: [1, NaN] }]; }
function promise() { return Promise.resolve(1); }
function fn() { return { a: () => 1 }; }
function map() { return new Map(); }
function big() { return 10n; }
function cycle() { const a = {}; a.a = a; return a; }
function proto() { return JSON.parse('{"__proto__": {"admin": true}}'); }
function same(...args) { return args; }
function size(text) { return text.length; }
function sometimes(x) { if (x === 7) for (;;) {} return x; }
function fatal(x) { if (x === 3) return Array(6e8).fill(); return x; }
const arrow = (x) => x + 1;
let counter = 0;
function count() { counter += 1; return counter; }
`;
const limits = { timeoutMs: 1000, memoryMb: 64 };
let atom: AtomSession;

beforeAll(async () => {
  atom = await (await sharedSandbox()).open({ name: "atom.js", source: SOURCE });
});

function kindOf(outcome: Outcome): string {
  return outcome.ok ? "ok" : outcome.error.kind;
}

test("a call gives the value as JSON", async () => {
  const outcome = await atom.call("same", [1, "ü€😀", null, true, { a: [1.5] }, "\ud800"]);
  expect(outcome).toMatchObject({ ok: true, value: [1, "ü€😀", null, true, { a: [1.5] }, "\ud800"] });
  expect(await atom.call("twice", [21])).toMatchObject({ ok: true, value: 42 });
  expect(await atom.call("arrow", [1])).toMatchObject({ ok: true, value: 2 });
});

test("what an atom throws comes back with name, message and line", async () => {
  expect(await atom.call("boom", [])).toMatchObject({
    ok: false,
    error: { kind: "threw", name: "TypeError", message: "no good", line: 5 },
  });
});

test.each(["nothing", "notANumber", "promise", "fn", "map", "big"])("%s is no result", async (fn) => {
  expect(kindOf(await atom.call(fn, []))).toBe("result_invalid");
});

test("a result that contains itself is refused", async () => {
  expect(kindOf(await atom.call("cycle", []))).toBe("result_too_large");
});

test("limits of time and memory hold, and the next call works", async () => {
  expect(kindOf(await atom.call("loop", [], { limits }))).toBe("timeout");
  expect(kindOf(await atom.call("hog", [], { limits }))).toBe("memory");
  expect(kindOf(await atom.call("missing", []))).toBe("missing_function");
  expect(await atom.call("twice", [1])).toMatchObject({ ok: true, value: 2 });
});

test("__proto__ is data and nothing is inherited", async () => {
  const outcome = await atom.call("proto", []);
  if (!outcome.ok) throw new Error(outcome.error.message);
  const value = outcome.value as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(value["admin"]).toBeUndefined();
});

test("in a batch only the guilty call fails, whether it hangs or kills the child", async () => {
  const lists = Array.from({ length: 12 }, (_, i) => [i]);
  const slow = await atom.callMany("sometimes", lists, { limits: { timeoutMs: 300 } });
  expect(slow.map(kindOf)).toEqual(lists.map(([i]) => (i === 7 ? "timeout" : "ok")));
  expect(slow.map((o) => (o.ok ? o.value : -1))).toEqual(lists.map(([i]) => (i === 7 ? -1 : (i ?? 0))));
  const fatal = await atom.callMany("fatal", lists.slice(0, 6), { limits });
  expect(fatal.map((o) => o.ok)).toEqual([true, true, true, false, true, true]);
}, 20_000);

test("thousands of calls keep their order", async () => {
  const lists = Array.from({ length: 5000 }, (_, i) => [i]);
  const outcomes = await atom.callMany("twice", lists);
  expect(outcomes.map((o) => (o.ok ? o.value : null))).toEqual(lists.map(([i]) => 2 * (i ?? 0)));
});

test("long texts arrive whole, whatever their characters", async () => {
  for (const text of ["x".repeat(3_000_000), "é".repeat(50_000), `${"y".repeat(100_000)}😀\ud800`]) {
    expect(await atom.call("size", [text])).toMatchObject({ ok: true, value: text.length });
    expect(await atom.call("same", [text])).toMatchObject({ ok: true, value: [text] });
  }
});

test("a long text does not count against the memory of the atom", async () => {
  const text = "slack 0.125 met\n".repeat(4_000_000);
  const small = { memoryMb: 32, timeoutMs: 20_000 };
  expect(await atom.call("size", [text], { limits: small })).toMatchObject({ ok: true, value: text.length });
  expect(kindOf(await atom.call("hog", [], { limits: { ...small, timeoutMs: 5_000 } }))).toBe("memory");
}, 60_000);

test("fresh runs in an isolate nothing has run in", async () => {
  const values: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const outcome = await atom.call("count", [], { fresh: true });
    values.push(outcome.ok ? outcome.value : outcome.error);
  }
  expect(values).toEqual([1, 1, 1]);
});

/** What an atom can leave behind where it runs: variables, built-ins, prototypes, the last match, caches. */
const LITTER = `
let seen = 0;
const tag = (parts) => parts;
function litter() {
  seen += 1;
  globalThis.left = seen;
  Array.prototype.left = () => 1;
  RegExp.prototype.test = () => "patched";
  tag\`x\`;
  Object.prototype.polluted = "yes";
  /(a+)/.exec("xaay");
  return look();
}
function look() {
  return [seen, typeof globalThis.left, typeof Array.prototype.left, /a/.test("b"), RegExp.$1, typeof {}.polluted];
}
function spin() { for (;;) {} }
`;
const DIRTY = [1, "number", "function", "patched", "aa", "string"];
const CLEAN = [0, "undefined", "undefined", false, "", "undefined"];

test("sessions of one source share nothing, one after the other and side by side", async () => {
  const sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
  try {
    const open = (): Promise<AtomSession> => sandbox.open({ name: "atom.js", source: LITTER });
    const first = await open();
    const beside = await open();
    expect(await first.call("litter", [])).toMatchObject({ ok: true, value: DIRTY });
    expect(await beside.call("look", [])).toMatchObject({ ok: true, value: CLEAN });
    await first.close();
    const after = await open();
    expect(await after.call("look", [])).toMatchObject({ ok: true, value: CLEAN });
    // The isolate goes with the call that hangs; whoever else was in it goes on in another one.
    expect(kindOf(await after.call("spin", [], { limits: { timeoutMs: 200 } }))).toBe("timeout");
    expect(await beside.call("look", [])).toMatchObject({ ok: true, value: CLEAN });
    expect(await after.call("look", [])).toMatchObject({ ok: true, value: CLEAN });
  } finally {
    await sandbox.close();
  }
});

test("a program that does not compile answers every call with syntax", async () => {
  const sandbox = await sharedSandbox();
  const bad = await sandbox.open({ name: "bad.js", source: "function f() {}\nfunction g( {" });
  for (const outcome of await bad.callMany("f", [[], []])) {
    expect(outcome).toMatchObject({ ok: false, error: { kind: "syntax", line: 2 } });
  }
  await bad.close();
});

test("a top level that throws says where", async () => {
  const sandbox = await sharedSandbox();
  const bad = await sandbox.open({ name: "bad.js", source: "function f() {}\n\nnull.x;" });
  expect(await bad.call("f", [])).toMatchObject({ ok: false, error: { kind: "threw", line: 3 } });
});

test("there is no clock, no randomness and nothing of the host", async () => {
  const sandbox = await sharedSandbox();
  const names = [
    "Date",
    "WebAssembly",
    "SharedArrayBuffer",
    "process",
    "require",
    "setTimeout",
    "fetch",
    "console",
  ];
  const source = `function seen() { return [${names.map((n) => `typeof ${n}`).join()}, typeof Math.random]; }`;
  const probe = await sandbox.open({ name: "probe.js", source });
  const outcome = await probe.call("seen", []);
  expect(outcome).toMatchObject({ ok: true, value: [...names, ""].map(() => "undefined") });
});

test("many sessions at once do not mix", async () => {
  const sandbox = await sharedSandbox();
  const results = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const session = await sandbox.open({
        name: `a${i}.js`,
        source: `function me(x) { return x + ${i * 1000}; }`,
      });
      const outcomes = await Promise.all([1, 2, 3].map((x) => session.call("me", [x])));
      await session.close();
      return outcomes.map((o) => (o.ok ? o.value : null));
    }),
  );
  expect(results).toEqual(Array.from({ length: 30 }, (_, i) => [1, 2, 3].map((x) => x + i * 1000)));
});
