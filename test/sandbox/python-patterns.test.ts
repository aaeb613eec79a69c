// `re` and `fnmatch` inside the sandbox, in Python's dialect.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { AtomSession } from "../../sandbox/types.ts";
import { sharedSandbox } from "../support/sandbox.ts";

const SOURCE = `
function search(p, t, f) { const m = re.search(p, t, f); return m === null ? null : [m.group(), m.groups(), m.groupdict(), m.span()]; }
function spans(p, t) { const m = re.search(p, t); return [...m.groups().keys()].map((i) => m.span(i + 1)); }
function indexed(p, t, ...at) { const m = re.search(p, t); return at.map((i) => (m[i] === undefined ? "-" : m[i])); }
function match(p, t) { const m = re.match(p, t); return m === null ? null : m.group(); }
function full(p, t) { const m = re.fullmatch(p, t); return m === null ? null : m.group(); }
function all(p, t) { const out = []; for (const m of re.finditer(p, t)) out.push([m.group(0), m.start(), m.end()]); return out; }
function glob(t, p) { return fnmatch.fnmatchcase(t, p); }
function corpus(p, ts) {
  const all = (m) => (m === null ? null : [m.group(), ...m.groups()]);
  let c;
  try { c = re.compile(p); } catch (e) { return e.message; }
  return ts.map((t) => [t, all(c.search(t)), all(c.match(t)), all(c.fullmatch(t))]);
}
function globs(p, ts) { return ts.map((t) => fnmatch.fnmatchcase(t, p)); }
function error(p) { try { re.search(p, ""); return null; } catch (e) { return e.name + ": " + e.message; } }
`;
let atom: AtomSession;
beforeAll(async () => {
  atom = await (await sharedSandbox()).open({ name: "re.js", source: SOURCE });
});

