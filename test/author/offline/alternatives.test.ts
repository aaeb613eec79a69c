// A choice in a regular expression of sections 2 and 3 is written without the bar, which a configuration would take for a
// list of plain texts; what matches stays the same in both modes.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { withoutBars } from "../../../src/author/offline/config/alternatives.ts";

test.each([
  ["root|admin", "root|admin"],
  ["regex:^[ab]+$", "regex:^[ab]+$"],
  ["regex:^(pi|raspberry)$", "regex:^(?!(?!pi$)(?!raspberry$))"],
  ["regex:_(fill|decap)_\\d+$", "regex:_(?!(?!fill_\\d+$)(?!decap_\\d+$))"],
  ["regex:(?i)^x|y$", "regex:(?i)(?!(?!^x)(?!y$))"],
  ["regex:^(?P<kind>sram|rom)_\\d", "regex:^(?!(?!sram_\\d)(?!rom_\\d))"],
  ["regex:^(?:a|\\d|-)+$", "regex:^[a\\d\\-]+$"],
  ["regex:^lib(foo|bar)?$", "regex:^lib(?!(?!foo$)(?!bar$)(?!$))"],
  ["regex:^(?!tmp|old)\\w+", "regex:^(?!(?!(?!tmp)(?!old)))\\w+"],
  ["regex:a\\|b[|]", "regex:a\\x7cb[\\x7c]"],
])("%s is written as %s", (pattern, written) => {
  expect(withoutBars(pattern)).toBe(written);
});

test.each([
  "regex:(ab|cd)+",
  "regex:(a|b)\\1x|y",
  "regex:(?<=ab|c)d",
  "regex:(a|b",
  "regex:[a|b",
  "regex:(?>a|b)c",
])("%s cannot be taken apart and stays a question", (pattern) => {
  expect(withoutBars(pattern)).toBe(pattern);
});

test("a choice of many long branches, one after another, has a limit", () => {
  const pattern = `regex:${"(alpha|beta|gamma|delta)".repeat(12)}`;
  expect(withoutBars(pattern)).toBe(pattern);
});

test("random expressions match the same texts, searched for and at the start", () => {
  const letter = fc.constantFrom("a", "b", "c", "ab", "a?", "b*", ".", "[ab]", "^", "$");
  const { source } = fc.letrec<{ source: string; node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      letter,
      fc
        .tuple(fc.constantFrom("(", "(?:", "(?=", "(?!"), tie("source"))
        .map(([open, inner]) => `${open}${inner})`),
      tie("source").map((inner) => `(${inner})?`),
    ),
    source: fc
      .array(fc.array(tie("node"), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((branches) => branches.map((nodes) => nodes.join("")).join("|")),
  }));
  let rewritten = 0;
  fc.assert(
    fc.property(
      source,
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 }), { minLength: 4 }),
      (original, texts) => {
        const pattern = withoutBars(`regex:${original}`);
        if (pattern.includes("|")) return;
        if (original.includes("|")) rewritten += 1;
        for (const text of texts) {
          for (const flags of ["u", "uy"]) {
            const expected = new RegExp(original, flags).test(text);
            expect({
              original,
              pattern,
              text,
              flags,
              found: new RegExp(pattern.slice(6), flags).test(text),
            }).toEqual({ original, pattern, text, flags, found: expected });
          }
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(rewritten).toBeGreaterThan(100);
});
