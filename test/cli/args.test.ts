import { describe, expect, test } from "bun:test";
import { bind, scan } from "../../src/cli/args.ts";
import type { Args } from "../../src/cli/command.ts";
import { AtomsmithError } from "../../src/core/errors.ts";

const ARGS = {
  out: { type: "string", valueHint: "DIR", description: "" },
  input: { type: "string", valueHint: "FILE", description: "", multiple: true },
  count: { type: "string", valueHint: "N", description: "", number: { integer: true, min: 1, max: 8 } },
  mode: { type: "enum", options: ["fast", "slow"], description: "" },
  force: { type: "boolean", alias: "f", description: "" },
  c: { type: "string", valueHint: "K=V", description: "", multiple: true },
  dir: { type: "positional", valueHint: "DIR", description: "", multiple: true },
} as const satisfies Args;

function read(...argv: string[]) {
  const found = scan(argv, ARGS, { stopAtWord: false, where: "atomsmith x" });
  return bind(ARGS, found, "atomsmith x");
}

function message(...argv: string[]): string {
  try {
    read(...argv);
  } catch (error) {
    if (error instanceof AtomsmithError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return "no error";
}

describe("strict arguments", () => {
  test("both spellings of values are accepted, repeated flags are collected, words keep their order", () => {
    expect(
      read("a", "--out=x=y", "--input", "1", "b", "--input=2", "-c", "k=v", "-cj=w", "--count", "3"),
    ).toEqual({
      out: "x=y",
      input: ["1", "2"],
      count: 3,
      mode: undefined,
      force: false,
      c: ["k=v", "j=w"],
      dir: ["a", "b"],
    });
  });

  test("everything after -- is a word", () => {
    expect(read("--force", "--", "--out", "-c")).toMatchObject({ force: true, dir: ["--out", "-c"] });
  });

  test("a single dash is a word and can be a value", () => {
    expect(read("-", "--out", "-")).toMatchObject({ out: "-", dir: ["-"] });
  });

  test.each([
    [["--ot", "x"], "usage: unknown flag --ot; did you mean --out?"],
    [["--xyzzy"], "usage: unknown flag --xyzzy"],
    [["-x"], "usage: unknown flag -x"],
    [["--f"], "usage: unknown flag --f"],
    [["--out"], "usage: --out requires a value: --out DIR"],
    [["--out", "--force"], "usage: --out requires a value: --out DIR (--out=--force if that is the value)"],
    [["--out="], "usage: --out must not be empty"],
    [["--out", "a", "--out", "b"], "usage: --out is given twice: a and b"],
    [["--force=maybe"], 'usage: --force takes no value (got "maybe")'],
    [["--count", "9"], 'usage: --count: "9" is not a whole number from 1 to 8'],
    [["--count", "2.5"], 'usage: --count: "2.5" is not a whole number from 1 to 8'],
    [["--count", "0x4"], 'usage: --count: "0x4" is not a whole number from 1 to 8'],
    [["--count", "-1"], 'usage: --count: "-1" is not a whole number from 1 to 8'],
    [["--mode", "fats"], 'usage: --mode: "fats" is not one of fast, slow; did you mean fast?'],
    [["a", ""], "usage: DIR must not be empty"],
  ])("%j", (argv, expected) => {
    expect(message(...argv)).toBe(expected);
  });

  test("unexpected words and missing positionals are errors", () => {
    const one = { item: { type: "positional", valueHint: "ITEM", description: "", required: true } } as const;
    const run = (argv: string[]) => bind(one, scan(argv, one, { stopAtWord: false, where: "x" }), "x");
    expect(run(["a"])).toEqual({ item: "a" });
    expect(() => run([])).toThrow("ITEM is missing");
    expect(() => run(["a", "b"])).toThrow('unexpected argument "b"');
  });
});
