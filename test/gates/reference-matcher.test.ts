import { expect, test } from "bun:test";
import { VECTOR_GROUPS } from "../../src/gates/gate2-vectors.ts";
import { referenceMatch } from "../../src/gates/reference-matcher.ts";
import { codes, gates } from "./helpers.ts";

test("the rules of contract section 2", () => {
  const match = (text: string, pattern: string, defaultMatch = "contains", mode = "search") => {
    const { is_match, kind } = referenceMatch(text, pattern, defaultMatch, mode);
    return `${kind} ${is_match}`;
  };
  expect(match("abc", "z| b ")).toBe("alternatives true");
  expect(match("abc", "|")).toBe("alternatives false");
  expect(match("abc", "regex:^a|zzz")).toBe("alternatives false");
  expect(match("regex:^a", "regex:^a|zzz")).toBe("alternatives true");
  expect(match("abc", "b|", "exact")).toBe("alternatives true");
  expect(match("xabc", "regex:abc")).toBe("regex true");
  expect(match("xabc", "regex:abc", "contains", "match")).toBe("regex false");
  expect(match("abcx", "regex:abc", "contains", "match")).toBe("regex true");
  expect(match("xabc", "regex:abc", "contains", "whatever")).toBe("regex true");
  expect(match("ABC", "regex:(?i)abc")).toBe("regex true");
  expect(referenceMatch("abc", "regex:[", "contains", "search").reason).toStartWith("Invalid Regex:");
  expect(match("a\nc", "a?c")).toBe("wildcard true");
  expect(match("abc", "a[b-d]*")).toBe("wildcard true");
  expect(match("xabc", "a*")).toBe("wildcard false");
  expect(match("a[b]", "a[b]")).toBe("contains true");
  expect(match("abc", "")).toBe("contains true");
  expect(match("abc", "", "exact")).toBe("exact false");
  expect(match("", "", "exact")).toBe("exact true");
  expect(match("abc", "b", "EXACT")).toBe("contains true");
});

test("the reference as an atom passes its own gates with any seed", async () => {
  for (const seed of [1, 2, 3]) expect(codes(await gates({}, { seed }))).toEqual([]);
});

test("every vector group tries both answers of its rule", () => {
  for (const { gate, vectors } of VECTOR_GROUPS) {
    const answers = vectors.map((v) =>
      referenceMatch(v.text, v.pattern, v.defaultMatch ?? "contains", v.regexMode ?? "search"),
    );
    expect(`${gate} ${answers.some((a) => a.is_match)} ${answers.some((a) => !a.is_match)}`).toBe(
      `${gate} true true`,
    );
  }
});
