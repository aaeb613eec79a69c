// What makes `re` fast must change nothing: looking for a fixed text first, trying line starts only, shorter borders
// of words and other spellings of sets are compared with the plain search, in V8, on random patterns and texts.
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { AtomSession } from "../../sandbox/types.ts";
import { sharedSandbox } from "../support/sandbox.ts";

// `source` and `flags` are what the pattern became; a plain search with them is the reference.
const SOURCE = String.raw`
const all = (m) => (m === null ? null : [m.start(), m.group(), ...m.groups()]);
function plainly(c, text) {
  const plain = new RegExp(c.source, c.flags + "g");
  const out = [];
  for (const m of text.matchAll(plain)) out.push([m.index, ...Array.from(m, (g) => g ?? null)]);
  return out;
}
function compare(pattern, texts) {
  const c = re.compile(pattern);
  for (const text of texts) {
    const expected = plainly(c, text);
    const found = [...re.finditer(pattern, text)].map(all);
    const first = all(re.search(pattern, text));
    if (JSON.stringify([first, found]) !== JSON.stringify([expected[0] ?? null, expected])) return { text, expected, first, found };
  }
  return null;
}
function comparePlain(pattern, texts) {
  const c = re.compile(pattern);
  return texts.map((text) => plainly(c, text).length);
}
function spelledOut(pattern) {
  const word = "[\\p{L}\\p{N}_]";
  const b = "(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))";
  const B = "(?:(?!^$)(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + ")))";
  return new RegExp(pattern.replaceAll("\\b", b).replaceAll("\\B", B).replaceAll("\\w", word), "gu");
}
function bordersPlain(pattern, texts) {
  const plain = spelledOut(pattern);
  return texts.map((text) => Array.from(text.matchAll(plain)).length);
}
function borders(pattern, texts) {
  const plain = spelledOut(pattern);
  for (const text of texts) {
    const expected = Array.from(text.matchAll(plain), (m) => [m.index, m[0]]);
    const found = Array.from(re.finditer(pattern, text), (m) => [m.start(), m.group()]);
    if (JSON.stringify(found) !== JSON.stringify(expected)) return { text, expected, found };
  }
  return null;
}
function differences(...pairs) {
  const every = [];
  for (let code = 0; code <= 0x10ffff; code += 1) if (code < 0xd800 || code > 0xdfff) every.push(String.fromCodePoint(code));
  const text = every.join("");
  const runs = (set) => {
    const pattern = set.replace(/^(\(\?[a-z]+\))?(.*)$/, "$1(?:$2)+");
    return Array.from(re.finditer(pattern, text), (m) => m.span().join("-"));
  };
  return pairs.map(([one, other]) => {
    const [a, b] = [runs(one), runs(other)];
    return [...a.filter((span) => !b.includes(span)), ...b.filter((span) => !a.includes(span))].slice(0, 20);
  });
}
`;
let atom: AtomSession;
beforeAll(async () => {
  atom = await (await sharedSandbox()).open({ name: "shortcuts.js", source: SOURCE });
});

async function value(fn: string, ...args: (string | string[])[]): Promise<unknown> {
  const outcome = await atom.call(fn, args, { limits: { timeoutMs: 30_000 } });
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

const CHARS = [
  "a",
  "b",
  "K",
  "k",
  "s",
  "_",
  "7",
  " ",
  "-",
  "(",
  "\n",
  "é",
  "\u212a",
  "\u017f",
  "😀",
  "I",
  "ı",
  "ab",
  "err:",
];
const escaped = fc.constantFrom(...CHARS).map((text) => text.replace(/[-(]/g, "\\$&").replace("\n", "\\n"));
const one = fc.oneof(
  { weight: 5, arbitrary: escaped },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "\\w",
      "\\d",
      "\\s",
      "\\W",
      ".",
      "[a-k]",
      "[^ab]",
      "[^\\W_]",
      "[7]",
      "[\\s\\S]",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom("\\b", "\\B", "^", "$", "(?=a)", "(?<!b)") },
);
const piece = fc
  .tuple(one, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "+?"))
  .map(([text, times]) =>
    /^(\\b|\\B|\^|\$)$/i.test(text) ? text : `(?:${text})${times}`.replace(/^\(\?:(.*)\)$/s, "$1"),
  );
const sequence = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "(?i)", "(?m)", "(?im)", "(?a)", "(?m)^"),
    sequence,
    fc.constantFrom("", "", "(X)", "(?:X)+", "(?i:X)", "|X"),
    sequence,
    sequence,
  )
  .map(([flags, start, group, inner, end]) =>
    group === "|X" ? `${flags}${start}|${inner}${end}` : `${flags}${start}${group.replace("X", inner)}${end}`,
  );
const texts = fc.array(
  fc
    .array(fc.constantFrom(...CHARS, "err: ab", "x".repeat(70)), { maxLength: 25 })
    .map((parts) => parts.join("")),
  { minLength: 1, maxLength: 4 },
);

