// Atoms that use much memory, by the way they use it. Hostile ones grow until something stops them, or return as much
// as a result may hold; legal ones need a given share of their limit and no more.

/** Name and source of an atom with a function `run`. */
export interface Shape {
  name: string;
  source: string;
}

const run = (name: string, body: string): Shape => ({ name, source: `function run() { ${body} }` });

/** Grow without end inside the isolate. */
export const ENDLESS: Shape[] = [
  run("object with ever more keys", `const o = {}; for (let i = 0; ; i++) o["k" + i] = i;`),
  run("object with number keys far apart", `const o = {}; for (let i = 0; ; i++) o[i * 5003] = i;`),
  run(
    "objects with a thousand keys each",
    `const a = []; for (;;) { const o = {}; for (let i = 0; i < 1000; i++) o["k" + a.length + "_" + i] = i; a.push(o); }`,
  ),
  run("small objects", `const a = []; for (let i = 0; ; i++) a.push({ i, text: "t" + i, list: [i] });`),
  run("Map of numbers", `const m = new Map(); for (let i = 0; ; i++) m.set(i, i);`),
  run("Map of strings", `const m = new Map(); for (let i = 0; ; i++) m.set("k" + i, { i });`),
  run("Set of strings", `const s = new Set(); for (let i = 0; ; i++) s.add("k" + i);`),
  run("WeakMap", `const a = [], w = new WeakMap(); for (;;) { const k = {}; a.push(k); w.set(k, { k }); }`),
  run("array that is pushed to", `const a = []; for (let i = 0; ; i++) a.push(i + 0.5);`),
  run("arrays of numbers", `const a = []; for (;;) a.push(new Array(10000).fill(1.5));`),
  run("one array of 480 MB", `return Array(6e7).fill().length;`),
  run("arrays that double", `let a = [1.5]; for (;;) a = a.concat(a);`),
  run(
    "tables of rows",
    `const t = []; for (let r = 0; ; r++) { const row = []; for (let c = 0; c < 50; c++) row.push("r" + r + "c" + c); t.push(row); }`,
  ),
  run("typed arrays, written", `const a = []; for (;;) a.push(new Float64Array(1e6).fill(1));`),
  run("typed arrays, small", `const a = []; for (;;) a.push(new Uint8Array(100).fill(1));`),
  run("one typed array of 8 GB", `return new Float64Array(1e9).fill(1).length;`),
  run(
    "resizable buffers",
    `const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 31 }); b.resize(2 ** 31); new Uint8Array(b).fill(1); a.push(b); }`,
  ),
  run(
    "resizable buffers, caught",
    `const a = []; for (let n = 2 ** 31; ; ) { try { const b = new ArrayBuffer(8, { maxByteLength: n }); b.resize(n); new Uint8Array(b).fill(1); a.push(b); } catch { n = Math.max(4096, n / 2); } }`,
  ),
  run(
    "transferred buffers",
    `const a = []; for (;;) { const b = new ArrayBuffer(1024).transfer(2 ** 28); new Uint8Array(b).fill(1); a.push(b); }`,
  ),
  run(
    "strings by repetition",
    `const a = []; for (let i = 0; ; i++) a.push(("x" + i).repeat(1000).toUpperCase());`,
  ),
  run(
    "string by concatenation",
    `let s = ""; const a = []; for (let i = 0; ; i++) { s += "line " + i + "\\n"; if (i % 100000 === 0) a.push(s.toUpperCase()); }`,
  ),
  run(
    "rope of 512 MB made flat",
    `let s = "xy"; for (let i = 0; i < 27; i++) s += s; const a = []; for (;;) a.push((s + a.length).toUpperCase());`,
  ),
  run(
    "slices of two-byte strings",
    `const a = []; let s = "\\u4e00".repeat(1e6); for (let i = 0; ; i++) a.push((s + i).split("").join("-"));`,
  ),
  run("join of 512 MB", `return Array(2 ** 27).join("abcd").length;`),
  run("replacement of 10 GB", `return "x".repeat(1e5).replace(/x/g, "y".repeat(1e5)).length;`),
  run("split of a long string", `const a = []; for (;;) a.push("x".repeat(2e7).split(""));`),
  run(
    "matches of a regular expression",
    `const s = "ab12 ".repeat(1e6), a = []; for (;;) a.push([...s.matchAll(/([a-z]+)(\\d+)/g)]);`,
  ),
  run(
    "named groups",
    `const s = "ab12 ".repeat(1e5), a = []; for (;;) for (const m of s.matchAll(/(?<word>[a-z]+)(?<number>\\d+)/g)) a.push(m.groups);`,
  ),
  run(
    "matches of re.finditer",
    `const s = "ab12 ".repeat(1e6), a = []; for (;;) a.push([...re.finditer("([a-z]+)(\\\\d+)", s)]);`,
  ),
  run(
    "compiled patterns",
    `const a = []; for (let i = 0; ; i++) { const r = new RegExp("(a|b){1,50}".repeat(20) + i); r.test("x"); a.push(r); }`,
  ),
  run("one huge pattern", `return new RegExp("(a|b){1,1000}".repeat(2000)).test("ab".repeat(1e5));`),
  run(
    "JSON.parse of many keys",
    `const parts = []; for (let i = 0; i < 3e6; i++) parts.push('"k' + i + '":' + i); const text = "{" + parts.join() + "}"; const a = []; for (;;) a.push(JSON.parse(text));`,
  ),
  run(
    "JSON.parse of nested lists",
    `const text = "[" + "[],".repeat(1e7) + "[]]"; const a = []; for (;;) a.push(JSON.parse(text));`,
  ),
  run(
    "JSON.stringify of a large value",
    `const v = Array.from({ length: 1e6 }, (_, i) => ({ i, text: "line " + i })); const a = []; for (;;) a.push(JSON.stringify(v));`,
  ),
  run("closures", `let f = () => 0; for (;;) { const g = f; f = () => [g, 1, 2, 3]; }`),
  run("promises", `const a = []; for (;;) a.push(new Promise(() => {}).then(() => {}));`),
  run(
    "suspended functions",
    `const a = []; async function f() { const x = new Array(1000).fill(1); await new Promise(() => {}); return x; } for (;;) a.push(f());`,
  ),
  run(
    "generators",
    `const a = []; function* g(x) { yield x; } for (let i = 0; ; i++) { const n = g({ i }); n.next(); a.push(n); }`,
  ),
  run("registered symbols", `for (let i = 0; ; i++) Symbol.for("k".repeat(1000) + i);`),
  run(
    "big integers",
    `let x = 3n; const a = []; for (;;) { x = x * x; a.push(x); if (a.length > 20) x = 3n; }`,
  ),
  run("deep lists", `let x = []; for (;;) x = [x, x];`),
  run("bound functions", `let f = () => 0; for (;;) f = f.bind(null, 1, 2, 3);`),
  run("proxies", `const a = []; for (;;) a.push(new Proxy({}, { get: () => 1 }));`),
  run(
    "hidden classes",
    `const a = []; for (let i = 0; ; i++) { const o = {}; o["a" + i] = 1; o["b" + i] = 2; o["c" + i] = 3; a.push(o); }`,
  ),
  run("errors with stacks", `const a = []; for (;;) a.push(new Error("x".repeat(1000)));`),
  run(
    "spread arguments",
    `const a = []; const f = (...x) => x; for (;;) a.push(f(...new Array(50000).fill(1)));`,
  ),
  run(
    "sorted copies",
    `const v = Array.from({ length: 1e6 }, (_, i) => i * 7919 % 1e6); const a = []; for (;;) a.push(v.toSorted());`,
  ),
  run("globals", `for (let i = 0; ; i++) globalThis["g" + i] = [i];`),
  run(
    "getter while the result is written",
    `return { get a() { const o = {}; for (let i = 0; ; i++) o["k" + i] = i; } };`,
  ),
  run(
    "memory left in the error",
    `const o = {}; for (let i = 0; ; i++) { o["k" + i] = "v" + i; if (i === 2e6) throw Object.assign(new Error("x".repeat(1e7)), { o }); }`,
  ),
];