async function value(fn: string, ...args: string[]): Promise<unknown> {
  const outcome = await atom.call(fn, args);
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

test.each([
  ["(?i)error", "an ERROR", ["ERROR", [], {}, [3, 8]]],
  ["(?P<k>\\w+)=(?P<v>\\d+)?", "x slack=", ["slack=", ["slack", null], { k: "slack", v: null }, [2, 8]]],
  ["(?P<q>['\"])(.*?)(?P=q)", "say 'hi'", ["'hi'", ["'", "hi"], { q: "'" }, [4, 8]]],
  ["(?s)a.b", "a\nb", ["a\nb", [], {}, [0, 3]]],
  ["(?m)^b$", "a\nb\nc", ["b", [], {}, [2, 3]]],
  ["(?x) a \\  b  # spaced", "xa b", ["a b", [], {}, [1, 4]]],
  ["a{,2}b", "aaab", ["aab", [], {}, [1, 4]]],
  ["b$", "ab\n", ["b", [], {}, [1, 2]]],
])("search %p in %p", async (pattern, text, expected) => {
  expect(await value("search", pattern, text)).toEqual(expected as never);
});

test("anchors are Python's", async () => {
  expect(await value("search", "b\\Z", "ab\n")).toBeNull();
  expect(await value("search", "b$", "ab\n\n")).toBeNull();
  expect(await value("search", "\\Ab", "ab")).toBeNull();
  expect(await value("search", "(?m)^b", "a\rb")).toBeNull();
  expect(await value("match", "b", "ab")).toBeNull();
  expect(await value("full", "a|ab", "ab")).toBe("ab");
});

test("classes are Unicode-aware", async () => {
  expect(await value("full", "\\w+", "größe_٣中")).toBe("größe_٣中");
  expect(await value("full", "\\d+", "٣4")).toBe("٣4");
  expect(await value("full", "\\s+", "\u00a0\u2003\u001c")).toBe("\u00a0\u2003\u001c");
  expect(await value("full", "(?a)\\w+", "größe")).toBeNull();
  expect(await value("full", "a.c", "a😀c")).toBe("a😀c");
});

test("case is ignored where the pattern says so, and nowhere else", async () => {
  // V8's own modifiers would match here.
  expect(await value("full", "(?i:x*)??[]a]", "A")).toBeNull();
  expect(await value("full", "(?i:Error): [a-c]+", "ERROR: abc")).toBe("ERROR: abc");
  expect(await value("full", "(?i:Error): [a-c]+", "ERROR: ABC")).toBeNull();
  expect(await value("full", "(?i)[a-c]x(?-i:[a-c]y)", "BXby")).toBe("BXby");
  expect(await value("full", "(?i)[a-c]x(?-i:[a-c]y)", "BXBy")).toBeNull();
  expect(await value("full", "(?i)STRASSE|größe|\u0131", "GRÖSSE")).toBeNull();
  expect(await value("full", "(?i)größe", "GRÖẞE")).toBe("GRÖẞE");
  expect(await value("full", "(?i)\u0131", "I")).toBe("I");
});

test("positions and groups", async () => {
  expect(await value("spans", "(a)(x)?(b)", "  ab")).toEqual([
    [2, 3],
    [-1, -1],
    [3, 4],
  ]);
  expect(await value("all", "a*", "baa")).toEqual([
    ["", 0, 0],
    ["aa", 1, 3],
    ["", 3, 3],
  ]);
});

test("m[1] is m.group(1), whatever the number", async () => {
  const outcome = await atom.call("indexed", ["(a)(x)?(b)", "ab", 0, 1, 2, 3, 4]);
  expect(outcome).toMatchObject({ ok: true, value: ["ab", "a", null, "b", "-"] });
  const many = await atom.call("indexed", [
    "(.)".repeat(30),
    "abcdefghijklmnopqrstuvwxyz0123",
    20,
    21,
    30,
    31,
  ]);
  expect(many).toMatchObject({ ok: true, value: ["t", "u", "3", "-"] });
});

test.each([
  ["a*+", "possessive quantifier *+ is not supported"],
  ["(?>a)", "atomic group"],
  ["(a)?(?(1)b|c)", "conditional group"],
  ["(a", "missing ), unterminated subpattern at position 0"],
  ["a)", "unbalanced parenthesis at position 1"],
  ["*a", "nothing to repeat at position 0"],
  ["a**", "multiple repeat at position 2"],
  ["[a", "unterminated character set at position 0"],
  ["\\q", "bad escape \\q at position 0"],
  ["(?<n>a)", "unknown extension ?<n at position 1"],
  ["x(?i)", "global flags not at the start of the expression at position 1"],
  ["(?<=a+)b", "look-behind requires fixed-width pattern"],
])("%p is refused: %s", async (pattern, message) => {
  expect(await value("error", pattern)).toStartWith(`PatternError: ${message}`);
});

test.each([
  ["abc.log", "*.log", true],
  ["a\nb", "a*b", true],
  ["ABC", "abc", false],
  ["a1", "a[0-9]", true],
  ["a1", "a[!0-9]", false],
  ["a]", "a[]]", true],
  ["a[", "a[", true],
  ["xaybzc", "*a*b*c", true],
  ["abcab", "*ab", true],
  ["aba", "ab*ba", false],
  ["", "", true],
  ["", "*", true],
])("fnmatchcase(%p, %p) is %p", async (text, pattern, expected) => {
  expect(await value("glob", text, pattern)).toBe(expected);
});

test("a corpus of generated patterns means what it means to CPython 3.11", async () => {
  const cases = (await Bun.file(join(import.meta.dirname, "data/python-patterns.json")).json()) as {
    pattern: string;
    error?: string;
    texts?: [string, ...unknown[]][];
  }[];
  const lists = cases.map((c) => [c.pattern, (c.texts ?? []).map(([text]) => text)]);
  const outcomes = await atom.callMany("corpus", lists);
  const wrong = cases.filter((c, i) => {
    const outcome = outcomes[i];
    return !outcome?.ok || JSON.stringify(outcome.value) !== JSON.stringify(c.error ?? c.texts);
  });
  expect(cases.length).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});

test("a corpus of generated shell patterns means what it means to CPython 3.11", async () => {
  const cases = (await Bun.file(join(import.meta.dirname, "data/python-globs.json")).json()) as [
    string,
    [string, boolean][],
  ][];
  const outcomes = await atom.callMany(
    "globs",
    cases.map(([pattern, texts]) => [pattern, texts.map(([text]) => text)]),
  );
  const wrong = cases.filter(([, texts], i) => {
    const outcome = outcomes[i];
    return !outcome?.ok || JSON.stringify(outcome.value) !== JSON.stringify(texts.map(([, is]) => is));
  });
  expect(wrong).toEqual([]);
});