const ROUNDS = 12;
const PER_ROUND = 40;

/** Longest a case may take, in milliseconds; the usual one takes less than one. */
const CASE_MS = 2_000;

/** A plain search that takes longer than this, in milliseconds, may be what made its case too long. */
const SLOW_PLAIN_MS = 100;

/**
 * Runs `fn` on many cases at once; the property fails with the cases that differ. Some random patterns backtrack
 * without end: a case that runs out of time fails only when the plain search alone, `fn` with `Plain`, is quick.
 */
async function same(fn: string, cases: fc.Arbitrary<[string, string[]]>): Promise<void> {
  let [all, endless] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(cases, { minLength: 1, maxLength: PER_ROUND, size: "max" }), async (lists) => {
      const outcomes = await atom.callMany(fn, lists, { limits: { timeoutMs: CASE_MS } });
      const wrong: unknown[] = [];
      for (const [i, outcome] of outcomes.entries()) {
        const list = lists[i] ?? [];
        all += 1;
        if (!outcome.ok && outcome.error.kind === "timeout" && (await isEndless(fn, list))) endless += 1;
        else if (!outcome.ok || outcome.value !== null)
          wrong.push([list[0], outcome.ok ? outcome.value : outcome.error]);
      }
      expect(wrong).toEqual([]);
    }),
    // What differs is shrunk, but not for so long that the test's own limit hides it.
    { numRuns: ROUNDS, interruptAfterTimeLimit: 40_000 },
  );
  expect(endless).toBeLessThan(all / 20);
}

/** Out of time twice in a row: once may be a busy machine. */
async function isEndless(fn: string, list: (string | string[])[]): Promise<boolean> {
  const isSlow = async (): Promise<boolean> => {
    const outcome = await atom.call(`${fn}Plain`, list, { limits: { timeoutMs: SLOW_PLAIN_MS } });
    return !outcome.ok && outcome.error.kind === "timeout";
  };
  return (await isSlow()) && (await isSlow());
}

test(
  "a search with shortcuts finds what a plain one finds",
  () => same("compare", fc.tuple(pattern, texts)),
  60_000,
);

test("a pattern that backtracks without end is told from one that shortcuts made slow", async () => {
  const text = [`${"x".repeat(70)} `];
  expect(await isEndless("compare", ["(?:\\w+)+7", text])).toBe(true);
  expect(await isEndless("borders", ["(?:\\w+)+7", text])).toBe(true);
  expect(await isEndless("compare", ["\\w+7", text])).toBe(false);
});

test("a short border of a word is the whole border", () => {
  const edge = fc.constantFrom("\\b", "\\B");
  const near = fc.constantFrom(
    ...[
      "a",
      "K",
      "é",
      "😀",
      "_",
      "7",
      " ",
      "-",
      "\\w",
      "\\w+",
      "x?a",
      "(?:a|b)",
      "(?:a|-)",
      " *",
      "(?:ab)?7",
    ],
  );
  const around = fc.tuple(near, edge, near, edge, near).map((parts) => parts.join(""));
  return same("borders", fc.tuple(around, texts));
}, 60_000);

/** Each holds the same characters as the other. */
const SETS: [string, string][] = [
  ["[^\\W]", "\\w"],
  ["[^\\S]", "\\s"],
  ["[^\\D]", "\\d"],
  ["[\\W]", "\\W"],
  ["[\\S\\t]", "(?:\\S|\\t)"],
  ["[^\\Wk]", "(?!k)\\w"],
  ["(?a)[^\\W]", "(?a)\\w"],
  ["(?a)[^\\S]", "(?a)\\s"],
  ["(?a)[^\\D]", "(?a)\\d"],
  ["(?i)[^\\W]", "(?i)\\w"],
  ["(?i)[^\\S]", "(?i)\\s"],
  ["(?i)[^\\D]", "(?i)\\d"],
  ["(?i)[\\W_]", "(?i)\\W|_"],
  ["(?ai)[^\\W]", "(?ai)\\w"],
  ["(?ai)[\\Wx]", "(?ai)(?:\\W|x)"],
];

test("a set in its spelling for V8 holds the characters it should, of all there are", async () => {
  expect(await value("differences", ...SETS)).toEqual(SETS.map(() => []));
}, 60_000);

test("a text in every match is looked for wherever it may stand", async () => {
  const far = `${"slack 1\n".repeat(3)}${"x".repeat(5000)}slack (MET) 2\nend`;
  const cases = [
    "slack \\(\\w+\\)",
    "\\d* *slack",
    "(?i)SLACK \\(",
    ".{2,4}k \\(",
    "(?m)^.*\\(MET\\)",
    "(?m)^end",
    "k{2}|slack",
    "(?:slack )+\\(",
  ];
  for (const p of cases)
    expect(await value("compare", p, [far, far.repeat(3), "", "slack (", "😀slack (MET)"])).toBeNull();
});
