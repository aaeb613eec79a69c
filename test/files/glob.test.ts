// Globs: the linear matcher against a naive one, and escaped texts.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { escapeGlob, matchesName, parseGlob } from "../../src/files/glob.ts";

function matches(glob: string, name: string): boolean {
  return matchesName(parseGlob(glob), name);
}

/** A naive matcher that tries every length for every star. Supports `*`, `?` and plain characters. */
function naive(glob: string, name: string): boolean {
  if (glob === "") return name === "";
  if (glob[0] === "*") {
    for (let n = 0; n <= name.length; n += 1) if (naive(glob.slice(1), name.slice(n))) return true;
    return false;
  }
  return name !== "" && (glob[0] === "?" || glob[0] === name[0]) && naive(glob.slice(1), name.slice(1));
}

describe("one name", () => {
  test("the matcher agrees with a naive one for any stars and question marks", () => {
    const part = fc.constantFrom("a", "b", "*", "?", ".", "ab");
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 8 }).map((p) => p.join("")),
        fc.array(fc.constantFrom("a", "b", "."), { minLength: 1, maxLength: 8 }).map((p) => p.join("")),
        (glob, name) => {
          // `**` alone is a folder wildcard, `.` alone is the folder itself, a leading dot has its own rule.
          fc.pre(glob !== "**" && glob !== "." && !name.startsWith("."));
          expect(matches(glob, name)).toBe(naive(glob, name));
        },
      ),
      { numRuns: 2000 },
    );
  });
  test("an escaped text matches itself and nothing else", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 20 }), (text, other) => {
        fc.pre(!text.includes("/") && text !== "." && text !== "..");
        expect(matches(escapeGlob(text), text)).toBe(true);
        expect(matches(escapeGlob(text), other)).toBe(text === other);
      }),
      { numRuns: 500 },
    );
  });
  test.each([
    ["[abc]", "b", true],
    ["[a-c]x", "cx", true],
    ["[!a-c]", "b", false],
    ["[!a-c]", "d", true],
    ["[]]", "]", true],
    ["[a-]", "-", true],
    ["[a", "[a", true],
    ["{a,b}{1,2}", "b2", true],
    ["{a,b}{1,2}", "ab", false],
    ["{a}", "{a}", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["*", ".hidden", false],
    [".*", ".hidden", true],
    ["?", "漢", true],
    ["?", "😀", true],
  ] as const)("%s on %s", (glob, name, expected) => {
    expect(matches(glob, name)).toBe(expected);
  });
});