/** Return results close to what a result may hold: 64 MiB, a million records. */
export const LARGE_RESULTS: Shape[] = [
  run("one long string", `return "x".repeat(6e7);`),
  run("one long two-byte string", `return "\\u4e00".repeat(6e7);`),
  run("one string that JSON escapes", `return "\\u0001".repeat(1e7);`),
  run("million records", `return Array.from({ length: 1e6 }, (_, i) => ({ i, text: "line " + i }));`),
  run(
    "million records of many fields",
    `return Array.from({ length: 2.5e5 }, (_, i) => ({ a: i, b: i, c: i, d: i, e: i, f: i, g: "x" + i, h: [i], j: { i } }));`,
  ),
  run("records with long values", `return Array.from({ length: 60 }, () => ({ text: "x".repeat(1e6) }));`),
  run("object of many keys", `const o = {}; for (let i = 0; i < 1e6; i++) o["k" + i] = i; return o;`),
  run(
    "object of three million keys",
    `const o = {}; for (let i = 0; i < 3e6; i++) o["k" + i] = i; return o;`,
  ),
  run(
    "objects of many keys",
    `return Array.from({ length: 1000 }, (_, r) => { const o = {}; for (let i = 0; i < 1500; i++) o["k" + r + "_" + i] = i; return o; });`,
  ),
  run("list of small numbers", `return [new Array(3e7).fill(1)];`),
  run("one object many times", `const o = {}; return [new Array(2e7).fill(o)];`),
  run("one list many times", `const o = []; return [new Array(2e7).fill(o)];`),
  run("one record many times", `const o = { a: 1 }; return [new Array(7e6).fill(o)];`),
  run(
    "one record of many keys many times",
    `const o = {}; for (let i = 0; i < 1000; i++) o["k" + i] = i; return [new Array(5000).fill(o)];`,
  ),
  run("empty strings", `return [new Array(2e7).fill("")];`),
  run("doubling tree", `let t = [1]; for (let i = 0; i < 22; i++) t = [t, t]; return t;`),
  run("doubling tree of objects", `let t = {}; for (let i = 0; i < 21; i++) t = { a: t, b: t }; return t;`),
  run(
    "table of cells",
    `return Array.from({ length: 1e5 }, (_, r) => Array.from({ length: 50 }, (_, c) => r + c));`,
  ),
];

