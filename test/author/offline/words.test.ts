// The offline author does not interpret prose: its sources contain no list of words of a natural language. A list is
// a row of alphabetic strings or of alternatives in a pattern; allowed lists are named with their reason.
import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { Glob } from "bun";

const ROOT = resolve(import.meta.dir, "../../../src/author/offline");

/** Allowed lists of words that are not vocabulary of logs, by their words in order. */
const ALLOWED: Record<string, string> = {
  "jan feb mar apr may jun jul aug sep oct nov dec": "months as strptime and RFC 3164 write times",
  "mon tue wed thu fri sat sun": "days as strptime and RFC 822 write times",
};

/** The program's own names: strings in union types. */
function ownNames(source: string): Set<string> {
  const names = new Set<string>();
  const declared = source.matchAll(/^(?:export )?type \w+ =[\s\S]*?;\n(?=\n)|^export interface[\s\S]*?^\}/gm);
  for (const [text] of declared) {
    for (const [, name] of text.matchAll(/"([a-z]+)"/g)) names.add(name ?? "");
  }
  return names;
}

/** One word or two; longer texts are messages for people. */
const isTerm = (text: string): boolean => /^\p{L}{2,}(?: \p{L}{2,})?$/u.test(text);

/** The words among the strings of one list, the cases of one switch, and the alternatives of one pattern. */
export function wordLists(source: string, own: ReadonlySet<string>): string[] {
  const lists: string[][] = [];
  const plain = new Bun.Transpiler({ loader: "ts" }).transformSync(source);
  const pattern = (text: string): void => {
    // Letters of escapes and classes are not words; every group is checked separately.
    const bare = text
      .replace(/\\b|[\^$?*+]/g, (mark, at: number) => (mark === "?" && text[at - 1] === "(" ? mark : ""))
      .replace(/\\[pP]\{\w+\}|\\./g, "\u0000")
      .replace(/\[[^\]]*\]/g, "\u0000");
    for (const group of bare.split(/\(\?<\w+>|\(\?[:=!]|\(\?<[=!]|[()]/)) lists.push(group.split("|"));
  };
  full(parse(plain, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (node.type === "Literal") {
      const { value, regex } = node as unknown as { value: unknown; regex?: { pattern: string } };
      if (regex !== undefined) pattern(regex.pattern);
      else if (typeof value === "string" && value.includes("|")) pattern(value);
    }
    if (node.type === "MemberExpression") {
      const { object, property } = node as unknown as {
        object: { value?: unknown };
        property: { name?: string };
      };
      if (property.name === "split" && typeof object.value === "string")
        lists.push(object.value.split(/[\s,;|]+/));
    }
    if (node.type === "ArrayExpression") {
      const { elements } = node as unknown as { elements: ({ type: string; value?: unknown } | null)[] };
      lists.push(
        elements.map((one) => (one?.type === "Literal" && typeof one.value === "string" ? one.value : "")),
      );
    }
    if (node.type === "SwitchStatement") {
      const { cases } = node as unknown as { cases: { test: { value?: unknown } | null }[] };
      lists.push(cases.map((one) => (typeof one.test?.value === "string" ? one.test.value : "")));
    }
  });
  return lists
    .map((list) => list.filter((text) => isTerm(text) && !own.has(text)).map((text) => text.toLowerCase()))
    .filter((words) => words.length > 1)
    .map((words) => words.join(" "));
}

const files = await Promise.all(
  [...new Glob("**/*.{ts,js}").scanSync({ cwd: ROOT })].sort().map(async (path) => ({
    path,
    source: await Bun.file(join(ROOT, path)).text(),
  })),
);
const own = ownNames(files.map(({ source }) => source).join("\n"));

test("no source of the offline author contains a list of words", () => {
  const found = files.flatMap(({ path, source }) =>
    wordLists(source, own).flatMap((words) => (words in ALLOWED ? [] : [`${path}: ${words}`])),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
});

test("every allowed list exists", () => {
  const all = new Set(files.flatMap(({ source }) => wordLists(source, own)));
  for (const words of Object.keys(ALLOWED)) expect(all).toContain(words);
});

describe("lists of words are detected", () => {
  test.each([
    'const BAD = ["error", "failed", "fatal"];',
    'const BAD = new Set<string>(["warning", "notice"]);',
    "const bad = /\\b(?:error|failed|fatal)\\b/i.test(line);",
    "const bad = /^error|^failed/;",
    "const bad = /\\berrors?\\b|\\bfailed\\b/;",
    "const bad = /^(\\d+) (passed|failed)$/u;",
    'const bad = new RegExp("total|sum|count");',
    'const bad = "the and with from".split(" ");',
    'const bad = ["does not", "is not"];',
    'switch (word) { case "first": case "second": break; }',
    'const BAD = ["错误", "警告"];',
  ])("%s", (source) => {
    expect(wordLists(source, own)).not.toEqual([]);
  });

  test.each([
    'const fine: DiffKind[] = ["word", "number", "mark"];',
    'const fine = "A sentence for people, with words: no list.";',
    "const fine = /^[a-z]+|\\w+(?<value>\\d+)$/;",
    'const fine = ["|", ";", ","];',
  ])("%s is not such a list", (source) => {
    expect(wordLists(source, own)).toEqual([]);
  });
});