/** Hold about the given number of bytes at once and return a number. */
export function legalShapes(bytes: number): Shape[] {
  const count = (each: number) => Math.floor(bytes / each);
  return [
    run(
      "small objects",
      `const a = new Array(${count(64)}); for (let i = 0; i < a.length; i++) a[i] = { i, j: i, k: i }; return a.length;`,
    ),
    run(
      "lists of numbers",
      `const a = []; for (let i = 0; i < ${count(8032)}; i++) a.push(new Array(1000).fill(1.5)); return a.length;`,
    ),
    run(
      "strings",
      `const a = []; for (let i = 0; i < ${count(1040)}; i++) a.push(("x" + i).padEnd(1000).toUpperCase()); return a.length;`,
    ),
    run(
      "typed arrays",
      `const a = []; for (let i = 0; i < ${count(80100)}; i++) a.push(new Float64Array(10000).fill(1)); return a.length;`,
    ),
    run(
      "objects with many keys",
      `const a = []; for (let i = 0; i < ${count(16000)}; i++) { const o = {}; for (let k = 0; k < 200; k++) o["k" + k] = { i }; a.push(o); } return a.length;`,
    ),
    run(
      "lines of a text",
      `const a = []; const line = "a line of a log with some words in it\\n".repeat(1000); for (let i = 0; i < ${count(38000 + 48000)}; i++) a.push((line + i).split("\\n")); return a.length;`,
    ),
    run(
      "garbage",
      `let n = 0; for (let r = 0; r < 20; r++) { const a = []; for (let i = 0; i < ${count(8032 * 2)}; i++) a.push(new Array(1000).fill(1.5)); n += a.length; } return n;`,
    ),
  ];
}
